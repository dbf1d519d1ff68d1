/* The arrays that a dump writes, read back byte by byte and compared with the table. */
#include "solved_board.h"

#include "base/bytes.h"
#include "base/file.h"
#include "solve/query.h"
#include "study/age_dump.h"

static struct workers *workers;

/* A file of the dump, without its header. */
struct array {
    char *file;
    const uint8_t *data;
    size_t bytes;
};

static struct array read_array(const char *name, const char *type, const char *shape)
{
    char header[128];
    struct array array;
    size_t bytes;
    array.file = scratch_read(name, &bytes);
    snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", type, shape);
    assert_true(bytes >= 128);
    assert_memory_equal(array.file, "\x93NUMPY\1\0\x76\0", 10); /* 128 bytes with what is before the text */
    assert_memory_equal(array.file + 10, header, strlen(header));
    assert_int_equal(array.file[127], '\n');
    array.data = (const uint8_t *)array.file + 128;
    array.bytes = bytes - 128;
    return array;
}

static struct board board_of(const struct array *array, size_t row, unsigned n_cells)
{
    struct board board = {0};
    for (unsigned cell = 0; cell < n_cells; cell++)
        board = board_set(board, cell, array->data[row * n_cells + cell]);
    return board;
}

static double value_of_row(const struct array *array, size_t row)
{
    uint64_t bits = bytes_load_u64(array->data + 8 * row);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static struct dump_report dump(const struct table *table, uint32_t age)
{
    struct dump_report report;
    struct dump_request request = {.table = table, .workers = workers, .age = age, .folder = scratch_path("arrays")};
    assert_ok(age_dump_write(&request, &report));
    return report;
}

/* Each row is another board of the table, and all of them are there. */
static void check_afterstates(const struct table *table, uint32_t age, uint64_t n)
{
    char name[64], shape[32];
    unsigned n_cells = table_grid(table)->n_cells;
    snprintf(name, sizeof name, "arrays/afterstates-%u.npy", age);
    snprintf(shape, sizeof shape, "(%llu, %u)", (unsigned long long)n, n_cells);
    struct array boards = read_array(name, "|u1", shape);
    snprintf(name, sizeof name, "arrays/afterstate-values-%u.npy", age);
    snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)n);
    struct array values = read_array(name, "<f8", shape);
    assert_int_equal(boards.bytes, n * n_cells);
    assert_int_equal(values.bytes, n * 8);
    for (uint64_t i = 0; i < n; i++) {
        struct board board = board_of(&boards, i, n_cells);
        bool found;
        uint64_t position;
        double value;
        assert_int_equal(board_age(board), age);
        assert_ok(table_find(table, board, &found, &position));
        assert_true(found && position == i);
        assert_ok(table_value_at(table, age, i, &value));
        assert_true(value_of_row(&values, i) == value);
    }
    free(boards.file);
    free(values.file);
}

static void check_states(const struct table *table, uint32_t age, uint64_t n)
{
    char name[64], shape[32];
    const struct grid *grid = table_grid(table);
    struct query_tables tables = {.main = table_summary(table)->variant};
    assert_ok(query_add_table(&tables, table, tables.main));
    snprintf(name, sizeof name, "arrays/states-%u.npy", age);
    snprintf(shape, sizeof shape, "(%llu, %u)", (unsigned long long)n, grid->n_cells);
    struct array boards = read_array(name, "|u1", shape);
    snprintf(name, sizeof name, "arrays/state-values-%u.npy", age);
    snprintf(shape, sizeof shape, "(%llu,)", (unsigned long long)n);
    struct array values = read_array(name, "<f8", shape);
    struct age_set states = {0}; /* for the order */
    assert_ok(table_load_states(table, workers, age, &states));
    assert_int_equal(states.count, n);
    assert_int_equal(boards.bytes, n * grid->n_cells);
    assert_int_equal(values.bytes, n * 8);
    for (uint64_t i = 0; i < n; i++) {
        struct query_answer answer;
        struct board board = board_of(&boards, i, grid->n_cells);
        uint32_t position;
        assert_true(age_set_find(&states, board, &position) && position == i);
        assert_ok(query_board(&tables, board, &answer));
        assert_true(value_of_row(&values, i) == answer.value[tables.main]);
    }
    age_set_free(&states);
    free(boards.file);
    free(values.file);
}

