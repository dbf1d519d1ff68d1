/* Text of files on its way to a terminal. */
#include "scratch.h"

#include "base/json_read.h"
#include "base/network_history.h"
#include "base/plain_text.h"

#include <cjson/cJSON.h>

static void check(const char *text, const char *kept, const char *wanted)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    plain_text_hide_controls(copy, kept);
    assert_string_equal(copy, wanted);
    assert_int_equal(plain_text_has_controls(text, kept), strcmp(text, wanted) != 0);
}

static void test_controls(void **state)
{
    (void)state;
    check("", "", "");
    check("plain", "", "plain");
    check("\x1b]0;title\a", "", "?]0;title?");
    check("a\nb\tc\rd\x7f", "\n", "a\nb?c?d?");
    check("\xc2\x9b"
          "31m",
          "", "??31m");                                          /* the same as ESC [ to some terminals */
    check("\xc2\xb1 \xc3\xa9\xc2", "", "\xc2\xb1 \xc3\xa9\xc2"); /* letters stay, as do bytes that are no UTF-8 */
}

static void test_messages(void **state)
{
    (void)state;
    status_fail(STATUS_INVALID, "unknown key '%s'", "\x1b[2J");
    assert_string_equal(status_message(), "unknown key '?[2J'");
    status_context(STATUS_INVALID, "%s", "\b");
    assert_string_equal(status_message(), "?: unknown key '?[2J'");
}

static void test_histories(void **state)
{
    (void)state;
    cJSON *header =
        cJSON_Parse("{\"history\": {\"seed\": \"1\", \"actions\": 1, \"plays\": 1, \"program\": \"\\u001b[2J\","
                    "\"recipe\": \"[a]\\nb = \\u001b]52;c\", \"notes\": \"\\u009b1m\"}}");
    struct network_history history = {0};
    assert_non_null(header);
    assert_ok(network_history_read(header, &history));
    assert_string_equal(history.program, "?[2J");
    assert_string_equal(history.recipe, "[a]\nb = ?]52;c");
    assert_string_equal(history.notes, "??1m");
    network_history_free(&history);
    cJSON_Delete(header);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_histories),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
