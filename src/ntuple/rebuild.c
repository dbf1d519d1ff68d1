/* rebuild: builds a network whose tables are sums of another one's tables. */
#include "ntuple/rebuild.h"

#include "base/memory.h"
#include "base/workers.h"
#include "ntuple/compare.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>

enum { RUN_WEIGHTS = 1 << 18 };

struct rebuild {
    const struct network *old;
    struct network *new;
    const struct rebuild_plan *plan;
    unsigned stage, table; /* of the present pass */
    const struct rebuild_source *sources;
    unsigned n_sources; /* of the table */
    struct progress progress;
    uint64_t n_before;           /* weights of the passes before */
    atomic_uint_fast64_t n_done; /* of this pass */
};

/*
 * What is stored for a weight of that value. If the network promotes, a weight equal to that of the stage before is
 * stored as untouched, and another one that equals `initial` is moved by one unit in the last place.
 */
static float stored_weight(const struct network *network, unsigned stage, uint64_t index, float value)
{
    if (!network->spec.promote || stage == 0)
        return value;
    float before = network->weights[(stage - 1) * network->n_stage_weights + index];
    if (value == before)
        return network->spec.initial;
    return value == network->spec.initial ? nextafterf(value, INFINITY) : value;
}

static enum status fill_run(void *context, unsigned worker, uint64_t item)
{
    struct rebuild *rebuild = context;
    const struct network *old = rebuild->old;
    struct network *new = rebuild->new;
    const struct network_table *table = &new->tables[rebuild->table];
    unsigned n_cells = new->spec.shape.tuples[table->tuple].n_cells;
    unsigned old_stage = rebuild->plan->stage[rebuild->stage];
    double shift = (double)new->spec.initial - (double)old->spec.initial * rebuild->n_sources;

    uint32_t first = (uint32_t)(item * RUN_WEIGHTS);
    uint32_t end = table->n_weights - first < RUN_WEIGHTS ? table->n_weights : first + RUN_WEIGHTS;
    for (uint32_t i = first; i < end; i++) {
        uint8_t digit[TUPLE_MAX_CELLS];
        for (unsigned k = 0; k < n_cells; k++)
            digit[k] = (uint8_t)network_cell_digit(new, table, k, i);
        double sum = shift;
        for (unsigned s = 0; s < rebuild->n_sources; s++) {
            const struct rebuild_source *source = &rebuild->sources[s];
            uint64_t index = old->tables[source->from].offset;
            for (unsigned k = 0; k < n_cells; k++)
                index += source->part[k][digit[k]];
            sum += (double)network_read(old, old_stage, index);
        }
        uint64_t index = (uint64_t)table->offset + i;
        new->weights[rebuild->stage * new->n_stage_weights + index] =
            stored_weight(new, rebuild->stage, index, (float)sum);
    }
    uint64_t n_done = atomic_fetch_add(&rebuild->n_done, end - first) + (end - first);
    if (worker == 0)
        progress_update(&rebuild->progress, (double)(rebuild->n_before + n_done) * sizeof(float), NULL);
    return STATUS_OK;
}

/* Table by table and stage by stage: the stage before must be complete. */
static enum status fill_all(struct rebuild *rebuild, struct workers *workers)
{
    const struct rebuild_plan *plan = rebuild->plan;
    for (unsigned stage = 0; stage < plan->spec.stages.n_stages; stage++) {
        unsigned next = 0; /* source */
        for (unsigned table = 0; table < rebuild->new->n_tables; table++) {
            uint32_t n_weights = rebuild->new->tables[table].n_weights;
            rebuild->stage = stage;
            rebuild->table = table;
            rebuild->sources = plan->sources + next;
            for (rebuild->n_sources = 0; next < plan->n_sources && plan->sources[next].table == table; next++)
                rebuild->n_sources++;
            assert(rebuild->n_sources > 0);
            atomic_store(&rebuild->n_done, 0);
            enum status status =
                workers_for(workers, ((uint64_t)n_weights + RUN_WEIGHTS - 1) / RUN_WEIGHTS, fill_run, rebuild);
            if (status)
                return status;
            rebuild->n_before += n_weights;
        }
    }
    return STATUS_OK;
}

enum status rebuild_network(struct network **out, const struct network *old, const struct rebuild_plan *plan,
                            FILE *progress)
{
    uint64_t n_weights, bytes;
    struct network_spec spec = plan->spec;
    unsigned n_tables = (unsigned)spec.shape.n_tuples * spec.encoding.n_ranges;
    struct workers *workers = NULL;
    *out = NULL;
    spec.initial = (float)((double)old->spec.initial * old->n_tables / n_tables);
    struct rebuild rebuild = {.old = old, .plan = plan};
    enum status status = network_measure(&spec, &n_weights, &bytes);
    if (status)
        return status;
    status = memory_check(bytes, "the new network");
    if (status)
        return status;
    status = network_create(&rebuild.new, &spec);
    if (status)
        return status;
    status = workers_create(&workers, 0);
    if (status)
        goto done;
    network_begin_progress(&rebuild.progress, progress, plan->title, n_weights);
    status = fill_all(&rebuild, workers);
    progress_end(&rebuild.progress, NULL);
    if (!status)
        status = network_check_same(old, rebuild.new, plan->name);
done:
    workers_free(workers);
    if (status)
        network_free(rebuild.new);
    else
        *out = rebuild.new;
    return status;
}
