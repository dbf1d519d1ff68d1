/*
 * The values of states: half of a backward pass, the other is in evaluate_spawns.c. Boards are visited as expand.c
 * does; where it sets a bit, this reads the bit's rank and then the value there.
 *
 * All arithmetic is in doubles, in units of the stored values: those of 32 bits and their sums are exact in a double.
 * Functions that take the form of the values as an argument are always inlined with a constant one.
 */
#include "solve/evaluate.h"

#include "solve/lanes.h"
#include "solve/row_moves.h"
#include "solve/row_walk.h"

struct state_job {
    const struct solve_rules *rules;
    const struct age_set *states;
    struct valued_set afterstates;
    void *values;
    uint8_t *moves;
    struct age_figures *figures;
    double points_each; /* of a unit; exact, units being powers of 2 */
};

enum { CHUNK_ROOM = ROW_CHUNK_ROOM + LANES, MOVED_ROOM = 2 * ROW_CHUNK_ROOM + LANES };

static const double illegal = -1; /* below every reward + value */

/* The values of the four moves of each board of a chunk, in the order of enum direction. */
struct chunk_values {
    double of[DIRECTION_COUNT][CHUNK_ROOM];
};

static const enum direction axis_direction[2][2] = {{DIRECTION_LEFT, DIRECTION_RIGHT}, {DIRECTION_UP, DIRECTION_DOWN}};

/* The four moves of a chunk, computed axis by axis. `goal` and `form` are constants wherever these are called. */
struct chunk_job {
    const struct state_job *job;
    const struct row_chunk *chunk;
    struct chunk_values *values;
    double reward_unit; /* of a quarter of a reward; 0 with a goal */
};

/* Along an axis that moves each part by itself: all boards go to one row for each direction. */
static inline __attribute__((always_inline)) void value_by_part(const struct chunk_job *chunk_job,
                                                                const struct row_axis *axis, unsigned a, bool goal,
                                                                enum value_form form)
{
    const struct state_job *job = chunk_job->job;
    const struct row_chunk *chunk = chunk_job->chunk;
    for (unsigned end = 0; end < 2; end++) {
        double *to = chunk_job->values->of[axis_direction[a][end]];
        const struct lanes_by_part by_part = {
            .set = job->afterstates.set,
            .values = job->afterstates.values,
            .codes = axis->slot_moved[end],
            .turn = axis->turn[end],
            .row_word = (uint32_t)axis->row_word[end],
            .first_reward = axis->first_reward[end],
            .always = axis->first_changes[end],
            .goal = goal,
            .certain = job->rules->unit,
            .unit = chunk_job->reward_unit,
            .illegal = illegal,
        };
        if (axis->first_blocked[end]) {
            for (unsigned i = 0; i < chunk->n; i++)
                to[i] = illegal;
        } else if (goal && axis->first_reward[end]) { /* all boards of the row that may move so reach the goal */
            for (unsigned i = 0; i < chunk->n; i++)
                to[i] = layout_code_blocked(by_part.codes[chunk->slot[i]]) ? illegal : by_part.certain;
        } else {
            lanes_value_by_part(&by_part, chunk->slot, chunk->n, to, form);
        }
    }
}

/* Along an axis whose lines cross both parts: anywhere, so each sweep fetches what the next one needs. */
static inline __attribute__((always_inline)) void value_crossing(const struct chunk_job *chunk_job,
                                                                 const struct row_axis *axis, unsigned n_lines,
                                                                 unsigned a, bool goal, enum value_form form)
{
    const struct state_job *job = chunk_job->job;
    const struct row_chunk *chunk = chunk_job->chunk;
    const struct age_set *set = job->afterstates.set;
    double *to[2] = {chunk_job->values->of[axis_direction[a][0]], chunk_job->values->of[axis_direction[a][1]]};
    uint64_t sums[MOVED_ROOM], moved[MOVED_ROOM];
    uint32_t word[MOVED_ROOM], slot[MOVED_ROOM], position[MOVED_ROOM];
    uint16_t which[MOVED_ROOM], movable[ROW_CHUNK_ROOM / LANES + 1] = {0};
    double value[MOVED_ROOM];
    row_axis_cross(axis, n_lines, chunk, sums);
    if (goal && set->frame->layout->walls.cells)
        lanes_drop_blocked(sums, chunk->n);
    unsigned n = lanes_legal(sums, chunk->n, goal, moved, which, movable);
    for (unsigned i = 0; i < chunk->n; i++) {
        to[0][i] = goal && line_moves_reward(sums[2 * i]) ? job->rules->unit : illegal;
        to[1][i] = goal && line_moves_reward(sums[2 * i + 1]) ? job->rules->unit : illegal;
    }
    lanes_join(set->frame, moved, n, word, slot);
    for (unsigned i = 0; i < n; i++) {
        __builtin_prefetch(&set->words[word[i]]);
        __builtin_prefetch(&set->ranks[word[i]]);
    }
    lanes_positions(set, word, slot, n, position);
    for (unsigned i = 0; i < n; i++)
        __builtin_prefetch((const char *)job->afterstates.values + position[i] * value_form_bytes(form));
    lanes_values(job->afterstates.values, position, moved, chunk_job->reward_unit, n, value, form);
    for (unsigned i = 0; i < n; i++)
        to[which[i] & 1][which[i] >> 1] = value[i];
}

