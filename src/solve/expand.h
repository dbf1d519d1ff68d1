/*
 * expand: one step of the game on whole sets: the afterstates of all states of an age, and the states that spawns make
 * of all afterstates of an age. The forward pass is these two in turn.
 */
#ifndef AFTERSTATE_SOLVE_EXPAND_H
#define AFTERSTATE_SOLVE_EXPAND_H

#include "base/status.h"
#include "base/workers.h"
#include "solve/age_set.h"

#include <stdint.h>

/*
 * Adds the afterstates of all `states` to `afterstates`, a set of the same age, and counts the states and those among
 * them without a legal move.
 */
enum status expand_moves(struct workers *workers, const struct age_set *states, struct age_set *afterstates,
                         uint64_t *n_states, uint64_t *n_terminal);

/* Adds the boards that a 2 on any empty cell of `afterstates` makes to plus_2, those of a 4 to plus_4; either may be
   NULL. */
enum status expand_spawns(struct workers *workers, const struct age_set *afterstates, struct age_set *plus_2,
                          struct age_set *plus_4);

/* Adds the boards that a game may begin with and whose age is the set's. */
void expand_starts(struct age_set *states, double chance_of_4);

#endif
