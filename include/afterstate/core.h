/*
 * afterstate/core.h: grids, boards, the rules, games, networks, search, solved tables. Included by afterstate.h, whose
 * conventions hold.
 */
#ifndef AFTERSTATE_CORE_H
#define AFTERSTATE_CORE_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define AS_API __attribute__((visibility("default")))
#else
#define AS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum as_status {
    AS_OK = 0,
    AS_USAGE,       /* an argument does not exist or is out of range: NULL, direction 7 */
    AS_NO_MEMORY,   /* an allocation failed */
    AS_IO,          /* the operating system refused to read or write */
    AS_CORRUPT,     /* bytes of a file are not what its format promises */
    AS_INVALID,     /* can be read but makes no sense: a text that is no board, a board of another size */
    AS_INTERRUPTED, /* stopped on demand */
};

enum as_direction {
    AS_UP = 0,
    AS_RIGHT = 1,
    AS_DOWN = 2,
    AS_LEFT = 3,
};

enum {
    AS_DIRECTIONS = 4,
    AS_MAX_CELLS = 16,
    AS_MAX_SIDE = 6,
    AS_MAX_VALUE = 17,
    AS_MAX_DEPTH = 8,       /* plies of a search */
    AS_DIGITS_BYTES = 17,   /* room for any board as digits, the final 0 included */
    AS_NUMBERS_BYTES = 145, /* room for any board as numbers, the final 0 included */
};

/*
 * A board, by value. Cells are numbered row by row from the top left; an r x c board uses the first r * c and leaves
 * all bits of the others 0. Cell i of value v has
 *
 *   min(v, 15)                      in bits 4i .. 4i+3 of `cells`, and
 *   v - 15 where v > 15, else 0     in bits 2i .. 2i+1 of `high`.
 *
 * So a board without a tile beyond 32768 is the 64-bit word that most 2048 programs use, read with cell 0 in the lowest
 * four bits. Zeroed is the empty board of every size. Two boards are equal if both fields are. There is padding after
 * `high`: compare fields, not bytes.
 */
struct as_board {
    uint64_t cells;
    uint32_t high;
};

/* The size of a board and everything derived from it. */
struct as_grid;
/* A seeded generator of random numbers. */
struct as_random;
/* A game under way. */
struct as_game;
/* A trained network in memory. */
struct as_network;
/* A search over a network, with its working memory. */
struct as_search;
/* A solved board, open for reading. */
struct as_table;

/* The version of the library, for example "0.2.0". Never NULL; lives for ever. Any thread. */
AS_API const char *as_version(void);

/*
 * What went wrong in the last failure of the calling thread, for a person to read; "" if there was none. Never NULL.
 * Valid until this thread's next failure, or its end. A success does not clear it.
 */
AS_API const char *as_last_error(void);

/* The face of a value: 0, 2, 4, .. 131072. 0 for a value beyond AS_MAX_VALUE. Any thread. */
AS_API uint32_t as_face(unsigned value);

/* ---- grids ---- */

/*
 * Makes the grid of boards with `rows` rows and `cols` columns: 1 .. AS_MAX_SIDE each, at most AS_MAX_CELLS cells.
 * Takes a few hundred bytes, or 8 MiB and some milliseconds where a side is 5. AS_INVALID for any other size, AS_USAGE
 * if `out` is NULL, AS_NO_MEMORY; *out is then NULL.
 */
AS_API enum as_status as_grid_create(struct as_grid **out, unsigned rows, unsigned cols);

/* Frees a grid. NULL is fine. Games that were begun on it must be freed before. */
AS_API void as_grid_free(struct as_grid *grid);

/* Its rows and columns; -1 if grid is NULL. */
AS_API int as_grid_rows(const struct as_grid *grid);
AS_API int as_grid_cols(const struct as_grid *grid);

/* ---- boards ---- */

/*
 * Whether the board is one of this grid: no bit outside its cells, `high` only over 15s, no value beyond AS_MAX_VALUE.
 * 1 or 0; -1 if grid is NULL. Every function below that takes a board makes this test itself (a few nanoseconds) and
 * fails with AS_INVALID.
 */
AS_API int as_board_fits(const struct as_grid *grid, struct as_board board);

