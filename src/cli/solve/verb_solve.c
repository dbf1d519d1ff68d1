/* solve: counts and evaluates every board of a small size, into a table directory from which it resumes. */
#include "cli/frame/verbs.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/workers.h"
#include "cli/solve/solve_dump.h"
#include "cli/solve/solve_figures.h"
#include "cli/solve/solve_job.h"
#include "cli/solve/traffic_file.h"
#include "game/grid.h"
#include "solve/age_code.h"
#include "solve/layout.h"
#include "solve/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct solve_options {
    const char *directory, *verify, *stats;
    const char *optimistic, *pessimistic; /* beside --stats */
    const char *dump;
    int64_t age; /* of --dump */
    int64_t threads, to_age, from_age, bits, checkpoint_every, samples, seed;
    double memory, four_chance;
    const char *objective, *walls, *at, *caps, *traffic;
    int64_t target;
    int variant, store, precision;
    bool force;
};

static const char *const start_names[TABLE_START_KINDS] = {"two 2s", "2 and 4", "two 4s"};
static const char *const start_keys[TABLE_START_KINDS] = {"2+2", "2+4", "4+4"};

/* ---- results ----------------------------------------------------------------------------------------------------- */

static void print_line(const char *name, uint64_t number)
{
    char text[32];
    printf("%-16s %s\n", name, number_text_count(text, number));
}

static double rate(uint64_t n, double seconds)
{
    return seconds > 0 ? (double)n / seconds : 0;
}

/* Bits for each board; 0 where there is none. */
static double bits_each(struct stored_size size)
{
    return size.members ? 8 * (double)size.bytes / (double)size.members : 0;
}

static void print_rate(const char *name, uint64_t n, double seconds)
{
    char each[32], spent[NUMBER_TEXT_BYTES];
    if (n == 0)
        return;
    printf("%-16s %s (%s)\n", name, number_text_duration(spent, seconds),
           number_text_rate(each, rate(n, seconds), "states"));
}

static void print_report(const struct solve_report *report)
{
    const struct table_summary *summary = &report->summary;
    print_line("states", summary->n_states);
    print_line("afterstates", summary->n_afterstates);
    print_line("terminal states", summary->n_terminal);
    if (summary->backward_done) {
        char chance[32], starts[32];
        snprintf(chance, sizeof chance, "chance of %u", 1u << summary->goal);
        printf("%-16s %s\n", summary->goal ? chance : "expected score", TEXT_OF_REAL(summary->expected_score, 6));
        if (summary->walls.cells)
            printf("  best start       %.6f\n  starts           %s\n", summary->best_start,
                   number_text_count(starts, summary->n_starts));
        for (int i = 0; i < TABLE_START_KINDS; i++) {
            if (!isnan(summary->start_value[i]))
                printf("  from %-9s  %s\n", start_names[i], TEXT_OF_REAL(summary->start_value[i], 6));
        }
    }
    print_rate("forward", report->forward_states, report->forward_seconds);
    print_rate("backward", report->backward_states, report->backward_seconds);
    printf("%-16s %s\n", "files", TEXT_OF_BYTES(report->bytes));
    if (report->sets.bytes)
        printf("  sets             %.2f bits an afterstate\n", bits_each(report->sets));
    if (report->values.bytes)
        printf("  values           %.2f bits an afterstate\n", bits_each(report->values));
    if (report->moves.bytes)
        printf("  moves            %.3f bits a state\n", bits_each(report->moves));
}

/* What went over the network; nothing for one process. */
static void print_volume(const struct solve_volume *sent, unsigned n_ranks)
{
    const uint64_t bytes[] = {sent->sets, sent->requests, sent->values, sent->files};
    static const char *const names[] = {"boards", "boards asked for", "their values", "files and codes"};
    char text[32];
    if (n_ranks == 1)
        return;
    printf("%-16s by %u ranks together\n", "sent", n_ranks);
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
        printf("  %-16s %s\n", names[i], number_text_bytes(text, (double)bytes[i]));
}

static void add_volume(struct json *json, const struct solve_volume *sent, unsigned n_ranks)
{
    if (n_ranks == 1)
        return;
    json_open_object(json, "sent");
    json_add_unsigned(json, "ranks", n_ranks);
    json_add_unsigned(json, "boards", sent->sets);
    json_add_unsigned(json, "requests", sent->requests);
    json_add_unsigned(json, "values", sent->values);
    json_add_unsigned(json, "files", sent->files);
    json_close(json);
}

