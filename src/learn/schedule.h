/*
 * schedule: a number that changes over the actions of a run: constant, in steps, or in straight lines between points.
 */
#ifndef AFTERSTATE_LEARN_SCHEDULE_H
#define AFTERSTATE_LEARN_SCHEDULE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCHEDULE_MAX_POINTS = 16 };

struct schedule {
    uint8_t n_points;
    bool linear; /* straight between points, else each point's value holds until the next */
    uint64_t action[SCHEDULE_MAX_POINTS];
    float value[SCHEDULE_MAX_POINTS];
};

/*
 * Reads "1.0" (constant), "0:0.1 5e9:0.05" (steps) or "linear 0:0.5 1e9:0.1" (lines; the last value holds). An action
 * may be a share of `total_actions` with a percent sign: "0:0.1 90%:1.0". Actions ascend, the first is 0. Words are
 * separated by blanks or commas. STATUS_INVALID, with the word that is wrong, for anything else.
 */
enum status schedule_parse(struct schedule *schedule, const char *text, uint64_t total_actions);
/* The value at an action; any action is fine. Both struct and functions may be shared by threads. */
float schedule_at(const struct schedule *schedule, uint64_t action);

/* Reads one action, a whole number ("5e9") or a share of the total ("90%", "12.5%", 0 to 100, rounded down). Returns
   whether it is one; no message. */
bool schedule_parse_action(const char *text, uint64_t total_actions, uint64_t *action);

#endif
