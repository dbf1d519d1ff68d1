/* endgame: exact tables for late games, made and listed (solve/endgame.h has how play uses them). */
#include "cli/frame/verbs.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/workers.h"
#include "cli/solve/solve_job.h"
#include "solve/chain.h"
#include "solve/endgame.h"
#include "study/late_choice.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A table to make. */
struct table_plan {
    const char *name; /* of its folder; tables are tried in the order of their names */
    const char *layout;
    unsigned goal;
    bool more;             /* only with --more */
    const char *at, *caps; /* for chains (solve/chain.h); NULL: target anywhere */
};

/* The caps of a chain fall by half from one cell to the next. */
static const struct table_plan plans[] = {
    {"block-512", "block", 9, false, NULL, NULL},
    {"rows-512", "rows", 9, false, NULL, NULL},
    {"block7-256", "block7", 8, true, NULL, NULL},
    {"chain-corner-1024", "0-2,4,5", 10, true, "6", "6,7,10:512 3,8,9,11:256 12-15:128"},
};

enum { N_PLANS = sizeof plans / sizeof *plans };

struct endgame_options {
    const char *directory;
    int64_t threads;
    bool more, force;
};

/* The folder that was named, or the user's own; the caller frees it. */
static enum status find_folder(char **folder, const char *named)
{
    *folder = named ? memory_copy_text(named) : late_choice_folder();
    if (*folder)
        return STATUS_OK;
    return named ? STATUS_NO_MEMORY
                 : status_fail(STATUS_USAGE, "neither AFTERSTATE_ENDGAME nor HOME says where endgame tables lie; name "
                                             "a folder");
}

/* ---- info -------------------------------------------------------------------------------------------------------- */

/* What the tables of a folder are used for. */
struct folder_use {
    bool own;      /* it is late_choice_folder() */
    char *network; /* the late network; NULL: there is none */
    unsigned n_tables, n_serve, n_chains;
};

static struct folder_use find_use(const char *folder)
{
    char *own = late_choice_folder();
    struct folder_use use = {.own = own && strcmp(own, folder) == 0, .network = late_choice_network()};
    free(own);
    return use;
}

static void print_use(const struct folder_use *use, const char *folder)
{
    if (use->n_chains)
        printf("%s choose%s the moves of play%s from a 16384 on\n", use->n_chains == 1 ? "the chain" : "the chains",
               use->n_chains == 1 ? "s" : "", use->own ? ", and of eval --endgame auto," : " and eval with --endgame");
    if (use->n_serve == 0)
        return;
    if (!use->network)
        printf("not used in games yet: no network for late games is there (nets/late.net)\n");
    else if (use->own)
        printf("play, hint and serve use %s, with %s; --endgame off plays without\n", use->n_serve == 1 ? "it" : "them",
               use->network);
    else
        printf("play, hint, serve and eval use %s by --endgame %s, with %s\n", use->n_serve == 1 ? "it" : "them",
               folder, use->network);
}

static const char *table_state(const struct table_summary *summary)
{
    return endgame_serves(summary)  ? "ready"
           : chain_serves(summary)  ? "ready, a chain"
           : summary->backward_done ? "not for play"
                                    : "unfinished";
}

static void print_table(const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    char walls[WALLS_TEXT_BYTES], objective[TABLE_OBJECTIVE_BYTES], states[32], bytes[32];
    const char *name = walls_name(summary->walls.cells);
    printf("%s: %s, ", table_directory(table), table_state(summary));
    if (summary->walls.cells)
        printf("walls %s, ", name ? name : walls_text(summary->walls.cells, walls));
    printf("%s, %s states, %s", table_objective_text(summary->goal, objective),
           number_text_count(states, summary->n_states), number_text_bytes(bytes, (double)table_bytes(table)));
    if (endgame_serves(summary) || chain_serves(summary))
        printf(", chance %.4f from the best start, %.4f on average", summary->best_start, summary->expected_score);
    printf("\n");
}