static void add_ages(struct json *json, const struct table_index *index, uint32_t from, uint32_t to)
{
    json_open_array(json, "ages");
    for (size_t i = 0; i < index->n_ages; i++) {
        const struct table_age *age = &index->ages[i];
        if (age->age < from || age->age > to)
            continue;
        json_open_object(json, NULL);
        json_add_unsigned(json, "age", age->age);
        json_add_unsigned(json, "states", age->n_states);
        json_add_unsigned(json, "afterstates", age->n_afterstates);
        json_add_unsigned(json, "terminal", age->n_terminal);
        json_add_real(json, "best_value", age->best_value);
        json_close(json);
    }
    json_close(json);
}

static void print_ages(const struct table_index *index, uint32_t from, uint32_t to)
{
    puts("age,states,afterstates,terminal,best_value");
    for (size_t i = 0; i < index->n_ages; i++) {
        const struct table_age *age = &index->ages[i];
        if (age->age < from || age->age > to)
            continue;
        printf("%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", age->age, age->n_states, age->n_afterstates, age->n_terminal);
        if (!isnan(age->best_value))
            printf("%.6f", age->best_value);
        putchar('\n');
    }
}

static void add_report(struct json *json, const struct solve_report *report, bool interrupted)
{
    const struct table_summary *summary = &report->summary;
    double seconds = report->forward_seconds + report->backward_seconds;
    json_add_text(json, "end", interrupted ? "interrupted" : summary->backward_done ? "done" : "to-age");
    json_add_unsigned(json, "states", summary->n_states);
    json_add_unsigned(json, "afterstates", summary->n_afterstates);
    json_add_unsigned(json, "terminal", summary->n_terminal);
    json_add_real(json, "expected_score", summary->expected_score);
    json_open_object(json, "start_values");
    for (int i = 0; i < TABLE_START_KINDS; i++)
        json_add_real(json, start_keys[i], summary->start_value[i]);
    json_close(json);
    if (summary->walls.cells) {
        json_add_real(json, "best_start", summary->best_start);
        json_add_unsigned(json, "starts", summary->n_starts);
    }
    json_add_text(json, "variant", solve_variant_names[summary->variant]);
    table_summary_add_rules(json, summary);
    json_add_text(json, "store", solve_store_names[summary->store]);
    json_add_real(json, "seconds", seconds);
    json_add_real(json, "states_per_second", rate(report->forward_states, report->forward_seconds));
    json_add_real(json, "backward_states_per_second", rate(report->backward_states, report->backward_seconds));
    json_add_unsigned(json, "bytes", report->bytes);
    json_add_real(json, "set_bits", bits_each(report->sets));
    json_add_real(json, "value_bits", bits_each(report->values));
    json_add_real(json, "move_bits", bits_each(report->moves));
}

/* ---- the jobs ---------------------------------------------------------------------------------------------------- */

static enum status run_verify(const struct solve_options *options, const struct common_options *common,
                              struct workers *workers)
{
    struct table *table;
    uint64_t n_checked = 0;
    enum status status = table_open(&table, options->verify);
    if (status)
        return status;
    status = table_verify(table, workers, (uint64_t)options->samples, (uint64_t)options->seed, &n_checked);
    if (!status && common->json) {
        struct json json;
        json_begin(&json);
        json_add_text(&json, "end", "fine");
        json_add_unsigned(&json, "afterstates", table_summary(table)->n_afterstates);
        json_add_unsigned(&json, "values_derived", n_checked);
        status = cli_print_json(&json);
    } else if (!status) {
        char ages[32], samples[32];
        printf("%s is fine: %s ages with all checksums, %s values derived from their successors\n", options->verify,
               number_text_count(ages, table_n_ages(table)), number_text_count(samples, n_checked));
    }
    table_close(table);
    return status;
}

/* The counts of a range of ages that a directory holds. Starts no work, and may be called while a solve is running. */
static enum status run_ages(const struct solve_options *options, const struct common_options *common, const char *size)
{
    unsigned rows, cols;
    struct table_index index;
    uint32_t from = (uint32_t)options->from_age, to = options->to_age ? (uint32_t)options->to_age : UINT32_MAX;
    enum status status = grid_parse_size(size, &rows, &cols);
    if (!status && !table_index_exists(options->directory))
        status = status_fail(STATUS_IO,
                             "%s: has no counts yet, and --from-age only prints them; count first: afterstate solve %s "
                             "--out %s --to-age AGE",
                             options->directory, size, options->directory);
    if (!status)
        status = table_index_read(&index, options->directory);
    if (status)
        return status;
    if (index.summary.rows != rows || index.summary.cols != cols) {
        status = table_wrong_size(&index.summary, options->directory, rows, cols);
    } else if (common->json) {
        struct json json;
        json_begin(&json);
        json_add_text(&json, "variant", solve_variant_names[index.summary.variant]);
        table_summary_add_rules(&json, &index.summary);
        json_add_text(&json, "store", solve_store_names[index.summary.store]);
        add_ages(&json, &index, from, to);
        status = cli_print_json(&json);
    } else {
        print_ages(&index, from, to);
    }
    table_index_free(&index);
    return status;
}

