/*
 * The values of afterstates: the other half of a backward pass. A row's spawns lead to the same rows as in expand.c: on
 * the second part to one row of each age, on the first part to a row for each empty cell; there the values are read.
 */
#include "solve/evaluate.h"

#include "solve/lanes.h"

/* Values are not negative, so adding a half and cutting off rounds to the nearest. */
static inline void store_value(void *values, uint64_t position, double value, enum value_form form)
{
    if (form == VALUES_FIXED)
        ((uint32_t *)values)[position] = (uint32_t)(int64_t)(value + 0.5);
    else
        ((double *)values)[position] = value;
}

struct afterstate_job {
    const struct solve_rules *rules;
    const struct age_set *afterstates;
    struct valued_set plus[2];
    void *values;
    struct age_figures *figures;
};

/* What a worker learns of the afterstates of a span. */
struct afterstate_sums {
    uint64_t n_ended, n_empty;
};

/* An afterstate is at an end where one cell is empty and both tiles there leave no move: its value is 0 just then. */
static inline void note_afterstate(struct afterstate_sums *sums, unsigned n_empty, double value)
{
    sums->n_empty += n_empty;
    sums->n_ended += n_empty == 1 && value == 0;
}

/* The tiles that appear: from `first` to before `end`, where 0 is a 2 and 1 a 4. */
struct tiles {
    unsigned first, end;
};

static struct tiles tiles_of(const struct solve_rules *rules)
{
    return (struct tiles){rules->chance_of_4 == 1, rules->chance_of_4 == 0 ? 1 : 2};
}

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

static inline double spawns_value(const struct afterstate_job *job, const struct outcome *outcome, struct tiles tiles,
                                  enum solve_variant variant, double n)
{
    double of_4 = job->rules->chance_of_4, of_2 = 1 - of_4;
    if (tiles.end - tiles.first == 1)
        return outcome_value(&outcome[tiles.first], variant, n);
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
                   uint32_t key1, uint64_t position, struct afterstate_sums *sums, struct tiles tiles,
                   enum solve_variant variant, enum value_form form)
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
                for (unsigned v = tiles.first; v < tiles.end; v++) {
                    uint32_t to = layout_code_slot(layout->growth.code[v][i], own[v].turn);
                    outcome_add(&outcome[v], value_in_row(&own[v], job->plus[v].values, to, form));
                }
            }
            for (unsigned i = 0; i < n_grown; i++) {
                for (unsigned v = tiles.first; v < tiles.end; v++) {
                    uint32_t to = (slot & keep_class) + grown[i][v].turn[slot_coset[slot]];
                    outcome_add(&outcome[v], value_in_row(&grown[i][v], job->plus[v].values, to, form));
                }
            }
            unsigned n = n_grown + (growth[slot + 1] - growth[slot]);
            double value = spawns_value(job, outcome, tiles, variant, n);
            store_value(job->values, position++, value, form);
            note_afterstate(sums, n, value);
        }
    }
}

/* The plain way, a board at a time, for the few layouts without by_rows. */
static void evaluate_spawn_boards(const struct afterstate_job *job, const struct row_span *span,
                                  struct afterstate_sums *sums)
{
    const uint64_t free_bits = job->afterstates->frame->layout->free_bits;
    const enum value_form form = job->rules->form;
    const struct tiles tiles = tiles_of(job->rules);
    struct age_walk walk;
    age_walk_begin(&walk, job->afterstates, span);
    while (age_walk_next(&walk)) {
        uint64_t empty = free_bits & ~board_occupied_bits(walk.cells);
        unsigned n = (unsigned)__builtin_popcountll(empty);
        struct outcome outcome[2] = {no_outcome, no_outcome};
        for (; empty; empty &= empty - 1) {
            for (unsigned v = tiles.first; v < tiles.end; v++) {
                struct place place = age_frame_place(job->plus[v].set->frame, walk.cells | (empty & -empty) << v);
                uint32_t position = age_set_position(job->plus[v].set, place);
                outcome_add(&outcome[v], lanes_load_value(job->plus[v].values, position, form));
            }
        }
        double value = spawns_value(job, outcome, tiles, job->rules->variant, n);
        store_value(job->values, walk.position, value, form);
        note_afterstate(sums, n, value);
    }
}

static void evaluate_spawn_rows(const struct afterstate_job *job, const struct row_span *span,
                                struct afterstate_sums *sums)
{
    const struct age_set *set = job->afterstates;
    const struct layout *layout = set->frame->layout;
    const struct age_row rows = set->frame->rows[span->sum];
    const size_t first_slot = (size_t)layout->part[1].first_class[rows.second_sum] << layout->group_shift;
    const uint32_t *key1 = layout->part[0].class_key + layout->part[0].first_class[span->sum] + span->first_row;
    const enum solve_variant variant = job->rules->variant;
    const enum value_form form = job->rules->form;
    const struct tiles tiles = tiles_of(job->rules);
    const bool usual = variant == VARIANT_NORMAL && tiles.end - tiles.first == 2;
    uint64_t row_word = rows.base + (uint64_t)span->first_row * rows.stride;
    for (uint32_t r = 0; r < span->n_rows; r++, row_word += rows.stride) {
        const uint64_t *row = set->words + row_word, position = set->ranks[row_word];
        if (usual && form == VALUES_FIXED)
            evaluate_spawn_row(job, row, rows.stride, first_slot, key1[r], position, sums, (struct tiles){0, 2},
                               VARIANT_NORMAL, VALUES_FIXED);
        else if (usual)
            evaluate_spawn_row(job, row, rows.stride, first_slot, key1[r], position, sums, (struct tiles){0, 2},
                               VARIANT_NORMAL, VALUES_DOUBLE);
        else
            evaluate_spawn_row(job, row, rows.stride, first_slot, key1[r], position, sums, tiles, variant, form);
    }
}

static enum status afterstate_item(void *context, unsigned worker, uint64_t item)
{
    const struct afterstate_job *job = context;
    const struct row_span *span = &job->afterstates->spans[item];
    struct afterstate_sums sums = {0};
    (void)worker;
    if (job->afterstates->frame->layout->by_rows)
        evaluate_spawn_rows(job, span, &sums);
    else
        evaluate_spawn_boards(job, span, &sums);
    if (job->figures) {
        __atomic_fetch_add(&job->figures->n_ended, sums.n_ended, __ATOMIC_RELAXED);
        __atomic_fetch_add(&job->figures->n_empty, sums.n_empty, __ATOMIC_RELAXED);
    }
    return STATUS_OK;
}

enum status evaluate_afterstates(struct workers *workers, const struct solve_rules *rules,
                                 const struct age_set *afterstates, struct valued_set plus_2, struct valued_set plus_4,
                                 void *values, struct age_figures *figures)
{
    struct afterstate_job job = {rules, afterstates, {plus_2, plus_4}, values, figures};
    if (figures)
        figures->n_ended = figures->n_empty = 0;
    return workers_for(workers, afterstates->n_spans, afterstate_item, &job);
}