static void check_age(const struct table *table, uint32_t age)
{
    const struct table_age *known = table_age_of(table, age);
    struct dump_report report = dump(table, age);
    for (unsigned file = 0; file < DUMP_FILES; file++)
        assert_true(report.written[file]);
    assert_int_equal(report.n_afterstates, known->n_afterstates);
    assert_int_equal(report.n_states, known->n_states);
    assert_int_equal(age_dump_boards(table, age), known->n_afterstates + known->n_states);
    check_afterstates(table, age, known->n_afterstates);
    check_states(table, age, known->n_states);
}

static void test_every_age(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 2, VARIANT_NORMAL, STORE_VALUES);
    for (size_t i = 0; i < table_n_ages(table); i++) /* the last ones have no afterstates */
        check_age(table, table_age_at(table, i)->age);
    table_close(table);
    table = solved_board(2, 3, VARIANT_PESSIMISTIC, STORE_VALUES);
    check_age(table, 100);
    table_close(table);
}

/* Chances in place of scores, and tiles that never appear. */
static void test_other_rules(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OTHER_RULES; k++) {
        struct table *table = solved_board_by(other_rules[k], 2, 2, VARIANT_NORMAL, STORE_VALUES);
        for (size_t i = 0; i < table_n_ages(table); i++)
            check_age(table, table_age_at(table, i)->age);
        table_close(table);
    }
    struct table *table = solved_board_by((struct board_rules){6, 0.1}, 2, 3, VARIANT_NORMAL, STORE_VALUES);
    check_age(table, 100);
    table_close(table);
}

/* More boards than a piece has. */
static void test_large_age(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 4, VARIANT_NORMAL, STORE_VALUES);
    assert_true(table_age_of(table, 686)->n_afterstates > 8192);
    check_age(table, 686);
    table_close(table);
}

/* A solve that was stopped while counting: boards without values. */
static void test_sets_only(void **state)
{
    (void)state;
    char directory[PATH_MAX];
    struct table *table;
    struct solve_report solved;
    strcpy(directory, scratch_path("counted"));
    struct solve_settings settings = {.chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                      .rows = 3,
                                      .cols = 3,
                                      .directory = directory,
                                      .fraction_bits = 16,
                                      .checkpoint_every = 1,
                                      .to_age = 20,
                                      .memory_bytes = UINT64_C(1) << 31,
                                      .progress_mode = PROGRESS_QUIET};
    assert_ok(solve_run(&settings, workers, &solved));
    assert_ok(table_open(&table, directory));
    assert_ok(file_make_directory(scratch_path("arrays")));
    scratch_write("arrays/state-values-18.npy", "of another table", 16);
    struct dump_report report = dump(table, 18);
    assert_true(report.written[DUMP_AFTERSTATES] && report.written[DUMP_STATES]);
    assert_false(report.written[DUMP_AFTERSTATE_VALUES] || report.written[DUMP_STATE_VALUES]);
    assert_int_equal(access(scratch_path("arrays/states-18.npy"), F_OK), 0);
    assert_int_equal(access(scratch_path("arrays/state-values-18.npy"), F_OK), -1);
    table_close(table);
}

static void test_failures(void **state)
{
    (void)state;
    struct dump_report report;
    struct table *table = solved_board(2, 2, VARIANT_NORMAL, STORE_VALUES);
    struct dump_request request = {.table = table, .workers = workers, .age = 5, .folder = "/dev/null/below"};
    assert_int_equal(age_dump_write(&request, &report), STATUS_INVALID);
    assert_message("there is no age 5; the ages are the even numbers from 4 to ");
    assert_int_equal(age_dump_boards(table, 5), 0);
    request.age = 8;
    assert_int_equal(age_dump_write(&request, &report), STATUS_IO);
    assert_message("/dev/null: cannot make this folder");
    assert_false(report.written[DUMP_AFTERSTATES]);
    table_close(table);
    request.table = table = solved_board(2, 2, VARIANT_NORMAL, STORE_MOVES);
    request.folder = scratch_path("none");
    assert_int_equal(age_dump_write(&request, &report), STATUS_USAGE);
    assert_message("the set of age 8 is not in this table");
    table_close(table);
}

static int setup(void **state)
{
    return scratch_setup(state) || workers_create(&workers, 2) != STATUS_OK;
}

static int teardown(void **state)
{
    workers_free(workers);
    return scratch_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_age), cmocka_unit_test(test_other_rules), cmocka_unit_test(test_large_age),
        cmocka_unit_test(test_sets_only), cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests_name("age_dump", tests, setup, teardown);
}
