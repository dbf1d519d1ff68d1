/*
 * Any bytes as the index of a solved table, and as its sets and values, as they are and with right checksums: opened
 * and asked for every board of two tiles, or refused. The input is the three files, one after the other, with the
 * lengths of the first two before them (4 bytes each, little-endian).
 */
#include "mend.h"
#include "solve/query.h"
#include "solve/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { N_FILES = 3 };
static const char *const names[N_FILES] = {"index.table", "sets-00004.table", "values-00058.table"};

static void write_file(const char *folder, const char *name, const uint8_t *data, size_t bytes)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file || (bytes && fwrite(data, 1, bytes, file) != bytes) || fclose(file) != 0)
        abort();
}

static void ask(const char *folder)
{
    struct table *table;
    if (table_open(&table, folder) != STATUS_OK) {
        if (table)
            abort();
        return;
    }
    const struct grid *grid = table_grid(table);
    for (unsigned a = 0; a < grid->n_cells; a++)
        for (unsigned b = 0; b < grid->n_cells; b++) {
            struct board board = board_set(board_set((struct board){0}, a, 1), b, 2);
            bool found = false;
            uint64_t position = 0;
            double value;
            if (table_find(table, board, &found, &position) == STATUS_OK && found)
                table_value_at(table, board_age(board), position, &value);
        }
    table_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static char folder[256];
    if (!folder[0]) {
        const char *where = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/afterstate-fuzz-XXXXXX", where && where[0] ? where : "/tmp");
        if (!mkdtemp(folder))
            abort();
    }
    if (n_bytes < 8)
        return 0;
    uint8_t *copy = malloc(n_bytes);
    if (!copy)
        abort();
    memcpy(copy, data, n_bytes);
    for (unsigned mended = 0; mended < 2; mended++) {
        size_t at = 8;
        for (unsigned i = 0; i < N_FILES; i++) {
            size_t wanted = i < 2 ? (size_t)mend_load(data + 4 * i, 4) : n_bytes, left = n_bytes - at;
            size_t bytes = wanted < left ? wanted : left;
            if (mended)
                mend_checksums(copy + at, bytes);
            write_file(folder, names[i], copy + at, bytes);
            at += bytes;
        }
        ask(folder);
    }
    for (unsigned i = 0; i < N_FILES; i++) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    free(copy);
    rmdir(folder);
    folder[0] = '\0';
    return 0;
}
