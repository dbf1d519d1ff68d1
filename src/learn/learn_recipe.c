/* learn_recipe: refuses keys of [learn] in a training recipe that contradict each other. */
#include "learn/learn_recipe.h"

static bool has_rule(const struct learn_settings *learn, enum learn_rule rule)
{
    for (unsigned i = 0; i < learn->n_phases; i++) {
        if (learn->phases[i].rule == rule)
            return true;
    }
    return false;
}

static enum status check_rules(const struct learn_settings *learn, const struct recipe *recipe)
{
    if (has_rule(learn, RULE_AUTOSTEP) && learn->lambda != 0)
        return status_fail(STATUS_INVALID,
                           "autostep is defined without traces only: set learn.lambda = 0 (it is %g, %s)",
                           (double)learn->lambda, recipe_origin(recipe, "learn", "lambda"));
    if (has_rule(learn, RULE_AUTOSTEP) && has_rule(learn, RULE_TC))
        return status_fail(
            STATUS_INVALID,
            "%s: learn.switch: a run cannot switch between tc and autostep, which keep different numbers "
            "beside a weight: switch between td and one of them",
            recipe_origin(recipe, "learn", "switch"));
    if (learn->reset_every && !has_rule(learn, RULE_TC))
        return status_fail(STATUS_INVALID,
                           "learn.reset = %llu (%s) resets the accumulators of tc, and no rule here is tc: set reset = "
                           "0 or rule = tc",
                           (unsigned long long)learn->reset_every, recipe_origin(recipe, "learn", "reset"));
    return STATUS_OK;
}

enum status learn_recipe_check_average(const struct learn_settings *learn, const struct recipe *recipe)
{
    if (!learn->average_from || learn->average_every)
        return STATUS_OK;
    return status_fail(STATUS_INVALID,
                       "learn.average_from = %llu (%s) needs learn.average, the actions between samples of the mean: "
                       "set it, such as average = 5e7",
                       (unsigned long long)learn->average_from, recipe_origin(recipe, "learn", "average_from"));
}

static enum status check_exploration(const struct learn_settings *learn, const struct recipe *recipe)
{
    const char *origin = recipe_origin(recipe, "learn", "explore_aim");
    if (!learn->explore.aim_best)
        return STATUS_OK;
    if (!learn_explores(&learn->explore))
        return status_fail(STATUS_INVALID,
                           "learn.explore_aim = best (%s) needs moves that are not the best: set learn.epsilon or "
                           "learn.temperature",
                           origin);
    if (learn->backward)
        return status_fail(STATUS_INVALID,
                           "learn.explore_aim = best (%s) and learn.order = backward exclude each other: backward "
                           "learning sees the moves that were made",
                           origin);
    return STATUS_OK;
}

enum status learn_recipe_check(const struct learn_settings *learn, const struct recipe *recipe)
{
    enum status status = check_rules(learn, recipe);
    if (!status)
        status = learn_recipe_check_average(learn, recipe);
    return status ? status : check_exploration(learn, recipe);
}
