/* table_files: small boards solved into directories of the scratch folder, and these compared and damaged. */
#ifndef AFTERSTATE_TESTS_TABLE_FILES_H
#define AFTERSTATE_TESTS_TABLE_FILES_H

#include "scratch.h"

#include "base/workers.h"
#include "solve/solver.h"

static inline struct solve_settings settings_of(unsigned rows, unsigned cols, const char *directory)
{
    return (struct solve_settings){.chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                   .rows = rows,
                                   .cols = cols,
                                   .directory = directory,
                                   .fraction_bits = 16,
                                   .checkpoint_every = 1,
                                   .file_members = 2000, /* many files of small boards */
                                   .memory_bytes = UINT64_C(1) << 32,
                                   .progress_mode = PROGRESS_QUIET};
}

static inline enum status solve(const struct solve_settings *settings, unsigned n_threads, struct solve_report *report)
{
    struct workers *workers;
    assert_ok(workers_create(&workers, n_threads));
    enum status status = solve_run(settings, workers, report);
    workers_free(workers);
    return status;
}

/* A path in the scratch folder that stays. */
static inline char *path_of(const char *name)
{
    char *path = strdup(scratch_path(name));
    assert_non_null(path);
    return path;
}

static inline char *read_file(const char *directory, const char *name, size_t *bytes)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s is missing", path);
    char *data = malloc(1 << 25);
    assert_non_null(data);
    *bytes = fread(data, 1, 1 << 25, file);
    fclose(file);
    return data;
}

static inline int count_entries(const char *directory)
{
    DIR *folder = opendir(directory);
    assert_non_null(folder);
    int n = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        n += entry->d_name[0] != '.';
    closedir(folder);
    return n;
}

static inline void assert_same_directories(const char *a, const char *b)
{
    assert_int_equal(count_entries(a), count_entries(b));
    DIR *folder = opendir(a);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        size_t bytes_a, bytes_b;
        char *data_a = read_file(a, entry->d_name, &bytes_a), *data_b = read_file(b, entry->d_name, &bytes_b);
        if (bytes_a != bytes_b || memcmp(data_a, data_b, bytes_a) != 0)
            fail_msg("%s differs", entry->d_name);
        free(data_a);
        free(data_b);
    }
    closedir(folder);
}

static inline void write_file(const char *directory, const char *name, const char *data, size_t bytes)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

#endif
