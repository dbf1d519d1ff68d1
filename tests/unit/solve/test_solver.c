/* Table directories: the same whatever happened on the way, refused when damaged, and smaller where that is wanted. */
#include "table_files.h"

#include "base/random.h"
#include "base/signals.h"
#include "solve/table.h"

#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 }; /* ten times as slow: fewer of the same */
#else
enum { SANITIZED = 0 };
#endif

/* ---- the same files whatever happened ---------------------------------------------------------------------------- */

static void threads_make_no_difference(void **state)
{
    (void)state;
    static const enum solve_store stores[] = {STORE_VALUES, STORE_MOVES};
    for (size_t s = 0; s < 2; s++) {
        char *one = path_of(s ? "moves1" : "values1");
        struct solve_settings settings = settings_of(2, 3, one);
        settings.store = stores[s];
        struct solve_report report;
        assert_ok(solve(&settings, 1, &report));
        assert_in_range(count_entries(one), 6, 100);
        for (unsigned n = 2; n <= 3; n++) {
            char name[32];
            snprintf(name, sizeof name, "threads-%zu-%u", s, n);
            char *other = path_of(name);
            settings.directory = other;
            assert_ok(solve(&settings, n, &report));
            assert_same_directories(one, other);
            free(other);
        }
        free(one);
    }
}

static void a_file_at_a_time(void **state)
{
    (void)state;
    static const enum solve_store stores[] = {STORE_VALUES, STORE_MOVES};
    for (size_t s = 0; s < 2; s++) {
        char *whole = path_of(s ? "whole-moves" : "whole-values"), *steps = path_of(s ? "steps-moves" : "steps-values");
        struct solve_report report;
        struct solve_settings settings = settings_of(2, 3, whole);
        settings.store = stores[s];
        settings.checkpoint_every = s ? 5 : 1;
        assert_ok(solve(&settings, 1, &report));
        settings.directory = steps;
        for (uint32_t age = 6; age < 252; age += 14) {
            settings.to_age = age;
            assert_ok(solve(&settings, 2, &report));
            assert_false(report.summary.backward_done);
        }
        settings.to_age = 0;
        assert_ok(solve(&settings, 2, &report));
        assert_true(report.summary.backward_done);
        assert_same_directories(whole, steps);
        free(whole);
        free(steps);
    }
}

/* The user stops it again and again, at moments that only the clock knows. */
static void run_and_end(const struct solve_settings *settings, int signal, unsigned microseconds, bool *done)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct workers *workers;
        struct solve_report report;
        enum status status = signals_catch_interrupt();
        if (status == STATUS_OK)
            status = workers_create(&workers, 2);
        if (status == STATUS_OK)
            status = solve_run(settings, workers, &report);
        _exit(status == STATUS_OK ? 0 : status == STATUS_INTERRUPTED ? 3 : 1);
    }
    nanosleep(&(struct timespec){.tv_nsec = (long)microseconds * 1000}, NULL);
    kill(child, signal);
    int end;
    assert_int_equal(waitpid(child, &end, 0), child);
    *done = WIFEXITED(end) && WEXITSTATUS(end) == 0;
    bool ended_by_us = (WIFSIGNALED(end) && WTERMSIG(end) == signal) || (WIFEXITED(end) && WEXITSTATUS(end) == 3);
    assert_true(*done || ended_by_us);
}

static void stop_and_go_on(int signal, enum solve_store store, uint32_t checkpoint_every, const char *name)
{
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%s-whole", name);
    char *whole = path_of(buffer), *stopped = path_of(name);
    struct solve_report report;
    struct solve_settings settings = settings_of(2, 4, whole);
    settings.store = store;
    settings.checkpoint_every = checkpoint_every;
    settings.file_members = 100000;
    assert_ok(solve(&settings, 2, &report));
    settings.directory = stopped;
    struct rng rng = random_stream(11, (uint64_t)signal);
    bool done = false;
    /* Time to start up and do some ages; more each time, so that it ends on the slowest machine. */
    for (unsigned round = 0; !done; round++)
        run_and_end(&settings, signal, 20000 + (unsigned)random_below(&rng, 150000 + 20000 * round), &done);
    assert_same_directories(whole, stopped);
    free(whole);
    free(stopped);
}

static __attribute__((unused)) void killed_and_resumed(void **state)
{
    (void)state;
    stop_and_go_on(SIGKILL, STORE_VALUES, 1, "killed");
}

