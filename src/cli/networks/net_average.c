/* net_average: the command `net average`. */
#include "cli/networks/net_average.h"

#include "base/number_text.h"
#include "cli/frame/command.h"
#include "cli/networks/net_show.h"
#include "neural/neural_file.h"
#include "ntuple/blend.h"
#include "packed/network_file.h"

#include <stdio.h>
#include <stdlib.h>

static enum status open_one(struct network **out, const char *path, struct network_history *history,
                            const struct common_options *common)
{
    *out = NULL;
    if (neural_file_is(path))
        return status_fail(STATUS_USAGE, "%s is a neural network; only n-tuple networks have a mean", path);
    return network_load(out, path, history, cli_progress_stream(common));
}

/* The history is that of the last network, which has learned longest if they are of one run. */
static enum status add_one(struct blend *blend, const char *path, struct network_history *history,
                           const struct common_options *common)
{
    struct network *network;
    network_history_free(history);
    enum status status = open_one(&network, path, history, common);
    if (status)
        return status;
    if (!blend->mean)
        return blend_begin(blend, network);
    status = blend_add(blend, network);
    network_free(network);
    return status ? status_context(status, "%s", path) : STATUS_OK;
}

static enum status show(const char *out, unsigned n_networks, uint64_t n_touched, uint64_t n_weights,
                        const struct common_options *common)
{
    struct network_info info;
    uint64_t bytes;
    char touched[32], all[32], size[32];
    enum status status = network_read_info(out, &info, NULL, &bytes);
    if (status)
        return status;
    if (!common->json) {
        printf("%s: the mean of %u networks, %s of %s weights touched, %s\n", out, n_networks,
               number_text_count(touched, n_touched), number_text_count(all, n_weights),
               number_text_bytes(size, (double)(bytes)));
        return STATUS_OK;
    }
    struct json json;
    json_begin(&json);
    json_add_text(&json, "out", out);
    json_add_unsigned(&json, "networks", n_networks);
    json_add_unsigned(&json, "weights", n_weights);
    json_add_unsigned(&json, "touched", n_touched);
    json_add_unsigned(&json, "file_bytes", bytes);
    return cli_print_json(&json);
}

static enum status average(char *const *in, unsigned n_in, const char *out, const struct common_options *common)
{
    struct blend blend = {0};
    struct network_history history = {0};
    struct network *mean = NULL;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < n_in && !status; i++)
        status = add_one(&blend, in[i], &history, common);
    if (status)
        goto done;
    mean = blend_end(&blend);
    status = network_history_note(&history, "the mean of %u networks", n_in);
    if (status)
        goto done;
    status = network_save(mean, out, &history, NETWORK_FLOAT32, cli_progress_stream(common));
    if (!status)
        status = show(out, n_in, network_count_touched(mean), mean->n_weights, common);
done:
    network_free(mean);
    blend_free(&blend);
    network_history_free(&history);
    return status;
}

static const struct command_example average_examples[] = {
    {"run1/network.net run2/network.net mean.net", "two runs of a recipe, or two parts of one run"},
    {"old.net new.net new.net mean.net", "a network counts as often as it is named"},
};

static enum status run_average_command(struct cli_call *call)
{
    unsigned n_in = (unsigned)call->n_operands - 1;
    return average(call->operands, n_in, call->operands[n_in], &call->common);
}

const struct command net_average_command = {
    .name = "net average",
    .summary = "the mean of several networks",
    .operands = "IN IN .. OUT",
    .most_operands = BLEND_MAX + 1,
    .description = "Writes the mean of networks with the same tuples and stages. Its values are the means of theirs, "
                   "so errors of each that are due to chance cancel: it may play better than the best of them. "
                   "A weight that some have never updated is the mean of the others'. See also learn.average of "
                   "a recipe, which does this during a run.",
    COMMAND_EXAMPLES(average_examples),
    .run = run_average_command,
};
