/* reproduce: runs the tables of the papers again and prints our figures beside the published ones. */
#include "cli/frame/verbs.h"

#include "base/clock.h"
#include "base/number_text.h"
#include "base/workers.h"
#include "cli/frame/report.h"
#include "cli/networks/net_open.h"
#include "study/named_files.h"
#include "study/reproduce_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIGURE_BYTES = 64, DEFAULT_BUDGET_SECONDS = 3600 };

struct reproduce_options {
    bool list;
    struct player_options names;
    const char *directory, *table;
    struct option_texts settings;
    int64_t actions, seeds, threads, games;
    double budget_seconds;
};

static void add_group_json(struct json *json, const struct group *group)
{
    json_open_object(json, NULL);
    json_add_text(json, "name", group->name);
    json_add_text(json, "title", group->title);
    json_add_unsigned(json, "rows", group->n_rows);
    json_add_text(json, "published_budget", group->budget_text);
    json_close(json);
}

/* Groups whose recipes are incomplete are skipped. */
static enum status list_groups(const struct common_options *common)
{
    struct named_files files;
    struct json json;
    unsigned n_shown = 0;
    enum status status = named_files_list(&files, "reproduce");
    json_begin(&json);
    json_open_array(&json, "groups");
    for (size_t i = 0; i < files.n && !status; i++) {
        struct group *group = NULL;
        status = group_load(&group, files.paths[i]);
        if (!status && group_is_complete(group)) {
            n_shown++;
            if (common->json)
                add_group_json(&json, group);
            else
                printf("%-16s %2zu rows  %s\n", group->name, group->n_rows, group->title);
        }
        group_free(group);
    }
    named_files_free(&files);
    json_close(&json);
    json_add_unsigned(&json, "count", n_shown);
    if (!status && common->json)
        return cli_print_json(&json);
    json_free(&json);
    return status;
}

/* "4,610.2 +- 81.1", with digits by the size of the figure. */
static const char *figure_text(char out[FIGURE_BYTES], const struct reproduce_cell *figure, enum measure_kind kind)
{
    int digits = kind == MEASURE_TILE || kind == MEASURE_TIME ? 2
                 : kind == MEASURE_MAX                        ? 0
                 : figure->mean < 1e4                         ? 1
                                                              : 0;
    if (!figure->done)
        snprintf(out, FIGURE_BYTES, "-");
    else if (figure->ci95 > 0)
        snprintf(out, FIGURE_BYTES, "%s +- %s", TEXT_OF_REAL(figure->mean, digits), TEXT_OF_REAL(figure->ci95, digits));
    else if (kind == MEASURE_SOLVE && figure->mean == (double)(uint64_t)figure->mean)
        snprintf(out, FIGURE_BYTES, "%s", TEXT_OF_COUNT((uint64_t)figure->mean));
    else
        snprintf(out, FIGURE_BYTES, "%s",
                 TEXT_OF_REAL(figure->mean, kind == MEASURE_EXACT || kind == MEASURE_SOLVE ? 6 : digits));
    return out;
}

/* What a figure is based on: "3,000 games, 3 seeds (sd 45.2), 1m 02s". */
static void print_basis(const struct reproduce_table *table, size_t row, const struct reproduce_cell *figure,
                        unsigned n_seeds)
{
    const struct reproduce_run *run = reproduce_table_run(table, row, 0);
    const char *comma = "";
    if (figure->n_games) {
        printf("%s game%s", TEXT_OF_COUNT(figure->n_games), figure->n_games == 1 ? "" : "s");
        comma = ", ";
    }
    if (figure->done && table->group->kind == GROUP_TRAIN) {
        printf("%s%u seed%s", comma, n_seeds, n_seeds == 1 ? "" : "s");
        if (n_seeds > 1)
            printf(" (sd %s)", TEXT_OF_REAL(figure->sd, 1));
        comma = ", ";
    }
    if (!figure->done || !(run->seconds > 0))
        return;
    printf("%s%s%s", comma, TEXT_OF_DURATION(run->seconds), table->group->kind == GROUP_SEARCH ? " a move" : "");
}

/* The texts of a line but the last, and how wide their columns are. */
enum { COLUMNS = 4 };
struct table_line {
    char texts[COLUMNS][MEASURE_LABEL_BYTES];
};