/* The value (0 .. AS_MAX_VALUE) in row `row` and column `col`, both from 0. -1 for a place that does not exist. */
AS_API int as_board_get(const struct as_grid *grid, struct as_board board, unsigned row, unsigned col);

/* Puts a value (0 .. AS_MAX_VALUE) there. AS_USAGE for a place or value that does not exist; *board is untouched. */
AS_API enum as_status as_board_set(const struct as_grid *grid, struct as_board *board, unsigned row, unsigned col,
                                   unsigned value);

/*
 * Reads a board from text, a 0-terminated string of any bytes: one digit a cell ("0" empty, "1" = 2, .. "9", "a" =
 * 1024, .. "f" = 32768, "g" = 65536, "h" = 131072), or numbers with a slash between rows ("2 4 0 8 / 0 0 2 4 / ..").
 * AS_INVALID, with a message that names the place, for anything else and for a tile larger than any game on this grid
 * can reach (2^(cells+1)).
 */
AS_API enum as_status as_board_parse(const struct as_grid *grid, const char *text, struct as_board *board);

/*
 * Writes a board into out[0 .. out_bytes-1], the final 0 included: as digits, which takes the number of cells + 1, or
 * as numbers, which takes at most AS_NUMBERS_BYTES. AS_USAGE if the room is too small; `out` is then untouched.
 */
AS_API enum as_status as_board_digits(const struct as_grid *grid, struct as_board board, char *out, size_t out_bytes);
AS_API enum as_status as_board_numbers(const struct as_grid *grid, struct as_board board, char *out, size_t out_bytes);

/* The sum of the faces of all tiles, at most 2^21; a move keeps it, a spawn adds 2 or 4. -1 for wrong arguments. */
AS_API int as_board_age(const struct as_grid *grid, struct as_board board);

/*
 * The smallest of the board's images under the symmetries of the grid (8 if it is square, else 4), the same for all of
 * them; smaller means a smaller `cells`, or the same and a smaller `high`. `out` may point to a copy of the argument.
 */
AS_API enum as_status as_board_canonical(const struct as_grid *grid, struct as_board board, struct as_board *out);

/* ---- the rules ---- */

/*
 * Moves all tiles in `direction` (an enum as_direction). *after gets the afterstate: the board before a new tile
 * appears. *reward, if not NULL, gets the points: the sum of the tiles made. Returns 1 if the direction is legal; 0 if
 * nothing moves (*after is then the board itself, *reward 0); -1 for wrong arguments, and nothing is written.
 */
AS_API int as_move(const struct as_grid *grid, struct as_board board, unsigned direction, struct as_board *after,
                   uint32_t *reward);

/* The legal directions: bit d is set if direction d is legal, so 0 .. 15. -1 for wrong arguments. */
AS_API int as_legal_moves(const struct as_grid *grid, struct as_board board);

/* Whether no direction is legal: 1 or 0, -1 for wrong arguments. A board without tiles is terminal. */
AS_API int as_is_terminal(const struct as_grid *grid, struct as_board board);

/*
 * Puts a new tile on an empty cell of *board, each equally likely: a 2 with probability 0.9, a 4 with 0.1. *cell (its
 * number) and *value (1 or 2) say which; both may be NULL. One draw of `random`. AS_INVALID if no cell is empty.
 */
AS_API enum as_status as_spawn(const struct as_grid *grid, struct as_board *board, struct as_random *random,
                               unsigned *cell, unsigned *value);

/* ---- random numbers ---- */

/*
 * A generator: stream number `stream` of `seed`. Every pair is a good one, and the same pair gives the same numbers on
 * every machine. AS_USAGE if out is NULL, AS_NO_MEMORY; *out is then NULL.
 */
AS_API enum as_status as_random_create(struct as_random **out, uint64_t seed, uint64_t stream);

/* NULL is fine. */
AS_API void as_random_free(struct as_random *random);

/* A number in 0 .. bound-1, exactly uniform. 0, with an error message and no draw, if bound is 0 or random NULL. */
AS_API uint64_t as_random_below(struct as_random *random, uint64_t bound);

/* ---- games ---- */