static enum status show_report(const struct common_options *common, const struct solve_report *report, bool interrupted)
{
    if (!common->json) {
        print_report(report);
        print_volume(&report->sent, cluster_size(common->cluster));
        return STATUS_OK;
    }
    struct json json;
    json_begin(&json);
    add_report(&json, report, interrupted);
    add_volume(&json, &report->sent, cluster_size(common->cluster));
    return cli_print_json(&json);
}

/* "score", or "tile:512". */
static enum status parse_objective(const char *text, unsigned *goal)
{
    *goal = 0;
    if (!text || strcmp(text, "score") == 0)
        return STATUS_OK;
    char *end = NULL;
    unsigned long tile = strncmp(text, "tile:", 5) == 0 ? strtoul(text + 5, &end, 10) : 0;
    if (tile < 8 || tile > 1ul << BOARD_MAX_VALUE || *end || (tile & (tile - 1)))
        return status_fail(STATUS_USAGE, "--objective %s: expected score, or tile:512 with a tile from 8 up", text);
    *goal = (unsigned)__builtin_ctzl(tile);
    return STATUS_OK;
}

/* --target, another way to write --objective tile:TILE, and the walls. */
static enum status parse_walls(const struct solve_options *options, struct solve_settings *settings)
{
    const uint64_t target = (uint64_t)options->target;
    struct grid grid;
    if (target && options->objective)
        return status_fail(STATUS_USAGE, "--target and --objective say the same; give one of them");
    if (target && (target < 8 || target & (target - 1)))
        return status_fail(STATUS_USAGE, "--target %" PRIu64 ": expected a tile from 8 up", target);
    if (target)
        settings->goal = (unsigned)__builtin_ctzll(target);
    enum status status = grid_create(&grid, settings->rows, settings->cols);
    if (!status && options->walls)
        status = walls_parse(options->walls, &grid, &settings->walls.cells);
    if (!status && options->at)
        status = walls_parse(options->at, &grid, &settings->walls.at);
    if (!status && options->caps)
        status = walls_parse_caps(options->caps, &grid, &settings->walls.caps);
    if (!status)
        status = walls_check(&grid, settings->walls, settings->goal);
    grid_free(&grid);
    return status;
}

static enum status run_solve(const struct solve_options *options, const struct common_options *common,
                             struct workers *workers, const char *size)
{
    struct solve_settings settings = {
        .directory = options->directory,
        .variant = options->variant,
        .store = options->store,
        .fraction_bits = (unsigned)options->bits,
        .precision = options->precision,
        .chance_of_4 = options->four_chance,
        .checkpoint_every = (uint32_t)options->checkpoint_every,
        .to_age = (uint32_t)options->to_age,
        .memory_bytes = options->memory > 0 ? (uint64_t)(options->memory * 1e9) : memory_available_bytes(),
        .cluster = common->cluster,
    };
    struct solve_report report;
    enum status status = grid_parse_size(size, &settings.rows, &settings.cols);
    if (!status)
        status = parse_objective(options->objective, &settings.goal);
    if (!status)
        status = parse_walls(options, &settings);
    struct file_writer *traffic = NULL;
    if (!status)
        status = traffic_file_open(&traffic, options->traffic, &settings);
    if (!status)
        status = traffic_file_close(traffic, common->cluster,
                                    solve_job_run(&settings, options->force, common, workers, &report));
    if (status && status != STATUS_INTERRUPTED)
        return status;
    enum status shown = show_report(common, &report, status == STATUS_INTERRUPTED);
    return shown ? shown : status;
}

static const struct solve_options defaults = {
    .bits = 16, .four_chance = TABLE_USUAL_CHANCE_OF_4, .checkpoint_every = 1, .samples = 10000, .seed = 1};

