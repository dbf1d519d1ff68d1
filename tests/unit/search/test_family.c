/* Families: every move after every spawn, and each board once. */
#include "scratch.h"

#include "base/random.h"
#include "search/family.h"

#include <math.h>

/* Whether this move after a spawn is in the family. */
static bool has_move(const struct family *family, unsigned spawn, struct board board, uint32_t reward)
{
    for (unsigned i = 0; i < family->n_moves; i++)
        if (family->moves[i].spawn == spawn && family->moves[i].reward == reward &&
            board_equal(family->child[family->moves[i].child], board))
            return true;
    return false;
}

static void check_family(const struct grid *grid, struct board after, unsigned tiles)
{
    static struct family family;
    unsigned n_moves = 0, n_empty = 0;
    family_make(&family, grid, after, tiles);
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (board_get(after, cell) != 0)
            continue;
        n_empty++;
        for (unsigned value = 1; value <= 2; value++) {
            if (!(tiles & value))
                continue;
            struct moves moves = grid_moves(grid, board_set(after, cell, value));
            for (unsigned d = 0; d < DIRECTION_COUNT; d++)
                if (moves.legal >> d & 1) {
                    n_moves++;
                    assert_true(has_move(&family, 2 * cell + value - 1, moves.after[d], moves.reward[d]));
                }
        }
    }
    assert_int_equal(family.n_moves, n_moves);
    assert_int_equal(family.n_empty, n_empty);
    assert_true(family.n_children <= n_moves);
    for (unsigned i = 0; i < family.n_children; i++) { /* and every child is somebody's */
        bool used = false;
        for (unsigned m = 0; m < family.n_moves; m++)
            used |= family.moves[m].child == i;
        assert_true(used);
    }
}

static struct board random_board(const struct grid *grid, struct rng *rng, unsigned max_value)
{
    struct board board = {0};
    unsigned share = 1 + (unsigned)random_below(rng, 5);
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        if (random_below(rng, 6) < share)
            board = board_set(board, cell, 1 + (unsigned)random_below(rng, max_value));
    return board_set(board, (unsigned)random_below(rng, grid->n_cells), 0);
}

static void test_members(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{4, 4}, {3, 3}, {2, 5}, {1, 6}, {4, 3}, {1, 2}};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct grid grid;
        assert_ok(grid_create(&grid, sizes[s][0], sizes[s][1]));
        struct rng rng = random_stream(1, s);
        for (unsigned i = 0; i < 3000; i++) {
            unsigned max = 3 + (unsigned)random_below(&rng, 15);
            check_family(&grid, random_board(&grid, &rng, max), FAMILY_TWOS + (unsigned)random_below(&rng, 3));
        }
        check_family(&grid, (struct board){0}, FAMILY_BOTH);
        grid_free(&grid);
    }
}

/* On 4x4 a board that several spawns and moves of one line lead to is there once. */
static void test_brothers(void **state)
{
    (void)state;
    struct grid grid;
    static struct family family;
    assert_ok(grid_create(&grid, 4, 4));
    /* One row 5 3 - - at the top, all else full and stuck: a tile 2 in either gap slides left to the same place. */
    struct board board = {.cells = UINT64_C(0x5656656556560053)};
    family_make(&family, &grid, board, FAMILY_TWOS);
    unsigned to_left = 0;
    for (unsigned m = 0; m < family.n_moves; m++)
        to_left += (family.child[family.moves[m].child].cells & 0xffff) == 0x0153;
    assert_true(to_left >= 1);
    for (unsigned i = 0; i < family.n_children; i++)
        for (unsigned k = 0; k < i; k++)
            assert_false(board_equal(family.child[i], family.child[k]));
    grid_free(&grid);
}

static void test_expectation(void **state)
{
    (void)state;
    struct grid grid;
    static struct family family;
    assert_ok(grid_create(&grid, 1, 2));
    /* 2 and a gap: a 2 merges for 4 points, a 4 leaves no move and is worth 0. */
    family_make(&family, &grid, (struct board){.cells = 1}, FAMILY_BOTH);
    for (unsigned i = 0; i < family.n_children; i++)
        family.value[i] = 10;
    assert_true(fabs(family_expectation(&family) - 0.9 * 14) < 1e-12);
    family_make(&family, &grid, (struct board){.cells = 1}, FAMILY_FOURS);
    assert_int_equal(family.n_moves, 0);
    assert_true(family_expectation(&family) == 0);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_members), cmocka_unit_test(test_brothers),
                                       cmocka_unit_test(test_expectation)};
    return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}
