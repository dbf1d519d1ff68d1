/*
 * solved_board: small boards solved into the scratch folder, once each, for the tests of everything that reads tables.
 */
#ifndef AFTERSTATE_TESTS_SOLVED_BOARD_H
#define AFTERSTATE_TESTS_SOLVED_BOARD_H

#include "scratch.h"

#include "base/workers.h"
#include "solve/solver.h"
#include "solve/table.h"

/* What a table is solved for: a goal (0: the score) and how often a new tile is a 4. */
struct board_rules {
    unsigned goal;
    double chance_of_4;
};

static const struct board_rules usual_rules = {0, TABLE_USUAL_CHANCE_OF_4};

/* Rules of each kind, among them tiles that never appear. Goals of 16 or less are there on all boards of 3 cells. */
static const struct board_rules other_rules[] = {{0, 0.25}, {0, 0}, {0, 1}, {3, 0.1}, {4, 0.5}, {4, 0}, {4, 1}};
enum { N_OTHER_RULES = sizeof other_rules / sizeof *other_rules };

/* Where solved_board() puts such a table; valid until the next call. */
static inline const char *solved_board_directory(unsigned rows, unsigned cols, enum solve_variant variant,
                                                 enum solve_store store)
{
    char name[64];
    snprintf(name, sizeof name, "%ux%u-%s-%s", rows, cols, solve_variant_names[variant], solve_store_names[store]);
    return scratch_path(name);
}

/* The table, open; the test closes it. */
static inline struct table *solved_board_by(struct board_rules rules, unsigned rows, unsigned cols,
                                            enum solve_variant variant, enum solve_store store)
{
    char directory[PATH_MAX];
    struct table *table;
    struct workers *workers;
    struct solve_report report;
    size_t used = strlen(strcpy(directory, solved_board_directory(rows, cols, variant, store)));
    if (rules.goal || rules.chance_of_4 != TABLE_USUAL_CHANCE_OF_4)
        snprintf(directory + used, sizeof directory - used, "-%u-%g", rules.goal, rules.chance_of_4);
    assert_ok(workers_create(&workers, 2));
    struct solve_settings settings = {
        .chance_of_4 = rules.chance_of_4,
        .goal = rules.goal,
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

static inline struct table *solved_board(unsigned rows, unsigned cols, enum solve_variant variant,
                                         enum solve_store store)
{
    return solved_board_by(usual_rules, rows, cols, variant, store);
}

#endif
