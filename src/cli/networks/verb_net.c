/*
 * net: the commands info, list, fold, shrink and convert, and the list of all commands of `net`. Those for neural
 * networks are in net_neural.c, `net average` is in net_average.c.
 */
#include "cli/frame/verbs.h"

#include "base/number_text.h"
#include "base/signals.h"
#include "base/workers.h"
#include "cli/frame/command.h"
#include "cli/networks/net_average.h"
#include "cli/networks/net_neural.h"
#include "cli/networks/net_show.h"
#include "neural/neural_file.h"
#include "ntuple/convert.h"
#include "ntuple/fold.h"
#include "packed/shrink.h"
#include "packed/visits.h"
#include "study/bank.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const precision_names[] = {"float32", "16bit", NULL};
static const char *const keep_yes_no[] = {"keep", "yes", "no", NULL};

/* The result of a command, for its report. */
struct outcome {
    const char *in, *out;
    const struct network_spec *before, *after;
    uint64_t n_before, n_after;
    const struct shrink_result *shrunk; /* of `shrink`, otherwise NULL */
};

/* Three digits, or all before the point. */
static const char *difference_text(char text[NUMBER_TEXT_BYTES], double points)
{
    if (fabs(points) >= 1000)
        return number_text_real(text, points, 0);
    snprintf(text, NUMBER_TEXT_BYTES, "%.3g", points);
    return text;
}

