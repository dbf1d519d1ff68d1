/*
 * Any bytes as the index of a solved table, and as its sets and values, as they are and with right checksums: opened
 * and asked for every board of two tiles, or refused. The input is as fuzz_write_files() says.
 */
#include "fuzz_files.h"
#include "solve/query.h"
#include "solve/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static const char *const names[] = {"index.table", "sets-00004.table", "values-00058.table"};
enum { N_FILES = sizeof names / sizeof *names };

/* An index that is read, is written and read again the same. */
static void write_again(const char *folder)
{
    struct table_index index = {0}, again = {0};
    if (table_index_read(&index, folder) == STATUS_OK) {
        if (table_index_write(&index, folder) != STATUS_OK || table_index_read(&again, folder) != STATUS_OK ||
            again.n_ages != index.n_ages || again.n_files != index.n_files ||
            again.summary.n_states != index.summary.n_states)
            abort();
    }
    table_index_free(&index);
    table_index_free(&again);
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
    const char *folder = fuzz_folder();
    uint8_t *copy = fuzz_copy(data, n_bytes);
    for (unsigned mended = 0; mended < 2 && fuzz_write_files(names, N_FILES, copy, n_bytes, mended); mended++) {
        ask(folder);
        write_again(folder);
    }
    fuzz_empty_folder();
    free(copy);
    return 0;
}
