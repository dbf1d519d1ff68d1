/* code_share: sends codes of ages between rank 0, which has the files, and the ranks that own the boards. */
#include "solve/code_share.h"

#include "base/checksum.h"

#include <stdlib.h>
#include <string.h>

/* ---- codes of parts to rank 0 ------------------------------------------------------------------------------------ */

typedef enum status code_joiner(const struct code_bytes *parts, unsigned n_parts, struct code_bytes *out);

/* Concatenates the codes of all ranks on rank 0; frees *mine. */
static enum status gather_codes(struct age_share *share, enum status status, struct code_bytes *mine, code_joiner *join,
                                struct code_bytes *out)
{
    const struct cluster *cluster = share->cluster;
    const unsigned size = cluster_size(cluster);
    const bool first = cluster_is_first(cluster);
    uint64_t have[CLUSTER_MAX_RANKS + 1], want[CLUSTER_MAX_RANKS + 1] = {0};
    struct code_bytes parts[CLUSTER_MAX_RANKS];
    *out = (struct code_bytes){0};
    status = cluster_agree(cluster, status);
    if (!status) {
        age_share_before(share, mine->bytes, have);
        for (unsigned r = 1; r <= size; r++)
            want[r] = have[size];
        status = age_share_realign(share, status, SHARE_FILES, mine->data, have, want, 1, &share->codes);
    }
    for (unsigned r = 0; !status && first && r < size; r++)
        parts[r] = (struct code_bytes){(uint8_t *)share->codes.data + have[r], have[r + 1] - have[r]};
    if (!status && first)
        status = join(parts, size, out);
    code_bytes_free(mine);
    return cluster_agree(cluster, status);
}

static uint64_t round_up(uint64_t n, uint64_t unit, uint64_t most)
{
    uint64_t rounded = (n + unit - 1) / unit * unit;
    return rounded < most ? rounded : most;
}

static void round_bounds(const uint64_t *bounds, unsigned size, uint64_t unit, uint64_t *out)
{
    for (unsigned r = 0; r <= size; r++)
        out[r] = round_up(bounds[r], unit, bounds[size]);
}

/* The words of whole pieces that this rank codes. */
static enum status realign_words(struct age_share *share, enum status status, const struct age_set *set,
                                 const struct age_bounds *bounds, struct coded_words *from)
{
    const unsigned rank = cluster_rank(share->cluster);
    uint64_t want[CLUSTER_MAX_RANKS + 1];
    round_bounds(bounds->word, cluster_size(share->cluster), CODE_PIECE_WORDS, want);
    status = age_share_realign(share, status, SHARE_FILES, set->words ? set->words + bounds->word[rank] : NULL,
                               bounds->word, want, sizeof *set->words, &share->words);
    from->age = set->frame->age;
    from->words = share->words.data;
    from->n_words = want[rank + 1] - want[rank];
    return status;
}

