/*
 * catalog: what the server has to offer: boards with their evaluators, and solved tables. Made once, then read by all
 * threads.
 */
#ifndef AFTERSTATE_WEB_CATALOG_H
#define AFTERSTATE_WEB_CATALOG_H

#include "base/json.h"
#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"
#include "solve/endgame.h"
#include "solve/query.h"
#include "solve/table.h"
#include "web/target.h"

#include <stdbool.h>
#include <stddef.h>

enum { CATALOG_MAX_BOARDS = 64, CATALOG_MAX_TABLES = 64, CATALOG_ID_BYTES = 64, CATALOG_NAME_BYTES = 256 };

/* A board and its evaluator; borrowed. */
struct web_board {
    const struct grid *grid;
    struct value_function function;
    /*
     * Optional; where it is set, `function` is not used, but the one that this gives when a search first needs it. Any
     * thread may call it, and again after a failure.
     */
    enum status (*load)(void *context, struct value_function *function);
    void *load_context;
    const char *evaluator; /* the network's file, of which the name without its folder is shown, "bundled", "simple" */
    const struct endgame *endgame; /* the tables that it uses; NULL: none */
    bool network;
    unsigned downgrade; /* as search_settings */
};

struct web_table {
    const struct table *table;
    char id[CATALOG_ID_BYTES];   /* "3x3", "3x3-optimistic", "3x3-tile512", "3x3-four0.25" */
    struct query_tables queries; /* for query_board(); only where it has values */
    bool has_values;
};

/* Begin with a zeroed one. Must not be moved once it has boards. */
struct catalog {
    struct web_board boards[CATALOG_MAX_BOARDS];
    char names[CATALOG_MAX_BOARDS][CATALOG_NAME_BYTES]; /* their names, as UTF-8 */
    size_t n_boards;
    struct web_table tables[CATALOG_MAX_TABLES];
    size_t n_tables;
};

/* Offers an evaluator; of several for a size the first one answers unless another is asked for. STATUS_USAGE if there
   are too many, or one of that size and name is there. The name is copied. */
enum status catalog_add_board(struct catalog *catalog, const struct web_board *board);
/* The same for a table; its id follows from size, variant, objective and chance of a 4. */
enum status catalog_add_table(struct catalog *catalog, const struct table *table);

/* The board of that size with its first evaluator, or the one of that name; NULL if there is none. */
const struct web_board *catalog_board(const struct catalog *catalog, unsigned rows, unsigned cols);
const struct web_board *catalog_board_of(const struct catalog *catalog, unsigned rows, unsigned cols,
                                         const char *evaluator);

/*
 * Takes `board`, and `rows`, `cols` and `judge` if they are there, from a target: the board that is meant, its
 * evaluator and its position. HTTP_BAD_REQUEST where the size is not offered or not clear, or the text is no board of
 * it, or has no tile.
 */
enum http_code catalog_take_board(const struct catalog *catalog, struct target *target, const struct web_board **board,
                                  struct board *position);

const struct web_table *catalog_table(const struct catalog *catalog, const char *id); /* NULL if there is none */
/* The one that knows exact values under normal rules on boards of this size; NULL if there is none. */
const struct web_table *catalog_exact_table(const struct catalog *catalog, unsigned rows, unsigned cols);

/*
 * query_board() on a table that has values, guarded: STATUS_IO where its files were truncated since they were opened.
 * Any thread.
 */
enum status catalog_query(const struct web_table *table, struct board position, struct query_answer *answer);

/* The members of a table's answer: "value", "best", "moves" and "losses", and "rewards" if wanted. */
void catalog_add_answer_json(struct json *json, const struct web_table *table, const struct query_answer *answer,
                             bool rewards);

#endif
