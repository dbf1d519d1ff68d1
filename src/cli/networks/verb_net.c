/*
 * net: info, list, fold, shrink, average, convert, export and import, each a small verb of its own behind the word
 * `net`. What is done with neural networks is in net_neural.c, with several networks in net_average.c.
 */
#include "cli/frame/verbs.h"

#include "base/signals.h"
#include "base/workers.h"
#include "cli/networks/net_average.h"
#include "cli/networks/net_neural.h"
#include "cli/networks/net_open.h"
#include "cli/networks/net_show.h"
#include "neural/neural_file.h"
#include "ntuple/compare.h"
#include "ntuple/convert.h"
#include "ntuple/fold.h"
#include "packed/shrink.h"
#include "packed/visits.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const precision_names[] = {"float32", "16bit", NULL};
static const char *const keep_yes_no[] = {"keep", "yes", "no", NULL};

/* What a command made of a network, for its report. */
struct outcome {
    const char *in, *out;
    const struct network_spec *before, *after;
    uint64_t n_before, n_after;
    const struct shrink_result *shrunk; /* of `shrink`, otherwise NULL */
};

static void print_outcome(const struct outcome *outcome, uint64_t in_bytes, uint64_t out_bytes)
{
    char before[32], after[32];
    printf("%s -> %s\n", outcome->in, outcome->out);
    printf("tuples     %d -> %d\n", outcome->before->shape.n_tuples, outcome->after->shape.n_tuples);
    printf("weights    %s -> %s\n", net_format_count(before, outcome->n_before),
           net_format_count(after, outcome->n_after));
    printf("file       %s -> %s\n", net_format_bytes(before, in_bytes), net_format_bytes(after, out_bytes));
    if (outcome->shrunk) {
        const struct shrink_result *shrunk = outcome->shrunk;
        const struct weight_error *error = &shrunk->error;
        double mean_square = error->n_touched ? error->sum_squares / (double)error->n_touched : 0;
        if (shrunk->n_dropped)
            printf("dropped    %s of %s touched weights\n", net_format_count(before, shrunk->n_dropped),
                   net_format_count(after, shrunk->n_touched));
        printf("bytes      %.3f for each touched weight\n", (double)out_bytes / (double)shrunk->n_touched);
        printf("weights    wrong by %.3g at most, %.3g root mean square%s\n", error->worst, sqrt(mean_square),
               shrunk->n_dropped ? ", of those that are left" : "");
        printf("values     differ by %.3g at most, %.3g on average over %" PRIu64 " boards\n", shrunk->difference.worst,
               shrunk->difference.mean, shrunk->difference.n_boards);
    }
}

static enum status print_outcome_json(const struct outcome *outcome, uint64_t in_bytes, uint64_t out_bytes)
{
    struct json json;
    json_begin(&json);
    json_add_text(&json, "in", outcome->in);
    json_add_text(&json, "out", outcome->out);
    json_add_unsigned(&json, "tuples_before", outcome->before->shape.n_tuples);
    json_add_unsigned(&json, "tuples", outcome->after->shape.n_tuples);
    json_add_unsigned(&json, "weights_before", outcome->n_before);
    json_add_unsigned(&json, "weights", outcome->n_after);
    json_add_unsigned(&json, "file_bytes_before", in_bytes);
    json_add_unsigned(&json, "file_bytes", out_bytes);
    if (outcome->shrunk) {
        const struct shrink_result *shrunk = outcome->shrunk;
        json_add_unsigned(&json, "touched_before", shrunk->n_touched);
        json_add_unsigned(&json, "dropped", shrunk->n_dropped);
        json_add_real(&json, "weight_error_worst", shrunk->error.worst);
        json_add_real(&json, "value_error_worst", shrunk->difference.worst);
        json_add_real(&json, "value_error_mean", shrunk->difference.mean);
        json_add_unsigned(&json, "boards", shrunk->difference.n_boards);
    }
    return cli_print_json(&json);
}

static enum status report(const struct outcome *outcome, const struct common_options *common, uint64_t in_bytes)
{
    struct network_info info;
    uint64_t out_bytes;
    enum status status = network_read_info(outcome->out, &info, NULL, &out_bytes);
    if (status)
        return status;
    if (common->json)
        return print_outcome_json(outcome, in_bytes, out_bytes);
    print_outcome(outcome, in_bytes, out_bytes);
    return STATUS_OK;
}

