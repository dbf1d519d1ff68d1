#include "ntuple/stale.h"

#include <string.h>

static bool is_same_kind(const struct network_spec *a, const struct network_spec *b)
{
    char a_stages[STAGES_TEXT_BYTES], b_stages[STAGES_TEXT_BYTES];
    return a->rows == b->rows && a->cols == b->cols && memcmp(&a->shape, &b->shape, sizeof a->shape) == 0 &&
           memcmp(&a->encoding, &b->encoding, sizeof a->encoding) == 0 &&
           strcmp(stages_text(&a->stages, a_stages), stages_text(&b->stages, b_stages)) == 0;
}

enum status stale_drop(struct network *network, const struct network *since, uint64_t *n_dropped)
{
    const struct network_spec *spec = &network->spec;
    *n_dropped = 0;
    if (!spec->promote)
        return status_fail(STATUS_INVALID, "the network does not promote: what is dropped would have no stage before");
    if (!is_same_kind(spec, &since->spec))
        return status_fail(STATUS_INVALID, "the networks differ in their board, tuples, encoding or stages");
    /* Upwards: what is dropped for the stage before must be kept there. */
    for (unsigned stage = 1; stage < spec->stages.n_stages; stage++) {
        float *weights = network->weights + stage * network->n_stage_weights;
        const float *began = since->weights + stage * network->n_stage_weights;
        const float *before = weights - network->n_stage_weights;
        for (uint64_t i = 0; i < network->n_stage_weights; i++)
            if (weights[i] != spec->initial && (weights[i] == began[i] || weights[i] == before[i])) {
                weights[i] = spec->initial;
                ++*n_dropped;
            }
    }
    return STATUS_OK;
}
