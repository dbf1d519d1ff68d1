/* forward: the forward pass of a solve; private to the solver's files. */
#ifndef AFTERSTATE_SOLVE_FORWARD_H
#define AFTERSTATE_SOLVE_FORWARD_H

#include "solve/solver_parts.h"

/* Counts from wherever it stopped, up to solver->forward_to_age. STATUS_INTERRUPTED after Ctrl-C; all is saved. */
enum status forward_run(struct solver *solver);

/*
 * With checkpoints: makes the sets of the ages first_age + 4, first_age + 6, .. again from the kept ones of first_age
 * and first_age + 2, coded, in codes[2 .. n_ages-1]; on several ranks those of rank 0.
 */
enum status forward_expand_segment(struct solver *solver, uint32_t first_age, uint32_t n_ages,
                                   struct code_bytes *codes);

/*
 * The largest age at or below `age` (which is counted) whose states can be made from stored sets, those of the two ages
 * before it; or the first age.
 */
uint32_t forward_restart_age(const struct solver *solver, uint32_t age);

/*
 * Writes a lost file of sets again, from the stored sets before it. STATUS_CORRUPT where these are damaged too, or
 * where the counts are not those of the index.
 */
enum status forward_remake_sets(struct solver *solver, struct age_file file);

#endif
