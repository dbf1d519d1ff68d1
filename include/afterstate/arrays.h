/*
 * afterstate/arrays.h: many boards at once, in the caller's arrays. Included by afterstate.h, whose conventions hold.
 *
 * A board as cells is rows * cols bytes, row by row from the top left, each the value of a tile: 0 .. AS_MAX_VALUE. n
 * boards follow one another without gaps. In NumPy that is an array of shape (n, rows, cols), uint8, in C order.
 *
 * Every function reads all its boards before it writes anything, and fails with AS_INVALID and the number of the first
 * board that is none. Arrays of no boards (n = 0) may be NULL. Outputs must not overlap inputs unless the comment says
 * so. Other threads may use the same grid, network or table at the same time.
 */
#ifndef AFTERSTATE_ARRAYS_H
#define AFTERSTATE_ARRAYS_H

#include <afterstate/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Converts n boards from cells to struct as_board, and back. */
AS_API enum as_status as_boards_from_cells(const struct as_grid *grid, const uint8_t *cells, size_t n,
                                           struct as_board *boards);
AS_API enum as_status as_boards_to_cells(const struct as_grid *grid, const struct as_board *boards, size_t n,
                                         uint8_t *cells);

/*
 * All four moves of n boards. Direction d (an enum as_direction) of board i is number m = 4 * i + d of each output:
 * after[m * cells_of_a_board ..] the afterstate (the board itself where d is illegal), rewards[m] the points (0 where
 * illegal), legal[m] 1 or 0. Each output may be NULL.
 */
AS_API enum as_status as_moves_many(const struct as_grid *grid, const uint8_t *cells, size_t n, uint8_t *after,
                                    uint32_t *rewards, uint8_t *legal);

/* A new tile on each of n boards, in place, one draw of `random` each, as as_spawn(). AS_INVALID if one is full. */
AS_API enum as_status as_spawn_many(const struct as_grid *grid, uint8_t *cells, size_t n, struct as_random *random);

/* The canonical image of n boards, as as_board_canonical(). `out` may be `cells`. */
AS_API enum as_status as_canonical_many(const struct as_grid *grid, const uint8_t *cells, size_t n, uint8_t *out);

/* values[i] = the network's value of afterstate i, as as_network_value(), but faster: tables overlap their accesses. */
AS_API enum as_status as_network_values(const struct as_network *network, const uint8_t *cells, size_t n,
                                        float *values);

/*
 * values[i] = the table's value of afterstate i, as as_table_value(); NaN where no game reaches it or it has the goal
 * already. AS_USAGE for a table without values, AS_CORRUPT if an age is damaged.
 */
AS_API enum as_status as_table_values(const struct as_table *table, const uint8_t *cells, size_t n, double *values);

/*
 * Searches n boards, one after the other (a neural network gets the leaves of all of them together): results[i] is what
 * as_search_run() gives for board i. AS_INTERRUPTED if as_search_cancel() ended it; results are then undefined.
 */
AS_API enum as_status as_search_many(struct as_search *search, const uint8_t *cells, size_t n,
                                     struct as_search_result *results);

/*
 * Ends the running as_search_run() or as_search_many() of this search early, from another thread or a signal handler:
 * it returns AS_INTERRUPTED within some milliseconds. The cancellation holds until as_search_resume(), so it may come
 * before the search begins. Searches of one ply are cancelled between boards only. NULL does nothing.
 */
AS_API void as_search_cancel(struct as_search *search);
AS_API void as_search_resume(struct as_search *search);

/* ---- games side by side ---- */

/* What happens to a game that has ended; the names and meanings are those of Gymnasium's vector environments. */
enum as_autoreset {
    AS_AUTORESET_NEXT_STEP = 0, /* the next step ignores its action and begins a new game */
    AS_AUTORESET_SAME_STEP = 1, /* the same step begins a new game; the final_* arrays keep what was */
    AS_AUTORESET_DISABLED = 2,  /* it stays as it is until as_vector_reset() */
};

