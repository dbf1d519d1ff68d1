/* Solved tables through the public API: what it promises, and each way to fail. */
#include "solved_board.h"

#include "game/notation.h"
#include "solve/query.h"

#include <afterstate/afterstate.h>

#include <math.h>
#include <pthread.h>

enum { MANY = 1000 };

static struct table *inner; /* the 2x3 table, read by the module itself */
static char values_path[PATH_MAX], moves_path[PATH_MAX], worst_path[PATH_MAX], counts_path[PATH_MAX];

static void expect_error(const char *part)
{
    if (!strstr(as_last_error(), part))
        fail_msg("the message is \"%s\", expected \"%s\" in it", as_last_error(), part);
}

static struct as_table *open_table(const char *path)
{
    struct as_table *table;
    assert_int_equal(as_table_open(&table, path), AS_OK);
    return table;
}

static struct as_board read_board(const struct as_table *table, const char *text)
{
    struct as_board board;
    assert_int_equal(as_board_parse(as_table_grid(table), text, &board), AS_OK);
    return board;
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void test_info(void **state)
{
    (void)state;
    struct as_table *table = open_table(values_path);
    const struct table_summary *summary = table_summary(inner);
    struct as_table_info info;
    assert_int_equal(as_table_get_info(table, &info), AS_OK);
    assert_int_equal(info.rows, 2);
    assert_int_equal(info.cols, 3);
    assert_int_equal(as_grid_cols(as_table_grid(table)), 3);
    assert_int_equal(info.variant, AS_VARIANT_NORMAL);
    assert_int_equal(info.store, AS_STORE_VALUES);
    assert_int_equal(info.goal, 0);
    assert_true(info.four_chance == 0.1);
    assert_int_equal(info.is_solved, 1);
    assert_int_equal(info.n_states, summary->n_states);
    assert_int_equal(info.n_terminal, summary->n_terminal);
    assert_int_equal(info.n_afterstates, summary->n_afterstates);
    assert_true(info.expected_score == summary->expected_score);
    for (unsigned i = 0; i < AS_START_KINDS; i++)
        assert_true(info.start_value[i] == summary->start_value[i]);
    /* the start of two 2s and its value, the mean over all of them */
    assert_true(info.start_value[0] > info.expected_score - 100 && info.start_value[0] < info.expected_score + 100);
    as_table_free(table);
    table = open_table(worst_path);
    assert_int_equal(as_table_get_info(table, &info), AS_OK);
    assert_int_equal(info.variant, AS_VARIANT_PESSIMISTIC);
    as_table_free(table);
    table = open_table(counts_path);
    assert_int_equal(as_table_get_info(table, &info), AS_OK);
    assert_int_equal(info.store, AS_STORE_NONE);
    as_table_free(table);
}

static void test_ages(void **state)
{
    (void)state;
    struct as_table *table = open_table(values_path);
    struct as_table_info info;
    struct as_table_age age;
    uint64_t n_states = 0, n_terminal = 0, n_afterstates = 0;
    assert_int_equal(as_table_get_info(table, &info), AS_OK);
    for (size_t i = 0; i < info.n_ages; i++) {
        assert_int_equal(as_table_get_age(table, i, &age), AS_OK);
        assert_int_equal(age.age, 4 + 2 * i);
        const struct table_age *expected = table_age_of(inner, age.age);
        assert_int_equal(age.n_states, expected->n_states);
        assert_true(same(age.best_value, age.n_afterstates ? expected->best_value : NAN));
        n_states += age.n_states;
        n_terminal += age.n_terminal;
        n_afterstates += age.n_afterstates;
    }
    assert_int_equal(n_states, info.n_states);
    assert_int_equal(n_terminal, info.n_terminal);
    assert_int_equal(n_afterstates, info.n_afterstates);
    age.age = 77;
    assert_int_equal(as_table_get_age(table, info.n_ages, &age), AS_USAGE);
    expect_error("as_table_get_age: index");
    assert_int_equal(age.age, 77);
    as_table_free(table);
}

/* Against the module, for one board. */
static void check_answer(const struct table *expected_by, struct as_board board, const struct as_table_answer *answer)
{
    enum solve_variant variant = table_summary(expected_by)->variant;
    struct query_tables tables = {.main = variant};
    struct query_answer expected;
    struct board inside = {.cells = board.cells, .high = board.high};
    assert_ok(query_add_table(&tables, expected_by, variant));
    enum status status = query_board(&tables, inside, &expected);
    assert_int_equal(answer->status, status);
    if (status) {
        assert_int_equal(answer->best, AS_DIRECTIONS);
        assert_int_equal(answer->legal, 0);
        assert_true(isnan(answer->state_value));
    } else {
        assert_int_equal(answer->best, expected.best);
        assert_true(answer->state_value == expected.value[variant]);
    }
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        bool legal = !status && expected.moves[d].legal;
        assert_int_equal(answer->legal >> d & 1, legal);
        assert_int_equal(answer->reward[d], legal ? expected.moves[d].reward : 0);
        assert_true(same(answer->value[d], legal ? expected.moves[d].value[variant] : NAN));
        assert_true(same(answer->loss[d], legal ? expected.moves[d].loss : NAN));
    }
}

