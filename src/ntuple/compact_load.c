/*
 * Making a compact network from the runs of a file. A worker gets the runs of one place stage by stage, and keeps the
 * touched weights of the stage before at hand for promotion. Values go wherever the next free place is, so their order
 * differs from one loading to the next; nothing depends on it.
 */
#include "base/bytes.h"
#include "ntuple/compact_form.h"
#include "ntuple/compact_network.h"
#include "ntuple/lookup.h"
#include "ntuple/network_file.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { RUN_GROUPS = NETWORK_RUN_WEIGHTS / COMPACT_GROUP };
_Static_assert(NETWORK_RUN_WEIGHTS % COMPACT_GROUP == 0, "a run is made of whole groups, or is a small table");

/* The touched weights of a run, in steps. */
struct piece {
    uint32_t touched[RUN_GROUPS];
    int16_t values[NETWORK_RUN_WEIGHTS + 1]; /* one more that is read and not used */
};

/* What a worker has before it. */
struct desk {
    struct piece pieces[2]; /* of stages with even and with odd numbers */
};

struct making {
    struct compact_network *compact;
    struct desk *desks;
    uint64_t n_places; /* of values */
    atomic_uint_fast64_t n_used;
    atomic_bool unsuited;                        /* the file is left to network_load(), whatever the status */
    _Atomic int32_t step;                        /* 0: not known yet */
    _Atomic int32_t largest[COMPACT_MAX_TABLES]; /* sizes in steps: of large tables, then of small ones */
};

/* Ends the reading. The message is never seen. */
static enum status give_up(struct making *making)
{
    atomic_store(&making->unsuited, true);
    return STATUS_INVALID;
}

/* ---- before the first run -----------------------------------------------------------------------------------------
 */

static bool is_of_kind(const struct network_info *info, const struct network *plan)
{
    return info->precision == NETWORK_STEPS && plan->direct && plan->n_symmetries == 8 && info->spec.initial == 0 &&
           plan->n_tables <= COMPACT_MAX_TABLES;
}

