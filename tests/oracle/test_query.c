/* Queries and stored moves on every state of small boards, against the values of the table itself and the rules. */
#include "solved_board.h"

#include "game/notation.h"
#include "solve/query.h"

#include <math.h>

static struct board parse(const struct table *table, const char *text)
{
    struct board board;
    assert_ok(notation_parse(table_grid(table), text, &board));
    return board;
}

/* Calls `check` for every image of every state of a table. */
static void for_each_state(const struct table *table, void (*check)(void *context, struct board board), void *context)
{
    const struct grid *grid = table_grid(table);
    struct workers *workers;
    assert_ok(workers_create(&workers, 1));
    for (size_t i = 0; i < table_n_ages(table); i++) {
        struct age_set states = {0};
        assert_ok(table_load_states(table, workers, table_age_at(table, i)->age, &states));
        assert_int_equal(states.count, table_age_at(table, i)->n_states);
        for (size_t span = 0; span < states.n_spans; span++) {
            struct age_walk walk;
            age_walk_begin(&walk, &states, &states.spans[span]);
            while (age_walk_next(&walk)) {
                for (unsigned s = 0; s < grid->n_symmetries; s++)
                    check(context, grid_image(grid, (struct board){.cells = walk.cells}, s));
            }
        }
        age_set_free(&states);
    }
    workers_free(workers);
}

struct check_context {
    struct query_tables tables;
    const struct table *moves;
    unsigned goal; /* of all tables, 0: scores */
    uint64_t n;
};

/* An answer says what the tables say; the stored move is an optimal one; variants enclose the value. */
static void check_state(void *context, struct board board)
{
    struct check_context *check = context;
    struct query_answer answer;
    assert_ok(query_board(&check->tables, board, &answer));
    struct moves moves = grid_moves(table_grid(check->moves), board);
    assert_int_equal(answer.age, board_age(board));
    assert_int_equal(answer.best == DIRECTION_COUNT, moves.legal == 0);
    check->n++;
    if (!moves.legal) {
        assert_true(answer.value[VARIANT_NORMAL] == 0);
        return;
    }
    double best = -1;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        double value;
        assert_int_equal(answer.moves[d].legal, moves.legal >> d & 1);
        if (!answer.moves[d].legal)
            continue;
        if (check->goal && board_max_value(moves.after[d]) >= check->goal)
            value = 1;
        else
            assert_ok(table_value(check->tables.of[VARIANT_NORMAL], moves.after[d], &value));
        value += check->goal ? 0 : moves.reward[d];
        assert_true(answer.moves[d].value[VARIANT_NORMAL] == value);
        assert_true(answer.moves[d].loss >= 0);
        best = fmax(best, value);
        if (!check->tables.of[VARIANT_OPTIMISTIC])
            continue;
        assert_true(answer.moves[d].value[VARIANT_OPTIMISTIC] >= answer.moves[d].value[VARIANT_NORMAL] - 0x1p-15);
        assert_true(answer.moves[d].value[VARIANT_PESSIMISTIC] <= answer.moves[d].value[VARIANT_NORMAL] + 0x1p-15);
    }
    assert_true(answer.value[VARIANT_NORMAL] == best && answer.moves[answer.best].loss == 0);
    enum direction stored;
    assert_ok(table_move(check->moves, board, &stored));
    assert_true(moves.legal >> stored & 1);
    assert_true(answer.moves[stored].loss <= 0x1p-15); /* stored values are rounded by 2^-17, two of them compared */
}

static void test_every_state(void **state)
{
    (void)state;
    static const struct {
        unsigned rows, cols;
        uint64_t n;
    } boards[] = {{2, 2, 110 * 8}, {2, 3, 21752 * 4}, {3, 2, 21752 * 4}, {1, 5, 0}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        struct table *table[VARIANT_COUNT];
        struct check_context check = {.tables.main = VARIANT_NORMAL};
        struct table *moves = solved_board(boards[i].rows, boards[i].cols, VARIANT_NORMAL, STORE_MOVES);
        check.moves = moves;
        for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
            table[variant] = solved_board(boards[i].rows, boards[i].cols, variant, STORE_VALUES);
            assert_ok(query_add_table(&check.tables, table[variant], variant));
        }
        for_each_state(table[VARIANT_NORMAL], check_state, &check);
        if (boards[i].n)
            assert_int_equal(check.n, boards[i].n);
        for (unsigned variant = 0; variant < VARIANT_COUNT; variant++)
            table_close(table[variant]);
        table_close(moves);
    }
}

static void test_every_state_by_other_rules(void **state)
{
    (void)state;
    static const unsigned boards[][2] = {{2, 2}, {2, 3}, {1, 5}};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        for (size_t k = 0; k < N_OTHER_RULES; k++) {
            struct table *table =
                solved_board_by(other_rules[k], boards[i][0], boards[i][1], VARIANT_NORMAL, STORE_VALUES);
            struct table *moves =
                solved_board_by(other_rules[k], boards[i][0], boards[i][1], VARIANT_NORMAL, STORE_MOVES);
            struct check_context check = {.tables.main = VARIANT_NORMAL, .moves = moves, .goal = other_rules[k].goal};
            assert_ok(query_add_table(&check.tables, table, VARIANT_NORMAL));
            for_each_state(table, check_state, &check);
            assert_int_equal(check.n, table_summary(table)->n_states * table_grid(table)->n_symmetries);
            table_close(table);
            table_close(moves);
        }
    }
}

