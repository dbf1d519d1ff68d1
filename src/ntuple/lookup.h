/*
 * lookup: the hot path of a network: from a board to the indices of its weights, and from these to its value.
 *
 * The indices of a board are stored table by table, with the eight images (four on boards that are not square) in a
 * row:
 *
 *     index[table * n_symmetries + image]
 *
 * Weights are summed in this order into one partial sum for each image, and the partial sums are added in pairs. All
 * functions use this order, so values agree to the last bit between trainer, player, native and portable build. (Eight
 * sums instead of one also run eight additions in parallel.)
 *
 * Unseen weights. A weight that learning never touched says nothing about a board, but as 0 it means that the board is
 * bad: greedy play avoids the first board with a new tile, or a new order of large ones, and never learns its value.
 * With spec.unseen_mean an unseen weight counts as the mean of the others of its board: if s of n weights are seen, the
 * value is their sum times n / s.
 *
 * Computing indices, with prefetches of the weights, and summing weights are separate functions: for several boards,
 * compute all indices first and sum later.
 */
#ifndef AFTERSTATE_NTUPLE_LOOKUP_H
#define AFTERSTATE_NTUPLE_LOOKUP_H

#include "base/bits.h"
#include "game/board4x4.h"
#include "ntuple/index_lanes.h"
#include "ntuple/network.h"
#include "ntuple/planes.h"

#if defined(__AVX2__) && !defined(__SANITIZE_THREAD__)
#include <immintrin.h>
#define LOOKUP_VECTORS 1 /* the eight weights of a table in one register */
#else
#define LOOKUP_VECTORS 0
#endif

/*
 * Threads read and write shared weights without locks: relaxed atomic accesses of one float each, in every build. clang
 * makes of them the instructions of plain accesses. gcc 12 moves each float through an integer register, which costs a
 * TC step 8.0% more instructions and a TD step 4.9%; so for gcc on x86 the one instruction that does it is written
 * down (-0.5% and +0.5% against plain accesses; callgrind, haswell). Plain accesses were no alternative: gcc stores two
 * neighbouring floats by one instruction of eight bytes. docs/decisions/066 has the figures.
 *
 * Only the loads of eight weights into a register (below) are not atomic by the letter; the processor reads each float
 * whole. Builds with the thread sanitizer, which does not see them one by one, take the scalar reference instead.
 */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
#ifdef __AVX__
#define LOOKUP_MOVE "vmovss %1, %0"
#else
#define LOOKUP_MOVE "movss %1, %0"
#endif
static inline float lookup_read(const float *weight)
{
    float value;
    __asm__(LOOKUP_MOVE : "=x"(value) : "m"(*weight));
    return value;
}

static inline void lookup_write(float *weight, float value)
{
    __asm__(LOOKUP_MOVE : "=m"(*weight) : "x"(value));
}

/* lookup_read() + x, added from memory. */
static inline float lookup_read_plus(const float *weight, float x)
{
#ifdef __AVX__
    float sum;
    __asm__("vaddss %2, %1, %0" : "=x"(sum) : "x"(x), "m"(*weight));
    return sum;
#else
    __asm__("addss %1, %0" : "+x"(x) : "m"(*weight));
    return x;
#endif
}
#else
static inline float lookup_read(const float *weight)
{
    float value;
    __atomic_load(weight, &value, __ATOMIC_RELAXED);
    return value;
}

static inline void lookup_write(float *weight, float value)
{
    __atomic_store(weight, &value, __ATOMIC_RELAXED);
}

static inline float lookup_read_plus(const float *weight, float x)
{
    return lookup_read(weight) + x;
}
#endif

/* Always inlined, so that constant arguments specialise the function; gcc 12 does not inline some otherwise. */
#define LOOKUP_CONSTANT static inline __attribute__((always_inline))

enum { LOOKUP_CACHED_WEIGHTS = 1 << 16 };

/* The images of the cells themselves. */
static inline void lookup_images(const struct network *network, uint64_t cells, uint64_t image[8])
{
    for (unsigned s = 0; s < network->n_symmetries; s++)
        image[s] = grid_image(&network->grid, (struct board){.cells = cells}, s).cells;
}

/* The images of the planes. */
static inline void lookup_plane_images(const struct network *network, uint64_t cells, uint64_t image[8])
{
    if (network->grid.n_cells == 16) {
        planes_images4x4(planes_of(cells), image);
        return;
    }
    lookup_images(network, cells, image);
    for (unsigned s = 0; s < network->n_symmetries; s++)
        image[s] = planes_of(image[s]);
}