static void test_query(void **state)
{
    (void)state;
    struct as_table *table = open_table(values_path);
    static const char *const texts[] = {"110000", "120301", "001002", "123456", "121212"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct as_table_answer answer;
        struct as_board board = read_board(table, texts[i]);
        assert_int_equal(as_table_query(table, board, &answer), AS_OK);
        check_answer(inner, board, &answer);
        double best = answer.legal ? -1 : 0; /* one move, its reward and the afterstate's value */
        for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
            struct as_board after;
            uint32_t reward;
            double value;
            if (as_move(as_table_grid(table), board, d, &after, &reward) != 1)
                continue;
            assert_int_equal(as_table_value(table, after, &value), AS_OK);
            assert_true(answer.value[d] == reward + value);
            assert_true(answer.loss[d] == answer.state_value - answer.value[d]);
            best = answer.value[d] > best ? answer.value[d] : best;
        }
        assert_true(answer.state_value == best);
    }
    as_table_free(table);
}

static void test_variant(void **state)
{
    (void)state;
    struct as_table *table = open_table(worst_path);
    struct table *expected;
    struct as_table_answer answer;
    struct as_board board = read_board(table, "1120");
    assert_ok(table_open(&expected, worst_path));
    assert_int_equal(as_table_query(table, board, &answer), AS_OK);
    check_answer(expected, board, &answer);
    table_close(expected);
    as_table_free(table);
}

/* The chance of a tile in place of the score. */
static void test_goal(void **state)
{
    (void)state;
    struct table *expected = solved_board_by((struct board_rules){6, 0.25}, 2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct as_table *table = open_table(table_directory(expected));
    struct as_table_info info;
    struct as_table_answer answer, won;
    double value;
    assert_int_equal(as_table_get_info(table, &info), AS_OK);
    assert_int_equal(info.goal, 6);
    assert_true(info.four_chance == 0.25);
    assert_true(info.expected_score > 0.5 && info.expected_score < 1);
    struct as_board boards[] = {read_board(table, "120301"), read_board(table, "550210"), read_board(table, "610000")};
    assert_int_equal(as_table_query(table, boards[0], &answer), AS_OK);
    check_answer(expected, boards[0], &answer);
    assert_true(answer.state_value > 0.5 && answer.state_value <= 1);
    assert_int_equal(as_table_query(table, boards[1], &won), AS_OK);
    assert_true(won.state_value == 1 && won.value[AS_LEFT] == 1 && won.reward[AS_LEFT] == 64);
    assert_int_equal(as_table_query(table, boards[2], &answer), AS_INVALID);
    expect_error("the board already has a 64");
    assert_int_equal(as_table_value(table, boards[2], &value), AS_INVALID);
    expect_error("the board already has a 64");
    struct as_table_answer answers[3];
    assert_int_equal(as_table_query_many(table, boards, 3, answers, 1), AS_OK);
    assert_true(answers[0].status == AS_OK && answers[1].status == AS_OK && answers[2].status == AS_INVALID);
    assert_true(answers[1].state_value == 1);
    as_table_free(table);
    table_close(expected);
}

static void test_moves_only(void **state)
{
    (void)state;
    struct as_table *values = open_table(values_path), *moves = open_table(moves_path);
    struct as_table_answer by_values, by_moves;
    struct as_board board = read_board(values, "120301");
    double value = 77;
    assert_int_equal(as_table_query(values, board, &by_values), AS_OK);
    assert_int_equal(as_table_query(moves, board, &by_moves), AS_OK);
    assert_int_equal(by_moves.legal, by_values.legal);
    assert_true(by_values.loss[by_moves.best] == 0);
    assert_true(isnan(by_moves.state_value));
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        assert_int_equal(by_moves.reward[d], by_values.reward[d]);
        assert_true(isnan(by_moves.value[d]) && isnan(by_moves.loss[d]));
    }
    assert_int_equal(as_table_query(moves, read_board(moves, "777777"), &by_moves), AS_INVALID);
    expect_error("no game on the 2x3 board reaches 777777");
    assert_int_equal(as_table_query(moves, (struct as_board){0}, &by_moves), AS_INVALID);
    assert_int_equal(as_table_value(moves, board, &value), AS_USAGE);
    expect_error("has no values; it was solved with --store moves");
    assert_true(value == 77);
    as_table_free(moves);
    as_table_free(values);
}

