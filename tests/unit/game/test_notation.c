/* Boards as text: what is read, what is refused and with which words, on any bytes. */
#include "scratch.h"

#include "game/notation.h"

static struct grid grid44, grid23;

static int setup_grids(void **state)
{
    (void)state;
    return grid_create(&grid44, 4, 4) || grid_create(&grid23, 2, 3);
}

static int free_grids(void **state)
{
    (void)state;
    grid_free(&grid44);
    grid_free(&grid23);
    return 0;
}

static void expect_board(const struct grid *grid, const char *text, const char *expected)
{
    struct board board;
    char digits[NOTATION_DIGITS_BYTES];
    if (notation_parse(grid, text, &board))
        fail_msg("'%s' is refused: %s", text, status_message());
    assert_string_equal(notation_digits(grid, board, digits), expected);
}

static void expect_refusal(const struct grid *grid, const char *text, const char *message)
{
    struct board board;
    if (notation_parse(grid, text, &board) != STATUS_INVALID)
        fail_msg("'%s' is read as a board", text);
    assert_string_equal(status_message(), message);
}

static void test_good(void **state)
{
    (void)state;
    expect_board(&grid44, "0123456789abcdef", "0123456789abcdef");
    expect_board(&grid44, "ABCDEFGH00000000", "abcdefgh00000000");
    expect_board(&grid44, " \t0000000000000001\r\n", "0000000000000001");
    expect_board(&grid23, "2 4 0 / 128 0 2", "120701");
    expect_board(&grid23, "2 4 0 128 0 2", "120701");
    expect_board(&grid23, "2,4,.,128,.,2", "120701");
    expect_board(&grid23, "2 4 0/128 0 2", "120701");
    expect_board(&grid23, "[[2, 4, 0], [128, 0, 2]]", "120701");
    expect_board(&grid23, "[[2 4 0]\n [128 0 2]]\n", "120701");
    expect_board(&grid23, "[2,4,0,128,0,2]", "120701");
    expect_board(&grid23, "\n2\t4 .\n/\n128 . 2\n", "120701");
    expect_board(&grid44, "2 4 8 16 / 32 64 128 256 / 512 1024 2048 4096 / 8192 16384 32768 65536", "123456789abcdefg");
    expect_board(&grid44, "131072 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0", "h000000000000000");
}

/* On 1x1 a word is a digit, as everywhere; a comma makes it a number. */
static void test_single_cell(void **state)
{
    (void)state;
    struct grid grid;
    assert_ok(grid_create(&grid, 1, 1));
    expect_board(&grid, "2", "2");
    expect_board(&grid, "2,", "1");
    expect_board(&grid, "4 ,", "2");
    grid_free(&grid);
}

static void test_numbers_written(void **state)
{
    (void)state;
    struct board board;
    char numbers[NOTATION_NUMBERS_BYTES];
    assert_ok(notation_parse(&grid23, "120701", &board));
    assert_string_equal(notation_numbers(&grid23, board, numbers), "2 4 0 / 128 0 2");
    /* The longest text there is fits. */
    assert_ok(notation_parse(&grid44, "hhhhhhhhhhhhhhhh", &board));
    assert_int_equal(strlen(notation_numbers(&grid44, board, numbers)), 16 * 6 + 12 + 3 * 3);
    static const char row[] = "131072 131072 131072 131072";
    assert_memory_equal(numbers + 3 * (sizeof row - 1 + 3), row, sizeof row);
}

