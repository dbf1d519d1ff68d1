/* Memory: zeroed allocations, sizes that overflow, resizing, aligned blocks, what is available. */
#include "scratch.h"

#include "base/memory.h"

#include <errno.h>

static void test_allocate_zeroes(void **state)
{
    (void)state;
    unsigned char *room = memory_allocate(1000, 3);
    assert_non_null(room);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(room[i], 0);
    free(room);
    void *empty = memory_allocate(0, 8);
    assert_non_null(empty);
    free(empty);
}

static void test_overflow_is_refused(void **state)
{
    (void)state;
    volatile size_t many = SIZE_MAX / 2; /* volatile: else the compiler warns about the very thing tested */
    assert_null(memory_allocate(many, 3));
    assert_message("cannot allocate");
    assert_message("EB");
    char *old = memory_allocate(4, 1);
    memcpy(old, "abc", 4);
    assert_null(memory_resize(old, many, 3));
    assert_string_equal(old, "abc");
    free(old);
}

static void test_resize_keeps_content(void **state)
{
    (void)state;
    int *numbers = memory_resize(NULL, 2, sizeof *numbers);
    assert_non_null(numbers);
    numbers[0] = 5;
    numbers[1] = 6;
    numbers = memory_resize(numbers, 10000, sizeof *numbers);
    assert_non_null(numbers);
    assert_int_equal(numbers[0] + numbers[1], 11);
    numbers = memory_resize(numbers, 0, sizeof *numbers);
    assert_non_null(numbers);
    free(numbers);
}

static void test_blocks_are_aligned_and_zeroed(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 4096, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, 7 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct memory_block block;
        assert_ok(memory_block_allocate(&block, sizes[i]));
        assert_int_equal(block.bytes, sizes[i]);
        assert_int_equal((uintptr_t)block.data % (2 << 20), 0);
        unsigned char *data = block.data;
        for (size_t k = 0; k < sizes[i]; k += 511)
            assert_int_equal(data[k], 0);
        data[0] = data[sizes[i] - 1] = 1;
        memory_block_free(&block);
        assert_null(block.data);
        memory_block_free(&block);
    }
}

static void test_block_edges(void **state)
{
    (void)state;
    struct memory_block block;
    assert_ok(memory_block_allocate(&block, 0));
    assert_null(block.data);
    memory_block_free(&block);
    memory_block_free(NULL);
    static const size_t absurd[] = {SIZE_MAX, SIZE_MAX - (2 << 20), SIZE_MAX / 2};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(memory_block_allocate(&block, absurd[i]), STATUS_NO_MEMORY);
        assert_null(block.data);
        assert_message("cannot allocate");
    }
}

static void test_available_is_plausible(void **state)
{
    (void)state;
    errno = EDOM;
    size_t available = memory_available_bytes();
    assert_int_not_equal(errno, 0); /* a library never clears it */
    assert_true(available > 1 << 20);
    assert_true(available < SIZE_MAX / 1024);
}

static void test_copy_text(void **state)
{
    (void)state;
    char *copy = memory_copy_text("2048");
    assert_string_equal(copy, "2048");
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocate_zeroes),
        cmocka_unit_test(test_overflow_is_refused),
        cmocka_unit_test(test_resize_keeps_content),
        cmocka_unit_test(test_blocks_are_aligned_and_zeroed),
        cmocka_unit_test(test_block_edges),
        cmocka_unit_test(test_available_is_plausible),
        cmocka_unit_test(test_copy_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
