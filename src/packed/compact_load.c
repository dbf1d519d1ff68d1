/*
 * compact_load: builds a compact network from the runs of a file. A worker gets the runs of one place stage after
 * stage, and keeps the touched weights of the stage before for promotion. Values go to the next free index, so their
 * order differs from one load to the next; nothing depends on it.
 */
#include "base/bytes.h"
#include "packed/compact_network.h"
#include "packed/network_file.h"
#include "packed/packed_network_parts.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_GROUPS = NETWORK_RUN_WEIGHTS / COMPACT_GROUP };
_Static_assert(NETWORK_RUN_WEIGHTS % COMPACT_GROUP == 0, "a run is made of whole groups, or is a small table");

/* The touched weights of a run, in steps. */
struct touched_run {
    uint32_t touched[RUN_GROUPS];
    int16_t values[NETWORK_RUN_WEIGHTS + 1]; /* the last one is read but not used */
};

struct worker_scratch {
    struct touched_run runs[2]; /* of the last stages with an even and an odd number */
};

struct compact_builder {
    struct packed_network *compact;
    struct worker_scratch *scratch; /* one for each worker */
    uint64_t n_values;              /* allocated */
    atomic_uint_fast64_t n_used;
    atomic_bool unsuited;                     /* use network_load() instead, whatever the status */
    _Atomic int32_t step;                     /* 0: not known yet */
    _Atomic float largest[PACKED_MAX_TABLES]; /* sizes in steps: of large tables, then of small ones */
};

/* Ends reading; no message, since it is not a failure. */
static enum status give_up(struct compact_builder *builder)
{
    atomic_store(&builder->unsuited, true);
    return STATUS_INVALID;
}

static void place_tables(struct packed_network *compact)
{
    uint64_t n_large = 0, n_small = 0; /* weights */
    for (unsigned t = 0; t < compact->network->n_tables; t++) {
        const struct network_table *from = &compact->network->tables[t];
        bool is_large = from->n_weights > LOOKUP_CACHED_WEIGHTS;
        uint64_t *n = is_large ? &n_large : &n_small;
        struct compact_table *table =
            is_large ? &compact->large[compact->n_large++] : &compact->small[compact->n_small++];
        *table = (struct compact_table){
            .mask = from->mask, .first = (uint32_t)*n, .offset = from->offset, .n_weights = from->n_weights};
        *n += from->n_weights;
    }
    compact->n_stage_entries = n_large / COMPACT_GROUP;
    compact->n_stage_words = n_small;
}

/* The most values possible: value 0 means no weight, and promotion copies a touched weight at most once. 0: too
   many. */
static uint64_t count_most_values(const struct network_info *info)
{
    uint64_t n_values = 1;
    for (unsigned stage = 0; stage < info->spec.stages.n_stages; stage++) {
        if (info->touched[stage] > info->n_weights)
            return 0;
        n_values += (info->spec.promote ? 2 : 1) * info->touched[stage];
    }
    return n_values < INT32_MAX ? n_values : 0;
}

