/* Messages of failures: their text, context before it, long ones cut, names of codes. */
#include "scratch.h"

#include <errno.h>

static void test_fail_leaves_message(void **state)
{
    (void)state;
    assert_int_equal(status_fail(STATUS_INVALID, "board %s has %d cells", "x", 17), STATUS_INVALID);
    assert_string_equal(status_message(), "board x has 17 cells");
}

static void test_errno_text_is_added(void **state)
{
    (void)state;
    errno = ENOENT;
    assert_int_equal(status_fail_errno(STATUS_IO, "%s: cannot open", "f"), STATUS_IO);
    assert_string_equal(status_message(), "f: cannot open: No such file or directory");
}

static void test_context_goes_before(void **state)
{
    (void)state;
    status_fail(STATUS_CORRUPT, "block 3 is damaged");
    assert_int_equal(status_context(STATUS_CORRUPT, "net %d", 7), STATUS_CORRUPT);
    assert_string_equal(status_message(), "net 7: block 3 is damaged");
}

static void test_message_may_be_built_from_itself(void **state)
{
    (void)state;
    status_fail(STATUS_IO, "inner");
    status_fail(STATUS_IO, "outer (%s)", status_message());
    assert_string_equal(status_message(), "outer (inner)");
    status_context(STATUS_IO, "[%s]", status_message());
    assert_string_equal(status_message(), "[outer (inner)]: outer (inner)");
    errno = ENOENT;
    status_fail_errno(STATUS_IO, "x %s", status_message());
    assert_string_equal(status_message(), "x [outer (inner)]: outer (inner): No such file or directory");
}

static void test_long_messages_are_cut(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    status_fail(STATUS_IO, "%s", text);
    assert_in_range(strlen(status_message()), 500, 4000);
    errno = EIO;
    status_fail_errno(STATUS_IO, "%s", text);
    status_context(STATUS_IO, "%s", text);
    assert_in_range(strlen(status_message()), 500, 4000);
}

static void test_names(void **state)
{
    (void)state;
    for (int code = STATUS_OK; code <= STATUS_INTERRUPTED; code++)
        assert_string_not_equal(status_name((enum status)code), "unknown");
    assert_string_equal(status_name(STATUS_OK), "ok");
    assert_string_equal(status_name((enum status)99), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_leaves_message),   cmocka_unit_test(test_errno_text_is_added),
        cmocka_unit_test(test_context_goes_before),   cmocka_unit_test(test_message_may_be_built_from_itself),
        cmocka_unit_test(test_long_messages_are_cut), cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
