#include "study/value_file.h"

#include "neural/neural_file.h"
#include "ntuple/network_value.h"
#include "packed/compact_network.h"
#include "packed/fast_network.h"
#include "packed/network_file.h"

static enum status open_neural(struct value_file *out, const char *path)
{
    enum status status = neural_load(&out->neural, path, NULL);
    if (!status)
        status = neural_judge_create(&out->judge, out->neural, 0);
    if (status)
        return status;
    out->grid = &out->neural->grid;
    out->function = neural_value_function(out->judge);
    return STATUS_OK;
}

static enum status open_ntuple(struct value_file *out, const char *path, struct progress *progress)
{
    enum status status = network_load(&out->ntuple, path, NULL, progress);
    if (status)
        return status;
    out->grid = &out->ntuple->grid;
    out->function = network_value_function(out->ntuple);
    return STATUS_OK;
}

/* Uses a packed form where there is one. */
static void take_packed(struct value_file *file, struct packed_network *packed)
{
    if (!packed)
        return;
    file->packed = packed;
    file->grid = packed_network_grid(packed);
    file->function = packed_network_function(packed);
}

static enum status open_packed(struct value_file *out, const char *path, struct progress *progress)
{
    struct packed_network *packed;
    enum status status = compact_network_load(&packed, path, progress);
    take_packed(out, packed);
    return status;
}

static enum status make_fast(struct value_file *file)
{
    struct packed_network *packed;
    enum status status = fast_network_create(&packed, file->ntuple);
    if (packed) /* which owns the network now */
        file->ntuple = NULL;
    take_packed(file, packed);
    return status;
}

enum status value_file_open(struct value_file *out, const char *path, enum load_form form, struct progress *progress)
{
    *out = (struct value_file){0};
    bool is_neural = neural_file_is(path);
    enum status status = is_neural ? open_neural(out, path) : STATUS_OK;
    if (!status && !is_neural && form == LOAD_COMPACT)
        status = open_packed(out, path, progress);
    if (!status && !out->grid)
        status = open_ntuple(out, path, progress);
    if (!status && out->ntuple && form == LOAD_FAST)
        status = make_fast(out);
    if (status)
        value_file_close(out);
    return status;
}

void value_file_close(struct value_file *file)
{
    packed_network_free(file->packed);
    neural_judge_free(file->judge);
    neural_free(file->neural);
    network_free(file->ntuple);
    *file = (struct value_file){0};
}

enum status value_file_size(const char *path, unsigned *rows, unsigned *cols)
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