/* Characters of a UTF-8 text. */
static int columns_of(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static struct table_line make_line(const struct reproduce_table *table, size_t row, size_t m)
{
    const struct group *group = table->group;
    const struct group_row *about = &group->rows[row];
    unsigned n_seeds;
    struct reproduce_cell figure = reproduce_table_figure(table, row, m, &n_seeds);
    enum measure_kind kind = group->kind == GROUP_SEARCH ? MEASURE_SCORE : group->measures[m].kind;
    struct table_line line;
    char ours[FIGURE_BYTES];
    snprintf(line.texts[0], MEASURE_LABEL_BYTES, "%s", m ? "" : about->label);
    reproduce_table_label(table, row, m, line.texts[1]);
    snprintf(line.texts[2], MEASURE_LABEL_BYTES, "%s", *about->published[m] ? about->published[m] : "-");
    snprintf(line.texts[3], MEASURE_LABEL_BYTES, "%s", figure_text(ours, &figure, kind));
    return line;
}

static void print_line(const struct table_line *line, const int widths[COLUMNS])
{
    for (unsigned c = 0; c < COLUMNS; c++)
        printf("%s%*s", line->texts[c], widths[c] - columns_of(line->texts[c]) + 2, "");
}

static void print_table(const struct reproduce_table *table, const struct reproduce_plan *plan)
{
    const struct group *group = table->group;
    const struct table_line head = {{"row", "measure", "published", "ours"}};
    int widths[COLUMNS];
    for (unsigned c = 0; c < COLUMNS; c++)
        widths[c] = columns_of(head.texts[c]);
    for (size_t row = 0; row < group->n_rows; row++)
        for (size_t m = 0; m < group->n_measures; m++) {
            const struct table_line line = make_line(table, row, m);
            for (unsigned c = 0; c < COLUMNS; c++)
                if ((c == 0 || !table->notes[row][0]) && columns_of(line.texts[c]) > widths[c])
                    widths[c] = columns_of(line.texts[c]);
        }
    printf("%s\n", group->title);
    if (*group->budget_text)
        printf("published: %s\n", group->budget_text);
    if (*group->spread)
        printf("published +-: %s\n", group->spread);
    if (group->kind == GROUP_TRAIN)
        printf("ours: %s actions a run; games of seed %d\n", TEXT_OF_COUNT(plan->actions), MEASURE_SEED);
    if (group->kind != GROUP_SOLVE)
        printf("ours +-: 95%% interval of the mean, over runs where there are several seeds, else over games\n\n");
    print_line(&head, widths);
    puts("from");
    for (size_t row = 0; row < group->n_rows; row++) {
        if (table->notes[row][0]) {
            printf("%s%*s%s\n", group->rows[row].label, widths[0] - columns_of(group->rows[row].label) + 2, "",
                   table->notes[row]);
            continue;
        }
        for (size_t m = 0; m < group->n_measures; m++) {
            unsigned n_seeds;
            struct reproduce_cell figure = reproduce_table_figure(table, row, m, &n_seeds);
            const struct table_line line = make_line(table, row, m);
            print_line(&line, widths);
            print_basis(table, row, &figure, n_seeds);
            putchar('\n');
        }
    }
}

static enum status print_json(const struct reproduce_table *table, const struct reproduce_plan *plan, bool interrupted)
{
    const struct group *group = table->group;
    struct json json;
    json_begin(&json);
    json_add_text(&json, "group", group->name);
    json_add_text(&json, "title", group->title);
    json_add_text(&json, "published_budget", group->budget_text);
    json_add_text(&json, "published_spread", group->spread);
    json_add_flag(&json, "interrupted", interrupted);
    json_add_unsigned(&json, "actions", plan->actions);
    json_add_unsigned(&json, "seeds", plan->n_seeds);
    json_add_unsigned(&json, "count", group->n_rows * group->n_measures);
    json_open_array(&json, "figures");
    for (size_t row = 0; row < group->n_rows; row++)
        for (size_t m = 0; m < group->n_measures; m++) {
            unsigned n_seeds;
            char label[MEASURE_LABEL_BYTES];
            struct reproduce_cell figure = reproduce_table_figure(table, row, m, &n_seeds);
            const struct reproduce_run *run = reproduce_table_run(table, row, 0);
            json_open_object(&json, NULL);
            json_add_text(&json, "row", group->rows[row].label);
            json_add_text(&json, "measure", reproduce_table_label(table, row, m, label));
            json_add_text(&json, "published", group->rows[row].published[m]);
            if (figure.done)
                json_add_real(&json, "mean", figure.mean);
            else
                json_add_null(&json, "mean");
            json_add_real(&json, "ci95", figure.ci95);
            json_add_real(&json, "sd", n_seeds > 1 ? figure.sd : (double)NAN);
            json_open_array(&json, "each");
            for (unsigned seed = 0; seed < table->n_seeds; seed++)
                if (reproduce_table_run(table, row, seed)->cells[m].done)
                    json_add_real(&json, NULL, reproduce_table_run(table, row, seed)->cells[m].mean);
            json_close(&json);
            json_add_unsigned(&json, "games", figure.n_games);
            json_add_unsigned(&json, "seeds", n_seeds);
            json_add_real(&json, "seconds", run->seconds);
            json_add_text(&json, "note", table->notes[row][0] ? table->notes[row] : NULL);
            json_close(&json);
        }
    json_close(&json);
    return cli_print_json(&json);
}

static enum status run_group(const struct group *group, const struct reproduce_options *options,
                             const struct common_options *common)
{
    const struct training_report report = cli_report(common);
    struct reproduce_settings settings = {.report = &report,
                                          .directory = options->directory ? options->directory : group->name,
                                          .actions = (uint64_t)options->actions,
                                          .n_seeds = (unsigned)options->seeds,
                                          .n_threads = (unsigned)options->threads,
                                          .n_games = (uint64_t)options->games,
                                          .budget_seconds = options->budget_seconds,
                                          .sets = options->settings.items,
                                          .n_sets = options->settings.n_items,
                                          .table = options->table,
                                          .cluster = common->cluster};
    struct reproduce_plan plan = {0};
    struct reproduce_table table = {0};
    enum status status = player_options_resolve_evaluator(&options->names, "reproduce", &settings.net);
    if (status)
        return status;
    if (options->budget_seconds > 0 && options->actions)
        return status_fail(STATUS_USAGE, "--budget and --actions are two ways to say how much; give one of them");
    if (!(options->budget_seconds > 0) && !options->actions)
        settings.default_budget_seconds = DEFAULT_BUDGET_SECONDS;
    status = reproduce_run_group(&table, &plan, group, &settings);
    bool interrupted = status == STATUS_INTERRUPTED;
    if ((!status || interrupted) && table.runs && cluster_is_first(common->cluster)) {
        status = reproduce_run_write(&table, settings.directory);
        if (!status && common->json)
            status = print_json(&table, &plan, interrupted);
        else if (!status)
            print_table(&table, &plan);
        if (!status && interrupted)
            status = status_fail(STATUS_INTERRUPTED, "stopped; the same command resumes in %s", settings.directory);
    }
    reproduce_table_free(&table);
    return status;
}

#define IN(member) OPTION_FIELD(struct reproduce_options, member)
static const struct option_spec option_rows[] = {
    {"list", 'l', NULL, IN(list), "only list the groups"},
    {"out", 'o', "DIR", IN(directory), "where everything is kept; without it a folder of the group's name"},
    {"budget", 'b', "TIME", OPTION_SECONDS_FIELD(struct reproduce_options, budget_seconds),
     "about how long all rows may take together: 30m, 5h; without it 1h, or all games of a group of searches"},
    {"actions", 0, "N", IN(actions), "learn for so many actions in each run, instead of a time; 0 for the time",
     OPTION_AT_LEAST(0)},
    {"seeds", 0, "K", IN(seeds), "runs of each row; 0 as the group says", OPTION_RANGE(0, 100)},
    {"games", 'n', "N", IN(games), "of each measurement; 0 as the group says", OPTION_RANGE(0, 100000000)},
    {"set", 0, "KEY=VALUE", IN(settings), "a setting of every row's recipe, section.key=value"},
    {"threads", 't', "T", IN(threads), "threads; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
    {OPTION_GROUP_OF(player_option_rows, struct reproduce_options, names)},
    {"table", 0, "DIR", IN(table), "the solved board for exact scores; without it one is made in the folder"},
};

static const struct command_example examples[] = {
    {"--list", "the tables there are"},
    {"terauchi-4 --budget 30m --out terauchi-4", "ten networks on 3x3; Ctrl-C, and the same again"},
    {"matsuzaki-7 --actions 1e6 --seeds 3 --set neural.scale=1000", "a change to all rows of a group"},
    {"jaskowski-2 --actions 1e8", "delayed and standard learning, 1e8 actions each"},
    {"jaskowski-5 --player best.net", "how a network gains by searching longer"},
};

static enum status run_command(struct cli_call *call)
{
    const struct reproduce_options *options = call->options;
    struct group *group = NULL;
    char *path;
    if (options->list)
        return cluster_is_first(call->common.cluster) ? list_groups(&call->common) : STATUS_OK;
    if (call->n_operands == 0)
        return status_fail(STATUS_USAGE, "give the name of a group; 'afterstate reproduce --list' lists them");
    enum status status =
        named_files_find(&path, "reproduce", call->operands[0], "group", "'afterstate reproduce --list' lists them");
    if (!status)
        status = group_load(&group, path);
    status = cluster_agree(call->common.cluster, status);
    if (!status)
        status = run_group(group, options, &call->common);
    group_free(group);
    free(path);
    return status;
}

const struct command verb_reproduce = {
    .name = "reproduce",
    .heading = "Measure",
    .summary = "the papers' tables again, with the published figures beside ours",
    .operands = "[NAME]",
    .operand_folder = "reproduce",
    .description = "Runs a table of a paper again: each row learns (all for the same number of actions), searches or "
                   "solves, and is measured; the published figures stand beside. A time is turned into actions by a "
                   "pilot of two seconds a row, and three quarters of it are for learning; for searches it limits the "
                   "games. A forecast comes first. The folder gets a run directory for each row and seed, table.csv "
                   "and curves as SVG. NAME may also be the path of a group's file.",
    COMMAND_OPTIONS(option_rows, struct reproduce_options),
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .clustered = true,
    .run = run_command,
};