/*
 * Indices if every base is 16: one pext each; larger tiles are clamped to a nibble. Index and prefetch are in one loop,
 * with volatile stores: otherwise gcc 12 packs the indices with vector instructions. A move of TC on 4x6 went from 3930
 * instructions to 2825 by the first and the pointer loops of the sums, and from 3320 to 3068 by the second and the sum
 * in a register (callgrind, haswell; with E and A beside the weights). Tables of at most four cells stay in the
 * second-level cache: not prefetching them takes 0.93 of the time (8x6 with seven small tuples, TC, medians of three
 * alternate runs beside another job). n_symmetries is a constant.
 */
LOOKUP_CONSTANT void lookup_indices_direct(const struct network *network, uint64_t cells, const float *stage_cells,
                                           size_t stride, uint32_t *index, unsigned n_symmetries)
{
    uint64_t image[8];
    lookup_plane_images(network, cells, image);
    const struct network_table *end = network->tables + network->n_tables;
    for (const struct network_table *table = network->tables; table < end; table++, index += n_symmetries) {
        uint64_t mask = table->mask; /* copies: the compiler must assume that index[] may alias the table */
        uint32_t offset = table->offset;
        if (table->n_weights <= LOOKUP_CACHED_WEIGHTS) {
            for (unsigned s = 0; s < n_symmetries; s++)
                index[s] = offset + (uint32_t)bits_extract(image[s], mask);
            continue;
        }
        for (unsigned s = 0; s < n_symmetries; s++) {
            uint32_t place = offset + (uint32_t)bits_extract(image[s], mask);
            *(volatile uint32_t *)&index[s] = place; /* one store each, not packed */
            __builtin_prefetch(stage_cells + stride * place);
        }
    }
}

#if INDEX_LANES
/* The same by sixteen (index_lanes.h). */
LOOKUP_CONSTANT void lookup_indices_lanes(const struct network *network, uint64_t cells, const float *stage_cells,
                                          size_t stride, uint32_t *index)
{
    enum { IMAGES = 8 };
    const struct index_block *block = network->index_blocks;
    const struct network_table *table = network->tables, *end = table + network->n_tables;
    __m512i pairs = index_lanes_pairs(cells);
    for (; table + 1 < end; table += 2, block++, index += INDEX_BLOCK) {
        _mm512_storeu_si512(index, index_lanes_block(block, network->index_groups, pairs));
        for (unsigned t = 0; t < 2; t++)
            for (unsigned s = 0; s < IMAGES && table[t].n_weights > LOOKUP_CACHED_WEIGHTS; s++)
                __builtin_prefetch(stage_cells + stride * index[t * IMAGES + s]);
    }
    if (table == end)
        return;
    __m512i last = index_lanes_block(block, network->index_groups, pairs);
    _mm256_storeu_si256((__m256i *)index, _mm512_castsi512_si256(last));
    for (unsigned s = 0; s < IMAGES && table->n_weights > LOOKUP_CACHED_WEIGHTS; s++)
        __builtin_prefetch(stage_cells + stride * index[s]);
}
#endif

/* The same for other bases: groups of three cells through small tables. */
static inline void lookup_indices_grouped(const struct network *network, uint64_t cells, const float *stage_cells,
                                          size_t stride, uint32_t *index)
{
    unsigned n_symmetries = network->n_symmetries;
    uint64_t image[8];
    lookup_images(network, cells, image);
    for (unsigned t = 0; t < network->n_tables; t++, index += n_symmetries) {
        const struct network_table *table = &network->tables[t];
        for (unsigned s = 0; s < n_symmetries; s++) {
            uint32_t sum = table->offset;
            for (unsigned g = 0; g < table->n_groups; g++)
                sum += table->group[g][bits_extract(image[s], table->group_mask[g])];
            index[s] = sum;
            __builtin_prefetch(stage_cells + stride * sum);
        }
    }
}

/* The same for boards with tiles beyond 32768 that the encoding distinguishes: cell by cell, no prefetch. */
void lookup_indices_exact(const struct network *network, struct board board, uint32_t *index);

