/*
 * train_recipe: the keys of training recipes, and the plan of a run that they resolve to: a network, the settings of
 * its trainer, how it is measured, the memory that it needs.
 */
#ifndef AFTERSTATE_LEARN_TRAIN_RECIPE_H
#define AFTERSTATE_LEARN_TRAIN_RECIPE_H

#include "base/cluster.h"
#include "base/recipe.h"
#include "base/status.h"
#include "learn/learn_settings.h"
#include "neural/model.h"
#include "ntuple/network.h"

#include <stdbool.h>
#include <stdint.h>

/* When and how a run is measured by games of its own. */
struct evaluation_settings {
    uint64_t every; /* actions; 0: only at the end */
    uint64_t n_games, n_games3;
    unsigned depth; /* of n_games; n_games3 are at 3 plies */
    uint64_t seed;  /* game i has stream i of it */
};

struct train_plan {
    bool is_neural; /* then neural and neural_trainer are used, otherwise network and trainer */
    struct neural_spec neural;
    struct neural_settings neural_trainer;
    char teacher[RECIPE_MAX_LINE + 1]; /* a network file or "bundled" */
    struct network_spec network;
    struct trainer_settings trainer; /* its seed and threads hold for both kinds */
    struct evaluation_settings evaluation;
    char endgame[LEARN_PATH_BYTES]; /* learn.endgame: tables to open for trainer.learn.goal.known; empty: none */
    char bank[LEARN_PATH_BYTES];    /* start.bank: boards to read for trainer.start.bank; empty: none */
    uint64_t actions;
    bool spare;    /* a second checkpoint is kept (training_run.h) */
    uint64_t keep; /* actions between networks that are kept (training_run.h); 0: none */
    double checkpoint_seconds;
    unsigned n_lookups;
    uint64_t n_weights;                    /* of all stages */
    uint64_t network_bytes, trainer_bytes; /* memory that the run needs, together */
    const struct cluster *cluster;         /* set by the caller: the ranks that train together; NULL: this process */
};

/* For recipe_create(), and to list the keys. */
extern const struct setting_table train_settings;

/*
 * Resolves a recipe of those keys. Allocates no weights. STATUS_INVALID for impossible values and for keys that
 * contradict each other; the message names them, the lines they are on and what to change. *plan is then zeroed.
 */
enum status train_recipe_resolve(struct train_plan *plan, const struct recipe *recipe);

/*
 * Checks that the plan fits in `available` bytes (memory_available_bytes(); 0: unknown, always OK). STATUS_NO_MEMORY,
 * with what it needs and which changes would make it fit.
 */
enum status train_plan_check_memory(const struct train_plan *plan, uint64_t available);

/* Whether reading or writing the run's state takes long enough to be announced. */
static inline bool train_plan_is_large(const struct train_plan *plan)
{
    return plan->network_bytes + plan->trainer_bytes >= UINT64_C(1000000000);
}

/*
 * Checks that a run made with recipe `old` may resume with `now`: only [eval], learn.rate, learn.average,
 * neural.rate, neural.precision, train.keep, train.spare, train.threads, train.checkpoint, train.sync and train.actions
 * may differ, the last only if no schedule has a percentage of it, and for n-tuple networks also [start] and
 * network.stages.
 * STATUS_INVALID, naming each key that differs with both values. *was_plan becomes the plan of the old recipe.
 */
enum status train_recipe_check_resume(const struct recipe *old, const struct recipe *now, struct train_plan *was_plan);

/* The kind of a plan's run, for recipe_write(): keys about the other kind of network are left out. */
unsigned train_plan_kind(const struct train_plan *plan);

/* Whether a trainer of one plan can read a checkpoint of the other: the same stages, records of plays and rings. */
bool train_plan_same_state(const struct train_plan *a, const struct train_plan *b);

#endif
