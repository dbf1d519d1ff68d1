/*
 * Boards with walls, solved twice: by the solver, and here by plain recursion over arrays of cells, straight from the
 * rules of walls.h. Every state, every move and every value must agree, on boards of many shapes.
 */
#include "scratch.h"

#include "base/workers.h"
#include "solve/age_set.h"
#include "solve/evaluate.h"
#include "solve/expand.h"
#include "solve/layout_create.h"
#include "solve/query.h"
#include "solve/solver.h"
#include "solve/table.h"

#include <inttypes.h>
#include <math.h>

enum { WALL = 99 };

/* ---- the obvious solver ------------------------------------------------------------------------------------------ */

struct oracle {
    const struct grid *grid;
    struct walls walls;
    unsigned goal;
    double chance_of_4;
    uint64_t n_contents;
    double *value;                 /* of a state, by its content as a number of base `goal`; -1: not met */
    double *after;                 /* of an afterstate */
    uint64_t n_states, n_terminal; /* each image counts */
};

static uint64_t content_of(const struct oracle *oracle, const int *cells)
{
    uint64_t content = 0;
    for (unsigned i = 0; i < oracle->grid->n_cells; i++)
        content = cells[i] == WALL ? content : content * oracle->goal + (uint64_t)cells[i];
    return content;
}

static int line_cell(const struct grid *grid, enum direction direction, int line, int i)
{
    int rows = grid->rows, cols = grid->cols;
    switch (direction) {
    case DIRECTION_UP:
        return i * cols + line;
    case DIRECTION_DOWN:
        return (rows - 1 - i) * cols + line;
    case DIRECTION_LEFT:
        return line * cols + i;
    default:
        return line * cols + cols - 1 - i;
    }
}

/*
 * Moves `cells`: every tile and every wall slides, as in the game; a wall merges with nothing. False if that is no
 * legal move: nothing changes, a wall has moved, the goal is made where it does not count, or another tile is beyond
 * the cap of its cell.
 */
static bool move(const struct oracle *oracle, int *cells, enum direction direction, bool *made)
{
    const struct grid *grid = oracle->grid;
    bool vertical = direction == DIRECTION_UP || direction == DIRECTION_DOWN, changed = false, legal = true;
    int n_lines = vertical ? grid->cols : grid->rows, length = vertical ? grid->rows : grid->cols;
    *made = false;
    for (int line = 0; line < n_lines; line++) {
        int moved[BOARD_MAX_SIDE] = {0}, n = 0;
        bool may_merge = false;
        for (int i = 0; i < length; i++) {
            int value = cells[line_cell(grid, direction, line, i)];
            if (value == 0)
                continue;
            if (may_merge && value != WALL && moved[n - 1] == value) {
                moved[n - 1]++;
                may_merge = false;
                if (moved[n - 1] == (int)oracle->goal) {
                    int cell = line_cell(grid, direction, line, n - 1);
                    *made = true;
                    legal &= !oracle->walls.at || oracle->walls.at >> cell & 1;
                }
            } else {
                moved[n++] = value;
                may_merge = true;
            }
        }
        for (int i = 0; i < length; i++) {
            int *cell = &cells[line_cell(grid, direction, line, i)];
            legal &= (*cell == WALL) == (moved[i] == WALL);
            unsigned cap = oracle->walls.caps >> 4 * (cell - cells) & 15;
            legal &= moved[i] == WALL || moved[i] == (int)oracle->goal || cap == 0 || moved[i] <= (int)cap;
            changed |= *cell != moved[i];
            *cell = moved[i];
        }
    }
    return legal && changed;
}

static double state_value(struct oracle *oracle, const int *cells);

static double after_value(struct oracle *oracle, const int *cells)
{
    double *value = &oracle->after[content_of(oracle, cells)], sum = 0;
    int n_empty = 0, next[BOARD_MAX_CELLS];
    if (*value >= 0)
        return *value;
    memcpy(next, cells, sizeof next);
    for (unsigned i = 0; i < oracle->grid->n_cells; i++) {
        if (cells[i] != 0)
            continue;
        n_empty++;
        for (int tile = 1; tile <= 2; tile++) {
            double chance = tile == 1 ? 1 - oracle->chance_of_4 : oracle->chance_of_4;
            next[i] = tile;
            sum += chance > 0 ? chance * state_value(oracle, next) : 0;
        }
        next[i] = 0;
    }
    return *value = sum / n_empty;
}

