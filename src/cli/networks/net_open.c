#include "cli/networks/net_open.h"

#include "cli/frame/command.h"

enum status net_begin_progress(struct progress *progress, const char *title, const struct network_spec *spec,
                               const struct common_options *common)
{
    return network_begin_progress(progress, cli_progress_stream(common), title, spec);
}

static void print_notice(const char *why)
{
    fprintf(stderr, "%s: using the simple value\n", why);
}

struct evaluator_request net_request(const char *net, const char *board, enum load_form form,
                                     const struct common_options *common)
{
    FILE *progress = cli_progress_stream(common);
    return (struct evaluator_request){
        .net = net, .board = board, .form = form, .progress = progress, .notice = progress ? print_notice : NULL};
}

enum status net_open(struct network **out, const char *path, struct network_history *history,
                     const struct common_options *common)
{
    struct network_info info;
    struct progress progress;
    *out = NULL;
    enum status status = network_read_info(path, &info, NULL, NULL);
    if (!status)
        status = net_begin_progress(&progress, "load", &info.spec, common);
    if (status)
        return status;
    status = network_load(out, path, history, &progress);
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
