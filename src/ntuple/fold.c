/* fold: removes the redundant tuples of a network (redundant encoding, Jaskowski 2018) without changing its values. */
#include "ntuple/fold.h"

#include "base/memory.h"
#include "ntuple/rebuild.h"

#include <stdbool.h>
#include <stdlib.h>

/* Whether `whole` contains `part`: it is larger, or the first of two that are images of each other. */
static bool contains(const struct shape *shape, const struct grid *grid, unsigned whole, unsigned part,
                     unsigned *symmetry)
{
    unsigned whole_cells = shape->tuples[whole].n_cells, part_cells = shape->tuples[part].n_cells;
    if (whole_cells < part_cells || (whole_cells == part_cells && whole >= part))
        return false;
    for (*symmetry = 0; *symmetry < grid->n_symmetries; ++*symmetry)
        if (tuple_contains(grid, &shape->tuples[whole], *symmetry, &shape->tuples[part]))
            return true;
    return false;
}

/*
 * The largest container of a tuple is not folded itself: what contains it would also contain the tuple, and be larger
 * or earlier. So one pass over all pairs is enough.
 */
unsigned fold_targets(const struct shape *shape, const struct grid *grid, struct fold_target *target)
{
    unsigned n_stay = 0;
    for (unsigned part = 0; part < shape->n_tuples; part++) {
        target[part] = (struct fold_target){.into = (uint8_t)part};
        unsigned best_cells = 0, symmetry;
        for (unsigned whole = 0; whole < shape->n_tuples; whole++)
            if (shape->tuples[whole].n_cells > best_cells && contains(shape, grid, whole, part, &symmetry)) {
                best_cells = shape->tuples[whole].n_cells;
                target[part] = (struct fold_target){.into = (uint8_t)whole, .symmetry = (uint8_t)symmetry};
            }
        n_stay += target[part].into == part;
    }
    return n_stay;
}

/* The spec of the folded network, `initial` excepted. */
static struct network_spec fold_spec(const struct network_spec *spec, const struct grid *grid)
{
    struct fold_target target[SHAPE_MAX_TUPLES];
    struct network_spec folded = *spec;
    fold_targets(&spec->shape, grid, target);
    folded.shape = (struct shape){0};
    for (unsigned i = 0; i < spec->shape.n_tuples; i++)
        if (target[i].into == i)
            folded.shape.tuples[folded.shape.n_tuples++] = spec->shape.tuples[i];
    return folded;
}

/* What each cell of `whole` adds to the index of the old table, whose tuple is within that image; 0 for other cells. */
static void fill_parts(struct rebuild_source *source, const struct network *network, const struct tuple *whole,
                       unsigned symmetry)
{
    const struct network_table *table = &network->tables[source->from];
    const struct tuple *part = &network->spec.shape.tuples[table->tuple];
    for (unsigned i = 0; i < whole->n_cells; i++) {
        unsigned cell = network->grid.symmetry[symmetry][whole->cells[i]];
        for (unsigned k = 0; k < part->n_cells; k++)
            for (unsigned digit = 0; part->cells[k] == cell && digit < ENCODING_VALUES; digit++)
                source->part[i][digit] = network_cell_part(network, table, k, digit);
    }
}

/* A source for each old table: new tables in order, and for each the old tuples that are folded into it. */
static void list_sources(struct rebuild_plan *plan, const struct network *network, const struct fold_target *target)
{
    const struct network_spec *spec = &network->spec;
    unsigned n_ranges = spec->encoding.n_ranges, n_tuples = spec->shape.n_tuples, table = 0;
    for (unsigned whole = 0; whole < n_tuples; whole++) {
        if (target[whole].into != whole)
            continue;
        for (unsigned range = 0; range < n_ranges; range++, table++)
            for (unsigned part = 0; part < n_tuples; part++) {
                if (target[part].into != whole)
                    continue;
                struct rebuild_source *source = &plan->sources[plan->n_sources++];
                source->table = (uint8_t)table;
                source->from = (uint8_t)(part * n_ranges + range);
                fill_parts(source, network, &spec->shape.tuples[whole], target[part].symmetry);
            }
    }
}

enum status fold_plan_make(struct rebuild_plan *plan, const struct network *network)
{
    struct fold_target target[SHAPE_MAX_TUPLES];
    fold_targets(&network->spec.shape, &network->grid, target);
    *plan = (struct rebuild_plan){
        .title = "fold", .name = "the folded network", .spec = fold_spec(&network->spec, &network->grid)};
    for (unsigned stage = 0; stage < STAGES_MAX; stage++)
        plan->stage[stage] = (uint8_t)stage;
    plan->sources = memory_allocate(network->n_tables, sizeof *plan->sources);
    if (!plan->sources)
        return STATUS_NO_MEMORY;
    list_sources(plan, network, target);
    return STATUS_OK;
}

enum status network_fold(struct network **out, const struct network *network, FILE *progress)
{
    *out = NULL;
    struct rebuild_plan plan;
    enum status status = fold_plan_make(&plan, network);
    if (status)
        return status;
    if (network->spec.unseen_mean && plan.spec.shape.n_tuples < network->spec.shape.n_tuples)
        status = status_fail(STATUS_INVALID, "a network whose unseen weights count as the mean of the others cannot be "
                                             "folded: an unseen weight of a large tuple would become seen by adding "
                                             "that of a small one");
    if (!status)
        status = rebuild_network(out, network, &plan, progress);
    free(plan.sources);
    return status;
}
