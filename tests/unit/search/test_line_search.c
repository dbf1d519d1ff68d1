/* The search of lines against its definition: recursion over cells, without tables, memory or mirror images. */
#include "scratch.h"

#include "base/random.h"
#include "search/line_search.h"

#include <limits.h>
#include <math.h>

enum { N_BOARDS = 300, MOST_EMPTY = 6 };

static struct grid grid;
static struct line_search *search;

/* ---- the definition ---------------------------------------------------------------------------------------------- */

struct definition {
    long standard, end;
    double least_chance;
};

static long weight(unsigned value)
{
    return (long)value << value;
}

/* A line of cells from `first` in steps of `step`. */
static long line_worth(struct board board, unsigned first, unsigned step)
{
    long worth = weight(board_get(board, first));
    for (unsigned i = 0; i < 3; i++) {
        long a = weight(board_get(board, first + i * step)), b = weight(board_get(board, first + (i + 1) * step));
        worth += a < b ? 12 * (a - b) : a == b ? 3 * a : a + b;
    }
    return worth;
}

static long evaluation(struct board board)
{
    long sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += line_worth(board, 4 * i, 1) + line_worth(board, i, 4);
    return sum;
}

static long after_value(const struct definition *by, struct board after, int depth, double chance);

static long best_move(const struct definition *by, struct board board, int depth, double chance)
{
    long best = LONG_MIN;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        uint32_t reward;
        struct board after = grid_move(&grid, board, d, &reward);
        if (board_equal(after, board))
            continue;
        long value = after_value(by, after, depth - 1, chance);
        best = value > best ? value : best;
    }
    return best == LONG_MIN ? by->end : best;
}

static unsigned count_empty(struct board board)
{
    unsigned n = 0;
    for (unsigned cell = 0; cell < 16; cell++)
        n += board_get(board, cell) == 0;
    return n;
}

static long after_value(const struct definition *by, struct board after, int depth, double chance)
{
    const long value = evaluation(after);
    if (value < by->standard || depth < 0 || chance < by->least_chance)
        return value;
    const unsigned n = count_empty(after);
    double sum = 0;
    for (unsigned cell = 0; cell < 16; cell++) {
        for (unsigned tile = 1; tile <= 2 && board_get(after, cell) == 0; tile++) {
            const double share = tile == 1 ? 0.9F : 0.1F;
            sum += share * (double)best_move(by, board_set(after, cell, tile), depth, chance * share / n);
        }
    }
    return (long)(sum / n);
}

/* The values of all moves; returns the best. */
static double define_moves(const struct definition *by, struct board image, unsigned symmetry, unsigned plies,
                           double value[DIRECTION_COUNT])
{
    double best = -INFINITY;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        uint32_t reward;
        struct board after = grid_move(&grid, image, grid_image_direction(d, symmetry), &reward);
        value[d] = board_equal(after, image) ? NAN : (double)after_value(by, after, (int)plies - 2, 1);
        best = value[d] > best ? value[d] : best;
    }
    return best;
}

/* The values of all moves, in the image with the best evaluation; the first one of several. */
static void define(struct board board, unsigned plies, double value[DIRECTION_COUNT])
{
    struct board image = board;
    unsigned symmetry = 0, largest = 0;
    for (unsigned s = 1; s < grid.n_symmetries; s++) {
        if (evaluation(grid_image(&grid, board, s)) > evaluation(image)) {
            image = grid_image(&grid, board, s);
            symmetry = s;
        }
    }
    for (unsigned cell = 0; cell < 16; cell++)
        largest = board_get(board, cell) > largest ? board_get(board, cell) : largest;
    const long twice = 2 * weight(largest);
    struct definition by = {.standard = evaluation(image) < twice ? LONG_MIN : twice,
                            .end = -(twice > 131072 ? twice : 131072),
                            .least_chance = ldexp(1, -(int)(plies - 1 + 4))};
    if (define_moves(&by, image, symmetry, plies, value) < 0 && by.standard != LONG_MIN) {
        by.standard = LONG_MIN;
        by.end = -4194304;
        define_moves(&by, image, symmetry, plies, value);
    }
}

/* ---- boards ------------------------------------------------------------------------------------------------------ */

