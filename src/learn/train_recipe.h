/*
 * train_recipe: which keys a training recipe has, and what they come to: a network, settings of its trainer, a plan of
 * the run with its memory.
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
    uint64_t every; /* actions; 0 is only at the end */
    uint64_t n_games, n_games3;
    unsigned depth; /* of n_games; n_games3 are at 3 plies */
    uint64_t seed;  /* game i has stream i of it */
};

struct train_plan {
    bool is_neural; /* the two structs of neural networks count, else those of n-tuple networks */
    struct neural_spec neural;
    struct neural_settings neural_trainer;
    struct network_spec network;
    struct trainer_settings trainer; /* seed and threads count for both kinds */
    struct evaluation_settings evaluation;
    uint64_t actions;
    double checkpoint_seconds;
    unsigned n_lookups;
    uint64_t n_weights;                    /* of all stages */
    uint64_t network_bytes, trainer_bytes; /* what the run will take, together */
    const struct cluster *cluster;         /* set by who runs it: the ranks that learn together; NULL: this process */
};

/* The keys of training recipes, for recipe_create() and for lists of them. */
extern const struct setting_table train_settings;

/*
 * What a recipe of those keys comes to. Takes no memory for weights. STATUS_INVALID, naming keys, where they stand and
 * what to change, for words that mean nothing and for keys that contradict each other.
 */
enum status train_recipe_resolve(struct train_plan *plan, const struct recipe *recipe);

/*
 * Whether the plan fits in `available` bytes (memory_available_bytes(); 0 is unknown and fits). STATUS_NO_MEMORY with
 * what it needs and which changes would make it fit.
 */
enum status train_plan_check_memory(const struct train_plan *plan, uint64_t available);

/*
 * Whether a run made with recipe `old` may go on with `now`: only [eval], learn.rate, learn.average, train.threads,
 * train.checkpoint, train.sync and train.actions may differ, the last only if no schedule holds a share of it, and
 * where no neural network learns [start] and network.stages. STATUS_INVALID, naming each key that differs with both
 * values. *was_plan is what the old one comes to.
 */
enum status train_recipe_check_resume(const struct recipe *old, const struct recipe *now, struct train_plan *was_plan);

/* Whether a checkpoint of one plan holds what a trainer of the other reads: the same stages, plays and rings. */
bool train_plan_same_state(const struct train_plan *a, const struct train_plan *b);

/* Writes a size as "512 B", "3.5 MiB", "12.0 GiB" into out, room for 16 bytes. Returns out. */
char *train_format_bytes(char *out, uint64_t bytes);

#endif
