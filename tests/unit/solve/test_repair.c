/* Table directories that lost files: found, named, and made again with the same bytes. */
#include "table_files.h"

#include "base/blockfile.h"
#include "base/signals.h"

#include <math.h>
#include <signal.h>
#include <sys/stat.h>

/* All notices of a solve, one after the other. */
static char notices[1 << 16];

static void note(void *context, const char *text)
{
    (void)context;
    size_t used = strlen(notices);
    snprintf(notices + used, sizeof notices - used, "%s\n", text);
}

static void assert_noticed(const char *text)
{
    if (!strstr(notices, text))
        fail_msg("no notice has '%s': %s", text, notices);
}

static struct solve_settings settings_with_notices(enum solve_store store, uint32_t checkpoint_every, const char *path)
{
    struct solve_settings settings = settings_of(2, 3, path);
    settings.store = store;
    settings.checkpoint_every = checkpoint_every;
    settings.notice = note;
    return settings;
}

static enum status solve_and_listen(const struct solve_settings *settings, struct solve_report *report)
{
    notices[0] = '\0';
    return solve(settings, 2, report);
}

static void copy_directory(const char *from, const char *to)
{
    assert_int_equal(mkdir(to, 0755), 0);
    DIR *folder = opendir(from);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        size_t bytes;
        char *data = read_file(from, entry->d_name, &bytes);
        write_file(to, entry->d_name, data, bytes);
        free(data);
    }
    closedir(folder);
}