enum status code_share_write_set(struct age_share *share, enum status status, const struct age_set *set,
                                 const struct age_bounds *bounds, struct code_bytes *out)
{
    if (cluster_size(share->cluster) == 1)
        return status ? status : set_code_write(share->workers, set, out);
    struct coded_words from = {0};
    struct code_bytes mine = {0};
    status = realign_words(share, status, set, bounds, &from);
    if (!status)
        status = piece_code_write(share->workers, &from, &mine);
    return gather_codes(share, status, &mine, piece_code_join, out);
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/* The positions, among the members of all ranks, of the words want[0 .. size], from have[], those of bounds. */
static void positions_of_words(const struct age_share *share, const struct age_set *set,
                               const struct age_bounds *bounds, const uint64_t *want, uint64_t *positions)
{
    const unsigned rank = cluster_rank(share->cluster), size = cluster_size(share->cluster);
    const uint64_t begin = bounds->word[rank], end = bounds->word[rank + 1];
    for (unsigned r = 0; r <= size; r++) {
        uint64_t word = want[r] < begin ? begin : want[r] < end ? want[r] : end;
        positions[r] = age_share_position(set, word) - age_share_position(set, begin);
    }
    cluster_sum(share->cluster, positions, size + 1);
}

/* Members in all pieces before, for each piece. */
static enum status count_pieces(const struct coded_words *from, uint32_t **out)
{
    uint64_t n_pieces = (from->n_words + CODE_PIECE_WORDS - 1) / CODE_PIECE_WORDS;
    uint32_t n = 0, *first_move = *out = memory_allocate(n_pieces, sizeof **out);
    for (uint64_t w = 0; first_move && w < from->n_words; w++) {
        if (w % CODE_PIECE_WORDS == 0)
            first_move[w / CODE_PIECE_WORDS] = n;
        n += (uint32_t)__builtin_popcountll(from->words[w]);
    }
    return first_move ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status code_share_write_moves(struct age_share *share, enum status status, const struct age_set *states,
                                   const struct age_bounds *bounds, const uint8_t *moves, struct code_bytes *out)
{
    if (cluster_size(share->cluster) == 1)
        return status ? status : move_code_write(share->workers, states, moves, out);
    const unsigned rank = cluster_rank(share->cluster), size = cluster_size(share->cluster);
    struct coded_words from = {.holds_moves = true, .first_move_step = 1};
    struct code_bytes mine = {0};
    uint32_t *first_move = NULL;
    status = realign_words(share, status, states, bounds, &from);
    if (!status) {
        uint64_t pieces[CLUSTER_MAX_RANKS + 1], have[CLUSTER_MAX_RANKS + 1], want[CLUSTER_MAX_RANKS + 1];
        round_bounds(bounds->word, size, CODE_PIECE_WORDS, pieces);
        positions_of_words(share, states, bounds, bounds->word, have);
        positions_of_words(share, states, bounds, pieces, want);
        status = age_share_realign(share, status, SHARE_FILES,
                                   moves ? moves + age_share_position(states, bounds->word[rank]) : NULL, have, want, 1,
                                   &share->items);
    }
    if (!status)
        status = count_pieces(&from, &first_move);
    from.moves = share->items.data;
    from.first_move = first_move;
    if (!status)
        status = piece_code_write(share->workers, &from, &mine);
    free(first_move);
    return gather_codes(share, status, &mine, piece_code_join, out);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

enum status code_share_write_values(struct age_share *share, enum status status, uint32_t age,
                                    const struct solve_rules *rules, const void *mine, uint64_t n,
                                    unsigned fraction_bits, struct code_bytes *out)
{
    if (cluster_size(share->cluster) == 1)
        return status ? status : value_code_write(share->workers, age, rules, mine, n, fraction_bits, out);
    const unsigned rank = cluster_rank(share->cluster);
    uint64_t have[CLUSTER_MAX_RANKS + 1], want[CLUSTER_MAX_RANKS + 1];
    struct code_bytes code = {0};
    age_share_before(share, n, have);
    round_bounds(have, cluster_size(share->cluster), CODE_VALUE_GROUP, want);
    status =
        age_share_realign(share, status, SHARE_FILES, mine, have, want, value_form_bytes(rules->form), &share->items);
    if (!status)
        status = value_code_write(share->workers, age, rules, share->items.data, want[rank + 1] - want[rank],
                                  fraction_bits, &code);
    return gather_codes(share, status, &code, value_code_join, out);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* The pieces that a rank's words lie in: *begin .. *end-1. */
static void pieces_of_rank(const struct age_bounds *bounds, unsigned rank, uint32_t *begin, uint32_t *end)
{
    *begin = (uint32_t)(bounds->word[rank] / CODE_PIECE_WORDS);
    *end = (uint32_t)((bounds->word[rank + 1] + CODE_PIECE_WORDS - 1) / CODE_PIECE_WORDS);
    if (bounds->word[rank] == bounds->word[rank + 1])
        *end = *begin;
}

/* Header and directory of rank 0's code, and room for all of it, of which only what is used takes memory. */
static enum status share_directory(struct age_share *share, const struct piece_code *code, struct piece_code *out)
{
    uint64_t sizes[2] = {0};
    if (cluster_is_first(share->cluster))
        memcpy(sizes, (uint64_t[]){code->bytes, code->n_pieces}, sizeof sizes);
    cluster_broadcast(share->cluster, sizes, sizeof sizes);
    enum status status = STATUS_OK;
    if (!cluster_is_first(share->cluster))
        status = age_share_reserve(&share->codes, sizes[0]);
    status = cluster_agree(share->cluster, status);
    if (status)
        return status;
    void *head = cluster_is_first(share->cluster) ? (void *)(uintptr_t)code->data : share->codes.data;
    cluster_broadcast(share->cluster, head, piece_code_directory_bytes((uint32_t)sizes[1]));
    return cluster_agree(share->cluster, set_code_open(out, head, sizes[0]));
}

/* Each rank gets the pieces that its words lie in, at the places that they have in rank 0's code. */
static void share_pieces(struct age_share *share, const struct piece_code *code, const struct age_bounds *bounds)
{
    const unsigned rank = cluster_rank(share->cluster), size = cluster_size(share->cluster);
    uint64_t offset[CLUSTER_MAX_RANKS], n_bytes[CLUSTER_MAX_RANKS], in_bytes[CLUSTER_MAX_RANKS] = {0};
    uint32_t begin, end;
    for (unsigned r = 0; r < size; r++) {
        pieces_of_rank(bounds, r, &begin, &end);
        offset[r] = piece_code_offset(code, begin);
        n_bytes[r] = rank == 0 && r > 0 ? piece_code_offset(code, end) - offset[r] : 0;
    }
    pieces_of_rank(bounds, rank, &begin, &end);
    if (rank > 0)
        in_bytes[0] = piece_code_offset(code, end) - piece_code_offset(code, begin);
    uint64_t in_offset[CLUSTER_MAX_RANKS] = {piece_code_offset(code, begin)};
    /* Nothing is written on rank 0. */
    cluster_exchange(share->cluster, code->data, &(struct cluster_parts){offset, n_bytes},
                     (void *)(uintptr_t)code->data, &(struct cluster_parts){in_offset, in_bytes},
                     &share->n_sent[SHARE_FILES]);
}

/* Bounds by the members of the code's pieces. */
static enum status choose_bounds(const struct age_share *share, const struct piece_code *code,
                                 const struct age_set *set, struct age_bounds *bounds)
{
    uint64_t *counts = memory_allocate(code->n_pieces, sizeof *counts);
    if (!counts)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < code->n_pieces; i++)
        counts[i] = piece_code_members_before(code, i + 1) - piece_code_members_before(code, i);
    age_bounds_cut(bounds, set->frame, cluster_size(share->cluster), counts, code->n_pieces, CODE_PIECE_WORDS);
    free(counts);
    return STATUS_OK;
}

/* The members of the rank's own words. */
static enum status read_own(const struct age_share *share, const struct piece_code *code,
                            const struct age_bounds *bounds, struct age_set *set)
{
    const unsigned rank = cluster_rank(share->cluster);
    uint32_t begin, end;
    pieces_of_rank(bounds, rank, &begin, &end);
    enum status status = set_code_read_pieces(code, share->workers, begin, end, set);
    if (!status && begin < end) {
        uint64_t first = (uint64_t)begin * CODE_PIECE_WORDS, last = bounds->word[rank + 1];
        uint64_t end_word = round_up(last, CODE_PIECE_WORDS, set->frame->n_words);
        memset(set->words + first, 0, (bounds->word[rank] - first) * sizeof *set->words);
        memset(set->words + last, 0, (end_word - last) * sizeof *set->words);
    }
    return status;
}

enum status code_share_read_set(struct age_share *share, enum status status, const struct piece_code *code,
                                struct age_set *set, struct age_bounds *bounds)
{
    if (cluster_size(share->cluster) == 1)
        return status ? status : set_code_read(code, share->workers, set);
    struct piece_code opened;
    status = cluster_agree(share->cluster, status);
    if (status)
        return status;
    status = share_directory(share, code, &opened);
    if (status)
        return status;
    status = cluster_agree(share->cluster, choose_bounds(share, &opened, set, bounds));
    if (status)
        return status;
    share_pieces(share, &opened, bounds);
    status = age_share_restrict(share, set, bounds);
    if (!status)
        status = read_own(share, &opened, bounds, set);
    status = cluster_agree(share->cluster, status);
    return status;
}

/* ---- checksums --------------------------------------------------------------------------------------------------- */

uint64_t code_share_checksum(const struct age_share *share, const void *data, uint64_t n_bytes)
{
    const unsigned rank = cluster_rank(share->cluster), size = cluster_size(share->cluster);
    struct checksum sum;
    checksum_begin(&sum, 0);
    for (unsigned r = 0; r < size; r++) {
        if (r == rank)
            checksum_add(&sum, data, n_bytes);
        if (size == 1)
            break;
        share->cluster->broadcast(share->cluster->context, &sum, sizeof sum, r);
        if (r != rank)
            checksum_adopt(&sum);
    }
    return checksum_value(&sum);
}