/* Fills index[0 .. n_lookups-1] and prefetches these weights. The stride is that of the network, as a constant. */
LOOKUP_CONSTANT void lookup_indices_at(const struct network *network, struct board board, unsigned stage, size_t stride,
                                       uint32_t *index)
{
    const float *stage_cells = network->cells + stride * stage * network->n_stage_weights;
#if INDEX_LANES
    if (network->index_blocks) {
        lookup_indices_lanes(network, board.cells, stage_cells, stride, index);
        return;
    }
#endif
    if (network->direct && network->n_symmetries == 8)
        lookup_indices_direct(network, board.cells, stage_cells, stride, index, 8);
    else if (network->direct)
        lookup_indices_direct(network, board.cells, stage_cells, stride, index, 4);
    else if (__builtin_expect(board.high == 0, 1))
        lookup_indices_grouped(network, board.cells, stage_cells, stride, index);
    else
        lookup_indices_exact(network, board, index);
}

/* The same for any stride. */
static inline void lookup_indices(const struct network *network, struct board board, unsigned stage, uint32_t *index)
{
    switch (network->stride) {
    case 1:
        lookup_indices_at(network, board, stage, 1, index);
        break;
    case 3:
        lookup_indices_at(network, board, stage, 3, index);
        break;
    default:
        lookup_indices_at(network, board, stage, network->stride, index);
    }
}

static inline float lookup_sum_images(const float *partial, unsigned n_symmetries)
{
    float low = (partial[0] + partial[1]) + (partial[2] + partial[3]);
    return n_symmetries == 4 ? low : low + ((partial[4] + partial[5]) + (partial[6] + partial[7]));
}

/* The value of a board with n_seen touched weights of n_lookups, which have this sum. */
static inline float lookup_without_unseen(float sum, unsigned n_seen, unsigned n_lookups)
{
    return n_seen ? sum * ((float)n_lookups / (float)n_seen) : 0;
}

#if LOOKUP_VECTORS
static inline __m128 lookup_load_four(const float *cells, size_t stride, const uint32_t *index)
{
    __m128 low = _mm_load_ss(cells + stride * index[0]), high = _mm_load_ss(cells + stride * index[2]);
    low = _mm_insert_ps(low, _mm_load_ss(cells + stride * index[1]), 1 << 4);
    high = _mm_insert_ps(high, _mm_load_ss(cells + stride * index[3]), 1 << 4);
    return _mm_movelh_ps(low, high);
}

/*
 * The weights of one table for eight images; stride is a constant. A gather would do the same, but on the processors at
 * hand (Zen 5) evaluating 4x6 boards that are cached takes 27 ns with gathers and 15 to 20 without (decision 074).
 */
LOOKUP_CONSTANT __m256 lookup_load_eight(const float *cells, size_t stride, const uint32_t *index)
{
    return _mm256_set_m128(lookup_load_four(cells, stride, index + 4), lookup_load_four(cells, stride, index));
}

/* lookup_sum_images() in a register: the same pairs in the same order. */
static inline float lookup_sum_vector(__m256 partial)
{
    __m256 pairs = _mm256_hadd_ps(partial, partial), fours = _mm256_hadd_ps(pairs, pairs);
    return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(fours), _mm256_extractf128_ps(fours, 1)));
}

static inline unsigned lookup_count_vector(__m256i counts)
{
    uint32_t count[8];
    _mm256_storeu_si256((__m256i *)count, counts);
    unsigned sum = 0;
    for (unsigned s = 0; s < 8; s++)
        sum += count[s];
    return sum;
}
#endif

/* The weights of one stage. Constant fields are constants of the caller: each combination gets its own loop. */
struct weight_view {
    float *cells;          /* of the stage: weight i is cells[stride * i] */
    const float *before;   /* of the stage before, for promotion; NULL: none; whether it is NULL is constant */
    size_t stride;         /* constant */
    unsigned n_symmetries; /* constant */
    bool keep;             /* promoted weights are written to cells; constant */
    float initial;
    unsigned n_lookups;
};

/* The weight at that offset, or that of the stage before if it is untouched. */
LOOKUP_CONSTANT float lookup_promoted(const struct weight_view *view, size_t at)
{
    float weight = lookup_read(view->cells + at);
    if (__builtin_expect(weight == view->initial, 0)) {
        weight = lookup_read(view->before + at);
        if (view->keep)
            lookup_write(view->cells + at, weight);
    }
    return weight;
}

/*
 * The sum of an afterstate's weights, promoted as they are summed; a trainer stores promoted weights (view->keep), as
 * EVALUATE of Jaskowski 2018 does. (In a loop of its own before the sum, a move with 64 look-ups took 4,130
 * instructions for values instead of 2,960, by callgrind.) *n_seen becomes the number of weights that are not 0, unless
 * n_seen is NULL, as a constant. The scalar reference.
 */