static __attribute__((unused)) void interrupted_and_resumed(void **state)
{
    (void)state;
    stop_and_go_on(SIGINT, STORE_MOVES, 7, "interrupted");
}

/* Killed between the last index and the cleaning after it: what remained goes with the next solve, and nothing else. */
static void remains_are_removed(void **state)
{
    (void)state;
    char *clean = path_of("clean"), *remains = path_of("remains");
    struct solve_report report;
    struct solve_settings settings = settings_of(2, 2, clean);
    assert_ok(solve(&settings, 1, &report));
    settings.directory = remains;
    assert_ok(solve(&settings, 1, &report));
    static const char *const left[] = {"index.table.tmp-1-0", "resume.table", "values-09998.table.tmp-1-0",
                                       "moves-00004.table"};
    static const char *const own[] = {"notes.txt",          "values-notes.txt",  "index.table.backup",
                                      "moves-4.table",      "moves-00005.table", "sets-00004.table.tmp",
                                      "moves-00004.tablet", "index.table.tmp-1", "resume.table.tmp-a-1"};
    int n_left = sizeof left / sizeof *left, n_own = sizeof own / sizeof *own, n = count_entries(remains);
    for (int i = 0; i < n_left; i++)
        write_file(remains, left[i], "", 0);
    for (int i = 0; i < n_own; i++)
        write_file(remains, own[i], "", 0);
    assert_int_equal(count_entries(remains), n + n_left + n_own);
    assert_ok(solve(&settings, 1, &report));
    assert_int_equal(count_entries(remains), count_entries(clean) + n_own); /* the user's own files stay */
    free(clean);
    free(remains);
}

/* ---- what is stored ---------------------------------------------------------------------------------------------- */

static void checkpoints_change_nothing(void **state)
{
    (void)state;
    char *all = path_of("all-sets"), *some = path_of("some-sets");
    struct solve_settings settings = settings_of(2, 3, all);
    settings.store = STORE_NONE;
    struct solve_report plain, thrifty;
    assert_ok(solve(&settings, 1, &plain));
    assert_int_equal(count_entries(all), 1); /* the index alone */
    static const uint32_t every[] = {2, 3, 10, 500};
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        settings.directory = some;
        settings.checkpoint_every = every[i];
        assert_ok(solve(&settings, 2, &thrifty));
        assert_true(thrifty.summary.expected_score == plain.summary.expected_score);
        assert_int_equal(thrifty.summary.n_states, plain.summary.n_states);
        assert_int_equal(nftw(some, scratch_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
    }
    settings.store = STORE_VALUES;
    assert_int_equal(solve(&settings, 1, &plain), STATUS_USAGE);
    free(all);
    free(some);
}

/* With more bits a value is nearer to the exact one, and never off by more than half of the last. */
static void bits_are_precision(void **state)
{
    (void)state;
    static const unsigned bits[] = {0, 4, 30};
    struct table *tables[3];
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "bits-%u", bits[i]);
        char *directory = path_of(name);
        struct solve_settings settings = settings_of(2, 3, directory);
        struct solve_report report;
        settings.fraction_bits = bits[i];
        assert_ok(solve(&settings, 1, &report));
        assert_ok(table_open(&tables[i], directory));
        struct workers *workers;
        uint64_t n_checked;
        assert_ok(workers_create(&workers, 2));
        assert_ok(table_verify(tables[i], workers, 2000, 3, &n_checked));
        assert_int_equal(n_checked, 2000);
        workers_free(workers);
        free(directory);
    }
    for (size_t i = 0; i < table_n_ages(tables[0]); i++) {
        const struct table_age *age = table_age_at(tables[0], i);
        for (uint64_t n = 0; n < age->n_afterstates; n++) {
            double value[3];
            for (int t = 0; t < 3; t++)
                assert_ok(table_value_at(tables[t], age->age, n, &value[t]));
            assert_true(value[0] == floor(value[0]));
            assert_true(fabs(value[0] - value[2]) <= 0.5 + 0x1p-30);
            assert_true(fabs(value[1] - value[2]) <= 0x1p-5 + 0x1p-30);
        }
    }
    for (int i = 0; i < 3; i++)
        table_close(tables[i]);
}