/* A network that is being worked on. */
struct work {
    const char *in, *out;
    struct network_info info;
    uint64_t in_bytes;
    struct network *network;
    struct network_history history;
};

static enum status work_open(struct work *work, const struct operands *operands, const struct common_options *common)
{
    *work = (struct work){.in = operands->items[0], .out = operands->items[1]};
    if (neural_file_is(work->in))
        return status_fail(STATUS_USAGE, "%s is a neural network; expected an n-tuple network", work->in);
    enum status status = network_read_info(work->in, &work->info, NULL, &work->in_bytes);
    return status ? status : network_load(&work->network, work->in, &work->history, net_progress(common));
}

static void work_close(struct work *work)
{
    network_free(work->network);
    network_history_free(&work->history);
}

/* ---- info and list ------------------------------------------------------------------------------------------------
 */

static int run_info(const struct cli_context *context, int argc, char **argv)
{
    static const struct command_example examples[] = {
        {"run/network.net", "shapes, size, what was touched, how it was trained"},
    };
    const struct command_spec command = {
        .operands = "FILE",
        .min_operands = 1,
        .max_operands = 1,
        .description = "Reads the header only, so it is quick for files of any size.",
        .examples = examples,
        .n_examples = 1,
    };
    struct common_options common = context->common;
    struct operands operands;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
        return exit_code;
    struct network_info info;
    struct network_history history;
    uint64_t file_bytes;
    const char *path = operands.items[0];
    bool is_neural = neural_file_is(path);
    enum status status =
        is_neural ? net_show_neural(path, &common) : network_read_info(path, &info, &history, &file_bytes);
    if (!status && !is_neural) {
        status = common.json ? net_show_info_json(path, &info, &history, file_bytes)
                             : net_show_info(path, &info, &history, file_bytes);
        network_history_free(&history);
    }
    return status ? cli_fail(status) : EXIT_SUCCESS;
}

static int run_list(const struct cli_context *context, int argc, char **argv)
{
    const struct command_spec command = {
        .operands = "",
        .description = "The names that 'shape' of a recipe understands, with the number of weights of one stage.",
    };
    struct common_options common = context->common;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, NULL, &exit_code))
        return exit_code;
    enum status status = common.json ? net_show_names_json() : net_show_names();
    return status ? cli_fail(status) : EXIT_SUCCESS;
}

/* ---- fold ---------------------------------------------------------------------------------------------------------
 */

static enum status fold(struct work *work, const struct common_options *common)
{
    struct network *folded = NULL;
    enum status status = network_fold(&folded, work->network, net_progress(common));
    if (!status)
        status = network_history_note(&work->history, "folded from %d tuples to %d", work->network->spec.shape.n_tuples,
                                      folded->spec.shape.n_tuples);
    if (!status)
        status = network_save(folded, work->out, &work->history, NETWORK_FLOAT32, net_progress(common));
    if (!status) {
        struct outcome outcome = {.in = work->in,
                                  .out = work->out,
                                  .before = &work->network->spec,
                                  .after = &folded->spec,
                                  .n_before = work->network->n_weights,
                                  .n_after = folded->n_weights};
        status = report(&outcome, common, work->in_bytes);
    }
    network_free(folded);
    return status;
}

static int run_fold(const struct cli_context *context, int argc, char **argv)
{
    static const struct command_example examples[] = {{"trained.net player.net", "42-33-4-22-3 becomes 42-33"}};
    const struct command_spec command = {
        .operands = "IN OUT",
        .min_operands = 2,
        .max_operands = 2,
        .description = "Adds the tables of tuples that lie within others to those, for all stages. The result needs "
                       "fewer look-ups and its values are the same to rounding, which is checked on thousands of "
                       "boards before OUT is written.",
        .examples = examples,
        .n_examples = 1,
    };
    struct common_options common = context->common;
    struct operands operands;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
        return exit_code;
    struct work work;
    enum status status = work_open(&work, &operands, &common);
    if (!status)
        status = fold(&work, &common);
    work_close(&work);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}

/* ---- shrink -------------------------------------------------------------------------------------------------------
 */

