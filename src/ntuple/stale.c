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
    if (!is_same_kind(spec, &since->spec))
        return status_fail(STATUS_INVALID, "the networks differ in their board, tuples, encoding or stages");
    /* Upwards: what is dropped for the stage before must be kept there. */
    for (uint64_t i = 0; i < network->n_weights; i++) {
        float *weight = &network->weights[i];
        bool promoted = spec->promote && i >= network->n_stage_weights;
        if (*weight != spec->initial &&
            (*weight == since->weights[i] || (promoted && *weight == weight[-(int64_t)network->n_stage_weights]))) {
            *weight = spec->initial;
            ++*n_dropped;
        }
    }
    return STATUS_OK;
}
