/*
 * The two loops in which a forward pass spends its time.
 *
 * Moves. For each state four line look-ups give its afterstates; the legal ones go into a small queue. A full queue is
 * worked off in three sweeps, so that the loads of hundreds of boards are under way at once: fetch the entries of the
 * parts; join them to places and fetch their words; set the bits.
 *
 * Spawns. A tile on a cell of the second part leaves the row: one entry look-up gives the slot. A tile on a cell of the
 * first part leads to another row, the same for all boards of the present row, and there to the same class of the
 * second part: no look-up at all.
 */
#include "solve/expand.h"

#include <assert.h>

enum { QUEUE = 256 };

/* A phase: what all workers share. Counters are summed at the end of each span. */
struct expansion {
    const struct age_set *from;
    struct age_set *to[2]; /* moves: only [0]; spawns: of a 2, of a 4, NULL if not wanted */
    uint64_t *scratch[2];  /* bitmaps of the workers 1, 2, .. */
    uint64_t n_states, n_terminal;
};

/* The bitmap that a worker fills. */
static uint64_t *words_of(const struct expansion *phase, unsigned v, unsigned worker)
{
    const struct age_set *to = phase->to[v];
    return worker == 0 ? to->words : phase->scratch[v] + (worker - 1) * to->frame->n_words;
}

/* Runs the phase over all spans, each worker on bitmaps of its own, and joins them. */
static enum status run_phase(struct workers *workers, struct expansion *phase, workers_item_job job)
{
    enum status status = STATUS_OK;
    for (unsigned v = 0; v < 2 && status == STATUS_OK; v++) {
        if (phase->to[v])
            status = age_set_split(phase->to[v], workers, &phase->scratch[v]);
    }
    if (status == STATUS_OK)
        status = workers_for(workers, phase->from->n_spans, job, phase);
    for (unsigned v = 0; v < 2 && status == STATUS_OK; v++) {
        if (phase->to[v])
            status = age_set_join(phase->to[v], workers);
    }
    return status;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void insert_queue(const struct age_frame *frame, uint64_t *words,
                                                               const uint64_t *cells, unsigned n)
{
    const struct layout *layout = frame->layout;
    const uint32_t *entry1 = layout->part[0].entry, *entry2 = layout->part[1].entry;
    const uint64_t mask1 = layout->part[0].mask, mask2 = layout->part[1].mask;
    uint32_t key1[QUEUE], key2[QUEUE];
    struct place place[QUEUE];
    for (unsigned i = 0; i < n; i++) {
        key1[i] = (uint32_t)bits_extract(cells[i], mask1);
        key2[i] = (uint32_t)bits_extract(cells[i], mask2);
        __builtin_prefetch(&entry1[key1[i]]);
        __builtin_prefetch(&entry2[key2[i]]);
    }
    for (unsigned i = 0; i < n; i++) {
        place[i] = layout->n_extra == 1 ? age_frame_join(frame, entry1[key1[i]], entry2[key2[i]])
                                        : age_frame_place(frame, cells[i]);
        __builtin_prefetch(&words[place[i].word], 1);
    }
    for (unsigned i = 0; i < n; i++)
        age_set_insert(words, place[i].word, place[i].bit);
}

static inline __attribute__((always_inline)) void expand_moves_of_span(struct expansion *phase,
                                                                       const struct row_span *span, uint64_t *words,
                                                                       unsigned rows, unsigned cols)
{
    const struct age_set *from = phase->from;
    const struct age_frame *frame = from->frame;
    const struct layout *layout = frame->layout;
    const struct layout_part *first = &layout->part[0];
    const uint32_t stride = frame->rows[span->sum].stride;
    const uint64_t *slot_cells =
        layout->slot_cells +
        ((size_t)layout->part[1].first_class[frame->rows[span->sum].second_sum] << layout->group_shift);
    uint64_t queue[QUEUE + DIRECTION_COUNT], n_states = 0, n_terminal = 0;
    unsigned n_queued = 0;
    const uint64_t *row = from->words + frame->rows[span->sum].base + (uint64_t)span->first_row * stride;
    const uint32_t *key1 = first->class_key + first->first_class[span->sum] + span->first_row;
    for (uint32_t r = 0; r < span->n_rows; r++, row += stride) {
        uint64_t first_cells = bits_deposit(key1[r], first->mask);
        for (uint32_t w = 0; w < stride; w++) {
            n_states += (uint64_t)__builtin_popcountll(row[w]);
            for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
                uint64_t cells = first_cells | slot_cells[64 * w + (unsigned)__builtin_ctzll(bits)];
                struct word_moves moves = layout_moves(layout, cells, rows, cols);
                unsigned before = n_queued;
                for (unsigned d = 0; d < DIRECTION_COUNT; d++) { /* no branch: illegal ones are written over */
                    queue[n_queued] = moves.after[d];
                    n_queued += moves.after[d] != cells;
                }
                n_terminal += n_queued == before;
                if (n_queued >= QUEUE - DIRECTION_COUNT) {
                    insert_queue(phase->to[0]->frame, words, queue, n_queued);
                    n_queued = 0;
                }
            }
        }
    }
    insert_queue(phase->to[0]->frame, words, queue, n_queued);
    __atomic_fetch_add(&phase->n_states, n_states, __ATOMIC_RELAXED);
    __atomic_fetch_add(&phase->n_terminal, n_terminal, __ATOMIC_RELAXED);
}

