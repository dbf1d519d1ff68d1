/*
 * lookup: the hot half of a network: from a board to the places of its weights, and from there to a value.
 *
 * The indices of a board are kept table by table, eight images (four on boards that are not square) in a row:
 *
 *     index[table * n_symmetries + image]
 *
 * and its value is summed in exactly that order into one partial sum for each image, the partial sums then added in
 * pairs. Every way to evaluate uses this order, so values agree to the last bit between the trainer, the player, the
 * native and the portable build. (Eight sums instead of one also keep eight additions in flight.)
 *
 * Indices are worked out long before the weights are read: whoever has several boards to judge computes all indices,
 * prefetches, and sums later. That is why the two halves are separate functions.
 */
#ifndef AFTERSTATE_NTUPLE_LOOKUP_H
#define AFTERSTATE_NTUPLE_LOOKUP_H

#include "base/bits.h"
#include "game/board4x4.h"
#include "ntuple/network.h"

/*
 * Weights are shared between threads that write them, without locks. An aligned 32-bit load or store is indivisible on
 * every machine we know, so a plain access does what a relaxed atomic one would; the atomic forms cost 6% of training
 * speed with gcc 12, which then moves each weight through an integer register. The thread sanitizer gets the atomic
 * ones, so that it can check everything else.
 */
static inline float lookup_read(const float *weight)
{
#ifdef __SANITIZE_THREAD__
    float value;
    __atomic_load(weight, &value, __ATOMIC_RELAXED);
    return value;
#else
    return *weight;
#endif
}

static inline void lookup_write(float *weight, float value)
{
#ifdef __SANITIZE_THREAD__
    __atomic_store(weight, &value, __ATOMIC_RELAXED);
#else
    *weight = value;
#endif
}

/* The eight images in the order of grid->symmetry: bit 0 mirrors, bit 1 flips, bit 2 transposes first. */
static inline void lookup_images4x4(uint64_t x, uint64_t image[8])
{
    uint64_t transposed = board4x4_transpose(x);
    image[0] = x;
    image[1] = board4x4_mirror(x);
    image[2] = board4x4_flip(x);
    image[3] = board4x4_flip(image[1]);
    image[4] = transposed;
    image[5] = board4x4_mirror(transposed);
    image[6] = board4x4_flip(transposed);
    image[7] = board4x4_flip(image[5]);
}

static inline void lookup_images(const struct network *network, uint64_t cells, uint64_t image[8])
{
    if (network->n_symmetries == 8 && network->grid.n_cells == 16) {
        lookup_images4x4(cells, image);
        return;
    }
    for (unsigned s = 0; s < network->n_symmetries; s++)
        image[s] = grid_image(&network->grid, (struct board){.cells = cells}, s).cells;
}

/* Indices of a board whose cells all fit in a nibble, every base 16: one pext each. */
static inline void lookup_indices_direct(const struct network *network, const uint64_t *image, uint32_t *index,
                                         unsigned n_tables, unsigned n_symmetries)
{
    for (unsigned t = 0; t < n_tables; t++) {
        uint64_t mask = network->tables[t].mask;
        uint32_t offset = network->tables[t].offset;
        for (unsigned s = 0; s < n_symmetries; s++)
            index[t * n_symmetries + s] = offset + (uint32_t)bits_extract(image[s], mask);
    }
}

/* The same for other bases: groups of three cells through small tables. */
static inline void lookup_indices_grouped(const struct network *network, const uint64_t *image, uint32_t *index)
{
    unsigned n_symmetries = network->n_symmetries;
    for (unsigned t = 0; t < network->n_tables; t++) {
        const struct network_table *table = &network->tables[t];
        for (unsigned s = 0; s < n_symmetries; s++) {
            uint32_t sum = table->offset;
            for (unsigned g = 0; g < table->n_groups; g++)
                sum += table->group[g][bits_extract(image[s], table->group_mask[g])];
            index[t * n_symmetries + s] = sum;
        }
    }
}

/* The same for boards with tiles beyond 32768 where the encoding tells them apart: cell by cell. */
void lookup_indices_exact(const struct network *network, struct board board, uint32_t *index);

/* Fills index[0 .. n_lookups-1]. */
static inline void lookup_indices(const struct network *network, struct board board, uint32_t *index)
{
    uint64_t image[8];
    if (__builtin_expect(board.high != 0 && !network->direct, 0)) {
        lookup_indices_exact(network, board, index);
        return;
    }
    lookup_images(network, board.cells, image);
    if (!network->direct)
        lookup_indices_grouped(network, image, index);
    else if (network->n_symmetries == 8)
        lookup_indices_direct(network, image, index, network->n_tables, 8);
    else
        lookup_indices_direct(network, image, index, network->n_tables, 4);
}

/* Asks the memory for the weights of a board. */
static inline void lookup_prefetch(const float *stage_weights, const uint32_t *index, unsigned n_lookups)
{
    for (unsigned i = 0; i < n_lookups; i++)
        __builtin_prefetch(stage_weights + index[i]);
}

static inline float lookup_sum_images(const float *partial, unsigned n_symmetries)
{
    float low = (partial[0] + partial[1]) + (partial[2] + partial[3]);
    return n_symmetries == 4 ? low : low + ((partial[4] + partial[5]) + (partial[6] + partial[7]));
}

/* The sum of the weights at `index` of one stage. */
static inline float lookup_sum(const float *stage_weights, const uint32_t *index, unsigned n_tables,
                               unsigned n_symmetries)
{
    float partial[8] = {0};
    for (unsigned t = 0; t < n_tables; t++)
        for (unsigned s = 0; s < n_symmetries; s++)
            partial[s] += lookup_read(stage_weights + index[t * n_symmetries + s]);
    return lookup_sum_images(partial, n_symmetries);
}

/* The same with promotion: a weight that is still `initial` counts as the one of the stage before. */
static inline float lookup_sum_promoted(const float *stage_weights, const float *before, float initial,
                                        const uint32_t *index, unsigned n_tables, unsigned n_symmetries)
{
    float partial[8] = {0};
    for (unsigned t = 0; t < n_tables; t++)
        for (unsigned s = 0; s < n_symmetries; s++) {
            uint32_t i = index[t * n_symmetries + s];
            float weight = lookup_read(stage_weights + i);
            partial[s] += weight == initial ? lookup_read(before + i) : weight;
        }
    return lookup_sum_images(partial, n_symmetries);
}

/* The value of the board of this stage whose indices are given; reads only. */
static inline float lookup_value(const struct network *network, unsigned stage, const uint32_t *index)
{
    const float *weights = network->weights + stage * network->n_stage_weights;
    if (network->spec.promote && stage > 0)
        return lookup_sum_promoted(weights, weights - network->n_stage_weights, network->spec.initial, index,
                                   network->n_tables, network->n_symmetries);
    return network->n_symmetries == 8 ? lookup_sum(weights, index, network->n_tables, 8)
                                      : lookup_sum(weights, index, network->n_tables, 4);
}

#endif
