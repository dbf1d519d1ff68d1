/* The numbering of boards: one number for a class of images, one class for a number, whatever the size. */
#include "scratch.h"

#include "base/random.h"
#include "game/grid.h"
#include "solve/layout_create.h"

struct sized {
    struct grid grid;
    struct layout *layout;
    struct age_frame *frame;
};

static void open_size(struct sized *sized, unsigned rows, unsigned cols, uint32_t max_age)
{
    assert_int_equal(grid_create(&sized->grid, rows, cols), STATUS_OK);
    assert_int_equal(layout_create(&sized->layout, &sized->grid, max_age, 0, (struct walls){0}), STATUS_OK);
    sized->frame = age_frame_allocate(sized->layout);
    assert_non_null(sized->frame);
}

static void close_size(struct sized *sized)
{
    free(sized->frame);
    layout_free(sized->layout);
    grid_free(&sized->grid);
}

/* A board of values up to `most`, about a third of it empty. */
static struct board draw_board(const struct grid *grid, unsigned most, struct rng *rng)
{
    struct board board = {0};
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        if (random_below(rng, 3))
            board = board_set(board, cell, (unsigned)random_below(rng, most + 1));
    }
    return board;
}

/* All images have the board's number, and the number's board is one of the images. */
static void check_board(struct sized *sized, struct board board)
{
    uint64_t number, other;
    struct board back;
    assert_int_equal(age_frame_fill(sized->frame, sized->layout, board_age(board)), STATUS_OK);
    assert_true(age_frame_number(sized->frame, board, &number));
    assert_true(number < 64 * sized->frame->n_words);
    assert_true(age_frame_board(sized->frame, number, &back));
    assert_true(board_equal(grid_canonical(&sized->grid, back), grid_canonical(&sized->grid, board)));
    for (unsigned s = 0; s < sized->grid.n_symmetries; s++) {
        assert_true(age_frame_number(sized->frame, grid_image(&sized->grid, board, s), &other));
        assert_int_equal(other, number);
    }
}

static void images_share_a_number(void **state)
{
    (void)state;
    struct rng rng = random_stream(5, 0);
    for (unsigned rows = 1; rows <= 6; rows++) {
        for (unsigned cols = 1; cols <= 6; cols++) {
            if (rows * cols > LAYOUT_MAX_CELLS)
                continue;
            struct sized sized;
            /* Boards of twelve cells only up to values of 8, so that the tables are made quickly. */
            uint32_t max_age = rows * cols > 9 ? 511 : 0;
            open_size(&sized, rows, cols, max_age);
            for (int i = 0; i < 3000; i++) {
                struct board board = draw_board(&sized.grid, sized.layout->max_value, &rng);
                if (board_age(board) <= sized.layout->max_age)
                    check_board(&sized, board);
            }
            close_size(&sized);
        }
    }
}

/* Every board of a small size: different classes have different numbers, because each number leads back to its
   class. */
static void every_small_board(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{1, 1}, {1, 3}, {1, 5}, {2, 2}, {2, 3}, {3, 2}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sized sized;
        open_size(&sized, sizes[i][0], sizes[i][1], 0);
        unsigned n_cells = sized.grid.n_cells, base = 5; /* values 0 .. 4: 15,625 boards of six cells */
        uint64_t n_boards = 1;
        for (unsigned cell = 0; cell < n_cells; cell++)
            n_boards *= base;
        for (uint64_t code = 0; code < n_boards; code++) {
            struct board board = {0};
            uint64_t left = code;
            for (unsigned cell = 0; cell < n_cells; cell++, left /= base)
                board = board_set(board, cell, (unsigned)(left % base));
            /* 1x1 knows no 16, because no game there makes one. */
            if (board_max_value(board) <= sized.layout->max_value && board_age(board) <= sized.layout->max_age)
                check_board(&sized, board);
        }
        close_size(&sized);
    }
}

/* A board of another age, with a tile out of reach, or a number that no board has, is refused. */
static void refuses_strangers(void **state)
{
    (void)state;
    struct sized sized;
    open_size(&sized, 3, 3, 0);
    assert_int_equal(age_frame_fill(sized.frame, sized.layout, 100), STATUS_OK);
    struct board board = board_set((struct board){0}, 4, 6);
    uint64_t number;
    assert_false(age_frame_number(sized.frame, board, &number)); /* age 64 */
    assert_false(age_frame_number(sized.frame, board_set(board, 0, 17), &number));
    struct board outside = {.cells = UINT64_C(1) << 40};
    assert_false(age_frame_number(sized.frame, outside, &number));
    assert_false(age_frame_board(sized.frame, 64 * sized.frame->n_words, &board));
    /* Rows are rounded up to words: of all numbers, those that no board has are refused and the others are boards. */
    uint64_t n_boards = 0;
    for (number = 0; number < 64 * sized.frame->n_words; number++) {
        if (!age_frame_board(sized.frame, number, &board))
            continue;
        assert_int_equal(board_age(board), 100);
        n_boards++;
    }
    assert_in_range(n_boards, 32 * sized.frame->n_words, 64 * sized.frame->n_words);
    close_size(&sized);
}

/* The moves of words are those of the grid. */
static void moves_agree(void **state)
{
    (void)state;
    struct rng rng = random_stream(6, 0);
    static const unsigned sizes[][2] = {{1, 6}, {2, 5}, {5, 2}, {3, 3}, {3, 4}, {4, 3}, {2, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct sized sized;
        open_size(&sized, sizes[i][0], sizes[i][1], 255);
        for (int n = 0; n < 20000; n++) {
            struct board board = draw_board(&sized.grid, 6, &rng);
            struct moves expected = grid_moves(&sized.grid, board);
            struct word_moves moves = layout_moves(sized.layout, board.cells, sizes[i][0], sizes[i][1]);
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                assert_int_equal(moves.after[d], expected.after[d].cells);
                assert_int_equal(moves.after[d] != board.cells, expected.legal >> d & 1);
                if (expected.legal >> d & 1)
                    assert_int_equal(moves.reward[d], expected.reward[d]);
            }
        }
        close_size(&sized);
    }
}

static void refuses_big_boards(void **state)
{
    (void)state;
    struct grid grid;
    struct layout *layout;
    assert_int_equal(grid_create(&grid, 4, 4), STATUS_OK);
    assert_int_equal(layout_create(&layout, &grid, 0, 0, (struct walls){0}), STATUS_INVALID);
    assert_null(layout);
    assert_non_null(strstr(status_message(), "12 cells"));
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_share_a_number), cmocka_unit_test(every_small_board),
        cmocka_unit_test(refuses_strangers),     cmocka_unit_test(moves_agree),
        cmocka_unit_test(refuses_big_boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
