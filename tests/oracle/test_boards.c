/* Millions of random boards of each size against the reference: moves, symmetries, canonical form, age, notation. */
#include "oracle.h"

#include "game/board4x4.h"

#include <string.h>

enum { LONG_BOARDS = 10000000 };
static unsigned n_boards = ORACLE_BOARDS;

/* All images by the reference: turned 0..3 times, mirrored or not, those of the same size; and the smallest of them. */
static unsigned reference_images(const struct grid *grid, struct board board, struct board *images,
                                 struct board *smallest)
{
    struct reference_board image = oracle_reference(grid, board), least = image;
    unsigned n = 0;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        for (int turn = 0; turn < 4; turn++) {
            if (image.rows == grid->rows && image.cols == grid->cols) {
                images[n++] = oracle_board(&image);
                if (reference_compare(&image, &least) < 0)
                    least = image;
            }
            image = reference_turn(&image);
        }
        image = reference_mirror(&image);
    }
    *smallest = oracle_board(&least);
    return n;
}

static void check_symmetries(const struct grid *grid, struct board board)
{
    struct board expected[GRID_MAX_SYMMETRIES], smallest;
    unsigned n = reference_images(grid, board, expected, &smallest);
    assert_int_equal(n, grid->n_symmetries);
    /* The same images, as a multiset: every image is found once. */
    for (unsigned s = 0; s < n; s++) {
        struct board image = grid_image(grid, board, s);
        unsigned i = 0;
        while (i < n - s && !board_equal(image, expected[i]))
            i++;
        assert_true(i < n - s);
        expected[i] = expected[n - s - 1];
    }
    oracle_assert_same(grid, board, grid_canonical(grid, board), smallest, "canonical form");
}

/* Moving then turning is turning then moving in the turned direction. */
static void check_directions(const struct grid *grid, struct board board, unsigned symmetry)
{
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        uint32_t reward, image_reward;
        struct board moved = grid_image(grid, grid_move(grid, board, d, &reward), symmetry);
        enum direction turned = grid_image_direction(d, symmetry);
        struct board image = grid_move(grid, grid_image(grid, board, symmetry), turned, &image_reward);
        oracle_assert_same(grid, board, image, moved, "moving the image");
        assert_int_equal(reward, image_reward);
    }
}

static void check_notation(const struct grid *grid, struct board board)
{
    char digits[NOTATION_DIGITS_BYTES], numbers[NOTATION_NUMBERS_BYTES];
    struct board again;
    if (board_max_value(board) > grid->max_value) {
        assert_int_equal(notation_parse(grid, notation_digits(grid, board, digits), &again), STATUS_INVALID);
        return;
    }
    assert_int_equal(notation_parse(grid, notation_digits(grid, board, digits), &again), STATUS_OK);
    oracle_assert_same(grid, board, again, board, "reading its digits");
    if (grid->n_cells == 1)
        return; /* one number is one word, and words are digits */
    assert_int_equal(notation_parse(grid, notation_numbers(grid, board, numbers), &again), STATUS_OK);
    oracle_assert_same(grid, board, again, board, "reading its numbers");
}

static void check_size(unsigned rows, unsigned cols, unsigned n)
{
    struct grid grid;
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    struct rng rng = random_stream(2048, rows * 8 + cols);
    for (unsigned i = 0; i < n; i++) {
        struct board board = oracle_random_board(&grid, &rng);
        assert_true(grid_holds(&grid, board));
        oracle_check_moves(&grid, board);
        check_symmetries(&grid, board);
        if (i % 16 == 0) { /* cheap properties of the same code, a sixteenth of the boards is plenty */
            struct reference_board plain = oracle_reference(&grid, board);
            check_directions(&grid, board, i / 16 % grid.n_symmetries);
            check_notation(&grid, board);
            assert_int_equal(board_age(board), reference_age(&plain));
            struct reference_board smallest = reference_canonical(&plain);
            oracle_assert_same(&grid, board, grid_canonical(&grid, board), oracle_board(&smallest), "canonical form");
        }
    }
    grid_free(&grid);
}

static void test_4x4(void **state)
{
    (void)state;
    check_size(4, 4, n_boards);
}

static void test_3x3(void **state)
{
    (void)state;
    check_size(3, 3, n_boards);
}

static void test_3x4(void **state)
{
    (void)state;
    check_size(3, 4, n_boards);
}

static void test_2x5(void **state)
{
    (void)state;
    check_size(2, 5, n_boards);
}

static void test_every_size(void **state)
{
    (void)state;
    unsigned n_sizes = 0;
    for (unsigned rows = 0; rows <= 7; rows++)
        for (unsigned cols = 0; cols <= 7; cols++) {
            struct grid grid;
            bool possible = rows >= 1 && rows <= 6 && cols >= 1 && cols <= 6 && rows * cols <= 16;
            assert_int_equal(grid_create(&grid, rows, cols), possible ? STATUS_OK : STATUS_INVALID);
            grid_free(&grid);
            if (possible)
                check_size(rows, cols, n_boards / 500);
            n_sizes += possible;
        }
    assert_int_equal(n_sizes, 26);
}

/* A name (a cmocka filter) runs one part alone, so that parts can run side by side; "long" is for make test-long. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size), cmocka_unit_test(test_4x4), cmocka_unit_test(test_3x3),
        cmocka_unit_test(test_3x4),        cmocka_unit_test(test_2x5),
    };
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        n_boards = LONG_BOARDS;
    else if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests_name("boards", tests, NULL, NULL);
}
