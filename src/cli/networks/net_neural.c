/* net_neural: the commands of `net` for neural networks. */
#include "cli/networks/net_neural.h"

#include "base/number_text.h"
#include "cli/networks/net_show.h"
#include "neural/neural_file.h"
#include "neural/neural_npz.h"
#include "study/ntuple_arrays.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *const net_play_names[] = {"keep", "simple", "ave", "max", "min", "corner", NULL};
_Static_assert(sizeof net_play_names / sizeof *net_play_names == NEURAL_PLAYS + 2, "a word for each way of play");

const char *const net_storage_names[] = {[NEURAL_FLOATS] = "float32", [NEURAL_HALVES] = "bfloat16", NULL};

static const char *describe_play(enum neural_play play)
{
    static const char *const texts[NEURAL_PLAYS] = {
        "the board as it lies", "the mean over all images of a board", "the largest over all images of a board",
        "the smallest over all images of a board", "the image with its largest corner in the last cell"};
    return texts[play];
}

static void print_info(const char *path, const struct neural *neural, const struct network_history *history,
                       uint64_t file_bytes)
{
    const struct neural_spec *spec = &neural->spec;
    char size[32], count[32];
    printf("file       %s, %s\n", path, number_text_bytes(size, (double)(file_bytes)));
    printf("board      %dx%d\n", spec->rows, spec->cols);
    printf("model      %s, neural, %d planes: empty to %u%s\n", spec->model, spec->planes, 1U << (spec->planes - 1),
           spec->planes <= neural->grid.max_value ? ", larger tiles count as that" : "");
    printf("play       %s: %s\n", neural_play_name(spec->play), describe_play(spec->play));
    printf("scale      %g points to one of output\n", spec->scale);
    printf("weights    %s, %s in memory\n", number_text_count(count, neural->n_weights),
           number_text_bytes(size, (double)(neural->n_weights * sizeof(neural_real))));
    for (unsigned i = 0; i < neural->n_arrays; i++) {
        const struct neural_array *array = &neural->arrays[i];
        printf("%-10s %-16s", i ? "" : "arrays", array->name);
        for (unsigned d = 0; d < array->n_dims; d++)
            printf("%s%zu", d ? " x " : " ", array->shape[d]);
        putchar('\n');
    }
    net_show_history(history);
}

static enum status print_info_json(const char *path, const struct neural *neural, const struct network_history *history,
                                   uint64_t file_bytes)
{
    const struct neural_spec *spec = &neural->spec;
    struct json json;
    json_begin(&json);
    json_add_text(&json, "file", path);
    json_add_unsigned(&json, "file_bytes", file_bytes);
    json_add_text(&json, "kind", "neural");
    json_add_unsigned(&json, "rows", spec->rows);
    json_add_unsigned(&json, "cols", spec->cols);
    json_add_text(&json, "model", spec->model);
    json_add_unsigned(&json, "planes", spec->planes);
    json_add_text(&json, "play", neural_play_name(spec->play));
    json_add_real(&json, "scale", spec->scale);
    json_add_unsigned(&json, "weights", neural->n_weights);
    json_add_unsigned(&json, "memory_bytes", neural->n_weights * sizeof(neural_real));
    json_add_unsigned(&json, "count", neural->n_arrays);
    json_open_array(&json, "arrays");
    for (unsigned i = 0; i < neural->n_arrays; i++) {
        json_open_object(&json, NULL);
        json_add_text(&json, "name", neural->arrays[i].name);
        json_open_array(&json, "shape");
        for (unsigned d = 0; d < neural->arrays[i].n_dims; d++)
            json_add_unsigned(&json, NULL, neural->arrays[i].shape[d]);
        json_close(&json);
        json_close(&json);
    }
    json_close(&json);
    net_add_history(&json, history);
    return cli_print_json(&json);
}

enum status net_show_neural(const char *path, const struct common_options *common)
{
    struct neural_spec spec;
    struct network_history history;
    struct neural *neural = NULL; /* of zeros: it knows the arrays */
    uint64_t n_weights, file_bytes;
    enum status status = neural_read_info(path, &spec, &n_weights, &history, &file_bytes);
    if (status)
        return status;
    status = neural_create(&neural, &spec);
    if (!status && common->json)
        status = print_info_json(path, neural, &history, file_bytes);
    else if (!status)
        print_info(path, neural, &history, file_bytes);
    neural_free(neural);
    network_history_free(&history);
    return status;
}

