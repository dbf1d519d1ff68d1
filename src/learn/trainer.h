/*
 * trainer: plays and learns an n-tuple network, on any number of threads that share the weights without locks.
 *
 * Each worker has `interleave` games and steps them in turn (learner.h). One game is the default, because more gained
 * nothing (4x6, TC, one thread, medians of three runs on a noisy machine: 1.58 million moves per second with one, 1.38
 * with two, 1.36 with four): perhaps they evict each other's cache lines. With one thread the order of all steps is
 * fixed, so the same settings and seed give the same weights bit for bit, and stopping between steps (for a checkpoint,
 * an evaluation) changes nothing.
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
    double score_sum;                      /* of new_plays, so that it does not depend on the kind of starts */
    uint64_t reached[BOARD_MAX_VALUE + 1]; /* new_plays whose largest tile was 2^v or more */
};

/* Bytes that training this network needs besides its weights (accumulators, games); 0 if the spec is invalid. */
uint64_t trainer_bytes(const struct network_spec *spec, const struct trainer_settings *settings);

/*
 * Starts a run at action 0, from the weights of the network, which is borrowed; after network_plan() they are initial.
 * Its cells become as wide as the rule needs. settings->learn.goal.known is the trainer's from then on, unless this
 * fails. STATUS_INVALID for settings that contradict each other, STATUS_NO_MEMORY; *out is then NULL.
 */
enum status trainer_create(struct trainer **out, struct network *network, const struct trainer_settings *settings);
void trainer_free(struct trainer *trainer); /* NULL is fine */

struct network *trainer_network(const struct trainer *trainer); /* that it learns, borrowed */

/*
 * Trains together with the trainers of the other ranks from now on; all have the same settings and state, new or
 * loaded. All ranks but 0 then begin games of their own. trainer_run() becomes collective: it merges the networks of
 * the ranks every settings.sync actions of a rank and before it returns, and all actions and totals are those of all
 * ranks. Only rank 0's trainer needs to be saved. Does nothing for a cluster of one or NULL. STATUS_NO_MEMORY, on every
 * rank.
 */
enum status trainer_join(struct trainer *trainer, const struct cluster *cluster);

/* Called by one thread during training about every 50 ms. Returns false to stop early. */
typedef bool (*trainer_watch)(void *context, const struct trainer_totals *totals);

/*
 * Trains until `until` actions were made in all, or a few more (a worker's turn is never cut: with one thread the last
 * action is the same however often the run was stopped), or until `watch`, which may be NULL, returns false (on a
 * cluster, on any rank: at the next merge, or at once after a signal). `workers` has settings.threads workers (else
 * STATUS_USAGE). STATUS_NO_MEMORY.
 */
enum status trainer_run(struct trainer *trainer, struct workers *workers, uint64_t until, trainer_watch watch,
                        void *context);

/* The same until that many plays are finished in all, or a few more (Oka and Matsuzaki 2016 count games). */
enum status trainer_run_plays(struct trainer *trainer, struct workers *workers, uint64_t until_plays,
                              trainer_watch watch, void *context);

/* Discards the samples of the weights' average, after the weights were set from elsewhere. */
void trainer_restart_average(struct trainer *trainer);

/* If an average is kept and has samples: swaps the network's weights and their means, so that the network can be
   measured or saved. To be called again before training resumes or a checkpoint is written. */
void trainer_exchange_average(struct trainer *trainer);

struct trainer_totals trainer_totals(const struct trainer *trainer);

/*
 * Writes and reads blocks of a checkpoint: weights, accumulators, games, generators. The trainer that reads was created
 * with the same spec and settings, and resumes bit for bit. Only the number of threads may differ: games of removed
 * threads are discarded, additional threads begin their own. STATUS_IO, STATUS_CORRUPT, STATUS_NO_MEMORY;
 * STATUS_INVALID for a checkpoint of other settings. A trainer that failed to read is only good to be freed.
 */
enum status trainer_save(const struct trainer *trainer, struct block_writer *writer);
enum status trainer_load(struct trainer *trainer, const struct block_reader *reader);

/* Continues, in a trainer that was just created, what `old` learned; stages, starts and rates may differ. Games and an
   average begin again. STATUS_INVALID if tuples, encoding or rule differ; nothing is changed then. */
enum status trainer_change(struct trainer *trainer, const struct trainer *old);

#endif
