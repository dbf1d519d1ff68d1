/* neural_trainer_parts: the fields of a neural trainer, private to the files neural_trainer*.c. */
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

/* An afterstate that waits for its target. */
struct waiting {
    struct board after;
    float reward, value; /* of the move to it; its value when the move was chosen */
};

struct neural_game {
    struct live_game live;
    struct starts starts;
    unsigned n_waiting;                            /* afterstates without a target yet, at most horizon + 1 */
    struct waiting waiting[LEARN_MAX_HORIZON + 1]; /* oldest first */
    struct sample_list samples;                    /* of this play, where a batch is a game */
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
    double loss;    /* sum over its part of a batch */
    double squares; /* of its share of the gradient */
    neural_real *gradient;
};

struct neural_trainer {
    struct neural *neural;
    struct neural_settings settings;
    struct neural_game *games;
    struct neural_worker *workers;
    struct half_weights *half; /* NULL: products are of floats */
    bool half_is_old;          /* the weights changed since `half` was packed */
    neural_real **gradients;   /* [worker] */
    struct memory_block block;
    neural_real *m, *v;         /* the optimiser's moments */
    uint64_t n_batches;         /* its steps */
    struct optimiser_step step; /* the present one */
    struct memory_block average_block;
    neural_real *average;          /* mean of the weights; NULL: none is kept */
    uint64_t n_samples;            /* of the mean */
    uint64_t average_turn;         /* actions / average_every at the last sample, taken or skipped */
    struct value_function teacher; /* whose games and values are learned until `teach_until` actions */
    uint64_t teach_until;
    bool teaching;             /* this round */
    struct rng rng;            /* of shuffles */
    struct sample_list queue;  /* waiting for a full batch */
    struct sample_list images; /* an augmented batch */
    struct trainer_totals totals;
    struct neural_effort effort;
    const struct cluster *cluster; /* NULL: this process alone */
    struct neural_choice *choices; /* [game]: on a cluster */
};

/* Of n games or positions, the first one that a worker of this rank takes; its last is the one before the next
   worker's. */
size_t neural_trainer_share(const struct neural_trainer *trainer, size_t n, unsigned worker);

/* Chooses the best move of a game; `values` has one value for each legal direction in order. */
void neural_game_choose(struct neural_game *game, const float *values);

/* Before a product: the 16-bit copy of the weights has their present values. */
enum status neural_trainer_pack(struct neural_trainer *trainer, struct workers *workers);

/* One step of the optimiser by the sum of the workers' gradients, whose losses are over n positions. */
enum status neural_trainer_step(struct neural_trainer *trainer, struct workers *workers, size_t n);

void neural_trainer_count_play(struct trainer_totals *totals, struct play_report report);

/* neural_lesson.c: a round in which moves of the teacher are learned, and what comes before the first one. */
enum status neural_lesson_round(struct neural_trainer *trainer, struct workers *workers);
enum status neural_lesson_spread(struct neural_trainer *trainer);

#endif
