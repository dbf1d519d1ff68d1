/* evaluator: what evaluates the boards of one size, and owns what it loaded for that. */
#include "study/evaluator.h"

#include "base/memory.h"
#include "game/simple_value.h"
#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "ntuple/network_value.h"
#include "packed/compact_network.h"
#include "packed/fast_network.h"
#include "packed/network_file.h"

#include <stdlib.h>
#include <string.h>

struct owned_neural {
    struct neural *network;
    struct neural_evaluator *evaluator;
};

static void free_neural(void *owned)
{
    struct owned_neural *neural = owned;
    neural_evaluator_free(neural->evaluator);
    neural_free(neural->network);
    free(neural);
}

static enum status load_neural(struct evaluator *out, const char *path)
{
    struct owned_neural *neural = memory_allocate(1, sizeof *neural);
    if (!neural)
        return STATUS_NO_MEMORY;
    out->owned = neural;
    out->free_owned = free_neural;
    enum status status = neural_load(&neural->network, path, NULL);
    if (!status)
        status = neural_evaluator_create(&neural->evaluator, neural->network, 0);
    if (status)
        return status;
    out->grid = &neural->network->grid;
    out->function = neural_value_function(neural->evaluator);
    return STATUS_OK;
}

static void free_network(void *owned)
{
    network_free(owned);
}

static void free_packed(void *owned)
{
    packed_network_free(owned);
}

/* Uses a packed form where there is one. */
static void take_packed(struct evaluator *out, struct packed_network *packed)
{
    if (packed)
        *out = (struct evaluator){.grid = packed_network_grid(packed),
                                  .function = packed_network_function(packed),
                                  .owned = packed,
                                  .free_owned = free_packed};
}

static enum status load_compact(struct evaluator *out, const char *path, FILE *progress)
{
    struct packed_network *packed = NULL;
    enum status status = compact_network_load(&packed, path, progress);
    take_packed(out, packed);
    return status;
}

/* Loads the network as it was trained and, for many boards, converts it to the fast form if possible. */
static enum status load_network(struct evaluator *out, const char *path, enum load_form form, FILE *progress)
{
    struct network *network;
    struct packed_network *packed = NULL;
    enum status status = network_load(&network, path, NULL, progress);
    if (status)
        return status;
    *out = (struct evaluator){.grid = &network->grid,
                              .function = network_value_function(network),
                              .owned = network,
                              .free_owned = free_network};
    if (form == LOAD_FAST)
        status = fast_network_create(&packed, network);
    take_packed(out, packed); /* which owns the network now */
    return status;
}

static enum status load_ntuple(struct evaluator *out, const char *path, enum load_form form, FILE *progress)
{
    enum status status = form == LOAD_COMPACT ? load_compact(out, path, progress) : STATUS_OK;
    return status || out->owned ? status : load_network(out, path, form, progress);
}

enum status evaluator_load(struct evaluator *out, const char *path, enum load_form form, FILE *progress)
{
    *out = (struct evaluator){0};
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".npz") == 0)
        return status_fail(STATUS_INVALID,
                           "%s: an archive of NumPy arrays is no network; make one of it: afterstate net import %s NET "
                           "--like OTHER-NET or --model MODEL",
                           path, path);
    enum status status = neural_file_is(path) ? load_neural(out, path) /* some megabytes: no bar */
                                              : load_ntuple(out, path, form, progress);
    if (status)
        evaluator_free(out);
    return status;
}

static void free_simple(void *owned)
{
    simple_value_free(owned);
}

enum status evaluator_create_simple(struct evaluator *out, const struct grid *grid)
{
    struct simple_value *simple;
    *out = (struct evaluator){0};
    enum status status = simple_value_create(&simple, grid);
    if (status)
        return status;
    *out = (struct evaluator){
        .grid = grid, .function = simple_value_function(simple), .owned = simple, .free_owned = free_simple};
    return STATUS_OK;
}

void evaluator_free(struct evaluator *evaluator)
{
    if (evaluator->owned)
        evaluator->free_owned(evaluator->owned);
    *evaluator = (struct evaluator){0};
}

enum status evaluator_read_size(const char *path, unsigned *rows, unsigned *cols)
{
    struct neural_spec neural;
    struct network_info ntuple;
    uint64_t n_weights;
    bool is_neural = neural_file_is(path);
    enum status status = is_neural ? neural_read_info(path, &neural, &n_weights, NULL, NULL)
                                   : network_read_info(path, &ntuple, NULL, NULL);
    if (status)
        return status;
    *rows = is_neural ? neural.rows : ntuple.spec.rows;
    *cols = is_neural ? neural.cols : ntuple.spec.cols;
    return STATUS_OK;
}
