/*
 * scratch: what the unit tests share: a folder of their own that is removed afterwards, and checks of messages.
 */
#ifndef AFTERSTATE_TESTS_SCRATCH_H
#define AFTERSTATE_TESTS_SCRATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"

#include <dirent.h>
#include <ftw.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_folder[PATH_MAX / 2];
static char scratch_name[PATH_MAX];

static inline int scratch_setup(void **state)
{
    (void)state;
    const char *where = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%s/afterstate-test-XXXXXX", where && where[0] ? where : "/tmp");
    return mkdtemp(scratch_folder) ? 0 : -1;
}

static inline int scratch_remove(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

static inline int scratch_teardown(void **state)
{
    (void)state;
    return nftw(scratch_folder, scratch_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* A path in the scratch folder; valid until the next call. */
static inline const char *scratch_path(const char *name)
{
    snprintf(scratch_name, sizeof scratch_name, "%s/%s", scratch_folder, name);
    return scratch_name;
}

static inline void scratch_write(const char *name, const void *data, size_t bytes)
{
    FILE *file = fopen(scratch_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

/* The content of a file, NUL after it; the caller frees it. */
static inline char *scratch_read(const char *name, size_t *bytes)
{
    FILE *file = fopen(scratch_path(name), "rb");
    assert_non_null(file);
    char *data = calloc(1, 1 << 22);
    assert_non_null(data);
    *bytes = fread(data, 1, (1 << 22) - 1, file);
    assert_int_equal(ferror(file), 0);
    fclose(file);
    return data;
}

static inline int scratch_count_files(void)
{
    DIR *folder = opendir(scratch_folder);
    assert_non_null(folder);
    int n = 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        n += entry->d_name[0] != '.';
    closedir(folder);
    return n;
}

/* The present message must hold `part`; shows both if not. */
static inline void assert_message(const char *part)
{
    if (!strstr(status_message(), part))
        fail_msg("the message is \"%s\", expected \"%s\" in it", status_message(), part);
}

static inline void assert_ok(enum status status)
{
    if (status != STATUS_OK)
        fail_msg("%s: %s", status_name(status), status_message());
}

#endif
