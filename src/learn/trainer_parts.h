/* trainer_parts: the fields of a trainer, for trainer.c, trainer_state.c and trainer_change.c only. */
#ifndef AFTERSTATE_LEARN_TRAINER_PARTS_H
#define AFTERSTATE_LEARN_TRAINER_PARTS_H

#include "learn/cluster_merge.h"
#include "learn/learner.h"
#include "learn/trainer.h"
#include "learn/weight_average.h"

#include <stdatomic.h>

enum { TRAINER_MAX_INTERLEAVE = 16 };

/* Owned by one thread while training; the counters are atomic because worker 0 reads them for the progress bar. */
struct trainer_worker {
    struct starts starts;
    struct learner learners[TRAINER_MAX_INTERLEAVE];
    _Atomic uint64_t plays, new_plays, score_sum;
    _Atomic uint64_t reached[BOARD_MAX_VALUE + 1];
};

struct trainer {
    struct trainer_settings settings;
    struct learn_target target;
    struct trainer_worker *workers; /* settings.threads of them */
    _Atomic uint64_t actions;
    uint64_t n_resets;
    struct weight_average average; /* zeroed if none is kept */
    /* On a cluster; `actions` are then those of all ranks, as if the others were as fast as this one between merges. */
    const struct cluster *cluster; /* NULL: this process alone */
    struct cluster_merge merge;
    uint64_t merged_actions;             /* at the last merge */
    struct trainer_totals merged_totals; /* totals of the workers at the last merge */
};

/* Intervals between samples of the average that have passed; 0 if none is kept. */
uint64_t trainer_average_turn(const struct trainer *trainer);

/* Adds what another worker counted to this one's totals. */
void trainer_add_totals(struct trainer_worker *worker, const struct trainer_worker *other);

#endif
