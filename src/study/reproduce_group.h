/*
 * reproduce_group: an experiment of a paper as data: the rows of its table, what is measured of each, the published
 * figures. Files reproduce/NAME.ini; docs/GUIDE.md shows one.
 *
 *     [group]
 *     title = Terauchi and Matsuzaki, table 4: ten networks on 3x3
 *     kind = train
 *     measure = 1-ply, 1000 games
 *     measure = exact
 *     row = mNT6 | terauchi-4-mnt6.ini | 4610.2 +- 81.1 |
 *
 * A row is a label, what it is about, and a published figure (as it is printed, or nothing) for each measure:
 *
 *   train    a recipe, trained from scratch; each measure is taken of the network
 *   search   one way to search with a given network ("3-ply, 1000 games", "50 ms, 300 games"; measure_parse() has
 *            more); one measure, "score"
 *   solve    a board size; the measures are among "states", "afterstates", "terminal", "score"
 */
#ifndef AFTERSTATE_STUDY_REPRODUCE_GROUP_H
#define AFTERSTATE_STUDY_REPRODUCE_GROUP_H

#include "base/settings.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GROUP_MAX_ROWS = 40, GROUP_MAX_MEASURES = 8 };

enum group_kind { GROUP_TRAIN, GROUP_SEARCH, GROUP_SOLVE };

enum measure_kind {
    MEASURE_SCORE, /* the mean score of games */
    MEASURE_TILE,  /* the share of games, in percent, that reach a tile */
    MEASURE_MAX,   /* the largest score of the games */
    MEASURE_TIME,  /* microseconds a move */
    MEASURE_EXACT, /* the exact expected score at 1 ply, on a board that can be solved */
    MEASURE_SOLVE, /* a figure of a solved board */
};

struct measure {
    enum measure_kind kind;
    const char *text;    /* as in the file, without the games */
    unsigned depth;      /* plies; 0: by time */
    double milliseconds; /* 0: by depth */
    unsigned tile;       /* MEASURE_TILE: exponent */
    uint64_t n_games;
    double prune, margin; /* 0: nothing is left out */
    int downgrade;        /* exponent from which boards are downgraded, 0: never; MEASURE_OWN: as the player does */
    uint64_t seed;        /* of the games */
};
enum { MEASURE_OWN = -1, MEASURE_SEED = 2048 };

struct group_row {
    const char *label, *about;
    char slug[64];         /* a name for its folder: the label in letters, digits, '-' and '.' */
    struct measure search; /* GROUP_SEARCH: what `about` means */
    const char *published[GROUP_MAX_MEASURES];
};

struct group {
    char *name; /* the file's, without folder and ending */
    enum group_kind kind;
    const char *title, *budget_text; /* the paper's own budget, for people */
    const char *spread;              /* what the +- of its figures is, for people; "" unknown or none */
    char *recipes;                   /* the folder of the recipes */
    unsigned n_seeds;                /* runs of each row by default */
    bool side_by_side;               /* runs are small: one thread each, several at a time */
    uint64_t curve_games;            /* of each of the ten points of a learning curve */
    uint64_t curve_games3;           /* the same at 3 plies; 0: no such curve */
    struct measure measures[GROUP_MAX_MEASURES];
    size_t n_measures;
    struct group_row *rows;
    size_t n_rows;
    /* Private. */
    struct recipe *file;
    const char *recipes_text;
    struct setting_list measure_texts, row_texts;
    char **lines;
};

/*
 * Reads a group, to be freed with group_free(). STATUS_IO, or STATUS_INVALID with file, line and what was expected;
 * *out is then NULL.
 */
enum status group_load(struct group **out, const char *path);
void group_free(struct group *group); /* NULL is fine */

/*
 * "3-ply, 100 games", "50 ms, 300 games", "8192 at 1-ply, 1000 games", "maximum at 1-ply, 1000 games", "microseconds at
 * 1-ply, 1000 games", optionally followed by "prune 0.003", "margin
 * 300", "downgrade 32768" and "seed 7", each after a comma; "exact", or a figure of GROUP_SOLVE. False: none.
 */
bool measure_parse(struct measure *measure, const char *text);

/* The text of a measure with the games that were played; n_games 0: as it stands. Returns `out`. */
enum { MEASURE_LABEL_BYTES = 160 };
char *measure_label(const struct measure *measure, uint64_t n_games, char out[MEASURE_LABEL_BYTES]);

/* The path of a row's recipe, which the caller frees; NULL with a message if there is no memory. */
char *group_recipe_path(const struct group *group, const struct group_row *row);

/* Whether the recipes of all rows are there (true for the kinds without). */
bool group_is_complete(const struct group *group);

#endif
