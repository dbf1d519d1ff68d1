/* ntuple_arrays: the weights of n-tuple networks as plain arrays, for code that does not know their order in memory. */
#include "study/ntuple_arrays.h"

#include "base/memory.h"
#include "base/network_history.h"
#include "neural/neural_file.h"
#include "neural/neural_npz.h"
#include "neural/npz.h"
#include "ntuple/network_value.h"
#include "packed/network_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a network is ------------------------------------------------------------------------------------------ */

enum status ntuple_spec_begin(struct network_spec *spec, unsigned rows, unsigned cols, const char *encoding,
                              const char *stages)
{
    struct grid grid;
    *spec = (struct network_spec){.rows = (uint8_t)rows, .cols = (uint8_t)cols};
    enum status status = grid_create(&grid, rows, cols);
    if (status)
        return status;
    status = encoding_parse(&spec->encoding, &grid, encoding);
    grid_free(&grid);
    return status ? status : stages_parse(&spec->stages, stages);
}

enum status ntuple_spec_add_tuple(struct network_spec *spec, const uint8_t *cells, unsigned n_cells)
{
    char text[4 * TUPLE_MAX_CELLS + 1] = "";
    struct grid grid;
    if (n_cells < 1 || n_cells > TUPLE_MAX_CELLS)
        return status_fail(STATUS_INVALID, "a tuple of %u cells; expected 1 to %d", n_cells, TUPLE_MAX_CELLS);
    for (unsigned k = 0, n = 0; k < n_cells; k++) {
        if (k > 0 && cells[k] <= cells[k - 1])
            return status_fail(STATUS_INVALID, "cell %u follows cell %u in a tuple; expected ascending ones", cells[k],
                               cells[k - 1]);
        n += (unsigned)snprintf(text + n, sizeof text - n, "%s%u", k ? " " : "", cells[k]);
    }
    enum status status = grid_create(&grid, spec->rows, spec->cols);
    if (status)
        return status;
    status = shape_add_tuple(&spec->shape, &grid, text);
    grid_free(&grid);
    return status;
}

/* ---- one table -------------------------------------------------------------------------------------------------- */

/* Walks through a table in the order of its array; `at` is the index of the weight in the table. */
struct table_walk {
    unsigned n_cells, n_digits;
    uint32_t part[TUPLE_MAX_CELLS][ENCODING_VALUES]; /* what each digit of each cell adds */
    uint8_t digit[TUPLE_MAX_CELLS];
    uint32_t at;
};

static struct table_walk walk_begin(const struct network *network, const struct network_table *table)
{
    struct table_walk walk = {.n_cells = network->spec.shape.tuples[table->tuple].n_cells,
                              .n_digits = network->spec.encoding.ranges[table->range].n_digits};
    for (unsigned k = 0; k < walk.n_cells; k++)
        for (unsigned digit = 0; digit < walk.n_digits; digit++)
            walk.part[k][digit] = network_cell_part(network, table, k, digit);
    return walk;
}

static void walk_next(struct table_walk *walk)
{
    for (unsigned k = walk->n_cells; k-- > 0;) {
        uint32_t before = walk->part[k][walk->digit[k]];
        walk->digit[k] = (uint8_t)(walk->digit[k] + 1u == walk->n_digits ? 0 : walk->digit[k] + 1);
        walk->at += walk->part[k][walk->digit[k]] - before;
        if (walk->digit[k])
            return;
    }
}

void ntuple_get_table(const struct network *network, unsigned stage, const struct network_table *table, float *out)
{
    const float *cells = network_stage_cells(network, stage) + network->stride * table->offset;
    struct table_walk walk = walk_begin(network, table);
    for (uint32_t i = 0; i < table->n_weights; i++, walk_next(&walk))
        out[i] = cells[network->stride * walk.at];
}

/* Weights that stay as they are are not written: pages of zeros stay unmapped. */
void ntuple_put_table(struct network *network, unsigned stage, const struct network_table *table, const float *weights)
{
    float *cells = network_stage_cells(network, stage) + network->stride * table->offset;
    struct table_walk walk = walk_begin(network, table);
    for (uint32_t i = 0; i < table->n_weights; i++, walk_next(&walk))
        if (cells[network->stride * walk.at] != weights[i])
            cells[network->stride * walk.at] = weights[i];
}

/* ---- all tables as .npz ----------------------------------------------------------------------------------------- */

static void name_table(char name[NPZ_NAME_BYTES], unsigned stage, const struct network_table *table)
{
    snprintf(name, NPZ_NAME_BYTES, "stage%u.tuple%u.range%u", stage, table->tuple, table->range);
}

