/* The public API, through its header alone: what it promises, and that wrong arguments fail instead of crashing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <afterstate/afterstate.h>

static struct as_grid *make_grid(unsigned rows, unsigned cols)
{
    struct as_grid *grid;
    assert_int_equal(as_grid_create(&grid, rows, cols), AS_OK);
    assert_int_equal(as_grid_rows(grid), rows);
    assert_int_equal(as_grid_cols(grid), cols);
    return grid;
}

static struct as_board read_board(const struct as_grid *grid, const char *text)
{
    struct as_board board;
    if (as_board_parse(grid, text, &board) != AS_OK)
        fail_msg("'%s': %s", text, as_last_error());
    return board;
}

static void expect_error(const char *part)
{
    if (!strstr(as_last_error(), part))
        fail_msg("the message is \"%s\", expected \"%s\" in it", as_last_error(), part);
}

static void test_version(void **state)
{
    (void)state;
    assert_true(as_version()[0] >= '0' && as_version()[0] <= '9');
    assert_non_null(strchr(as_version(), '.'));
    assert_string_equal(as_last_error(), ""); /* this is the first test: nothing has failed yet */
}

static void test_grids(void **state)
{
    (void)state;
    for (unsigned rows = 0; rows <= 8; rows++)
        for (unsigned cols = 0; cols <= 8; cols++) {
            struct as_grid *grid = (struct as_grid *)1;
            bool possible = rows >= 1 && cols >= 1 && rows <= 6 && cols <= 6 && rows * cols <= 16;
            assert_int_equal(as_grid_create(&grid, rows, cols), possible ? AS_OK : AS_INVALID);
            assert_true((grid != NULL) == possible);
            as_grid_free(grid);
        }
    struct as_grid *grid;
    assert_int_equal(as_grid_create(&grid, 4294967295u, 4294967295u), AS_INVALID);
    assert_int_equal(as_grid_create(NULL, 4, 4), AS_USAGE);
    assert_int_equal(as_grid_rows(NULL), -1);
    assert_int_equal(as_grid_cols(NULL), -1);
    as_grid_free(NULL);
}

/* The bits that the header promises. */
static void test_layout(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(4, 4);
    struct as_board board = read_board(grid, "123456789abcdefg");
    assert_true(board.cells == UINT64_C(0xffedcba987654321));
    assert_true(board.high == UINT32_C(1) << 30);
    board = read_board(grid, "h000000000000000");
    assert_true(board.cells == 15 && board.high == 2);
    assert_int_equal(as_board_get(grid, board, 0, 0), 17);
    assert_int_equal(as_board_set(grid, &board, 0, 0, 3), AS_OK);
    assert_true(board.cells == 3 && board.high == 0);
    assert_int_equal(as_board_set(grid, &board, 3, 3, 16), AS_OK);
    assert_true(board.cells == UINT64_C(0xf000000000000003) && board.high == UINT32_C(1) << 30);
    assert_int_equal(as_board_get(grid, board, 3, 3), 16);
    assert_int_equal(as_board_age(grid, board), 65536 + 8);
    as_grid_free(grid);
    assert_int_equal(as_face(0), 0);
    assert_int_equal(as_face(1), 2);
    assert_int_equal(as_face(17), 131072);
    assert_int_equal(as_face(18), 0);
}

