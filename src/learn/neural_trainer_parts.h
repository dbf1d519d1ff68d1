/* neural_trainer_parts: the inside of a neural trainer, shared by its loop and its checkpoint. */
#ifndef AFTERSTATE_LEARN_NEURAL_TRAINER_PARTS_H
#define AFTERSTATE_LEARN_NEURAL_TRAINER_PARTS_H

#include "learn/neural_trainer.h"
#include "learn/starts.h"
#include "neural/neural_value.h"

/* Positions with their targets, in the order they were seen. */
struct sample_list {
    struct board *boards;
    float *targets;
    size_t n, room;
};

/* Room for n samples in all. */
enum status sample_list_reserve(struct sample_list *list, size_t n);
void sample_list_free(struct sample_list *list);

/* One game in flight. */
struct neural_game {
    struct rng rng;
    struct starts starts;
    struct play_origin origin;
    struct board board;
    uint64_t score;
    uint32_t n_moves;
    bool waiting;         /* `after` waits for its target */
    struct board after;   /* the last afterstate */
    struct board *states; /* [n_moves] of this play, where restarts need them */
    size_t states_room;
    struct sample_list samples; /* of this play, where a batch is a game */
    /* This round. */
    struct moves moves;
    unsigned best; /* DIRECTION_COUNT: the play is over */
    float best_value;
};

/* Room for one more state. */
enum status neural_game_reserve(struct neural_game *game, size_t n_states);

/* What a rank tells the others about a game's move. */
struct neural_choice {
    uint32_t best;
    float best_value;
};

struct neural_worker {
    struct neural_desk desk;
    struct board *after; /* of its games */
    float *values;
    double loss; /* of its part of a batch */
    neural_real *gradient;
};

struct neural_trainer {
    struct neural *neural;
    struct neural_settings settings;
    struct neural_game *games;
    struct neural_worker *workers;
    neural_real **gradients; /* [worker] */
    struct memory_block block;
    neural_real *m, *v;
    uint64_t n_batches; /* steps of Adam */
    struct rng rng;     /* shuffles */
    struct sample_list queue;
    struct sample_list images; /* augmented batch */
    struct trainer_totals totals;
    struct neural_effort effort;
    const struct cluster *cluster; /* NULL: this process alone */
    struct neural_choice *choices; /* [game]: on a cluster */
};

#endif