static double state_value(struct oracle *oracle, const int *cells)
{
    double *value = &oracle->value[content_of(oracle, cells)], best = 0;
    bool terminal = true;
    if (*value >= 0)
        return *value;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        int next[BOARD_MAX_CELLS];
        bool made;
        memcpy(next, cells, sizeof next);
        if (!move(oracle, next, d, &made))
            continue;
        terminal = false;
        best = fmax(best, made ? 1 : after_value(oracle, next));
    }
    oracle->n_states++;
    oracle->n_terminal += terminal;
    return *value = best;
}

static void cells_of_content(const struct oracle *oracle, uint64_t content, int *cells)
{
    memset(cells, 0, BOARD_MAX_CELLS * sizeof *cells);
    for (unsigned i = oracle->grid->n_cells; i-- > 0;) {
        bool wall = oracle->walls.cells >> i & 1;
        cells[i] = wall ? WALL : (int)(content % oracle->goal);
        content = wall ? content : content / oracle->goal;
    }
}

/* Values all that games can reach from boards of 2s and 4s of the sums that walls.h names. */
static void oracle_solve(struct oracle *oracle, double *mean, double *best, uint64_t *n_starts)
{
    unsigned n_free = oracle->grid->n_cells - (unsigned)__builtin_popcount(oracle->walls.cells);
    int first = 2 * n_free < 12 ? (int)(2 * n_free) : 12;
    oracle->n_contents = 1;
    for (unsigned i = 0; i < n_free; i++)
        oracle->n_contents *= oracle->goal;
    oracle->value = malloc(oracle->n_contents * sizeof(double));
    oracle->after = malloc(oracle->n_contents * sizeof(double));
    assert_true(oracle->value && oracle->after);
    for (uint64_t i = 0; i < oracle->n_contents; i++)
        oracle->value[i] = oracle->after[i] = -1;
    *mean = *best = 0;
    *n_starts = 0;
    for (uint64_t content = 0; content < oracle->n_contents; content++) {
        int cells[BOARD_MAX_CELLS], sum = 0;
        bool start = true;
        cells_of_content(oracle, content, cells);
        for (unsigned i = 0; i < oracle->grid->n_cells; i++) {
            int value = cells[i] == WALL ? 0 : cells[i];
            start &=
                value <= 2 && !(value == 1 && oracle->chance_of_4 == 1) && !(value == 2 && oracle->chance_of_4 == 0);
            sum += value ? 1 << value : 0;
        }
        if (!start || sum < first || sum > 20)
            continue;
        double value = state_value(oracle, cells);
        *best = fmax(*best, value);
        *mean += value;
        ++*n_starts;
    }
    *mean /= (double)*n_starts;
}

static void oracle_free(struct oracle *oracle)
{
    free(oracle->value);
    free(oracle->after);
}

/* ---- both, side by side ------------------------------------------------------------------------------------------ */

struct layout_case {
    unsigned rows, cols;
    uint16_t walls, at;
    unsigned goal;
    double chance_of_4;
    uint64_t caps;
};

static struct board board_of(const struct oracle *oracle, const int *cells)
{
    struct board board = {0};
    for (unsigned i = 0; i < oracle->grid->n_cells; i++)
        board = board_set(board, i, cells[i] == WALL ? 0 : (unsigned)cells[i]);
    return board;
}

/* How many symmetries leave a board as it is: its images count for n_kept / this many. */
static unsigned stabiliser_of(const struct grid *grid, struct walls walls, struct board board)
{
    unsigned n = 0;
    for (unsigned s = 0; s < grid->n_symmetries; s++)
        n += walls_keep(grid, walls, s) && board_equal(grid_image(grid, board, s), board);
    return n;
}

