/*
 * The two loops in which a forward pass spends its time.
 *
 * Moves. Boards of a row are moved together, in chunks (row_moves.h): into one row along the axis that moves each part
 * by itself, anywhere along the other, where the words of a chunk are prefetched before their bits are set.
 *
 * Spawns. A tile on a cell of the second part keeps the row: a table has the slots. A tile on a cell of the first part
 * leads to another row, the same for all boards of the present row, and there to the same class of the second part.
 */
#include "solve/expand.h"

#include "solve/lanes.h"
#include "solve/row_moves.h"
#include "solve/row_walk.h"

#include <assert.h>

struct move_counts {
    uint64_t n_states, n_terminal;
};

/* A phase: what all workers share. Counters are summed at the end of each span. */
struct expansion {
    const struct age_set *from;
    struct age_set *to[2]; /* moves: only [0]; spawns: of a 2, of a 4, NULL if not wanted */
    struct move_counts counts;
};

/* Runs the phase over all spans, each worker on bitmaps of its own, and joins them. */
static enum status run_phase(struct workers *workers, struct expansion *phase, workers_item_job job)
{
    enum status status = STATUS_OK;
    for (unsigned v = 0; v < 2 && !status; v++) {
        if (phase->to[v])
            status = age_set_split(phase->to[v], workers);
    }
    if (!status)
        status = workers_for(workers, phase->from->n_spans, job, phase);
    for (unsigned v = 0; v < 2 && !status; v++) {
        if (phase->to[v])
            status = age_set_join(phase->to[v], workers);
    }
    return status;
}

/* A single board. */
static inline void insert(struct worker_words to, uint64_t word, unsigned bit)
{
    age_set_insert(to.words, word, bit);
    if (to.touched)
        age_set_touch(to.touched, word);
}

/* A row that boards go to; `stride` words. */
static inline uint64_t *touch_row(struct worker_words to, uint64_t word, uint32_t stride)
{
    for (uint32_t i = 0; to.touched && i < stride; i += 1 << AGE_SET_BLOCK_SHIFT)
        age_set_touch(to.touched, word + i);
    if (to.touched && stride)
        age_set_touch(to.touched, word + stride - 1);
    return to.words + word;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/* The plain way, a board at a time, for the few layouts without by_rows. */
static void move_boards(const struct expansion *phase, const struct row_span *span, struct worker_words to,
                        struct move_counts *counts)
{
    const struct age_frame *frame = phase->to[0]->frame;
    struct age_walk walk;
    age_walk_begin(&walk, phase->from, span);
    while (age_walk_next(&walk)) {
        struct word_moves moves = layout_board_moves(frame->layout, walk.cells);
        bool terminal = true;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            if (moves.after[d] == walk.cells)
                continue;
            terminal = false;
            if (frame->layout->goal && moves.reward[d])
                continue;
            struct place place = age_frame_place(frame, moves.after[d]);
            insert(to, place.word, place.bit);
        }
        counts->n_states++;
        counts->n_terminal += terminal;
    }
}

/* Moves along an axis that moves each part by itself: into one row for each direction. */
static inline void move_by_part(const struct row_axis *axis, const struct row_chunk *chunk, struct worker_words to,
                                uint32_t stride, uint16_t *movable, bool goal)
{
    for (unsigned end = 0; end < 2; end++) {
        uint16_t slot[ROW_CHUNK_ROOM + LANES];
        if (axis->first_blocked[end])
            continue;
        unsigned n = lanes_move_by_part(chunk->slot, chunk->n, axis->slot_moved[end], axis->turn[end],
                                        axis->first_changes[end], goal, slot, movable);
        if (goal && axis->first_reward[end]) /* all boards of the row reach the goal */
            continue;
        if (n == 0)
            continue;
        uint64_t *row = touch_row(to, axis->row_word[end], stride);
        for (unsigned i = 0; i < n; i++)
            age_set_insert(row, slot[i] >> 6, slot[i] & 63);
    }
}

