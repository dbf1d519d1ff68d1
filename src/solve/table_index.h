/*
 * table_index: the file `index.table` of a table directory: the settings of the solve, what is known of each age, and
 * which files hold the rest. It is rewritten atomically each time a file is added, so it never names a file that is not
 * there, and a job that was killed resumes from what it names.
 *
 * A file holds many ages (age_file.h), because small ages would make thousands of tiny files. Nothing in the directory
 * depends on time, threads or interruptions.
 */
#ifndef AFTERSTATE_SOLVE_TABLE_INDEX_H
#define AFTERSTATE_SOLVE_TABLE_INDEX_H

#include "base/json.h"
#include "base/status.h"
#include "solve/solve_rules.h"
#include "solve/walls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With walls: the starts of an age, each board of the free cells counted once; all zero before the backward pass. */
struct table_starts {
    uint64_t n;
    double sum, best; /* of their values */
};

/* What the index knows of an age. */
struct table_age {
    uint32_t age;
    uint64_t n_states, n_terminal, n_afterstates;
    double best_value; /* the largest value of an afterstate, 0 if there is none; NaN before the backward pass */
    bool has_figures;  /* of the backward pass: */
    struct age_figures figures;
    struct table_starts starts;
    uint64_t set_checksum;   /* XXH3 of the bitmap of the afterstates, words in little-endian order */
    uint64_t value_checksum; /* XXH3 of their values, as they were in memory: doubles or fixed-point numbers */
};

/* The kinds of start: two 2s, a 2 and a 4, two 4s. (1x1 starts with one tile: its kinds are a 2, none, a 4.) */
enum { TABLE_START_KINDS = 3 };

/* What a finished solve keeps beside the index: sets and values, the best moves, or nothing. */
enum solve_store { STORE_VALUES, STORE_MOVES, STORE_NONE, STORE_COUNT };

extern const char *const solve_store_names[STORE_COUNT + 1]; /* "values", .. and a NULL at the end */

/* The chance of the game's own rules. */
#define TABLE_USUAL_CHANCE_OF_4 0.1

struct table_summary {
    uint8_t rows, cols;
    enum solve_variant variant;
    enum solve_store store;
    uint32_t checkpoint_every; /* 1: the sets of all ages are kept; k: of two ages in every k, while solving */
    unsigned fraction_bits;    /* stored values are multiples of 2^-fraction_bits */
    enum value_form precision; /* of values in memory */
    double chance_of_4;
    unsigned goal;         /* the tile's value whose chance the values are; 0: values are expected scores */
    struct walls walls;    /* all zero: a whole board */
    bool forward_done;     /* all ages are counted */
    bool backward_done;    /* all values are known */
    double expected_score; /* or chance of the goal; with walls the mean over all starts; NaN unless backward_done */
    double start_value[TABLE_START_KINDS];        /* NaN where there is no such start, or not yet, or with walls */
    double best_start;                            /* with walls: the largest value of a start; NaN if not yet */
    uint64_t n_starts;                            /* with walls: how many boards games begin with; 0 if not yet */
    uint64_t n_states, n_terminal, n_afterstates; /* of the ages so far */
};

enum age_file_kind { AGE_FILE_SETS = 1, AGE_FILE_VALUES, AGE_FILE_MOVES };

/* A file with ages first_age .. last_age, in this order: upwards for sets, downwards for values and moves. */
struct age_file {
    enum age_file_kind kind;
    uint32_t first_age, last_age;
};

/* Begin with a zeroed struct. */
struct table_index {
    struct table_summary summary;
    struct table_age *ages; /* ascending by 2 from the first age a game can have */
    size_t n_ages, ages_capacity;
    struct age_file *files;
    size_t n_files, files_capacity;
};

/* Reads DIRECTORY/index.table. STATUS_IO if there is none, STATUS_CORRUPT; *index is then zeroed. */
enum status table_index_read(struct table_index *index, const char *directory);

/* Whether DIRECTORY/index.table is there. */
bool table_index_exists(const char *directory);

/* STATUS_USAGE with the message that a directory holds boards of another size than rows x cols. */
enum status table_wrong_size(const struct table_summary *summary, const char *directory, unsigned rows, unsigned cols);

/* Writes it. The totals of the summary are computed from the ages. */
enum status table_index_write(struct table_index *index, const char *directory);
void table_index_free(struct table_index *index); /* NULL and a zeroed struct are fine */

enum status table_index_add_age(struct table_index *index, struct table_age age);

/* Adds a file; replaces one of the same kind and first age. */
enum status table_index_add_file(struct table_index *index, struct age_file file);
void table_index_remove_file(struct table_index *index, size_t i);

/* The youngest and the oldest age of a game: from two 2s (one on a single cell) to a board that is full. */
static inline uint32_t table_first_age(const struct table_summary *summary)
{
    return walls_first_age(summary->walls, summary->rows * (unsigned)summary->cols);
}
static inline uint32_t table_last_age(const struct table_summary *summary)
{
    return walls_last_age(summary->walls, summary->rows * (unsigned)summary->cols, summary->goal);
}

/*
 * Whether the forward pass keeps the set of an age: always, or, with checkpoints, the first two of every
 * checkpoint_every ages. Two, because the ages that follow arise from two.
 */
bool table_keeps_set(const struct table_summary *summary, uint32_t age);

/* Which block of a file holds an age; false if the file does not have it. */
bool table_file_block(const struct table_index *index, struct age_file file, uint32_t age, size_t *block);

/* The entry of an age; NULL if it is not known. */
struct table_age *table_index_age(const struct table_index *index, uint32_t age);

enum { TABLE_OBJECTIVE_BYTES = 32 };

/* "score", or "tile:512" for goal 9, into text, which has TABLE_OBJECTIVE_BYTES. Returns text. */
char *table_objective_text(unsigned goal, char *text);

/* Adds "objective" and "four_chance"; with walls also "layout" (null without a name), "walls", "at" and "caps", if any.
 */
void table_summary_add_rules(struct json *json, const struct table_summary *summary);

enum { TABLE_FILE_NAME_BYTES = 32 };

/* Writes the name of a file, "sets-00004.table", into name, which has TABLE_FILE_NAME_BYTES. Returns name. */
char *table_file_name(struct age_file file, char *name);

#endif
