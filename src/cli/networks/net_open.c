#include "cli/networks/net_open.h"

#include "cli/frame/command.h"

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
