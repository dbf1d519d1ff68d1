/*
 * The two loops in which a backward pass spends its time. They walk as those of expand.c do; where those set a bit,
 * these ask for its rank and then for the value there.
 *
 * All arithmetic is in doubles, in units of the stored values: those of 32 bits and their sums are exact in a double.
 * Functions that take the form of the values as an argument are always inlined with a constant one.
 */
#include "solve/evaluate.h"

#include "solve/lanes.h"
#include "solve/row_moves.h"

#include <assert.h>

const char *const solve_variant_names[VARIANT_COUNT + 1] = {"normal", "optimistic", "pessimistic", NULL};

/* Values are not negative, so adding a half and cutting off rounds to the nearest. */
static inline void store_value(void *values, uint64_t position, double value, enum value_form form)
{
    if (form == VALUES_FIXED)
        ((uint32_t *)values)[position] = (uint32_t)(int64_t)(value + 0.5);
    else
        ((double *)values)[position] = value;
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

struct state_job {
    const struct solve_rules *rules;
    const struct age_set *states;
    struct valued_set afterstates;
    void *values;
    uint8_t *moves;
};

enum { CHUNK_ROOM = ROW_CHUNK_ROOM + LANES, MOVED_ROOM = 2 * ROW_CHUNK_ROOM + LANES };

static const double illegal = -1; /* below every reward + value */

/* The values of the four moves of each board of a chunk, in the order of enum direction. */
struct chunk_values {
    double of[DIRECTION_COUNT][CHUNK_ROOM];
};
_Static_assert(DIRECTION_COUNT *CHUNK_ROOM <= UINT16_MAX, "an index of all values fits");

static const enum direction axis_direction[2][2] = {{DIRECTION_LEFT, DIRECTION_RIGHT}, {DIRECTION_UP, DIRECTION_DOWN}};

/* Along an axis that moves the parts apart: all boards go to one row for each direction. */
static inline __attribute__((always_inline)) void value_apart(const struct state_job *job, const struct row_axis *axis,
                                                              const struct row_chunk *chunk, unsigned a,
                                                              struct chunk_values *values, enum value_form form)
{
    for (unsigned end = 0; end < 2; end++) {
        const struct lanes_apart apart = {
            .set = job->afterstates.set,
            .values = job->afterstates.values,
            .codes = axis->slot_moved[end],
            .turn = axis->turn[end],
            .row_word = (uint32_t)axis->row_word[end],
            .first_reward = axis->first_reward,
            .always = axis->first_changes[end],
            .unit = 4 * job->rules->unit,
            .illegal = illegal,
        };
        lanes_value_apart(&apart, chunk->slot, chunk->n, values->of[axis_direction[a][end]], form);
    }
}

/* Along an axis whose lines cross both parts: anywhere, so each sweep fetches what the next one needs. */
static inline __attribute__((always_inline)) void value_crossing(const struct state_job *job,
                                                                 const struct row_axis *axis, unsigned n_lines,
                                                                 const struct row_chunk *chunk, unsigned a,
                                                                 struct chunk_values *values, enum value_form form)
{
    const struct age_set *set = job->afterstates.set;
    const unsigned direction[2] = {axis_direction[a][0], axis_direction[a][1]};
    uint64_t moved[MOVED_ROOM];
    uint32_t word[MOVED_ROOM], slot[MOVED_ROOM], position[MOVED_ROOM];
    uint16_t where[MOVED_ROOM]; /* in `values` */
    double value[MOVED_ROOM];
    unsigned n = 0;
    for (unsigned i = 0; i < chunk->n; i++) {
        struct line_moves sum = row_axis_cross(axis, n_lines, chunk->slot[i]);
        moved[n] = sum.to_start; /* without a branch: illegal ones are written over */
        where[n] = (uint16_t)(direction[0] * CHUNK_ROOM + i);
        n += line_moves_change(sum.to_start);
        moved[n] = sum.to_end;
        where[n] = (uint16_t)(direction[1] * CHUNK_ROOM + i);
        n += line_moves_change(sum.to_end);
        values->of[direction[0]][i] = values->of[direction[1]][i] = illegal;
    }
    lanes_join(set->frame, moved, n, word, slot);
    for (unsigned i = 0; i < n; i++) {
        __builtin_prefetch(&set->words[word[i]]);
        __builtin_prefetch(&set->ranks[word[i]]);
    }
    lanes_positions(set, word, slot, n, position);
    for (unsigned i = 0; i < n; i++)
        __builtin_prefetch((const char *)job->afterstates.values + position[i] * value_form_bytes(form));
    lanes_values(job->afterstates.values, position, moved, 4 * job->rules->unit, n, value, form);
    for (unsigned i = 0; i < n; i++)
        values->of[0][where[i]] = value[i];
}

/* Values of the moves of a chunk. Constant numbers of lines unroll the loops over them. */
static inline __attribute__((always_inline)) void value_chunk(const struct state_job *job,
                                                              const struct row_moves *moves,
                                                              const struct row_chunk *chunk,
                                                              struct chunk_values *values, enum value_form form)
{
    for (unsigned a = 0; a < 2; a++) {
        const struct row_axis *axis = &moves->axis[a];
        if (axis->layout->apart)
            value_apart(job, axis, chunk, a, values, form);
        else if (axis->layout->n_lines == 3)
            value_crossing(job, axis, 3, chunk, a, values, form);
        else if (axis->layout->n_lines == 2)
            value_crossing(job, axis, 2, chunk, a, values, form);
        else
            value_crossing(job, axis, axis->layout->n_lines, chunk, a, values, form);
    }
}

/* The best of the four, into the place of the state. */
static inline __attribute__((always_inline)) void keep_best(const struct state_job *job,
                                                            const struct chunk_values *values, unsigned n,
                                                            uint64_t position, enum value_form form)
{
    for (unsigned i = 0; i < n; i++) {
        double best = 0; /* of a terminal state; a legal move's value may be 0, never less */
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            best = values->of[d][i] > best ? values->of[d][i] : best;
        store_value(job->values, position + i, best, form);
    }
    if (!job->moves)
        return;
    for (unsigned i = 0; i < n; i++) {
        unsigned best = 0, n_legal = 0;
        double best_value = illegal;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            best = values->of[d][i] > best_value ? d : best;
            best_value = values->of[d][i] > best_value ? values->of[d][i] : best_value;
            n_legal += values->of[d][i] > illegal;
        }
        job->moves[position + i] = (uint8_t)(best | (n_legal < 2 ? MOVE_FORCED : 0));
    }
}

