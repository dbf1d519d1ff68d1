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
#include "ntuple/network.h"
#include "packed/packed_network.h"

/* In which form an n-tuple network is loaded, where it suits (packed_network.h); the values are the same. */
enum load_form {
    LOAD_COMPACT, /* little time to load, little memory */
    LOAD_FAST     /* takes twice as long to load, for many boards */
};

struct value_file {
    struct network *ntuple; /* one of these three */
    struct packed_network *packed;
    struct neural *neural;
    struct neural_judge *judge;     /* of the neural one */
    const struct grid *grid;        /* of its boards; the network's */
    struct value_function function; /* safe for any number of threads while the file is open */
};

/*
 * Loads a network. `progress` (begun by the caller over the bytes of an n-tuple network; may be NULL) is moved on. As
 * network_load() and neural_load() fail; *out is then zeroed.
 */
enum status value_file_open(struct value_file *out, const char *path, enum load_form form, struct progress *progress);
void value_file_close(struct value_file *file); /* zeroed is fine */

/* The size of its boards, from the header alone. */
enum status value_file_size(const char *path, unsigned *rows, unsigned *cols);

#endif
