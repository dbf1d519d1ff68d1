/* Shapes: the papers' parameters, named sets of tuples, lists and drawings, wrong tuples. */
#include "scratch.h"

#include "ntuple/encoding.h"
#include "ntuple/shape.h"

static struct grid grid44, grid33, grid23;

static int setup(void **state)
{
    (void)state;
    return grid_create(&grid44, 4, 4) || grid_create(&grid33, 3, 3) || grid_create(&grid23, 2, 3);
}

/* Weights of a stage: the sum over tuples and ranges of digits^cells. */
static uint64_t count_weights(const char *name, const struct grid *grid, const char *encoding_words)
{
    struct shape shape;
    struct encoding encoding;
    assert_ok(shape_from_name(&shape, grid, name));
    assert_ok(encoding_parse(&encoding, grid, encoding_words));
    uint64_t sum = 0;
    for (unsigned t = 0; t < shape.n_tuples; t++)
        for (unsigned r = 0; r < encoding.n_ranges; r++) {
            uint64_t n_weights = 1;
            for (unsigned k = 0; k < shape.tuples[t].n_cells; k++)
                n_weights *= encoding.ranges[r].n_digits;
            sum += n_weights;
        }
    return sum;
}

static void test_parameters_of_the_papers(void **state)
{
    (void)state;
    /* VSE table 5: two stages. */
    assert_int_equal(2 * count_weights("NT6-M", &grid44, "plain 18"), 544195584);
    assert_int_equal(2 * count_weights("8x6", &grid44, "plain 18"), 544195584);
    assert_int_equal(2 * count_weights("nt6", &grid44, "plain 18"), 612220032);
    assert_int_equal(2 * count_weights("nt7", &grid44, "1-9 10-17"), 471794736);
    assert_int_equal(2 * count_weights("nt8", &grid44, "1-7 8-13 14-17"), 877730580);
    assert_int_equal(2 * count_weights("nt9", &grid44, "1-5 6-9 10-13 14-17"), 1835939238);
    /* VSE table 4, 3x3. */
    assert_int_equal(count_weights("mnt6", &grid33, "plain 11"), 3543122);
    assert_int_equal(count_weights("mnt6", &grid33, "1-6 5-10"), 1048576);
    assert_int_equal(count_weights("mnt6", &grid33, "1-6 6-10"), 759586);
    assert_int_equal(count_weights("mnt6", &grid33, "1-6 7-10"), 617600);
    assert_int_equal(count_weights("mnt6", &grid33, "1-5 6-10"), 470596);
    assert_int_equal(count_weights("mnt6", &grid33, "1-4 5-10"), 617600);
    assert_int_equal(count_weights("mnt6", &grid33, "1-4 5-7 8-10"), 217874);
    assert_int_equal(count_weights("mnt6", &grid33, "1-4 4-7 7-10"), 421922);
    /* The paper prints 155839 for 4-VSE-A, an odd number although both tuples have equal tables; its own numbers of
       labels (6, 5, 5, 4) give 2 * (6^6 + 5^6 + 5^6 + 4^6). */
    assert_int_equal(count_weights("mnt6", &grid33, "1-4 5-6 7-8 9-10"), 164004);
    assert_int_equal(count_weights("mnt4", &grid33, "plain 11"), 43923);
    /* Jaskowski 2018 */
    assert_int_equal(count_weights("42-33", &grid44, "plain 16"), 5 * (1 << 24));
    assert_int_equal(count_weights("421-43", &grid44, "plain 16"), 1342177280);
    assert_int_equal(count_weights("42-33-4-22-3", &grid44, "plain 16"), 5 * (1 << 24) + 5 * (1 << 16) + 2 * (1 << 12));
}

static void test_every_name_is_a_shape(void **state)
{
    (void)state;
    size_t n_names;
    const struct named_shape *names = shape_names(&n_names);
    assert_true(n_names >= 20);
    for (size_t i = 0; i < n_names; i++) {
        struct grid grid;
        struct shape shape;
        struct encoding encoding;
        assert_ok(grid_create(&grid, names[i].rows, names[i].cols));
        assert_ok(shape_from_name(&shape, &grid, names[i].name));
        assert_ok(encoding_parse(&encoding, &grid, names[i].encoding));
        size_t n_slashes = 0;
        for (const char *at = names[i].tuples; *at; at++)
            n_slashes += *at == '/';
        assert_int_equal(shape.n_tuples, n_slashes + 1);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(names[i].name, names[k].name);
        grid_free(&grid);
    }
}

static void test_numbers_of_tuples(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned n_tuples;
    } expected[] = {{"4x6", 4},        {"42-33", 5}, {"42-33-4-22", 10}, {"42-33-4-22-3", 12}, {"421-43", 5},
                    {"szubert", 4},    {"8x6", 8},   {"8x6-first4", 4},  {"8x6-first5", 5},    {"8x6-first6", 6},
                    {"8x6-first7", 7}, {"nt6", 9},   {"nt7", 8},         {"nt8", 5},           {"nt9", 7}};
    struct shape shape, whole;
    assert_ok(shape_from_name(&whole, &grid44, "8x6"));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_ok(shape_from_name(&shape, &grid44, expected[i].name));
        assert_int_equal(shape.n_tuples, expected[i].n_tuples);
        if (strncmp(expected[i].name, "8x6-", 4) == 0)
            assert_memory_equal(shape.tuples, whole.tuples, expected[i].n_tuples * sizeof *whole.tuples);
    }
}

