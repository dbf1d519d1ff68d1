/* fast_network: the form of a network that evaluates fastest, for many games (packed_network.h). */
#include "packed/fast_network.h"

#include "base/workers.h"
#include "ntuple/fold.h"
#include "packed/packed_network_parts.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SCAN_WEIGHTS = 1 << 18 };

struct scan {
    const struct network *network;
    atomic_bool fails;
    _Atomic float largest[NETWORK_MAX_TABLES];
};

/* A piece of one table of one stage. */
static void scan_piece(struct scan *scan, unsigned table, const float *weights, uint32_t n)
{
    float largest = 0;
    int n_fractions = 0; /* a touched weight of 0 is stored as the smallest number (weight_pack.h), which is none */
    for (uint32_t i = 0; i < n; i++) {
        float size = fabsf(weights[i]);
        n_fractions += (size != rintf(size)) & !(size < FLT_MIN); /* NaN counts as one */
        largest = size > largest ? size : largest;
    }
    if (n_fractions)
        atomic_store(&scan->fails, true);
    packed_raise(&scan->largest[table], largest);
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

/* Whether the weights are integers, and no board's can add up to more than a word holds. */
static enum status check_weights(const struct network *network, struct workers *workers, bool *suits)
{
    struct scan scan = {.network = network};
    uint32_t most = 0;
    for (unsigned t = 0; t < network->n_tables; t++)
        most = network->tables[t].n_weights > most ? network->tables[t].n_weights : most;
    enum status status = workers_for(workers, ((uint64_t)most + SCAN_WEIGHTS - 1) / SCAN_WEIGHTS, scan_item, &scan);
    *suits = !atomic_load(&scan.fails) && packed_sums_fit(network, scan.largest, 1);
    return status;
}

/* The words of n weights of a stage from `index` on, promoted. Without branches, so that it is vectorised. */
static void make_words(const struct network *network, unsigned stage, uint64_t index, uint32_t n, int32_t *words)
{
    const float *weights = network->weights + stage * network->n_stage_weights + index;
    bool promote = stage > 0 && network->spec.promote;
    const float *before = promote ? weights - network->n_stage_weights : weights;
    for (uint32_t i = 0; i < n; i++) {
        float weight = weights[i] == 0 ? before[i] : weights[i];
        words[i] = word_make((int32_t)weight, weight != 0);
    }
}

/* A table that is folded into a kept one. Its index is a sum of one number for the low half of the kept table's index
   (the low plane of every cell) and one for the high half. */
struct folded_table {
    const struct network_table *table;
    int32_t *words;
    uint32_t *low, *high;
};

struct kept_table {
    const struct network_table *table;
    unsigned n_bits; /* of each half of its index */
    unsigned n_folded;
    struct folded_table *folded; /* into this one */
};

struct fast_builder {
    const struct network *network;
    unsigned n_kept, n_folded;
    struct kept_table *kept;
    struct folded_table *folded; /* of all kept tables */
    /* The stage and table being filled: */
    unsigned stage;
    const struct kept_table *target;
};

/* One value of the high half of the index. Floats become words in place. */
static enum status fill_run(void *context, unsigned worker, uint64_t high)
{
    (void)worker;
    enum { BLOCK = 4096 };
    const struct fast_builder *builder = context;
    const struct network *network = builder->network;
    const struct kept_table *kept = builder->target;
    uint64_t first = kept->table->offset + (high << kept->n_bits);
    float *out = network->weights + builder->stage * network->n_stage_weights + first;
    uint32_t n = UINT32_C(1) << kept->n_bits, block = n < BLOCK ? n : BLOCK;
    for (uint32_t low = 0; low < n; low += block) {
        int32_t words[BLOCK], any = 0;
        make_words(network, builder->stage, first + low, block, words);
        for (unsigned f = 0; f < kept->n_folded; f++) {
            const uint32_t *at = kept->folded[f].low + low;
            const int32_t *added = kept->folded[f].words + kept->folded[f].high[high];
            for (uint32_t i = 0; i < block; i++)
                words[i] += added[at[i]];
        }
        for (uint32_t i = 0; i < block; i++)
            any |= words[i];
        if (any) /* pages of zeros stay unmapped */
            memcpy(out + low, words, block * sizeof *words);
    }
    return STATUS_OK;
}

/* From the last stage down: a stage is promoted from the floats of the one before. */
static enum status fill_all(struct fast_builder *builder, struct workers *workers)
{
    enum status status = STATUS_OK;
    for (builder->stage = builder->network->spec.stages.n_stages; builder->stage-- > 0 && !status;) {
        for (struct folded_table *folded = builder->folded; folded < builder->folded + builder->n_folded; folded++)
            make_words(builder->network, builder->stage, folded->table->offset, folded->table->n_weights,
                       folded->words);
        for (unsigned k = 0; k < builder->n_kept && !status; k++) {
            builder->target = &builder->kept[k];
            status = workers_for(workers, UINT64_C(1) << builder->target->n_bits, fill_run, builder);
        }
    }
    return status;
}

static enum status make_folded(struct folded_table *folded, const struct network_table *table,
                               const struct rebuild_source *source, unsigned n_bits)
{
    size_t n = (size_t)1 << n_bits;
    *folded = (struct folded_table){.table = table,
                                    .words = memory_allocate(table->n_weights, sizeof *folded->words),
                                    .low = memory_allocate(2 * n, sizeof *folded->low)};
    if (!folded->words || !folded->low)
        return STATUS_NO_MEMORY;
    folded->high = folded->low + n;
    for (size_t bits = 0; bits < n; bits++)
        for (unsigned k = 0; k < n_bits / 2; k++) {
            folded->low[bits] += source->part[k][bits >> 2 * k & 3];
            folded->high[bits] += source->part[k][(bits >> 2 * k & 3) << 2];
        }
    return STATUS_OK;
}

/* One table of the folded network: the first of the largest of its n sources is kept, the others are folded into it. */
static enum status make_kept(struct fast_builder *builder, const struct rebuild_source *sources, unsigned n)
{
    const struct network *network = builder->network;
    unsigned largest = 0;
    for (unsigned s = 1; s < n; s++)
        if (network->tables[sources[s].from].n_weights > network->tables[sources[largest].from].n_weights)
            largest = s;
    const struct network_table *table = &network->tables[sources[largest].from];
    struct kept_table *kept = &builder->kept[builder->n_kept++];
    *kept = (struct kept_table){.table = table,
                                .n_bits = 2 * network->spec.shape.tuples[table->tuple].n_cells,
                                .n_folded = n - 1,
                                .folded = builder->folded + builder->n_folded};
    enum status status = STATUS_OK;
    for (unsigned s = 0; s < n && !status; s++)
        if (s != largest)
            status = make_folded(&builder->folded[builder->n_folded++], &network->tables[sources[s].from], &sources[s],
                                 kept->n_bits);
    return status;
}

static void free_builder(struct fast_builder *builder)
{
    for (unsigned f = 0; f < builder->n_folded; f++) {
        free(builder->folded[f].words);
        free(builder->folded[f].low);
    }
    free(builder->folded);
    free(builder->kept);
}

/* Everything that can fail, before the first weight is overwritten. */
static enum status prepare_builder(struct fast_builder *builder, const struct network *network)
{
    struct rebuild_plan plan;
    builder->network = network;
    enum status status = fold_plan_make(&plan, network);
    if (status)
        return status;
    builder->folded = memory_allocate(plan.n_sources, sizeof *builder->folded);
    builder->kept = memory_allocate(plan.n_sources, sizeof *builder->kept);
    if (!builder->folded || !builder->kept)
        status = STATUS_NO_MEMORY;
    for (unsigned s = 0, n; s < plan.n_sources && !status; s += n) {
        for (n = 1; s + n < plan.n_sources && plan.sources[s + n].table == plan.sources[s].table; n++)
            ;
        status = make_kept(builder, plan.sources + s, n);
    }
    free(plan.sources);
    return status;
}

static void keep_tables(struct network *network, const struct fast_builder *builder)
{
    struct network_table tables[PACKED_MAX_TABLES];
    for (unsigned k = 0; k < builder->n_kept; k++)
        tables[k] = *builder->kept[k].table;
    memcpy(network->tables, tables, builder->n_kept * sizeof *tables);
    network->n_tables = builder->n_kept;
    network->n_lookups = network->n_tables * network->n_symmetries;
    network_fill_index_blocks(network);
}

/* Four sums, because one would wait for each addition. */
static int32_t sum_words(const struct network *network, unsigned stage, const uint32_t *index)
{
    const int32_t *words = (const int32_t *)network->block.data + stage * network->n_stage_weights;
    int32_t sum[4] = {0};
    for (const uint32_t *end = index + network->n_lookups; index < end; index += 4)
        for (unsigned i = 0; i < 4; i++)
            sum[i] += words[index[i]];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

/* As network_value.c: indices and prefetches of a group of boards first, then the sums. */
static void evaluate_batch(const void *context, const struct board *after, size_t n, float *out)
{
    enum { GROUP = 8 };
    const struct packed_network *fast = context;
    const struct network *network = fast->network;
    uint32_t index[GROUP][PACKED_MAX_LOOKUPS];
    unsigned stage[GROUP];
    for (size_t done = 0; done < n;) {
        unsigned group = n - done < GROUP ? (unsigned)(n - done) : GROUP;
        for (unsigned i = 0; i < group; i++) {
            stage[i] = stages_of(&network->spec.stages, after[done + i]);
            lookup_indices_at(network, after[done + i], stage[i], 1, index[i]);
        }
        for (unsigned i = 0; i < group; i++) {
            int32_t sum = sum_words(network, stage[i], index[i]);
            out[done + i] = packed_value(fast, word_weight(sum), word_count(sum));
        }
        done += group;
    }
}

enum status fast_network_create(struct packed_network **out, struct network *network)
{
    *out = NULL;
    if (!packed_suits(network))
        return STATUS_OK;
    struct fast_builder builder = {0};
    struct workers *workers = NULL;
    bool suits = false;
    struct packed_network *fast = memory_allocate(1, sizeof *fast);
    if (!fast)
        return STATUS_NO_MEMORY;
    enum status status = workers_create(&workers, 0);
    if (status)
        goto done;
    status = check_weights(network, workers, &suits);
    if (status || !suits)
        goto done;
    status = prepare_builder(&builder, network);
    if (status)
        goto done;
    status = fill_all(&builder, workers); /* its jobs do not fail */
    if (status)
        goto done;
    *fast =
        (struct packed_network){.network = network, .n_lookups = network->n_lookups, .evaluate_batch = evaluate_batch};
    keep_tables(network, &builder);
    *out = fast;
    fast = NULL;
done:
    free_builder(&builder);
    workers_free(workers);
    free(fast);
    return status;
}