LOOKUP_CONSTANT float lookup_sum_plain(const struct weight_view *view, const uint32_t *index, unsigned *n_seen)
{
    float partial[8] = {0};
    unsigned unseen = 0;
    for (const uint32_t *end = index + view->n_lookups; index < end; index += view->n_symmetries)
        for (unsigned s = 0; s < view->n_symmetries; s++) {
            size_t at = view->stride * index[s];
            if (!view->before && !n_seen) { /* nothing but sums: added from memory */
                partial[s] = lookup_read_plus(view->cells + at, partial[s]);
                continue;
            }
            float weight = view->before ? lookup_promoted(view, at) : lookup_read(view->cells + at);
            if (n_seen)
                unseen += weight == 0;
            partial[s] += weight;
        }
    if (n_seen)
        *n_seen = view->n_lookups - unseen;
    return lookup_sum_images(partial, view->n_symmetries);
}

/* The same with vector instructions, in the same order of additions; only for eight images. */
LOOKUP_CONSTANT float lookup_sum_eights(const struct weight_view *view, const uint32_t *index, unsigned *n_seen)
{
#if LOOKUP_VECTORS
    __m256 partial = _mm256_setzero_ps();
    __m256i unseen = _mm256_setzero_si256();
    for (const uint32_t *end = index + view->n_lookups; index < end; index += 8) {
        __m256 weight = lookup_load_eight(view->cells, view->stride, index);
        if (view->before) {
            __m256 untouched = _mm256_cmp_ps(weight, _mm256_set1_ps(view->initial), _CMP_EQ_OQ);
            if (__builtin_expect(_mm256_movemask_ps(untouched), 0)) {
                weight = _mm256_blendv_ps(weight, lookup_load_eight(view->before, view->stride, index), untouched);
                for (unsigned s = 0; s < 8 && view->keep; s++)
                    lookup_promoted(view, view->stride * index[s]);
            }
        }
        if (n_seen) {
            __m256 zero = _mm256_cmp_ps(weight, _mm256_setzero_ps(), _CMP_EQ_OQ);
            unseen = _mm256_sub_epi32(unseen, _mm256_castps_si256(zero));
        }
        partial = _mm256_add_ps(partial, weight);
    }
    if (n_seen)
        *n_seen = view->n_lookups - lookup_count_vector(unseen);
    return lookup_sum_vector(partial);
#else
    return lookup_sum_plain(view, index, n_seen);
#endif
}

/* The value of an afterstate, of whose weights *n_seen are touched; n_lookups if the network does not count them. */
LOOKUP_CONSTANT float lookup_value_in(const struct network *network, const struct weight_view *view,
                                      const uint32_t *index, unsigned *n_seen)
{
    bool eights = view->n_symmetries == 8; /* worth it where weights are compared */
    if (network->spec.unseen_mean) {
        float sum = eights ? lookup_sum_eights(view, index, n_seen) : lookup_sum_plain(view, index, n_seen);
        return lookup_without_unseen(sum, *n_seen, view->n_lookups);
    }
    *n_seen = view->n_lookups;
    return eights && view->before ? lookup_sum_eights(view, index, NULL) : lookup_sum_plain(view, index, NULL);
}

/* The same for a board of this stage with these indices. Stride, n_symmetries and keep of the view are constants. */
LOOKUP_CONSTANT float lookup_value_at(const struct network *network, unsigned stage, const uint32_t *index,
                                      struct weight_view view, unsigned *n_seen)
{
    size_t stage_floats = view.stride * network->n_stage_weights;
    view.cells = network->cells + stage * stage_floats;
    view.initial = network->spec.initial;
    view.n_lookups = network->n_lookups;
    view.before = NULL;
    if (!network->spec.promote || stage == 0)
        return lookup_value_in(network, &view, index, n_seen);
    view.before = view.cells - stage_floats;
    return lookup_value_in(network, &view, index, n_seen);
}

/* The same for any network; keep is a constant. */
static inline float lookup_value(const struct network *network, unsigned stage, const uint32_t *index, bool keep,
                                 unsigned *n_seen)
{
    struct weight_view view = {.stride = network->stride, .n_symmetries = 4, .keep = keep};
    if (network->n_symmetries != 8)
        return lookup_value_at(network, stage, index, view, n_seen);
    view.n_symmetries = 8;
    switch (network->stride) {
    case 1:
        view.stride = 1;
        return lookup_value_at(network, stage, index, view, n_seen);
    case 3:
        view.stride = 3;
        return lookup_value_at(network, stage, index, view, n_seen);
    default:
        return lookup_value_at(network, stage, index, view, n_seen);
    }
}

#endif
