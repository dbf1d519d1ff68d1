/* neural_trainer_parts: the fields of a neural trainer, for neural_trainer.c and neural_trainer_state.c only. */
#ifndef AFTERSTATE_LEARN_NEURAL_TRAINER_PARTS_H
#define AFTERSTATE_LEARN_NEURAL_TRAINER_PARTS_H

#include "learn/live_game.h"
#include "learn/neural_trainer.h"
#include "neural/neural_value.h"

/* Positions with their targets, in the order they were seen. */
struct sample_list {
    struct board *boards;
    float *targets;
    size_t n, room;
};

/* Makes room for n samples in all. STATUS_NO_MEMORY. */
enum status sample_list_reserve(struct sample_list *list, size_t n);
void sample_list_free(struct sample_list *list);

struct neural_game {
    struct live_game live;
    struct starts starts;
    bool waiting;               /* `after` has no target yet */
    struct board after;         /* the last afterstate */
    struct sample_list samples; /* of this play, where a batch is a game */
    /* This round. */
    struct moves moves;
    unsigned best; /* direction; DIRECTION_COUNT: the play is over */
    float best_value;
};

/* The move of a game, as ranks send it to each other. */
struct neural_choice {
    uint32_t best;
    float best_value;
};

struct neural_worker {
    struct neural_scratch scratch;
    struct board *after; /* of its games */
    float *values;
    double loss; /* sum over its part of a batch */
    neural_real *gradient;
};

struct neural_trainer {
    struct neural *neural;
    struct neural_settings settings;
    struct neural_game *games;
    struct neural_worker *workers;
    neural_real **gradients; /* [worker] */
    struct memory_block block;
    neural_real *m, *v;        /* Adam's moments */
    uint64_t n_batches;        /* steps of Adam */
    struct rng rng;            /* of shuffles */
    struct sample_list queue;  /* waiting for a full batch */
    struct sample_list images; /* an augmented batch */
    struct trainer_totals totals;
    struct neural_effort effort;
    const struct cluster *cluster; /* NULL: this process alone */
    struct neural_choice *choices; /* [game]: on a cluster */
};

#endif
