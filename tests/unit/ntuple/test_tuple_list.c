/* Lists of tuples: the paper's numbers, and a brute force over all subsets that shares no code with the module. */
#include "scratch.h"

#include "ntuple/tuple_list.h"

/* SELECT, table 1: N = 3 .. 13. */
static const unsigned paper_all[] = {77, 252, 567, 1051, 1465, 1674, 1465, 1051, 567, 252, 77};
static const unsigned paper_connected[] = {8, 17, 33, 68, 119, 195, 261, 300, 257, 169, 66};

static void test_paper(void **state)
{
    (void)state;
    struct grid grid;
    assert_ok(grid_create(&grid, 4, 4));
    for (unsigned n = 3; n <= 13; n++)
        for (int connected = 0; connected < 2; connected++) {
            struct tuple_list list;
            assert_ok(tuple_list_create(&list, &grid, n, connected));
            assert_int_equal(list.n_tuples, (connected ? paper_connected : paper_all)[n - 3]);
            tuple_list_free(&list);
        }
    grid_free(&grid);
}

/* ---- brute force: boards as rows of flags, turned and mirrored by hand, filled from one cell by recursion -------- */

struct flags {
    int rows, cols;
    bool at[6][6];
};

static struct flags flags_of(unsigned set, int rows, int cols)
{
    struct flags flags = {rows, cols, {{0}}};
    for (int i = 0; i < rows * cols; i++)
        flags.at[i / cols][i % cols] = set >> i & 1;
    return flags;
}

static unsigned set_of(const struct flags *flags)
{
    unsigned set = 0;
    for (int i = 0; i < flags->rows * flags->cols; i++)
        set |= (unsigned)flags->at[i / flags->cols][i % flags->cols] << i;
    return set;
}

static struct flags turned(const struct flags *flags)
{
    struct flags result = {flags->cols, flags->rows, {{0}}};
    for (int r = 0; r < flags->rows; r++)
        for (int c = 0; c < flags->cols; c++)
            result.at[c][flags->rows - 1 - r] = flags->at[r][c];
    return result;
}

static struct flags mirrored(const struct flags *flags)
{
    struct flags result = {flags->rows, flags->cols, {{0}}};
    for (int r = 0; r < flags->rows; r++)
        for (int c = 0; c < flags->cols; c++)
            result.at[r][flags->cols - 1 - c] = flags->at[r][c];
    return result;
}

static int fill(struct flags *flags, int row, int col)
{
    if (row < 0 || col < 0 || row >= flags->rows || col >= flags->cols || !flags->at[row][col])
        return 0;
    flags->at[row][col] = false;
    return 1 + fill(flags, row - 1, col) + fill(flags, row + 1, col) + fill(flags, row, col - 1) +
           fill(flags, row, col + 1);
}

static bool hangs_together(unsigned set, int rows, int cols)
{
    struct flags flags = flags_of(set, rows, cols);
    int first = __builtin_ctz(set);
    return fill(&flags, first / cols, first % cols) == __builtin_popcount(set);
}

/* Marks the images of a set as seen. */
static void mark_images(bool *seen, unsigned set, int rows, int cols)
{
    struct flags image = flags_of(set, rows, cols);
    for (int mirror = 0; mirror < 2; mirror++) {
        for (int turn = 0; turn < 4; turn++) {
            if (image.rows == rows)
                seen[set_of(&image)] = true;
            image = turned(&image);
        }
        image = mirrored(&image);
    }
}

/* In dictionary order of their cells the first of each class not seen before is its canonical form. */
static int compare_lists(const void *a, const void *b)
{
    unsigned x = *(const uint16_t *)a, y = *(const uint16_t *)b;
    while (x && y) {
        int i = __builtin_ctz(x), k = __builtin_ctz(y);
        if (i != k)
            return i - k;
        x &= x - 1;
        y &= y - 1;
    }
    return 0;
}

static void check_board(int rows, int cols)
{
    static uint16_t sets[1 << 16];
    static bool seen[1 << 16];
    struct grid grid;
    assert_ok(grid_create(&grid, (unsigned)rows, (unsigned)cols));
    for (int n = 1; n <= rows * cols; n++) {
        size_t n_sets = 0;
        for (unsigned set = 1; set < 1u << rows * cols; set++)
            if (__builtin_popcount(set) == n)
                sets[n_sets++] = (uint16_t)set;
        qsort(sets, n_sets, sizeof *sets, compare_lists);
        for (int connected = 0; connected < 2; connected++) {
            struct tuple_list list;
            size_t place = 0;
            memset(seen, 0, sizeof seen);
            assert_ok(tuple_list_create(&list, &grid, (unsigned)n, connected));
            for (size_t i = 0; i < n_sets; i++) {
                if (connected && !hangs_together(sets[i], rows, cols))
                    continue;
                if (!seen[sets[i]]) {
                    assert_true(place < list.n_tuples);
                    assert_int_equal(list.tuples[place], sets[i]);
                    place++;
                    mark_images(seen, sets[i], rows, cols);
                }
                assert_true(tuple_list_find(&list, &grid, sets[i]) < place);
            }
            assert_int_equal(place, list.n_tuples);
            tuple_list_free(&list);
        }
    }
    grid_free(&grid);
}

static void test_brute_force(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {1, 5}, {2, 2}, {2, 3}, {3, 2}, {3, 3}, {2, 5}, {3, 4}, {5, 2}, {2, 6}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        check_board(sizes[i][0], sizes[i][1]);
}

static void test_texts(void **state)
{
    (void)state;
    char text[TUPLE_SET_LIST_BYTES];
    struct grid grid;
    struct tuple_list list;
    struct shape shape = {0};
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(tuple_list_create(&list, &grid, 6, true));
    assert_string_equal(tuple_set_list(list.tuples[0], text), "0 1 2 3 4 5"); /* SELECT's <6-01> */
    assert_string_equal(tuple_set_draw(&grid, list.tuples[0], text), "xxxx/xx../..../....");
    assert_string_equal(tuple_set_list(0xffff, text), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    assert_int_equal(tuple_list_find(&list, &grid, 0xfc00), 0);  /* the same, turned: 10 .. 15 */
    assert_int_equal(tuple_list_find(&list, &grid, 0x8421), 68); /* four cells apart */
    assert_ok(tuple_set_add(&shape, &grid, list.tuples[0]));
    assert_int_equal(shape.n_tuples, 1);
    assert_int_equal(shape.tuples[0].n_cells, 6);
    assert_int_equal(tuple_set_add(&shape, &grid, 0xffff), STATUS_INVALID);
    tuple_list_free(&list);
    assert_int_equal(tuple_list_create(&list, &grid, 0, true), STATUS_INVALID);
    assert_int_equal(tuple_list_create(&list, &grid, 17, false), STATUS_INVALID);
    assert_message("tuples of 1 to 16");
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paper),
        cmocka_unit_test(test_brute_force),
        cmocka_unit_test(test_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
