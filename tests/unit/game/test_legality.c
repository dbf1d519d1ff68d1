/* Legal directions without moves, against the moves themselves, on every size and on all kinds of boards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "game/legality.h"

enum { BOARDS = 20000 };

/* Values up to `largest`, 0 for `n_empty` of ten cells: from sparse boards to full ones with many equal tiles. */
static struct board draw_board(const struct grid *grid, struct rng *rng, unsigned largest, unsigned n_empty)
{
    struct board board = {0};
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        if (random_below(rng, 10) >= n_empty)
            board = board_set(board, cell, 1 + (unsigned)random_below(rng, largest));
    return board;
}

static void check_grid(unsigned rows, unsigned cols)
{
    struct grid grid;
    struct rng rng = random_stream(rows, cols);
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    struct legality rules = legality_of(&grid);
    for (unsigned i = 0; i < BOARDS; i++) {
        struct board board = draw_board(&grid, &rng, 1 + i % BOARD_MAX_VALUE, i / BOARD_MAX_VALUE % 10);
        assert_int_equal(legality_moves(&rules, board), grid_moves(&grid, board).legal);
    }
    grid_free(&grid);
}

static void test_every_size(void **state)
{
    (void)state;
    for (unsigned rows = 1; rows <= BOARD_MAX_SIDE; rows++)
        for (unsigned cols = 1; cols <= BOARD_MAX_SIDE && rows * cols <= BOARD_MAX_CELLS; cols++)
            check_grid(rows, cols);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
