/* Banks: files are read as hint reads boards and refused with the line; formations are drawn where they should be. */
#include "scratch.h"

#include "game/notation.h"
#include "study/bank.h"

static struct grid grid;

static enum status read_text(struct bank *bank, const char *text)
{
    scratch_write("bank.txt", text, strlen(text));
    return bank_read(bank, &grid, scratch_path("bank.txt"));
}

static void test_read(void **state)
{
    (void)state;
    struct bank bank;
    char digits[NOTATION_DIGITS_BYTES];
    assert_ok(read_text(&bank, "# how it was made\n\n  edcba91200000000 # a good one\r\n"
                               "2 4 0 8 / 0 0 16 2 / 0 0 0 0 / 0 0 0 32768\n1234123412341234"));
    assert_int_equal(bank.n_boards, 3);
    assert_string_equal(notation_digits(&grid, bank.boards[0], digits), "edcba91200000000");
    assert_string_equal(notation_digits(&grid, bank.boards[1], digits), "120300410000000f");
    assert_string_equal(notation_digits(&grid, bank.boards[2], digits), "1234123412341234"); /* lost, but a board */
    uint64_t sum = bank_checksum(&bank, &grid);
    char *text;
    assert_ok(bank_format(&text, &bank, &grid, "two\nlines"));
    assert_string_equal(text, "# two?lines\nedcba91200000000\n120300410000000f\n1234123412341234\n");
    bank_free(&bank);
    assert_ok(read_text(&bank, text));
    assert_true(bank.n_boards == 3 && bank_checksum(&bank, &grid) == sum);
    struct board first = bank.boards[0];
    bank.boards[0] = bank.boards[1];
    bank.boards[1] = first;
    assert_true(bank_checksum(&bank, &grid) != sum);
    bank_free(&bank);
    free(text);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no boards"},
        {"# nothing\n\n", "no boards"},
        {"1200000000000000\n12\n", "line 2: "},
        {"# title\n120000000000000z\n", "line 2: "},
        {"1200000000000000\n\n0000000000000000\n", "line 3: a board without tiles"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bank bank;
        assert_int_equal(read_text(&bank, cases[i].text), STATUS_INVALID);
        assert_message("bank.txt: ");
        assert_message(cases[i].message);
        assert_true(bank.boards == NULL && bank.n_boards == 0);
    }
    struct bank bank;
    assert_int_equal(bank_read(&bank, &grid, scratch_path("nowhere.txt")), STATUS_IO);
}

static void test_formations(void **state)
{
    (void)state;
    static const struct {
        const char *name, *cells;
    } names[] = {{"row", "0 1 2 3"}, {"rows", "0,1,2,3,4,5"}, {"square", "0 1 4 5"}, {"block", "0 1 2 4 5 6"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct formation named = {0}, listed = {0};
        assert_ok(formation_parse(&named, names[i].name));
        assert_ok(formation_parse(&listed, names[i].cells));
        assert_memory_equal(&named, &listed, sizeof named);
    }
    struct formation formation = {0};
    assert_int_equal(formation_parse(&formation, "blok"), STATUS_INVALID);
    assert_message("did you mean 'block'");
    static const char *const bad[] = {"", "snake", "0 1 16", "0 -1", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(formation_parse(&formation, bad[i]), STATUS_INVALID);
        assert_message("expected row, rows, square, block");
    }
}

static void test_draw(void **state)
{
    (void)state;
    enum { BOARDS = 3000 };
    struct formation formation = {.top = 14, .n_small = 3};
    struct bank bank, shorter, other;
    assert_ok(formation_parse(&formation, "0 1 2 3 7 6"));
    assert_ok(bank_draw(&bank, &formation, BOARDS, 5));
    assert_ok(bank_draw(&shorter, &formation, 10, 5));
    assert_ok(bank_draw(&other, &formation, BOARDS, 6));
    unsigned n_of_value[4] = {0}, n_on_cell[16] = {0};
    for (size_t i = 0; i < BOARDS; i++) {
        unsigned n_small = 0;
        for (unsigned j = 0; j < 6; j++)
            assert_int_equal(board_get(bank.boards[i], formation.cells[j]), 14 - j);
        for (unsigned cell = 0; cell < 16; cell++) {
            unsigned value = board_get(bank.boards[i], cell);
            if (value == 0 || value >= 9)
                continue;
            assert_in_range(value, 1, 3);
            n_of_value[value]++;
            n_on_cell[cell]++;
            n_small++;
        }
        assert_int_equal(n_small, 3);
    }
    for (unsigned value = 1; value <= 3; value++) /* 3000 expected, deviation 45 */
        assert_in_range(n_of_value[value], 2700, 3300);
    for (unsigned cell = 4; cell < 16; cell++) /* 900 expected, deviation 25 */
        assert_in_range(n_on_cell[cell], cell == 6 || cell == 7 ? 0 : 750, cell == 6 || cell == 7 ? 0 : 1050);
    for (size_t i = 0; i < 10; i++)
        assert_true(board_equal(bank.boards[i], shorter.boards[i]));
    assert_true(bank_checksum(&bank, &grid) != bank_checksum(&other, &grid));
    bank_free(&bank);
    bank_free(&shorter);
    bank_free(&other);
}

static void test_bad_draw(void **state)
{
    (void)state;
    struct bank bank;
    struct formation formation = {.cells = {0, 1, 1}, .n_cells = 3, .top = 14};
    assert_int_equal(bank_draw(&bank, &formation, 5, 1), STATUS_INVALID);
    assert_message("cell 1 twice");
    formation.cells[2] = 2;
    formation.top = 5; /* 32 16 8 */
    assert_int_equal(bank_draw(&bank, &formation, 5, 1), STATUS_INVALID);
    assert_message("end below 16");
    formation.top = 6;
    formation.n_small = 14;
    assert_int_equal(bank_draw(&bank, &formation, 5, 1), STATUS_INVALID);
    assert_message("do not fit on 13");
    formation.n_small = 13;
    assert_ok(bank_draw(&bank, &formation, 5, 1));
    assert_true(!grid_has_empty(&grid, bank.boards[4]));
    bank_free(&bank);
}

static int setup(void **state)
{
    return grid_create(&grid, 4, 4) != STATUS_OK || scratch_setup(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read), cmocka_unit_test(test_refused),  cmocka_unit_test(test_formations),
        cmocka_unit_test(test_draw), cmocka_unit_test(test_bad_draw),
    };
    return cmocka_run_group_tests_name("bank", tests, setup, scratch_teardown);
}
