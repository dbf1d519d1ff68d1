/* Networks and searches through the public API: what it promises, and each way to fail. */
#include "network_sample.h"

#include "packed/network_file.h"
#include "search/plain_expectimax.h"

#include <afterstate/afterstate.h>

#include <math.h>
#include <pthread.h>

static struct network *inner; /* what lies in the file */
static char path[PATH_MAX];

static void expect_error(const char *part)
{
    if (!strstr(as_last_error(), part))
        fail_msg("the message is \"%s\", expected \"%s\" in it", as_last_error(), part);
}

static struct as_network *open_network(void)
{
    struct as_network *network;
    assert_int_equal(as_network_open(&network, path), AS_OK);
    return network;
}

static struct as_board read_board(const struct as_network *network, const char *text)
{
    struct as_board board;
    assert_int_equal(as_board_parse(as_network_grid(network), text, &board), AS_OK);
    return board;
}

static struct board board_in(struct as_board board)
{
    return (struct board){.cells = board.cells, .high = board.high};
}

static void test_network(void **state)
{
    (void)state;
    struct as_network *network = open_network();
    assert_int_equal(as_network_rows(network), 3);
    assert_int_equal(as_network_cols(network), 3);
    assert_int_equal(as_grid_rows(as_network_grid(network)), 3);
    struct as_board board = read_board(network, "123456700");
    float value = -1;
    assert_int_equal(as_network_value(network, board, &value), AS_OK);
    assert_true(value == network_value_plain(inner, board_in(board)));
    as_network_free(network);
}

static void check_search(const struct as_network *network, const struct as_search_settings *settings, const char *text)
{
    struct as_search *search;
    struct as_search_result result;
    struct as_board board = read_board(network, text);
    assert_int_equal(as_search_create(&search, network, settings), AS_OK);
    assert_int_equal(as_search_run(search, board, &result), AS_OK);
    struct value_function function = network_value_function(inner);
    struct search_result plain = plain_expectimax(&inner->grid, &function, board_in(board), settings->depth);
    assert_int_equal(result.legal, plain.legal);
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        assert_true(isnan(result.value[d]) == !(plain.legal >> d & 1));
        assert_true(isnan(result.value[d]) ||
                    fabsf(result.value[d] - plain.value[d]) <= 1e-4f * (1 + fabsf(plain.value[d])));
        assert_int_equal(result.depth[d], plain.depth[d]);
        assert_int_equal(result.reward[d], plain.reward[d]);
        assert_true(plain.legal >> result.order[d] & 1 ? d < plain.n_valued : d >= plain.n_valued);
        assert_true(d == 0 || d >= plain.n_valued ||
                    result.value[result.order[d]] <= result.value[result.order[d - 1]]);
    }
    assert_true(result.best == AS_DIRECTIONS || result.best == result.order[0]);
    assert_true(plain.best == DIRECTION_COUNT ? result.best == AS_DIRECTIONS : result.legal >> result.best & 1);
    as_search_free(search);
}

static void test_search(void **state)
{
    (void)state;
    struct as_network *network = open_network();
    for (unsigned depth = 1; depth <= 3; depth++) {
        const struct as_search_settings settings = {
            .size = sizeof settings, .depth = depth, .table_bytes = depth > 1 ? 1 << 20 : 0};
        check_search(network, &settings, "123000000");
        check_search(network, &settings, "121212120");
        check_search(network, &settings, "121212121"); /* over */
        const struct as_search_settings timed = {
            .size = sizeof timed, .depth = depth, .milliseconds = 60000}; /* more than it takes */
        check_search(network, &timed, "123000000");
    }
    as_network_free(network);
}

/* A thread with a search of its own over the network that all share. */
static void *search_alone(void *argument)
{
    const struct as_network *network = argument;
    struct as_search *search;
    struct as_search_result result = {.best = AS_DIRECTIONS};
    const struct as_search_settings settings = {.size = sizeof settings, .depth = 2};
    if (as_search_create(&search, network, &settings) == AS_OK)
        for (unsigned i = 0; i < 100; i++)
            if (as_search_run(search, (struct as_board){.cells = 0x321}, &result) != AS_OK)
                result.best = AS_DIRECTIONS;
    as_search_free(search);
    return result.best == AS_DIRECTIONS ? NULL : argument;
}