static void print_outcome(const struct outcome *outcome, uint64_t in_bytes, uint64_t out_bytes)
{
    char before[32], after[32];
    printf("%s -> %s\n", outcome->in, outcome->out);
    printf("tuples     %d -> %d\n", outcome->before->shape.n_tuples, outcome->after->shape.n_tuples);
    printf("weights    %s -> %s\n", number_text_count(before, outcome->n_before),
           number_text_count(after, outcome->n_after));
    printf("file       %s -> %s\n", number_text_bytes(before, (double)(in_bytes)),
           number_text_bytes(after, (double)(out_bytes)));
    if (outcome->shrunk) {
        const struct shrink_result *shrunk = outcome->shrunk;
        const struct weight_error *error = &shrunk->error;
        double mean_square = error->n_touched ? error->sum_squares / (double)error->n_touched : 0;
        if (shrunk->n_dropped)
            printf("dropped    %s of %s touched weights\n", number_text_count(before, shrunk->n_dropped),
                   number_text_count(after, shrunk->n_touched));
        printf("bytes      %.3f for each touched weight\n", (double)out_bytes / (double)shrunk->n_touched);
        printf("weights    wrong by %.3g at most, %.3g root mean square%s\n", error->worst, sqrt(mean_square),
               shrunk->n_dropped ? ", of those that are left" : "");
        printf("values     differ by %s at most, %s on average over %s boards\n",
               difference_text((char[NUMBER_TEXT_BYTES]){0}, shrunk->difference.worst),
               difference_text((char[NUMBER_TEXT_BYTES]){0}, shrunk->difference.mean),
               TEXT_OF_COUNT(shrunk->difference.n_boards));
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

/* The input of a command. */
struct work {
    const char *in, *out;
    struct network_info info;
    uint64_t in_bytes;
    struct network *network;
    struct network_history history;
};

static enum status work_open(struct work *work, const struct cli_call *call)
{
    *work = (struct work){.in = call->operands[0], .out = call->operands[1]};
    if (neural_file_is(work->in))
        return status_fail(STATUS_USAGE, "%s is a neural network; expected an n-tuple network", work->in);
    enum status status = network_read_info(work->in, &work->info, NULL, &work->in_bytes);
    return status ? status : network_load(&work->network, work->in, &work->history, cli_progress_stream(&call->common));
}

static void work_close(struct work *work)
{
    network_free(work->network);
    network_history_free(&work->history);
}

static const struct command_example info_examples[] = {
    {"run/network.net", "shapes, size, updated weights, training"},
};

static enum status run_info_command(struct cli_call *call)
{
    struct network_info info;
    struct network_history history;
    uint64_t file_bytes;
    const char *path = call->operands[0];
    bool is_neural = neural_file_is(path);
    enum status status =
        is_neural ? net_show_neural(path, &call->common) : network_read_info(path, &info, &history, &file_bytes);
    if (!status && !is_neural) {
        status = call->common.json ? net_show_info_json(path, &info, &history, file_bytes)
                                   : net_show_info(path, &info, &history, file_bytes);
        network_history_free(&history);
    }
    return status;
}

static const struct command net_info_command = {
    .name = "net info",
    .summary = "what a network file holds and how it was trained",
    .operands = "FILE",
    .description = "Reads the header only, so it is quick for files of any size.",
    COMMAND_EXAMPLES(info_examples),
    .run = run_info_command,
};

static enum status run_list_command(struct cli_call *call)
{
    return call->common.json ? net_show_names_json() : net_show_names();
}

static const struct command net_list_command = {
    .name = "net list",
    .summary = "the named shapes, drawn",
    .description = "The names that 'shape' of a recipe understands, with the number of weights of one stage.",
    .run = run_list_command,
};

static enum status fold(struct work *work, const struct common_options *common)
{
    struct network *folded = NULL;
    enum status status = network_fold(&folded, work->network, cli_progress_stream(common));
    if (status)
        goto done;
    status = network_history_note(&work->history, "folded from %d tuples to %d", work->network->spec.shape.n_tuples,
                                  folded->spec.shape.n_tuples);
    if (status)
        goto done;
    status = network_save(folded, work->out, &work->history, NETWORK_FLOAT32, cli_progress_stream(common));
    if (status)
        goto done;
    struct outcome outcome = {.in = work->in,
                              .out = work->out,
                              .before = &work->network->spec,
                              .after = &folded->spec,
                              .n_before = work->network->n_weights,
                              .n_after = folded->n_weights};
    status = report(&outcome, common, work->in_bytes);
done:
    network_free(folded);
    return status;
}

static const struct command_example fold_examples[] = {{"trained.net player.net", "42-33-4-22-3 becomes 42-33"}};

static enum status run_fold_command(struct cli_call *call)
{
    struct work work;
    enum status status = work_open(&work, call);
    if (!status)
        status = fold(&work, &call->common);
    work_close(&work);
    return status;
}

static const struct command net_fold_command = {
    .name = "net fold",
    .summary = "fold redundant tuples into those that contain them",
    .operands = "IN OUT",
    .description = "Adds the tables of tuples that lie within others to those, for all stages. The result needs "
                   "fewer look-ups and its values are the same to rounding, which is checked on thousands of "
                   "boards before OUT is written.",
    COMMAND_EXAMPLES(fold_examples),
    .run = run_fold_command,
};

struct shrink_options {
    int precision;
    double step;
    int64_t visits, games, until, seed, threads;
    const char *since, *keep, *from;
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
    if ((options->from || options->until) && options->games == 0)
        return status_fail(STATUS_USAGE, "--from and --until are for --games, of which there are none");
    if (options->until & (options->until - 1))
        return status_fail(STATUS_USAGE, "option '--until' is %lld, expected a tile", (long long)options->until);
    struct bank bank = {0};
    enum status status = signals_catch_interrupt();
    if (!status && options->from)
        status = bank_read(&bank, &work->network->grid, options->from);
    settings.where = (struct visits_games){
        .starts = bank.boards,
        .n_starts = bank.n_boards,
        .until = options->until ? (unsigned)__builtin_ctzll((unsigned long long)options->until) : 0};
    if (!status)
        status =
            shrink_network(work->network, work->out, &work->history, &settings, cli_progress_stream(common), &result);
    bank_free(&bank);
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

static const struct shrink_options shrink_defaults = {.precision = NETWORK_16BIT, .seed = 1};

#define IN(member) OPTION_FIELD(struct shrink_options, member)
static const struct option_spec shrink_option_rows[] = {
    {"precision", 'p', "NAME", IN(precision), "how weights are stored", .choices = precision_names},
    {"step", 0, "POINTS", IN(step), "round weights to steps of this many points, and compress hard; 0 does not",
     OPTION_RANGE(0, 1e9)},
    {"games", 'n', "G", IN(games), "games of the network that show which weights it reads: rare ones get larger steps",
     OPTION_RANGE(0, 100000000)},
    {"visits", 0, "N", IN(visits), "drop weights that these games read less than N times; 0 keeps all",
     OPTION_RANGE(0, VISITS_MAX)},
    {"from", 0, "BANK", IN(from), "start these games from the boards of this file"},
    {"until", 0, "TILE", IN(until), "end them when a move makes this tile; 0: play to the end",
     OPTION_RANGE(0, 1 << BOARD_MAX_VALUE)},
    {"seed", 's', "S", IN(seed), "of these games", OPTION_AT_LEAST(0)},
    {"threads", 't', "T", IN(threads), "for these games; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
    {"since", 0, "NET", IN(since),
     "after the first stage, drop weights that are as in this network, from which the run started"},
    {"keep", 0, "NET", IN(keep), "with --since: but not what this network has"},
};
#undef IN

static const struct command_example shrink_examples[] = {
    {"big.net small.net", "half the bytes, and what that costs"},
    {"big.net small.net --step 16 --games 5000", "a tenth of them, for a network that is to be shipped"},
};

static enum status run_shrink_command(struct cli_call *call)
{
    const struct shrink_options *options = call->options;
    struct work work;
    enum status status = work_open(&work, call);
    if (!status)
        status = shrink(&work, options, &call->common);
    work_close(&work);
    return status;
}

static const struct command net_shrink_command = {
    .name = "net shrink",
    .summary = "store a network in fewer bytes",
    .operands = "IN OUT",
    .description =
        "Stores the weights in 16 bits each, or rounded to steps, which may be larger, or drop a weight, where play "
        "rarely reads. Prints the bytes and the largest error of a weight, and compares the values of thousands of "
        "boards; only games show what it costs in points: afterstate eval --compare IN OUT.",
    COMMAND_OPTIONS(shrink_option_rows, struct shrink_options),
    .defaults = &shrink_defaults,
    COMMAND_EXAMPLES(shrink_examples),
    .run = run_shrink_command,
};

struct convert_options {
    const char *stages;
    int promote; /* of keep_yes_no */
    int64_t n_values;
    int play;    /* of net_play_names */
    int storage; /* of net_storage_names */
};

static enum status convert(struct work *work, const struct convert_options *options,
                           const struct common_options *common)
{
    const struct network_spec *old = &work->network->spec;
    struct network_conversion conversion = {.stages = old->stages,
                                            .promote = options->promote ? options->promote == 1 : old->promote,
                                            .n_values = (unsigned)options->n_values};
    struct network *converted = NULL;
    char from[256], to[256];
    enum status status = options->stages ? stages_parse(&conversion.stages, options->stages) : STATUS_OK;
    if (status)
        return status;
    status = network_convert(&converted, work->network, &conversion, cli_progress_stream(common));
    if (status)
        return status;
    status = network_history_note(&work->history, "converted from stages %s to %s, %d to %d digits a cell",
                                  stages_text(&old->stages, from), stages_text(&converted->spec.stages, to),
                                  old->encoding.ranges[0].n_digits, converted->spec.encoding.ranges[0].n_digits);
    if (status)
        goto done;
    status = network_save(converted, work->out, &work->history, NETWORK_FLOAT32, cli_progress_stream(common));
    if (status)
        goto done;
    struct outcome outcome = {.in = work->in,
                              .out = work->out,
                              .before = old,
                              .after = &converted->spec,
                              .n_before = work->network->n_weights,
                              .n_after = converted->n_weights};
    status = report(&outcome, common, work->in_bytes);
done:
    network_free(converted);
    return status;
}

#define IN(member) OPTION_FIELD(struct convert_options, member)
static const struct option_spec convert_option_rows[] = {
    {"stages", 's', "STAGES", IN(stages),
     "new stages: \"0 32768\", \"bits 4\" or \"0 16384 16384+8192\"; each must be part of an old one"},
    {"promote", 0, "WHETHER", IN(promote), "whether an untouched weight is that of the stage before",
     .choices = keep_yes_no},
    {"values", 'v', "K", IN(n_values), "cell values that a plain network distinguishes; 0 keeps them",
     OPTION_RANGE(0, ENCODING_VALUES)},
    {"play", 0, "WAY", IN(play), "of a neural network: evaluate boards as they are, or all their images",
     .choices = net_play_names},
    {"storage", 0, "FORM", IN(storage), "of a neural network: float32, or bfloat16, which is half the file",
     .choices = net_storage_names},
};
#undef IN

static const struct command_example convert_examples[] = {
    {"one.net staged.net --stages \"bits 4\" --promote yes", "to continue training with sixteen stages"},
    {"clamped.net exact.net --values 18", "to distinguish 65536 from 32768"},
    {"neural.net symmetric.net --play ave", "the mean over the images of a board"},
    {"neural.net small.net --storage bfloat16", "a file of half the size"},
};

static enum status run_convert_command(struct cli_call *call)
{
    const struct convert_options *options = call->options;
    if (neural_file_is(call->operands[0])) {
        if (options->stages || options->promote || options->n_values)
            return status_fail(STATUS_USAGE, "%s is a neural network, which has no stages, promotion or cell values",
                               call->operands[0]);
        return net_convert_neural(call->operands[0], call->operands[1], options->play, options->storage, &call->common);
    }
    struct work work;
    enum status status = work_open(&work, call);
    if (status)
        goto done;
    if (options->play || options->storage)
        status =
            status_fail(STATUS_USAGE, "%s is an n-tuple network; --play and --storage are for neural ones", work.in);
    if (status)
        goto done;
    status = convert(&work, options, &call->common);
done:
    work_close(&work);
    return status;
}

static const struct command net_convert_command = {
    .name = "net convert",
    .summary = "give a network more stages, cell values, another way of play",
    .operands = "IN OUT",
    .description = "Gives an n-tuple network more stages or more cell values, so that training can continue with "
                   "them. Its values stay the same, which is checked before OUT is written. Gives a neural "
                   "network another way of play; its weights stay the same.",
    COMMAND_OPTIONS(convert_option_rows, struct convert_options),
    COMMAND_EXAMPLES(convert_examples),
    .run = run_convert_command,
};

static const struct command *const parts[] = {&net_info_command,   &net_list_command,    &net_fold_command,
                                              &net_shrink_command, &net_average_command, &net_convert_command,
                                              &net_export_command, &net_import_command};

const struct command verb_net = {
    .name = "net",
    .heading = "Learn",
    .summary = "network files: info, list, fold, shrink, average, convert, export, import",
    .description = "Prints what network files hold and makes others from them.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
};