static void remove_directory(const char *path)
{
    assert_int_equal(nftw(path, scratch_remove, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* ---- ways to damage a file --------------------------------------------------------------------------------------- */

static void lose_file(const char *directory, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_int_equal(unlink(path), 0);
}

static void cut_file(const char *directory, const char *name)
{
    size_t bytes;
    char *data = read_file(directory, name, &bytes);
    write_file(directory, name, data, bytes / 2);
    free(data);
}

/* Not in a header: only a checksum shows it. */
static void flip_bit(const char *directory, const char *name)
{
    size_t bytes;
    char *data = read_file(directory, name, &bytes);
    data[100] ^= 4; /* in the first block: the container has 16 bytes, the block's header 40 */
    write_file(directory, name, data, bytes);
    free(data);
}

typedef void damage(const char *directory, const char *name);
static damage *const damages[] = {lose_file, cut_file, flip_bit};
enum { N_DAMAGES = sizeof damages / sizeof *damages };

/* The name of file number i that begins with `prefix`, in the order of names; false if there are fewer. */
static bool file_name(const char *directory, const char *prefix, int i, char *name)
{
    struct dirent **entries;
    int n = scandir(directory, &entries, NULL, alphasort);
    bool found = false;
    assert_true(n >= 0);
    for (int k = 0; k < n; k++) {
        if (strncmp(entries[k]->d_name, prefix, strlen(prefix)) == 0 && i-- == 0) {
            snprintf(name, NAME_MAX, "%s", entries[k]->d_name);
            found = true;
        }
        free(entries[k]);
    }
    free(entries);
    return found;
}

/* Copies `half`, damages a file of it, solves to the end: the file is named and the directory is that of `whole`. */
static void damage_and_solve(const char *half, const char *whole, const char *name, damage *harm,
                             struct solve_settings settings)
{
    char *damaged = path_of("damaged");
    struct solve_report report;
    copy_directory(half, damaged);
    harm(damaged, name);
    settings.directory = damaged;
    assert_ok(solve_and_listen(&settings, &report));
    assert_true(report.summary.backward_done);
    assert_noticed(name);
    assert_same_directories(whole, damaged);
    assert_ok(solve_and_listen(&settings, &report));
    assert_string_equal(notices, ""); /* and it stays repaired */
    remove_directory(damaged);
    free(damaged);
}

/* ---- finished tables --------------------------------------------------------------------------------------------- */

static void finished_tables_are_repaired(void **state)
{
    (void)state;
    static const struct {
        enum solve_store store;
        uint32_t checkpoint_every;
        const char *prefix, *says;
    } cases[] = {
        {STORE_VALUES, 1, "sets-", "again from"},
        {STORE_VALUES, 1, "values-", "the backward pass runs again from age 252"},
        {STORE_MOVES, 5, "moves-", "solved again from the start"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *whole = path_of("finished"), name[NAME_MAX];
        struct solve_report report;
        struct solve_settings settings = settings_with_notices(cases[i].store, cases[i].checkpoint_every, whole);
        assert_ok(solve_and_listen(&settings, &report));
        assert_string_equal(notices, "");
        int n = 0;
        for (; file_name(whole, cases[i].prefix, n, name); n++) {
            damage_and_solve(whole, whole, name, damages[n % N_DAMAGES], settings);
        }
        assert_in_range(n, 3, 100);
        remove_directory(whole);
        free(whole);
    }
}

static void everything_but_the_index_is_lost(void **state)
{
    (void)state;
    char *whole = path_of("whole"), *bare = path_of("bare"), name[NAME_MAX];
    struct solve_report report;
    struct solve_settings settings = settings_with_notices(STORE_VALUES, 1, whole);
    assert_ok(solve_and_listen(&settings, &report));
    copy_directory(whole, bare);
    while (file_name(bare, "sets-", 0, name) || file_name(bare, "values-", 0, name))
        lose_file(bare, name);
    settings.directory = bare;
    assert_ok(solve_and_listen(&settings, &report));
    for (int i = 0; file_name(whole, "", i, name); i++) {
        if (name[0] != '.' && strcmp(name, "index.table") != 0)
            assert_noticed(name);
    }
    assert_same_directories(whole, bare);

    /* The index alone: a damaged one is not touched, a lost one means all again. */
    cut_file(bare, "index.table");
    assert_int_equal(solve_and_listen(&settings, &report), STATUS_CORRUPT);
    assert_message("remove it to solve from the start");
    lose_file(bare, "index.table");
    assert_ok(solve_and_listen(&settings, &report));
    assert_noticed("index.table is missing");
    assert_same_directories(whole, bare);

    /* Values lost, and no backward pass wanted: the index says that there are none. */
    assert_true(file_name(bare, "values-", 1, name));
    lose_file(bare, name);
    settings.to_age = 100;
    assert_ok(solve_and_listen(&settings, &report));
    assert_false(report.summary.backward_done);
    assert_false(report.values.bytes);
    settings.to_age = 0;
    assert_ok(solve_and_listen(&settings, &report));
    assert_same_directories(whole, bare);
    free(whole);
    free(bare);
}

/* ---- unfinished ones --------------------------------------------------------------------------------------------- */

static void counted_tables_are_repaired(void **state)
{
    (void)state;
    static const uint32_t every[] = {1, 2, 5, 40};
    for (size_t i = 0; i < sizeof every / sizeof *every; i++) {
        char *whole = path_of("counted-whole"), *half = path_of("counted"), name[NAME_MAX];
        struct solve_report report;
        struct solve_settings settings = settings_with_notices(STORE_NONE, every[i], whole);
        settings.file_members = 1000;
        assert_ok(solve_and_listen(&settings, &report));
        settings.directory = half;
        settings.to_age = 150;
        assert_ok(solve_and_listen(&settings, &report));
        settings.to_age = 0;
        int n = 0;
        for (; file_name(half, "sets-", n, name); n++) {
            damage_and_solve(half, whole, name, damages[n % N_DAMAGES], settings);
            settings.checked_bytes = 1; /* only that files are whole is checked */
            damage_and_solve(half, whole, name, cut_file, settings);
            settings.checked_bytes = 0;
        }
        assert_in_range(n, 1, 100);
        remove_directory(whole);
        remove_directory(half);
        free(whole);
        free(half);
    }
}

/* A solve that the user stops after one age. */
static void solve_one_age(const struct solve_settings *settings)
{
    struct solve_report report;
    assert_ok(signals_catch_interrupt());
    raise(SIGINT);
    assert_int_equal(solve_and_listen(settings, &report), STATUS_INTERRUPTED);
    signals_restore();
}

/* Counted, and some ages of the backward pass done: the exact values and three files of it are there. */
static void begin_values(struct solve_settings settings)
{
    struct solve_report report;
    char name[NAME_MAX];
    const char *prefix = settings.store == STORE_MOVES ? "moves-" : "values-";
    settings.to_age = 252;
    assert_ok(solve_and_listen(&settings, &report));
    assert_true(report.summary.forward_done);
    settings.to_age = 0;
    while (!file_name(settings.directory, prefix, 2, name))
        solve_one_age(&settings);
}

static void half_valued_tables_are_repaired(void **state)
{
    (void)state;
    static const enum solve_store stores[] = {STORE_VALUES, STORE_MOVES};
    for (size_t s = 0; s < 2; s++) {
        char *whole = path_of("valued-whole"), *half = path_of("valued"), name[NAME_MAX];
        struct solve_report report;
        struct solve_settings settings = settings_with_notices(stores[s], s ? 5 : 1, whole);
        assert_ok(solve_and_listen(&settings, &report));
        settings.directory = half;
        begin_values(settings);
        int n = 0;
        for (; file_name(half, s ? "moves-" : "values-", n, name); n++)
            damage_and_solve(half, whole, name, damages[n % N_DAMAGES], settings);
        for (n = 0; file_name(half, "sets-", n, name); n++) {
            damage_and_solve(half, whole, name, damages[n % N_DAMAGES], settings);
            if (n > 0)
                continue;
            settings.checked_bytes = 1; /* the backward pass reaches this file, and finds the flipped bit */
            damage_and_solve(half, whole, name, flip_bit, settings);
            settings.checked_bytes = 0;
        }
        damage_and_solve(half, whole, "resume.table", cut_file, settings);
        damage_and_solve(half, whole, "resume.table", flip_bit, settings);
        remove_directory(whole);
        remove_directory(half);
        free(whole);
        free(half);
    }
}

/* Values that no game has, with right checksums: found when they are used, and the pass runs again. */
static void crafted_values_are_refused(void **state)
{
    (void)state;
    static const double crafted[] = {1e300, -1, NAN, INFINITY, 16777216};
    char *whole = path_of("uncrafted"), *half = path_of("crafted"), path[PATH_MAX];
    struct solve_report report;
    struct solve_settings settings = settings_with_notices(STORE_VALUES, 1, whole);
    assert_ok(solve_and_listen(&settings, &report));
    for (size_t c = 0; c < sizeof crafted / sizeof *crafted; c++) {
        settings.directory = half;
        begin_values(settings);
        snprintf(path, sizeof path, "%s/resume.table", half);
        struct block_reader *reader;
        struct block_writer *writer;
        assert_ok(block_reader_open(&reader, path, "ASSOLVRS", 1));
        assert_ok(block_writer_open(&writer, path, "ASSOLVRS", 1));
        for (size_t i = 0; i < block_reader_count(reader); i++) {
            struct block_info info = block_reader_info(reader, i);
            double *data = malloc(info.raw_bytes + 1);
            assert_ok(block_reader_load(reader, i, data, info.raw_bytes));
            for (size_t k = 0; info.kind == 2 && k < info.raw_bytes / sizeof *data; k++)
                data[k] = crafted[c];
            assert_ok(block_writer_append(writer, info.kind, data, info.raw_bytes, BLOCK_RAW));
            free(data);
        }
        block_reader_close(reader);
        assert_ok(block_writer_commit(writer));
        assert_ok(solve_and_listen(&settings, &report));
        assert_noticed("resume.table");
        assert_same_directories(whole, half);
        remove_directory(half);
    }
    free(whole);
    free(half);
}

/* ---- leftovers --------------------------------------------------------------------------------------------------- */

/* They go when a run begins, not when the last one ends; the user's own files stay. */
static void temporaries_go_at_once(void **state)
{
    (void)state;
    char *directory = path_of("temporaries");
    struct solve_report report;
    struct solve_settings settings = settings_of(2, 3, directory);
    settings.to_age = 40;
    assert_ok(solve(&settings, 1, &report));
    int n = count_entries(directory);
    static const char *const left[] = {"index.table.tmp-1-0", "sets-00004.table.tmp-12345-2", "resume.table.tmp-7-0",
                                       "notes.tmp-1-0"};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        write_file(directory, left[i], "x", 1);
    settings.to_age = 60;
    assert_ok(solve(&settings, 1, &report));
    assert_false(report.summary.forward_done);
    char name[NAME_MAX];
    assert_false(file_name(directory, "index.table.", 0, name));
    assert_false(file_name(directory, "sets-00004.table.", 0, name));
    assert_false(file_name(directory, "resume", 0, name));
    assert_true(file_name(directory, "notes", 0, name));
    assert_true(count_entries(directory) >= n + 1);
    free(directory);
}

/* The bits an afterstate of a run that stopped: of the boards that are stored, not of all that were counted. */
static void stored_boards_are_counted(void **state)
{
    (void)state;
    char *directory = path_of("stored");
    struct solve_settings settings = settings_of(2, 3, directory);
    struct solve_report report;
    settings.store = STORE_NONE;
    settings.checkpoint_every = 10;
    settings.to_age = 150;
    assert_ok(solve(&settings, 1, &report));
    assert_true(report.sets.members > 0);
    assert_true(report.sets.members < report.summary.n_afterstates / 2);
    struct table_index index;
    assert_ok(table_index_read(&index, directory));
    uint64_t n = 0;
    for (size_t i = 0; i < index.n_ages; i++)
        n += table_keeps_set(&index.summary, index.ages[i].age) ? index.ages[i].n_afterstates : 0;
    assert_int_equal(report.sets.members, n);
    table_index_free(&index);
    free(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finished_tables_are_repaired),    cmocka_unit_test(everything_but_the_index_is_lost),
        cmocka_unit_test(counted_tables_are_repaired),     cmocka_unit_test(crafted_values_are_refused),
        cmocka_unit_test(half_valued_tables_are_repaired), cmocka_unit_test(temporaries_go_at_once),
        cmocka_unit_test(stored_boards_are_counted),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
