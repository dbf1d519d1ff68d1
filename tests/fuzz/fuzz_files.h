/*
 * fuzz_files: for targets whose readers take paths: a folder that lives as long as the process, and an input cut into
 * the files of that folder. TMPDIR should be in memory.
 */
#ifndef AFTERSTATE_TESTS_FUZZ_FILES_H
#define AFTERSTATE_TESTS_FUZZ_FILES_H

#include "mend.h"

#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char fuzz_folder_path[256];

static inline int fuzz_remove(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind;
    return place->level ? remove(path) : 0; /* the folder itself stays */
}

/* Removes all that is in the folder. */
static inline void fuzz_empty_folder(void)
{
    if (nftw(fuzz_folder_path, fuzz_remove, 16, FTW_DEPTH | FTW_PHYS) != 0)
        abort();
}

static inline void fuzz_end_folder(void)
{
    fuzz_empty_folder();
    rmdir(fuzz_folder_path);
}

/* The folder, made at the first call and removed at exit. */
static inline const char *fuzz_folder(void)
{
    if (!fuzz_folder_path[0]) {
        const char *where = getenv("TMPDIR");
        snprintf(fuzz_folder_path, sizeof fuzz_folder_path, "%s/afterstate-fuzz-XXXXXX",
                 where && where[0] ? where : "/tmp");
        if (!mkdtemp(fuzz_folder_path) || atexit(fuzz_end_folder) != 0)
            abort();
    }
    return fuzz_folder_path;
}

/* A path in the folder; valid until the next call. */
static inline const char *fuzz_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
    return path;
}

/* Writes data[0 .. bytes-1] as a file of the folder. */
static inline void fuzz_write(const char *name, const uint8_t *data, size_t bytes)
{
    FILE *file = fopen(fuzz_path(name), "wb");
    if (!file || (bytes && fwrite(data, 1, bytes, file) != bytes) || fclose(file) != 0)
        abort();
}

/*
 * Writes the n files of an input: the lengths of all but the last (4 bytes each, little-endian), then their bytes. A
 * file without bytes is not made. `mended`: with right checksums, which changes the bytes of the input. False where the
 * input is too short for its lengths.
 */
static inline bool fuzz_write_files(const char *const *names, unsigned n, uint8_t *data, size_t n_bytes, bool mended)
{
    size_t at = (size_t)4 * (n - 1);
    if (n_bytes < at)
        return false;
    for (unsigned i = 0; i < n; i++) {
        size_t left = n_bytes - at, wanted = i + 1 < n ? (size_t)mend_load(data + (size_t)4 * i, 4) : left;
        size_t bytes = wanted < left ? wanted : left;
        if (mended)
            mend_checksums(data + at, bytes);
        if (bytes)
            fuzz_write(names[i], data + at, bytes);
        else
            unlink(fuzz_path(names[i]));
        at += bytes;
    }
    return true;
}

/* A copy of an input to be changed, of exactly its size, so that a sanitizer sees a read after its end. */
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t n_bytes)
{
    uint8_t *copy = malloc(n_bytes ? n_bytes : 1);
    if (!copy)
        abort();
    if (n_bytes)
        memcpy(copy, data, n_bytes);
    return copy;
}

/* The same as a text, up to the first NUL, which is skipped in *data; the caller frees it. */
static inline char *fuzz_text(const uint8_t **data, size_t *n_bytes)
{
    size_t n = *n_bytes ? strnlen((const char *)*data, *n_bytes) : 0;
    char *text = calloc(1, n + 1);
    if (!text)
        abort();
    if (n)
        memcpy(text, *data, n);
    n += n < *n_bytes;
    *data += n;
    *n_bytes -= n;
    return text;
}

#endif
