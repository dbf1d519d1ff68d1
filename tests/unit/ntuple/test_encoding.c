/* Encodings: ranges of values and plain ones, as digits and as text; wrong texts. */
#include "scratch.h"

#include "ntuple/encoding.h"

static struct grid grid44, grid33;

static int setup(void **state)
{
    (void)state;
    return grid_create(&grid44, 4, 4) || grid_create(&grid33, 3, 3);
}

/* The definition of VSE, label by label. */
static unsigned plain_digit(unsigned value, unsigned first, unsigned last, unsigned *n_labels, unsigned max_value)
{
    char labels[64][8];
    unsigned n = 0, found = 0;
    char wanted[8];
    snprintf(labels[n++], 8, "E");
    if (first > 1)
        snprintf(labels[n++], 8, "S");
    for (unsigned v = first; v <= last; v++)
        snprintf(labels[n++], 8, "%u", v);
    if (last < max_value)
        snprintf(labels[n++], 8, "L");
    if (value == 0)
        snprintf(wanted, sizeof wanted, "E");
    else if (value < first)
        snprintf(wanted, sizeof wanted, "S");
    else if (value > last)
        snprintf(wanted, sizeof wanted, "L");
    else
        snprintf(wanted, sizeof wanted, "%u", value);
    while (strcmp(labels[found], wanted) != 0)
        found++;
    *n_labels = n;
    return found;
}

static void test_every_range_and_value(void **state)
{
    (void)state;
    const struct grid *grids[] = {&grid44, &grid33};
    for (int g = 0; g < 2; g++) {
        unsigned max_value = grids[g]->max_value;
        for (unsigned first = 1; first <= max_value; first++)
            for (unsigned last = first; last <= max_value; last++) {
                struct encoding encoding;
                char text[64];
                snprintf(text, sizeof text, "%u-%u", first, last);
                assert_ok(encoding_split(&encoding, grids[g], text));
                assert_int_equal(encoding.n_ranges, 1);
                const struct value_range *range = &encoding.ranges[0];
                assert_int_equal(range->first, first);
                assert_int_equal(range->last, last);
                for (unsigned value = 0; value <= max_value; value++) {
                    unsigned n_labels;
                    assert_int_equal(range->digit[value], plain_digit(value, first, last, &n_labels, max_value));
                    assert_int_equal(range->n_digits, n_labels);
                }
                for (unsigned value = 0; value < ENCODING_VALUES; value++) /* those that cannot be stay in bounds */
                    assert_true(range->digit[value] < range->n_digits);
            }
    }
}

static void test_example_of_the_paper(void **state)
{
    (void)state;
    struct encoding encoding;
    assert_ok(encoding_split(&encoding, &grid44, "1-8, 9-17"));
    assert_int_equal(encoding.n_ranges, 2);
    const uint8_t *low = encoding.ranges[0].digit, *high = encoding.ranges[1].digit;
    assert_int_equal(low[0], 0);
    assert_int_equal(low[1], 1);
    assert_int_equal(low[11], 9); /* L */
    assert_int_equal(low[12], 9);
    assert_int_equal(high[0], 0);
    assert_int_equal(high[1], 1); /* S */
    assert_int_equal(high[11], 4);
    assert_int_equal(high[12], 5);
}

static void test_plain(void **state)
{
    (void)state;
    for (unsigned n_values = 2; n_values <= 18; n_values++) {
        struct encoding encoding, again;
        char text[64];
        assert_ok(encoding_plain(&encoding, n_values));
        assert_true(encoding_is_plain(&encoding));
        assert_int_equal(encoding.ranges[0].n_digits, n_values);
        for (unsigned value = 0; value < ENCODING_VALUES; value++)
            assert_int_equal(encoding.ranges[0].digit[value], value < n_values ? value : n_values - 1);
        assert_ok(encoding_parse(&again, &grid44, encoding_text(&encoding, text)));
        assert_memory_equal(&encoding, &again, sizeof encoding);
    }
    struct encoding encoding;
    assert_int_equal(encoding_plain(&encoding, 1), STATUS_INVALID);
    assert_int_equal(encoding_plain(&encoding, 19), STATUS_INVALID);
    assert_int_equal(encoding_parse(&encoding, &grid44, "plain 19"), STATUS_INVALID);
    assert_int_equal(encoding_parse(&encoding, &grid44, "plain"), STATUS_INVALID);
}

static void test_text_comes_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1-7 8-13 14-17", "1-15", "3-3", "1-9 5-12", "plain 18", "10-17 10-16 10-15 10-14 10-13 10-12 10-11 11-17"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct encoding encoding;
        char text[64];
        assert_ok(encoding_parse(&encoding, &grid44, texts[i]));
        assert_string_equal(encoding_text(&encoding, text), texts[i]);
    }
    struct encoding split, plain;
    assert_ok(encoding_split(&split, &grid44, "1-17")); /* nothing smaller, nothing larger */
    assert_ok(encoding_plain(&plain, 18));
    assert_memory_equal(&split, &plain, sizeof split);
    assert_ok(encoding_split(&split, &grid44, "5"));
    assert_int_equal(split.ranges[0].last, 5);
}

static void test_wrong_texts_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",   "0-5",     "1-18", "7-3",     "a-b",     "1-",
                                        "-5", "1-7 1-7", "1--7", "1-7;8-9", "100-200", "1-7x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct encoding encoding = {0}, before = encoding;
        assert_int_equal(encoding_split(&encoding, &grid44, wrong[i]), STATUS_INVALID);
        assert_message("value ranges");
        assert_memory_equal(&encoding, &before, sizeof encoding);
    }
    struct encoding encoding;
    assert_int_equal(encoding_split(&encoding, &grid33, "1-11"), STATUS_INVALID);
    assert_message("from 1 to 10 on a board of 3x3");
    assert_int_equal(encoding_split(&encoding, &grid44, "1 2 3 4 5 6 7 8 9"), STATUS_INVALID);
    assert_message("more than 8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_range_and_value),
        cmocka_unit_test(test_example_of_the_paper),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_text_comes_back),
        cmocka_unit_test(test_wrong_texts_are_refused),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
