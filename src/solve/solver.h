/*
 * solver: solves a board: the forward pass counts ages upwards, the backward pass gives values downwards (Kaneko and
 * Yamashita 2025, section 3.1), into a table directory from which a later call resumes.
 *
 * Forward, for each age: the states are known; moves give the afterstates; spawns on these give states of the two ages
 * to come. Four bitmaps are in memory. Backward, for each age: the states two ages on are made again from the stored
 * afterstates, valued by their moves, and spawns then value the afterstates. Five sets and four arrays of values are in
 * memory.
 *
 * With checkpoint_every = k > 1 the forward pass keeps two ages in every k; the backward pass makes the k - 2 others
 * again, k at a time, and keeps them in memory, coded: less disk for a second forward pass.
 *
 * Values are doubles in memory, or fixed-point numbers of 32 bits; what is stored of them is rounded. To resume
 * exactly, a backward pass saves the exact values of two ages in `resume.table` from time to time, and removes the file
 * at its end.
 *
 * Files of the directory that are missing or damaged are made again first (repair.h).
 */
#ifndef AFTERSTATE_SOLVE_SOLVER_H
#define AFTERSTATE_SOLVE_SOLVER_H

#include "base/status.h"
#include "base/workers.h"
#include "solve/solve_settings.h"

/*
 * Solves. STATUS_INTERRUPTED after a signal (signals.h): all is saved, and the same call resumes. STATUS_USAGE where
 * the directory holds a solve of other settings, STATUS_INVALID for a board that cannot be solved, STATUS_CORRUPT where
 * the index is damaged, or another file in a way that computing it again does not repair.
 */
enum status solve_run(const struct solve_settings *settings, struct workers *workers, struct solve_report *report);

#endif
