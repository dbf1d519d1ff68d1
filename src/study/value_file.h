/*
 * value_file: a value function from a network file of whichever kind. The kinds do not know each other; here is the one
 * place that tells them apart, by the magic of the file.
 */
#ifndef AFTERSTATE_STUDY_VALUE_FILE_H
#define AFTERSTATE_STUDY_VALUE_FILE_H

#include "base/progress.h"
#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"
#include "neural/neural_value.h"
#include "ntuple/compact_network.h"
#include "ntuple/network.h"
#include "ntuple/play_network.h"

/* What is wanted of a network; the values are the same. */
enum value_use {
    VALUE_AT_ONCE, /* little time to load, little memory: compact_network.h where the file suits */
    VALUE_FOR_LONG /* many boards: play_network.h where the network suits, which takes twice as long to load */
};

struct value_file {
    struct network *ntuple; /* one of these four */
    struct play_network *play;
    struct compact_network *compact;
    struct neural *neural;
    struct neural_judge *judge;     /* of the neural one */
    const struct grid *grid;        /* of its boards; the network's */
    struct value_function function; /* safe for any number of threads while the file is open */
};

/*
 * Loads a network. `progress` (begun by the caller over the bytes of an n-tuple network; may be NULL) is moved on. As
 * network_load() and neural_load() fail; *out is then zeroed.
 */
enum status value_file_open(struct value_file *out, const char *path, enum value_use use, struct progress *progress);
void value_file_close(struct value_file *file); /* zeroed is fine */

/* The size of its boards, from the header alone. */
enum status value_file_size(const char *path, unsigned *rows, unsigned *cols);

#endif
