#include "ntuple/network_value.h"

#include "ntuple/lookup.h"

float network_value_plain(const struct network *network, struct board after)
{
    uint32_t index[NETWORK_MAX_LOOKUPS];
    lookup_indices_exact(network, after, index);
    unsigned stage = stages_of(&network->spec.stages, after);
    float partial[8] = {0};
    unsigned n_seen = 0;
    for (unsigned i = 0; i < network->n_lookups; i++) {
        float weight = network->weights[stage * network->n_stage_weights + index[i]];
        if (network->spec.promote && stage > 0 && weight == network->spec.initial)
            weight = network->weights[(stage - 1) * network->n_stage_weights + index[i]];
        partial[i % network->n_symmetries] += weight;
        n_seen += weight != 0;
    }
    float sum = lookup_sum_images(partial, network->n_symmetries);
    return network->spec.unseen_mean ? lookup_without_unseen(sum, n_seen, network->n_lookups) : sum;
}

float network_value(const struct network *network, struct board after)
{
    uint32_t index[NETWORK_MAX_LOOKUPS];
    unsigned stage = stages_of(&network->spec.stages, after);
    lookup_indices(network, after, stage, index);
    return lookup_value(network, stage, index);
}

/* Boards go through in small groups: indices and prefetches of the whole group first, then the sums. */
static void evaluate_batch(const void *context, const struct board *after, size_t n, float *out)
{
    enum { GROUP = 8 };
    const struct network *network = context;
    uint32_t index[GROUP][NETWORK_MAX_LOOKUPS];
    unsigned stage[GROUP];
    for (size_t done = 0; done < n;) {
        unsigned group = n - done < GROUP ? (unsigned)(n - done) : GROUP;
        for (unsigned i = 0; i < group; i++) {
            stage[i] = stages_of(&network->spec.stages, after[done + i]);
            lookup_indices(network, after[done + i], stage[i], index[i]);
        }
        for (unsigned i = 0; i < group; i++)
            out[done + i] = lookup_value(network, stage[i], index[i]);
        done += group;
    }
}

struct value_function network_value_function(const struct network *network)
{
    return (struct value_function){.context = network, .values = evaluate_batch, .symmetric = true};
}