static void test_threads(void **state)
{
    (void)state;
    struct as_network *network = open_network();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, search_alone, network), 0);
    for (int i = 0; i < 2; i++) {
        void *fine = NULL;
        assert_int_equal(pthread_join(threads[i], &fine), 0);
        assert_ptr_equal(fine, network);
    }
    as_network_free(network);
}

static void test_bad_files(void **state)
{
    (void)state;
    struct as_network *network = (struct as_network *)1;
    assert_int_equal(as_network_open(&network, scratch_path("nowhere.net")), AS_IO);
    expect_error("nowhere.net");
    assert_null(network);
    scratch_write("foreign.net", "this is no network", 18);
    assert_int_equal(as_network_open(&network, scratch_path("foreign.net")), AS_CORRUPT);
    expect_error("foreign.net");
    size_t bytes;
    char *data = scratch_read("network.net", &bytes);
    scratch_write("cut.net", data, bytes / 2);
    free(data);
    assert_int_equal(as_network_open(&network, scratch_path("cut.net")), AS_CORRUPT);
    assert_null(network);
}

static void test_wrong_settings(void **state)
{
    (void)state;
    struct as_network *network = open_network();
    struct as_search *search = (struct as_search *)1;
    static const struct as_search_settings wrong[] = {
        {.size = sizeof *wrong, .depth = 0},
        {.size = sizeof *wrong, .depth = 9},
        {.size = sizeof *wrong, .depth = 4294967295u},
        {.size = sizeof *wrong, .depth = 1, .threads = 1025},
        {.depth = 1}, /* no size */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(as_search_create(&search, network, &wrong[i]), AS_USAGE);
        expect_error("as_search_create");
        assert_null(search);
    }
    as_network_free(network);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    struct as_network *network = open_network();
    struct as_search *search;
    const struct as_search_settings settings = {.size = sizeof settings, .depth = 1};
    const struct as_board foreign = {.cells = UINT64_C(1) << 36}; /* a tenth cell */
    struct as_board board = read_board(network, "123000000");
    struct as_search_result result = {.best = 77};
    float value = 77;
    assert_int_equal(as_search_create(&search, network, &settings), AS_OK);
    assert_int_equal(as_network_value(network, foreign, &value), AS_INVALID);
    expect_error("as_network_value: cells 0000001000000000 with high 00000000 are not a 3x3 board");
    assert_int_equal(as_search_run(search, foreign, &result), AS_INVALID);
    expect_error("as_search_run");
    assert_true(value == 77 && result.best == 77);
    assert_int_equal(as_search_run(NULL, board, &result), AS_USAGE);
    assert_int_equal(as_search_run(search, board, NULL), AS_USAGE);
    assert_int_equal(as_network_value(NULL, board, &value), AS_USAGE);
    assert_int_equal(as_network_value(network, board, NULL), AS_USAGE);
    as_search_free(search);
    assert_int_equal(as_search_create(NULL, network, &settings), AS_USAGE);
    assert_int_equal(as_search_create(&search, NULL, &settings), AS_USAGE);
    assert_null(search);
    assert_int_equal(as_search_create(&search, network, NULL), AS_USAGE);
    as_search_free(NULL);
    as_network_free(network);
    assert_int_equal(as_network_open(NULL, path), AS_USAGE);
    assert_int_equal(as_network_open(&network, NULL), AS_USAGE);
    assert_null(network);
    assert_int_equal(as_network_rows(NULL), -1);
    assert_int_equal(as_network_cols(NULL), -1);
    assert_null(as_network_grid(NULL));
    expect_error("as_network_grid: an argument is NULL");
    as_network_free(NULL);
}

static int setup(void **state)
{
    static const struct sample sample = {3, 3, "0 1 2/0 1 3 4", "plain 11", "1", false, 0};
    if (scratch_setup(state))
        return -1;
    inner = sample_network(&sample, 2);
    strcpy(path, scratch_path("network.net"));
    return network_save(inner, path, NULL, NETWORK_FLOAT32, NULL) != STATUS_OK;
}

static int teardown(void **state)
{
    network_free(inner);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_network),   cmocka_unit_test(test_search),         cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bad_files), cmocka_unit_test(test_wrong_settings), cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests_name("api_search", tests, setup, teardown);
}