static inline __attribute__((always_inline)) void evaluate_rows(const struct state_job *job,
                                                                const struct row_span *span, enum value_form form)
{
    const struct age_set *states = job->states;
    const struct age_frame *frame = states->frame;
    const struct layout *layout = frame->layout;
    const struct age_row rows = frame->rows[span->sum];
    const size_t first_slot = (size_t)layout->part[1].first_class[rows.second_sum] << layout->group_shift;
    const uint32_t *key1 = layout->part[0].class_key + layout->part[0].first_class[span->sum] + span->first_row;
    uint64_t row_word = rows.base + (uint64_t)span->first_row * rows.stride;
    for (uint32_t r = 0; r < span->n_rows; r++, row_word += rows.stride) {
        uint64_t position = states->ranks[row_word];
        struct row_chunk chunk;
        struct row_moves moves;
        struct chunk_values values;
        bool begun = false;
        chunk.n = 0;
        for (uint32_t w = 0; w < rows.stride; w++) {
            if (states->words[row_word + w])
                chunk.n += lanes_list_bits(states->words[row_word + w], (uint16_t)(64 * w), chunk.slot + chunk.n);
            if (chunk.n == 0 || (chunk.n < ROW_CHUNK && w + 1 < rows.stride))
                continue;
            if (!begun)
                row_moves_begin(&moves, job->afterstates.set->frame, key1[r], first_slot);
            begun = true;
            value_chunk(job, &moves, &chunk, &values, form);
            keep_best(job, &values, chunk.n, position, form);
            position += chunk.n;
            chunk.n = 0;
        }
    }
}

/* The plain way, a board at a time, for the few layouts without by_rows. */
static void evaluate_boards(const struct state_job *job, const struct row_span *span)
{
    const struct age_set *set = job->afterstates.set;
    const struct grid *grid = set->frame->layout->grid;
    const enum value_form form = job->rules->form;
    struct age_walk walk;
    age_walk_begin(&walk, job->states, span);
    while (age_walk_next(&walk)) {
        struct word_moves moves = layout_moves(set->frame->layout, walk.cells, grid->rows, grid->cols);
        struct chunk_values values;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            values.of[d][0] = illegal;
            if (moves.after[d] == walk.cells)
                continue;
            uint32_t reward = d & 1 ? moves.horizontal_reward : moves.vertical_reward;
            uint32_t position = age_set_position(set, age_frame_place(set->frame, moves.after[d]));
            values.of[d][0] = reward * job->rules->unit + lanes_load_value(job->afterstates.values, position, form);
        }
        keep_best(job, &values, 1, walk.position, form);
    }
}

