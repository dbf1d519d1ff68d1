/*
 * simple_value: a small hand-made value function, for playing before any network is trained and as a yardstick after.
 *
 * Each row and each column is evaluated separately and the results are added: empty cells and equal neighbours are
 * good, large tiles out of order are bad (the cheaper of "falling" and "rising" counts). The result is a number of
 * points in the sense of value.h only roughly; it is always positive, so that being alive beats a finished game (worth
 * 0).
 */
#ifndef AFTERSTATE_GAME_SIMPLE_VALUE_H
#define AFTERSTATE_GAME_SIMPLE_VALUE_H

#include "base/status.h"
#include "game/grid.h"
#include "game/value.h"

struct simple_value;

/* Makes one for boards of `grid`, which must outlive it. Read-only afterwards: threads may share it. */
enum status simple_value_create(struct simple_value **out, const struct grid *grid);
void simple_value_free(struct simple_value *simple); /* NULL is fine */

/* The value function for the search; borrows `simple`. */
struct value_function simple_value_function(const struct simple_value *simple);

#endif