static void add_table(struct json *json, const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    json_open_object(json, NULL);
    json_add_text(json, "directory", table_directory(table));
    json_add_text(json, "state", table_state(summary));
    table_summary_add_rules(json, summary);
    json_add_unsigned(json, "states", summary->n_states);
    json_add_unsigned(json, "bytes", table_bytes(table));
    json_add_real(json, "best_start", summary->best_start);
    json_add_real(json, "mean_start", summary->expected_score);
    json_close(json);
}

/* The list that is being made: as JSON, or on stdout. */
struct listing {
    struct json *json; /* NULL: as text */
    struct folder_use use;
};

static enum status list_table(void *context, const char *directory)
{
    struct listing *listing = context;
    struct table *table;
    enum status status = table_open(&table, directory);
    if (status)
        return status;
    listing->use.n_tables++;
    listing->use.n_serve += endgame_serves(table_summary(table));
    listing->use.n_chains += chain_serves(table_summary(table));
    if (listing->json)
        add_table(listing->json, table);
    else
        print_table(table);
    table_close(table);
    return STATUS_OK;
}

static enum status list_tables(struct listing *listing, const char *folder, bool named)
{
    if (!named && access(folder, F_OK) != 0)
        return STATUS_OK;
    return endgame_each(folder, list_table, listing);
}

static enum status print_info(const char *folder, bool named)
{
    struct listing listing = {.use = find_use(folder)};
    enum status status = list_tables(&listing, folder, named);
    if (!status && listing.use.n_tables == 0)
        printf("no endgame tables in %s; 'afterstate endgame build' makes them\n", folder);
    if (!status)
        print_use(&listing.use, folder);
    free(listing.use.network);
    return status;
}

static enum status print_info_json(const char *folder, bool named)
{
    struct json json;
    struct listing listing = {.json = &json, .use = find_use(folder)};
    json_begin(&json);
    json_add_text(&json, "folder", folder);
    json_add_text(&json, "late_network", listing.use.network);
    json_open_array(&json, "tables");
    enum status status = list_tables(&listing, folder, named);
    json_close(&json);
    json_add_unsigned(&json, "count", listing.use.n_tables);
    json_add_flag(&json, "used", listing.use.n_serve > 0 && listing.use.network && listing.use.own);
    json_add_flag(&json, "chains_used", listing.use.n_chains > 0 && listing.use.own);
    free(listing.use.network);
    if (!status)
        return cli_print_json(&json);
    json_free(&json);
    return status;
}

static enum status run_info_command(struct cli_call *call)
{
    char *folder;
    bool named = call->n_operands > 0;
    enum status status = find_folder(&folder, named ? call->operands[0] : NULL);
    if (!status)
        status = call->common.json ? print_info_json(folder, named) : print_info(folder, named);
    free(folder);
    return status;
}

static const struct command_example info_examples[] = {
    {"", "the tables in your data folder, and whether play uses them"},
    {"tables", "those of another folder"},
};

static const struct command endgame_info_command = {
    .name = "endgame info",
    .summary = "the tables of a folder, and whether games use them",
    .operands = "[DIR]",
    .description = "Without DIR the folder that AFTERSTATE_ENDGAME names, or else $XDG_DATA_HOME/afterstate/endgame, "
                   "by default below ~/.local/share.",
    COMMAND_EXAMPLES(info_examples),
    .run = run_info_command,
};

/* ---- build ------------------------------------------------------------------------------------------------------- */

