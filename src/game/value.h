/*
 * value: the one face through which search, learning and statistics see a value function, be it hand-made, an n-tuple
 * network, a neural network or a solved table.
 *
 * A value function says what an afterstate (a board after the move, before the spawn) is still worth: the points to
 * come, not those already made. The struct borrows its context; whoever made it says how long it lives. The functions
 * must be safe to call from several threads at once.
 *
 * A value function that gains by remembering what it worked out can give each thread a copy of its own with
 * value_function_open(): the same values, faster, but for one thread at a time.
 */
#ifndef AFTERSTATE_GAME_VALUE_H
#define AFTERSTATE_GAME_VALUE_H

#include "base/status.h"
#include "game/board.h"

#include <stdbool.h>
#include <stddef.h>

struct value_function {
    const void *context;
    float (*value)(const void *context, struct board after);
    /* out[i] = value of after[i]; a batch lets a large table overlap its memory accesses. */
    void (*values)(const void *context, const struct board *after, size_t n, float *out);
    /* Makes *own, a copy for one thread, and takes it back; both NULL where the function serves as it is. */
    enum status (*open)(const void *context, struct value_function *own);
    void (*close)(const void *context);
    bool symmetric; /* all images of a board have the same value, to the last bit or nearly: canonical boards will do */
};

/* *own: the function as one thread uses it best, until value_function_close(own). */
static inline enum status value_function_open(const struct value_function *function, struct value_function *own)
{
    *own = *function;
    own->open = NULL;
    own->close = NULL;
    return function->open ? function->open(function->context, own) : STATUS_OK;
}

static inline void value_function_close(struct value_function *own)
{
    if (own->close)
        own->close(own->context);
    *own = (struct value_function){0};
}

static inline float value_of(const struct value_function *function, struct board after)
{
    return function->value(function->context, after);
}

static inline void value_of_batch(const struct value_function *function, const struct board *after, size_t n,
                                  float *out)
{
    function->values(function->context, after, n, out);
}

#endif
