/*
 * The two loops in which a backward pass spends its time. They walk as those of expand.c do; where those set a bit,
 * these ask for its rank and then for the value there.
 */
#include "solve/evaluate.h"

#include <assert.h>

const char *const solve_variant_names[VARIANT_COUNT + 1] = {"normal", "optimistic", "pessimistic", NULL};

static const double chance_of_2 = 0.9, chance_of_4 = 0.1;

enum { QUEUE = 256 };

/* ---- states ------------------------------------------------------------------------------------------------------ */

struct state_job {
    const struct age_set *states;
    struct valued_set afterstates;
    double *values;
    uint8_t *moves;
};

/* Afterstates that wait for their values, with what they are of. */
struct queue {
    unsigned n;
    uint64_t cells[QUEUE];
    uint64_t of[QUEUE]; /* position of the state in the high half; reward in the low one, and in its two low bits, which
                           are always 0, the direction */
};

/* The sweeps of expand.c's insert_queue(), and one more: the values' own loads. */
static inline __attribute__((always_inline)) void settle_queue(struct queue *queue, const struct state_job *job)
{
    const struct age_set *set = job->afterstates.set;
    const struct age_frame *frame = set->frame;
    const struct layout *layout = frame->layout;
    const uint32_t *entry1 = layout->part[0].entry, *entry2 = layout->part[1].entry;
    const uint64_t mask1 = layout->part[0].mask, mask2 = layout->part[1].mask;
    const unsigned n = queue->n;
    uint32_t key1[QUEUE], key2[QUEUE];
    struct place place[QUEUE];
    for (unsigned i = 0; i < n; i++) {
        key1[i] = (uint32_t)bits_extract(queue->cells[i], mask1);
        key2[i] = (uint32_t)bits_extract(queue->cells[i], mask2);
        __builtin_prefetch(&entry1[key1[i]]);
        __builtin_prefetch(&entry2[key2[i]]);
    }
    for (unsigned i = 0; i < n; i++) {
        place[i] = layout->n_extra == 1 ? age_frame_join(frame, entry1[key1[i]], entry2[key2[i]])
                                        : age_frame_place(frame, queue->cells[i]);
        __builtin_prefetch(&set->words[place[i].word]);
        __builtin_prefetch(&set->ranks[place[i].word]);
    }
    uint32_t *position = key1; /* done with */
    for (unsigned i = 0; i < n; i++) {
        position[i] = age_set_position(set, place[i]);
        __builtin_prefetch(&job->afterstates.values[position[i]]);
    }
    for (unsigned i = 0; i < n; i++) {
        uint32_t state = (uint32_t)(queue->of[i] >> 32), reward = (uint32_t)queue->of[i] & ~UINT32_C(3);
        double value = reward + job->afterstates.values[position[i]];
        double *best = &job->values[state];
        bool better = value > *best;
        *best = better ? value : *best;
        if (job->moves && better)
            job->moves[state] = (uint8_t)((job->moves[state] & MOVE_FORCED) | (queue->of[i] & 3));
    }
    queue->n = 0;
}

static inline __attribute__((always_inline)) void
evaluate_states_of_span(const struct state_job *job, const struct row_span *span, unsigned rows, unsigned cols)
{
    const struct age_set *states = job->states;
    const struct layout *layout = states->frame->layout;
    struct queue queue;
    struct age_walk walk;
    queue.n = 0;
    age_walk_begin(&walk, states, span);
    while (age_walk_next(&walk)) {
        /* Every reward + value is above -1, so the first legal move takes the place of this; a terminal state's 0 is
           put right below. */
        struct word_moves moves = layout_moves(layout, walk.cells, rows, cols);
        unsigned before = queue.n, n = before;
        uint64_t of = (uint64_t)walk.position << 32;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            queue.cells[n] = moves.after[d];
            queue.of[n] = of | (d & 1 ? moves.horizontal_reward : moves.vertical_reward) | d;
            n += moves.after[d] != walk.cells;
        }
        queue.n = n;
        job->values[walk.position] = queue.n == before ? 0 : -1;
        if (job->moves)
            job->moves[walk.position] = queue.n - before < 2 ? MOVE_FORCED : 0;
        if (queue.n >= QUEUE - DIRECTION_COUNT)
            settle_queue(&queue, job);
    }
    if (queue.n)
        settle_queue(&queue, job);
}

_Static_assert(DIRECTION_RIGHT % 2 == 1 && DIRECTION_LEFT % 2 == 1, "odd directions are horizontal");

