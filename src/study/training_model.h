/*
 * training_model: what a run trains, an n-tuple or a neural network with its trainer, behind one face, so that run
 * directories, checkpoints and measurements know nothing of either.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_MODEL_H
#define AFTERSTATE_STUDY_TRAINING_MODEL_H

#include "base/blockfile.h"
#include "base/network_history.h"
#include "base/status.h"
#include "base/workers.h"
#include "game/grid.h"
#include "game/value.h"
#include "learn/neural_trainer.h"
#include "learn/train_recipe.h"
#include "learn/trainer.h"
#include "neural/neural_value.h"
#include "ntuple/network.h"

#include <stdint.h>

/* The first two, or the last three; NULL are the others. */
struct training_model {
    struct network *network;
    struct trainer *trainer;
    struct neural *neural;
    struct neural_trainer *neural_trainer;
    struct neural_evaluator *evaluator;
};

/* Makes network and trainer as the plan says, at action 0. On failure *model is zeroed. */
enum status training_model_create(struct training_model *model, const struct train_plan *plan);
void training_model_free(struct training_model *model); /* a zeroed struct is fine */

const struct grid *training_model_grid(const struct training_model *model);
/* The value function of the weights as they are; nobody may train while it is asked. */
struct value_function training_model_function(const struct training_model *model);
/* Share of the weights that learning ever changed; 1 for a neural network, all of whose weights change at once. */
double training_model_touched(const struct training_model *model);

/* As trainer_run() and neural_trainer_run(); the weights are up to date afterwards. */
enum status training_model_run(struct training_model *model, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context);
/* As trainer_join() and neural_trainer_join(). */
enum status training_model_join(struct training_model *model, const struct cluster *cluster);
/* As trainer_exchange_average(); nothing for a neural network. */
void training_model_exchange_average(struct training_model *model);
struct trainer_totals training_model_totals(const struct training_model *model);

/* Weights and all that going on needs, as blocks of a checkpoint. */
enum status training_model_save(const struct training_model *model, struct block_writer *writer);
enum status training_model_load(struct training_model *model, const struct block_reader *reader);
/* The same where they were saved by a run of another plan, with other stages or starts (train_plan_same_state()). */
enum status training_model_load_changed(struct training_model *model, const struct block_reader *reader,
                                        const struct train_plan *was);

/* Goes on with the weights of a network file of the same tuples: of every stage that begins with the same tiles there
   and here, or only of the one that begins with `stage` (as "0", "16384", "16384+8192"; NULL: all). STATUS_INVALID
   where the networks do not go together. */
enum status training_model_take_weights(struct training_model *model, const char *path, const char *stage);

/* The network's own file. */
enum status training_model_write(const struct training_model *model, const char *path,
                                 const struct network_history *history);

#endif