static void test_boards_that_do_not_fit(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(3, 3);
    const struct as_board bad[] = {
        {.cells = UINT64_C(1) << 36}, /* a tenth cell */
        {.cells = UINT64_C(0xf) << 36, .high = UINT32_C(1) << 18},
        {.high = UINT32_C(1) << 18},
        {.high = 1},              /* over an empty cell */
        {.cells = 14, .high = 1}, /* over a cell below 15 */
        {.cells = 15, .high = 3}, /* 18 */
    };
    assert_int_equal(as_board_fits(grid, (struct as_board){.cells = UINT64_C(0xfffffffff), .high = 0x2aaaa}), 1);
    assert_int_equal(as_board_fits(NULL, bad[0]), -1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct as_board board = bad[i], out = {.cells = 77};
        char text[AS_NUMBERS_BYTES] = "same";
        uint32_t reward = 77;
        assert_int_equal(as_board_fits(grid, board), 0);
        assert_int_equal(as_board_get(grid, board, 0, 0), -1);
        assert_int_equal(as_board_set(grid, &board, 0, 0, 1), AS_INVALID);
        assert_int_equal(as_board_digits(grid, board, text, sizeof text), AS_INVALID);
        assert_int_equal(as_board_numbers(grid, board, text, sizeof text), AS_INVALID);
        assert_int_equal(as_board_age(grid, board), -1);
        assert_int_equal(as_board_canonical(grid, board, &out), AS_INVALID);
        assert_int_equal(as_move(grid, board, AS_UP, &out, &reward), -1);
        assert_int_equal(as_legal_moves(grid, board), -1);
        assert_int_equal(as_is_terminal(grid, board), -1);
        expect_error("not a 3x3 board");
        assert_true(out.cells == 77 && reward == 77 && board.cells == bad[i].cells && board.high == bad[i].high);
        assert_string_equal(text, "same");
    }
    as_grid_free(grid);
}

static void test_text(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(2, 3);
    char text[AS_NUMBERS_BYTES];
    struct as_board board = read_board(grid, "2 4 0 / 128 0 2");
    assert_int_equal(as_board_digits(grid, board, text, 7), AS_OK);
    assert_string_equal(text, "120701");
    assert_int_equal(as_board_numbers(grid, board, text, sizeof text), AS_OK);
    assert_string_equal(text, "2 4 0 / 128 0 2");
    assert_int_equal(as_board_digits(grid, board, text, 6), AS_USAGE);
    expect_error("needs 7");
    assert_int_equal(as_board_numbers(grid, board, text, 15), AS_USAGE);
    assert_int_equal(as_board_numbers(grid, board, text, 16), AS_OK);
    assert_int_equal(as_board_numbers(grid, board, text, 0), AS_USAGE);
    assert_string_equal(text, "2 4 0 / 128 0 2");
    struct as_board kept = board;
    assert_int_equal(as_board_parse(grid, "12070", &board), AS_INVALID);
    expect_error("has 5 digits; a 2x3 board has 6");
    assert_int_equal(as_board_parse(grid, "120801", &board), AS_INVALID);
    expect_error("row 2, column 1: a tile of 256 cannot arise");
    assert_true(kept.cells == board.cells);
    assert_int_equal(as_board_get(grid, board, 2, 0), -1);
    assert_int_equal(as_board_get(grid, board, 0, 3), -1);
    assert_int_equal(as_board_set(grid, &board, 0, 4294967295u, 1), AS_USAGE);
    assert_int_equal(as_board_set(grid, &board, 0, 0, 18), AS_USAGE);
    assert_true(kept.cells == board.cells);
    as_grid_free(grid);
}

static void test_rules(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(4, 4);
    struct as_board board = read_board(grid, "2 2 4 4 / 0 0 0 2 / 0 0 0 0 / 0 0 0 2"), after;
    uint32_t reward;
    assert_int_equal(as_move(grid, board, AS_LEFT, &after, &reward), 1);
    assert_true(after.cells == read_board(grid, "4 8 0 0 / 2 0 0 0 / 0 0 0 0 / 2 0 0 0").cells);
    assert_int_equal(reward, 12);
    assert_int_equal(as_move(grid, board, AS_DOWN, &after, NULL), 1);
    assert_true(after.cells == read_board(grid, "0 0 0 0 / 0 0 0 0 / 0 0 0 4 / 2 2 4 4").cells);
    assert_int_equal(as_legal_moves(grid, board), 15);
    assert_int_equal(as_is_terminal(grid, board), 0);
    board = read_board(grid, "1000000000000000");
    assert_int_equal(as_legal_moves(grid, board), 1 << AS_RIGHT | 1 << AS_DOWN);
    assert_int_equal(as_move(grid, board, AS_UP, &after, &reward), 0);
    assert_true(after.cells == board.cells && reward == 0);
    board = read_board(grid, "1212212112122121");
    assert_int_equal(as_is_terminal(grid, board), 1);
    assert_int_equal(as_legal_moves(grid, board), 0);
    /* Two 65536 make the largest tile; two of that do not merge. */
    board = read_board(grid, "gg00000000000000");
    assert_int_equal(as_move(grid, board, AS_RIGHT, &after, &reward), 1);
    assert_int_equal(as_board_get(grid, after, 0, 3), 17);
    assert_int_equal(reward, 131072);
    board = read_board(grid, "hh00000000000000");
    assert_int_equal(as_move(grid, board, AS_LEFT, &after, &reward), 0);
    for (unsigned direction = 4; direction < 10; direction++)
        assert_int_equal(as_move(grid, board, direction, &after, &reward), -1);
    assert_int_equal(as_move(grid, board, (unsigned)-1, &after, &reward), -1);
    expect_error("direction 4294967295");
    as_grid_free(grid);
}

