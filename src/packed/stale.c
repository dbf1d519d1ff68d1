#include "packed/stale.h"

/* NULL if they go together. */
static const char *find_difference(const struct network_spec *a, const struct network_spec *b)
{
    const char *difference = network_find_difference(a, b);
    return difference || stages_equal(&a->stages, &b->stages) ? difference : "the stages are others";
}

enum status stale_drop(struct network *network, const struct network *since, const struct network *keep,
                       uint64_t *n_dropped)
{
    const struct network_spec *spec = &network->spec;
    *n_dropped = 0;
    if (!spec->promote)
        return status_fail(STATUS_INVALID, "the network does not promote: what is dropped would have no stage before");
    const char *difference = find_difference(spec, &since->spec);
    if (!difference && keep)
        difference = find_difference(spec, &keep->spec);
    if (difference)
        return status_fail(STATUS_INVALID, "the networks differ: %s", difference);
    /* Upwards: what is dropped for the stage before must be kept there. */
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