#define IN(member) OPTION_FIELD(struct solve_options, member)
static const struct option_spec option_rows[] = {
    {"out", 'o', "DIR", IN(directory), "the table directory; the same command resumes there"},
    {"threads", 't', "N", IN(threads), "threads; 0 takes all processors", OPTION_RANGE(0, WORKERS_MAX)},
    {"memory", 'm', "GB", OPTION_BYTES_FIELD(struct solve_options, memory),
     "stop rather than use more memory than this, in GB or as 500MB; 0 takes what is free", OPTION_RANGE(0, 1e6),
     .unit_bytes = 1e9},
    {"store", 0, "WHAT", IN(store), "what is kept of the solution", .choices = solve_store_names},
    {"variant", 0, "NAME", IN(variant), "where tiles appear: at random, where they are best, where they are worst",
     .choices = solve_variant_names},
    {"objective", 0, "WHAT", IN(objective),
     "what values are: score, the expected score; tile:512, the chance that this tile is made"},
    {"walls", 0, "LAYOUT", IN(walls),
     "lock cells: row, square, rows, block, rows7, block7, rows8, block8, or a list of cells as 0-3,4,5"},
    {"target", 0, "TILE", IN(target),
     "values are the chance that this tile is made, as with --objective tile:TILE; 0: none",
     OPTION_RANGE(0, 1 << BOARD_MAX_VALUE)},
    {"at", 0, "CELLS", IN(at), "with --walls, the cells on which the target counts"},
    {"caps", 0, "CAPS", IN(caps),
     "with --walls, the largest tiles on cells, as '3,8:512 10-15:128': a move that would put a larger one there is "
     "not legal"},
    {"four-chance", 0, "P", IN(four_chance), "how often a new tile is a 4", OPTION_RANGE(0, 1)},
    {"precision", 0, "FORM", IN(precision), "values in memory: double, or fixed with 32 bits, half the memory",
     .choices = value_form_names},
    {"to-age", 0, "AGE", IN(to_age), "only count, up to this sum of tiles; 0 solves everything",
     OPTION_RANGE(0, 16380)},
    {"from-age", 0, "AGE", IN(from_age),
     "start nothing, print the counts that are there, from this age to --to-age, as CSV; 0 solves",
     OPTION_RANGE(0, 16380)},
    {"bits", 0, "N", IN(bits), "binary digits of a value's fraction", OPTION_RANGE(0, CODE_MAX_FRACTION_BITS)},
    {"checkpoint-every", 0, "K", IN(checkpoint_every),
     "keep the sets of two ages in every K, and make the others again: less disk, more time", OPTION_RANGE(1, 8192)},
    {"traffic", 0, "FILE", IN(traffic),
     "of several ranks of afterstate-mpi: write the bytes that each sent for each age, beside a model, as CSV"},
    {"force", 0, NULL, IN(force), "start even if the forecast says that disk or memory do not suffice"},
    {"verify", 0, "DIR", IN(verify), "check a table directory instead"},
    {"samples", 0, "N", IN(samples), "values that --verify derives again", OPTION_RANGE(0, 1000000000)},
    {"seed", 0, "N", IN(seed), "which ones", OPTION_AT_LEAST(0)},
    {"stats", 0, "DIR", IN(stats), "write statistics by age of a table into --out, as CSV and charts"},
    {"optimistic", 0, "DIR", IN(optimistic), "with --stats, a table of that variant for its line"},
    {"pessimistic", 0, "DIR", IN(pessimistic), "with --stats, a table of that variant for its line"},
    {"dump", 0, "DIR", IN(dump),
     "write the boards of one age of a table and their values into --out, as .npy files for NumPy"},
    {"age", 0, "AGE", IN(age), "with --dump, the age: the sum of a board's tiles", OPTION_RANGE(0, 16380)},
};

static const struct command_example examples[] = {
    {"3x3 --out mini", "solve 3x3 in seconds"},
    {"3x3 --out m512 --objective tile:512", "the chance to make a 512 on 3x3"},
    {"4x4 --walls block --target 512 --out b512", "a 2x3 block of large tiles is locked: the chance to make a 512"},
    {"4x4 --walls block --target 256 --at 3,8 --caps '3,7-9:128 10,11:64 12-15:32' --out b256",
     "the same for a 256 next to the block, made in order"},
    {"4x3 --out big --to-age 300", "count the first ages of 4x3"},
    {"4x3 --out big --from-age 290", "print the counts from age 290 on"},
    {"--verify mini", "check every file of the table"},
    {"--stats mini --out figures", "counts, values and more by age, as CSV and SVG"},
    {"--dump mini --age 300 --out arrays", "the boards of age 300 and their values, for NumPy"},
};

/* What the options ask for: to solve a board, or to read a table. */
enum solve_job { JOB_SOLVE, JOB_COUNTS, JOB_VERIFY, JOB_STATS, JOB_DUMP };