_Static_assert(DIRECTION_RIGHT % 2 == 1 && DIRECTION_LEFT % 2 == 1, "odd directions are horizontal");

static enum status state_item(void *context, unsigned worker, uint64_t item)
{
    const struct state_job *job = context;
    const struct row_span *span = &job->states->spans[item];
    (void)worker;
    if (!job->states->frame->layout->by_rows)
        evaluate_boards(job, span);
    else if (job->rules->form == VALUES_FIXED)
        evaluate_rows(job, span, VALUES_FIXED);
    else
        evaluate_rows(job, span, VALUES_DOUBLE);
    return STATUS_OK;
}

enum status evaluate_states(struct workers *workers, const struct solve_rules *rules, const struct age_set *states,
                            struct valued_set afterstates, void *values, uint8_t *moves)
{
    struct state_job job = {rules, states, afterstates, values, moves};
    return workers_for(workers, states->n_spans, state_item, &job);
}

/* ---- afterstates ------------------------------------------------------------------------------------------------- */

struct afterstate_job {
    const struct solve_rules *rules;
    const struct age_set *afterstates;
    struct valued_set plus[2];
    void *values;
};

/* What the spawns of one tile on the cells of a board lead to. */
struct outcome {
    double sum, least, most;
};

static const struct outcome no_outcome = {0, 1e300, 0};

static inline void outcome_add(struct outcome *outcome, double value)
{
    outcome->sum += value;
    outcome->least = value < outcome->least ? value : outcome->least;
    outcome->most = value > outcome->most ? value : outcome->most;
}

/* The chances of one tile on n cells: all alike, or the best or worst one. */
static inline double outcome_value(const struct outcome *outcome, enum solve_variant variant, double n)
{
    return variant == VARIANT_NORMAL       ? outcome->sum / n
           : variant == VARIANT_OPTIMISTIC ? outcome->most
                                           : outcome->least;
}

static inline double spawns_value(const struct afterstate_job *job, const struct outcome *outcome,
                                  enum solve_variant variant, double n)
{
    double of_4 = job->rules->chance_of_4, of_2 = 1 - of_4;
    return of_2 * outcome_value(&outcome[0], variant, n) + of_4 * outcome_value(&outcome[1], variant, n);
}

/* A row of a set of states where spawns lead, and what turns codes of the second part into its slots. */
struct spawn_row {
    const uint64_t *words;
    const uint32_t *ranks;
    const uint8_t *turn;
};

static struct spawn_row spawn_row_of(const struct valued_set *plus, uint32_t entry1)
{
    uint64_t word = age_frame_row(plus->set->frame, entry1);
    return (struct spawn_row){plus->set->words + word, plus->set->ranks + word,
                              plus->set->frame->layout->turn + layout_entry_coset(entry1) * LAYOUT_COSETS};
}

static inline double value_in_row(const struct spawn_row *row, const void *values, uint32_t slot, enum value_form form)
{
    uint64_t below = row->words[slot >> 6] & ((UINT64_C(1) << (slot & 63)) - 1);
    return lanes_load_value(values, row->ranks[slot >> 6] + (uint64_t)__builtin_popcountll(below), form);
}

/* The rows of a 2 and a 4 on each empty cell of the first part. */
static unsigned grow_first_part(const struct afterstate_job *job, uint32_t key1, struct spawn_row (*grown)[2])
{
    const struct layout_part *first = &job->afterstates->frame->layout->part[0];
    unsigned n = 0;
    for (unsigned cell = 0; cell < first->n_cells; cell++) {
        if (key1 >> 4 * cell & 15)
            continue;
        for (unsigned v = 0; v < 2; v++)
            grown[n][v] = spawn_row_of(&job->plus[v], first->entry[key1 | (v + 1) << 4 * cell]);
        n++;
    }
    return n;
}

