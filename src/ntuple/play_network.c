#include "ntuple/play_network.h"

#include "base/memory.h"
#include "base/workers.h"
#include "ntuple/fold.h"
#include "ntuple/lookup.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT_BITS = 7, COUNT_MASK = (1 << COUNT_BITS) - 1, MAX_SUM = 1 << (31 - COUNT_BITS) };

struct play_network {
    struct network *network; /* its weights are words; its tables are those that are left */
    unsigned n_lookups;      /* before folding */
};

/* ---- making: whether it can be done ------------------------------------------------------------------------------
 */

enum { SCAN_WEIGHTS = 1 << 18 };

struct scan {
    const struct network *network;
    atomic_bool fails;
    _Atomic float largest[NETWORK_MAX_TABLES];
};

static void raise_to(_Atomic float *largest, float size)
{
    float was = atomic_load(largest);
    while (size > was && !atomic_compare_exchange_weak(largest, &was, size))
        ;
}

/* A piece of one table of one stage. */
static void scan_piece(struct scan *scan, unsigned table, const float *weights, uint32_t n)
{
    float largest = 0;
    int n_broken = 0; /* a touched weight of 0 is stored as the smallest number there is (weight_pack.h): no fraction */
    for (uint32_t i = 0; i < n; i++) {
        float size = fabsf(weights[i]);
        n_broken += (size != rintf(size)) & !(size < FLT_MIN); /* so counts what is no number */
        largest = size > largest ? size : largest;
    }
    if (n_broken)
        atomic_store(&scan->fails, true);
    raise_to(&scan->largest[table], largest);
}

static enum status scan_item(void *context, unsigned worker, uint64_t item)
{
    (void)worker;
    struct scan *scan = context;
    const struct network *network = scan->network;
    uint64_t first = item * SCAN_WEIGHTS;
    for (unsigned stage = 0; stage < network->spec.stages.n_stages && !atomic_load(&scan->fails); stage++)
        for (unsigned t = 0; t < network->n_tables; t++) {
            const struct network_table *table = &network->tables[t];
            if (first >= table->n_weights)
                continue;
            uint32_t left = table->n_weights - (uint32_t)first;
            scan_piece(scan, t, network->weights + stage * network->n_stage_weights + table->offset + first,
                       left < SCAN_WEIGHTS ? left : SCAN_WEIGHTS);
        }
    return STATUS_OK;
}

/* Whether the weights are whole numbers, and no board's can add up to more than a word holds. */
static enum status look_at_weights(const struct network *network, struct workers *workers, bool *fits)
{
    struct scan scan = {.network = network};
    uint32_t most = 0;
    for (unsigned t = 0; t < network->n_tables; t++)
        most = network->tables[t].n_weights > most ? network->tables[t].n_weights : most;
    enum status status = workers_for(workers, ((uint64_t)most + SCAN_WEIGHTS - 1) / SCAN_WEIGHTS, scan_item, &scan);
    double reach = 0;
    for (unsigned t = 0; t < network->n_tables; t++)
        reach += (double)atomic_load(&scan.largest[t]) * network->n_symmetries;
    *fits = !atomic_load(&scan.fails) && reach < MAX_SUM;
    return status;
}

static bool is_of_kind(const struct network *network)
{
    return network->direct && network->n_symmetries == 8 && network->spec.initial == 0 &&
           network->n_lookups <= COUNT_MASK;
}

/* ---- making: words ------------------------------------------------------------------------------------------------
 */

/* A whole number, or next to nothing. Without a branch, for vectors. */
static int32_t word_of(float weight)
{
    return (int32_t)weight * (1 << COUNT_BITS) + (weight != 0);
}

/* The words of n weights of a stage from `index` on, promoted. */
static void make_words(const struct network *network, unsigned stage, uint64_t index, uint32_t n, int32_t *words)
{
    const float *weights = network->weights + stage * network->n_stage_weights + index;
    if (stage > 0 && network->spec.promote) {
        const float *before = weights - network->n_stage_weights;
        for (uint32_t i = 0; i < n; i++)
            words[i] = word_of(weights[i] == 0 ? before[i] : weights[i]);
    } else {
        for (uint32_t i = 0; i < n; i++)
            words[i] = word_of(weights[i]);
    }
}

/*
 * A table that another one takes in. Its place is a sum of two numbers: one for the low bits of the other's index (the
 * low plane of every cell), one for the high bits.
 */
struct part {
    const struct network_table *from;
    int32_t *words;
    uint32_t *low, *high;
};

