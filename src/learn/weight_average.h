/*
 * weight_average: the mean of a run's weights over time (Polyak and Juditsky 1992), kept beside the weights.
 *
 * A weight contains the noise of its last errors, and a rate that falls towards the end calms only weights that are
 * met often then. The mean over a long time is calmer for all weights. Since a network's value is a sum of weights, the
 * network of the means is the mean of the networks. docs/RESULTS.md, "Means of networks", has what it gains.
 *
 * A sample, taken every so many actions, updates each mean: m += (w - m) / n for sample n. The mean of a weight that is
 * touched later starts with its first sample. A mean that is still `initial` has no sample.
 */
#ifndef AFTERSTATE_LEARN_WEIGHT_AVERAGE_H
#define AFTERSTATE_LEARN_WEIGHT_AVERAGE_H

#include "base/blockfile.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/workers.h"
#include "ntuple/network.h"

#include <stdint.h>

struct weight_average {
    struct memory_block block; /* n_weights floats; empty if no average is kept */
    uint64_t n_samples;
    uint64_t turn; /* actions / interval at the last sample, taken or skipped */
};

/* Allocates the means of the network's weights, without samples. STATUS_NO_MEMORY; *average is then zeroed. */
enum status weight_average_create(struct weight_average *average, const struct network *network);
void weight_average_free(struct weight_average *average); /* zeroed is fine */

/* Discards all samples. `turn` is the present one. */
void weight_average_restart(struct weight_average *average, const struct network *network, uint64_t turn);

/* Takes a sample of all weights, with all workers. Not to be called while the network is trained, as the next. */
enum status weight_average_sample(struct weight_average *average, const struct network *network,
                                  struct workers *workers);

/* Swaps the means and the network's weights; a second call swaps them back. Does nothing if there is no sample. */
void weight_average_exchange(struct weight_average *average, struct network *network);

/* Blocks of a checkpoint. If it has no average, loading starts one without samples, at `turn`. Fail as cell_blocks.h;
   an average that failed to load has no samples. */
enum status weight_average_save(const struct weight_average *average, const struct network *network,
                                struct block_writer *writer);
enum status weight_average_load(struct weight_average *average, const struct network *network,
                                const struct block_reader *reader, uint64_t turn);

#endif