/*
 * Moves along an axis whose lines cross both parts: anywhere, so the words of the bitmap are fetched one sweep before
 * their bits are set.
 */
static inline __attribute__((always_inline)) void move_crossing(const struct age_frame *frame,
                                                                const struct row_axis *axis, unsigned n_lines,
                                                                const struct row_chunk *chunk, struct worker_words to,
                                                                uint16_t *movable, bool goal)
{
    uint64_t sums[2 * ROW_CHUNK_ROOM + LANES], moved[2 * ROW_CHUNK_ROOM + LANES];
    uint32_t word[2 * ROW_CHUNK_ROOM + LANES], slot[2 * ROW_CHUNK_ROOM + LANES];
    row_axis_cross(axis, n_lines, chunk, sums);
    if (goal && frame->layout->walls.cells)
        lanes_drop_blocked(sums, chunk->n);
    unsigned n = lanes_legal(sums, chunk->n, goal, moved, NULL, movable);
    lanes_join(frame, moved, n, word, slot);
    for (unsigned i = 0; i < n; i++)
        __builtin_prefetch(&to.words[word[i]], 1);
    for (unsigned i = 0; to.touched && i < n; i++)
        age_set_touch(to.touched, word[i]);
    for (unsigned i = 0; i < n; i++)
        age_set_insert(to.words, word[i], slot[i] & 63);
}

static inline __attribute__((always_inline)) void move_chunk(const struct age_frame *frame,
                                                             const struct row_moves *moves,
                                                             const struct row_chunk *chunk, struct worker_words to,
                                                             uint32_t stride, struct move_counts *counts, bool goal)
{
    uint16_t movable[ROW_CHUNK_ROOM / LANES + 1] = {0};
    for (unsigned a = 0; a < 2; a++) {
        const struct row_axis *axis = &moves->axis[a];
        unsigned n_lines = axis->layout->n_lines;
        if (axis->layout->by_part)
            move_by_part(axis, chunk, to, stride, movable, goal);
        else if (n_lines == 3) /* constants unroll the loops over lines */
            move_crossing(frame, axis, 3, chunk, to, movable, goal);
        else if (n_lines == 2)
            move_crossing(frame, axis, 2, chunk, to, movable, goal);
        else if (n_lines == 4)
            move_crossing(frame, axis, 4, chunk, to, movable, goal);
        else
            move_crossing(frame, axis, n_lines, chunk, to, movable, goal);
    }
    unsigned n_movable = 0;
    for (unsigned i = 0; i < sizeof movable / sizeof *movable; i++)
        n_movable += (unsigned)__builtin_popcount(movable[i]);
    counts->n_states += chunk->n;
    counts->n_terminal += chunk->n - n_movable;
}

static void move_rows(const struct expansion *phase, const struct row_span *span, struct worker_words to,
                      struct move_counts *counts)
{
    const struct age_frame *frame = phase->from->frame;
    struct row_walk walk;
    row_walk_begin(&walk, phase->from, span, frame);
    while (row_walk_next(&walk)) {
        if (frame->layout->goal)
            move_chunk(frame, &walk.moves, &walk.chunk, to, walk.stride, counts, true);
        else
            move_chunk(frame, &walk.moves, &walk.chunk, to, walk.stride, counts, false);
    }
}

static enum status moves_job(void *context, unsigned worker, uint64_t item)
{
    struct expansion *phase = context;
    const struct row_span *span = &phase->from->spans[item];
    struct move_counts counts = {0};
    if (phase->from->frame->layout->by_rows)
        move_rows(phase, span, age_set_words_of(phase->to[0], worker), &counts);
    else
        move_boards(phase, span, age_set_words_of(phase->to[0], worker), &counts);
    __atomic_fetch_add(&phase->counts.n_states, counts.n_states, __ATOMIC_RELAXED);
    __atomic_fetch_add(&phase->counts.n_terminal, counts.n_terminal, __ATOMIC_RELAXED);
    return STATUS_OK;
}