/* A table that stays, with what it takes in. */
struct whole {
    const struct network_table *table;
    unsigned n_bits; /* of each half of its index */
    unsigned n_parts;
    struct part *parts;
};

struct build {
    const struct network *network;
    unsigned n_wholes;
    struct whole *wholes;
    struct part *parts; /* of all */
    unsigned n_parts;
    unsigned stage; /* what is being filled */
    const struct whole *whole;
};

/* One value of the high half of the index. Floats become words in place: read as those, then written as these. */
static enum status fill_run(void *context, unsigned worker, uint64_t high)
{
    (void)worker;
    enum { BLOCK = 4096 };
    const struct build *build = context;
    const struct network *network = build->network;
    const struct whole *whole = build->whole;
    uint64_t first = whole->table->offset + (high << whole->n_bits);
    float *out = network->weights + build->stage * network->n_stage_weights + first;
    uint32_t n = UINT32_C(1) << whole->n_bits, block = n < BLOCK ? n : BLOCK;
    for (uint32_t low = 0; low < n; low += block) {
        int32_t words[BLOCK], any = 0;
        make_words(network, build->stage, first + low, block, words);
        for (const struct part *part = whole->parts; part < whole->parts + whole->n_parts; part++) {
            const int32_t *taken = part->words + part->high[high];
            for (uint32_t i = 0; i < block; i++)
                words[i] += taken[part->low[low + i]];
        }
        for (uint32_t i = 0; i < block; i++)
            any |= words[i];
        if (any) /* pages that hold nothing stay untaken */
            memcpy(out + low, words, block * sizeof *words);
    }
    return STATUS_OK;
}

/* From the last stage down: a stage is promoted from what the one before has as floats. */
static enum status fill_all(struct build *build, struct workers *workers)
{
    enum status status = STATUS_OK;
    for (build->stage = build->network->spec.stages.n_stages; build->stage-- > 0 && !status;) {
        for (struct part *part = build->parts; part < build->parts + build->n_parts; part++)
            make_words(build->network, build->stage, part->from->offset, part->from->n_weights, part->words);
        for (unsigned w = 0; w < build->n_wholes && !status; w++) {
            build->whole = &build->wholes[w];
            status = workers_for(workers, UINT64_C(1) << build->whole->n_bits, fill_run, build);
        }
    }
    return status;
}

static enum status make_part(struct part *part, const struct network_table *from, const struct rebuild_source *source,
                             unsigned n_bits)
{
    size_t n = (size_t)1 << n_bits;
    *part = (struct part){.from = from};
    part->words = memory_allocate(from->n_weights, sizeof *part->words);
    part->low = memory_allocate(2 * n, sizeof *part->low);
    if (!part->words || !part->low)
        return STATUS_NO_MEMORY;
    part->high = part->low + n;
    for (size_t bits = 0; bits < n; bits++) {
        part->low[bits] = part->high[bits] = 0;
        for (unsigned k = 0; k < n_bits / 2; k++) {
            part->low[bits] += source->part[k][bits >> 2 * k & 3];
            part->high[bits] += source->part[k][(bits >> 2 * k & 3) << 2];
        }
    }
    return STATUS_OK;
}

/* One table of the folded network: the first of the largest of its n sources stays, and the others are its parts. */
static enum status make_whole(struct build *build, const struct rebuild_source *sources, unsigned n)
{
    const struct network *network = build->network;
    unsigned largest = 0;
    for (unsigned s = 1; s < n; s++)
        if (network->tables[sources[s].from].n_weights > network->tables[sources[largest].from].n_weights)
            largest = s;
    const struct network_table *table = &network->tables[sources[largest].from];
    struct whole *whole = &build->wholes[build->n_wholes++];
    *whole = (struct whole){.table = table,
                            .n_bits = 2 * network->spec.shape.tuples[table->tuple].n_cells,
                            .n_parts = n - 1,
                            .parts = build->parts + build->n_parts};
    enum status status = STATUS_OK;
    for (unsigned s = 0; s < n && !status; s++)
        if (s != largest)
            status = make_part(&build->parts[build->n_parts++], &network->tables[sources[s].from], &sources[s],
                               whole->n_bits);
    return status;
}

static void free_build(struct build *build)
{
    for (unsigned p = 0; p < build->n_parts; p++) {
        free(build->parts[p].words);
        free(build->parts[p].low);
    }
    free(build->parts);
    free(build->wholes);
}

