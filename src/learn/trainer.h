/*
 * trainer: the loop that plays and learns, on any number of threads that share one network without locks.
 *
 * Each worker has `interleave` games in flight and steps them in turn. A step is: choose the best afterstate, learn
 * from the error of the one before, spawn, work out the next afterstates and prefetch their weights. One game is the
 * default, because more gained nothing (4x6, TC, one thread, medians of three runs on a noisy machine: 1.58 million
 * moves per second with one, 1.38 with two, 1.36 with four): perhaps they push each other's lines out of the cache.
 * With one thread the order of all steps is fixed, so the same settings and seed give the same weights bit for bit, and
 * stopping between steps (for a checkpoint, an evaluation) changes nothing.
 */
#ifndef AFTERSTATE_LEARN_TRAINER_H
#define AFTERSTATE_LEARN_TRAINER_H

#include "base/blockfile.h"
#include "base/cluster.h"
#include "base/status.h"
#include "base/workers.h"
#include "learn/learn_settings.h"
#include "ntuple/network.h"

#include <stdint.h>

struct trainer;

/* Totals since the beginning of the run. */
struct trainer_totals {
    uint64_t actions;
    uint64_t plays;                        /* finished ones, restarts included */
    uint64_t new_plays;                    /* finished ones that began as a new game */
    double score_sum;                      /* of new_plays: a training average that compares between kinds of start */
    uint64_t reached[BOARD_MAX_VALUE + 1]; /* new_plays whose largest tile was 2^v or more */
};

/* Bytes that training this network needs besides its weights (accumulators, games in flight). */
uint64_t trainer_bytes(const struct network_spec *spec, const struct trainer_settings *settings);

/* Starts a run from action 0. Borrows the network, from whose weights it starts, or from initial ones after
   network_plan(); its cells become as wide as the rule needs. STATUS_INVALID for settings that do
   not go together, STATUS_NO_MEMORY. */
enum status trainer_create(struct trainer **out, struct network *network, const struct trainer_settings *settings);
void trainer_free(struct trainer *trainer); /* NULL is fine */

/*
 * Learns together with the trainers of the other ranks from now on; all have the same settings and state, fresh or
 * loaded. The other ranks than 0 then begin games of their own. trainer_run() becomes collective: it merges the ranks'
 * networks every settings.sync actions of a rank and before it returns, and all actions and totals are those of all
 * ranks. Only rank 0's trainer needs to be saved. Nothing for a cluster of one or NULL.
 */
enum status trainer_join(struct trainer *trainer, const struct cluster *cluster);

/* Called by worker 0 from within trainer_run() about every 50 ms of work. Return false to stop early. */
typedef bool (*trainer_watch)(void *context, const struct trainer_totals *totals);

/*
 * Trains until the total of actions is `until` or a little more (a multiple of each worker's turn; exactly the same
 * place for the same `until` with one thread however often it was stopped on the way), or until watch returns false
 * (on a cluster: until any rank's does; at the next merge, at once where a signal is the reason).
 * `workers` has settings.threads workers.
 */
enum status trainer_run(struct trainer *trainer, struct workers *workers, uint64_t until, trainer_watch watch,
                        void *context);

/* The same until the total of finished plays is `until_plays` or a little more: SELECT counts in games. */
enum status trainer_run_plays(struct trainer *trainer, struct workers *workers, uint64_t until_plays,
                              trainer_watch watch, void *context);

/* Forgets the samples of an average, after the weights were set from elsewhere. */
void trainer_restart_average(struct trainer *trainer);

/* Where an average is kept and has samples: exchanges the network's weights for their means, for the network to be used
   or saved. The second call puts the weights back, before training goes on or a checkpoint is written. */
void trainer_exchange_average(struct trainer *trainer);

struct trainer_totals trainer_totals(const struct trainer *trainer);

/* Writes everything that going on needs (weights, accumulators, games in flight, generators) as blocks, and
   reads it back into a trainer created with the same spec and settings; the run then goes on bit for bit. Only the
   number of threads may differ: games of threads that are no more are given up, new threads begin their own. */
enum status trainer_save(const struct trainer *trainer, struct block_writer *writer);
enum status trainer_load(struct trainer *trainer, const struct block_reader *reader);

/* Goes on, in a trainer that was just created, with what `old` learned; stages, starts and rates may be others. Games
   in flight and an average begin anew. STATUS_INVALID where tuples, encoding or rule are others; then nothing is
   changed. */
enum status trainer_change(struct trainer *trainer, const struct trainer *old);

#endif