static enum status state_item(void *context, unsigned worker, uint64_t item)
{
    const struct state_job *job = context;
    const struct row_span *span = &job->states->spans[item];
    const struct grid *grid = job->states->frame->layout->grid;
    (void)worker;
    switch (10 * grid->rows + grid->cols) {
    case 25:
        evaluate_states_of_span(job, span, 2, 5);
        break;
    case 33:
        evaluate_states_of_span(job, span, 3, 3);
        break;
    case 34:
        evaluate_states_of_span(job, span, 3, 4);
        break;
    case 43:
        evaluate_states_of_span(job, span, 4, 3);
        break;
    case 52:
        evaluate_states_of_span(job, span, 5, 2);
        break;
    default:
        evaluate_states_of_span(job, span, grid->rows, grid->cols);
        break;
    }
    return STATUS_OK;
}

enum status evaluate_states(struct workers *workers, const struct age_set *states, struct valued_set afterstates,
                            double *values, uint8_t *moves)
{
    struct state_job job = {states, afterstates, values, moves};
    return workers_for(workers, states->n_spans, state_item, &job);
}

double evaluate_state(const struct layout *layout, uint64_t cells, struct valued_set afterstates, int *direction)
{
    struct word_moves moves = layout_moves(layout, cells, layout->grid->rows, layout->grid->cols);
    double best = -1;
    int best_direction = -1;
    for (int d = 0; d < DIRECTION_COUNT; d++) {
        if (moves.after[d] == cells)
            continue;
        struct place place = age_frame_place(afterstates.set->frame, moves.after[d]);
        double value = (d & 1 ? moves.horizontal_reward : moves.vertical_reward) +
                       afterstates.values[age_set_position(afterstates.set, place)];
        best_direction = value > best ? d : best_direction;
        best = value > best ? value : best;
    }
    if (direction)
        *direction = best_direction;
    return best_direction < 0 ? 0 : best;
}

/* ---- afterstates ------------------------------------------------------------------------------------------------- */

struct afterstate_job {
    const struct age_set *afterstates;
    struct valued_set plus[2];
    enum solve_variant variant;
    double *values;
};

static inline double value_in_row(const struct valued_set *valued, uint64_t row_word, uint32_t slot)
{
    struct place place = {row_word + (slot >> 6), slot & 63};
    return valued->values[age_set_position(valued->set, place)];
}

/* The chances of one tile: all cells alike, or the best or worst one. `n` cells gave sum, least and most. */
static inline double spawn_value(enum solve_variant variant, double sum, double least, double most, double n)
{
    return variant == VARIANT_NORMAL ? sum / n : variant == VARIANT_OPTIMISTIC ? most : least;
}

struct outcome {
    double sum, least, most;
};

static inline void outcome_add(struct outcome *outcome, double value)
{
    outcome->sum += value;
    outcome->least = value < outcome->least ? value : outcome->least;
    outcome->most = value > outcome->most ? value : outcome->most;
}

/* A cell of the first part that is empty in the present row: where a 2 and a 4 there lead. */
struct grown_row {
    uint64_t row_word[2];
    const uint8_t *turn[2];
};

static unsigned grow_first_part(const struct afterstate_job *job, uint32_t key1, struct grown_row *grown)
{
    const struct layout *layout = job->afterstates->frame->layout;
    const struct layout_part *first = &layout->part[0];
    unsigned n = 0;
    for (unsigned cell = 0; cell < first->n_cells; cell++) {
        if (key1 >> 4 * cell & 15)
            continue;
        for (unsigned v = 0; v < 2; v++) {
            uint32_t entry = first->entry[key1 | (v + 1) << 4 * cell];
            grown[n].row_word[v] = age_frame_row(job->plus[v].set->frame, entry);
            grown[n].turn[v] = layout->turn + layout_entry_coset(entry) * LAYOUT_COSETS;
        }
        n++;
    }
    return n;
}

