/* network_value: the value of an afterstate by a network. */
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
        float weight = network_read(network, stage, index[i]);
        partial[i % network->n_symmetries] += weight;
        n_seen += weight != 0;
    }
    float sum = lookup_sum_images(partial, network->n_symmetries);
    return network->spec.unseen_mean ? lookup_without_unseen(sum, n_seen, network->n_lookups) : sum;
}

float network_value(const struct network *network, struct board after)
{
    uint32_t index[NETWORK_MAX_LOOKUPS];
    unsigned stage = stages_of(&network->spec.stages, after), n_seen;
    lookup_indices(network, after, stage, index);
    return lookup_value(network, stage, index, false, &n_seen);
}

/*
 * Boards are evaluated in small groups: indices and prefetches of the whole group first, then the sums. On square
 * boards `stride` is the network's, as a constant (testing it for each board costs a tenth more instructions),
 * otherwise 0.
 */
LOOKUP_CONSTANT void evaluate_groups(const struct network *network, const struct board *after, size_t n, float *out,
                                     size_t stride)
{
    enum { GROUP = 16 }; /* 1-ply play of 4x6 makes 1.06 times as many moves a second as with 8, of 8x6 as many */
    const struct weight_view view = {.stride = stride, .n_symmetries = 8};
    uint32_t index[GROUP][NETWORK_MAX_LOOKUPS];
    unsigned stage[GROUP], n_seen;
    for (size_t done = 0; done < n;) {
        unsigned group = n - done < GROUP ? (unsigned)(n - done) : GROUP;
        for (unsigned i = 0; i < group; i++) {
            stage[i] = stages_of(&network->spec.stages, after[done + i]);
            if (stride)
                lookup_indices_at(network, after[done + i], stage[i], stride, index[i]);
            else
                lookup_indices(network, after[done + i], stage[i], index[i]);
        }
        for (unsigned i = 0; i < group; i++)
            out[done + i] = stride ? lookup_value_at(network, stage[i], index[i], view, &n_seen)
                                   : lookup_value(network, stage[i], index[i], false, &n_seen);
        done += group;
    }
}

static void evaluate_batch(const void *context, const struct board *after, size_t n, float *out)
{
    const struct network *network = context;
    if (network->stride == 1 && network->n_symmetries == 8) /* in play */
        evaluate_groups(network, after, n, out, 1);
    else if (network->stride == 3 && network->n_symmetries == 8) /* while TC learns */
        evaluate_groups(network, after, n, out, 3);
    else
        evaluate_groups(network, after, n, out, 0);
}

struct value_function network_value_function(const struct network *network)
{
    return (struct value_function){.context = network, .values = evaluate_batch, .symmetric = true};
}
