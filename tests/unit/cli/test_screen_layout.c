/* Where things go in a window of any size. */
#include "scratch.h"

#include "cli/play/screen_layout.h"

#include <math.h>

enum { HELP = 86 };

static void check_tile(unsigned lines, unsigned columns, enum tile_size tile, bool beside, unsigned shown)
{
    struct screen_layout layout = screen_layout_choose(4, 4, lines, columns, HELP);
    assert_false(layout.too_small);
    assert_int_equal(layout.tile, tile);
    assert_int_equal(layout.beside, beside);
    assert_int_equal(layout.shown, shown);
}

static void test_known_windows(void **state)
{
    (void)state;
    const unsigned all = (1 << PANEL_COUNT) - 1, score = 1 << PANEL_SCORE, message = 1 << PANEL_MESSAGE;
    const unsigned figures = score | message | 1 << PANEL_VALUE | 1 << PANEL_MOVES, bars = 1 << PANEL_BARS;
    check_tile(24, 80, TILE_LARGE, true, all);
    check_tile(25, 40, TILE_LARGE, false, all);
    check_tile(40, 32, TILE_LARGE, false, all);
    check_tile(24, 30, TILE_MEDIUM, false, all);
    check_tile(24, 20, TILE_SMALL, false, all);
    check_tile(12, 20, TILE_SMALL, false, figures | bars);
    check_tile(8, 20, TILE_SMALL, false, figures);
    check_tile(6, 20, TILE_SMALL, false, score | message);
    check_tile(5, 20, TILE_SMALL, false, score);
    check_tile(24, 19, TILE_DIGIT, false, all);
    check_tile(5, 8, TILE_DIGIT, false, score);
}

/* Whatever the window, nothing lies outside it or upon something else, and a larger window is never too small. */
static void check_window(unsigned rows, unsigned cols, unsigned lines, unsigned columns)
{
    struct screen_layout layout = screen_layout_choose(rows, cols, lines, columns, HELP);
    if (layout.too_small) {
        assert_true(lines < layout.least_lines || columns < layout.least_columns);
        return;
    }
    unsigned width = cols * layout.tile_width, height = rows * layout.tile_height, used = 0;
    assert_true(width <= columns && height <= lines);
    assert_true(layout.panel_column + layout.panel_columns <= columns);
    assert_true(layout.panel_line + layout.panel_lines <= lines);
    assert_true(layout.beside ? layout.panel_column > width : layout.panel_line == height);
    for (unsigned part = 0; part < PANEL_COUNT; part++)
        if (layout.shown >> part & 1)
            used += part == PANEL_BARS ? DIRECTION_COUNT : part == PANEL_HELP ? layout.help_lines : 1;
    assert_true(used >= 1 && used <= layout.panel_lines);
    assert_true(layout.shown >> PANEL_SCORE & 1);
}

static void test_all_windows(void **state)
{
    (void)state;
    for (unsigned rows = 1; rows <= BOARD_MAX_SIDE; rows++)
        for (unsigned cols = 1; cols <= BOARD_MAX_SIDE; cols++)
            for (unsigned lines = 1; lines <= 50; lines++)
                for (unsigned columns = 1; columns <= 100; columns++)
                    check_window(rows, cols, lines, columns);
}

static void test_too_small(void **state)
{
    (void)state;
    struct screen_layout layout = screen_layout_choose(4, 4, 4, 80, HELP);
    assert_false(layout.too_small); /* the panel is beside the board */
    layout = screen_layout_choose(4, 4, 4, 20, HELP);
    assert_true(layout.too_small);
    assert_int_equal(layout.least_lines, 5);
    assert_int_equal(layout.least_columns, 8);
    assert_true(screen_layout_choose(4, 4, 50, 7, HELP).too_small);
}

static void test_faces(void **state)
{
    (void)state;
    static const struct {
        unsigned value, width;
        const char *face;
    } cases[] = {
        {0, 8, "."},     {1, 8, "2"},    {17, 8, "131072"}, {16, 6, "65536"}, {17, 6, "131k"},
        {13, 5, "8192"}, {14, 5, "16k"}, {15, 5, "32k"},    {16, 5, "65k"},   {17, 5, "131k"},
        {0, 2, "."},     {1, 2, "1"},    {10, 2, "a"},      {17, 2, "h"},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char face[FACE_BYTES];
        assert_string_equal(screen_face(cases[i].value, cases[i].width, face), cases[i].face);
    }
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        for (unsigned width = 5; width <= 8; width++) {
            char face[FACE_BYTES];
            assert_true(strlen(screen_face(value, width, face)) < width);
        }
}

static void test_bars(void **state)
{
    (void)state;
    struct search_result result = {.value = {100, NAN, 300, 200}, .legal = 13, .depth = {2, 0, 2, 2}, .best = 2};
    unsigned filled[DIRECTION_COUNT];
    screen_bars(&result, 16, filled);
    assert_int_equal(filled[0], 2);
    assert_int_equal(filled[1], 0);
    assert_int_equal(filled[2], 16);
    assert_int_equal(filled[3], 9);
    result = (struct search_result){.value = {-5, -5, NAN, NAN}, .legal = 3, .depth = {1, 1}};
    screen_bars(&result, 10, filled);
    assert_int_equal(filled[0], 10);
    assert_int_equal(filled[1], 10);
    assert_int_equal(filled[2], 0);
    result = (struct search_result){.value = {NAN, NAN, NAN, NAN}};
    screen_bars(&result, 10, filled);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        assert_int_equal(filled[d], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_windows), cmocka_unit_test(test_all_windows), cmocka_unit_test(test_too_small),
        cmocka_unit_test(test_faces),         cmocka_unit_test(test_bars),
    };
    return cmocka_run_group_tests_name("screen_layout", tests, NULL, NULL);
}
