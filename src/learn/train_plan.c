/*
 * train_plan: whether the plan of a training run (train_recipe.h) fits in memory, and which changes would make it fit;
 * whether two plans have trainers with the same state.
 */
#include "learn/train_recipe.h"

#include "base/number_text.h"
#include "learn/starts.h"
#include "learn/trainer.h"

#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 512 };

/* Adds "what (size)" to the list if the changed plan fits. Returns whether it does. */
static bool suggest(char *list, const char *what, const struct train_plan *changed, uint64_t available)
{
    uint64_t n_weights, bytes;
    char size[NUMBER_TEXT_BYTES];
    if (network_measure(&changed->network, &n_weights, &bytes))
        return false;
    bytes += trainer_bytes(&changed->network, &changed->trainer);
    if (bytes > available)
        return false;
    size_t used = strlen(list);
    snprintf(list + used, LIST_BYTES - used, "%s%s (%s)", used ? ", " : "", what,
             number_text_bytes(size, (double)bytes));
    return true;
}

static void suggest_changes(char *list, const struct train_plan *plan, uint64_t available)
{
    struct train_plan one_stage = *plan, only_td = *plan, both, fewer = *plan;
    stages_parse(&one_stage.network.stages, "1");
    one_stage.network.promote = false;
    for (unsigned i = 0; i < plan->trainer.learn.n_phases; i++)
        only_td.trainer.learn.phases[i].rule = RULE_TD;
    only_td.trainer.learn.reset_every = 0;
    both = one_stage;
    both.trainer.learn = only_td.trainer.learn;
    bool any = plan->network.stages.n_stages > 1 && suggest(list, "network.stages = 1", &one_stage, available);
    any |= suggest(list, "learn.rule = td", &only_td, available);
    if (!any && plan->network.stages.n_stages > 1)
        any = suggest(list, "both network.stages = 1 and learn.rule = td", &both, available);
    for (unsigned values = 16; values >= 8 && plan->network.encoding.n_ranges == 1; values -= 2) {
        char what[32];
        if (values >= plan->network.encoding.ranges[0].n_digits || encoding_plain(&fewer.network.encoding, values))
            continue;
        snprintf(what, sizeof what, "network.values = %u", values);
        if (suggest(list, what, &fewer, available))
            return;
    }
}

enum status train_plan_check_memory(const struct train_plan *plan, uint64_t available)
{
    char needed[NUMBER_TEXT_BYTES], there[NUMBER_TEXT_BYTES], network[NUMBER_TEXT_BYTES], trainer[NUMBER_TEXT_BYTES],
        list[LIST_BYTES] = "";
    uint64_t bytes = plan->network_bytes + plan->trainer_bytes;
    if (available == 0 || bytes <= available)
        return STATUS_OK;
    if (plan->is_neural)
        snprintf(list, sizeof list, "a smaller neural.model, neural.batch or neural.games, or fewer threads");
    else
        suggest_changes(list, plan, available);
    return status_fail(
        STATUS_NO_MEMORY, "the run needs %s of memory (weights %s, learning %s) and %s are free; what would fit: %s",
        number_text_bytes(needed, (double)bytes), number_text_bytes(network, (double)plan->network_bytes),
        number_text_bytes(trainer, (double)plan->trainer_bytes), number_text_bytes(there, (double)available),
        *list ? list : "a smaller network.shape, or a network.vse with more ranges");
}

bool train_plan_same_state(const struct train_plan *a, const struct train_plan *b)
{
    const struct start_settings *start_a = &a->trainer.start, *start_b = &b->trainer.start;
    if (a->is_neural || b->is_neural) /* whose starts and stages cannot change */
        return a->is_neural == b->is_neural;
    return starts_need_states(start_a) == starts_need_states(start_b) &&
           (start_a->carousel > 0) == (start_b->carousel > 0) && start_a->ring == start_b->ring &&
           stages_equal(&a->network.stages, &b->network.stages);
}