enum status expand_moves(struct workers *workers, const struct age_set *states, struct age_set *afterstates,
                         uint64_t *n_states, uint64_t *n_terminal)
{
    struct expansion phase = {.from = states, .to = {afterstates}};
    assert(states->frame->age == afterstates->frame->age);
    enum status status = run_phase(workers, &phase, moves_job);
    *n_states = phase.counts.n_states;
    *n_terminal = phase.counts.n_terminal;
    return status;
}

/* ---- spawns ------------------------------------------------------------------------------------------------------ */

/* The plain way, a board at a time, for the few layouts without by_rows. */
static void spawn_whole(const struct expansion *phase, const struct row_span *span, unsigned worker)
{
    struct age_walk walk;
    age_walk_begin(&walk, phase->from, span);
    while (age_walk_next(&walk)) {
        uint64_t empty = phase->from->frame->layout->free_bits & ~board_occupied_bits(walk.cells);
        for (; empty; empty &= empty - 1) {
            uint64_t tile = empty & -empty;
            for (unsigned v = 0; v < 2; v++) {
                if (!phase->to[v])
                    continue;
                struct place place = age_frame_place(phase->to[v]->frame, walk.cells | tile << v);
                insert(age_set_words_of(phase->to[v], worker), place.word, place.bit);
            }
        }
    }
}

/* Spawns on the second part: for each board of a row, into the row of the same first part. */
static inline void spawn_second(const uint64_t *row, uint32_t stride, const uint32_t *growth, const uint32_t *code,
                                const uint8_t *turn, uint64_t *to_row)
{
    for (uint32_t w = 0; w < stride; w++) {
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            uint32_t slot = 64 * w + (unsigned)__builtin_ctzll(bits);
            for (uint32_t i = growth[slot]; i < growth[slot + 1]; i++) {
                uint32_t to = layout_code_slot(code[i], turn);
                age_set_insert(to_row, to >> 6, to & 63);
            }
        }
    }
}

/*
 * A spawn on the first part: the whole row goes to another row, class by class, turned alike. Where the class of the
 * second part has no symmetry of its own, the coset is the turn, so all such classes change their turns in the same
 * way, and a word of the bitmap is moved at once: bit i of each group of n_group bits goes to the bit of its new turn.
 */
static inline void spawn_first(const struct layout *layout, const uint64_t *row, uint32_t stride,
                               uint32_t n_symmetric_words, const uint8_t *slot_coset, uint64_t *to_row,
                               const uint8_t *turn)
{
    const unsigned n_group = layout->n_group;
    const uint32_t keep_class = ~(n_group - 1);
    for (uint32_t w = 0; w < n_symmetric_words; w++) {
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            uint32_t slot = 64 * w + (unsigned)__builtin_ctzll(bits);
            slot = (slot & keep_class) + turn[slot_coset[slot]];
            age_set_insert(to_row, slot >> 6, slot & 63);
        }
    }
    if (n_symmetric_words == stride)
        return;
    const uint64_t first_of_group = UINT64_MAX / ((UINT64_C(1) << n_group) - 1);
    for (unsigned i = 0; i < n_group; i++) {
        unsigned to = turn[slot_coset[64 * n_symmetric_words + i]];
        for (uint32_t w = n_symmetric_words; w < stride; w++)
            to_row[w] |= (row[w] >> i & first_of_group) << to;
    }
}

/* The row of a first part where spawns lead, to be filled. */
static inline uint64_t *row_in(const struct age_set *to, struct worker_words words, uint32_t entry1)
{
    return touch_row(words, age_frame_row(to->frame, entry1), to->frame->rows[layout_entry_sum(entry1)].stride);
}