static void place_tables(struct compact_network *compact)
{
    uint64_t n_large = 0, n_small = 0; /* weights */
    for (unsigned t = 0; t < compact->plan->n_tables; t++) {
        const struct network_table *from = &compact->plan->tables[t];
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

/* At most: place 0 is nobody's, and promotion copies a touched weight once. 0: nobody could number them. */
static uint64_t count_places(const struct network_info *info)
{
    uint64_t n_places = 1;
    for (unsigned stage = 0; stage < info->spec.stages.n_stages; stage++) {
        if (info->touched[stage] > info->n_weights)
            return 0;
        n_places += (info->spec.promote ? 2 : 1) * info->touched[stage];
    }
    return n_places < INT32_MAX ? n_places : 0;
}

static enum status take_memory(struct making *making, const char *name, unsigned n_workers)
{
    struct compact_network *compact = making->compact;
    uint64_t n_stages = compact->plan->spec.stages.n_stages;
    /* One more than needed: there are always blocks to point into, also where all tables are small or all are large. */
    uint64_t entry_bytes = (n_stages * compact->n_stage_entries + 1) * sizeof(struct compact_entry);
    uint64_t word_bytes = (n_stages * compact->n_stage_words + 1) * sizeof(int32_t);
    uint64_t value_bytes = making->n_places * sizeof(int16_t);
    enum status status = network_check_memory(entry_bytes + word_bytes + value_bytes, name); /* at most */
    if (!status)
        status = memory_block_allocate(&compact->entries, entry_bytes);
    if (!status)
        status = memory_block_allocate(&compact->words, word_bytes);
    if (!status)
        status = memory_block_allocate(&compact->values, value_bytes);
    if (!status && !(making->desks = memory_allocate(n_workers, sizeof *making->desks)))
        status = STATUS_NO_MEMORY;
    return status;
}

static enum status begin(void *context, const struct network_info *info, const char *name, unsigned n_workers)
{
    struct making *making = context;
    struct compact_network *compact = making->compact;
    enum status status = network_plan(&compact->plan, &info->spec);
    if (status)
        return status;
    making->n_places = count_places(info);
    if (!is_of_kind(info, compact->plan) || making->n_places == 0)
        return give_up(making);
    atomic_store(&making->n_used, 1);
    place_tables(compact);
    return take_memory(making, name, n_workers);
}

/* ---- a run --------------------------------------------------------------------------------------------------------
 */

/* The step of the first run that has touched weights is that of all. */
static bool agree_on_step(struct making *making, int32_t step)
{
    int32_t known = 0;
    return atomic_compare_exchange_strong(&making->step, &known, step) || known == step;
}

static bool is_whole(float number)
{
    return fabsf(number) < COMPACT_MAX_SUM && number == rintf(number);
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

/* Fills the piece with a run; *largest is raised to its largest size in steps. False: it does not suit. */
static bool read_piece(struct making *making, const struct weight_steps *steps, uint32_t n, struct piece *piece,
                       int32_t *largest)
{
    read_bitmap(steps->bitmap, n, piece->touched);
    if (steps->n_touched == 0)
        return true;
    if (!is_whole(steps->low) || !is_whole(steps->step) || steps->step < 1)
        return false;
    int32_t step = (int32_t)steps->step, low = (int32_t)steps->low / step, most = 0;
    if (low * step != (int32_t)steps->low || !agree_on_step(making, step))
        return false;
    for (uint32_t i = 0; i < steps->n_touched; i++) {
        int32_t value = low + weight_steps_count(steps, i), size = value < 0 ? -value : value;
        piece->values[i] = (int16_t)value;
        most = size > most ? size : most;
    }
    *largest = most > *largest ? most : *largest;
    return most <= INT16_MAX;
}

/* A word for each touched weight of a small table. */
static void set_words(const struct piece *piece, uint32_t n, int32_t *words)
{
    const int16_t *value = piece->values;
    for (uint32_t group = 0; group * COMPACT_GROUP < n; group++)
        for (uint32_t left = piece->touched[group]; left; left &= left - 1)
            words[group * COMPACT_GROUP + (unsigned)__builtin_ctz(left)] = *value++ * (1 << COMPACT_COUNT_BITS) + 1;
}

/* A run of a large table on its way: its groups in this stage and in the one before. */
struct merge {
    const struct piece *own, *before; /* before may be NULL */
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

/* The values of one group: its own, and between them those that it takes from before. Without a branch, since nothing
   says which comes next; so it may look at one value behind the last. */
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

static void merge_groups(const struct merge *merge, int16_t *values, uint32_t place)
{
    const int16_t *own_value = merge->own->values, *before_value = merge->before->values;
    int16_t *out = values + place;
    for (uint32_t group = 0; group < merge->n_groups; group++) {
        uint32_t own = merge->own->touched[group], before = merge->before->touched[group];
        if (is_shared(merge, group, before)) {
            merge->entries[group] = merge->entries_before[group];
        } else if (own | before) { /* pages of entries that hold nothing stay untaken */
            merge->entries[group] = (struct compact_entry){own | before, (uint32_t)(out - values) - 1};
            out = merge_values(own, own_value, before, before_value, out);
        }
        own_value += __builtin_popcount(own);
        before_value += __builtin_popcount(before);
    }
}

/* The same where there is nothing before. */
static void set_groups(const struct merge *merge, int16_t *values, uint32_t place, uint64_t n)
{
    memcpy(values + place, merge->own->values, n * sizeof *values);
    for (uint32_t group = 0; group < merge->n_groups; group++) {
        uint32_t own = merge->own->touched[group];
        if (own)
            merge->entries[group] = (struct compact_entry){own, place - 1};
        place += (uint32_t)__builtin_popcount(own);
    }
}

static enum status take_large(struct making *making, const struct network_run *run, const struct compact_table *table,
                              const struct piece *own, const struct piece *before)
{
    struct compact_network *compact = making->compact;
    uint64_t first = (table->first + (run->first - table->offset)) / COMPACT_GROUP;
    struct merge merge = {.own = own,
                          .before = before,
                          .entries = compact_stage_entries(compact, run->stage) + first,
                          .n_groups = run->n / COMPACT_GROUP};
    merge.entries_before = before ? merge.entries - compact->n_stage_entries : NULL;
    uint64_t n = count_values(&merge), place = atomic_fetch_add(&making->n_used, n);
    if (place + n > making->n_places) /* more than the header says */
        return give_up(making);
    if (before)
        merge_groups(&merge, compact->values.data, (uint32_t)place);
    else
        set_groups(&merge, compact->values.data, (uint32_t)place, n);
    return STATUS_OK;
}

static void take_small(struct making *making, const struct network_run *run, const struct compact_table *table,
                       const struct piece *own, const struct piece *before)
{
    int32_t *words = compact_stage_words(making->compact, run->stage) + table->first;
    if (before)
        set_words(before, run->n, words);
    set_words(own, run->n, words);
}

static const struct compact_table *find_table(const struct compact_table *tables, unsigned n, uint64_t place)
{
    for (unsigned t = 0; t < n; t++)
        if (place - tables[t].offset < tables[t].n_weights)
            return &tables[t];
    return NULL;
}

static void raise_to(_Atomic int32_t *largest, int32_t size)
{
    int32_t was = atomic_load(largest);
    while (size > was && !atomic_compare_exchange_weak(largest, &was, size))
        ;
}

static enum status take(void *context, unsigned worker, const struct network_run *run, const uint8_t *packed,
                        size_t bytes)
{
    struct making *making = context;
    struct compact_network *compact = making->compact;
    struct piece *pieces = making->desks[worker].pieces;
    struct piece *own = &pieces[run->stage % 2];
    const struct piece *before = compact->plan->spec.promote && run->stage > 0 ? &pieces[(run->stage - 1) % 2] : NULL;
    struct weight_steps steps;
    bool in_steps;
    int32_t largest = 0;
    enum status status = weight_steps_open(&steps, &in_steps, packed, bytes, run->n);
    if (status)
        return status;
    if (!in_steps || !read_piece(making, &steps, run->n, own, &largest))
        return give_up(making);
    const struct compact_table *table = find_table(compact->large, compact->n_large, run->first);
    if (table) {
        raise_to(&making->largest[table - compact->large], largest);
        return take_large(making, run, table, own, before);
    }
    table = find_table(compact->small, compact->n_small, run->first);
    raise_to(&making->largest[compact->n_large + (unsigned)(table - compact->small)], largest);
    take_small(making, run, table, own, before);
    return STATUS_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------------------------
 */

/* Whether no board's weights add up to more than floats add exactly. */
static bool sums_are_exact(const struct making *making)
{
    int64_t reach = 0;
    for (unsigned t = 0; t < making->compact->plan->n_tables; t++)
        reach += (int64_t)8 * atomic_load(&making->largest[t]) * atomic_load(&making->step);
    return reach < COMPACT_MAX_SUM;
}

static enum status start(struct making *making)
{
    *making = (struct making){.compact = memory_allocate(1, sizeof *making->compact)};
    return making->compact ? STATUS_OK : STATUS_NO_MEMORY;
}

static enum status end(struct making *making, enum status status, struct compact_network **out)
{
    bool suits = !atomic_load(&making->unsuited);
    free(making->desks);
    making->compact->step = atomic_load(&making->step);
    if (!status && suits && sums_are_exact(making))
        *out = making->compact;
    else
        compact_network_free(making->compact);
    return suits ? status : STATUS_OK;
}

enum status compact_network_load(struct compact_network **out, const char *path, struct progress *progress)
{
    struct making making;
    struct network_taker taker = {.context = &making, .begin = begin, .take = take};
    *out = NULL;
    enum status status = start(&making);
    return status ? status : end(&making, network_file_read(path, &taker, NULL, progress), out);
}

enum status compact_network_load_memory(struct compact_network **out, const void *data, size_t bytes, const char *name,
                                        struct progress *progress)
{
    struct making making;
    struct network_taker taker = {.context = &making, .begin = begin, .take = take};
    *out = NULL;
    enum status status = start(&making);
    return status ? status : end(&making, network_file_read_memory(data, bytes, name, &taker, NULL, progress), out);
}

void compact_network_free(struct compact_network *compact)
{
    if (!compact)
        return;
    memory_block_free(&compact->entries);
    memory_block_free(&compact->words);
    memory_block_free(&compact->values);
    network_free(compact->plan);
    free(compact);
}