/* A board that has the goal is distinguished from one that no game reaches. */
static void test_won_boards(void **state)
{
    (void)state;
    struct board_rules rules = {4, 0.5};
    struct table *table = solved_board_by(rules, 2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct table *moves = solved_board_by(rules, 2, 3, VARIANT_NORMAL, STORE_MOVES);
    struct query_tables tables = {.main = VARIANT_NORMAL};
    struct query_answer answer;
    enum direction best;
    assert_ok(query_add_table(&tables, table, VARIANT_NORMAL));
    static const char *const won[] = {"410000", "777777", "654321"};
    for (size_t i = 0; i < sizeof won / sizeof *won; i++) {
        assert_int_equal(query_board(&tables, parse(table, won[i]), &answer), STATUS_INVALID);
        assert_message("already has a");
        assert_message("the chance that a 16 is made");
        assert_int_equal(query_move(moves, parse(table, won[i]), &best), STATUS_INVALID);
        assert_message("already has a");
    }
    assert_int_equal(query_board(&tables, parse(table, "333333"), &answer), STATUS_INVALID);
    assert_message("no game on the 2x3 board reaches");
    assert_ok(query_board(&tables, parse(table, "330001"), &answer));
    assert_true(answer.value[VARIANT_NORMAL] == 1 && answer.moves[DIRECTION_LEFT].loss == 0);
    table_close(table);
    table_close(moves);
}

/* The moves of whole ages, as exact evaluation loads them, against the values: every state of a larger board. */
static void check_moves_of_board(unsigned rows, unsigned cols, uint64_t n_expected)
{
    struct table *table = solved_board(rows, cols, VARIANT_NORMAL, STORE_VALUES);
    struct table *stored = solved_board(rows, cols, VARIANT_NORMAL, STORE_MOVES);
    const struct grid *grid = table_grid(table);
    struct workers *workers;
    uint64_t n = 0;
    assert_ok(workers_create(&workers, 2));
    for (size_t i = 0; i < table_n_ages(table); i++) {
        uint32_t age = table_age_at(table, i)->age;
        struct age_set states = {0}, afterstates = {0};
        struct memory_block values;
        assert_ok(table_load_states(table, workers, age, &states));
        assert_ok(table_load_set(table, workers, age, &afterstates));
        assert_ok(table_load_values(table, workers, age, &values));
        uint8_t *directions = malloc(states.count + 1);
        assert_non_null(directions);
        assert_ok(table_load_moves(stored, workers, &states, directions));
        for (size_t span = 0; span < states.n_spans; span++) {
            struct age_walk walk;
            age_walk_begin(&walk, &states, &states.spans[span]);
            while (age_walk_next(&walk)) {
                struct moves moves = grid_moves(grid, (struct board){.cells = walk.cells});
                double value[DIRECTION_COUNT] = {0}, best = 0;
                n++;
                for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                    uint32_t position;
                    if (!(moves.legal >> d & 1))
                        continue;
                    assert_true(age_set_find(&afterstates, moves.after[d], &position));
                    value[d] = moves.reward[d] + ((const double *)values.data)[position];
                    best = value[d] > best ? value[d] : best;
                }
                unsigned direction = directions[walk.position];
                if ((moves.legal & (moves.legal - 1)) && /* one legal move is not stored */
                    (!(moves.legal >> direction & 1) || best - value[direction] > 0x1p-15))
                    fail_msg("age %u: direction %u loses %g", age, direction, best - value[direction]);
            }
        }
        free(directions);
        memory_block_free(&values);
        age_set_free(&states);
        age_set_free(&afterstates);
    }
    assert_int_equal(n, n_expected);
    double bits = 8.0 * (double)table_bytes(stored) / (double)n;
    print_message("%ux%u: optimal moves in %.4f bits a state\n", rows, cols, bits);
    assert_true(bits < 2.05);
    workers_free(workers);
    table_close(table);
    table_close(stored);
}

static __attribute__((unused)) void test_moves_of_2x4(void **state)
{
    (void)state;
    check_moves_of_board(2, 4, 4980767);
}

static void test_moves_of_3x3(void **state)
{
    (void)state;
    check_moves_of_board(3, 3, 48713519);
}

