#include "study/evaluator.h"

#include "base/memory.h"
#include "base/progress.h"
#include "game/simple_value.h"
#include "neural/neural_file.h"
#include "neural/neural_value.h"
#include "ntuple/compact_network.h"
#include "ntuple/network_file.h"
#include "ntuple/play_network.h"

#include <stdlib.h>

/* ---- neural networks -------------------------------------------------------------------------------------------- */

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

/* ---- n-tuple networks ------------------------------------------------------------------------------------------- */

static void free_network(void *owned)
{
    network_free(owned);
}

static void free_compact(void *owned)
{
    compact_network_free(owned);
}

static void free_play(void *owned)
{
    play_network_free(owned);
}

static enum status load_compact(struct evaluator *out, const char *path, struct progress *progress)
{
    struct compact_network *compact = NULL;
    enum status status = compact_network_load(&compact, path, progress);
    if (compact)
        *out = (struct evaluator){.grid = compact_network_grid(compact),
                                  .function = compact_network_function(compact),
                                  .owned = compact,
                                  .free_owned = free_compact};
    return status;
}

/* Loads the network as it was trained and, for long use, turns it into the form for play where that is possible. */
static enum status load_network(struct evaluator *out, const char *path, enum value_use use, struct progress *progress)
{
    struct network *network;
    struct play_network *play = NULL;
    enum status status = network_load(&network, path, NULL, progress);
    if (status)
        return status;
    *out = (struct evaluator){.grid = &network->grid,
                              .function = network_value_function(network),
                              .owned = network,
                              .free_owned = free_network};
    if (use == VALUE_FOR_LONG)
        status = play_network_create(&play, network);
    if (play) { /* which owns the network now */
        out->function = play_network_function(play);
        out->owned = play;
        out->free_owned = free_play;
    }
    return status;
}

static enum status load_ntuple(struct evaluator *out, const char *path, enum value_use use, FILE *stream)
{
    struct network_info info;
    struct progress progress;
    enum status status = network_read_info(path, &info, NULL, NULL);
    if (!status)
        status = network_begin_progress(&progress, stream, "load", &info.spec);
    if (status)
        return status;
    if (use == VALUE_AT_ONCE)
        status = load_compact(out, path, &progress);
    if (!status && !out->owned)
        status = load_network(out, path, use, &progress);
    progress_end(&progress, NULL);
    return status;
}

enum status evaluator_load(struct evaluator *out, const char *path, enum value_use use, FILE *progress)
{
    *out = (struct evaluator){0};
    enum status status = neural_file_is(path) ? load_neural(out, path) /* some megabytes: no bar */
                                              : load_ntuple(out, path, use, progress);
    if (status)
        evaluator_free(out);
    return status;
}

/* ---- the hand-made value ---------------------------------------------------------------------------------------- */

static void free_simple(void *owned)
{
    simple_value_free(owned);
}

enum status evaluator_create_simple(struct evaluator *out, const struct grid *grid)
{
    struct simple_value *simple;
    *out = (struct evaluator){0};
    enum status status = simple_value_create(&simple, grid);
    if (!status)
        *out = (struct evaluator){
            .grid = grid, .function = simple_value_function(simple), .owned = simple, .free_owned = free_simple};
    return status;
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