/* Large tiles in a corner, more or less in order, small ones elsewhere, few cells empty. */
static struct board draw(struct rng *rng)
{
    struct board board = {0};
    for (unsigned cell = 0; cell < 16; cell++) {
        unsigned most = cell < 3 ? 15 - cell : cell >= 4 && cell < 7 ? 12 - (cell - 4) : 7;
        unsigned value = most > 7 ? most - (unsigned)random_below(rng, 2) : (unsigned)random_below(rng, most + 1);
        board = board_set(board, cell, value);
    }
    return grid_image(&grid, board, (unsigned)random_below(rng, 8));
}

static struct search_result run(struct board board, unsigned plies, double milliseconds)
{
    const struct moves moves = grid_moves(&grid, board);
    const struct search_settings settings = {.milliseconds = milliseconds};
    struct search_result result = search_result_begin(&moves);
    line_search_run(search, board, plies, &settings, &result);
    return result;
}

static void values_are_those_of_the_definition(void **state)
{
    (void)state;
    struct rng rng = random_stream(5, 0);
    unsigned n_below = 0, n_compared = 0;
    for (unsigned i = 0; i < N_BOARDS; i++) {
        struct board board = draw(&rng);
        if (count_empty(board) + 3 > MOST_EMPTY) /* then no spawn is too rare, and memory changes nothing */
            continue;
        n_compared++;
        for (unsigned plies = 1; plies <= 3; plies++) {
            double wanted[DIRECTION_COUNT];
            struct search_result result = run(board, plies, 0);
            define(board, plies, wanted);
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                assert_int_equal(isnan(wanted[d]), isnan(result.value[d]));
                if (isnan(wanted[d]))
                    continue;
                assert_int_equal(result.depth[d], plies);
                assert_true(fabs(result.value[d] - wanted[d]) <= 1e-6 * fabs(wanted[d]) + 2 * plies);
                n_below += wanted[d] < 0;
            }
        }
    }
    assert_true(n_compared > 50);
    assert_true(n_below > 0);
}

/* The same board seen from eight sides has the same values. */
static void images_have_the_same_values(void **state)
{
    (void)state;
    struct rng rng = random_stream(6, 0);
    for (unsigned i = 0; i < 20; i++) {
        struct board board = draw(&rng);
        struct search_result first = run(board, 4, 0);
        for (unsigned s = 1; s < grid.n_symmetries; s++) {
            struct search_result other = run(grid_image(&grid, board, s), 4, 0);
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                float there = other.value[grid_image_direction(d, s)];
                assert_true(isnan(first.value[d]) ? isnan(there) : first.value[d] == there);
            }
        }
    }
}

/* With a time a search has values of one depth for all moves; a cancelled one has those of one ply. */
static void time_and_cancel(void **state)
{
    (void)state;
    struct rng rng = random_stream(7, 0);
    struct board board = draw(&rng);
    struct search_result result = run(board, 0, 2);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (result.legal >> d & 1)
            assert_int_equal(result.depth[d], result.depth[result.best]);
    }
    assert_true(result.best != DIRECTION_COUNT);
    const atomic_bool cancel = true;
    const struct moves moves = grid_moves(&grid, board);
    const struct search_settings settings = {.cancel = &cancel};
    result = search_result_begin(&moves);
    line_search_run(search, board, 5, &settings, &result);
    assert_true(result.cancelled);
    assert_int_equal(result.depth[result.best], 1);
}

/* Tiles beyond 32768 and finished boards do no harm. */
static void large_and_finished_boards(void **state)
{
    (void)state;
    struct board board = {0};
    for (unsigned cell = 0; cell < 16; cell++)
        board = board_set(board, cell, cell % 2 + cell / 4 % 2 == 1 ? 1 : 2);
    struct search_result result = run(board, 3, 0);
    assert_int_equal(result.best, DIRECTION_COUNT);
    board = board_set(board, 0, 17);
    board = board_set(board, 1, 16);
    board = board_set(board, 15, 0);
    result = run(board, 3, 0);
    assert_true(result.legal >> result.best & 1);
}

static int begin(void **state)
{
    (void)state;
    return grid_create(&grid, 4, 4) || line_search_create(&search, &grid) ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    line_search_free(search);
    grid_free(&grid);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_definition),
        cmocka_unit_test(images_have_the_same_values),
        cmocka_unit_test(time_and_cancel),
        cmocka_unit_test(large_and_finished_boards),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
