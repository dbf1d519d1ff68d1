/* age_set: a set of boards of one age: a bitmap, and the ranks of its members. */
#include "solve/age_set.h"

#include <stdlib.h>
#include <string.h>

enum {
    SPAN_WORDS = 2048,     /* a span ends with the row that reaches this: some ten thousand boards */
    PIECE_WORDS = 1 << 15, /* what a worker clears or counts at a time */
    JOIN_WORDS = 1 << AGE_SET_BLOCK_SHIFT,
};

static enum status add_span(struct age_set *set, struct row_span span)
{
    struct row_span *grown = memory_grow(set->spans, set->n_spans + 1, &set->spans_capacity, 256, sizeof *grown);
    if (!grown)
        return STATUS_NO_MEMORY;
    set->spans = grown;
    set->spans[set->n_spans++] = span;
    return STATUS_OK;
}

/* How many rows of `stride` words, the first at `base`, begin before a word. */
static uint32_t rows_before(uint64_t word, uint64_t base, uint32_t stride, uint32_t n_rows)
{
    uint64_t n = word <= base ? 0 : (word - base + stride - 1) / stride;
    return n < n_rows ? (uint32_t)n : n_rows;
}

enum status age_set_restrict(struct age_set *set, uint64_t own_begin, uint64_t own_end)
{
    const struct age_frame *frame = set->frame;
    const struct layout_part *first = &frame->layout->part[0];
    set->own_begin = own_begin;
    set->own_end = own_end;
    set->n_spans = 0;
    for (uint32_t s = 0; s < frame->n_sums; s++) {
        uint32_t stride = frame->rows[s].stride, n_rows = first->first_class[s + 1] - first->first_class[s];
        if (stride == 0)
            continue;
        uint32_t rows_each = SPAN_WORDS / stride ? SPAN_WORDS / stride : 1;
        uint32_t end = rows_before(own_end, frame->rows[s].base, stride, n_rows);
        for (uint32_t row = rows_before(own_begin, frame->rows[s].base, stride, n_rows); row < end; row += rows_each) {
            uint32_t n = end - row < rows_each ? end - row : rows_each;
            enum status status = add_span(set, (struct row_span){s, row, n});
            if (status)
                return status;
        }
    }
    return STATUS_OK;
}

/* Reserves n_words items of `size` bytes in *block, uninitialised; some more than n_words, because ages grow slowly. */
static enum status reserve(struct memory_block *block, uint64_t n_words, size_t size)
{
    if (n_words <= block->bytes / size)
        return STATUS_OK;
    memory_block_free(block);
    return memory_block_allocate(block, (n_words + n_words / 8 + 64) * size);
}

static uint64_t piece_words(const struct age_set *set, uint64_t piece)
{
    uint64_t left = set->frame->n_words - piece * PIECE_WORDS;
    return left < PIECE_WORDS ? left : PIECE_WORDS;
}

static uint64_t n_pieces(const struct age_set *set)
{
    return (set->frame->n_words + PIECE_WORDS - 1) / PIECE_WORDS;
}

static enum status clear_piece(void *context, unsigned worker, uint64_t piece)
{
    struct age_set *set = context;
    (void)worker;
    memset(set->words + piece * PIECE_WORDS, 0, piece_words(set, piece) * sizeof *set->words);
    return STATUS_OK;
}

enum status age_set_begin(struct age_set *set, const struct layout *layout, uint32_t age, struct workers *workers)
{
    if (!set->frame)
        set->frame = age_frame_allocate(layout);
    if (!set->frame)
        return STATUS_NO_MEMORY;
    set->ranks = NULL;
    set->count = 0;
    enum status status = age_frame_fill(set->frame, layout, age);
    if (status)
        return status_context(status, "the set of boards of age %u", age);
    status = age_set_restrict(set, 0, set->frame->n_words);
    if (status)
        return status_context(status, "the set of boards of age %u", age);
    status = reserve(&set->block, set->frame->n_words, sizeof *set->words);
    if (status)
        return status_context(status, "the set of boards of age %u", age);
    set->words = set->block.data;
    return workers_for(workers, n_pieces(set), clear_piece, set);
}

void age_set_free(struct age_set *set)
{
    if (!set)
        return;
    memory_block_free(&set->block);
    memory_block_free(&set->rank_block);
    memory_block_free(&set->scratch);
    memory_block_free(&set->touched);
    free(set->spans);
    free(set->frame);
    *set = (struct age_set){0};
}

static uint64_t n_blocks(const struct age_set *set)
{
    return (set->frame->n_words + JOIN_WORDS - 1) / JOIN_WORDS;
}

enum status age_set_split(struct age_set *set, struct workers *workers)
{
    uint64_t n_scratch = workers_count(workers) - 1;
    enum status status = reserve(&set->scratch, n_scratch * set->frame->n_words, sizeof *set->words);
    return status ? status : reserve(&set->touched, n_scratch * n_blocks(set), 1);
}

struct worker_words age_set_words_of(const struct age_set *set, unsigned worker)
{
    if (worker == 0 || !set->frame->n_words)
        return (struct worker_words){.words = set->words};
    return (struct worker_words){(uint64_t *)set->scratch.data + (worker - 1) * set->frame->n_words,
                                 (uint8_t *)set->touched.data + (worker - 1) * n_blocks(set)};
}

struct joining {
    struct age_set *set;
    unsigned n_scratch;
};

