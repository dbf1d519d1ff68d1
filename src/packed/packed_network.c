/* packed_network: a network in a read-only form for play, with the same values to the last bit. */
#include "packed/packed_network.h"

#include "packed/packed_network_parts.h"

#include <stdatomic.h>
#include <stdlib.h>

bool packed_suits(const struct network *network)
{
    return network->direct && network->n_symmetries == 8 && network->spec.initial == 0 &&
           network->n_tables <= PACKED_MAX_TABLES;
}

void packed_raise(_Atomic float *largest, float size)
{
    float was = atomic_load(largest);
    while (size > was && !atomic_compare_exchange_weak(largest, &was, size))
        ;
}

bool packed_sums_fit(const struct network *network, const _Atomic float *largest, float step)
{
    double reach = 0;
    for (unsigned t = 0; t < network->n_tables; t++)
        reach += (double)atomic_load(&largest[t]) * (double)step * network->n_symmetries;
    return reach < PACKED_MAX_SUM;
}

void packed_network_free(struct packed_network *packed)
{
    if (!packed)
        return;
    memory_block_free(&packed->entries);
    memory_block_free(&packed->words);
    memory_block_free(&packed->values);
    network_free(packed->network);
    free(packed);
}

const struct grid *packed_network_grid(const struct packed_network *packed)
{
    return &packed->network->grid;
}

struct value_function packed_network_function(const struct packed_network *packed)
{
    return (struct value_function){.context = packed, .values = packed->evaluate_batch, .symmetric = true};
}
