/*
 * Any bytes as the files of an unfinished solve of 2x2 - the index, the exact values to resume from, sets and values -
 * as they are and with right checksums: the solve repairs and ends, or refuses. What it leaves as solved opens and is
 * asked for every board of two tiles. The input is as fuzz_write_files() says.
 */
#include "base/workers.h"
#include "fuzz_files.h"
#include "solve/solver.h"
#include "solve/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static const char *const names[] = {"index.table", "resume.table", "sets-00004.table", "values-00058.table"};
enum { N_FILES = sizeof names / sizeof *names };

static void ask(const char *folder)
{
    struct table *table;
    if (table_open(&table, folder) != STATUS_OK)
        return;
    const struct grid *grid = table_grid(table);
    for (unsigned a = 0; a < grid->n_cells; a++)
        for (unsigned b = 0; b < grid->n_cells; b++) {
            struct board board = board_set(board_set((struct board){0}, a, 1), b, 2);
            double value;
            (void)table_value(table, board, &value);
        }
    table_close(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static struct workers *workers;
    if (!workers && workers_create(&workers, 1) != STATUS_OK)
        abort();
    const struct solve_settings settings = {.chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                            .rows = 2,
                                            .cols = 2,
                                            .directory = fuzz_folder(),
                                            .fraction_bits = 16,
                                            .checkpoint_every = 1,
                                            .memory_bytes = UINT64_C(1) << 28,
                                            .progress_mode = PROGRESS_QUIET};
    struct solve_report report;
    uint8_t *copy = fuzz_copy(data, n_bytes);
    for (unsigned mended = 0; mended < 2 && fuzz_write_files(names, N_FILES, copy, n_bytes, mended); mended++) {
        if (solve_run(&settings, workers, &report) == STATUS_OK)
            ask(settings.directory);
        fuzz_empty_folder();
    }
    free(copy);
    return 0;
}