struct shrink_options {
    int precision;
    double step;
    int64_t visits, games, seed, threads;
    const char *since, *keep;
};

static enum status shrink(struct work *work, const struct shrink_options *options, const struct common_options *common)
{
    struct shrink_settings settings = {
        .packing = {.precision = options->step > 0 ? NETWORK_STEPS : (enum network_precision)options->precision,
                    .step = (float)options->step},
        .since = options->since,
        .keep = options->keep,
        .games = (uint64_t)options->games,
        .seed = (uint64_t)options->seed,
        .threads = (unsigned)options->threads,
        .visits = (unsigned)options->visits,
    };
    struct shrink_result result;
    if (options->visits > 0 && options->games == 0)
        return status_fail(STATUS_USAGE, "--visits needs --games, which count them");
    if (options->keep && !options->since)
        return status_fail(STATUS_USAGE, "--keep needs --since, from which it keeps");
    enum status status = signals_catch_interrupt();
    if (!status)
        status = shrink_network(work->network, work->out, &work->history, &settings, net_progress(common), &result);
    if (status)
        return status;
    struct outcome outcome = {.in = work->in,
                              .out = work->out,
                              .before = &work->network->spec,
                              .after = &work->network->spec,
                              .n_before = work->network->n_weights,
                              .n_after = work->network->n_weights,
                              .shrunk = &result};
    return report(&outcome, common, work->in_bytes);
}

static int run_shrink(const struct cli_context *context, int argc, char **argv)
{
    struct shrink_options options = {.precision = NETWORK_16BIT, .seed = 1};
    const struct option_spec specs[] = {
        option_choice("precision", 'p', "NAME", &options.precision, precision_names, "how weights are stored"),
        option_real("step", 0, "POINTS", &options.step, 0, 1e9,
                    "round weights to steps of this many points, and compress hard; 0 does not"),
        option_integer("games", 'n', "G", &options.games, 0, 100000000,
                       "games of the network that show which weights it looks at: rare ones get larger steps"),
        option_integer("visits", 0, "N", &options.visits, 0, VISITS_MAX,
                       "drop weights that these games look at less than N times; 0 keeps all"),
        option_integer("seed", 's', "S", &options.seed, 0, INT64_MAX, "of these games"),
        option_integer("threads", 't', "T", &options.threads, 0, WORKERS_MAX, "for these games; 0 is all cores"),
        option_text("since", 0, "NET", &options.since,
                    "behind the first stage, drop weights that are as in this network, with which the run began"),
        option_text("keep", 0, "NET", &options.keep, "with --since: but not what this network has"),
    };
    static const struct command_example examples[] = {
        {"big.net small.net", "half the bytes, and what that costs"},
        {"big.net small.net --step 16 --games 5000", "a tenth of them, for a network that is to be shipped"},
    };
    const struct command_spec command = {
        .operands = "IN OUT",
        .min_operands = 2,
        .max_operands = 2,
        .description =
            "Stores the weights in 16 bits each, or rounded to steps, which may be larger, or drop a weight, "
            "where play hardly looks. Tells the bytes and how wrong the worst weight is, and compares the values of "
            "thousands "
            "of boards; what it costs in points only games can tell: afterstate eval --compare IN OUT.",
        .options = specs,
        .n_options = sizeof specs / sizeof *specs,
        .examples = examples,
        .n_examples = sizeof examples / sizeof *examples,
    };
    struct common_options common = context->common;
    struct operands operands;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
        return exit_code;
    struct work work;
    enum status status = work_open(&work, &operands, &common);
    if (!status)
        status = shrink(&work, &options, &common);
    work_close(&work);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}

/* ---- convert ------------------------------------------------------------------------------------------------------
 */

struct convert_options {
    const char *stages;
    int promote; /* of keep_yes_no */
    int64_t n_values;
    int play; /* of net_play_names */
};