/* Every state of the oracle by query, every afterstate by its value; the counts up to symmetry. */
static void compare(struct oracle *oracle, const struct table *table)
{
    const struct grid *grid = oracle->grid;
    struct query_tables tables = {.main = VARIANT_NORMAL};
    double n_states = 0, n_kept = 0;
    assert_ok(query_add_table(&tables, table, VARIANT_NORMAL));
    for (unsigned s = 0; s < grid->n_symmetries; s++)
        n_kept += walls_keep(grid, oracle->walls, s);
    for (uint64_t content = 0; content < oracle->n_contents; content++) {
        int cells[BOARD_MAX_CELLS], next[BOARD_MAX_CELLS];
        cells_of_content(oracle, content, cells);
        struct board board = board_of(oracle, cells);
        bool found;
        uint64_t position;
        double value;
        if (!walls_allow(oracle->walls, board)) {
            assert_int_equal(table_find(table, board, &found, &position), STATUS_INVALID);
            assert_true(oracle->value[content] < 0 && oracle->after[content] < 0);
            continue;
        }
        if (content) { /* a board without tiles is none */
            assert_ok(table_find(table, board, &found, &position));
            assert_int_equal(found, oracle->after[content] >= 0);
            if (found) {
                assert_ok(table_value(table, board, &value));
                assert_true(fabs(value - oracle->after[content]) < 1e-8);
            }
        }
        if (oracle->value[content] < 0)
            continue;
        n_states += stabiliser_of(grid, oracle->walls, board) / n_kept;
        struct query_answer answer;
        assert_ok(query_board(&tables, table_leave(table, board), &answer));
        assert_true(fabs(answer.value[VARIANT_NORMAL] - oracle->value[content]) < 1e-8);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            bool made;
            memcpy(next, cells, sizeof next);
            bool legal = move(oracle, next, d, &made);
            assert_int_equal(answer.moves[d].legal, legal);
            if (legal)
                assert_true(fabs(answer.moves[d].value[VARIANT_NORMAL] -
                                 (made ? 1 : oracle->after[content_of(oracle, next)])) < 1e-8);
        }
    }
    if (table_layout(table)->n_group == (unsigned)n_kept)
        assert_true(fabs(n_states - (double)table_summary(table)->n_states) < 0.5);
}

static void check_case(const struct layout_case *layout)
{
    struct grid grid;
    struct workers *workers;
    struct table *table;
    struct solve_report report;
    char directory[PATH_MAX];
    double mean, best;
    uint64_t n_starts;
    assert_ok(grid_create(&grid, layout->rows, layout->cols));
    struct oracle oracle = {.grid = &grid,
                            .walls = {layout->walls, layout->at, layout->caps},
                            .goal = layout->goal,
                            .chance_of_4 = layout->chance_of_4};
    snprintf(directory, sizeof directory, "%s/%ux%u-%x-%x-%u-%g-%" PRIx64, scratch_folder, layout->rows, layout->cols,
             layout->walls, layout->at, layout->goal, layout->chance_of_4, layout->caps);
    struct solve_settings settings = {.rows = layout->rows,
                                      .cols = layout->cols,
                                      .walls = oracle.walls,
                                      .goal = layout->goal,
                                      .chance_of_4 = layout->chance_of_4,
                                      .directory = directory,
                                      .fraction_bits = 32,
                                      .checkpoint_every = 1,
                                      .memory_bytes = UINT64_C(1) << 32,
                                      .progress_mode = PROGRESS_QUIET};
    oracle_solve(&oracle, &mean, &best, &n_starts);
    assert_ok(workers_create(&workers, 2));
    assert_ok(solve_run(&settings, workers, &report));
    assert_int_equal(report.summary.n_starts, n_starts);
    assert_true(fabs(report.summary.expected_score - mean) < 1e-9);
    assert_true(fabs(report.summary.best_start - best) < 1e-9);
    assert_ok(table_open(&table, directory));
    assert_ok(table_verify(table, workers, 200, 1, NULL));
    compare(&oracle, table);
    table_close(table);
    workers_free(workers);
    oracle_free(&oracle);
    grid_free(&grid);
}

/* Every set of walls of a small board, with a target that is within reach. */
static void all_walls_of_small_boards(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{1, 4}, {2, 2}, {2, 3}, {3, 2}, {5, 1}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned n = sizes[i][0] * sizes[i][1];
        for (uint16_t walls = 1; walls + 1u < 1u << n; walls++) {
            for (unsigned goal = 3; goal <= 4; goal++)
                check_case(&(struct layout_case){sizes[i][0], sizes[i][1], walls, 0, goal, 0.1, 0});
        }
    }
}