static void test_bad_digits(void **state)
{
    (void)state;
    expect_refusal(&grid23, "", "an empty board text; expected 6 digits or numbers");
    expect_refusal(&grid23, " \n\t ", "an empty board text; expected 6 digits or numbers");
    expect_refusal(&grid23, "12070",
                   "board '12070' has 5 digits; a 2x3 board has 6 (or write numbers: \"2 4 0 8 / ...\")");
    expect_refusal(&grid23, "1207011",
                   "board '1207011' has 7 digits; a 2x3 board has 6 (or write numbers: \"2 4 0 8 / ...\")");
    expect_refusal(&grid23, "12x701", "board '12x701': character 3 is 'x'; expected a digit 0-9 or a letter a-h");
    expect_refusal(&grid23, "12070i", "board '12070i': character 6 is 'i'; expected a digit 0-9 or a letter a-h");
    expect_refusal(&grid23, "1207\xff\x01",
                   "board '1207?\?': character 5 is '?'; expected a digit 0-9 or a letter a-h");
    expect_refusal(&grid23, "120801",
                   "row 2, column 1: a tile of 256 cannot arise on a 2x3 board (the largest is 128)");
}

static void test_bad_numbers(void **state)
{
    (void)state;
    expect_refusal(&grid23, "2 4 / 0 128 0 2", "row 1 does not have 3 tiles (a 2x3 board is expected)");
    expect_refusal(&grid23, "2 4 0 2 / 8 0 2", "row 1 does not have 3 tiles (a 2x3 board is expected)");
    expect_refusal(&grid23, "/ 2 4 0 / 128 0 2", "row 1 does not have 3 tiles (a 2x3 board is expected)");
    expect_refusal(&grid23, "2 4 0 / 128 0", "5 tiles in 2 rows; a 2x3 board has 6 in 2");
    expect_refusal(&grid23, "2 4 0 / 128 0 2 /", "6 tiles in 3 rows; a 2x3 board has 6 in 2");
    expect_refusal(&grid23, "2 4 0 / 128 0 2 2", "more than 6 tiles; a 2x3 board has 6");
    expect_refusal(&grid23, "[[2,4],[0,128,0,2]]", "row 1 does not have 3 tiles (a 2x3 board is expected)");
    expect_refusal(&grid23, "[2]", "1 tile in 1 row; a 2x3 board has 6 in 2");
    expect_refusal(&grid23, "[[[", "0 tiles in 1 row; a 2x3 board has 6 in 2");
    expect_refusal(&grid23, "2 4 0 / 128 0 3", "'3' is not a tile; expected 0, 2, 4, .. 131072");
    expect_refusal(&grid23, "2 4 0 / 128 0 1", "'1' is not a tile; expected 0, 2, 4, .. 131072");
    expect_refusal(&grid23, "2 4 0 / 128 0 -2", "'-2' is not a tile; expected 0, 2, 4, .. 131072");
    expect_refusal(&grid23, "2 4 0 / 128 0 262144", "'262144' is not a tile; expected 0, 2, 4, .. 131072");
    expect_refusal(&grid23, "2 4 0 / 128 0 4294967298", "'4294967298' is not a tile; expected 0, 2, 4, .. 131072");
    expect_refusal(&grid23, "2 4 0 / 256 0 2",
                   "row 2, column 1: a tile of 256 cannot arise on a 2x3 board (the largest is 128)");
}

/* Every byte in every place of a board, in both forms: read or refused, and the message is printable. */
static void test_all_bytes(void **state)
{
    (void)state;
    for (unsigned place = 0; place < 16; place++)
        for (unsigned byte = 0; byte < 256; byte++) {
            char text[32] = "0000000000000000";
            struct board board;
            text[place] = (char)byte;
            bool digit = byte != 0 && strchr("0123456789abcdefghABCDEFGH", (int)byte);
            enum status status = notation_parse(&grid44, text, &board);
            assert_int_equal(status, digit ? STATUS_OK : STATUS_INVALID);
            for (const char *p = status_message(); status && *p; p++)
                assert_true(*p >= ' ' && *p < 127);
            char numbers[] = "0 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 0";
            numbers[2 * place] = (char)byte;
            status = notation_parse(&grid44, numbers, &board);
            for (const char *p = status_message(); status && *p; p++)
                assert_true(*p >= ' ' && *p < 127);
        }
}