/* The sides of a table's array. NumPy's format here has room for eight: a tuple of nine cells is one long side. */
static void shape_table(const struct network *network, const struct network_table *table, struct npy_array *array)
{
    unsigned n_cells = network->spec.shape.tuples[table->tuple].n_cells;
    array->n_dims = n_cells <= NPY_MAX_DIMS ? n_cells : 1;
    array->n_values = table->n_weights;
    array->shape[0] = table->n_weights;
    for (unsigned k = 0; k < n_cells && n_cells <= NPY_MAX_DIMS; k++)
        array->shape[k] = network->spec.encoding.ranges[table->range].n_digits;
}

/* Makes room for the next member; NULL if there is no memory. */
static float *add_member(struct npz *npz, size_t n_values)
{
    struct npy_array *array = &npz->members[npz->n_members++].array;
    array->n_values = n_values;
    return array->data = memory_allocate(n_values, sizeof *array->data);
}

static enum status add_cells(struct npz *npz, unsigned number, const struct tuple *tuple)
{
    struct npz_member *member = &npz->members[npz->n_members];
    float *data = add_member(npz, tuple->n_cells);
    if (!data)
        return STATUS_NO_MEMORY;
    snprintf(member->name, sizeof member->name, "tuple%u.cells", number);
    member->array.n_dims = 1;
    member->array.shape[0] = tuple->n_cells;
    for (unsigned k = 0; k < tuple->n_cells; k++)
        data[k] = tuple->cells[k];
    return STATUS_OK;
}

static enum status add_table(struct npz *npz, const struct network *network, unsigned stage,
                             const struct network_table *table)
{
    struct npz_member *member = &npz->members[npz->n_members];
    float *data = add_member(npz, table->n_weights);
    if (!data)
        return STATUS_NO_MEMORY;
    name_table(member->name, stage, table);
    shape_table(network, table, &member->array);
    ntuple_get_table(network, stage, table, data);
    return STATUS_OK;
}

/* All tables as a .npz file, with the cells of the tuples beside them. STATUS_USAGE beyond 2 GiB, STATUS_IO. */
static enum status export_arrays(const struct network *network, const char *path)
{
    const unsigned n_stages = network->spec.stages.n_stages, n_tuples = network->spec.shape.n_tuples;
    struct npz npz = {.members = memory_allocate(n_tuples + (size_t)n_stages * network->n_tables, sizeof *npz.members)};
    enum status status = npz.members ? STATUS_OK : STATUS_NO_MEMORY;
    if (!status && network->n_weights > UINT64_C(2) << 28)
        status = status_fail(STATUS_USAGE, "%s: %llu weights are more than the two GiB that a .npz file takes here",
                             path, (unsigned long long)network->n_weights);
    for (unsigned i = 0; i < n_tuples && !status; i++)
        status = add_cells(&npz, i, &network->spec.shape.tuples[i]);
    for (unsigned stage = 0; stage < n_stages; stage++)
        for (unsigned i = 0; i < network->n_tables && !status; i++)
            status = add_table(&npz, network, stage, &network->tables[i]);
    if (!status)
        status = npz_write(&npz, path);
    npz_free(&npz);
    return status;
}

static enum status check_table(const struct network *network, const struct npz *npz, unsigned stage,
                               const struct network_table *table)
{
    char name[NPZ_NAME_BYTES];
    struct npy_array expected;
    name_table(name, stage, table);
    shape_table(network, table, &expected);
    const struct npy_array *found = npz_find(npz, name);
    if (!found)
        return status_fail(STATUS_INVALID, "no array '%s'; the network has one of %u weights", name, table->n_weights);
    bool fits = found->n_dims == expected.n_dims || (found->n_dims == 1 && found->n_values == expected.n_values);
    for (unsigned d = 0; d < expected.n_dims && found->n_dims == expected.n_dims; d++)
        fits &= found->shape[d] == expected.shape[d];
    if (!fits)
        return status_fail(STATUS_INVALID,
                           "the array '%s' has %zu numbers on %u sides; the network has %u weights on %u", name,
                           found->n_values, found->n_dims, table->n_weights, expected.n_dims);
    for (size_t i = 0; i < found->n_values; i++)
        if (!isfinite(found->data[i]))
            return status_fail(STATUS_INVALID, "number %zu of the array '%s' is %g", i, name, (double)found->data[i]);
    return STATUS_OK;
}

