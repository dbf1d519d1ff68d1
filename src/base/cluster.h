/*
 * cluster: several processes, called ranks, that work on one job. Rank 0 reads the command's files, writes and prints;
 * the others help. One process alone is a cluster of size 1, and NULL means that everywhere, so code that can use a
 * cluster is written once.
 *
 * A transport (over MPI: src/mpi) fills struct cluster with a few functions; everything else is built on them here.
 * Transports do not report failures: where the network or another process dies, the transport ends this process too.
 *
 * All functions but those of cluster_loop.h are collective: every rank calls them, in the same order, from its main
 * thread. What a rank does next must therefore depend only on what all ranks know: agree on a status or on a flag
 * before a decision.
 *
 * Ranks run the same build on the same kind of machine: numbers are sent as they are in memory.
 */
#ifndef AFTERSTATE_BASE_CLUSTER_H
#define AFTERSTATE_BASE_CLUSTER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLUSTER_HOST_BYTES = 64, CLUSTER_MAX_RANKS = 1024 };

/* No single call of `exchange` or `broadcast` of a transport moves more than this out of a rank. */
#define CLUSTER_ROUND_BYTES ((uint64_t)1 << 27)

/* A message that arrived (see `receive` below). */
struct cluster_message {
    unsigned from;
    size_t n_bytes;
    void *bytes; /* the receiver frees it */
};

/* The parts of a buffer by rank: the part of rank r is n_bytes[r] bytes at offset[r]. */
struct cluster_parts {
    const uint64_t *offset, *n_bytes;
};

struct cluster {
    unsigned rank, size;
    char host[CLUSTER_HOST_BYTES]; /* where this rank runs */
    void *context;                 /* of the transport */

    /* Collective. all[r * n_bytes ..] becomes what rank r passed as `mine`. */
    void (*gather)(void *context, const void *mine, void *all, size_t n_bytes);
    /* Collective. `data` of every rank becomes that of rank `from`. */
    void (*broadcast)(void *context, void *data, size_t n_bytes, unsigned from);
    /* Collective. Part r of `out` goes to rank r, part r of `in` comes from it; both ends agree about its size. */
    void (*exchange)(void *context, const void *out, const struct cluster_parts *send, void *in,
                     const struct cluster_parts *receive);

    /* Sends a message; the bytes are copied, the call does not wait for the receiver. STATUS_NO_MEMORY. */
    enum status (*send)(void *context, unsigned to, const void *bytes, size_t n_bytes);
    /* Takes a message that has arrived, if there is one; messages of one sender arrive in the order sent. */
    enum status (*receive)(void *context, struct cluster_message *message, bool *arrived);
};

/* 0 .. size-1, and how many there are; 0 and 1 for NULL. */
unsigned cluster_rank(const struct cluster *cluster);
unsigned cluster_size(const struct cluster *cluster);

/* Whether this rank writes files and prints. */
bool cluster_is_first(const struct cluster *cluster);

/*
 * The same status on every rank: STATUS_OK if all passed that, else the failure of the first rank that failed (an
 * interruption only if no rank failed otherwise), with its message on every rank. The message begins with "rank R
 * (HOST): " unless it is the same on all ranks.
 */
enum status cluster_agree(const struct cluster *cluster, enum status status);

/* The status of rank 0 with its message, on every rank; what the others pass is ignored. */
enum status cluster_follow(const struct cluster *cluster, enum status status);

/* Puts "rank R (HOST): " before this thread's message; does nothing for a cluster of one. Not collective. */
enum status cluster_name_rank(const struct cluster *cluster, enum status status);

/* Whether any rank passed true. */
bool cluster_any(const struct cluster *cluster, bool flag);

/* Whether a signal asked any rank to stop; if so, signals_interrupted() is true on every rank from here on. */
bool cluster_interrupted(const struct cluster *cluster);

/* The sum over all ranks of each of n counts, on every rank. */
void cluster_sum(const struct cluster *cluster, uint64_t *counts, size_t n);

/*
 * The sum over all ranks of each of n floats, on every rank: added up in the order of ranks, so the same bits on every
 * rank and in every run with this many ranks. STATUS_NO_MEMORY, on every rank, if a buffer of some MiB is not there.
 */
enum status cluster_sum_floats(const struct cluster *cluster, float *values, size_t n);

/* `data` of rank 0 on every rank; any length. */
void cluster_broadcast(const struct cluster *cluster, void *data, uint64_t n_bytes);

/* all[r * n_bytes ..] is what rank r passed; for small items (size * n_bytes below CLUSTER_ROUND_BYTES). */
void cluster_gather(const struct cluster *cluster, const void *mine, void *all, size_t n_bytes);

/*
 * Part r of `out` goes to rank r, and part r of `in` comes from rank r. The sizes to be received are known already
 * (see cluster_swap_counts()). Moved in rounds below CLUSTER_ROUND_BYTES; *n_sent (optional) grows by what went to
 * other ranks.
 */
void cluster_exchange(const struct cluster *cluster, const void *out, const struct cluster_parts *send, void *in,
                      const struct cluster_parts *receive, uint64_t *n_sent);

/* receive[r] is what rank r passed as send[this rank]. */
void cluster_swap_counts(const struct cluster *cluster, const uint64_t *send, uint64_t *receive);

/* The range [*begin, *end) of n items that rank `rank` owns where all are divided evenly, in order. */
void cluster_range(const struct cluster *cluster, unsigned rank, uint64_t n, uint64_t *begin, uint64_t *end);

/*
 * Every rank r has filled its own part of an array, bytes bounds[r] .. bounds[r+1]-1 (bounds ascend, and are the same
 * everywhere); afterwards all of it is there on every rank.
 */
void cluster_share_parts(const struct cluster *cluster, void *data, const uint64_t *bounds);

/*
 * The same where every rank has filled its own range, as cluster_range() divides them, of n items of item_bytes bytes.
 */
void cluster_share_ranges(const struct cluster *cluster, void *data, uint64_t n, size_t item_bytes);

#endif