static void test_names_are_found_or_guessed(void **state)
{
    (void)state;
    struct shape shape;
    assert_int_equal(shape_from_name(&shape, &grid44, "42-32"), STATUS_INVALID);
    assert_message("did you mean '42-33'");
    assert_int_equal(shape_from_name(&shape, &grid44, "fantasy"), STATUS_INVALID);
    assert_message("net list");
    assert_int_equal(shape_from_name(&shape, &grid33, "nt8"), STATUS_INVALID);
    assert_message("is for boards of 4x4, this one has 3x3");
}

static void test_lists_and_drawings(void **state)
{
    (void)state;
    struct shape shape = {0};
    char text[32];
    assert_ok(shape_add_tuple(&shape, &grid44, " 6,5 4, 2 1 0 "));
    assert_string_equal(tuple_list(&shape.tuples[0], text), "0 1 2 4 5 6");
    assert_string_equal(tuple_draw(&grid44, &shape.tuples[0], text), "xxx./xxx./..../....");
    assert_ok(shape_add_tuple(&shape, &grid44, "..../xxx. / XXX./...."));
    assert_string_equal(tuple_list(&shape.tuples[1], text), "4 5 6 8 9 10");
    assert_ok(shape_add_tuple(&shape, &grid44, "7 8 9 10 11 12 13 14 15"));
    assert_string_equal(tuple_list(&shape.tuples[2], text), "7 8 9 10 11 12 13 14 15");
    struct shape small = {0};
    assert_ok(shape_add_tuple(&small, &grid23, "x.x/.x."));
    assert_string_equal(tuple_list(&small.tuples[0], text), "0 2 4");
    assert_string_equal(tuple_draw(&grid23, &small.tuples[0], text), "x.x/.x.");
}

static void refuse(const char *text, const char *message)
{
    struct shape shape = {0}, before;
    assert_ok(shape_add_tuple(&shape, &grid44, "0 1 2 3"));
    before = shape;
    assert_int_equal(shape_add_tuple(&shape, &grid44, text), STATUS_INVALID);
    assert_message(message);
    assert_memory_equal(&shape, &before, sizeof shape);
}

static void test_wrong_tuples_are_refused(void **state)
{
    (void)state;
    refuse("0 1 16", "no cell 16");
    refuse("0 1 99999999999", "no cell 999");
    refuse("0 1 1", "twice");
    refuse("", "has 0 cells");
    refuse(" , ", "has 0 cells");
    refuse("0 1 2 3 4 5 6 7 8 9", "has 10 cells");
    refuse("3 2 1 0", "is the same as number 1");
    refuse("0 -1", "'-'");
    refuse("xxx/xxx./..../....", "row 1 has 3 cells");
    refuse("xxx./xxx./....", "has 3 rows");
    refuse("xxx./xxx./..../..../....", "row 5");
    refuse("xxx./xoo./..../....", "'o' in a drawing");
    refuse("..../..../..../....", "has 0 cells");
    struct shape full = {0};
    for (unsigned a = 0, n = 0; a < 16; a++)
        for (unsigned b = a + 1; b < 16 && n < SHAPE_MAX_TUPLES; b++, n++) {
            char text[16];
            snprintf(text, sizeof text, "%u %u", a, b);
            assert_ok(shape_add_tuple(&full, &grid44, text));
        }
    assert_int_equal(shape_add_tuple(&full, &grid44, "0 1 2"), STATUS_INVALID);
    assert_message("one too many");
}

static void test_contains(void **state)
{
    (void)state;
    struct shape shape = {0};
    assert_ok(shape_add_tuple(&shape, &grid44, "xxx./xxx./..../...."));
    assert_ok(shape_add_tuple(&shape, &grid44, "..../..../..xx/..xx"));
    assert_ok(shape_add_tuple(&shape, &grid44, "xxxx/..../..../...."));
    unsigned n_squares = 0, n_lines = 0;
    for (unsigned s = 0; s < grid44.n_symmetries; s++) {
        n_squares += tuple_contains(&grid44, &shape.tuples[0], s, &shape.tuples[1]);
        n_lines += tuple_contains(&grid44, &shape.tuples[0], s, &shape.tuples[2]);
        assert_true(tuple_contains(&grid44, &shape.tuples[0], 0, &shape.tuples[0]));
        assert_false(tuple_contains(&grid44, &shape.tuples[1], s, &shape.tuples[0]));
    }
    assert_int_equal(n_squares, 2); /* the rectangle in that corner, lying and standing */
    assert_int_equal(n_lines, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters_of_the_papers),
        cmocka_unit_test(test_every_name_is_a_shape),
        cmocka_unit_test(test_numbers_of_tuples),
        cmocka_unit_test(test_names_are_found_or_guessed),
        cmocka_unit_test(test_lists_and_drawings),
        cmocka_unit_test(test_wrong_tuples_are_refused),
        cmocka_unit_test(test_contains),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
