#include "cli/net_open.h"

#include "neural/neural_file.h"

enum status net_begin_progress(struct progress *progress, const char *title, const struct network_spec *spec,
                               const struct common_options *common)
{
    uint64_t n_weights, bytes;
    enum status status = network_measure(spec, &n_weights, &bytes);
    if (!status)
        progress_begin(progress, stderr, common->json || common->quiet ? PROGRESS_QUIET : PROGRESS_AUTO, title, "B",
                       (double)bytes);
    return status;
}

/* A bar over the weights of an n-tuple network's file. */
static enum status begin_load(struct progress *progress, const char *path, const struct common_options *common)
{
    struct network_info info;
    enum status status = network_read_info(path, &info, NULL, NULL);
    return status ? status : net_begin_progress(progress, "load", &info.spec, common);
}

enum status net_open(struct network **out, const char *path, struct network_history *history,
                     const struct common_options *common)
{
    struct progress progress;
    *out = NULL;
    enum status status = begin_load(&progress, path, common);
    if (status)
        return status;
    status = network_load(out, path, history, &progress);
    progress_end(&progress, NULL);
    return status;
}

enum status net_open_any(struct value_file *out, const char *path, enum load_form form,
                         const struct common_options *common)
{
    struct progress progress;
    *out = (struct value_file){0};
    if (neural_file_is(path)) /* some megabytes: no bar */
        return value_file_open(out, path, form, NULL);
    enum status status = begin_load(&progress, path, common);
    if (status)
        return status;
    status = value_file_open(out, path, form, &progress);
    progress_end(&progress, NULL);
    return status;
}

enum status net_store(const struct network *network, const char *path, const struct network_history *history,
                      const struct network_packing *packing, const struct common_options *common,
                      struct weight_error *error)
{
    struct progress progress;
    enum status status = net_begin_progress(&progress, "save", &network->spec, common);
    if (status)
        return status;
    status = network_save_measured(network, path, history, packing, &progress, error);
    progress_end(&progress, NULL);
    return status;
}