/* Prints what was written. */
static enum status report(const char *in, const char *out, const struct neural *neural,
                          const struct common_options *common)
{
    struct stat about;
    char text[32];
    if (stat(out, &about) != 0)
        return status_fail_errno(STATUS_IO, "%s: cannot read its size", out);
    if (common->json) {
        struct json json;
        json_begin(&json);
        json_add_text(&json, "in", in);
        json_add_text(&json, "out", out);
        json_add_text(&json, "model", neural->spec.model);
        json_add_text(&json, "play", neural_play_name(neural->spec.play));
        json_add_unsigned(&json, "weights", neural->n_weights);
        json_add_unsigned(&json, "file_bytes", (uint64_t)about.st_size);
        return cli_print_json(&json);
    }
    printf("%s -> %s\n", in, out);
    printf("model      %s, play %s\n", neural->spec.model, neural_play_name(neural->spec.play));
    printf("weights    %s in %u arrays\n", number_text_count(text, neural->n_weights), neural->n_arrays);
    printf("file       %s\n", number_text_bytes(text, (double)((uint64_t)about.st_size)));
    return STATUS_OK;
}

/* Loads a neural network; fails for other files. */
static enum status load(struct neural **out, const char *path, struct network_history *history)
{
    struct network_info info;
    *out = NULL;
    *history = (struct network_history){0};
    if (!neural_file_is(path) && network_read_info(path, &info, NULL, NULL) == STATUS_OK)
        return status_fail(STATUS_USAGE, "%s is an n-tuple network; expected a neural one", path);
    return neural_load(out, path, history);
}

/* A score measured before a change does not hold for the changed network. */
static void forget_score(struct network_history *history)
{
    free(history->measured);
    history->measured = NULL;
    history->score = history->score_ci95 = 0;
}

enum status net_convert_neural(const char *in, const char *out, int play, int storage,
                               const struct common_options *common)
{
    struct neural *neural;
    struct network_history history;
    enum status status = load(&neural, in, &history);
    if (status)
        goto done;
    if (play) {
        status = network_history_note(&history, "way of play changed from %s to %s",
                                      neural_play_name(neural->spec.play), net_play_names[play]);
        neural->spec.play = (enum neural_play)(play - 1);
        forget_score(&history);
    }
    if (!status && storage == NEURAL_HALVES) {
        status = network_history_note(&history, "weights rounded to 16 bits");
        forget_score(&history);
    }
    if (status)
        goto done;
    status = neural_save_as(neural, out, &history, (enum neural_storage)storage);
    if (status)
        goto done;
    status = report(in, out, neural, common);
done:
    network_history_free(&history);
    neural_free(neural);
    return status;
}

/* ---- n-tuple networks to Python and back ------------------------------------------------------------------------- */

/* Fails for files of neither kind. */
static enum status find_kind(const char *path, bool *is_ntuple)
{
    struct network_info info;
    *is_ntuple = !neural_file_is(path);
    return *is_ntuple ? network_read_info(path, &info, NULL, NULL) : STATUS_OK;
}

/* What was exported or imported of an n-tuple network; `network` is the one of the two files that is a network. */
static enum status report_ntuple(const char *in, const char *out, const char *network,
                                 const struct common_options *common)
{
    struct stat about;
    struct network_info info;
    uint64_t n_weights, bytes;
    char text[32];
    if (stat(out, &about) != 0)
        return status_fail_errno(STATUS_IO, "%s: cannot read its size", out);
    enum status status = network_read_info(network, &info, NULL, NULL);
    if (!status)
        status = network_measure(&info.spec, &n_weights, &bytes);
    if (status)
        return status;
    unsigned n_tuples = info.spec.shape.n_tuples, n_ranges = info.spec.encoding.n_ranges;
    unsigned n_stages = info.spec.stages.n_stages;
    if (common->json) {
        struct json json;
        json_begin(&json);
        json_add_text(&json, "in", in);
        json_add_text(&json, "out", out);
        json_add_unsigned(&json, "tuples", n_tuples);
        json_add_unsigned(&json, "ranges", n_ranges);
        json_add_unsigned(&json, "stages", n_stages);
        json_add_unsigned(&json, "weights", n_weights);
        json_add_unsigned(&json, "file_bytes", (uint64_t)about.st_size);
        return cli_print_json(&json);
    }
    printf("%s -> %s\n", in, out);
    printf("tables     %u: tuples %u, ranges %u, stages %u\n", n_tuples * n_ranges * n_stages, n_tuples, n_ranges,
           n_stages);
    printf("weights    %s\n", number_text_count(text, n_weights));
    printf("file       %s\n", number_text_bytes(text, (double)((uint64_t)about.st_size)));
    return STATUS_OK;
}

static enum status export_ntuple(const char *in, const char *out, const struct common_options *common)
{
    enum status status = network_file_to_npz(in, out);
    return status ? status : report_ntuple(in, out, in, common);
}

static enum status import_ntuple(const char *in, const char *like, const char *out, const struct common_options *common)
{
    enum status status = network_file_from_npz(in, like, out);
    return status ? status : report_ntuple(in, out, out, common);
}

static enum status export_network(const char *in, const char *out, const struct common_options *common)
{
    struct neural *neural;
    struct network_history history;
    enum status status = load(&neural, in, &history);
    if (status)
        goto done;
    status = neural_export_npz(neural, out);
    if (status)
        goto done;
    status = report(in, out, neural, common);
done:
    network_history_free(&history);
    neural_free(neural);
    return status;
}

