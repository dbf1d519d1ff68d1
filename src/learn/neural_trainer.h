/*
 * neural_trainer: TD learning of a neural network (Matsuzaki 2021, sections 3 and 4).
 *
 * Many games are played in lock-step. In a round, the afterstates of all games are evaluated as one batch; each game
 * makes its best move; the afterstate before it gets its target, reward + value of the one after (0 at the end of a
 * play), from the network as it is now; then the network learns from every batch that is full. So targets come from the
 * network at play time, as in the paper, and nothing is computed for one game alone.
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

struct trainer_totals neural_trainer_totals(const struct neural_trainer *trainer);

/* What learning took: batches of the whole run; since the trainer was created, the last mean squared error and the
   matrix products of all threads. */
struct neural_effort {
    uint64_t batches;
    double last_loss;
    struct neural_work work;
};
struct neural_effort neural_trainer_effort(const struct neural_trainer *trainer);

/*
 * Writes and reads blocks of a checkpoint: the weights, Adam's moments, games, generators. The trainer that reads was
 * created with the same spec and settings; with the same number of threads it resumes bit for bit. Saving is
 * STATUS_INVALID if a weight is no finite number. Otherwise as trainer_save() and trainer_load().
 */
enum status neural_trainer_save(const struct neural_trainer *trainer, struct block_writer *writer);
enum status neural_trainer_load(struct neural_trainer *trainer, const struct block_reader *reader);

#endif