/* Everything that could fail, before the first weight is written over. */
static enum status make_build(struct build *build, const struct network *network)
{
    struct rebuild_plan plan;
    *build = (struct build){.network = network};
    enum status status = fold_plan_make(&plan, network);
    if (status)
        return status;
    build->parts = memory_allocate(plan.n_sources, sizeof *build->parts);
    build->wholes = memory_allocate(plan.n_sources, sizeof *build->wholes);
    if (!build->parts || !build->wholes)
        status = STATUS_NO_MEMORY;
    for (unsigned s = 0, n; s < plan.n_sources && !status; s += n) {
        for (n = 1; s + n < plan.n_sources && plan.sources[s + n].table == plan.sources[s].table; n++)
            ;
        status = make_whole(build, plan.sources + s, n);
    }
    free(plan.sources);
    return status;
}

/* The network's tables become those that stay. */
static void take_over(struct play_network *play, struct network *network, const struct build *build)
{
    struct network_table tables[NETWORK_MAX_TABLES];
    for (unsigned w = 0; w < build->n_wholes; w++)
        tables[w] = *build->wholes[w].table;
    memcpy(network->tables, tables, build->n_wholes * sizeof *tables);
    *play = (struct play_network){.network = network, .n_lookups = network->n_lookups};
    network->n_tables = build->n_wholes;
    network->n_lookups = network->n_tables * network->n_symmetries;
}

enum status play_network_create(struct play_network **out, struct network *network)
{
    *out = NULL;
    struct build build = {0};
    struct workers *workers = NULL;
    bool fits = is_of_kind(network);
    struct play_network *play = fits ? memory_allocate(1, sizeof *play) : NULL;
    enum status status = fits && !play ? STATUS_NO_MEMORY : STATUS_OK;
    if (fits && !status)
        status = workers_create(&workers, 0);
    if (fits && !status)
        status = look_at_weights(network, workers, &fits);
    if (fits && !status)
        status = make_build(&build, network);
    if (fits && !status)
        status = fill_all(&build, workers); /* its jobs do not fail */
    if (fits && !status) {
        take_over(play, network, &build);
        *out = play;
        play = NULL;
    }
    free_build(&build);
    workers_free(workers);
    free(play);
    return status;
}

void play_network_free(struct play_network *play)
{
    if (!play)
        return;
    network_free(play->network);
    free(play);
}

/* ---- playing ------------------------------------------------------------------------------------------------------
 */

static const int32_t *stage_words(const struct play_network *play, unsigned stage)
{
    return (const int32_t *)play->network->weights_block.data + stage * play->network->n_stage_weights;
}

static int32_t sum_words(const struct play_network *play, unsigned stage, const uint32_t *index)
{
    const int32_t *words = stage_words(play, stage);
    const uint32_t *end = index + play->network->n_lookups;
#if LOOKUP_GATHERS
    if (lookup_can_gather(play->network, 1)) {
        __m256i sums = _mm256_setzero_si256();
        for (; index < end; index += 8)
            sums = _mm256_add_epi32(
                sums, _mm256_i32gather_epi32(words, _mm256_loadu_si256((const __m256i *)index), sizeof *words));
        __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, _MM_SHUFFLE(1, 0, 3, 2)));
        return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, _MM_SHUFFLE(2, 3, 0, 1))));
    }
#endif
    int32_t sum = 0;
    while (index < end)
        sum += words[*index++];
    return sum;
}

static float value_of_sum(const struct play_network *play, int32_t sum)
{
    unsigned n_seen = (unsigned)sum & COUNT_MASK;
    float value = (float)((sum - (int32_t)n_seen) / (1 << COUNT_BITS));
    return play->network->spec.unseen_mean ? lookup_without_unseen(value, n_seen, play->n_lookups) : value;
}

/* As network.c: indices and prefetches of a group first, then the sums. */
static void face_values(const void *context, const struct board *after, size_t n, float *out)
{
    enum { GROUP = 8 };
    const struct play_network *play = context;
    const struct network *network = play->network;
    uint32_t index[GROUP][COUNT_MASK + 1];
    unsigned stage[GROUP];
    for (size_t done = 0; done < n;) {
        unsigned group = n - done < GROUP ? (unsigned)(n - done) : GROUP;
        for (unsigned i = 0; i < group; i++) {
            stage[i] = stages_of(&network->spec.stages, after[done + i]);
            lookup_indices(network, after[done + i], stage[i], index[i]);
        }
        for (unsigned i = 0; i < group; i++)
            out[done + i] = value_of_sum(play, sum_words(play, stage[i], index[i]));
        done += group;
    }
}

struct value_function play_network_function(const struct play_network *play)
{
    return (struct value_function){.context = play, .values = face_values, .symmetric = true};
}