static const struct command_example export_examples[] = {
    {"run/network.net weights.npz", "numpy.load(\"weights.npz\")"}};

static enum status run_export_command(struct cli_call *call)
{
    const char *in = call->operands[0], *out = call->operands[1];
    bool is_ntuple;
    enum status status = find_kind(in, &is_ntuple);
    if (status)
        return status;
    return is_ntuple ? export_ntuple(in, out, &call->common) : export_network(in, out, &call->common);
}

const struct command net_export_command = {
    .name = "net export",
    .summary = "write a network's weights for Python, as .npz",
    .operands = "NET NPZ",
    .description = "Writes the weights of a network as NumPy's named arrays of float32. Of a neural network: "
                   "conv1.weight of shape (height, width, in, out), fc1.weight of shape (in, out), fc1.bias and so "
                   "on; 'net info' lists them. Of an n-tuple network: stage0.tuple0.range0 and so on, with an axis for "
                   "each cell of the tuple, and tuple0.cells with the numbers of these cells.",
    COMMAND_EXAMPLES(export_examples),
    .run = run_export_command,
};

struct import_options {
    const char *like, *model, *board;
    int64_t planes;
    int play;
    double scale;
};

/* Creates the network, like another one or by the options. */
static enum status make_network(const struct import_options *options, struct neural **out,
                                struct network_history *history)
{
    unsigned rows, cols;
    *out = NULL;
    *history = (struct network_history){0};
    if (!options->like == !options->model)
        return status_fail(STATUS_USAGE, "expected one of --model NAME and --like FILE");
    if (options->like)
        return load(out, options->like, history);
    struct neural_spec spec = {.planes = (uint8_t)options->planes,
                               .play = options->play ? (enum neural_play)(options->play - 1) : NEURAL_PLAY_SIMPLE,
                               .scale = options->scale};
    enum status status = grid_parse_size(options->board, &rows, &cols);
    if (status)
        return status;
    if (strlen(options->model) >= sizeof spec.model)
        return status_fail(STATUS_USAGE, "the model '%s' is longer than %zu characters", options->model,
                           sizeof spec.model - 1);
    spec.rows = (uint8_t)rows;
    spec.cols = (uint8_t)cols;
    strcpy(spec.model, options->model);
    return neural_create(out, &spec);
}

static enum status import_network(const struct import_options *options, const char *in, const char *out,
                                  const struct common_options *common)
{
    struct neural *neural;
    struct network_history history;
    enum status status = make_network(options, &neural, &history);
    if (status)
        goto done;
    status = neural_import_npz(neural, in);
    if (status)
        goto done;
    forget_score(&history);
    status = network_history_note(&history, "weights imported from %s", in);
    if (status)
        goto done;
    status = neural_save(neural, out, &history);
    if (!status)
        status = report(in, out, neural, common);
done:
    network_history_free(&history);
    neural_free(neural);
    return status;
}

static const struct import_options import_defaults = {.board = "4x4", .planes = 16, .scale = 1};

#define IN(member) OPTION_FIELD(struct import_options, member)
static const struct option_spec import_option_rows[] = {
    {"model", 'm', "NAME", IN(model), "the model: CNN22, CNN12, MLP, .. or its layers"},
    {"like", 'l', "FILE", IN(like), "all but the weights as in this network file"},
    {"board", 'b', "RxC", IN(board), "with --model: rows and columns"},
    {"planes", 0, "N", IN(planes), "with --model: input planes, 16 or 18", OPTION_RANGE(16, 18)},
    {"play", 0, "WAY", IN(play), "with --model: how images of a board are evaluated", .choices = net_play_names},
    {"scale", 0, "X", IN(scale), "with --model: points to one of output", OPTION_RANGE(1e-9, 1e9)},
};
#undef IN

static const struct command_example import_examples[] = {
    {"weights.npz network.net --model CNN22", "weights that Python wrote"},
    {"changed.npz new.net --like run/network.net", "weights changed in Python"},
};

static enum status run_import_command(struct cli_call *call)
{
    const struct import_options *options = call->options;
    const char *in = call->operands[0], *out = call->operands[1];
    bool is_ntuple = false;
    enum status status = options->like && !options->model ? find_kind(options->like, &is_ntuple) : STATUS_OK;
    if (status)
        return status;
    if (is_ntuple)
        return import_ntuple(in, options->like, out, &call->common);
    return import_network(options, in, out, &call->common);
}

const struct command net_import_command = {
    .name = "net import",
    .summary = "make a network of weights from Python",
    .operands = "NPZ NET",
    .description = "Makes a network file of NumPy's named arrays (np.savez or np.savez_compressed; float32 or "
                   "float64). Names and shapes must be those of the model, as 'net export' writes them. The file "
                   "holds weights only, so options give the rest; for an n-tuple network --like does.",
    COMMAND_OPTIONS(import_option_rows, struct import_options),
    .defaults = &import_defaults,
    COMMAND_EXAMPLES(import_examples),
    .run = run_import_command,
};