/* Boards give positions and positions boards; boards that are not members are recognised. */
static void tables_find_boards(void **state)
{
    (void)state;
    char *directory = path_of("find");
    struct solve_settings settings = settings_of(2, 3, directory);
    struct solve_report report;
    struct table *table;
    assert_ok(solve(&settings, 1, &report));
    assert_ok(table_open(&table, directory));
    for (size_t i = 0; i < table_n_ages(table); i++) {
        const struct table_age *age = table_age_at(table, i);
        for (uint64_t n = 0; n < age->n_afterstates; n++) {
            struct board board;
            bool found;
            uint64_t position;
            assert_ok(table_board_at(table, age->age, n, &board));
            for (unsigned s = 0; s < 4; s++) {
                assert_ok(table_find(table, grid_image(table_grid(table), board, s), &found, &position));
                assert_true(found);
                assert_int_equal(position, n);
            }
        }
    }
    bool found = true;
    struct board full = {.cells = 0x121212}; /* no cell is empty: no afterstate, but a state */
    assert_ok(table_find(table, full, &found, NULL));
    assert_false(found);
    assert_ok(table_state_reachable(table, full, &found));
    assert_true(found);
    struct board spread = {.cells = 0x300003}; /* an 8 needs moves, and these leave tiles at the same side */
    assert_ok(table_state_reachable(table, spread, &found));
    assert_false(found);
    double value;
    assert_int_equal(table_value(table, full, &value), STATUS_INVALID);
    assert_int_equal(table_find(table, (struct board){.cells = 0x9}, &found, NULL), STATUS_INVALID);
    assert_int_equal(table_find(table, (struct board){.cells = 0x1000001}, &found, NULL), STATUS_INVALID);
    assert_int_equal(table_value_at(table, 8, 1 << 20, &value), STATUS_USAGE);
    table_close(table);
    free(directory);
}

/* Threads that share a table open its ages and look through its pieces for the first time all at once. */
static enum status look_up(void *context, unsigned worker, uint64_t item)
{
    const struct table *table = context;
    size_t i = 0;
    (void)worker;
    while (item >= table_age_at(table, i)->n_afterstates)
        item -= table_age_at(table, i++)->n_afterstates;
    struct board board;
    bool found;
    uint64_t position = 0;
    double value, same;
    enum status status = table_board_at(table, table_age_at(table, i)->age, item, &board);
    if (!status)
        status = table_find(table, board, &found, &position);
    if (!status && (!found || position != item))
        status = status_fail(STATUS_CORRUPT, "position %llu was lost", (unsigned long long)item);
    if (!status)
        status = table_value(table, board, &value);
    if (!status)
        status = table_value_at(table, board_age(board), position, &same);
    return status || value == same ? status : status_fail(STATUS_CORRUPT, "two values");
}

static void threads_share_a_table(void **state)
{
    (void)state;
    char *directory = path_of("shared");
    struct solve_settings settings = settings_of(2, 3, directory);
    struct solve_report report;
    struct workers *workers;
    assert_ok(solve(&settings, 1, &report));
    assert_ok(workers_create(&workers, 4));
    for (unsigned i = 0; i < 3; i++) {
        struct table *table;
        assert_ok(table_open(&table, directory));
        assert_ok(workers_for(workers, table_summary(table)->n_afterstates, look_up, table));
        table_close(table);
    }
    workers_free(workers);
    free(directory);
}

/* ---- refusals ---------------------------------------------------------------------------------------------------- */

static void other_settings_are_refused(void **state)
{
    (void)state;
    char *directory = path_of("settings");
    struct solve_settings settings = settings_of(2, 2, directory), other = settings;
    struct solve_report report;
    settings.to_age = 20;
    assert_ok(solve(&settings, 1, &report));
    other.rows = 3;
    assert_int_equal(solve(&other, 1, &report), STATUS_USAGE);
    assert_message("holds board 2x2");
    other = settings;
    other.variant = VARIANT_OPTIMISTIC;
    assert_int_equal(solve(&other, 1, &report), STATUS_USAGE);
    assert_message("--variant normal");
    other = settings;
    other.directory = "/proc/nothing";
    assert_int_equal(solve(&other, 1, &report), STATUS_IO);
    other = settings_of(4, 4, scratch_path("big"));
    assert_int_equal(solve(&other, 1, &report), STATUS_INVALID);
    other = settings_of(2, 4, scratch_path("little-memory"));
    other.memory_bytes = 1 << 20;
    assert_int_equal(solve(&other, 1, &report), STATUS_NO_MEMORY);
    assert_message("--memory");
    free(directory);
}

