/*
 * weight_average: the mean of a run's weights over time, beside the weights that learn.
 *
 * What a rule leaves in a weight is its last few errors as much as what it has learned, and a rate that falls towards
 * the end quiets only weights that are met often then. The mean of the weights over a long time is quieter for all of
 * them, and since a network's value is a sum of weights, the network of the means is the mean of the networks: as many
 * players as there are samples, for the price of one (Polyak and Juditsky 1992). docs/RESULTS.md, "Means of networks",
 * has what it gains.
 *
 * Every so many actions, while nobody learns, each weight takes part in its mean, m += (w - m) / n for sample n. A
 * weight that was touched only later begins with its first sample. A mean that is still `initial` has no sample.
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
    struct memory_block block; /* n_weights floats; empty where no average is kept */
    uint64_t n_samples;
    uint64_t turn; /* actions / every when the last sample was taken or passed over */
};

/* Room for the means of the network's weights, none of which has a sample. */
enum status weight_average_create(struct weight_average *average, const struct network *network);
void weight_average_free(struct weight_average *average); /* a zeroed struct is fine */

/* Forgets all samples. `turn` is now. */
void weight_average_restart(struct weight_average *average, const struct network *network, uint64_t turn);

/* One sample of all weights, by all workers; nobody learns meanwhile. */
enum status weight_average_sample(struct weight_average *average, const struct network *network,
                                  struct workers *workers);

/* Puts the means where the network's weights are and the weights where the means are; the second call puts both back.
   Nothing if there is no sample. Nobody learns between the two. */
void weight_average_exchange(struct weight_average *average, struct network *network);

/* Blocks of a checkpoint. Loading from a run that kept no average begins with no sample, at `turn`. */
enum status weight_average_save(const struct weight_average *average, const struct network *network,
                                struct block_writer *writer);
enum status weight_average_load(struct weight_average *average, const struct network *network,
                                const struct block_reader *reader, uint64_t turn);

#endif
