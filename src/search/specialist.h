/*
 * specialist: chooses the moves of some boards in another way than by searching a value function: an exact table, or a
 * search made for such boards. A searcher that has one asks it first (search_settings).
 *
 * The values of its results have a scale of their own; only their order counts.
 */
#ifndef AFTERSTATE_SEARCH_SPECIALIST_H
#define AFTERSTATE_SEARCH_SPECIALIST_H

#include "base/status.h"
#include "game/board.h"
#include "search/search_result.h"

#include <stdbool.h>

struct search_settings;

/* Threads may share it; what changes lies in the memory of a searcher. */
struct specialist {
    const void *context;
    bool (*takes)(const void *context, struct board board); /* whether it chooses on this board */
    /* The memory of one searcher, which close() ends. STATUS_NO_MEMORY. */
    enum status (*open)(const void *context, void **memory);
    void (*close)(void *memory); /* NULL is fine */
    /* Fills *result, which search_result_begin() made, by the limits of the settings: depth, milliseconds, cancel. */
    void (*search)(const void *context, void *memory, struct board board, const struct search_settings *settings,
                   struct search_result *result);
};

#endif
