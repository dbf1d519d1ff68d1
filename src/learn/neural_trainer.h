/*
 * neural_trainer: TD learning of a neural network (Matsuzaki 2021, sections 3 and 4).
 *
 * Many games are played in lock-step. In a round, the afterstates of all games are evaluated as one batch; each game
 * makes its best move; the afterstate before it gets its target, reward + value of the one after (0 at the end of a
 * play), from the network as it is now (with lambda above 0 a mixture with targets further ahead); then the network
 * learns from every batch that is full. So targets come from the network at play time, as in the paper, and nothing is
 * computed for one game alone.
 *
 * Threads share each batch: a worker evaluates its part of the games of a round; of a training batch it takes its part
 * of the positions, with a gradient of its own; then all share the step of Adam. Both kinds of work keep all threads
 * busy, so generating beside training (the paper's two kinds of threads) has nothing to gain. The parts depend on the
 * number of threads alone: the same settings, seed and number of threads give the same weights bit for bit, however
 * often a run is stopped between rounds.
 */
#ifndef AFTERSTATE_LEARN_NEURAL_TRAINER_H
#define AFTERSTATE_LEARN_NEURAL_TRAINER_H

#include "base/blockfile.h"
#include "base/cluster.h"
#include "base/status.h"
#include "base/workers.h"
#include "game/value.h"
#include "learn/learn_settings.h"
#include "learn/trainer.h"
#include "neural/compute.h"
#include "neural/model.h"

#include <stdint.h>

struct neural_trainer;

enum { NEURAL_SHUFFLE_BATCHES = 5, NEURAL_MAX_GAMES = 65536, NEURAL_MAX_BATCH = 1 << 20 };

/* Bytes that training this network needs besides its weights; 0 if the spec is invalid. */
uint64_t neural_trainer_bytes(const struct neural_spec *spec, const struct neural_settings *settings);

/* Starts a run at action 0 from the weights of the network, which is borrowed. STATUS_INVALID for settings out of
   range, STATUS_NO_MEMORY; *out is then NULL. */
enum status neural_trainer_create(struct neural_trainer **out, struct neural *neural,
                                  const struct neural_settings *settings);
void neural_trainer_free(struct neural_trainer *trainer); /* NULL is fine */

/*
 * Trains together with the trainers of the other ranks from now on; all have the same settings and state. Every rank
 * has all games and plays the same moves, but evaluates only its part of them and of each batch; gradients are added
 * over the ranks. So the weights are, to rounding, those of one process with as many threads, on every rank.
 * neural_trainer_run() becomes collective. Does nothing for a cluster of one or NULL. STATUS_NO_MEMORY, on every rank.
 */
enum status neural_trainer_join(struct neural_trainer *trainer, const struct cluster *cluster);

/*
 * Trains until `until` moves were made in all, or a few more (a round is never cut), or until `watch`, which may be
 * NULL and is called between rounds, returns false. `workers` has settings.threads workers (else STATUS_USAGE).
 * STATUS_INVALID if the loss is no finite number: the weights are then worthless, and only an earlier checkpoint is of
 * use.
 */
enum status neural_trainer_run(struct neural_trainer *trainer, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context);

/* Swaps the weights and their mean over time; a second call swaps them back. Nothing without average_every, or before
   the first sample. Not to be called while the network is trained. */
void neural_trainer_exchange_average(struct neural_trainer *trainer);

/*
 * A teacher: until `until` actions were made in all, games follow the moves that its values choose, and the target of
 * an afterstate is its value. Then the games follow the network's own values. To be called before the first run, also
 * of a run that resumes. The context of the teacher is borrowed; several threads use it.
 */
void neural_trainer_teach(struct neural_trainer *trainer, const struct value_function *teacher, uint64_t until);

/* To be called after the caller has changed the weights of the network. */
void neural_trainer_weights_changed(struct neural_trainer *trainer);

struct trainer_totals neural_trainer_totals(const struct neural_trainer *trainer);

/* What learning took. A loss is the mean squared error of a batch, in outputs. */
struct neural_effort {
    uint64_t batches; /* of the whole run */
    double last_loss; /* since the trainer was created, as the next four */
    double evaluate_seconds, learn_seconds;
    struct neural_work work; /* the matrix products of all threads */
    /* Since neural_trainer_begin_line(), also over checkpoints. */
    uint64_t n_losses;
    double loss_sum, norm_sum; /* losses of batches, and norms of their gradients before they are clipped */
    double loss_before;        /* mean loss up to that call; NaN: unknown */
};
/* Times the matrix products from now on, for bench. */
void neural_trainer_time(struct neural_trainer *trainer);
/* A line of the log is written: sums of losses begin again. */
void neural_trainer_begin_line(struct neural_trainer *trainer);
struct neural_effort neural_trainer_effort(const struct neural_trainer *trainer);

/*
 * Writes and reads blocks of a checkpoint: the weights, the optimiser's moments, the mean, games, generators. The
 * trainer that reads was created with the same spec and settings; with the same number of threads it resumes bit for
 * bit. Saving is STATUS_INVALID if a weight is no finite number. Otherwise as trainer_save() and trainer_load().
 */
enum status neural_trainer_save(const struct neural_trainer *trainer, struct block_writer *writer);
enum status neural_trainer_load(struct neural_trainer *trainer, const struct block_reader *reader);

#endif
