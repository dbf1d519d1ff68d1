/* The committed vectors: the engine agrees with every row, as any other program can check for itself. */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum direction direction_of(const char *name)
{
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (strcmp(direction_name(d), name) == 0)
            return d;
    fail_msg("'%s' is not a direction", name);
    return DIRECTION_COUNT;
}

static unsigned check_file(unsigned rows, unsigned cols)
{
    struct grid grid;
    char path[512], line[256];
    assert_int_equal(grid_create(&grid, rows, cols), STATUS_OK);
    snprintf(path, sizeof path, "%s/%ux%u.csv", TEST_VECTORS, rows, cols);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    assert_string_equal(line, "board,move,afterstate,reward,legal\n");
    unsigned n = 0;
    for (; fgets(line, sizeof line, file); n++) {
        char before[32], move[8], after[32];
        unsigned reward, legal;
        assert_int_equal(sscanf(line, "%31[^,],%7[^,],%31[^,],%u,%u", before, move, after, &reward, &legal), 5);
        struct board board, expected;
        uint32_t got_reward;
        assert_int_equal(notation_parse(&grid, before, &board), STATUS_OK);
        /* Two of the largest tile of a small board merge to one that a game cannot reach, so digits are compared. */
        expected = grid_move(&grid, board, direction_of(move), &got_reward);
        char got[NOTATION_DIGITS_BYTES];
        assert_string_equal(notation_digits(&grid, expected, got), after);
        assert_int_equal(got_reward, reward);
        assert_int_equal(!board_equal(expected, board), legal);
    }
    fclose(file);
    grid_free(&grid);
    return n;
}

static void test_vectors(void **state)
{
    (void)state;
    static const unsigned sizes[][2] = {{4, 4}, {3, 3}, {3, 4}, {2, 5}, {3, 5}, {2, 6}};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
        assert_int_equal(check_file(sizes[i][0], sizes[i][1]), 4 * (36 + 400));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
