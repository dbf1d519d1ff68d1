/*
 * code_share: codes of ages (age_code.h) between rank 0, which alone reads and writes files, and the ranks that own the
 * boards (age_share.h). Each rank codes and decodes its own part: whole pieces, to which the boards at its border are
 * moved first. The codes are those of one machine, byte for byte.
 *
 * Functions are collective and treat `status` as those of age_share.h do, but also work alone, on one rank.
 */
#ifndef AFTERSTATE_SOLVE_CODE_SHARE_H
#define AFTERSTATE_SOLVE_CODE_SHARE_H

#include "solve/age_code.h"
#include "solve/age_share.h"

/* Codes the ranks' own rows of a set; *out is empty on all ranks but the first. */
enum status code_share_write_set(struct age_share *share, enum status status, const struct age_set *set,
                                 const struct age_bounds *bounds, struct code_bytes *out);

/* The same for the moves of a ranked set of states, by position. */
enum status code_share_write_moves(struct age_share *share, enum status status, const struct age_set *states,
                                   const struct age_bounds *bounds, const uint8_t *moves, struct code_bytes *out);

/* The same for values: mine[0 .. n-1], the ranks' parts in order. */
enum status code_share_write_values(struct age_share *share, enum status status, uint32_t age,
                                    const struct solve_rules *rules, const void *mine, uint64_t n,
                                    unsigned fraction_bits, struct code_bytes *out);

/*
 * Fills a set that was just begun with the members of an open code of rank 0, each rank with those of its own rows,
 * which are chosen here: *bounds. `code` of the other ranks is not read.
 */
enum status code_share_read_set(struct age_share *share, enum status status, const struct piece_code *code,
                                struct age_set *set, struct age_bounds *bounds);

/* The checksum of data[0 .. n_bytes-1] of all ranks, one after the other. Cannot fail. */
uint64_t code_share_checksum(const struct age_share *share, const void *data, uint64_t n_bytes);

#endif