static void test_canonical(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(3, 3);
    static const char *const images[] = {"120000000", "021000000", "000000120", "000000021",
                                         "100200000", "001002000", "000200100", "000002001"};
    struct as_board first, other;
    assert_int_equal(as_board_canonical(grid, read_board(grid, images[0]), &first), AS_OK);
    for (unsigned i = 1; i < 8; i++) {
        other = read_board(grid, images[i]);
        assert_true(first.cells <= other.cells);
        assert_int_equal(as_board_canonical(grid, other, &other), AS_OK);
        assert_true(first.cells == other.cells && first.high == other.high);
    }
    as_grid_free(grid);
}

static void test_spawn(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(2, 2);
    struct as_random *random;
    assert_int_equal(as_random_create(&random, 5, 6), AS_OK);
    unsigned fours = 0;
    for (unsigned i = 0; i < 1000; i++) {
        struct as_board board = read_board(grid, "1200");
        unsigned cell = 99, value = 99;
        assert_int_equal(as_spawn(grid, &board, random, &cell, &value), AS_OK);
        assert_true((cell == 2 || cell == 3) && (value == 1 || value == 2));
        assert_int_equal(as_board_get(grid, board, cell / 2, cell % 2), value);
        assert_int_equal(as_spawn(grid, &board, random, NULL, NULL), AS_OK);
        struct as_board full = board;
        assert_int_equal(as_spawn(grid, &board, random, &cell, &value), AS_INVALID);
        assert_true(full.cells == board.cells);
        fours += value == 2;
    }
    assert_true(fours > 50 && fours < 150); /* 100 expected, a deviation of 9.5 */
    struct as_board foreign = {.cells = UINT64_C(1) << 20};
    assert_int_equal(as_spawn(grid, &foreign, random, NULL, NULL), AS_INVALID);
    as_random_free(random);
    as_random_free(NULL);
    as_grid_free(grid);
}

static void test_random(void **state)
{
    (void)state;
    struct as_random *a, *b;
    assert_int_equal(as_random_create(&a, 1, 2), AS_OK);
    assert_int_equal(as_random_create(&b, 1, 2), AS_OK);
    for (unsigned i = 0; i < 1000; i++) {
        uint64_t number = as_random_below(a, i + 1);
        assert_true(number <= i);
        assert_true(number == as_random_below(b, i + 1));
    }
    assert_true(as_random_below(a, 0) == 0);
    expect_error("bound 0");
    assert_true(as_random_below(a, UINT64_MAX) == as_random_below(b, UINT64_MAX)); /* the failure drew nothing */
    assert_true(as_random_below(NULL, 4) == 0);
    assert_int_equal(as_random_create(NULL, 1, 2), AS_USAGE);
    as_random_free(a);
    as_random_free(b);
}