/*
 * Begins game number `index` of `seed`: a board with two tiles (one on the 1x1 board). Seed and index fix every spawn
 * to come, given the moves; they are those of `afterstate play --seed`, whose game i has index i. The grid is borrowed
 * until the game is freed. AS_USAGE for NULL, AS_NO_MEMORY; *out is then NULL.
 */
AS_API enum as_status as_game_begin(struct as_game **out, const struct as_grid *grid, uint64_t seed, uint64_t index);

/* NULL is fine. */
AS_API void as_game_free(struct as_game *game);

/*
 * Plays a direction: moves, scores, spawns. 1 if it was played, 0 if it is illegal there, -1 for wrong arguments; in
 * the last two cases nothing changes.
 */
AS_API int as_game_play(struct as_game *game, unsigned direction);

/* The board on which the player is to move; the empty board if game is NULL. */
AS_API struct as_board as_game_board(const struct as_game *game);

/* Points and moves so far; 0 if game is NULL. */
AS_API uint64_t as_game_score(const struct as_game *game);
AS_API uint32_t as_game_moves(const struct as_game *game);

/* Whether no direction is legal any more: 1 or 0, -1 if game is NULL. */
AS_API int as_game_is_over(const struct as_game *game);

/* ---- networks ---- */

/*
 * Loads a network, n-tuple or neural, that `afterstate train` wrote; it takes at most 4 bytes of memory for each weight
 * (a shipped one that suits far less). AS_IO if the file cannot be read, AS_CORRUPT if it is truncated, altered or no
 * network, AS_NO_MEMORY with what it needs, AS_USAGE for NULL; *out is then NULL.
 */
AS_API enum as_status as_network_open(struct as_network **out, const char *path);

/*
 * Gives a network of 4x4 another network for late games, `late_net` (NULL: the one that comes with the program,
 * nets/late.net), and exact endgame tables: `endgame` is a folder of tables, as `afterstate endgame build` makes them,
 * or "auto" for the folder where it puts them; NULL: that network alone. Searches made afterwards use them; they need
 * downgrade = 15. AS_INVALID if there is no such network or table or for another size, AS_USAGE for NULL, for weights
 * (AS_NETWORK_WEIGHTS) and for a network that has one already, AS_IO, AS_CORRUPT and AS_NO_MEMORY as above; the network
 * is then as before. Not while another thread uses the network.
 */
AS_API enum as_status as_network_add_endgame(struct as_network *network, const char *endgame, const char *late_net);

/* Frees a network. NULL is fine. Its searches must be freed before. */
AS_API void as_network_free(struct as_network *network);

/* The grid of its boards, which lives as long as the network and is not to be freed; NULL if network is NULL. */
AS_API const struct as_grid *as_network_grid(const struct as_network *network);

/* Its rows and columns; -1 if network is NULL. */
AS_API int as_network_rows(const struct as_network *network);
AS_API int as_network_cols(const struct as_network *network);

/*
 * The points that the network expects from an afterstate (a board after a move, before the new tile) to the end of the
 * game, without those already made. AS_INVALID for a board of another size. Any thread, many at once.
 */
AS_API enum as_status as_network_value(const struct as_network *network, struct as_board after, float *value);

/* ---- search ---- */

/*
 * How to look for a move. N plies are N moves with all new tiles between them; 1 ply takes the best reward + value.
 * With the size alone it is nothing yet: give a depth, a time, or both. What is 0 besides is plain, exact search on one
 * thread.
 */
struct as_search_settings {
    size_t size;         /* sizeof(struct as_search_settings) */
    unsigned depth;      /* plies, 1 .. AS_MAX_DEPTH; 0: as many as the time allows */
    double milliseconds; /* time for a move, deeper and deeper until it is over; 0: no limit */
    double prune;        /* new tiles reached with a smaller probability are not expanded, 0 .. 1; 0 expands all */
    double margin;       /* moves that are worse by more points at first sight are not expanded; 0 expands all */
    unsigned
        downgrade; /* value of a tile, from 11 (2048): boards with it are evaluated with large tiles halved; 0: never */
    size_t table_bytes; /* memory for boards searched before (64 MiB suit 3 plies); 0: none */
    unsigned threads;   /* inside one search, at most 1024; 0 or 1: the calling one */
};