static enum solve_job find_job(const struct solve_options *options)
{
    if (options->dump)
        return JOB_DUMP;
    if (options->verify)
        return JOB_VERIFY;
    if (options->stats)
        return JOB_STATS;
    return options->from_age ? JOB_COUNTS : JOB_SOLVE;
}

static enum status check_dump(const struct solve_options *options, int n_operands)
{
    if (options->verify || options->stats)
        return status_fail(STATUS_USAGE, "--dump and --%s are two jobs; give one of them",
                           options->verify ? "verify" : "stats");
    if (n_operands)
        return status_fail(STATUS_USAGE, "--dump reads a table directory; give no board size with it");
    if (!options->age)
        return status_fail(STATUS_USAGE, "give the age whose boards are wanted: --age AGE");
    if (!options->directory || !*options->directory)
        return status_fail(STATUS_USAGE, "give the folder for the arrays: --out DIR");
    return STATUS_OK;
}

static enum status check_job(enum solve_job job, const struct solve_options *options, int n_operands)
{
    bool solves = job == JOB_SOLVE || job == JOB_COUNTS;
    if (job == JOB_DUMP)
        return check_dump(options, n_operands);
    if (options->age)
        return status_fail(STATUS_USAGE, "--age goes with --dump; counts of ages are printed with --from-age");
    if (options->verify && options->stats)
        return status_fail(STATUS_USAGE, "--verify and --stats are two jobs; give one of them");
    if (!solves && n_operands)
        return status_fail(STATUS_USAGE, "%s a table directory; give no board size with it",
                           options->verify ? "--verify checks" : "--stats reads");
    if (solves && n_operands == 0)
        return status_fail(STATUS_USAGE, "give the board size, for example 3x3, or --verify DIR, or --stats DIR");
    if (job != JOB_VERIFY && (!options->directory || !*options->directory))
        return status_fail(STATUS_USAGE, job == JOB_STATS ? "give the folder for the figures: --out DIR"
                                                          : "give the table directory: --out DIR");
    if ((options->optimistic || options->pessimistic) && job != JOB_STATS)
        return status_fail(STATUS_USAGE,
                           "--optimistic and --pessimistic go with --stats; a variant is solved with --variant");
    return STATUS_OK;
}

static enum status run_with_workers(enum solve_job job, const struct cli_call *call)
{
    const struct solve_options *options = call->options;
    struct workers *workers;
    enum status status = workers_create(&workers, (unsigned)options->threads);
    if (job == JOB_SOLVE)
        status = cluster_agree(call->common.cluster, status);
    if (!status)
        status = job == JOB_SOLVE ? run_solve(options, &call->common, workers, call->operands[0])
                                  : run_verify(options, &call->common, workers);
    workers_free(workers);
    return status;
}

static enum status run_command(struct cli_call *call)
{
    const struct solve_options *options = call->options;
    const enum solve_job job = find_job(options);
    const unsigned n_threads = (unsigned)options->threads;
    if (job != JOB_SOLVE && !cluster_is_first(call->common.cluster))
        return STATUS_OK; /* reading is for one rank */
    enum status status = check_job(job, options, call->n_operands);
    if (status)
        return status;
    switch (job) {
    case JOB_SOLVE:
    case JOB_VERIFY:
        return run_with_workers(job, call);
    case JOB_COUNTS:
        return run_ages(options, &call->common, call->operands[0]);
    case JOB_STATS:
        return solve_figures(&(struct figures_options){options->stats, options->optimistic, options->pessimistic,
                                                       options->directory, n_threads},
                             &call->common);
    case JOB_DUMP:
        return solve_dump(&(struct dump_options){options->dump, options->directory, (uint32_t)options->age, n_threads},
                          &call->common);
    }
    return STATUS_OK;
}

const struct command verb_solve = {
    .name = "solve",
    .heading = "Solve",
    .summary = "the exact solution of a small board, into a table directory",
    .operands = "[ROWSxCOLS]",
    .description = "Finds every board that a game can reach and the best expected score from each, for boards of at "
                   "most 12 cells, or with locked cells (--walls) that leave at most 12 free. A move that would move a "
                   "locked cell is not legal; values are then the chance to make the target from boards of 2s and 4s. "
                   "Boards are taken by age, the sum of their tiles: upwards to find them, downwards to give them "
                   "values. The job may be killed at any time; the same command resumes. Before a long one starts, a "
                   "forecast says what it will take; what disk or memory cannot hold is refused.",
    COMMAND_OPTIONS(option_rows, struct solve_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .clustered = true,
    .run = run_command,
};