static inline __attribute__((always_inline)) void
evaluate_spawn_row(const struct afterstate_job *job, const uint64_t *row, uint32_t stride, size_t first_slot,
                   uint32_t key1, uint64_t position, enum solve_variant variant, enum value_form form)
{
    const struct layout *layout = job->afterstates->frame->layout;
    const uint32_t *growth = layout->growth.first + first_slot;
    const uint8_t *slot_coset = layout->slot_coset + first_slot;
    const uint32_t entry1 = layout->part[0].entry[key1], keep_class = ~(layout->n_group - 1);
    const struct spawn_row own[2] = {spawn_row_of(&job->plus[0], entry1), spawn_row_of(&job->plus[1], entry1)};
    struct spawn_row grown[LAYOUT_MAX_PART_CELLS][2];
    const unsigned n_grown = grow_first_part(job, key1, grown);
    for (uint32_t w = 0; w < stride; w++) {
        for (uint64_t bits = row[w]; bits; bits &= bits - 1) {
            uint32_t slot = 64 * w + (unsigned)__builtin_ctzll(bits);
            struct outcome outcome[2] = {no_outcome, no_outcome};
            for (uint32_t i = growth[slot]; i < growth[slot + 1]; i++) {
                for (unsigned v = 0; v < 2; v++) {
                    uint32_t to = layout_code_slot(layout->growth.code[v][i], own[v].turn);
                    outcome_add(&outcome[v], value_in_row(&own[v], job->plus[v].values, to, form));
                }
            }
            for (unsigned i = 0; i < n_grown; i++) {
                for (unsigned v = 0; v < 2; v++) {
                    uint32_t to = (slot & keep_class) + grown[i][v].turn[slot_coset[slot]];
                    outcome_add(&outcome[v], value_in_row(&grown[i][v], job->plus[v].values, to, form));
                }
            }
            double n = n_grown + (growth[slot + 1] - growth[slot]);
            store_value(job->values, position++, spawns_value(job, outcome, variant, n), form);
        }
    }
}

/* The plain way, a board at a time, for the few layouts without by_rows. */
static void evaluate_spawn_boards(const struct afterstate_job *job, const struct row_span *span)
{
    const struct grid *grid = job->afterstates->frame->layout->grid;
    const enum value_form form = job->rules->form;
    struct age_walk walk;
    age_walk_begin(&walk, job->afterstates, span);
    while (age_walk_next(&walk)) {
        uint64_t empty = grid->used & ~board_occupied_bits(walk.cells);
        double n = (double)__builtin_popcountll(empty);
        struct outcome outcome[2] = {no_outcome, no_outcome};
        for (; empty; empty &= empty - 1) {
            for (unsigned v = 0; v < 2; v++) {
                struct place place = age_frame_place(job->plus[v].set->frame, walk.cells | (empty & -empty) << v);
                uint32_t position = age_set_position(job->plus[v].set, place);
                outcome_add(&outcome[v], lanes_load_value(job->plus[v].values, position, form));
            }
        }
        store_value(job->values, walk.position, spawns_value(job, outcome, job->rules->variant, n), form);
    }
}

static enum status afterstate_item(void *context, unsigned worker, uint64_t item)
{
    const struct afterstate_job *job = context;
    const struct age_set *set = job->afterstates;
    const struct layout *layout = set->frame->layout;
    const struct row_span *span = &set->spans[item];
    (void)worker;
    if (!layout->by_rows) {
        evaluate_spawn_boards(job, span);
        return STATUS_OK;
    }
    const struct age_row rows = set->frame->rows[span->sum];
    const size_t first_slot = (size_t)layout->part[1].first_class[rows.second_sum] << layout->group_shift;
    const uint32_t *key1 = layout->part[0].class_key + layout->part[0].first_class[span->sum] + span->first_row;
    const enum solve_variant variant = job->rules->variant;
    uint64_t row_word = rows.base + (uint64_t)span->first_row * rows.stride;
    for (uint32_t r = 0; r < span->n_rows; r++, row_word += rows.stride) {
        const uint64_t *row = set->words + row_word, position = set->ranks[row_word];
        if (variant == VARIANT_NORMAL && job->rules->form == VALUES_FIXED)
            evaluate_spawn_row(job, row, rows.stride, first_slot, key1[r], position, VARIANT_NORMAL, VALUES_FIXED);
        else if (variant == VARIANT_NORMAL)
            evaluate_spawn_row(job, row, rows.stride, first_slot, key1[r], position, VARIANT_NORMAL, VALUES_DOUBLE);
        else
            evaluate_spawn_row(job, row, rows.stride, first_slot, key1[r], position, variant, job->rules->form);
    }
    return STATUS_OK;
}

enum status evaluate_afterstates(struct workers *workers, const struct solve_rules *rules,
                                 const struct age_set *afterstates, struct valued_set plus_2, struct valued_set plus_4,
                                 void *values)
{
    struct afterstate_job job = {rules, afterstates, {plus_2, plus_4}, values};
    return workers_for(workers, afterstates->n_spans, afterstate_item, &job);
}
