/* backward: the backward pass of a solve; private to the solver's files. */
#ifndef AFTERSTATE_SOLVE_BACKWARD_H
#define AFTERSTATE_SOLVE_BACKWARD_H

#include "solve/solver_parts.h"

/* Backward from wherever it stopped, to the end. */
enum status backward_run(struct solver *solver);

#endif