static inline __attribute__((always_inline)) void
value_chunk(const struct chunk_job *chunk_job, const struct row_moves *moves, bool goal, enum value_form form)
{
    for (unsigned a = 0; a < 2; a++) {
        const struct row_axis *axis = &moves->axis[a];
        unsigned n_lines = axis->layout->n_lines;
        if (axis->layout->by_part)
            value_by_part(chunk_job, axis, a, goal, form);
        else if (n_lines == 3) /* constants unroll the loops over lines */
            value_crossing(chunk_job, axis, 3, a, goal, form);
        else if (n_lines == 2)
            value_crossing(chunk_job, axis, 2, a, goal, form);
        else if (n_lines == 4)
            value_crossing(chunk_job, axis, 4, a, goal, form);
        else
            value_crossing(chunk_job, axis, n_lines, a, goal, form);
    }
}

/* ---- the best of four moves -------------------------------------------------------------------------------------- */

/* What a worker learns of the states of a span. */
struct state_sums {
    uint64_t n_open, n_near, gaps;
    bool overflows; /* a value does not fit its form */
};

static void store_moves(const struct state_job *job, const struct chunk_values *values, unsigned n, uint64_t position)
{
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

static inline void add_gap(const struct state_job *job, double gap, struct state_sums *sums)
{
    double points = gap * job->points_each;
    sums->n_open++;
    sums->n_near += points < 1.0;
    sums->gaps += (uint64_t)(int64_t)(points * (1 / age_gap_unit) + 0.5);
}

/*
 * The best moves of this board have equal values. If they lead to one and the same afterstate they are one action, and
 * the next best is the second; if not, the gap is 0. Only here the board itself is needed.
 */
static void add_tie(const struct state_job *job, uint64_t cells, const struct chunk_values *values, unsigned i,
                    double best, struct state_sums *sums)
{
    const struct age_frame *frame = job->afterstates.set->frame;
    struct word_moves moves = layout_board_moves(frame->layout, cells);
    struct place first = {0};
    double second = illegal;
    unsigned n_tied = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        double value = values->of[d][i];
        if (value < best) {
            second = value > second ? value : second;
            continue;
        }
        bool reached = frame->layout->goal && moves.reward[d];
        struct place place = reached ? (struct place){UINT64_MAX, d} : age_frame_place(frame, moves.after[d]);
        if (n_tied++ == 0)
            first = place;
        else if (place.word != first.word || place.bit != first.bit)
            second = best;
    }
    if (second > illegal)
        add_gap(job, best - second, sums);
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

/* The largest and the second largest of each board's four values, by the network of comparisons that sorts four. */
static void find_best(const struct chunk_values *restrict values, unsigned n, double *restrict best,
                      double *restrict second)
{
    const double *up = values->of[0], *right = values->of[1], *down = values->of[2], *left = values->of[3];
    for (unsigned i = 0; i < n; i++) {
        double high1 = larger(up[i], right[i]), low1 = smaller(up[i], right[i]);
        double high2 = larger(down[i], left[i]), low2 = smaller(down[i], left[i]);
        best[i] = larger(high1, high2);
        second[i] = larger(smaller(high1, high2), larger(low1, low2));
    }
}

/* Terminal states, whose best is illegal, get 0. False if a value does not fit. */
static inline __attribute__((always_inline)) bool store_best(void *values, uint64_t position, const double *best,
                                                             unsigned n, enum value_form form)
{
    if (form == VALUES_DOUBLE) {
        double *restrict to = (double *)values + position;
        for (unsigned i = 0; i < n; i++)
            to[i] = larger(best[i], 0);
        return true;
    }
    uint32_t *restrict to = (uint32_t *)values + position;
    double most = 0;
    for (unsigned i = 0; i < n; i++) {
        to[i] = (uint32_t)(int64_t)larger(best[i], 0); /* whole numbers: reward and value are */
        most = larger(most, best[i]);
    }
    return most < (double)UINT32_MAX;
}

/* The best of the four into the place of each state. `first_cells` and `slot_cells` give the boards. */
static inline __attribute__((always_inline)) void keep_best(const struct chunk_job *chunk_job, uint64_t position,
                                                            uint64_t first_cells, const uint64_t *slot_cells,
                                                            struct state_sums *sums, enum value_form form)
{
    const struct state_job *job = chunk_job->job;
    const struct chunk_values *values = chunk_job->values;
    const unsigned n = chunk_job->chunk->n;
    double second[CHUNK_ROOM], best[CHUNK_ROOM];
    find_best(values, n, best, second);
    sums->overflows |= !store_best(job->values, position, best, n, form);
    if (job->moves)
        store_moves(job, values, n, position);
    if (!job->figures)
        return;
    for (unsigned i = 0; i < n; i++) {
        if (second[i] == illegal)
            continue;
        if (second[i] < best[i])
            add_gap(job, best[i] - second[i], sums);
        else
            add_tie(job, first_cells | slot_cells[chunk_job->chunk->slot[i]], values, i, best[i], sums);
    }
}

static inline __attribute__((always_inline)) void evaluate_rows(const struct state_job *job,
                                                                const struct row_span *span, struct state_sums *sums,
                                                                bool goal, enum value_form form)
{
    const struct layout *layout = job->states->frame->layout;
    const uint32_t *row = NULL;
    uint64_t position = 0;
    struct row_walk walk;
    struct chunk_values values;
    const struct chunk_job chunk_job = {job, &walk.chunk, &values, goal ? 0 : 4 * job->rules->unit};
    row_walk_begin(&walk, job->states, span, job->afterstates.set->frame);
    while (row_walk_next(&walk)) {
        if (walk.key1 != row)
            position = job->states->ranks[walk.row_word];
        row = walk.key1;
        value_chunk(&chunk_job, &walk.moves, goal, form);
        keep_best(&chunk_job, position, bits_deposit(*row, layout->part[0].mask), layout->slot_cells + walk.first_slot,
                  sums, form);
        position += walk.chunk.n;
    }
}

/* The plain way, a board at a time, for the few layouts without by_rows. */
static void evaluate_boards(const struct state_job *job, const struct row_span *span, struct state_sums *sums)
{
    const struct age_set *set = job->afterstates.set;
    const struct layout *layout = set->frame->layout;
    const enum value_form form = job->rules->form;
    struct row_chunk chunk = {.n = 1, .slot = {0}};
    struct chunk_values values;
    const struct chunk_job chunk_job = {job, &chunk, &values, 0};
    struct age_walk walk;
    age_walk_begin(&walk, job->states, span);
    while (age_walk_next(&walk)) {
        struct word_moves moves = layout_board_moves(layout, walk.cells);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            uint32_t reward = moves.reward[d];
            values.of[d][0] = illegal;
            if (layout->goal && reward) {
                values.of[d][0] = job->rules->unit;
            } else if (moves.after[d] != walk.cells) {
                uint32_t position = age_set_position(set, age_frame_place(set->frame, moves.after[d]));
                values.of[d][0] = reward * job->rules->unit + lanes_load_value(job->afterstates.values, position, form);
            }
        }
        keep_best(&chunk_job, walk.position, walk.cells, (const uint64_t[]){0}, sums, form);
    }
}

