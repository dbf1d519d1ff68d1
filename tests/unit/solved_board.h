/*
 * solved_board: small boards solved into the scratch folder, once each, for the tests of everything that reads tables.
 */
#ifndef AFTERSTATE_TESTS_SOLVED_BOARD_H
#define AFTERSTATE_TESTS_SOLVED_BOARD_H

#include "scratch.h"

#include "base/workers.h"
#include "solve/solver.h"
#include "solve/table.h"

/* Where solved_board() puts such a table; valid until the next call. */
static inline const char *solved_board_directory(unsigned rows, unsigned cols, enum solve_variant variant,
                                                 enum solve_store store)
{
    char name[64];
    snprintf(name, sizeof name, "%ux%u-%s-%s", rows, cols, solve_variant_names[variant], solve_store_names[store]);
    return scratch_path(name);
}

/* The table, open; the test closes it. */
static inline struct table *solved_board(unsigned rows, unsigned cols, enum solve_variant variant,
                                         enum solve_store store)
{
    char directory[PATH_MAX];
    struct table *table;
    struct workers *workers;
    struct solve_report report;
    strcpy(directory, solved_board_directory(rows, cols, variant, store));
    assert_ok(workers_create(&workers, 2));
    struct solve_settings settings = {
        .chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
        .rows = rows,
        .cols = cols,
        .directory = directory,
        .variant = variant,
        .store = store,
        .fraction_bits = 16,
        .checkpoint_every = 1,
        .memory_bytes = UINT64_C(1) << 31,
        .progress_mode = PROGRESS_QUIET,
    };
    assert_ok(solve_run(&settings, workers, &report)); /* a solved one is left as it is */
    workers_free(workers);
    assert_ok(table_open(&table, directory));
    return table;
}

#endif