static enum status build_table(const struct table_plan *plan, const char *folder, const struct endgame_options *options,
                               const struct common_options *common, struct workers *workers)
{
    char directory[PATH_MAX];
    struct grid grid;
    struct solve_report report;
    struct solve_settings settings = {.directory = directory,
                                      .rows = 4,
                                      .cols = 4,
                                      .variant = VARIANT_NORMAL,
                                      .store = STORE_VALUES,
                                      .fraction_bits = 16,
                                      .chance_of_4 = TABLE_USUAL_CHANCE_OF_4,
                                      .goal = plan->goal,
                                      .checkpoint_every = 1,
                                      .memory_bytes = memory_available_bytes()};
    if (snprintf(directory, sizeof directory, "%s/%s", folder, plan->name) >= (int)sizeof directory)
        return status_fail(STATUS_USAGE, "%s: the name of the folder is too long", folder);
    enum status status = grid_create(&grid, settings.rows, settings.cols);
    if (status)
        return status;
    status = walls_parse(plan->layout, &grid, &settings.walls.cells);
    if (!status && plan->at)
        status = walls_parse(plan->at, &grid, &settings.walls.at);
    if (!status && plan->caps)
        status = walls_parse_caps(plan->caps, &grid, &settings.walls.caps);
    grid_free(&grid);
    return status ? status : solve_job_run(&settings, options->force, common, workers, &report);
}

static enum status run_build_command(struct cli_call *call)
{
    const struct endgame_options *options = call->options;
    struct workers *workers = NULL;
    char *folder;
    enum status status = find_folder(&folder, options->directory);
    if (!status)
        status = file_make_directory(folder);
    if (!status)
        status = workers_create(&workers, (unsigned)options->threads);
    for (unsigned i = 0; !status && i < N_PLANS; i++) {
        if (!plans[i].more || options->more)
            status = build_table(&plans[i], folder, options, &call->common, workers);
    }
    workers_free(workers);
    if (!status)
        status = call->common.json ? print_info_json(folder, true) : print_info(folder, true);
    free(folder);
    return status;
}

#define IN(member) OPTION_FIELD(struct endgame_options, member)
static const struct option_spec build_rows[] = {
    {"out", 'o', "DIR", IN(directory),
     "the folder for the tables; without it your data folder (endgame info names it)"},
    {"threads", 't', "N", IN(threads), "threads; 0 takes all processors", OPTION_RANGE(0, WORKERS_MAX)},
    {"more", 0, NULL, IN(more),
     "also seven large tiles in a block with 256 as the next one (30 MB), and the chain beside a corner of five (5.2 "
     "GB)"},
    {"force", 0, NULL, IN(force), "start even if the forecast says that disk or memory do not suffice"},
};
#undef IN

static const struct endgame_options build_defaults = {0};

static const struct command_example build_examples[] = {
    {"", "a minute on two processors, 0.8 GB"},
    {"--more", "also what plays the best late games, 6 GB in all, some minutes"},
    {"--out /data/endgame", "elsewhere; AFTERSTATE_ENDGAME=/data/endgame then names it"},
};

static const struct command endgame_build_command = {
    .name = "endgame build",
    .summary = "make the tables that late games use",
    .description = "Solves boards on which six large tiles stand locked in a 2x3 block and the other ten cells play: "
                   "the exact chance to make a 512 there, from every position. With --more also boards with five large "
                   "tiles in a corner, and the chance to make a 1024 in its place beside them: by that table and a "
                   "search of lines play and eval choose all moves from a 16384 on. It may be stopped or killed at any "
                   "time; the same command resumes, and makes what is missing or damaged. Tables need no change of "
                   "settings: play, hint and serve use them from then on, where the network for late games is there.",
    COMMAND_OPTIONS(build_rows, struct endgame_options),
    .defaults = &build_defaults,
    COMMAND_EXAMPLES(build_examples),
    .run = run_build_command,
};

static const struct command *const parts[] = {&endgame_build_command, &endgame_info_command};

const struct command verb_endgame = {
    .name = "endgame",
    .heading = "Solve",
    .summary = "exact tables for late games: build, info",
    .description = "When the large tiles stand in a corner, the other cells play a small game that can be solved. "
                   "With its tables the program knows the exact chance to make the next large tile.",
    .parts = parts,
    .n_parts = sizeof parts / sizeof *parts,
};