/* What a search found. */
struct as_search_result {
    unsigned best;      /* an enum as_direction; AS_DIRECTIONS if none is legal */
    unsigned legal;     /* bit d set: direction d is legal */
    float value[4];     /* expected points from here on by each direction; NaN where illegal */
    unsigned depth[4];  /* plies searched for each value; they differ only where time ran out */
    uint32_t reward[4]; /* points of the move itself, which the value includes; 0 where illegal */
    unsigned order[4];  /* directions, the best first, then by value; illegal ones last */
};

/*
 * Makes a search over `network`, which is borrowed until the search is freed; many searches may share one. AS_USAGE for
 * NULL and for settings out of range, AS_NO_MEMORY, AS_IO if threads cannot be had; *out is then NULL.
 */
AS_API enum as_status as_search_create(struct as_search **out, const struct as_network *network,
                                       const struct as_search_settings *settings);

/* NULL is fine. */
AS_API void as_search_free(struct as_search *search);

/*
 * All moves of a board on which the player is to move. It may be called repeatedly, and is faster on boards it searched
 * before. AS_INVALID for a board of another size, AS_INTERRUPTED after as_search_cancel() (arrays.h). One thread at a
 * time for each search; different searches at once.
 */
AS_API enum as_status as_search_run(struct as_search *search, struct as_board board, struct as_search_result *result);

/* ---- solved tables ---- */

/* Where a new tile appears once its number, 2 or 4, is drawn. */
enum as_variant {
    AS_VARIANT_NORMAL = 0,      /* on any empty cell, each equally likely: the game */
    AS_VARIANT_OPTIMISTIC = 1,  /* on the cell that is best for the player */
    AS_VARIANT_PESSIMISTIC = 2, /* on the cell that is worst for the player */
};

/* What a solve keeps (`afterstate solve --store`). */
enum as_store {
    AS_STORE_VALUES = 0, /* every afterstate that a game can reach (without the goal, if there is one), and its value */
    AS_STORE_MOVES = 1,  /* the best move of every state, without the boards */
    AS_STORE_NONE = 2,   /* the counts and the result */
};

enum {
    AS_START_KINDS = 3, /* starts: two 2s, a 2 and a 4, two 4s (1x1 starts with one tile: a 2, none, a 4) */
};

/*
 * A table as a whole. Boards are counted up to symmetry; a state is a board on which the player is to move.
 *
 * What the values of a table are depends on its goal (`afterstate solve --objective`). Without one they are expected
 * scores, in points. With one they are the chance, 0 .. 1, that optimal play makes that tile: the game ends there,
 * boards that have the tile are not in the table, and a move that makes it has the value 1.
 */
struct as_table_info {
    unsigned rows, cols;
    enum as_variant variant;
    enum as_store store;
    unsigned goal;       /* the value of the tile whose chance the values are, 9 for 512; 0: they are expected scores */
    double four_chance;  /* how often a new tile is a 4 instead of a 2, 0 .. 1; 0.1 in the game */
    int is_solved;       /* 1: the solve has ended; 0: it was stopped, and what follows is what it has so far */
    size_t n_ages;       /* ages that are counted, see as_table_get_age() */
    uint64_t n_states;   /* of all these ages, terminal ones included */
    uint64_t n_terminal; /* states without a legal move */
    uint64_t n_afterstates;
    double expected_score; /* points of a game under optimal play, or chance of the goal; NaN until it is solved */
    double start_value[AS_START_KINDS]; /* the same by kind of start; NaN where there is none, or not yet */
    /*
     * Of a table with walls (solve --walls), whose cells are bits, bit i for cell i; 0 on whole boards. Such a table is
     * asked about boards of the real game whose tiles of at least the goal stand on the walls, in any of the 8 images;
     * expected_score is then the mean over all starts: boards of 2s and 4s beside the walls, of small sums.
     */
    unsigned walls;
    unsigned target_cells; /* where the goal counts; 0: anywhere */
    uint64_t n_starts;
    double best_start; /* the largest value of a start; NaN without walls, or not yet */
};

/* The boards of one age: those whose tiles have this sum. */
struct as_table_age {
    uint32_t age;
    uint64_t n_states, n_terminal, n_afterstates;
    double best_value; /* of the best afterstate; NaN if there are no afterstates, or it is not yet known */
};