/* The sizes that take long have code of their own: their loops are unrolled. */
static enum status moves_job(void *context, unsigned worker, uint64_t item)
{
    struct expansion *phase = context;
    const struct row_span *span = &phase->from->spans[item];
    const struct grid *grid = phase->from->frame->layout->grid;
    uint64_t *words = words_of(phase, 0, worker);
    switch (10 * grid->rows + grid->cols) {
    case 25:
        expand_moves_of_span(phase, span, words, 2, 5);
        break;
    case 33:
        expand_moves_of_span(phase, span, words, 3, 3);
        break;
    case 34:
        expand_moves_of_span(phase, span, words, 3, 4);
        break;
    case 43:
        expand_moves_of_span(phase, span, words, 4, 3);
        break;
    case 52:
        expand_moves_of_span(phase, span, words, 5, 2);
        break;
    default:
        expand_moves_of_span(phase, span, words, grid->rows, grid->cols);
        break;
    }
    return STATUS_OK;
}

enum status expand_moves(struct workers *workers, const struct age_set *states, struct age_set *afterstates,
                         uint64_t *n_states, uint64_t *n_terminal)
{
    struct expansion phase = {.from = states, .to = {afterstates}};
    assert(states->frame->age == afterstates->frame->age);
    enum status status = run_phase(workers, &phase, moves_job);
    *n_states = phase.n_states;
    *n_terminal = phase.n_terminal;
    return status;
}

/* ---- spawns ------------------------------------------------------------------------------------------------------ */

/* The slow way, for 2x6: every spawn is a whole board. */
static void spawn_whole(const struct expansion *phase, const struct row_span *span, unsigned worker)
{
    struct age_walk walk;
    age_walk_begin(&walk, phase->from, span);
    while (age_walk_next(&walk)) {
        uint64_t empty = phase->from->frame->layout->grid->used & ~board_occupied_bits(walk.cells);
        for (; empty; empty &= empty - 1) {
            uint64_t tile = empty & -empty;
            for (unsigned v = 0; v < 2; v++) {
                if (!phase->to[v])
                    continue;
                struct place place = age_frame_place(phase->to[v]->frame, walk.cells | tile << v);
                age_set_insert(words_of(phase, v, worker), place.word, place.bit);
            }
        }
    }
}

/* Spawns of value v + 1 on the second part: for each board of a row, into the row of the same first part. */
static inline __attribute__((always_inline)) void spawn_second(const struct layout *layout, const uint64_t *row,
                                                               uint32_t stride, const uint64_t *slot_cells,
                                                               uint64_t *to_row, uint32_t coset1, unsigned v)
{
    const uint64_t mask2 = layout->part[1].mask, used2 = mask2 & BOARD_LOW_BITS;
    const uint32_t *entry2 = layout->part[1].entry;
    for (uint32_t w = 0; w < stride; w++) {
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            uint64_t cells2 = slot_cells[64 * w + (unsigned)__builtin_ctzll(bits)];
            for (uint64_t empty = used2 & ~board_occupied_bits(cells2); empty; empty &= empty - 1) {
                uint64_t grown = cells2 | (empty & -empty) << v;
                uint32_t slot = layout_slot(layout, coset1, entry2[bits_extract(grown, mask2)]);
                age_set_insert(to_row, slot >> 6, slot & 63);
            }
        }
    }
}

