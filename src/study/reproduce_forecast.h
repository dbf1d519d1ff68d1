/*
 * reproduce_forecast: how long the games of a group of searches will take, and how many of them a time allows.
 *
 * A pilot plays a few games without search, to see how long a game is, and lets each row search on boards from all
 * parts of them, a few seconds a row. A deeper player's games are longer, so a forecast is good to a factor of two.
 */
#ifndef AFTERSTATE_STUDY_REPRODUCE_FORECAST_H
#define AFTERSTATE_STUDY_REPRODUCE_FORECAST_H

#include "study/evaluator_choice.h"
#include "study/reproduce_group.h"

/* The seconds that a game of each row takes one thread. STATUS_INTERRUPTED after a signal. */
enum status reproduce_pilot(const struct group *group, const struct evaluator_choice *choice, double *game_seconds);

/* Wall time of `n_games` games side by side: a last game never takes less than a whole one. */
double reproduce_forecast(uint64_t n_games, double game_seconds, unsigned n_threads);

/*
 * The games of each row for a time: n_games[i] comes in as the most that are wanted, and goes out as the most that a
 * fair share of `budget_seconds` allows; 0 where not one fits. What cheap rows do not need goes to the others.
 */
void reproduce_share_budget(const double *game_seconds, size_t n_rows, unsigned n_threads, double budget_seconds,
                            uint64_t *n_games);

#endif
