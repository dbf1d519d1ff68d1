/*
 * evaluator: what evaluates the boards of one size, and owns whatever it needs for that: a network loaded from a file,
 * n-tuple or neural, or the hand-made value. The kinds do not know each other; this is the one place that distinguishes
 * their files, by their magic. All other code sees a grid and a value function.
 */
#ifndef AFTERSTATE_STUDY_EVALUATOR_H
#define AFTERSTATE_STUDY_EVALUATOR_H

#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"

#include <stdio.h>

/* In which form an n-tuple network is loaded, where it suits (packed_network.h); the values are the same. */
enum load_form {
    LOAD_COMPACT, /* little time to load, little memory */
    LOAD_FAST     /* takes twice as long to load, for many boards */
};

/* Zeroed: there is none. */
struct evaluator {
    const struct grid *grid;        /* of its boards */
    struct value_function function; /* thread-safe until evaluator_free() */
    void *owned;                    /* private, as is the next */
    void (*free_owned)(void *owned);
};

/*
 * Loads a network of any kind. If `progress` is not NULL, a bar on it shows the loading of an n-tuple network. Fails as
 * network_load() and neural_load() do; *out is then zeroed.
 */
enum status evaluator_load(struct evaluator *out, const char *path, enum load_form form, FILE *progress);

/* The hand-made value (game/simple_value.h) on the boards of `grid`, which is borrowed. STATUS_NO_MEMORY. */
enum status evaluator_create_simple(struct evaluator *out, const struct grid *grid);

void evaluator_free(struct evaluator *evaluator); /* and zeroes it; zeroed is fine */

/* The size of the boards that a network file is for, from its header alone. */
enum status evaluator_read_size(const char *path, unsigned *rows, unsigned *cols);

#endif