static enum status join_piece(void *context, unsigned worker, uint64_t piece)
{
    const struct joining *joining = context;
    const uint64_t begin = piece * PIECE_WORDS, end = begin + piece_words(joining->set, piece);
    uint64_t *words = joining->set->words;
    (void)worker;
    for (unsigned k = 1; k <= joining->n_scratch; k++) {
        const struct worker_words from = age_set_words_of(joining->set, k);
        for (uint64_t w = begin; w < end; w += JOIN_WORDS) {
            uint8_t *touched = &from.touched[w / JOIN_WORDS];
            uint64_t n = end - w < JOIN_WORDS ? end - w : JOIN_WORDS;
            if (!*touched)
                continue;
            for (uint64_t i = w; i < w + n; i++)
                words[i] |= from.words[i];
            memset(from.words + w, 0, n * sizeof *from.words);
            *touched = 0;
        }
    }
    return STATUS_OK;
}

enum status age_set_join(struct age_set *set, struct workers *workers)
{
    struct joining joining = {set, workers_count(workers) - 1};
    return joining.n_scratch ? workers_for(workers, n_pieces(set), join_piece, &joining) : STATUS_OK;
}

struct counting {
    struct age_set *set;
    uint32_t *piece_count; /* members of each piece; then, for ranks, of all pieces before */
};

static enum status count_piece(void *context, unsigned worker, uint64_t piece)
{
    struct counting *counting = context;
    const uint64_t *words = counting->set->words + piece * PIECE_WORDS;
    uint64_t count = 0, n = piece_words(counting->set, piece);
    (void)worker;
    for (uint64_t i = 0; i < n; i++)
        count += (uint64_t)__builtin_popcountll(words[i]);
    counting->piece_count[piece] = (uint32_t)count;
    return STATUS_OK;
}

static enum status rank_piece(void *context, unsigned worker, uint64_t piece)
{
    struct counting *counting = context;
    const uint64_t *words = counting->set->words + piece * PIECE_WORDS;
    uint32_t *ranks = counting->set->ranks + piece * PIECE_WORDS, before = counting->piece_count[piece];
    uint64_t n = piece_words(counting->set, piece);
    (void)worker;
    for (uint64_t i = 0; i < n; i++) {
        ranks[i] = before;
        before += (uint32_t)__builtin_popcountll(words[i]);
    }
    return STATUS_OK;
}

static enum status count_pieces(struct age_set *set, struct workers *workers, struct counting *counting)
{
    *counting = (struct counting){set, memory_allocate(n_pieces(set), sizeof *counting->piece_count)};
    if (!counting->piece_count)
        return STATUS_NO_MEMORY;
    enum status status = workers_for(workers, n_pieces(set), count_piece, counting);
    set->count = 0;
    for (uint64_t piece = 0; piece < n_pieces(set); piece++) {
        uint32_t here = counting->piece_count[piece];
        counting->piece_count[piece] = (uint32_t)set->count;
        set->count += here;
    }
    return status;
}

enum status age_set_count(struct age_set *set, struct workers *workers)
{
    struct counting counting;
    enum status status = count_pieces(set, workers, &counting);
    free(counting.piece_count);
    return status;
}

enum status age_set_rank(struct age_set *set, struct workers *workers)
{
    struct counting counting;
    enum status status = count_pieces(set, workers, &counting);
    if (status)
        goto done;
    if (set->count > INT32_MAX)
        status = status_fail(STATUS_NO_MEMORY, "age %u has too many boards for this program", set->frame->age);
    if (status)
        goto done;
    status = reserve(&set->rank_block, set->frame->n_words, sizeof *set->ranks);
    if (status)
        goto done;
    set->ranks = set->rank_block.data;
    status = workers_for(workers, n_pieces(set), rank_piece, &counting);
done:
    free(counting.piece_count);
    return status;
}

bool age_set_find(const struct age_set *set, struct board board, uint32_t *position)
{
    uint64_t number;
    if (!age_frame_number(set->frame, board, &number))
        return false;
    struct place place = {number / 64, number % 64};
    if (!(set->words[place.word] >> place.bit & 1))
        return false;
    *position = age_set_position(set, place);
    return true;
}

/* ---- walks ------------------------------------------------------------------------------------------------------- */

static void begin_row(struct age_walk *walk)
{
    const struct age_frame *frame = walk->set->frame;
    const struct layout_part *first = &frame->layout->part[0];
    walk->first_cells = bits_deposit(first->class_key[walk->first_class + walk->row], first->mask);
}

void age_walk_begin(struct age_walk *walk, const struct age_set *set, const struct row_span *span)
{
    const struct age_frame *frame = set->frame;
    const struct layout *layout = frame->layout;
    struct age_row row = frame->rows[span->sum];
    *walk = (struct age_walk){
        .set = set,
        .slot_cells = layout->slot_cells +
                      ((size_t)layout->part[1].first_class[frame->rows[span->sum].second_sum] << layout->group_shift),
        .row = span->first_row,
        .end_row = span->first_row + span->n_rows,
        .first_class = layout->part[0].first_class[span->sum],
    };
    walk->row_word = walk->word = row.base + (uint64_t)span->first_row * row.stride;
    walk->end_word = walk->word + row.stride;
    walk->position = set->ranks ? set->ranks[walk->word] - 1 : UINT32_MAX;
    begin_row(walk);
}

bool age_walk_next(struct age_walk *walk)
{
    while (!walk->bits) {
        if (walk->word == walk->end_word) {
            if (++walk->row == walk->end_row)
                return false;
            walk->end_word += walk->end_word - walk->row_word;
            walk->row_word = walk->word;
            begin_row(walk);
        }
        walk->bits = walk->set->words[walk->word++];
    }
    unsigned bit = (unsigned)__builtin_ctzll(walk->bits);
    walk->bits &= walk->bits - 1;
    walk->cells = walk->first_cells | walk->slot_cells[(walk->word - 1 - walk->row_word) * 64 + bit];
    walk->position++;
    return true;
}
