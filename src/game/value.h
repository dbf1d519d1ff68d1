/*
 * value: the interface through which search, learning and statistics use a value function: hand-made, an n-tuple
 * network, a neural network or a solved table.
 *
 * A value function estimates the points still to come after an afterstate (a board after the move, before the spawn);
 * points already made do not count. The struct borrows its context; its creator documents how long it lives. The
 * functions must be safe to call from several threads at once.
 */
#ifndef AFTERSTATE_GAME_VALUE_H
#define AFTERSTATE_GAME_VALUE_H

#include "game/board.h"

#include <stdbool.h>
#include <stddef.h>

struct value_function {
    const void *context;
    /* out[i] = value of after[i]; a batch lets a large table overlap its memory accesses. */
    void (*values)(const void *context, const struct board *after, size_t n, float *out);
    bool symmetric; /* all images of a board have the same value, to the last bit or nearly: canonical boards will do */
    /*
     * Preferred batch size, for functions whose calls are expensive and whose boards are cheap in a large batch (a
     * neural network). 0: any size is as good (a table). Searches and matches collect boards accordingly.
     */
    size_t batch;
};

static inline void value_of_batch(const struct value_function *function, const struct board *after, size_t n,
                                  float *out)
{
    function->values(function->context, after, n, out);
}

static inline float value_of(const struct value_function *function, struct board after)
{
    float value;
    value_of_batch(function, &after, 1, &value);
    return value;
}

#endif
