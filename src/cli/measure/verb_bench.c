/* bench: the table of speeds and limits, and the signature. */
#include "cli/frame/verbs.h"

#include "base/json.h"
#include "base/number_text.h"
#include "base/progress.h"
#include "base/signals.h"
#include "bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 64 };

struct bench_options {
    double seconds;
    int64_t warm_up;
    const char *only;
    struct option_texts networks, models;
    bool signature;
};

/* The lines measured so far. */
struct bench_table {
    struct bench_line lines[MAX_LINES];
    char names[MAX_LINES][48]; /* copies: a job's name may not outlive its bench */
    size_t n_lines;
};

static void print_line(const struct bench_line *line)
{
    char rate[32], limit[32];
    number_text_rate(rate, line->rate, line->unit);
    number_text_short(limit, line->limit_rate);
    printf("%-20s %14s  %7.2f ns  limit %8s  ratio %.2f  (limit: %s)\n", line->name, rate, 1e9 / line->rate, limit,
           line->rate / line->limit_rate, line->limit);
    fflush(stdout);
}

static void add_line_json(struct json *json, const struct bench_line *line)
{
    json_open_object(json, NULL);
    json_add_text(json, "name", line->name);
    json_add_text(json, "unit", line->unit);
    json_add_real(json, "per_second", line->rate);
    json_add_real(json, "low", line->low);
    json_add_real(json, "high", line->high);
    json_add_real(json, "nanoseconds", 1e9 / line->rate);
    json_add_text(json, "limit", line->limit);
    json_add_real(json, "limit_per_second", line->limit_rate);
    json_add_real(json, "ratio", line->rate / line->limit_rate);
    json_close(json);
}

/* Measures the jobs whose name contains options->only. */
static void measure_jobs(const struct bench_job *jobs, size_t n_jobs, const struct bench_options *options,
                         const struct common_options *common, struct bench_table *table)
{
    for (size_t i = 0; i < n_jobs && table->n_lines < MAX_LINES && !signals_interrupted(); i++) {
        if (options->only && !strstr(jobs[i].name, options->only))
            continue;
        struct bench_line *line = &table->lines[table->n_lines];
        *line = bench_measure(&jobs[i], options->seconds);
        line->name = strcpy(table->names[table->n_lines++], jobs[i].name);
        if (!common->json)
            print_line(line);
    }
}

static enum status measure_engine(const struct bench_options *options, const struct common_options *common,
                                  struct bench_table *table)
{
    struct engine_bench *bench;
    size_t n_jobs;
    enum status status = bench_engine_create(&bench);
    if (status)
        return status;
    const struct bench_job *jobs = bench_engine_jobs(bench, &n_jobs);
    measure_jobs(jobs, n_jobs, options, common, table);
    bench_engine_free(bench);
    return STATUS_OK;
}

static enum status measure_codes(const struct bench_options *options, const struct common_options *common,
                                 struct bench_table *table)
{
    struct codes_bench *bench;
    size_t n_jobs;
    enum status status = bench_codes_create(&bench);
    if (status)
        return status;
    const struct bench_job *jobs = bench_codes_jobs(bench, &n_jobs);
    measure_jobs(jobs, n_jobs, options, common, table);
    bench_codes_free(bench);
    return STATUS_OK;
}

static enum status measure_solver(const struct bench_options *options, const struct common_options *common,
                                  struct bench_table *table)
{
    static const struct {
        unsigned rows, cols, age;
    } boards[] = {{3, 3, 600}, {4, 3, 120}}; /* counted in a second or two */
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++) {
        struct solve_bench *bench;
        size_t n_jobs;
        enum status status = bench_solve_create(&bench, boards[i].rows, boards[i].cols, boards[i].age);
        if (status)
            return status;
        const struct bench_job *jobs = bench_solve_jobs(bench, &n_jobs);
        measure_jobs(jobs, n_jobs, options, common, table);
        bench_solve_free(bench);
    }
    return STATUS_OK;
}

static enum status measure_network(const char *shape, const struct bench_options *options,
                                   const struct common_options *common, struct bench_table *table)
{
    struct learn_bench *bench;
    size_t n_jobs;
    if (!common->quiet)
        fprintf(stderr, "bench: %s is trained for %lld actions first, so that it uses as many weights as in play\n",
                shape, (long long)options->warm_up);
    enum status status = bench_learn_create(&bench, shape, (uint64_t)options->warm_up);
    if (status)
        return status;
    const struct bench_job *jobs = bench_learn_jobs(bench, &n_jobs);
    measure_jobs(jobs, n_jobs, options, common, table);
    bench_learn_free(bench);
    return STATUS_OK;
}

