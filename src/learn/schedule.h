/* schedule: a number that is constant over the actions of a run, or changes in steps, or linearly between points. */
#ifndef AFTERSTATE_LEARN_SCHEDULE_H
#define AFTERSTATE_LEARN_SCHEDULE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCHEDULE_MAX_POINTS = 16 };

struct schedule {
    uint8_t n_points;
    bool linear; /* interpolated between points; otherwise each value holds until the next point */
    uint64_t action[SCHEDULE_MAX_POINTS];
    float value[SCHEDULE_MAX_POINTS];
};

/*
 * Parses "1.0" (constant), "0:0.1 5e9:0.05" (steps) or "linear 0:0.5 1e9:0.1" (interpolated; the last value holds). An
 * action may be a percentage of `total_actions`: "0:0.1 90%:1.0". Actions ascend, the first is 0. Words are separated
 * by blanks or commas. STATUS_INVALID, with the wrong word, for anything else.
 */
enum status schedule_parse(struct schedule *schedule, const char *text, uint64_t total_actions);
static inline struct schedule schedule_constant(float value)
{
    return (struct schedule){.n_points = 1, .value = {value}};
}

/* The value at any action. Thread-safe. */
float schedule_at(const struct schedule *schedule, uint64_t action);

/* Parses one action, an integer ("5e9") or a percentage of the total ("90%", "12.5%", 0 to 100, rounded down). Returns
   false, without a message, for anything else. */
bool schedule_parse_action(const char *text, uint64_t total_actions, uint64_t *action);

#endif
