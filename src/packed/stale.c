/* stale: drops weights that a network has but that its run never changed. */
#include "packed/stale.h"

enum status stale_drop(struct network *network, const struct network *since, const struct network *keep,
                       uint64_t *n_dropped)
{
    const struct network_spec *spec = &network->spec;
    *n_dropped = 0;
    if (!spec->promote)
        return status_fail(STATUS_INVALID,
                           "the network does not promote, so dropped weights would not take those of the stage before");
    const char *difference = network_find_stage_difference(spec, &since->spec);
    if (!difference && keep)
        difference = network_find_stage_difference(spec, &keep->spec);
    if (difference)
        return status_fail(STATUS_INVALID, "the networks differ: %s", difference);
    /* From the first stage on: a weight that is dropped because of the stage before must be kept there. */
    for (unsigned stage = 1; stage < spec->stages.n_stages; stage++) {
        float *weights = network->weights + stage * network->n_stage_weights;
        const float *began = since->weights + stage * network->n_stage_weights;
        const float *before = weights - network->n_stage_weights;
        const float *kept = keep ? keep->weights + stage * network->n_stage_weights : NULL;
        for (uint64_t i = 0; i < network->n_stage_weights; i++)
            if (weights[i] != spec->initial && !(kept && kept[i] != spec->initial) &&
                (weights[i] == began[i] || weights[i] == before[i])) {
                weights[i] = spec->initial;
                ++*n_dropped;
            }
    }
    return STATUS_OK;
}