/* A spawn on the first part: the whole row goes to another row, class by class, turned alike. */
static inline __attribute__((always_inline)) void spawn_first(const struct layout *layout, const uint64_t *row,
                                                              uint32_t stride, const uint8_t *slot_coset,
                                                              uint64_t *to_row, uint32_t coset1)
{
    const uint8_t *turn = layout->turn + coset1 * LAYOUT_COSETS;
    const uint32_t keep_class = ~(layout->n_group - 1);
    for (uint32_t w = 0; w < stride; w++) {
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            uint32_t slot = 64 * w + (unsigned)__builtin_ctzll(bits);
            slot = (slot & keep_class) + turn[slot_coset[slot]];
            age_set_insert(to_row, slot >> 6, slot & 63);
        }
    }
}

static inline __attribute__((always_inline)) void spawn_span(const struct expansion *phase, const struct row_span *span,
                                                             unsigned worker)
{
    const struct age_set *from = phase->from;
    const struct age_frame *frame = from->frame;
    const struct layout *layout = frame->layout;
    const struct layout_part *first = &layout->part[0];
    const uint32_t stride = frame->rows[span->sum].stride;
    const size_t first_slot = (size_t)layout->part[1].first_class[frame->rows[span->sum].second_sum]
                              << layout->group_shift;
    const uint64_t *row = from->words + frame->rows[span->sum].base + (uint64_t)span->first_row * stride;
    for (uint32_t r = 0; r < span->n_rows; r++, row += stride) {
        uint32_t class1 = first->first_class[span->sum] + span->first_row + r;
        uint32_t key1 = first->class_key[class1], entry1 = first->entry[key1];
        for (unsigned v = 0; v < 2; v++) {
            const struct age_set *to = phase->to[v];
            if (!to)
                continue;
            uint64_t *words = words_of(phase, v, worker);
            spawn_second(layout, row, stride, layout->slot_cells + first_slot, words + age_frame_row(to->frame, entry1),
                         layout_entry_coset(entry1), v);
            for (unsigned cell = 0; cell < first->n_cells; cell++) {
                if (key1 >> 4 * cell & 15)
                    continue;
                uint32_t grown = first->entry[key1 | (v + 1) << 4 * cell];
                spawn_first(layout, row, stride, layout->slot_coset + first_slot,
                            words + age_frame_row(to->frame, grown), layout_entry_coset(grown));
            }
        }
    }
}

static enum status spawns_job(void *context, unsigned worker, uint64_t item)
{
    struct expansion *phase = context;
    const struct row_span *span = &phase->from->spans[item];
    if (phase->from->frame->layout->n_extra != 1)
        spawn_whole(phase, span, worker);
    else
        spawn_span(phase, span, worker);
    return STATUS_OK;
}

enum status expand_spawns(struct workers *workers, const struct age_set *afterstates, struct age_set *plus_2,
                          struct age_set *plus_4)
{
    struct expansion phase = {.from = afterstates, .to = {plus_2, plus_4}};
    return run_phase(workers, &phase, spawns_job);
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

void expand_starts(struct age_set *states)
{
    const struct age_frame *frame = states->frame;
    unsigned n_cells = frame->layout->grid->n_cells;
    for (unsigned a = 0; a < n_cells; a++) {
        for (unsigned b = n_cells == 1 ? 0 : a + 1; b < n_cells; b++) {
            for (unsigned kind = 0; kind < 4; kind++) {
                /* On 1x1 there is room for one tile only. */
                struct board board = board_set((struct board){0}, b, 1 + kind / 2);
                board = board_set(board, a, 1 + kind % 2);
                if (board_age(board) != frame->age)
                    continue;
                struct place place = age_frame_place(frame, board.cells);
                age_set_insert(states->words, place.word, place.bit);
            }
        }
    }
}