/* What a table knows of a board on which the player is to move. Values are points or, with a goal, chances. */
struct as_table_answer {
    enum as_status status; /* AS_OK, or AS_INVALID if no game reaches the board: see as_table_query_many() */
    unsigned best;         /* an enum as_direction, the first of the best; AS_DIRECTIONS if none is legal */
    unsigned legal;        /* bit d set: direction d is legal */
    uint32_t reward[4];    /* points of each direction; 0 where illegal */
    double value[4];       /* expected score from here on by each direction, its reward included, or the chance that the
                              goal is made; NaN where illegal */
    double loss[4];        /* what each direction loses against the best, 0 or more; NaN where illegal */
    double state_value;    /* value under optimal play, that of the best direction; 0 if no direction is legal */
};

/*
 * Opens a table directory that `afterstate solve` wrote, also one whose solve was stopped. The files are mapped, not
 * read, and must stay there until as_table_free(). Only the index is checked here; the checksum of an age is checked
 * when a board of that age is first looked up. AS_IO if there is no table, AS_CORRUPT with file and reason if it is
 * damaged, AS_NO_MEMORY, AS_USAGE for NULL; *out is then NULL.
 */
AS_API enum as_status as_table_open(struct as_table **out, const char *directory);

/* Closes a table and ends its grid. NULL is fine. No other thread may be using it. */
AS_API void as_table_free(struct as_table *table);

/* The grid of its boards, which lives as long as the table and is not to be freed; NULL if table is NULL. */
AS_API const struct as_grid *as_table_grid(const struct as_table *table);

/* Fills *info: size, rules, counts, expected score. AS_USAGE for NULL. Any thread, many at once. */
AS_API enum as_status as_table_get_info(const struct as_table *table, struct as_table_info *info);

/*
 * Fills *age with the counts of age number `index`, 0 .. n_ages-1 of the info. Ages ascend by 2 from the youngest that
 * a game can have, 4 (2 on 1x1; with walls 12 or less), so the age of index i is 4 + 2i; some have no board. AS_USAGE
 * for NULL and for a larger index. Any thread, many at once.
 */
AS_API enum as_status as_table_get_age(const struct as_table *table, size_t index, struct as_table_age *age);

/*
 * The exact value of an afterstate (a board after a move, before the new tile): the points that optimal play makes from
 * there to the end of the game, on average, without those already made; or the chance that it makes the goal. Stored
 * values are rounded, to a multiple of 2^-16 unless solve --bits says otherwise. AS_INVALID if it is not a board of
 * this grid, no game reaches it or it has the goal already, AS_USAGE for NULL and for a table without values,
 * AS_CORRUPT if its age is damaged. Any thread, many at once.
 */
AS_API enum as_status as_table_value(const struct as_table *table, struct as_board after, double *value);

/*
 * Looks up a board on which the player is to move: what each move is worth, the best, and what the others lose.
 * AS_INVALID, with the reason, if it is not a board of this grid, no game reaches it or it has the goal already;
 * AS_USAGE for NULL and for a table that is not solved or holds neither values nor moves; AS_CORRUPT if an age is
 * damaged; AS_NO_MEMORY. Takes some microseconds. Any thread, many at once.
 *
 * A table of moves alone gives `best`, `legal` and `reward`; its values and losses are NaN, and `best` is meaningful
 * only if a game can reach the board, which such a table does not know.
 */
AS_API enum as_status as_table_query(const struct as_table *table, struct as_board board,
                                     struct as_table_answer *answer);

/*
 * Looks up n boards: answers[i] is that of boards[i], each as as_table_query() gives it. A board that would fail with
 * AS_INVALID has that as the status of its answer, with `best` AS_DIRECTIONS, `legal` and `reward` 0 and the rest NaN;
 * the others are answered all the same, and the call is AS_OK. Every other failure is that of the call, and the answers
 * are then undefined. `threads`, at most 1024, share the work; 0 or 1 is the calling one alone. More are worth their
 * start from some thousand boards on. Both arrays may be NULL if n is 0. Any thread, many at once.
 */
AS_API enum as_status as_table_query_many(const struct as_table *table, const struct as_board *boards, size_t n,
                                          struct as_table_answer *answers, unsigned threads);

#ifdef __cplusplus
}
#endif

#endif