static inline __attribute__((always_inline)) void evaluate_row(const struct afterstate_job *job, const uint64_t *row,
                                                               uint32_t stride, size_t first_slot, uint32_t key1,
                                                               double *values, enum solve_variant variant)
{
    const struct layout *layout = job->afterstates->frame->layout;
    const uint64_t mask2 = layout->part[1].mask, used2 = mask2 & BOARD_LOW_BITS;
    const uint32_t *entry2 = layout->part[1].entry, entry1 = layout->part[0].entry[key1];
    const uint32_t coset1 = layout_entry_coset(entry1), keep_class = ~(layout->n_group - 1);
    const uint64_t own_row[2] = {age_frame_row(job->plus[0].set->frame, entry1),
                                 age_frame_row(job->plus[1].set->frame, entry1)};
    struct grown_row grown[LAYOUT_MAX_PART_CELLS];
    unsigned n_grown = grow_first_part(job, key1, grown);
    for (uint32_t w = 0; w < stride; w++) {
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            uint32_t slot = 64 * w + (unsigned)__builtin_ctzll(bits);
            uint64_t cells2 = layout->slot_cells[first_slot + slot];
            uint32_t coset2 = layout->slot_coset[first_slot + slot];
            uint64_t empty = used2 & ~board_occupied_bits(cells2);
            double n = n_grown + (unsigned)__builtin_popcountll(empty);
            struct outcome outcome[2] = {{0, 1e300, 0}, {0, 1e300, 0}};
            for (; empty; empty &= empty - 1) {
                for (unsigned v = 0; v < 2; v++) {
                    uint64_t board2 = cells2 | (empty & -empty) << v;
                    uint32_t to = layout_slot(layout, coset1, entry2[bits_extract(board2, mask2)]);
                    outcome_add(&outcome[v], value_in_row(&job->plus[v], own_row[v], to));
                }
            }
            for (unsigned i = 0; i < n_grown; i++) {
                for (unsigned v = 0; v < 2; v++) {
                    uint32_t to = (slot & keep_class) + grown[i].turn[v][coset2];
                    outcome_add(&outcome[v], value_in_row(&job->plus[v], grown[i].row_word[v], to));
                }
            }
            *values++ = chance_of_2 * spawn_value(variant, outcome[0].sum, outcome[0].least, outcome[0].most, n) +
                        chance_of_4 * spawn_value(variant, outcome[1].sum, outcome[1].least, outcome[1].most, n);
        }
    }
}

/* The slow way, for 2x6: every spawn is a whole board. */
static void evaluate_whole(const struct afterstate_job *job, const struct row_span *span)
{
    const struct grid *grid = job->afterstates->frame->layout->grid;
    struct age_walk walk;
    age_walk_begin(&walk, job->afterstates, span);
    while (age_walk_next(&walk)) {
        uint64_t empty = grid->used & ~board_occupied_bits(walk.cells);
        double n = (double)__builtin_popcountll(empty);
        struct outcome outcome[2] = {{0, 1e300, 0}, {0, 1e300, 0}};
        for (; empty; empty &= empty - 1) {
            for (unsigned v = 0; v < 2; v++) {
                struct place place = age_frame_place(job->plus[v].set->frame, walk.cells | (empty & -empty) << v);
                outcome_add(&outcome[v], job->plus[v].values[age_set_position(job->plus[v].set, place)]);
            }
        }
        job->values[walk.position] =
            chance_of_2 * spawn_value(job->variant, outcome[0].sum, outcome[0].least, outcome[0].most, n) +
            chance_of_4 * spawn_value(job->variant, outcome[1].sum, outcome[1].least, outcome[1].most, n);
    }
}

static enum status afterstate_item(void *context, unsigned worker, uint64_t item)
{
    const struct afterstate_job *job = context;
    const struct age_set *set = job->afterstates;
    const struct age_frame *frame = set->frame;
    const struct layout *layout = frame->layout;
    const struct row_span *span = &set->spans[item];
    (void)worker;
    if (layout->n_extra != 1) {
        evaluate_whole(job, span);
        return STATUS_OK;
    }
    const uint32_t stride = frame->rows[span->sum].stride;
    const size_t first_slot = (size_t)layout->part[1].first_class[frame->rows[span->sum].second_sum]
                              << layout->group_shift;
    const uint32_t *key1 = layout->part[0].class_key + layout->part[0].first_class[span->sum] + span->first_row;
    uint64_t row_word = frame->rows[span->sum].base + (uint64_t)span->first_row * stride;
    for (uint32_t r = 0; r < span->n_rows; r++, row_word += stride) {
        double *values = job->values + set->ranks[row_word];
        if (job->variant == VARIANT_NORMAL)
            evaluate_row(job, set->words + row_word, stride, first_slot, key1[r], values, VARIANT_NORMAL);
        else
            evaluate_row(job, set->words + row_word, stride, first_slot, key1[r], values, job->variant);
    }
    return STATUS_OK;
}

enum status evaluate_afterstates(struct workers *workers, const struct age_set *afterstates, struct valued_set plus_2,
                                 struct valued_set plus_4, enum solve_variant variant, double *values)
{
    struct afterstate_job job = {afterstates, {plus_2, plus_4}, variant, values};
    return workers_for(workers, afterstates->n_spans, afterstate_item, &job);
}
