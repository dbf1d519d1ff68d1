/*
 * api_weights: networks in their forms, and the weights of n-tuple networks out and in.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "base/memory.h"
#include "study/ntuple_arrays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)AS_MAX_TUPLES == SHAPE_MAX_TUPLES && (int)AS_MAX_TUPLE_CELLS == TUPLE_MAX_CELLS &&
                   (int)AS_STAGES_BYTES == STAGES_TEXT_BYTES && (int)AS_MAX_VALUE + 1 == ENCODING_VALUES,
               "the public limits are the inner ones");

/* Wraps an n-tuple network as it was trained, which is then owned. */
static void take_weights(struct as_network *out, struct network *network)
{
    out->weights = network;
    out->evaluator = ntuple_evaluator(network);
}

static enum status load(struct as_network *out, const char *path, enum as_network_form form)
{
    struct network *network = NULL;
    enum status status = form == AS_NETWORK_WEIGHTS ? ntuple_load(&network, path) : STATUS_OK;
    if (status)
        return status;
    if (!network)
        return evaluator_load(&out->evaluator, path, form == AS_NETWORK_FAST ? LOAD_FAST : LOAD_COMPACT, NULL);
    take_weights(out, network);
    return STATUS_OK;
}

enum as_status as_network_load(struct as_network **out, const char *path, enum as_network_form form)
{
    if (out)
        *out = NULL;
    if (!out || !path)
        return api_fail_null("as_network_load");
    if ((unsigned)form > AS_NETWORK_WEIGHTS)
        return (enum as_status)status_fail(STATUS_USAGE, "as_network_load: form %u; expected 0 to %d", (unsigned)form,
                                           AS_NETWORK_WEIGHTS);
    struct as_network *network = memory_allocate(1, sizeof *network);
    if (!network)
        return AS_NO_MEMORY;
    enum status status = load(network, path, form);
    if (status) {
        free(network);
        return (enum as_status)status;
    }
    network->grid.grid = *network->evaluator.grid;
    *out = network;
    return AS_OK;
}

enum as_status as_network_open(struct as_network **out, const char *path)
{
    return as_network_load(out, path, AS_NETWORK_COMPACT);
}

/* Fills *to from the public spec, whose texts are ended first. */
static enum status read_spec(struct network_spec *to, struct as_ntuple_spec *spec)
{
    spec->encoding[AS_ENCODING_BYTES - 1] = spec->stages[AS_STAGES_BYTES - 1] = '\0';
    if (spec->n_tuples < 1 || spec->n_tuples > AS_MAX_TUPLES)
        return status_fail(STATUS_INVALID, "%u tuples; expected 1 to %d", spec->n_tuples, AS_MAX_TUPLES);
    if (!isfinite(spec->initial) || (spec->unseen_mean && spec->initial != 0))
        return status_fail(STATUS_INVALID, "weights that begin with %g%s", (double)spec->initial,
                           spec->unseen_mean ? "; expected 0 where unseen ones count as the mean" : "");
    enum status status = ntuple_spec_begin(to, spec->rows, spec->cols, spec->encoding, spec->stages);
    for (unsigned i = 0; i < spec->n_tuples && !status; i++)
        status = ntuple_spec_add_tuple(to, spec->cells[i], spec->n_cells[i]);
    to->promote = spec->promote != 0;
    to->unseen_mean = spec->unseen_mean != 0;
    to->initial = spec->initial;
    return status;
}

enum as_status as_network_create(struct as_network **out, const struct as_ntuple_spec *spec)
{
    struct as_ntuple_spec taken;
    struct network_spec inner;
    struct network *weights = NULL;
    if (out)
        *out = NULL;
    if (!out || !spec)
        return api_fail_null("as_network_create");
    enum status status = api_take_settings(&taken, sizeof taken, spec, "as_network_create");
    if (status)
        return (enum as_status)status_context(status, "as_network_create");
    status = read_spec(&inner, &taken);
    if (status)
        return (enum as_status)status_context(status, "as_network_create");
    status = network_create(&weights, &inner);
    if (status)
        return (enum as_status)status_context(status, "as_network_create");
    struct as_network *network = memory_allocate(1, sizeof *network);
    if (!network) {
        network_free(weights);
        return AS_NO_MEMORY;
    }
    take_weights(network, weights);
    network->grid.grid = *network->evaluator.grid;
    *out = network;
    return AS_OK;
}

static enum status check_form(const struct as_network *network, const char *function)
{
    if (!network)
        return status_fail(STATUS_USAGE, "%s: an argument is NULL", function);
    return network->weights ? STATUS_OK
                            : status_fail(STATUS_USAGE,
                                          "%s: not an n-tuple network that was loaded with its weights "
                                          "(AS_NETWORK_WEIGHTS)",
                                          function);
}