static enum status measure_neural(const char *model, const struct bench_options *options,
                                  const struct common_options *common, struct bench_table *table)
{
    struct neural_bench *bench;
    size_t n_jobs;
    if (!common->quiet)
        fprintf(stderr, "bench: %s is trained briefly first, so that its games are of all ages\n", model);
    enum status status = bench_neural_create(&bench, model);
    if (status)
        return status;
    const struct bench_job *jobs = bench_neural_jobs(bench, &n_jobs);
    measure_jobs(jobs, n_jobs, options, common, table);
    bench_neural_free(bench);
    return STATUS_OK;
}

static enum status measure_all(const struct bench_options *options, const struct common_options *common,
                               struct bench_table *table)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < options->networks.n_items && !status; i++)
        status = bench_learn_check(options->networks.items[i]);
    if (status)
        return status;
    for (size_t i = 0; i < options->models.n_items && !status; i++)
        status = bench_neural_check(options->models.items[i]);
    if (status)
        return status;
    status = measure_engine(options, common, table);
    if (status)
        return status;
    if (!signals_interrupted())
        status = measure_codes(options, common, table);
    if (status)
        return status;
    if (!signals_interrupted())
        status = measure_solver(options, common, table);
    if (status)
        return status;
    for (size_t i = 0; i < options->networks.n_items && !status && !signals_interrupted(); i++)
        status = measure_network(options->networks.items[i], options, common, table);
    if (status)
        return status;
    for (size_t i = 0; i < options->models.n_items && !status && !signals_interrupted(); i++)
        status = measure_neural(options->models.items[i], options, common, table);
    if (status)
        return status;
    if (table->n_lines == 0 && !signals_interrupted())
        status = status_fail(STATUS_USAGE, "no job's name contains '%s'; run 'afterstate bench' to see them all%s",
                             options->only,
                             options->networks.n_items + options->models.n_items
                                 ? ""
                                 : " (those of networks come with --network and --neural)");
    return status;
}

static enum status print_json(const struct bench_line *lines, size_t n_lines, const char *signature, const char *only)
{
    struct json json;
    json_begin(&json);
    json_add_text(&json, "signature", signature);
    if (only)
        json_add_text(&json, "only", only);
    json_add_unsigned(&json, "count", n_lines);
    json_open_array(&json, "lines");
    for (size_t i = 0; i < n_lines; i++)
        add_line_json(&json, &lines[i]);
    json_close(&json);
    return cli_print_json(&json);
}

static const struct bench_options defaults = {.seconds = 1, .warm_up = 20000000};

#define IN(member) OPTION_FIELD(struct bench_options, member)
static const struct option_spec option_rows[] = {
    {"seconds", 's', "S", OPTION_SECONDS_FIELD(struct bench_options, seconds),
     "time for each line, its limit included: 1, the default, or 500ms", OPTION_RANGE(0.01, 3600)},
    {"only", 'o', "TEXT", IN(only), "only the jobs whose name contains this"},
    {"network", 'n', "NAME", IN(networks), "measure training and play of this network too (4x6, 8x6, ..)"},
    {"neural", 0, "MODEL", IN(models), "measure training and evaluation of this neural network too (CNN22, ..)"},
    {"warm-up", 'w', "N", IN(warm_up), "actions that such a network learns first", OPTION_RANGE(100000, 1e12)},
    {"signature", 0, NULL, IN(signature), "only print the signature"},
};

static const struct command_example examples[] = {
    {"", "every speed beside this machine's limit"},
    {"--only canonical --seconds 5", "one job, longer"},
    {"--network 4x6 --seconds 4", "with training and greedy play of a 4x6 network"},
    {"--neural CNN22 --only CNN22", "a neural network beside this machine's fastest products"},
    {"--signature", "what the engine decides, as one number"},
};

static enum status run_command(struct cli_call *call)
{
    const struct bench_options *options = call->options;
    const struct common_options *common = &call->common;
    struct bench_table table = {.n_lines = 0};
    uint64_t number;
    char signature[32];
    enum status status = STATUS_OK;
    if (!options->signature)
        status = measure_all(options, common, &table);
    if (!status)
        status = bench_signature(&number);
    if (status)
        return status;
    snprintf(signature, sizeof signature, "%016" PRIx64, number);
    if (common->json)
        return print_json(table.lines, table.n_lines, signature, options->only);
    printf("signature %s\n", signature);
    return STATUS_OK;
}

const struct command verb_bench = {
    .name = "bench",
    .heading = "Measure",
    .summary = "speeds of the parts, each beside this machine's limit",
    .description = "Each line is a speed (of one thread unless it says x2), the limit of this machine for that job "
                   "measured in the same run, and their ratio. The signature is the same on every machine and build; a "
                   "change of it is a change of behaviour.",
    COMMAND_OPTIONS(option_rows, struct bench_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .run = run_command,
};
