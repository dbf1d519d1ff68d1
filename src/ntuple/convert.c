/* convert: gives a network other stages, promotion or more cell values, and the same values. */
#include "ntuple/convert.h"

#include "base/memory.h"
#include "ntuple/rebuild.h"

#include <stdlib.h>
#include <string.h>

/* The spec of the new network, `initial` excepted. */
static enum status convert_spec(const struct network_spec *spec, const struct network_conversion *conversion,
                                struct network_spec *converted)
{
    uint8_t stage[STAGES_MAX];
    char from[256], to[256];
    *converted = *spec;
    converted->stages = conversion->stages;
    converted->promote = conversion->promote;
    if (!stages_map(&spec->stages, &conversion->stages, stage))
        return status_fail(STATUS_INVALID,
                           "stages '%s' cannot become '%s': each new stage has to be a part of one old stage",
                           stages_text(&spec->stages, from), stages_text(&conversion->stages, to));
    if (conversion->n_values == 0)
        return STATUS_OK;
    if (!encoding_is_plain(&spec->encoding))
        return status_fail(STATUS_INVALID, "only a plain encoding can have more cell values, this one is '%s'",
                           encoding_text(&spec->encoding, from));
    if (conversion->n_values < spec->encoding.ranges[0].n_digits)
        return status_fail(STATUS_INVALID, "%u cell values are fewer than the %d of the network", conversion->n_values,
                           spec->encoding.ranges[0].n_digits);
    return encoding_plain(&converted->encoding, conversion->n_values);
}

/* Each table has one source, itself; a new digit maps to the one that it was clamped to. */
static void list_sources(struct rebuild_plan *plan, const struct network *network)
{
    for (unsigned t = 0; t < network->n_tables; t++) {
        struct rebuild_source *source = &plan->sources[plan->n_sources++];
        const struct network_table *table = &network->tables[t];
        unsigned n_old = network->spec.encoding.ranges[table->range].n_digits;
        unsigned n_new = plan->spec.encoding.ranges[table->range].n_digits;
        source->table = source->from = (uint8_t)t;
        for (unsigned i = 0; i < network->spec.shape.tuples[table->tuple].n_cells; i++)
            for (unsigned digit = 0; digit < n_new; digit++)
                source->part[i][digit] = network_cell_part(network, table, i, digit < n_old ? digit : n_old - 1);
    }
}

enum status network_convert(struct network **out, const struct network *network,
                            const struct network_conversion *conversion, FILE *progress)
{
    *out = NULL;
    struct rebuild_plan plan = {.title = "convert", .name = "the converted network"};
    enum status status = convert_spec(&network->spec, conversion, &plan.spec);
    if (status)
        return status;
    stages_map(&network->spec.stages, &conversion->stages, plan.stage);
    plan.sources = memory_allocate(network->n_tables, sizeof *plan.sources);
    if (!plan.sources)
        return STATUS_NO_MEMORY;
    list_sources(&plan, network);
    status = rebuild_network(out, network, &plan, progress);
    free(plan.sources);
    return status;
}