static void test_huge(void **state)
{
    (void)state;
    enum { BYTES = 1 << 20 };
    static const char *const patterns[] = {"1", "2 ", "/", "0/", ",", " ", "2,", "\xff", "131072 ", "[", "]", "],[2"};
    char *text = malloc(BYTES + 1);
    assert_non_null(text);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct board board;
        for (size_t at = 0; at < BYTES; at++)
            text[at] = patterns[i][at % strlen(patterns[i])];
        text[BYTES] = 0;
        assert_int_equal(notation_parse(&grid44, text, &board), STATUS_INVALID);
        assert_true(strlen(status_message()) < 200);
    }
    memset(text, '1', BYTES);
    struct board board;
    assert_int_equal(notation_parse(&grid44, text, &board), STATUS_INVALID);
    assert_message("board '1111111111111111111111111111111111111111...' has 1048576 digits");
    free(text);
}

/* Each tile up to the largest of each size is read, the next is not. */
static void test_largest_tile(void **state)
{
    (void)state;
    for (unsigned rows = 1; rows <= 4; rows++)
        for (unsigned cols = 1; cols <= 4; cols++) {
            struct grid grid;
            assert_ok(grid_create(&grid, rows, cols));
            for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++) {
                char text[NOTATION_DIGITS_BYTES];
                struct board board, tile = board_set((struct board){0}, rows * cols - 1, value);
                assert_int_equal(notation_parse(&grid, notation_digits(&grid, tile, text), &board),
                                 value <= rows * cols + 1 ? STATUS_OK : STATUS_INVALID);
            }
            grid_free(&grid);
        }
}

static void expect_size(const char *text, unsigned rows, unsigned cols)
{
    unsigned found_rows, found_cols;
    assert_int_equal(notation_guess_size(text, &found_rows, &found_cols), rows != 0);
    if (rows && (found_rows != rows || found_cols != cols))
        fail_msg("'%s' is taken for %ux%u", text, found_rows, found_cols);
}

static void test_size_of_text(void **state)
{
    (void)state;
    expect_size("0012", 2, 2);
    expect_size("123001000", 3, 3);
    expect_size("\t1230000000000010\n", 4, 4);
    expect_size("2 4 0 / 8 0 2", 2, 3);
    expect_size("2,4/0,2/0,0", 3, 2);
    expect_size("[[2, 4, 0], [8, 0, 2]]", 2, 3);
    expect_size("[[2 4 0]\n [8 0 2]\n [0 0 0]]", 3, 3);
    static const char *const none[] = {
        "", " ", "/", "[[", "]]", "]][[", "12", "12x4", "2 4 0 8", "[2,4,0,8]", "2 4 0 8 2 4 0/1", "1/2/3/4/5/6/7"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        expect_size(none[i], 0, 0);
}

static void test_sizes(void **state)
{
    (void)state;
    unsigned rows, cols;
    assert_ok(grid_parse_size("3x5", &rows, &cols));
    assert_true(rows == 3 && cols == 5);
    static const char *const bad[] = {"",    "4",   "x",   "4x",  "x4",  "4x4 ", " 4x4", "44",   "4X4",   "0x4",
                                      "4x0", "7x1", "1x7", "5x4", "6x6", "04x4", "4x04", "-1x4", "4x\xff"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(grid_parse_size(bad[i], &rows, &cols), STATUS_INVALID);
        assert_message("is not a board size: write ROWSxCOLUMNS");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),       cmocka_unit_test(test_single_cell),  cmocka_unit_test(test_numbers_written),
        cmocka_unit_test(test_bad_digits), cmocka_unit_test(test_bad_numbers),  cmocka_unit_test(test_all_bytes),
        cmocka_unit_test(test_huge),       cmocka_unit_test(test_largest_tile), cmocka_unit_test(test_size_of_text),
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests_name("notation", tests, setup_grids, free_grids);
}