/* The cells of the tuples need not be there, but must be the network's where they are. */
static enum status check_cells(const struct network *network, const struct npz *npz)
{
    for (unsigned i = 0; i < network->spec.shape.n_tuples; i++) {
        const struct tuple *tuple = &network->spec.shape.tuples[i];
        char name[NPZ_NAME_BYTES];
        snprintf(name, sizeof name, "tuple%u.cells", i);
        const struct npy_array *found = npz_find(npz, name);
        bool same = !found || found->n_values == tuple->n_cells;
        for (unsigned k = 0; k < tuple->n_cells && same && found; k++)
            same = found->data[k] == (float)tuple->cells[k];
        if (!same)
            return status_fail(STATUS_INVALID, "the array '%s' names other cells than the network's tuple", name);
    }
    return STATUS_OK;
}

/* Replaces all weights; STATUS_INVALID, with the network unchanged, unless the file has the arrays of this network. */
static enum status import_arrays(struct network *network, const char *path)
{
    const unsigned n_stages = network->spec.stages.n_stages;
    struct npz npz;
    enum status status = npz_read(&npz, path);
    if (status)
        return status;
    status = check_cells(network, &npz);
    for (unsigned stage = 0; stage < n_stages; stage++)
        for (unsigned i = 0; i < network->n_tables && !status; i++)
            status = check_table(network, &npz, stage, &network->tables[i]);
    for (unsigned stage = 0; stage < n_stages && !status; stage++) {
        for (unsigned i = 0; i < network->n_tables; i++) {
            char name[NPZ_NAME_BYTES];
            name_table(name, stage, &network->tables[i]);
            ntuple_put_table(network, stage, &network->tables[i], npz_find(&npz, name)->data);
        }
    }
    npz_free(&npz);
    return status ? status_context(status, "%s", path) : STATUS_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

enum status network_file_to_npz(const char *network_path, const char *npz_path)
{
    struct neural *neural = NULL;
    struct network *network = NULL;
    bool is_neural = neural_file_is(network_path);
    enum status status =
        is_neural ? neural_load(&neural, network_path, NULL) : network_load(&network, network_path, NULL, NULL);
    if (!status)
        status = is_neural ? neural_export_npz(neural, npz_path) : export_arrays(network, npz_path);
    neural_free(neural);
    network_free(network);
    return status;
}

/* A score that was measured before says nothing about new weights. */
static enum status note_import(struct network_history *history, const char *npz_path)
{
    free(history->measured);
    history->measured = NULL;
    history->score = history->score_ci95 = 0;
    return network_history_note(history, "weights imported from %s", npz_path);
}

static enum status import_ntuple(const char *npz_path, const char *like, const char *network_path)
{
    struct network *network;
    struct network_history history;
    enum status status = network_load(&network, like, &history, NULL);
    if (status)
        return status;
    status = import_arrays(network, npz_path);
    if (status)
        goto done;
    status = note_import(&history, npz_path);
    if (status)
        goto done;
    status = network_save(network, network_path, &history, NETWORK_FLOAT32, NULL);
done:
    network_history_free(&history);
    network_free(network);
    return status;
}

static enum status import_neural(const char *npz_path, const char *like, const char *network_path)
{
    struct neural *neural;
    struct network_history history;
    enum status status = neural_load(&neural, like, &history);
    if (status)
        return status;
    status = neural_import_npz(neural, npz_path);
    if (status)
        goto done;
    status = note_import(&history, npz_path);
    if (status)
        goto done;
    status = neural_save(neural, network_path, &history);
done:
    network_history_free(&history);
    neural_free(neural);
    return status;
}

enum status network_file_from_npz(const char *npz_path, const char *like, const char *network_path)
{
    return neural_file_is(like) ? import_neural(npz_path, like, network_path)
                                : import_ntuple(npz_path, like, network_path);
}

enum status ntuple_load(struct network **out, const char *path)
{
    *out = NULL;
    return neural_file_is(path) ? STATUS_OK : network_load(out, path, NULL, NULL);
}

static void free_network(void *owned)
{
    network_free(owned);
}

struct evaluator ntuple_evaluator(struct network *network)
{
    return (struct evaluator){.grid = &network->grid,
                              .function = network_value_function(network),
                              .owned = network,
                              .free_owned = free_network};
}

enum status ntuple_save(const struct network *network, const char *path, const char *note)
{
    char program[] = AFTERSTATE_VERSION;
    struct network_history history = {.program = memory_copy_text(program)};
    enum status status = history.program ? network_history_note(&history, "%s", note) : STATUS_NO_MEMORY;
    if (!status)
        status = network_save(network, path, &history, NETWORK_FLOAT32, NULL);
    network_history_free(&history);
    return status;
}
