/* age_share: the boards of one age on several ranks. */
#include "solve/age_share.h"

#include "solve/sparse_words.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 4096, PIECE = SPARSE_PIECE_WORDS };

/* At the start of what a rank sends: this for each piece of the receiver's range, then the codes. */
struct piece_entry {
    uint32_t n_bytes, n_members;
};

void age_share_free(struct age_share *share)
{
    memory_block_free(&share->out);
    memory_block_free(&share->in);
    memory_block_free(&share->words);
    memory_block_free(&share->items);
    memory_block_free(&share->codes);
}

void share_requests_free(struct share_requests *requests)
{
    memory_block_free(&requests->codes);
}

enum status age_share_reserve(struct memory_block *block, uint64_t bytes)
{
    if (bytes <= block->bytes)
        return STATUS_OK;
    memory_block_free(block);
    return memory_block_allocate(block, bytes + bytes / 8 + 64);
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* The last border of rows at or before a word. */
static uint64_t row_border(const struct age_frame *frame, uint64_t word)
{
    if (word >= frame->n_words)
        return frame->n_words;
    struct age_row row = frame->rows[age_frame_sum_at(frame, word)];
    return word - (word - row.base) % row.stride;
}

void age_bounds_cut(struct age_bounds *bounds, const struct age_frame *frame, unsigned n_ranks, const uint64_t *counts,
                    uint64_t n_buckets, uint64_t bucket_words)
{
    double total = 0, before = 0;
    uint64_t bucket = 0;
    for (uint64_t i = 0; i < n_buckets; i++)
        total += (double)counts[i];
    bounds->word[0] = 0;
    for (unsigned r = 1; r < n_ranks; r++) {
        double wanted = total * r / n_ranks;
        while (bucket < n_buckets && before + (double)counts[bucket] <= wanted)
            before += (double)counts[bucket++];
        /* Within the bucket as if its members were spread evenly; an age without members is cut evenly. */
        double part = bucket < n_buckets && counts[bucket] ? (wanted - before) / (double)counts[bucket] : 0;
        uint64_t word =
            total > 0 ? bucket * bucket_words + (uint64_t)(part * (double)bucket_words) : frame->n_words * r / n_ranks;
        uint64_t border = row_border(frame, word);
        bounds->word[r] = border > bounds->word[r - 1] ? border : bounds->word[r - 1];
    }
    bounds->word[n_ranks] = frame->n_words;
}

struct counting {
    const struct age_set *set;
    uint64_t bucket_words;
    uint64_t *counts;
};

static enum status count_bucket(void *context, unsigned worker, uint64_t bucket)
{
    const struct counting *counting = context;
    uint64_t begin = bucket * counting->bucket_words, end = begin + counting->bucket_words, n = 0;
    if (end > counting->set->frame->n_words)
        end = counting->set->frame->n_words;
    (void)worker;
    for (uint64_t w = begin; w < end; w++)
        n += (uint64_t)__builtin_popcountll(counting->set->words[w]);
    counting->counts[bucket] = n;
    return STATUS_OK;
}

enum status age_share_restrict(const struct age_share *share, struct age_set *set, const struct age_bounds *bounds)
{
    unsigned rank = cluster_rank(share->cluster);
    if (cluster_size(share->cluster) == 1)
        return STATUS_OK;
    return age_set_restrict(set, bounds->word[rank], bounds->word[rank + 1]);
}

enum status age_share_choose_bounds(struct age_share *share, enum status status, struct age_set *set,
                                    struct age_bounds *bounds)
{
    unsigned size = cluster_size(share->cluster);
    if (size == 1)
        return status;
    struct counting counting = {.set = set};
    uint64_t n_buckets = BUCKETS;
    uint64_t *all = memory_allocate((size_t)BUCKETS * (size + 1), sizeof *all);
    status = cluster_agree(share->cluster, status ? status : all ? STATUS_OK : STATUS_NO_MEMORY);
    if (!status) {
        counting.bucket_words = (set->frame->n_words + BUCKETS - 1) / BUCKETS;
        n_buckets =
            counting.bucket_words ? (set->frame->n_words + counting.bucket_words - 1) / counting.bucket_words : 0;
        counting.counts = all + (size_t)BUCKETS * size;
        status = workers_for(share->workers, n_buckets, count_bucket, &counting);
        cluster_gather(share->cluster, counting.counts, all, n_buckets * sizeof *all);
        for (uint64_t i = 0; i < n_buckets; i++) {
            counting.counts[i] = 0;
            for (unsigned r = 0; r < size; r++)
                counting.counts[i] += all[r * n_buckets + i];
        }
        age_bounds_cut(bounds, set->frame, size, counting.counts, n_buckets, counting.bucket_words);
        status = age_share_restrict(share, set, bounds);
    }
    free(all);
    return cluster_agree(share->cluster, status);
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

static uint64_t n_pieces_of(const struct age_bounds *bounds, unsigned rank)
{
    return (bounds->word[rank + 1] - bounds->word[rank] + PIECE - 1) / PIECE;
}

static uint64_t piece_begin(const struct age_bounds *bounds, unsigned rank, uint64_t piece, uint64_t *n_words)
{
    uint64_t begin = bounds->word[rank] + piece * PIECE, left = bounds->word[rank + 1] - begin;
    *n_words = left < PIECE ? left : PIECE;
    return begin;
}

/* A phase over the pieces of all other ranks' ranges, numbered one after the other. */
struct sending {
    const struct age_share *share;
    struct age_set *set;
    const struct age_bounds *bounds;
    uint64_t first_item[CLUSTER_MAX_RANKS + 1]; /* of each rank */
    struct piece_entry *entries;
    uint64_t *offset; /* in `out`, of each piece */
    bool clears;
};

static unsigned rank_of_item(const struct sending *sending, uint64_t item)
{
    unsigned low = 0, high = cluster_size(sending->share->cluster);
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (sending->first_item[middle] <= item)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static uint64_t *words_of_item(const struct sending *sending, uint64_t item, uint64_t *n_words)
{
    unsigned rank = rank_of_item(sending, item);
    return sending->set->words + piece_begin(sending->bounds, rank, item - sending->first_item[rank], n_words);
}

static enum status measure_piece(void *context, unsigned worker, uint64_t item)
{
    const struct sending *sending = context;
    uint64_t n_words;
    const uint64_t *words = words_of_item(sending, item, &n_words);
    struct piece_entry *entry = &sending->entries[item];
    (void)worker;
    entry->n_bytes = (uint32_t)sparse_words_measure(words, n_words, &entry->n_members);
    return STATUS_OK;
}

static enum status write_piece(void *context, unsigned worker, uint64_t item)
{
    const struct sending *sending = context;
    uint64_t n_words;
    uint64_t *words = words_of_item(sending, item, &n_words);
    (void)worker;
    sparse_words_write(words, n_words, (uint8_t *)sending->share->out.data + sending->offset[item]);
    if (sending->clears && sending->entries[item].n_members)
        memset(words, 0, n_words * sizeof *words);
    return STATUS_OK;
}

/* Codes the members that belong to other ranks into share->out; part r goes to rank r. */
static enum status code_foreign(struct age_share *share, struct sending *sending, uint64_t *offset, uint64_t *n_bytes)
{
    unsigned size = cluster_size(share->cluster), rank = cluster_rank(share->cluster);
    uint64_t n_items = 0, bytes = 0;
    for (unsigned r = 0; r < size; r++) {
        sending->first_item[r] = n_items;
        n_items += r == rank ? 0 : n_pieces_of(sending->bounds, r);
    }
    sending->first_item[size] = n_items;
    sending->entries = memory_allocate(n_items, sizeof *sending->entries);
    sending->offset = memory_allocate(n_items, sizeof *sending->offset);
    if (!sending->entries || !sending->offset)
        return STATUS_NO_MEMORY;
    enum status status = workers_for(share->workers, n_items, measure_piece, sending);
    for (unsigned r = 0; r < size; r++) {
        offset[r] = bytes;
        bytes += (sending->first_item[r + 1] - sending->first_item[r]) * sizeof *sending->entries;
        for (uint64_t i = sending->first_item[r]; i < sending->first_item[r + 1]; i++) {
            sending->offset[i] = bytes;
            bytes += sending->entries[i].n_bytes;
        }
        n_bytes[r] = bytes - offset[r];
    }
    if (!status)
        status = age_share_reserve(&share->out, bytes);
    if (status)
        return status;
    for (unsigned r = 0; r < size; r++) {
        uint64_t n = sending->first_item[r + 1] - sending->first_item[r];
        if (n)
            memcpy((uint8_t *)share->out.data + offset[r], sending->entries + sending->first_item[r],
                   n * sizeof *sending->entries);
    }
    return workers_for(share->workers, n_items, write_piece, sending);
}

/* A phase over the pieces of this rank's own range: the codes that all other ranks sent. */
struct receiving {
    const struct age_share *share;
    const struct share_requests *requests;
    const struct age_set *set;
    const struct age_bounds *bounds;
    uint64_t *code;   /* [rank * n_pieces + piece]: offset of the code */
    uint64_t *answer; /* the same: where in `out` the values of its members go, in items */
    uint8_t *values_out;
    const uint8_t *values;
    size_t item_bytes;
};

static const struct piece_entry *entries_from(const struct share_requests *requests, unsigned rank)
{
    return (const void *)((const uint8_t *)requests->codes.data + requests->offset[rank]);
}

/* Finds the codes; this rank sends none to itself. */
static enum status locate_codes(struct receiving *receiving)
{
    const struct share_requests *requests = receiving->requests;
    unsigned size = cluster_size(receiving->share->cluster);
    uint64_t n = requests->n_pieces;
    receiving->code = memory_allocate(n * size, sizeof *receiving->code);
    receiving->answer = memory_allocate(n * size, sizeof *receiving->answer);
    if (!receiving->code || !receiving->answer)
        return STATUS_NO_MEMORY;
    uint64_t answers = 0;
    for (unsigned r = 0; r < size; r++) {
        if (r == cluster_rank(receiving->share->cluster))
            continue;
        uint64_t at = requests->offset[r] + n * sizeof(struct piece_entry);
        for (uint64_t i = 0; i < n; i++) {
            receiving->code[r * n + i] = at;
            receiving->answer[r * n + i] = answers;
            at += entries_from(requests, r)[i].n_bytes;
            answers += entries_from(requests, r)[i].n_members;
        }
    }
    return STATUS_OK;
}

static void free_receiving(struct receiving *receiving)
{
    free(receiving->code);
    free(receiving->answer);
}

static enum status add_piece(void *context, unsigned worker, uint64_t piece)
{
    const struct receiving *receiving = context;
    const struct cluster *cluster = receiving->share->cluster;
    uint64_t n_words;
    uint64_t *words = receiving->set->words + piece_begin(receiving->bounds, cluster->rank, piece, &n_words);
    (void)worker;
    for (unsigned r = 0; r < cluster->size; r++)
        if (r != cluster->rank)
            sparse_words_add((const uint8_t *)receiving->requests->codes.data +
                                 receiving->code[r * receiving->requests->n_pieces + piece],
                             words);
    return STATUS_OK;
}

static enum status add_received(struct age_share *share, const struct share_requests *requests, struct age_set *set,
                                const struct age_bounds *bounds)
{
    struct receiving receiving = {.share = share, .requests = requests, .set = set, .bounds = bounds};
    enum status status = locate_codes(&receiving);
    if (!status)
        status = workers_for(share->workers, requests->n_pieces, add_piece, &receiving);
    free_receiving(&receiving);
    return status;
}

static enum status exchange_codes(struct age_share *share, enum status status, const uint64_t *offset,
                                  const uint64_t *n_bytes, enum share_kind kind, struct share_requests *to)
{
    const struct cluster *cluster = share->cluster;
    uint64_t receive[CLUSTER_MAX_RANKS], bytes = 0;
    status = cluster_agree(cluster, status);
    if (status)
        return status;
    cluster_swap_counts(cluster, n_bytes, receive);
    for (unsigned r = 0; r < cluster->size; r++) {
        to->offset[r] = bytes;
        bytes += (receive[r] + 7) & ~UINT64_C(7);
    }
    status = cluster_agree(cluster, age_share_reserve(&to->codes, bytes));
    if (status)
        return status;
    cluster_exchange(cluster, share->out.data, &(struct cluster_parts){offset, n_bytes}, to->codes.data,
                     &(struct cluster_parts){to->offset, receive}, &share->n_sent[kind]);
    return STATUS_OK;
}

enum status age_share_exchange(struct age_share *share, enum status status, struct age_set *set,
                               const struct age_bounds *bounds, struct share_requests *requests)
{
    const struct cluster *cluster = share->cluster;
    if (cluster_size(cluster) == 1)
        return status;
    uint64_t offset[CLUSTER_MAX_RANKS] = {0}, n_bytes[CLUSTER_MAX_RANKS] = {0};
    struct sending sending = {.share = share, .set = set, .bounds = bounds, .clears = !requests};
    struct share_requests once = {.codes = share->in}, *to = requests ? requests : &once;
    if (!status)
        status = code_foreign(share, &sending, offset, n_bytes);
    free(sending.entries);
    free(sending.offset);
    to->n_pieces = n_pieces_of(bounds, cluster->rank);
    status = exchange_codes(share, status, offset, n_bytes, requests ? SHARE_REQUESTS : SHARE_SETS, to);
    if (!status)
        status = add_received(share, to, set, bounds);
    if (!requests)
        share->in = once.codes;
    return cluster_agree(cluster, status);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

uint64_t age_share_position(const struct age_set *set, uint64_t word)
{
    return word < set->frame->n_words ? set->ranks[word] : set->count;
}

static inline void copy_item(uint8_t *to, const uint8_t *from, size_t item_bytes)
{
    if (item_bytes == sizeof(uint64_t))
        memcpy(to, from, sizeof(uint64_t));
    else
        memcpy(to, from, item_bytes);
}

static enum status answer_piece(void *context, unsigned worker, uint64_t piece)
{
    const struct receiving *receiving = context;
    const struct cluster *cluster = receiving->share->cluster;
    const struct age_set *set = receiving->set;
    const uint64_t n_pieces = receiving->requests->n_pieces;
    const size_t item_bytes = receiving->item_bytes;
    uint64_t asked[PIECE], n_words;
    uint64_t begin = piece_begin(receiving->bounds, cluster->rank, piece, &n_words);
    (void)worker;
    for (unsigned r = 0; r < cluster->size; r++) {
        if (r == cluster->rank || !entries_from(receiving->requests, r)[piece].n_members)
            continue;
        uint8_t *to = receiving->values_out + receiving->answer[r * n_pieces + piece] * item_bytes;
        memset(asked, 0, n_words * sizeof *asked);
        sparse_words_add((const uint8_t *)receiving->requests->codes.data + receiving->code[r * n_pieces + piece],
                         asked);
        for (uint64_t w = 0; w < n_words; w++) {
            for (uint64_t bits = asked[w]; bits; bits &= bits - 1) {
                struct place place = {begin + w, (unsigned)__builtin_ctzll(bits)};
                copy_item(to, receiving->values + (uint64_t)age_set_position(set, place) * item_bytes, item_bytes);
                to += item_bytes;
            }
        }
    }
    return STATUS_OK;
}

/* Writes the values that other ranks requested to share->out; part r goes to rank r. */
static enum status write_answers(struct age_share *share, struct receiving *receiving, uint64_t *offset,
                                 uint64_t *n_bytes)
{
    const struct share_requests *requests = receiving->requests;
    const struct cluster *cluster = share->cluster;
    uint64_t n_items = 0;
    enum status status = locate_codes(receiving);
    if (status)
        return status;
    for (unsigned r = 0; r < cluster->size; r++) {
        offset[r] = n_items * receiving->item_bytes;
        for (uint64_t i = 0; r != cluster->rank && i < requests->n_pieces; i++)
            n_items += entries_from(requests, r)[i].n_members;
        n_bytes[r] = n_items * receiving->item_bytes - offset[r];
    }
    status = age_share_reserve(&share->out, n_items * receiving->item_bytes);
    receiving->values_out = share->out.data;
    return status ? status : workers_for(share->workers, requests->n_pieces, answer_piece, receiving);
}

enum status age_share_values(struct age_share *share, enum status status, const struct share_requests *requests,
                             const struct age_set *set, const struct age_bounds *bounds, void *values,
                             size_t item_bytes)
{
    const struct cluster *cluster = share->cluster;
    if (cluster_size(cluster) == 1)
        return status;
    uint64_t offset[CLUSTER_MAX_RANKS] = {0}, n_bytes[CLUSTER_MAX_RANKS] = {0};
    uint64_t in_offset[CLUSTER_MAX_RANKS], in_bytes[CLUSTER_MAX_RANKS];
    struct receiving receiving = {
        .share = share, .requests = requests, .set = set, .bounds = bounds, .values = values, .item_bytes = item_bytes};
    if (!status)
        status = write_answers(share, &receiving, offset, n_bytes);
    free_receiving(&receiving);
    status = cluster_agree(cluster, status);
    if (status)
        return status;
    for (unsigned r = 0; r < cluster->size; r++) {
        uint64_t begin = age_share_position(set, bounds->word[r]), end = age_share_position(set, bounds->word[r + 1]);
        in_offset[r] = begin * item_bytes;
        in_bytes[r] = r == cluster->rank ? 0 : (end - begin) * item_bytes;
    }
    cluster_exchange(cluster, share->out.data, &(struct cluster_parts){offset, n_bytes}, values,
                     &(struct cluster_parts){in_offset, in_bytes}, &share->n_sent[SHARE_VALUES]);
    return STATUS_OK;
}

/* ---- items in order ---------------------------------------------------------------------------------------------- */

/* How much of a[0 .. 1] lies in b[0 .. 1], and where that begins, counted from a[0]. */
static uint64_t overlap(const uint64_t *a, const uint64_t *b, uint64_t *offset)
{
    uint64_t begin = a[0] > b[0] ? a[0] : b[0], end = a[1] < b[1] ? a[1] : b[1];
    *offset = begin < end ? begin - a[0] : 0;
    return begin < end ? end - begin : 0;
}

enum status age_share_realign(struct age_share *share, enum status status, enum share_kind kind, const void *mine,
                              const uint64_t *have, const uint64_t *want, size_t item_bytes, struct memory_block *out)
{
    const struct cluster *cluster = share->cluster;
    unsigned rank = cluster_rank(cluster), size = cluster_size(cluster);
    uint64_t offset[CLUSTER_MAX_RANKS], n_bytes[CLUSTER_MAX_RANKS];
    uint64_t in_offset[CLUSTER_MAX_RANKS], in_bytes[CLUSTER_MAX_RANKS];
    if (!status)
        status = age_share_reserve(out, (want[rank + 1] - want[rank]) * item_bytes);
    status = cluster_agree(cluster, status);
    if (status)
        return status;
    for (unsigned r = 0; r < size; r++) {
        n_bytes[r] = item_bytes * overlap(have + rank, want + r, &offset[r]);
        in_bytes[r] = item_bytes * overlap(want + rank, have + r, &in_offset[r]);
        offset[r] *= item_bytes;
        in_offset[r] *= item_bytes;
    }
    cluster_exchange(cluster, mine, &(struct cluster_parts){offset, n_bytes}, out->data,
                     &(struct cluster_parts){in_offset, in_bytes}, &share->n_sent[kind]);
    return STATUS_OK;
}

void age_share_before(const struct age_share *share, uint64_t mine, uint64_t *before)
{
    uint64_t all[CLUSTER_MAX_RANKS];
    cluster_gather(share->cluster, &mine, all, sizeof mine);
    before[0] = 0;
    for (unsigned r = 0; r < cluster_size(share->cluster); r++)
        before[r + 1] = before[r] + all[r];
}
