/* Expected lines: every move is the best one, every spawn the typical one, by a count of our own. */
#include "scratch.h"
#include "searcher_chooser.h"

#include "game/notation.h"
#include "game/simple_value.h"
#include "study/expected_line.h"

#include <math.h>

static struct grid grid;
static struct simple_value *simple;
static struct searcher *deep, *shallow;

static int setup(void **state)
{
    (void)state;
    struct search_settings two = {.depth = 2, .n_threads = 1}, one = {.depth = 1, .n_threads = 1};
    if (grid_create(&grid, 3, 3) || simple_value_create(&simple, &grid))
        return -1;
    struct value_function function = simple_value_function(simple);
    return searcher_create(&deep, &grid, &function, &two) || searcher_create(&shallow, &grid, &function, &one) ? -1 : 0;
}

static int teardown(void **state)
{
    (void)state;
    searcher_free(deep);
    searcher_free(shallow);
    simple_value_free(simple);
    grid_free(&grid);
    return 0;
}

static struct expected_line find(const char *digits, unsigned n)
{
    struct chooser mover = chooser_from_searcher(deep), quick = chooser_from_searcher(shallow);
    struct expected_line line;
    struct board board;
    assert_ok(notation_parse(&grid, digits, &board));
    assert_ok(expected_line_find(&line, &grid, board, n, &mover, &quick));
    return line;
}

static double value_with(struct board after, unsigned cell)
{
    struct search_result result = searcher_search(shallow, board_set(after, cell, 1));
    return result.best == DIRECTION_COUNT ? 0 : (double)result.value[result.best];
}

/* No other empty cell is nearer to the mean of all. */
static void check_typical(struct board after, struct spawn spawn)
{
    double sum = 0, n = 0;
    for (unsigned cell = 0; cell < grid.n_cells; cell++)
        if (board_get(after, cell) == 0) {
            sum += value_with(after, cell);
            n++;
        }
    assert_int_equal(spawn.value, 1);
    assert_int_equal(board_get(after, spawn.cell), 0);
    double distance = fabs(value_with(after, spawn.cell) - sum / n);
    for (unsigned cell = 0; cell < grid.n_cells; cell++)
        if (board_get(after, cell) == 0)
            assert_true(fabs(value_with(after, cell) - sum / n) >= distance);
}

static void test_line(void **state)
{
    (void)state;
    const char *starts[] = {"123001000", "765432120", "110000000"};
    for (unsigned s = 0; s < 3; s++) {
        struct expected_line line = find(starts[s], 6);
        assert_true(line.n_moves >= 1 && line.n_moves <= 6);
        for (unsigned i = 0; i < line.n_moves; i++) {
            uint32_t reward;
            struct board board = line.moves[i].board;
            assert_int_equal(line.moves[i].direction, searcher_search(deep, board).best);
            struct board after = grid_move(&grid, board, line.moves[i].direction, &reward);
            assert_int_equal(line.moves[i].reward, reward);
            check_typical(after, line.moves[i].spawn);
            struct board next = i + 1 < line.n_moves ? line.moves[i + 1].board : line.last;
            assert_true(board_equal(next, board_set(after, line.moves[i].spawn.cell, 1)));
        }
    }
}

static void test_end(void **state)
{
    (void)state;
    struct expected_line line = find("121212121", 3);
    struct json json;
    char *text;
    assert_int_equal(line.n_moves, 0);
    json_begin(&json);
    expected_line_add_json(&line, &grid, &json);
    assert_ok(json_print_compact(&json, &text));
    assert_string_equal(text, "{\"line\":[],\"last\":\"121212121\"}");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