enum as_status as_network_get_spec(const struct as_network *network, struct as_ntuple_spec *spec, unsigned *n_stages,
                                   unsigned *n_tables)
{
    static const char function[] = "as_network_get_spec";
    struct as_ntuple_spec filled;
    if (!spec)
        return api_fail_null(function);
    enum status status = check_form(network, function);
    if (!status && (spec->size < sizeof spec->size || spec->size > API_MAX_SETTINGS_BYTES))
        status =
            status_fail(STATUS_USAGE, "%s: the size of the spec is %zu; expected its sizeof", function, spec->size);
    if (status)
        return (enum as_status)status;
    const struct network_spec *inner = &network->weights->spec;
    filled = (struct as_ntuple_spec){.size = spec->size,
                                     .rows = inner->rows,
                                     .cols = inner->cols,
                                     .n_tuples = inner->shape.n_tuples,
                                     .promote = inner->promote,
                                     .unseen_mean = inner->unseen_mean,
                                     .initial = inner->initial};
    for (unsigned i = 0; i < filled.n_tuples; i++) {
        filled.n_cells[i] = inner->shape.tuples[i].n_cells;
        memcpy(filled.cells[i], inner->shape.tuples[i].cells, filled.n_cells[i]);
    }
    encoding_text(&inner->encoding, filled.encoding);
    stages_text(&inner->stages, filled.stages);
    memcpy(spec, &filled, spec->size < sizeof filled ? spec->size : sizeof filled);
    if (n_stages)
        *n_stages = inner->stages.n_stages;
    if (n_tables)
        *n_tables = network->weights->n_tables;
    return AS_OK;
}

static enum status check_table(const struct as_network *network, unsigned stage, unsigned table, const void *argument,
                               const char *function)
{
    enum status status = check_form(network, function);
    if (status)
        return status;
    if (!argument)
        return status_fail(STATUS_USAGE, "%s: an argument is NULL", function);
    if (stage >= network->weights->spec.stages.n_stages || table >= network->weights->n_tables)
        status = status_fail(STATUS_USAGE, "%s: table %u of stage %u; there are %u tables in %u stages", function,
                             table, stage, network->weights->n_tables, network->weights->spec.stages.n_stages);
    return status;
}

enum as_status as_network_get_table(const struct as_network *network, unsigned table, struct as_ntuple_table *about)
{
    enum status status = check_table(network, 0, table, about, "as_network_get_table");
    if (status)
        return (enum as_status)status;
    const struct network_table *inner = &network->weights->tables[table];
    const struct tuple *tuple = &network->weights->spec.shape.tuples[inner->tuple];
    const struct value_range *range = &network->weights->spec.encoding.ranges[inner->range];
    *about = (struct as_ntuple_table){.tuple = inner->tuple,
                                      .range = inner->range,
                                      .n_cells = tuple->n_cells,
                                      .n_digits = range->n_digits,
                                      .n_weights = inner->n_weights};
    memcpy(about->cells, tuple->cells, tuple->n_cells);
    memcpy(about->digit, range->digit, sizeof about->digit);
    return AS_OK;
}

enum as_status as_network_get_weights(const struct as_network *network, unsigned stage, unsigned table, float *weights)
{
    enum status status = check_table(network, stage, table, weights, "as_network_get_weights");
    if (status)
        return (enum as_status)status;
    ntuple_get_table(network->weights, stage, &network->weights->tables[table], weights);
    return AS_OK;
}

enum as_status as_network_set_weights(struct as_network *network, unsigned stage, unsigned table, const float *weights)
{
    enum status status = check_table(network, stage, table, weights, "as_network_set_weights");
    if (status)
        return (enum as_status)status;
    uint32_t n = network->weights->tables[table].n_weights;
    for (uint32_t i = 0; i < n; i++)
        if (!isfinite(weights[i]))
            return (enum as_status)status_fail(STATUS_INVALID, "as_network_set_weights: weight %u is %g", i,
                                               (double)weights[i]);
    ntuple_put_table(network->weights, stage, &network->weights->tables[table], weights);
    return AS_OK;
}

enum as_status as_network_save(const struct as_network *network, const char *path)
{
    if (!path)
        return api_fail_null("as_network_save");
    enum status status = check_form(network, "as_network_save");
    if (status)
        return (enum as_status)status;
    status = ntuple_save(network->weights, path, "weights set through the library");
    return (enum as_status)status;
}

enum as_status as_network_export(const char *network_path, const char *npz_path)
{
    if (!network_path || !npz_path)
        return api_fail_null("as_network_export");
    return (enum as_status)network_file_to_npz(network_path, npz_path);
}

enum as_status as_network_import(const char *npz_path, const char *like_path, const char *network_path)
{
    if (!npz_path || !like_path || !network_path)
        return api_fail_null("as_network_import");
    return (enum as_status)network_file_from_npz(npz_path, like_path, network_path);
}
