/* Codes of ages that the bytes allow and the age does not. */
#include "scratch.h"

#include "game/grid.h"
#include "solve/age_code.h"
#include "solve/layout_create.h"

enum { AGE = 20, PIECE_BITS = 64 * CODE_PIECE_WORDS };

/* A set of one number in the only piece of a 2x3 age, read into the bitmap of that age, which is far smaller. */
static enum status read_number(struct workers *workers, struct layout *layout, uint64_t number)
{
    static uint64_t words[CODE_PIECE_WORDS];
    const struct coded_words from = {.age = AGE, .words = words, .n_words = CODE_PIECE_WORDS};
    struct code_bytes bytes;
    struct piece_code code;
    struct age_set set = {0};
    words[number / 64] = UINT64_C(1) << number % 64;
    assert_ok(piece_code_write(workers, &from, &bytes));
    words[number / 64] = 0;
    assert_ok(set_code_open(&code, bytes.data, bytes.bytes));
    assert_ok(age_set_begin(&set, layout, AGE, workers));
    assert_true(set.frame->n_words < CODE_PIECE_WORDS);
    enum status status = set_code_read(&code, workers, &set);
    age_set_free(&set);
    code_bytes_free(&bytes);
    return status;
}

static void test_numbers_beyond_the_age(void **state)
{
    (void)state;
    struct grid grid;
    struct layout *layout;
    struct workers *workers;
    struct age_set set = {0};
    assert_ok(grid_create(&grid, 2, 3));
    assert_ok(workers_create(&workers, 1));
    assert_ok(layout_create(&layout, &grid, 0, AGE, (struct walls){0}));
    assert_ok(age_set_begin(&set, layout, AGE, workers));
    const uint64_t end = 64 * set.frame->n_words;
    age_set_free(&set);
    assert_ok(read_number(workers, layout, end - 1));
    const uint64_t wrong[] = {end, end + 1, PIECE_BITS - 1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(read_number(workers, layout, wrong[i]), STATUS_CORRUPT);
        assert_non_null(strstr(status_message(), "beyond its end"));
    }
    layout_free(layout);
    workers_free(workers);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_beyond_the_age)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
