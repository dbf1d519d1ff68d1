/* schedule: a number that is constant over the actions of a run, or changes in steps, or linearly between points. */
#include "learn/schedule.h"

#include "base/parse.h"

#include <stdio.h>
#include <string.h>

bool schedule_parse_action(const char *text, uint64_t total_actions, uint64_t *action)
{
    size_t length = strlen(text);
    char number[PARSE_WORD_BYTES];
    double share;
    if (length == 0 || text[length - 1] != '%')
        return parse_unsigned(text, action);
    if (length > sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)length - 1, text);
    if (!parse_real(number, &share) || !(share >= 0 && share <= 100))
        return false;
    *action = share == 100 ? total_actions : (uint64_t)(share / 100 * (double)total_actions);
    return true;
}

/* Appends one point "ACTION:VALUE". */
static enum status add_point(struct schedule *schedule, char *word, uint64_t total_actions)
{
    unsigned n = schedule->n_points;
    double value;
    uint64_t action;
    char *colon = strchr(word, ':');
    if (!colon)
        return status_fail(STATUS_INVALID, "'%s': expected ACTION:VALUE, such as 5e9:0.1 or 90%%:1.0", word);
    *colon = '\0';
    if (!schedule_parse_action(word, total_actions, &action))
        return status_fail(STATUS_INVALID, "'%s:%s': '%s' is no number of actions, such as 5e9 or 90%%", word,
                           colon + 1, word);
    if (!parse_real(colon + 1, &value))
        return status_fail(STATUS_INVALID, "'%s:%s': '%s' is no number", word, colon + 1, colon + 1);
    if (n == SCHEDULE_MAX_POINTS)
        return status_fail(STATUS_INVALID, "more than %d points", SCHEDULE_MAX_POINTS);
    if (n == 0 && action != 0)
        return status_fail(STATUS_INVALID, "'%s:%s': the first point must be at action 0", word, colon + 1);
    if (n > 0 && action <= schedule->action[n - 1])
        return status_fail(STATUS_INVALID, "'%s:%s': action %llu is not after that of the point before (%llu)", word,
                           colon + 1, (unsigned long long)action, (unsigned long long)schedule->action[n - 1]);
    schedule->action[n] = action;
    schedule->value[n] = (float)value;
    schedule->n_points++;
    return STATUS_OK;
}

enum status schedule_parse(struct schedule *schedule, const char *text, uint64_t total_actions)
{
    char word[PARSE_WORD_BYTES], rest[PARSE_WORD_BYTES];
    const char *cursor = text;
    double constant;
    *schedule = (struct schedule){0};
    if (!parse_next_word(&cursor, word))
        return status_fail(STATUS_INVALID, "no value; expected a number such as 1.0, or points such as 0:0.1 5e9:0.05");
    const char *after = cursor;
    if (parse_real(word, &constant) && !parse_next_word(&after, rest)) {
        schedule->n_points = 1;
        schedule->value[0] = (float)constant;
        return STATUS_OK;
    }
    schedule->linear = strcmp(word, "linear") == 0;
    bool more = schedule->linear ? parse_next_word(&cursor, word) : true;
    if (!more)
        return status_fail(STATUS_INVALID, "no points after 'linear'; expected such as linear 0:0.5 1e9:0.1");
    enum status status = STATUS_OK;
    for (; more && !status; more = parse_next_word(&cursor, word))
        status = add_point(schedule, word, total_actions);
    return status;
}

float schedule_at(const struct schedule *schedule, uint64_t action)
{
    unsigned last = 0; /* the last point at or before `action` */
    while (last + 1 < schedule->n_points && schedule->action[last + 1] <= action)
        last++;
    if (!schedule->linear || last + 1 >= schedule->n_points)
        return schedule->value[last];
    double length = (double)(schedule->action[last + 1] - schedule->action[last]);
    double part = (double)(action - schedule->action[last]) / length;
    return (float)(schedule->value[last] + part * ((double)schedule->value[last + 1] - schedule->value[last]));
}