/* Boards of a random game, with some that no game reaches among them. */
static void fill_boards(const struct as_table *table, struct as_board boards[MANY])
{
    struct as_game *game = NULL;
    for (size_t i = 0; i < MANY; i++) {
        if (!game || as_game_is_over(game)) {
            as_game_free(game);
            assert_int_equal(as_game_begin(&game, as_table_grid(table), 1, i), AS_OK);
        }
        boards[i] = as_game_board(game);
        for (unsigned d = 0; d < AS_DIRECTIONS && !as_game_play(game, (unsigned)(i + d) % AS_DIRECTIONS); d++)
            ;
    }
    as_game_free(game);
    boards[3] = read_board(table, "777777");
    boards[64] = (struct as_board){.cells = UINT64_C(1) << 24}; /* a seventh cell */
    boards[MANY - 1] = (struct as_board){.cells = 0x21f, .high = 2};
}

static void test_many(void **state)
{
    (void)state;
    struct as_table *table = open_table(values_path);
    static struct as_board boards[MANY];
    static struct as_table_answer answers[MANY];
    fill_boards(table, boards);
    for (unsigned threads = 0; threads <= 3; threads++) {
        memset(answers, 0, sizeof answers);
        assert_int_equal(as_table_query_many(table, boards, MANY, answers, threads), AS_OK);
        for (size_t i = 0; i < MANY; i++) {
            if (i == 3 || i == 64 || i == MANY - 1)
                assert_int_equal(answers[i].status, AS_INVALID);
            else
                assert_int_equal(answers[i].status, AS_OK);
            if (i == 64 || i == MANY - 1)
                assert_true(answers[i].best == AS_DIRECTIONS && isnan(answers[i].value[0]));
            else
                check_answer(inner, boards[i], &answers[i]);
        }
    }
    assert_int_equal(as_table_query_many(table, boards, 1, answers, 8), AS_OK);
    assert_int_equal(as_table_query_many(table, NULL, 0, NULL, 2), AS_OK);
    assert_int_equal(as_table_query_many(table, boards, MANY, answers, 1025), AS_USAGE);
    expect_error("as_table_query_many: 1025 threads");
    as_table_free(table);
}

/* Two threads on a table that was not used yet: both open its ages. */
static void *query_alone(void *argument)
{
    const struct as_table *table = argument;
    static const uint64_t starts[] = {0x11, 0x12, 0x101, 0x2000001, 0x22};
    struct as_table_answer answer;
    for (size_t i = 0; i < 4 * sizeof starts / sizeof *starts; i++) {
        enum as_status status = as_table_query(table, (struct as_board){.cells = starts[i % 5]}, &answer);
        if (status != (i % 5 == 3 ? AS_INVALID : AS_OK))
            return NULL;
    }
    return argument;
}

static void test_threads(void **state)
{
    (void)state;
    struct as_table *table = open_table(values_path);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, query_alone, table), 0);
    for (int i = 0; i < 2; i++) {
        void *fine = NULL;
        assert_int_equal(pthread_join(threads[i], &fine), 0);
        assert_ptr_equal(fine, table);
    }
    as_table_free(table);
}

static void test_bad_tables(void **state)
{
    (void)state;
    struct as_table *table = (struct as_table *)1;
    assert_int_equal(as_table_open(&table, scratch_path("nowhere")), AS_IO);
    expect_error("nowhere");
    assert_null(table);
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/index.table", strrchr(moves_path, '/') + 1);
    size_t bytes;
    char *data = scratch_read(path, &bytes);
    scratch_write(path, data, bytes / 2);
    assert_int_equal(as_table_open(&table, moves_path), AS_CORRUPT);
    expect_error("index.table");
    assert_null(table);
    scratch_write(path, data, bytes);
    free(data);
    as_table_free(open_table(moves_path));
}

