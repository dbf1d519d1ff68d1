/* leftovers: files in a table directory that are no longer needed; private to the solver's files. */
#ifndef AFTERSTATE_SOLVE_LEFTOVERS_H
#define AFTERSTATE_SOLVE_LEFTOVERS_H

#include "solve/solver_parts.h"

/* Removes temporary files that a killed run left. */
enum status leftovers_remove_temporaries(const struct solver *solver);

/* Removes what a finished solve does not need: exact values, sets if they are not wanted. */
enum status leftovers_remove_unneeded(const struct solver *solver);

/* Counts files that a solve has written and the index does not name. */
enum status leftovers_count_unnamed(const struct solver *solver, size_t *n);

#endif