static void test_what_no_game_reaches(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct query_tables tables = {.main = VARIANT_NORMAL};
    struct query_answer answer;
    assert_ok(query_add_table(&tables, table, VARIANT_NORMAL));
    static const char *const unreachable[] = {"000000", "100000", "777777", "070000", "555550"};
    for (size_t i = 0; i < sizeof unreachable / sizeof *unreachable; i++) {
        assert_int_equal(query_board(&tables, parse(table, unreachable[i]), &answer), STATUS_INVALID);
        assert_message("no game on the 2x3 board reaches");
        assert_message(unreachable[i]);
    }
    assert_ok(query_board(&tables, parse(table, "110000"), &answer));
    table_close(table);
}

static void test_tables_that_do_not_fit(void **state)
{
    (void)state;
    struct table *table = solved_board(2, 3, VARIANT_NORMAL, STORE_VALUES);
    struct table *turned = solved_board(3, 2, VARIANT_OPTIMISTIC, STORE_VALUES);
    struct table *moves = solved_board(2, 3, VARIANT_NORMAL, STORE_MOVES);
    struct query_tables tables = {.main = VARIANT_NORMAL};
    assert_int_equal(query_add_table(&tables, moves, VARIANT_NORMAL), STATUS_INVALID);
    assert_message("has no values");
    assert_ok(query_add_table(&tables, table, VARIANT_NORMAL));
    assert_int_equal(query_add_table(&tables, table, VARIANT_OPTIMISTIC), STATUS_INVALID);
    assert_message("expected the optimistic one");
    assert_int_equal(query_add_table(&tables, turned, VARIANT_OPTIMISTIC), STATUS_INVALID);
    assert_message("3x2");
    for (size_t i = 0; i < N_OTHER_RULES; i++) {
        struct table *other = solved_board_by(other_rules[i], 2, 3, VARIANT_OPTIMISTIC, STORE_VALUES);
        assert_int_equal(query_add_table(&tables, other, VARIANT_OPTIMISTIC), STATUS_INVALID);
        assert_message(table_directory(other));
        assert_message(table_directory(table));
        assert_message("--objective score --four-chance 0.1: tables of different rules");
        assert_null(tables.of[VARIANT_OPTIMISTIC]);
        table_close(other);
    }
    enum direction direction;
    assert_int_equal(table_move(table, parse(table, "110000"), &direction), STATUS_USAGE);
    table_close(table);
    table_close(turned);
    table_close(moves);
}

/* Whether a table of these files opens and verifies; where not, the status and message say why. */
static bool is_sound(const char *directory, struct workers *workers)
{
    struct table *table;
    enum status status = table_open(&table, directory);
    if (!status)
        status = table_verify(table, workers, 0, 1, NULL);
    assert_true(status == STATUS_OK || status == STATUS_CORRUPT || status == STATUS_IO);
    if (status) {
        enum direction direction;
        struct board board = {.cells = 0x11};
        assert_message(directory);
        if (table) /* asking is safe whatever the bytes are */
            table_move(table, board, &direction);
    }
    table_close(table);
    return status == STATUS_OK;
}

static void write_file(const char *path, const char *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* Truncations and flipped bits all over every file of a table of moves. */
static void test_damaged_moves(void **state)
{
    (void)state;
    char directory[PATH_MAX];
    struct workers *workers;
    table_close(solved_board(2, 2, VARIANT_NORMAL, STORE_MOVES));
    strcpy(directory, solved_board_directory(2, 2, VARIANT_NORMAL, STORE_MOVES));
    assert_ok(workers_create(&workers, 1));
    assert_true(is_sound(directory, workers));
    DIR *folder = opendir(directory);
    assert_non_null(folder);
    unsigned n_files = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char path[2 * PATH_MAX];
        size_t bytes;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        char *data = scratch_read(path + strlen(scratch_folder) + 1, &bytes);
        for (size_t cut = 0; cut < bytes; cut += 5) {
            write_file(path, data, cut);
            assert_false(is_sound(directory, workers));
        }
        for (size_t bit = 0; bit < 8 * bytes; bit += 61) { /* every byte in eight, each place in a byte in turn */
            data[bit / 8] ^= (char)(1 << bit % 8);
            write_file(path, data, bytes);
            assert_false(is_sound(directory, workers));
            data[bit / 8] ^= (char)(1 << bit % 8);
        }
        write_file(path, data, bytes);
        free(data);
        n_files++;
    }
    closedir(folder);
    assert_true(n_files >= 2);
    assert_true(is_sound(directory, workers));
    workers_free(workers);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_state),          cmocka_unit_test(test_every_state_by_other_rules),
        cmocka_unit_test(test_won_boards),
#ifndef __SANITIZE_ADDRESS__ /* a quarter of a minute there, and no other code than above */
        cmocka_unit_test(test_moves_of_2x4),
#endif
        cmocka_unit_test(test_what_no_game_reaches), cmocka_unit_test(test_tables_that_do_not_fit),
        cmocka_unit_test(test_damaged_moves),
    };
    const struct CMUnitTest long_tests[] = {cmocka_unit_test(test_moves_of_3x3)}; /* make test-long */
    if (argc > 1 && strcmp(argv[1], "long") == 0)
        return cmocka_run_group_tests(long_tests, scratch_setup, scratch_teardown);
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