static enum status convert(struct work *work, const struct convert_options *options,
                           const struct common_options *common)
{
    const struct network_spec *old = &work->network->spec;
    struct network_conversion conversion = {.stages = old->stages,
                                            .promote = options->promote ? options->promote == 1 : old->promote,
                                            .n_values = (unsigned)options->n_values};
    struct network *converted = NULL;
    enum status status = options->stages ? stages_parse(&conversion.stages, options->stages) : STATUS_OK;
    if (!status)
        status = network_convert(&converted, work->network, &conversion, net_progress(common));
    char from[256], to[256];
    if (!status)
        status = network_history_note(&work->history, "converted from stages %s to %s, %d to %d digits a cell",
                                      stages_text(&old->stages, from), stages_text(&converted->spec.stages, to),
                                      old->encoding.ranges[0].n_digits, converted->spec.encoding.ranges[0].n_digits);
    if (!status)
        status = network_save(converted, work->out, &work->history, NETWORK_FLOAT32, net_progress(common));
    if (!status) {
        struct outcome outcome = {.in = work->in,
                                  .out = work->out,
                                  .before = old,
                                  .after = &converted->spec,
                                  .n_before = work->network->n_weights,
                                  .n_after = converted->n_weights};
        status = report(&outcome, common, work->in_bytes);
    }
    network_free(converted);
    return status;
}

static int run_convert(const struct cli_context *context, int argc, char **argv)
{
    struct convert_options options = {0};
    const struct option_spec specs[] = {
        option_text("stages", 's', "STAGES", &options.stages,
                    "new stages: \"0 32768\", \"bits 4\" or \"0 16384 16384+8192\"; each must be part of an old one"),
        option_choice("promote", 0, "WHETHER", &options.promote, keep_yes_no,
                      "whether an untouched weight is that of the stage before"),
        option_integer("values", 'v', "K", &options.n_values, 0, ENCODING_VALUES,
                       "cell values that a plain network tells apart; 0 keeps them"),
        option_choice("play", 0, "WAY", &options.play, net_play_names,
                      "of a neural network: judge boards as they lie, or by all their images"),
    };
    static const struct command_example examples[] = {
        {"one.net staged.net --stages \"bits 4\" --promote yes", "go on with sixteen stages"},
        {"clamped.net exact.net --values 18", "tell 65536 from 32768"},
        {"neural.net symmetric.net --play ave", "the mean over the images of a board"},
    };
    const struct command_spec command = {
        .operands = "IN OUT",
        .min_operands = 2,
        .max_operands = 2,
        .description = "Gives an n-tuple network more stages or more cell values, so that training can go on with "
                       "them. Its values stay the same, which is checked before OUT is written. Gives a neural "
                       "network another way of play; its weights stay the same.",
        .options = specs,
        .n_options = sizeof specs / sizeof *specs,
        .examples = examples,
        .n_examples = sizeof examples / sizeof *examples,
    };
    struct common_options common = context->common;
    struct operands operands;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
        return exit_code;
    if (neural_file_is(operands.items[0])) {
        enum status neural_status =
            options.stages || options.promote || options.n_values
                ? status_fail(STATUS_USAGE, "%s is a neural network, which has no stages, promotion or cell values",
                              operands.items[0])
                : net_convert_neural(operands.items[0], operands.items[1], options.play, &common);
        return neural_status ? cli_fail(neural_status) : EXIT_SUCCESS;
    }
    struct work work;
    enum status status = work_open(&work, &operands, &common);
    if (!status && options.play)
        status = status_fail(STATUS_USAGE, "%s is an n-tuple network; --play is for neural ones", work.in);
    if (!status)
        status = convert(&work, &options, &common);
    work_close(&work);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}

/* ---- the verb -----------------------------------------------------------------------------------------------------
 */

static const struct verb parts[] = {
    {"net info", "", "what a network file holds and how it was trained", run_info},
    {"net list", "", "the named shapes, drawn", run_list},
    {"net fold", "", "fold redundant tuples into those that contain them", run_fold},
    {"net shrink", "", "store a network in fewer bytes", run_shrink},
    {"net average", "", "the mean of several networks", net_run_average},
    {"net convert", "", "give a network more stages, cell values, another way of play", run_convert},
    {"net export", "", "write a neural network's weights for Python, as .npz", net_run_export},
    {"net import", "", "make a neural network of weights from Python", net_run_import},
};

int verb_net_run(const struct cli_context *context, int argc, char **argv)
{
    return cli_run_part(context, parts, sizeof parts / sizeof *parts,
                        "Network files: look at them and make others of them.", argc, argv);
}