struct as_vector_settings {
    size_t size; /* sizeof(struct as_vector_settings) */
    size_t n;    /* games, 1 .. 2^24 */
    enum as_autoreset autoreset;
    uint64_t seed; /* game i begins as game number i of this seed, as as_game_begin() would */
};

/*
 * Where a vector writes, n entries each; borrowed until as_vector_free(). `cells` must be there, the others may be
 * NULL.
 */
struct as_vector_arrays {
    size_t size;           /* sizeof(struct as_vector_arrays) */
    uint8_t *cells;        /* the boards on which the players are to move */
    double *rewards;       /* points of the last step */
    uint8_t *terminated;   /* 1: no direction is legal */
    uint8_t *legal;        /* 4 each: 1 where the direction is legal */
    uint8_t *illegal;      /* 1: the action of the last step was illegal, and nothing changed */
    int64_t *scores;       /* points of the game so far */
    int64_t *moves;        /* moves of the game so far */
    uint8_t *final_cells;  /* AS_AUTORESET_SAME_STEP: the last board of a game that ended in this step, .. */
    int64_t *final_scores; /* .. its points .. */
    int64_t *final_moves;  /* .. and moves; entries of other games are left as they were */
};

/* Many games that are played in step. One thread at a time. */
struct as_vector;

/*
 * Makes n games and begins them; all arrays are filled. The grid is borrowed until the vector is freed. AS_USAGE for
 * NULL and settings out of range, AS_NO_MEMORY; *out is then NULL and the arrays are untouched.
 */
AS_API enum as_status as_vector_create(struct as_vector **out, const struct as_grid *grid,
                                       const struct as_vector_settings *settings,
                                       const struct as_vector_arrays *arrays);

/* NULL is fine. */
AS_API void as_vector_free(struct as_vector *vector);

/*
 * Begins new games, and fills the arrays of those; rewards are 0. `which` (n bytes) names them, NULL is all. With seeds
 * and indices (n each, both or none NULL) game i becomes game indices[i] of seeds[i]. Without, it becomes the next one
 * of its seed: the index grows by n, so no two games of a vector are the same. Automatic resets do likewise.
 */
AS_API enum as_status as_vector_reset(struct as_vector *vector, const uint8_t *which, const uint64_t *seeds,
                                      const uint64_t *indices);

/*
 * Puts boards into games: game i, if which[i] is not 0 (NULL: all), continues from board i of `cells`, with score and
 * moves 0 and the spawns of its generator. `cells` must not be the vector's own array.
 */
AS_API enum as_status as_vector_set_boards(struct as_vector *vector, const uint8_t *which, const uint8_t *cells);

/*
 * One action in each game: moves, scores, spawns, begins new games as the mode says, and fills all arrays. actions[i]
 * is an enum as_direction as a signed integer of `action_bytes` bytes: 1, 2, 4 or 8. An illegal one changes nothing in
 * its game. AS_USAGE for NULL, another width, and an action that is no direction; no game has then changed.
 */
AS_API enum as_status as_vector_step(struct as_vector *vector, const void *actions, size_t action_bytes);

/* A legal direction for each game, each equally likely; 0 where none is. One draw of `random` a game that has a
   move. */
AS_API enum as_status as_vector_sample(const struct as_vector *vector, struct as_random *random, void *actions,
                                       size_t action_bytes);

/* The seed and the index of each game, n each; either may be NULL. */
AS_API enum as_status as_vector_get_seeds(const struct as_vector *vector, uint64_t *seeds, uint64_t *indices);

/*
 * Plays n_moves random legal moves in each game, as that many as_vector_sample() and as_vector_step() but for the
 * arrays, which are filled at the end only: how fast the rules alone are.
 */
AS_API enum as_status as_vector_play_random(struct as_vector *vector, struct as_random *random, uint64_t n_moves);

#ifdef __cplusplus
}
#endif

#endif
