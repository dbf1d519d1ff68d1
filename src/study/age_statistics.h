/*
 * age_statistics: a solved board age by age, as Kaneko and Yamashita 2025 show it: how many boards there are, what the
 * best of them is worth, how often games end, how much depends on the right move. Written as one CSV file and five
 * charts.
 */
#ifndef AFTERSTATE_STUDY_AGE_STATISTICS_H
#define AFTERSTATE_STUDY_AGE_STATISTICS_H

#include "base/progress.h"
#include "base/status.h"
#include "base/workers.h"
#include "solve/table.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One age. Shares and means are NaN where there is nothing to take them over. Moves that lead to images of one
 * afterstate are one action. "Among states" means those with two actions or more.
 *
 * Where the table has a goal, values are chances, each move that makes the goal is an action, and both shares are NaN:
 * a game may also end by making the goal, and no action loses a whole point.
 */
struct age_statistics {
    uint32_t age;
    uint64_t n_states, n_terminal_states, n_afterstates;
    double best_value[VARIANT_COUNT];      /* of an afterstate, by variant; NaN where that table is not given */
    double terminal_share;                 /* of the afterstates: whatever tile appears, no move is left */
    double mean_empty;                     /* empty cells of the afterstates */
    double alternative_share;              /* among states: the second-best action loses less than 1.0 points */
    double mean_gap;                       /* among states: value of the best action - that of the second-best */
    uint64_t set_checksum, value_checksum; /* table_index.h; 0 where they are not known */
};

/* Its numbers as columns, in the order of ages.csv. */
enum age_column {
    AGE_COLUMN_AGE,
    AGE_COLUMN_STATES,
    AGE_COLUMN_AFTERSTATES,
    AGE_COLUMN_TERMINAL_STATES,
    AGE_COLUMN_BEST_VALUE, /* of the table itself, whatever its variant */
    AGE_COLUMN_OPTIMISTIC,
    AGE_COLUMN_PESSIMISTIC,
    AGE_COLUMN_TERMINAL_SHARE,
    AGE_COLUMN_ALTERNATIVE_SHARE,
    AGE_COLUMN_MEAN_EMPTY,
    AGE_COLUMN_MEAN_GAP,
    AGE_COLUMN_COUNT,
};

extern const char *const age_column_names[AGE_COLUMN_COUNT];

/* NaN where there is nothing. Counts of a solved board fit a double exactly. */
double age_column_of(const struct age_statistics *age, enum age_column column);

struct statistics_request {
    const struct table *table;                    /* what it does not store is NaN in the statistics, see below */
    const struct table *optimistic, *pessimistic; /* may be NULL; of the same size */
    struct workers *workers;
    struct progress *progress; /* counts states; may be NULL */
    atomic_ullong *n_states;   /* the same, for another thread to read; may be NULL */
    const atomic_bool *cancel; /* true stops it as Ctrl-C does; may be NULL */
};

/*
 * Statistics of all counted ages in *out, *n of them, which the caller frees. Counts and best values are those of the
 * index. terminal_share and mean_empty need the sets of all ages, alternative_share and mean_gap also all values.
 * STATUS_INTERRUPTED after Ctrl-C or `cancel`, which waits at most for the codes of one age to be unpacked.
 */
enum status age_statistics_compute(const struct statistics_request *request, struct age_statistics **out, size_t *n);

enum { AGE_CHART_COUNT = 5 };

/* The names of the charts for which there are numbers; returns how many. */
size_t age_statistics_charts(const struct age_statistics *ages, size_t n, const char *names[AGE_CHART_COUNT]);

/*
 * Writes ages.csv and, as far as there are numbers, the charts counts.svg, values.svg, shares.svg, empty.svg and
 * gaps.svg (figures 1, 7, 8, 9 and 10 of the paper) into a folder, which is made if it is not there. Titles and labels
 * tell the size and the rules of `summary`, which is that of the table.
 */
enum status age_statistics_write(const struct age_statistics *ages, size_t n, const struct table_summary *summary,
                                 const char *folder);

#endif
