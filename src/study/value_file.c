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

static enum status open_ntuple(struct value_file *out, const char *path, enum load_form form, struct progress *progress)
{
    enum status status = form == LOAD_COMPACT ? compact_network_load(&out->packed, path, progress) : STATUS_OK;
    if (!status && !out->packed)
        status = network_load(&out->ntuple, path, NULL, progress);
    if (!status && form == LOAD_FAST)
        status = fast_network_create(&out->packed, out->ntuple);
    if (out->packed) /* which owns the network now */
        out->ntuple = NULL;
    if (status)
        return status;
    out->grid = out->packed ? packed_network_grid(out->packed) : &out->ntuple->grid;
    out->function = out->packed ? packed_network_function(out->packed) : network_value_function(out->ntuple);
    return STATUS_OK;
}

enum status value_file_open(struct value_file *out, const char *path, enum load_form form, struct progress *progress)
{
    *out = (struct value_file){0};
    enum status status = neural_file_is(path) ? open_neural(out, path) : open_ntuple(out, path, form, progress);
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
