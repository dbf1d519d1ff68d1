/*
 * cluster_merge: merges a network that several ranks of a cluster train separately.
 *
 * Each rank keeps a copy of the cells after the last merge, which gives its changes since. For TC the sums of errors E
 * and of their sizes A are added over the ranks, as if one had seen them all, and a weight changes by the mean of its
 * changes, weighted by what each rank added to A: a rank that met a weight often counts more. For other rules every
 * number of a cell changes by its mean over the ranks that touched the cell.
 *
 * Only blocks of cells that some rank has changed are sent. All ranks compute the same sums in the same order, so their
 * networks stay equal to the last bit.
 */
#ifndef AFTERSTATE_LEARN_CLUSTER_MERGE_H
#define AFTERSTATE_LEARN_CLUSTER_MERGE_H

#include "base/cluster.h"
#include "base/memory.h"
#include "base/status.h"
#include "ntuple/network.h"

struct cluster_merge {
    struct memory_block before; /* the cells after the last merge; empty until cluster_merge_begin() */
};

/* Copies the present cells, which must be equal on all ranks. To be called again after they were changed equally on all
   ranks. STATUS_NO_MEMORY. */
enum status cluster_merge_begin(struct cluster_merge *merge, const struct network *network);
void cluster_merge_free(struct cluster_merge *merge); /* zeroed is fine */

/* Collective: merges what the ranks have learned since the last merge; not to be called while the network is trained.
   Returns the same status on all ranks. */
enum status cluster_merge_run(struct cluster_merge *merge, const struct cluster *cluster, struct network *network);

#endif
