/*
 * neural_trainer: TD learning of a neural network (NEURAL sections 3 and 4): generators play, a trainer takes what they
 * saw in batches.
 *
 * Many games go in lock-step. A round is: the afterstates of all games are judged as one batch; each game takes its
 * best move; the afterstate before it gets its target, reward + value of the one after (0 at the end of a play), from
 * the network as it is now; then every batch that is full is learned from. So targets come from the network at play
 * time, as the paper's do, and nothing is computed for one game alone.
 *
 * Threads share each batch: of a round a worker judges its part of the games, of a training batch it takes its part of
 * the positions and has a gradient of its own, and then all share the step of Adam. Both kinds of work keep all threads
 * busy to the end, so generating beside training (the paper's two kinds of threads) has nothing to gain. The parts
 * depend on the number of threads alone: the same settings, seed and number of threads give the same weights bit for
 * bit, however often a run is stopped between rounds.
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

/* Bytes that training this network needs besides its weights. */
uint64_t neural_trainer_bytes(const struct neural_spec *spec, const struct neural_settings *settings);

/* Starts a run from action 0, from the weights that are there. Borrows the network. */
enum status neural_trainer_create(struct neural_trainer **out, struct neural *neural,
                                  const struct neural_settings *settings);
void neural_trainer_free(struct neural_trainer *trainer); /* NULL is fine */

/*
 * Learns together with the trainers of the other ranks from now on; all have the same settings and state. Every rank
 * has all the games and plays the same moves, but evaluates only its part of them, and of each batch; gradients are
 * added up over the ranks. So the weights are those of one process with as many threads, to rounding, on every rank.
 * neural_trainer_run() becomes collective. Nothing for a cluster of one or NULL. STATUS_NO_MEMORY, on every rank.
 */
enum status neural_trainer_join(struct neural_trainer *trainer, const struct cluster *cluster);

/*
 * Trains until the total of moves is `until` or a little more (a round's), or until watch, called between rounds about
 * every 50 ms, returns false. `workers` has settings.threads workers. STATUS_INVALID if the loss is not a finite number
 * any more: the weights are then worthless, and a checkpoint of before is what is left.
 */
enum status neural_trainer_run(struct neural_trainer *trainer, struct workers *workers, uint64_t until,
                               trainer_watch watch, void *context);

struct trainer_totals neural_trainer_totals(const struct neural_trainer *trainer);

/* What learning did since the trainer was created: batches in all sittings, and in this one the last mean squared
   error, time spent judging and learning, and the products in them over all threads. */
struct neural_effort {
    uint64_t batches;
    double last_loss;
    double judging_seconds, learning_seconds;
    struct neural_work work;
};
struct neural_effort neural_trainer_effort(const struct neural_trainer *trainer);

/*
 * Writes everything that going on needs, weights included, as blocks, and reads it back into a trainer created with the
 * same spec and settings; with the same number of threads the run then goes on bit for bit. STATUS_INVALID, and nothing
 * worth keeping is written, if a weight is not a finite number.
 */
enum status neural_trainer_save(const struct neural_trainer *trainer, struct block_writer *writer);
enum status neural_trainer_load(struct neural_trainer *trainer, const struct block_reader *reader);

#endif