static void spawn_span(const struct expansion *phase, const struct row_span *span, unsigned worker)
{
    const struct age_set *from = phase->from;
    const struct age_frame *frame = from->frame;
    const struct layout *layout = frame->layout;
    const struct layout_part *first = &layout->part[0], *second = &layout->part[1];
    const struct age_row rows = frame->rows[span->sum];
    const size_t first_slot = (size_t)second->first_class[rows.second_sum] << layout->group_shift;
    const uint32_t n_symmetric_words = ((second->n_symmetric[rows.second_sum] << layout->group_shift) + 63) / 64;
    const uint64_t *row = from->words + rows.base + (uint64_t)span->first_row * rows.stride;
    for (uint32_t r = 0; r < span->n_rows; r++, row += rows.stride) {
        uint32_t class1 = first->first_class[span->sum] + span->first_row + r;
        uint32_t key1 = first->class_key[class1], entry1 = first->entry[key1];
        for (unsigned v = 0; v < 2; v++) {
            const struct age_set *to = phase->to[v];
            if (!to || !to->frame->n_words)
                continue;
            const struct worker_words words = age_set_words_of(to, worker);
            spawn_second(row, rows.stride, layout->growth.first + first_slot, layout->growth.code[v],
                         layout->turn + layout_entry_coset(entry1) * LAYOUT_COSETS, row_in(to, words, entry1));
            for (unsigned cell = 0; cell < first->n_cells; cell++) {
                if (key1 >> 4 * cell & 15)
                    continue;
                uint32_t grown = first->entry[key1 | (v + 1) << 4 * cell];
                spawn_first(layout, row, rows.stride, n_symmetric_words, layout->slot_coset + first_slot,
                            row_in(to, words, grown), layout->turn + layout_entry_coset(grown) * LAYOUT_COSETS);
            }
        }
    }
}

static enum status spawns_job(void *context, unsigned worker, uint64_t item)
{
    struct expansion *phase = context;
    const struct row_span *span = &phase->from->spans[item];
    if (phase->from->frame->layout->by_rows)
        spawn_span(phase, span, worker);
    else
        spawn_whole(phase, span, worker);
    return STATUS_OK;
}

enum status expand_spawns(struct workers *workers, const struct age_set *afterstates, struct age_set *plus_2,
                          struct age_set *plus_4)
{
    struct expansion phase = {.from = afterstates, .to = {plus_2, plus_4}};
    return run_phase(workers, &phase, spawns_job);
}

/* ---- starts ------------------------------------------------------------------------------------------------------ */

static void insert_start(void *context, struct board board)
{
    const struct age_set *states = context;
    struct place place = age_frame_place(states->frame, board.cells);
    age_set_insert(states->words, place.word, place.bit);
}

void expand_starts(struct age_set *states, double chance_of_4)
{
    const struct age_frame *frame = states->frame;
    unsigned n_cells = frame->layout->grid->n_cells;
    if (frame->layout->walls.cells) {
        walls_each_start(frame->layout->walls, frame->layout->grid, frame->age, chance_of_4, insert_start, states);
        return;
    }
    for (unsigned a = 0; a < n_cells; a++) {
        for (unsigned b = n_cells == 1 ? 0 : a + 1; b < n_cells; b++) {
            for (unsigned kind = 0; kind < 4; kind++) {
                /* On 1x1 there is room for one tile only. */
                struct board board = board_set((struct board){0}, b, 1 + kind / 2);
                board = board_set(board, a, 1 + kind % 2);
                unsigned n_fours = n_cells == 1 ? kind % 2 : kind / 2 + kind % 2, n_tiles = n_cells == 1 ? 1 : 2;
                bool possible = (chance_of_4 > 0 || n_fours == 0) && (chance_of_4 < 1 || n_fours == n_tiles);
                if (board_age(board) != frame->age || !possible)
                    continue;
                struct place place = age_frame_place(frame, board.cells);
                age_set_insert(states->words, place.word, place.bit);
            }
        }
    }
}