static enum status allocate(struct compact_builder *builder, const char *name, unsigned n_workers)
{
    struct packed_network *compact = builder->compact;
    uint64_t n_stages = compact->network->spec.stages.n_stages;
    /* One more than needed, so that no block is empty if all tables are small or all are large. */
    uint64_t entry_bytes = (n_stages * compact->n_stage_entries + 1) * sizeof(struct compact_entry);
    uint64_t word_bytes = (n_stages * compact->n_stage_words + 1) * sizeof(int32_t);
    uint64_t value_bytes = builder->n_values * sizeof(int16_t);
    enum status status = memory_check(entry_bytes + word_bytes + value_bytes, name); /* at most */
    if (status)
        return status;
    status = memory_block_allocate(&compact->entries, entry_bytes);
    if (status)
        return status;
    status = memory_block_allocate(&compact->words, word_bytes);
    if (status)
        return status;
    status = memory_block_allocate(&compact->values, value_bytes);
    if (status)
        return status;
    builder->scratch = memory_allocate(n_workers, sizeof *builder->scratch);
    return builder->scratch ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status begin(void *context, const struct network_info *info, const char *name, unsigned n_workers)
{
    struct compact_builder *builder = context;
    struct packed_network *compact = builder->compact;
    enum status status = network_plan(&compact->network, &info->spec);
    if (status)
        return status;
    builder->n_values = count_most_values(info);
    if (info->precision != NETWORK_STEPS || !packed_suits(compact->network) || builder->n_values == 0)
        return give_up(builder);
    atomic_store(&builder->n_used, 1);
    compact->n_lookups = compact->network->n_lookups;
    compact->evaluate_batch = compact_network_evaluate;
    place_tables(compact);
    return allocate(builder, name, n_workers);
}

/* The step of the first run that has touched weights is that of all. */
static bool agree_on_step(struct compact_builder *builder, int32_t step)
{
    int32_t known = 0;
    return atomic_compare_exchange_strong(&builder->step, &known, step) || known == step;
}

static bool is_whole(float number)
{
    return fabsf(number) < PACKED_MAX_SUM && number == rintf(number);
}

static void read_bitmap(const uint8_t *bitmap, uint32_t n, uint32_t *touched)
{
    for (uint32_t i = 0; i < n / 32; i++)
        touched[i] = bytes_load_u32(bitmap + 4 * i);
    if (n % 32)
        touched[n / 32] = 0;
    for (uint32_t i = n / 32 * 4; i < (n + 7) / 8; i++)
        touched[i / 4] |= (uint32_t)bitmap[i] << 8 * (i % 4);
}

/* Reads a run; *largest is the size of its largest weight in steps. False: it does not suit. */
static bool read_run(struct compact_builder *builder, const struct weight_steps *steps, uint32_t n,
                     struct touched_run *out, float *largest)
{
    *largest = 0;
    read_bitmap(steps->bitmap, n, out->touched);
    if (steps->n_touched == 0)
        return true;
    if (!is_whole(steps->low) || !is_whole(steps->step) || steps->step < 1)
        return false;
    int32_t step = (int32_t)steps->step, low = (int32_t)steps->low / step, most = 0;
    if (low * step != (int32_t)steps->low || !agree_on_step(builder, step))
        return false;
    for (uint32_t i = 0; i < steps->n_touched; i++) {
        int32_t value = low + weight_steps_count(steps, i), size = value < 0 ? -value : value;
        out->values[i] = (int16_t)value;
        most = size > most ? size : most;
    }
    *largest = (float)most;
    return most <= INT16_MAX;
}

/* A word for each touched weight of a small table. */
static void set_words(const struct touched_run *run, uint32_t n, int32_t *words)
{
    const int16_t *value = run->values;
    for (uint32_t group = 0; group * COMPACT_GROUP < n; group++)
        for (uint32_t left = run->touched[group]; left; left &= left - 1)
            words[group * COMPACT_GROUP + (unsigned)__builtin_ctz(left)] = word_make(*value++, true);
}

/* A run of a large table: its groups in this stage and in the one before. */
struct merge {
    const struct touched_run *own, *before; /* before may be NULL */
    struct compact_entry *entries;
    const struct compact_entry *entries_before;
    uint32_t n_groups;
};

/* Whether a group has nothing of its own, and the stage before has just its own weights there. */
static bool is_shared(const struct merge *merge, uint32_t group, uint32_t before)
{
    return merge->own->touched[group] == 0 && before != 0 && merge->entries_before[group].touched == before;
}

static uint32_t touched_before(const struct merge *merge, uint32_t group)
{
    return merge->before ? merge->before->touched[group] : 0;
}

static uint64_t count_values(const struct merge *merge)
{
    uint64_t n = 0;
    for (uint32_t group = 0; group < merge->n_groups; group++) {
        uint32_t before = touched_before(merge, group);
        if (!is_shared(merge, group, before))
            n += (unsigned)__builtin_popcount(merge->own->touched[group] | before);
    }
    return n;
}

/* The values of one group: its own, and between them those from the stage before. Without branches, which would be
   unpredictable; so it may read one value beyond the last. */
static int16_t *merge_values(uint32_t own, const int16_t *own_value, uint32_t before, const int16_t *before_value,
                             int16_t *out)
{
    for (uint32_t left = own | before; left; left &= left - 1) {
        int bit = __builtin_ctz(left), is_own = own >> bit & 1, is_before = before >> bit & 1;
        *out++ = (int16_t)((*own_value & -is_own) | (*before_value & ~-is_own));
        own_value += is_own;
        before_value += is_before;
    }
    return out;
}

static void merge_groups(const struct merge *merge, int16_t *values, uint32_t next)
{
    const int16_t *own_value = merge->own->values, *before_value = merge->before->values;
    int16_t *out = values + next;
    for (uint32_t group = 0; group < merge->n_groups; group++) {
        uint32_t own = merge->own->touched[group], before = merge->before->touched[group];
        if (is_shared(merge, group, before)) {
            merge->entries[group] = merge->entries_before[group];
        } else if (own | before) { /* pages of entries that hold only zeros stay unmapped */
            merge->entries[group] = (struct compact_entry){own | before, (uint32_t)(out - values) - 1};
            out = merge_values(own, own_value, before, before_value, out);
        }
        own_value += __builtin_popcount(own);
        before_value += __builtin_popcount(before);
    }
}

/* The same without a stage before. */
static void set_groups(const struct merge *merge, int16_t *values, uint32_t next, uint64_t n)
{
    memcpy(values + next, merge->own->values, n * sizeof *values);
    for (uint32_t group = 0; group < merge->n_groups; group++) {
        uint32_t own = merge->own->touched[group];
        if (own)
            merge->entries[group] = (struct compact_entry){own, next - 1};
        next += (uint32_t)__builtin_popcount(own);
    }
}

static enum status take_large(struct compact_builder *builder, const struct network_run *run,
                              const struct compact_table *table, const struct touched_run *own,
                              const struct touched_run *before)
{
    struct packed_network *compact = builder->compact;
    uint64_t first = (table->first + (run->first - table->offset)) / COMPACT_GROUP;
    struct merge merge = {.own = own,
                          .before = before,
                          .entries = compact_stage_entries(compact, run->stage) + first,
                          .n_groups = run->n / COMPACT_GROUP};
    merge.entries_before = before ? merge.entries - compact->n_stage_entries : NULL;
    uint64_t n = count_values(&merge), next = atomic_fetch_add(&builder->n_used, n);
    if (next + n > builder->n_values) /* more than the header says */
        return give_up(builder);
    if (before)
        merge_groups(&merge, compact->values.data, (uint32_t)next);
    else
        set_groups(&merge, compact->values.data, (uint32_t)next, n);
    return STATUS_OK;
}

static void take_small(struct compact_builder *builder, const struct network_run *run,
                       const struct compact_table *table, const struct touched_run *own,
                       const struct touched_run *before)
{
    int32_t *words = compact_stage_words(builder->compact, run->stage) + table->first;
    if (before)
        set_words(before, run->n, words);
    set_words(own, run->n, words);
}

static const struct compact_table *find_table(const struct compact_table *tables, unsigned n, uint64_t weight)
{
    for (unsigned t = 0; t < n; t++)
        if (weight - tables[t].offset < tables[t].n_weights)
            return &tables[t];
    return NULL;
}

static enum status take(void *context, unsigned worker, const struct network_run *run, const uint8_t *packed,
                        size_t bytes)
{
    struct compact_builder *builder = context;
    struct packed_network *compact = builder->compact;
    struct touched_run *runs = builder->scratch[worker].runs, *own = &runs[run->stage % 2];
    const struct touched_run *before =
        compact->network->spec.promote && run->stage > 0 ? &runs[(run->stage - 1) % 2] : NULL;
    struct weight_steps steps;
    bool in_steps;
    float largest;
    enum status status = weight_steps_open(&steps, &in_steps, packed, bytes, run->n);
    if (status)
        return status;
    if (!in_steps || !read_run(builder, &steps, run->n, own, &largest))
        return give_up(builder);
    const struct compact_table *table = find_table(compact->large, compact->n_large, run->first);
    if (table) {
        packed_raise(&builder->largest[table - compact->large], largest);
        return take_large(builder, run, table, own, before);
    }
    table = find_table(compact->small, compact->n_small, run->first);
    packed_raise(&builder->largest[compact->n_large + (unsigned)(table - compact->small)], largest);
    take_small(builder, run, table, own, before);
    return STATUS_OK;
}

static enum status load(struct packed_network **out, const struct network_source *source, FILE *progress)
{
    *out = NULL;
    struct packed_network *compact = memory_allocate(1, sizeof *compact);
    if (!compact)
        return STATUS_NO_MEMORY;
    struct compact_builder builder = {.compact = compact};
    struct weight_sink sink = {.context = &builder, .begin = begin, .take = take};
    enum status status = network_file_read(source, &sink, NULL, progress);
    bool suits = !atomic_load(&builder.unsuited);
    free(builder.scratch);
    compact->step = atomic_load(&builder.step);
    if (!status && suits && packed_sums_fit(compact->network, builder.largest, (float)compact->step))
        *out = compact;
    else
        packed_network_free(compact);
    return suits ? status : STATUS_OK;
}

enum status compact_network_load(struct packed_network **out, const char *path, FILE *progress)
{
    return load(out, &(struct network_source){.name = path}, progress);
}

enum status compact_network_load_memory(struct packed_network **out, const void *data, size_t bytes, const char *name)
{
    return load(out, &(struct network_source){name, data, bytes}, NULL);
}
