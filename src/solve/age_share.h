/*
 * age_share: the boards of one age on several ranks. Each rank owns a contiguous range of rows of the age's bitmap,
 * chosen so that all have about equally many boards, and has room for the whole bitmap: what it finds outside its range
 * belongs to others and is sent to them.
 *
 *     word 0     bounds[1]           bounds[2]          bounds[3]      n_words
 *       |  rank 0    |       rank 1      |      rank 2     |    rank 3    |
 *
 * Spawns and moves along rows mostly stay within a range: only what crosses a border is sent, coded (sparse_words.h).
 * Values are fetched likewise: a rank sends which boards of others it needs and gets their values, in the order of the
 * boards. So expand.c and evaluate.c work on each rank as on one machine: on the rank's rows (age_set_restrict()), with
 * bitmaps that hold what these rows need.
 *
 * All functions are collective, and return the same status on all ranks. They take the `status` of what each rank did
 * before by itself, agree on it, and do nothing else if any failed. On one rank they return it at once.
 */
#ifndef AFTERSTATE_SOLVE_AGE_SHARE_H
#define AFTERSTATE_SOLVE_AGE_SHARE_H

#include "base/cluster.h"
#include "base/memory.h"
#include "base/workers.h"
#include "solve/age_set.h"

#include <stdbool.h>
#include <stdint.h>

/* What is sent to other ranks, by its kind. */
enum share_kind { SHARE_SETS, SHARE_REQUESTS, SHARE_VALUES, SHARE_FILES, SHARE_KINDS };

/* The ranks that share, and scratch memory. Initialise cluster and workers, all else zero. */
struct age_share {
    const struct cluster *cluster;
    struct workers *workers;
    uint64_t n_sent[SHARE_KINDS]; /* bytes that this rank has sent to others */
    struct memory_block out, in;  /* scratch, as all below; kept from one age to the next */
    struct memory_block words, items, codes;
};

void age_share_free(struct age_share *share);

/* Reserves at least `bytes`, uninitialised, and some more, because ages grow slowly. */
enum status age_share_reserve(struct memory_block *block, uint64_t bytes);

/* Bounds of the ranks in an age: words, borders of rows; bounds[r] .. bounds[r + 1] - 1 are of rank r. */
struct age_bounds {
    uint64_t word[CLUSTER_MAX_RANKS + 1];
};

/* Members by buckets of bucket_words words, ascending, each rank's own in *counts or the same on all ranks. */
void age_bounds_cut(struct age_bounds *bounds, const struct age_frame *frame, unsigned n_ranks, const uint64_t *counts,
                    uint64_t n_buckets, uint64_t bucket_words);

/* Bounds by the members that all ranks have found, and the rank's own range as the set's rows. */
enum status age_share_choose_bounds(struct age_share *share, enum status status, struct age_set *set,
                                    struct age_bounds *bounds);

/* The rank's own range as the set's rows. Not collective. */
enum status age_share_restrict(const struct age_share *share, struct age_set *set, const struct age_bounds *bounds);

/* The members of this rank's range that other ranks found, and whose values they will need. Begin zeroed. */
struct share_requests {
    struct memory_block codes;
    uint64_t offset[CLUSTER_MAX_RANKS]; /* of each rank's part */
    uint64_t n_pieces;
};

void share_requests_free(struct share_requests *requests);

/*
 * Every member outside the range of its finder goes to its owner. Without `requests` it leaves the finder's bitmap,
 * whose range is then complete and all else empty; with them it stays, and the owner remembers which ranks requested
 * it.
 */
enum status age_share_exchange(struct age_share *share, enum status status, struct age_set *set,
                               const struct age_bounds *bounds, struct share_requests *requests);

/*
 * Values of item_bytes bytes at the positions of a ranked set (0 .. count-1): the rank's own are there; those of the
 * other members, which it requested, are filled in.
 */
enum status age_share_values(struct age_share *share, enum status status, const struct share_requests *requests,
                             const struct age_set *set, const struct age_bounds *bounds, void *values,
                             size_t item_bytes);

/* Members of a ranked set in the words before this one. */
uint64_t age_share_position(const struct age_set *set, uint64_t word);

/*
 * Items that lie in order over all ranks, rank r with have[r] .. have[r + 1] - 1, are moved to where `want` says: this
 * rank's in *out.
 */
enum status age_share_realign(struct age_share *share, enum status status, enum share_kind kind, const void *mine,
                              const uint64_t *have, const uint64_t *want, size_t item_bytes, struct memory_block *out);

/* before[r]: the sum of what the ranks 0 .. r-1 passed; before[size]: of all. */
void age_share_before(const struct age_share *share, uint64_t mine, uint64_t *before);

#endif
