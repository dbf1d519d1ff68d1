/*
 * training_model: what a run trains, an n-tuple or a neural network with its trainer. Run directories, checkpoints and
 * measurements see only this interface; each kind of network implements it as a table of functions.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_MODEL_H
#define AFTERSTATE_STUDY_TRAINING_MODEL_H

#include "base/blockfile.h"
#include "base/network_history.h"
#include "base/status.h"
#include "base/workers.h"
#include "game/grid.h"
#include "game/value.h"
#include "learn/train_recipe.h"
#include "learn/trainer.h"

#include <stdint.h>

struct training_kind;

/* How learning from batches goes: means since the last line of the log, also over checkpoints; NaN: unknown. */
struct training_effort {
    double loss, loss_before; /* root of the mean squared error, in points; the same before that line */
    double gradient_norm;
    double evaluate_seconds, learn_seconds; /* since the model was created */
};

struct training_model {
    const struct training_kind *kind;
    void *state;                    /* owned; what it is depends on the kind */
    const struct grid *grid;        /* of its boards */
    struct value_function function; /* of the present weights; not to be used while they are trained */
};

/* What a kind of network does; the functions of the model below call them and say what they mean. */
struct training_kind {
    enum status (*create)(struct training_model *model, const struct train_plan *plan); /* fills all but `kind` */
    void (*free)(void *state);
    enum status (*run)(void *state, struct workers *workers, uint64_t until, trainer_watch watch, void *context);
    enum status (*join)(void *state, const struct cluster *cluster);
    struct trainer_totals (*totals)(const void *state);
    enum status (*save)(const void *state, struct block_writer *writer);
    enum status (*load)(void *state, const struct block_reader *reader);
    enum status (*write)(const void *state, const char *path, const struct network_history *history);
    /* Optional. */
    double (*touched)(const void *state);
    void (*exchange_average)(void *state);
    struct training_effort (*effort)(const void *state);
    void (*begin_line)(void *state);
    enum status (*change)(void *state, const void *old); /* as trainer_change() */
    enum status (*take_weights)(void *state, const char *path, const char *stage);
};

extern const struct training_kind training_ntuple; /* the state is a struct trainer, whose network is freed with it */
extern const struct training_kind training_neural; /* the state is private */

/* Creates the network and the trainer of a plan, at action 0. On failure *model is zeroed. */
enum status training_model_create(struct training_model *model, const struct train_plan *plan);
void training_model_free(struct training_model *model); /* and zeroes it; zeroed is fine */

/* As trainer_run() and neural_trainer_run(). */
enum status training_model_run(struct training_model *model, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context);
/* As trainer_join() and neural_trainer_join(). */
enum status training_model_join(struct training_model *model, const struct cluster *cluster);
/* As trainer_exchange_average() and neural_trainer_exchange_average(). */
void training_model_exchange_average(struct training_model *model);
struct trainer_totals training_model_totals(const struct training_model *model);
/* Share of the weights that learning ever changed, 0 to 1; 1 for a neural network, each step of which changes all. */
double training_model_touched(const struct training_model *model);

/* Of a neural network; of an n-tuple network all 0. training_model_begin_line() is called with each line of the log. */
void training_model_begin_line(struct training_model *model);
struct training_effort training_model_effort(const struct training_model *model);

/*
 * Writes and reads the blocks of a checkpoint, as trainer_save() and trainer_load(). `was` is NULL, or the plan of the
 * run that saved the blocks if it has other stages or starts (train_plan_same_state()); that needs the memory of both
 * plans.
 */
enum status training_model_save(const struct training_model *model, struct block_writer *writer);
enum status training_model_load(struct training_model *model, const struct block_reader *reader,
                                const struct train_plan *was);

/*
 * Replaces weights by those of a network file with the same tuples or layers: of every stage that begins with the same
 * tiles in both networks, or only of the stage that begins with `stage` ("0", "16384", "16384+8192"; NULL: all).
 * STATUS_INVALID if the networks have no such stage, or their weights are not of the same meaning.
 */
enum status training_model_take_weights(struct training_model *model, const char *path, const char *stage);

/* Writes the network file. */
enum status training_model_write(const struct training_model *model, const char *path,
                                 const struct network_history *history);

#endif