static void test_game(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(4, 4);
    for (uint64_t index = 0; index < 20; index++) {
        struct as_game *game, *twin;
        assert_int_equal(as_game_begin(&game, grid, 9, index), AS_OK);
        assert_int_equal(as_game_begin(&twin, grid, 9, index), AS_OK);
        uint64_t score = 0;
        uint32_t moves = 0;
        for (unsigned turn = 0; !as_game_is_over(game); turn++) {
            unsigned direction = turn % AS_DIRECTIONS;
            struct as_board before = as_game_board(game), after;
            uint32_t reward;
            int legal = as_move(grid, before, direction, &after, &reward);
            assert_int_equal(as_game_play(game, direction), legal);
            assert_int_equal(as_game_play(twin, direction), legal);
            struct as_board now = as_game_board(game);
            score += reward;
            moves += (uint32_t)legal;
            assert_true(as_game_score(game) == score && as_game_moves(game) == moves);
            int grown = as_board_age(grid, now) - as_board_age(grid, before);
            assert_true(legal ? grown == 2 || grown == 4 : grown == 0);
            assert_true(now.cells == as_game_board(twin).cells);
        }
        assert_int_equal(as_is_terminal(grid, as_game_board(game)), 1);
        assert_true(moves > 20 && score > 0);
        for (unsigned direction = 0; direction < AS_DIRECTIONS; direction++)
            assert_int_equal(as_game_play(game, direction), 0);
        assert_int_equal(as_game_play(game, 7), -1);
        expect_error("direction 7");
        as_game_free(game);
        as_game_free(twin);
    }
    as_grid_free(grid);
}

static void test_null(void **state)
{
    (void)state;
    struct as_grid *grid = make_grid(4, 4);
    struct as_board board = {0}, after;
    struct as_random *random;
    struct as_game *game = (struct as_game *)1;
    char text[AS_DIGITS_BYTES];
    assert_int_equal(as_random_create(&random, 0, 0), AS_OK);
    assert_int_equal(as_board_get(NULL, board, 0, 0), -1);
    assert_int_equal(as_board_set(NULL, &board, 0, 0, 1), AS_USAGE);
    assert_int_equal(as_board_set(grid, NULL, 0, 0, 1), AS_USAGE);
    assert_int_equal(as_board_parse(NULL, "0", &board), AS_USAGE);
    assert_int_equal(as_board_parse(grid, NULL, &board), AS_USAGE);
    assert_int_equal(as_board_parse(grid, "0", NULL), AS_USAGE);
    assert_int_equal(as_board_digits(NULL, board, text, sizeof text), AS_USAGE);
    assert_int_equal(as_board_digits(grid, board, NULL, 100), AS_USAGE);
    assert_int_equal(as_board_numbers(grid, board, NULL, 100), AS_USAGE);
    assert_int_equal(as_board_age(NULL, board), -1);
    assert_int_equal(as_board_canonical(NULL, board, &after), AS_USAGE);
    assert_int_equal(as_board_canonical(grid, board, NULL), AS_USAGE);
    assert_int_equal(as_move(NULL, board, 0, &after, NULL), -1);
    assert_int_equal(as_move(grid, board, 0, NULL, NULL), -1);
    assert_int_equal(as_legal_moves(NULL, board), -1);
    assert_int_equal(as_is_terminal(NULL, board), -1);
    assert_int_equal(as_spawn(NULL, &board, random, NULL, NULL), AS_USAGE);
    assert_int_equal(as_spawn(grid, NULL, random, NULL, NULL), AS_USAGE);
    assert_int_equal(as_spawn(grid, &board, NULL, NULL, NULL), AS_USAGE);
    assert_int_equal(as_game_begin(NULL, grid, 1, 1), AS_USAGE);
    assert_int_equal(as_game_begin(&game, NULL, 1, 1), AS_USAGE);
    assert_null(game);
    assert_int_equal(as_game_play(NULL, 0), -1);
    assert_true(as_game_board(NULL).cells == 0);
    assert_true(as_game_score(NULL) == 0 && as_game_moves(NULL) == 0);
    assert_int_equal(as_game_is_over(NULL), -1);
    expect_error("as_game_is_over: an argument is NULL");
    as_game_free(NULL);
    as_random_free(random);
    as_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_version),   cmocka_unit_test(test_grids),
        cmocka_unit_test(test_layout),    cmocka_unit_test(test_boards_that_do_not_fit),
        cmocka_unit_test(test_text),      cmocka_unit_test(test_rules),
        cmocka_unit_test(test_canonical), cmocka_unit_test(test_spawn),
        cmocka_unit_test(test_random),    cmocka_unit_test(test_game),
        cmocka_unit_test(test_null),
    };
    return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
