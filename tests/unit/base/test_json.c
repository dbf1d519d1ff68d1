/* JSON: short and exact numbers, documents, nesting that is too deep, failed allocations. */
#include "scratch.h"

#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>

static void check_real(double number, const char *expected)
{
    struct json json;
    char *text, whole[100];
    json_begin(&json);
    json_add_real(&json, "x", number);
    assert_ok(json_print_compact(&json, &text));
    snprintf(whole, sizeof whole, "{\"x\":%s}", expected);
    assert_string_equal(text, whole);
    free(text);
}

static void test_reals_are_short_and_exact(void **state)
{
    (void)state;
    check_real(0, "0");
    check_real(0.1, "0.1");
    check_real(-2.5, "-2.5");
    check_real(1234.5, "1234.5");
    check_real(0.1 + 0.2, "0.30000000000000004");
    check_real(1.0 / 3, "0.3333333333333333");
    check_real(5e-324, "5e-324");
    check_real(1.7976931348623157e308, "1.7976931348623157e+308");
    check_real(NAN, "null");
    check_real(INFINITY, "null");
    check_real(-INFINITY, "null");
}

static void test_document(void **state)
{
    (void)state;
    struct json json;
    char *text;
    json_begin(&json);
    json_add_unsigned(&json, "seed", UINT64_MAX);
    json_add_signed(&json, "low", INT64_MIN);
    json_add_text(&json, "say \"hi\"", "a\nb\\");
    json_add_text(&json, "none", NULL);
    json_add_flag(&json, "good", true);
    json_open_object(&json, "moves");
    json_add_null(&json, "up");
    json_add_real(&json, "down", 1);
    json_close(&json);
    json_open_array(&json, "list");
    json_add_unsigned(&json, NULL, 1);
    json_open_object(&json, NULL);
    json_close(&json);
    json_close(&json);
    assert_ok(json_print_compact(&json, &text));
    assert_string_equal(text, "{\"seed\":18446744073709551615,\"low\":-9223372036854775808,\"say \\\"hi\\\"\":"
                              "\"a\\nb\\\\\",\"none\":null,\"good\":true,\"moves\":{\"up\":null,\"down\":1},"
                              "\"list\":[1,{}]}");
    free(text);
    json_free(&json);
}

static void test_indented_reads_back(void **state)
{
    (void)state;
    struct json json;
    char *text;
    json_begin(&json);
    json_add_real(&json, "mean", 12.25);
    assert_ok(json_print(&json, &text));
    assert_non_null(strchr(text, '\n'));
    cJSON *read = cJSON_Parse(text);
    assert_true(cJSON_GetObjectItem(read, "mean")->valuedouble == 12.25);
    cJSON_Delete(read);
    free(text);
}

static void test_too_deep_is_reported_once(void **state)
{
    (void)state;
    struct json json;
    char *text = (char *)"untouched";
    json_begin(&json);
    for (int i = 0; i < JSON_MAX_DEPTH + 3; i++)
        json_open_object(&json, "x");
    json_add_text(&json, "y", "z");
    for (int i = 0; i < JSON_MAX_DEPTH + 3; i++)
        json_close(&json);
    assert_int_equal(json_print(&json, &text), STATUS_NO_MEMORY);
    assert_null(text);
    assert_message("JSON");
}

static int allocations_left;

static void *failing_allocate(size_t bytes)
{
    return allocations_left-- > 0 ? malloc(bytes) : NULL;
}

/* Lets each allocation of cJSON fail in turn: an error or the whole document, never a crash or a part. */
static void test_every_failed_allocation_is_found(void **state)
{
    (void)state;
    cJSON_Hooks hooks = {.malloc_fn = failing_allocate, .free_fn = free};
    cJSON_InitHooks(&hooks);
    bool failed_once = false, succeeded = false;
    for (int n = 0; n < 40 && !succeeded; n++) {
        struct json json;
        char *text;
        allocations_left = n;
        json_begin(&json);
        json_open_array(&json, "list");
        json_add_text(&json, NULL, "a");
        json_add_unsigned(&json, NULL, 3);
        json_close(&json);
        succeeded = json_print_compact(&json, &text) == STATUS_OK;
        failed_once |= !succeeded;
        if (succeeded)
            assert_string_equal(text, "{\"list\":[\"a\",3]}");
        free(text);
    }
    cJSON_InitHooks(NULL);
    assert_true(failed_once && succeeded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reals_are_short_and_exact),
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_indented_reads_back),
        cmocka_unit_test(test_too_deep_is_reported_once),
        cmocka_unit_test(test_every_failed_allocation_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