static void layouts_of_larger_boards(void **state)
{
    (void)state;
    static const struct layout_case cases[] = {
        {3, 3, 0x001, 0, 5, 0.1, 0},           /* a corner, symmetric about a diagonal */
        {3, 3, 0x010, 0, 5, 0.1, 0},           /* the middle: eight symmetries, parts of corners and sides */
        {3, 3, 0x003, 0x004, 5, 0.1, 0},       /* the goal next to two walls */
        {3, 3, 0x028, 0, 4, 0.5, 0},           /* left and right of the middle */
        {2, 4, 0x001, 0, 5, 0.1, 0},           /* */
        {2, 4, 0x081, 0, 5, 0.1, 0},           /* turned by half a turn it is the same */
        {2, 4, 0x006, 0xf0, 5, 0, 0},          /* only 2s; the goal in the other row */
        {3, 4, 0x033, 0, 4, 0.1, 0},           /* a square */
        {3, 4, 0x00f, 0x010, 4, 0.1, 0},       /* a row, the goal below its first cell */
        {3, 4, 0x060, 0, 3, 1, 0},             /* the middle; only 4s */
        {5, 3, 0x7ffe & ~0x0e4, 0, 4, 0.1, 0}, /* five rows, few cells */
        {4, 4, 0xff, 0, 5, 0.1, 0},            /* rows8 */
        {4, 4, 0x377, 0, 5, 0.1, 0},           /* block8 */
        {4, 4, 0x177, 0x300, 4, 0.1, 0},       /* block7, the goal on a wall's neighbour; 8 is one */
        {4, 4, 0xf99f & ~0x90, 0, 3, 0.1, 0},  /* scattered */
        {4, 4, 0xf00f, 0, 5, 0.1, 0},          /* both outer rows */
        {4, 4, 0x9669, 0, 4, 0.1, 0},          /* a pattern with eight symmetries */
        {4, 4, 0x0ff0 & ~0x420, 0, 4, 0.1, 0},
        {3, 3, 0x001, 0x004, 5, 0.1, 0x233330300},        /* caps on some cells, symmetry broken */
        {3, 3, 0x010, 0, 5, 0.1, 0x343404343},            /* as symmetric as the board */
        {2, 4, 0x001, 0x002, 6, 0.1, 0x33344450},         /* the larger the farther */
        {2, 4, 0x081, 0, 5, 0.5, 0x02222220},             /* nothing beyond a 4: never made */
        {4, 4, 0x177, 0x280, 5, 0.1, 0x3333344030004000}, /* block7, as endgame tables have it */
        {4, 4, 0xff, 0x100, 5, 0.1, 0x2223344400000000},  /* rows8, a falling chain */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct layout_case layout = cases[i];
        layout.at &= (uint16_t)~layout.walls;
        check_case(&layout);
    }
}

/* ---- rows of boards and single boards ---------------------------------------------------------------------------- */