static enum status state_item(void *context, unsigned worker, uint64_t item)
{
    const struct state_job *job = context;
    const struct row_span *span = &job->states->spans[item];
    const bool goal = job->rules->goal, fixed = job->rules->form == VALUES_FIXED;
    struct state_sums sums = {0};
    (void)worker;
    if (!job->states->frame->layout->by_rows)
        evaluate_boards(job, span, &sums);
    else if (fixed && goal)
        evaluate_rows(job, span, &sums, true, VALUES_FIXED);
    else if (fixed)
        evaluate_rows(job, span, &sums, false, VALUES_FIXED);
    else if (goal)
        evaluate_rows(job, span, &sums, true, VALUES_DOUBLE);
    else
        evaluate_rows(job, span, &sums, false, VALUES_DOUBLE);
    if (job->figures) {
        __atomic_fetch_add(&job->figures->n_open, sums.n_open, __ATOMIC_RELAXED);
        __atomic_fetch_add(&job->figures->n_near, sums.n_near, __ATOMIC_RELAXED);
        __atomic_fetch_add(&job->figures->gaps, sums.gaps, __ATOMIC_RELAXED);
    }
    if (sums.overflows)
        return status_fail(STATUS_INVALID, "age %u has values too large for 32 bits: choose --precision double",
                           job->states->frame->age);
    return STATUS_OK;
}

enum status evaluate_states(struct workers *workers, const struct solve_rules *rules, const struct age_set *states,
                            struct valued_set afterstates, void *values, uint8_t *moves, struct age_figures *figures)
{
    struct state_job job = {rules, states, afterstates, values, moves, figures, 1 / rules->unit};
    if (figures)
        figures->n_open = figures->n_near = figures->gaps = 0;
    return workers_for(workers, states->n_spans, state_item, &job);
}