static void test_no_answers(void **state)
{
    (void)state;
    struct as_table *table = open_table(counts_path);
    struct as_table_answer answer = {.best = 77};
    struct as_board board = read_board(table, "1100");
    assert_int_equal(as_table_query(table, board, &answer), AS_USAGE);
    expect_error("as_table_query: ");
    expect_error("it was solved with --store none");
    assert_int_equal(as_table_query_many(table, &board, 1, &answer, 0), AS_USAGE);
    expect_error("as_table_query_many: ");
    assert_int_equal(answer.best, 77);
    as_table_free(table);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    struct as_table *table = open_table(values_path);
    const struct as_board foreign = {.cells = UINT64_C(1) << 24}; /* a seventh cell */
    struct as_board board = read_board(table, "110000");
    struct as_table_answer answer = {.best = 77};
    struct as_table_info info;
    struct as_table_age age;
    double value = 77;
    assert_int_equal(as_table_query(table, foreign, &answer), AS_INVALID);
    expect_error("as_table_query: cells 0000000001000000 with high 00000000 are not a 2x3 board");
    assert_int_equal(as_table_query(table, read_board(table, "777777"), &answer), AS_INVALID);
    expect_error("no game on the 2x3 board reaches 777777");
    assert_int_equal(as_table_value(table, foreign, &value), AS_INVALID);
    assert_int_equal(as_table_value(table, read_board(table, "010000"), &value), AS_INVALID);
    expect_error("no game on 2x3 reaches this afterstate");
    assert_true(answer.best == 77 && value == 77);
    assert_int_equal(as_table_query(NULL, board, &answer), AS_USAGE);
    assert_int_equal(as_table_query(table, board, NULL), AS_USAGE);
    assert_int_equal(as_table_query_many(NULL, &board, 1, &answer, 1), AS_USAGE);
    assert_int_equal(as_table_query_many(table, NULL, 1, &answer, 1), AS_USAGE);
    assert_int_equal(as_table_query_many(table, &board, 1, NULL, 1), AS_USAGE);
    assert_int_equal(as_table_value(NULL, board, &value), AS_USAGE);
    assert_int_equal(as_table_value(table, board, NULL), AS_USAGE);
    assert_int_equal(as_table_get_info(NULL, &info), AS_USAGE);
    assert_int_equal(as_table_get_info(table, NULL), AS_USAGE);
    assert_int_equal(as_table_get_age(NULL, 0, &age), AS_USAGE);
    assert_int_equal(as_table_get_age(table, 0, NULL), AS_USAGE);
    as_table_free(table);
    assert_int_equal(as_table_open(NULL, values_path), AS_USAGE);
    assert_int_equal(as_table_open(&table, NULL), AS_USAGE);
    assert_null(table);
    assert_null(as_table_grid(NULL));
    expect_error("as_table_grid: an argument is NULL");
    as_table_free(NULL);
}

static void solve(unsigned rows, unsigned cols, enum solve_variant variant, enum solve_store store, char *path)
{
    table_close(solved_board(rows, cols, variant, store));
    strcpy(path, solved_board_directory(rows, cols, variant, store));
}

static int setup(void **state)
{
    if (scratch_setup(state))
        return -1;
    solve(2, 3, VARIANT_NORMAL, STORE_VALUES, values_path);
    solve(2, 3, VARIANT_NORMAL, STORE_MOVES, moves_path);
    solve(2, 2, VARIANT_PESSIMISTIC, STORE_VALUES, worst_path);
    solve(2, 2, VARIANT_NORMAL, STORE_NONE, counts_path);
    return table_open(&inner, values_path) != STATUS_OK;
}

static int teardown(void **state)
{
    table_close(inner);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_ages),
        cmocka_unit_test(test_query),
        cmocka_unit_test(test_variant),
        cmocka_unit_test(test_goal),
        cmocka_unit_test(test_moves_only),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_bad_tables),
        cmocka_unit_test(test_no_answers),
        cmocka_unit_test(test_wrong_arguments),
    };
    return cmocka_run_group_tests_name("api_table", tests, setup, teardown);
}