/* The values of all states up to an age, age by age, with the layout's tables of rows or without. */
static void check_by_rows(struct walls walls, unsigned goal)
{
    enum { LAST_AGE = 60 };
    struct grid grid;
    struct layout *layout;
    struct workers *workers;
    struct age_set states[LAST_AGE / 2 + 3] = {0}, afterstates[2][LAST_AGE / 2 + 3] = {0};
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(workers_create(&workers, 2));
    assert_ok(layout_create(&layout, &grid, LAST_AGE + 4, goal, walls));
    assert_true(layout->by_rows);
    const uint32_t first = walls_first_age(walls, grid.n_cells);
    for (uint32_t age = first; age <= LAST_AGE + 4; age += 2) {
        assert_ok(age_set_begin(&states[age / 2], layout, age, workers));
        expand_starts(&states[age / 2], 0.1);
    }
    for (uint32_t age = first; age <= LAST_AGE; age += 2) {
        uint64_t n[2], n_terminal[2];
        for (unsigned plain = 0; plain < 2; plain++) {
            layout->by_rows = !plain;
            struct age_set *after = &afterstates[plain][age / 2], spawned[2] = {{0}, {0}};
            assert_ok(age_set_begin(after, layout, age, workers));
            assert_ok(expand_moves(workers, &states[age / 2], after, &n[plain], &n_terminal[plain]));
            assert_ok(age_set_rank(after, workers));
            for (unsigned v = 0; v < 2; v++)
                assert_ok(age_set_begin(&spawned[v], layout, age + 2 + 2 * v, workers));
            assert_ok(expand_spawns(workers, after, &spawned[0], &spawned[1]));
            for (unsigned v = 0; v < 2; v++) {
                struct age_set *next = &states[age / 2 + 1 + v];
                for (uint64_t w = 0; w < next->frame->n_words; w++) {
                    if (plain)
                        assert_int_equal(spawned[v].words[w] & ~next->words[w], 0);
                    next->words[w] |= spawned[v].words[w];
                }
                age_set_free(&spawned[v]);
            }
        }
        assert_int_equal(n[0], n[1]);
        assert_int_equal(n_terminal[0], n_terminal[1]);
        assert_memory_equal(afterstates[0][age / 2].words, afterstates[1][age / 2].words,
                            afterstates[0][age / 2].frame->n_words * sizeof(uint64_t));
    }
    const uint32_t age = LAST_AGE - 2;
    for (enum value_form form = VALUES_DOUBLE; form <= VALUES_FIXED; form++) {
        const struct solve_rules rules = {
            .form = form, .unit = form == VALUES_FIXED ? 0x1p31 : 1, .chance_of_4 = 0.1, .goal = goal};
        const struct age_set *after = &afterstates[0][age / 2];
        struct age_set *state = &states[age / 2];
        assert_ok(age_set_rank(state, workers));
        size_t bytes = value_form_bytes(form);
        uint8_t *values = malloc(after->count * bytes), *found[2], *moves[2];
        for (uint64_t i = 0; i < after->count; i++) { /* any values will do */
            if (form == VALUES_FIXED)
                ((uint32_t *)values)[i] = (uint32_t)(i * 2654435761u) >> 1;
            else
                ((double *)values)[i] = (double)(i * 2654435761u % 1000003) / 1000003;
        }
        struct age_figures figures[2];
        for (unsigned plain = 0; plain < 2; plain++) {
            layout->by_rows = !plain;
            found[plain] = malloc(state->count * bytes);
            moves[plain] = malloc(state->count);
            assert_ok(evaluate_states(workers, &rules, state, (struct valued_set){after, values}, found[plain],
                                      moves[plain], &figures[plain]));
        }
        assert_memory_equal(found[0], found[1], state->count * bytes);
        assert_memory_equal(moves[0], moves[1], state->count);
        assert_int_equal(figures[0].n_open, figures[1].n_open);
        assert_int_equal(figures[0].gaps, figures[1].gaps);
        for (unsigned i = 0; i < 2; i++) {
            free(found[i]);
            free(moves[i]);
        }
        free(values);
    }
    for (size_t i = 0; i < LAST_AGE / 2 + 3; i++) {
        age_set_free(&states[i]);
        age_set_free(&afterstates[0][i]);
        age_set_free(&afterstates[1][i]);
    }
    layout_free(layout);
    workers_free(workers);
    grid_free(&grid);
}

static void rows_of_boards_as_single_boards(void **state)
{
    (void)state;
    check_by_rows((struct walls){0x0077, 0, 0}, 5);                       /* apart along rows */
    check_by_rows((struct walls){0x000f, 0, 0}, 4);                       /* 12 free cells, mirror images */
    check_by_rows((struct walls){0x0033, 0x0f00, 0}, 4);                  /* the target cells break the symmetry */
    check_by_rows((struct walls){0x8421, 0, 0}, 4);                       /* a diagonal: nothing apart */
    check_by_rows((struct walls){0x0077, 0x0480, 0x3344444030004000}, 5); /* block with caps */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_walls_of_small_boards),
        cmocka_unit_test(layouts_of_larger_boards),
        cmocka_unit_test(rows_of_boards_as_single_boards),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
