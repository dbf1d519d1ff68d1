/*
 * reproduce_table: the results of a group (reproduce_group.h): a cell for each row, measure and seed, stored on disk
 * run by run, and summarised as a table, CSV and charts.
 */
#ifndef AFTERSTATE_STUDY_REPRODUCE_TABLE_H
#define AFTERSTATE_STUDY_REPRODUCE_TABLE_H

#include "base/status.h"
#include "study/reproduce_group.h"

#include <stdbool.h>
#include <stdint.h>

enum { REPRODUCE_NOTE_BYTES = 256 };

/* One figure: of games, or exact (n_games 0, ci95 0). */
struct reproduce_cell {
    bool done;
    double mean, ci95;
    double sd; /* of the runs, of a figure over several seeds; else 0 */
    uint64_t n_games;
};

/* One run: a row with a seed. */
struct reproduce_run {
    struct reproduce_cell cells[GROUP_MAX_MEASURES];
    uint64_t actions; /* learned; 0 until they are all */
    double seconds;   /* of learning, or of solving; of a search, of a move */
};

struct reproduce_table {
    const struct group *group;
    unsigned n_seeds;
    struct reproduce_run *runs;          /* [row * n_seeds + seed] */
    char (*notes)[REPRODUCE_NOTE_BYTES]; /* of each row: why it was left out; "" otherwise */
};

/* An empty table; borrows the group. */
enum status reproduce_table_create(struct reproduce_table *table, const struct group *group, unsigned n_seeds);
void reproduce_table_free(struct reproduce_table *table); /* zeroed is fine */

struct reproduce_run *reproduce_table_run(const struct reproduce_table *table, size_t row, unsigned seed);

/*
 * The figure of a row over its seeds. Several seeds: the mean of their means, with the 95% interval of Student's t over
 * them, which includes the variance of training. One seed: that of its games. `done` if any seed is.
 */
struct reproduce_cell reproduce_table_figure(const struct reproduce_table *table, size_t row, size_t measure,
                                             unsigned *n_seeds);

/* Writes a run to a text file, and reads it back: what the file does not have is unchanged. A missing file is fine. */
enum status reproduce_run_save(const struct reproduce_run *run, const struct group *group, const struct group_row *row,
                               const char *path);
enum status reproduce_run_load(struct reproduce_run *run, const struct group *group, const struct group_row *row,
                               const char *path);

/* What was measured of a row, with the games that a run of it really played. Returns `out`. */
char *reproduce_table_label(const struct reproduce_table *table, size_t row, size_t measure,
                            char out[MEASURE_LABEL_BYTES]);

/* All figures, a line each, with the figure of every seed. */
enum status reproduce_table_write_csv(const struct reproduce_table *table, const char *path);

/*
 * The learning curves of a group over moves as DIRECTORY/curves-1.svg, .. with six rows each, over the seconds of
 * learning as curves-time-1.svg, .., and where 3 plies were measured too, curves-3-ply-1.svg and
 * curves-3-ply-time-1.svg, from the log.csv of the run directories, DIRECTORY/SLUG-s1, ..: the mean over the seeds,
 * with its 95% interval as a band; of one seed that of its games. Rows without a log are left out.
 */
enum status reproduce_table_draw(const struct reproduce_table *table, const char *directory);

/* The folder of a run below `directory`, which the caller frees. */
char *reproduce_run_folder(const char *directory, const struct group_row *row, unsigned seed);

#endif