static enum status open_and_verify(const char *directory)
{
    struct table *table;
    struct workers *workers;
    enum status status = table_open(&table, directory);
    if (status != STATUS_OK)
        return status;
    assert_ok(workers_create(&workers, 1));
    status = table_verify(table, workers, 0, 1, NULL);
    workers_free(workers);
    table_close(table);
    return status;
}

static void damage_is_found(void **state)
{
    (void)state;
    struct rng rng = random_stream(3, 0);
    for (int store = 0; store < 2; store++) {
        char *directory = path_of(store ? "damaged-moves" : "damaged-values");
        struct solve_settings settings = settings_of(2, 2, directory);
        struct solve_report report;
        settings.store = store ? STORE_MOVES : STORE_VALUES;
        assert_ok(solve(&settings, 1, &report));
        assert_ok(open_and_verify(directory));
        DIR *folder = opendir(directory);
        assert_non_null(folder);
        for (struct dirent *entry; (entry = readdir(folder));) {
            if (entry->d_name[0] == '.')
                continue;
            size_t bytes;
            char *data = read_file(directory, entry->d_name, &bytes);
            for (size_t cut = 0; cut < bytes; cut += SANITIZED ? 7 : 1) {
                write_file(directory, entry->d_name, data, cut);
                assert_int_equal(open_and_verify(directory), STATUS_CORRUPT);
            }
            for (int i = 0; i < (SANITIZED ? 150 : 1000); i++) {
                size_t bit = (size_t)random_below(&rng, 8 * bytes);
                data[bit / 8] ^= (char)(1 << bit % 8);
                write_file(directory, entry->d_name, data, bytes);
                assert_int_equal(open_and_verify(directory), STATUS_CORRUPT);
                data[bit / 8] ^= (char)(1 << bit % 8);
            }
            write_file(directory, entry->d_name, data, bytes);
            free(data);
        }
        closedir(folder);
        assert_ok(open_and_verify(directory));
        free(directory);
    }
}

/* A value that was changed before its checksum was made is found by deriving it again. */
static void wrong_values_are_found(void **state)
{
    (void)state;
    char *normal = path_of("normal"), *optimistic = path_of("optimistic");
    struct solve_settings settings = settings_of(2, 3, normal);
    struct solve_report report;
    struct table *table;
    struct workers *workers;
    assert_ok(solve(&settings, 1, &report));
    settings.directory = optimistic;
    settings.variant = VARIANT_OPTIMISTIC;
    assert_ok(solve(&settings, 1, &report));
    /* Files of one variant under the index of the other: every checksum is right. */
    DIR *folder = opendir(optimistic);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strncmp(entry->d_name, "values-", 7) != 0)
            continue;
        size_t bytes;
        char *data = read_file(optimistic, entry->d_name, &bytes);
        write_file(normal, entry->d_name, data, bytes);
        free(data);
    }
    closedir(folder);
    assert_ok(table_open(&table, normal));
    assert_ok(workers_create(&workers, 1));
    assert_int_equal(table_verify(table, workers, 1000, 1, NULL), STATUS_CORRUPT);
    assert_message("its successors say");
    workers_free(workers);
    table_close(table);
    free(normal);
    free(optimistic);
}

int main(void)
{
    const struct CMUnitTest threaded[] = {
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(a_file_at_a_time),
        cmocka_unit_test(threads_share_a_table),
    };
    const struct CMUnitTest others[] = {
#ifndef __SANITIZE_THREAD__ /* it does not follow a fork */
        cmocka_unit_test(killed_and_resumed),         cmocka_unit_test(interrupted_and_resumed),
#endif
        cmocka_unit_test(remains_are_removed),        cmocka_unit_test(checkpoints_change_nothing),
        cmocka_unit_test(bits_are_precision),         cmocka_unit_test(tables_find_boards),
        cmocka_unit_test(other_settings_are_refused), cmocka_unit_test(damage_is_found),
        cmocka_unit_test(wrong_values_are_found),
    };
    int n_failed = cmocka_run_group_tests(threaded, scratch_setup, scratch_teardown);
#ifdef __SANITIZE_THREAD__ /* the others take minutes there and have no threads that these have not */
    (void)others;
#else
    n_failed += cmocka_run_group_tests(others, scratch_setup, scratch_teardown);
#endif
    return n_failed;
}
