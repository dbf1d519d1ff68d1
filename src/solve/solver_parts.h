/* solver_parts: what the two passes of the solver share; private to the solver's files. */
#ifndef AFTERSTATE_SOLVE_SOLVER_PARTS_H
#define AFTERSTATE_SOLVE_SOLVER_PARTS_H

#include "game/grid.h"
#include "solve/age_code.h"
#include "solve/age_set.h"
#include "solve/layout.h"
#include "solve/solver.h"
#include "solve/stretch.h"
#include "solve/table_index.h"

struct solver {
    const struct solve_settings *settings;
    struct workers *workers;
    struct solve_report *report;
    struct grid grid;
    struct layout *layout;
    struct table_index index;
    struct solve_rules rules;
    struct age_frame *frame; /* scratch, for sizes */
    int lock;                /* the directory, locked against a second solve; -1: not yet */
    uint32_t forward_to_age;
    uint64_t table_bytes; /* of the layout */
};

uint32_t solver_last_age(const struct solver *solver);

/* STATUS_NO_MEMORY, with the age and both numbers, if `bytes` are more than allowed. */
enum status solver_check_memory(const struct solver *solver, uint32_t age, uint64_t bytes);

/* Bytes of a set of an age, with ranks or without. */
uint64_t solver_set_bytes(const struct solver *solver, uint32_t age, bool ranked);

/* The stored set of an age. */
enum status solver_load_set(struct solver *solver, uint32_t age, struct age_set *set);

/*
 * With checkpoints: makes the sets of the ages first_age + 4, first_age + 6, .. again from the kept ones of first_age
 * and first_age + 2, coded, in codes[2 .. n_ages-1].
 */
enum status solver_expand_segment(struct solver *solver, uint32_t first_age, uint32_t n_ages, struct code_bytes *codes);

/* A writer of stretches of a kind, none open yet. */
struct stretch_writer solver_stretch_writer(const struct solver *solver, enum stretch_kind kind);

/* Removes a file of the directory; fine if it is not there. */
enum status solver_remove_file(const struct solver *solver, const char *name);

/* The index of a solve that has not begun. */
void solver_reset_index(struct solver *solver);

/*
 * The largest age at or below `age` (which is counted) whose states can be made from stored sets, those of the two ages
 * before it; or the first age.
 */
uint32_t solver_restart_age(const struct solver *solver, uint32_t age);

/*
 * Writes a lost file of sets again, from the stored sets before it. STATUS_CORRUPT where these are damaged too, or
 * where the counts are not those of the index.
 */
enum status solver_remake_sets(struct solver *solver, struct table_stretch stretch);

/* Backward from wherever it stopped, to the end. */
enum status solver_run_backward(struct solver *solver);

/* Removes temporary files that a killed run left. */
enum status solver_remove_temporaries(const struct solver *solver);

/* Removes what a finished solve does not need: exact values, sets if they are not wanted. */
enum status solver_clean_directory(const struct solver *solver);

/* Counts files that a solve has written and the index does not name. */
enum status solver_count_unnamed(const struct solver *solver, size_t *n);

#endif
