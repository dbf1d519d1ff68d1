/* train: trains a network by a recipe, in a run directory from which it resumes after any interruption. */
#include "cli/frame/verbs.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/parse.h"
#include "base/signals.h"
#include "cli/frame/report.h"
#include "study/named_files.h"
#include "study/training_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct train_options {
    const char *recipe, *directory;
    struct option_texts settings;
    struct training_weights weights;
    bool dry_run, keys;
    double budget_seconds;
};

/* ---- the list of keys ------------------------------------------------------------------------------------------- */

static enum status print_keys_json(void)
{
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "count", train_settings.n);
    json_open_array(&json, "keys");
    for (const struct setting *row = train_settings.rows; row < train_settings.rows + train_settings.n; row++) {
        json_open_object(&json, NULL);
        json_add_text(&json, "section", row->section);
        json_add_text(&json, "key", row->name);
        json_add_text(&json, "type", setting_type_name(row));
        json_add_text(&json, "default", row->fallback ? row->fallback : "");
        json_add_flag(&json, "repeats", row->field.kind == SETTING_LIST);
        if (setting_has_limits(row)) {
            json_add_real(&json, "minimum", row->minimum);
            json_add_real(&json, "maximum", row->maximum);
        }
        json_add_text(&json, "help", row->help);
        json_close(&json);
    }
    json_close(&json);
    return cli_print_json(&json);
}

static enum status print_keys(bool as_json)
{
    if (as_json)
        return print_keys_json();
    const char *section = "";
    for (const struct setting *row = train_settings.rows; row < train_settings.rows + train_settings.n; row++) {
        const char *fallback = row->fallback ? row->fallback : "";
        if (strcmp(section, row->section) != 0)
            printf("%s[%s]\n", *section ? "\n" : "", row->section);
        section = row->section;
        printf("%s =%s%s\n    ; %s", row->name, *fallback ? " " : "", fallback, row->help);
        if (setting_has_limits(row))
            printf(" (%g to %g)", row->minimum, row->maximum);
        putchar('\n');
    }
    return STATUS_OK;
}

/* ---- the plan --------------------------------------------------------------------------------------------------- */

static void print_plan(FILE *stream, const struct train_plan *plan)
{
    char weights[NUMBER_TEXT_BYTES], actions[NUMBER_TEXT_BYTES], all[NUMBER_TEXT_BYTES], network[NUMBER_TEXT_BYTES],
        trainer[NUMBER_TEXT_BYTES], available[NUMBER_TEXT_BYTES];
    if (plan->is_neural)
        fprintf(stream, "network: %s on %ux%u, %s weights; %u games in lock-step\n", plan->neural.model,
                plan->neural.rows, plan->neural.cols, number_text_count(weights, plan->n_weights),
                plan->neural_trainer.games);
    else
        fprintf(stream, "network: %u tuple%s on %ux%u, %u look-ups, %u stage%s, %s weights\n",
                plan->network.shape.n_tuples, plan->network.shape.n_tuples == 1 ? "" : "s", plan->network.rows,
                plan->network.cols, plan->n_lookups, plan->network.stages.n_stages,
                plan->network.stages.n_stages == 1 ? "" : "s", number_text_count(weights, plan->n_weights));
    fprintf(stream, "memory: %s (weights %s, learning %s) of %s free\n",
            number_text_bytes(all, (double)(plan->network_bytes + plan->trainer_bytes)),
            number_text_bytes(network, (double)plan->network_bytes),
            number_text_bytes(trainer, (double)plan->trainer_bytes),
            number_text_bytes(available, (double)memory_available_bytes()));
    fprintf(stream, "run: %s actions on %u thread%s, seed %llu\n", number_text_count(actions, plan->actions),
            plan->trainer.threads, plan->trainer.threads == 1 ? "" : "s", (unsigned long long)plan->trainer.seed);
}

static void add_plan_json(struct json *json, const struct train_plan *plan)
{
    json_add_unsigned(json, "weights", plan->n_weights);
    if (plan->is_neural) {
        json_add_text(json, "model", plan->neural.model);
        json_add_unsigned(json, "lock_step_games", plan->neural_trainer.games);
    } else {
        json_add_unsigned(json, "tuples", plan->network.shape.n_tuples);
        json_add_unsigned(json, "lookups", plan->n_lookups);
        json_add_unsigned(json, "stages", plan->network.stages.n_stages);
    }
    json_add_unsigned(json, "network_bytes", plan->network_bytes);
    json_add_unsigned(json, "trainer_bytes", plan->trainer_bytes);
    json_add_unsigned(json, "available_bytes", memory_available_bytes());
    json_add_unsigned(json, "threads", plan->trainer.threads);
    json_add_unsigned(json, "seed", plan->trainer.seed);
}

static enum status print_dry_run(const struct recipe *recipe, const struct train_plan *plan, bool as_json)
{
    char *text;
    enum status status = recipe_write(recipe, train_plan_kind(plan), &text);
    if (status)
        return status;
    if (!as_json) {
        fputs(text, stdout);
        putchar('\n');
        print_plan(stdout, plan);
    } else {
        struct json json;
        json_begin(&json);
        add_plan_json(&json, plan);
        json_add_unsigned(&json, "actions", plan->actions);
        json_add_text(&json, "recipe", text);
        status = cli_print_json(&json);
    }
    free(text);
    return status;
}

/* ---- the run ---------------------------------------------------------------------------------------------------- */

static const char *const end_names[] = {
    [TRAINING_DONE] = "done",
    [TRAINING_BUDGET] = "budget",
    [TRAINING_INTERRUPTED] = "interrupted",
};

static enum status print_result_json(const struct training_result *result, const struct train_plan *plan,
                                     const char *directory)
{
    struct json json;
    char *path = file_path(directory, "network.net");
    if (!path)
        return STATUS_NO_MEMORY;
    json_begin(&json);
    json_add_text(&json, "end", end_names[result->end]);
    json_add_text(&json, "directory", directory);
    json_add_text(&json, "network", path);
    json_add_unsigned(&json, "actions", result->totals.actions);
    json_add_unsigned(&json, "actions_planned", plan->actions);
    json_add_unsigned(&json, "games", result->totals.plays);
    json_add_real(&json, "seconds", result->seconds);
    json_add_real(&json, "moves_per_second", result->moves_per_second);
    add_plan_json(&json, plan);
    if (result->eval.n_games) {
        json_open_object(&json, "eval");
        summary_add_json(&result->eval, &json);
        json_close(&json);
    }
    if (result->eval3.n_games) {
        json_open_object(&json, "eval3");
        summary_add_json(&result->eval3, &json);
        json_close(&json);
    }
    enum status status = cli_print_json(&json);
    free(path);
    return status;
}

static void print_result(const struct training_result *result, const struct train_plan *plan, const char *directory)
{
    char done[32], planned[32], games[32], spent[32];
    number_text_count(done, result->totals.actions);
    number_text_count(planned, plan->actions);
    number_text_count(games, result->totals.plays);
    number_text_duration(spent, result->seconds);
    if (result->end == TRAINING_DONE)
        printf("done: %s actions, %s games, %s of learning; the network is %s/network.net\n", done, games, spent,
               directory);
    else
        printf("%s at %s of %s actions; saved in %s\nresume with: afterstate train --out %s\n",
               result->end == TRAINING_BUDGET ? "time is up" : "stopped", done, planned, directory, directory);
}

static enum status run_training(const struct train_options *options, const struct common_options *common,
                                const struct recipe *recipe, const struct train_plan *plan)
{
    struct training_run *run;
    struct training_result result;
    struct training_report report = cli_report(common);
    if (!common->quiet && train_plan_is_large(plan) && cluster_is_first(common->cluster))
        fprintf(stderr, "preparing: filling the memory, or reading the checkpoint into it\n");
    enum status status = training_run_open(&run, options->directory, recipe, plan, &options->weights);
    if (status)
        return status;
    if (!common->quiet && training_run_actions(run) > 0) {
        char done[32];
        fprintf(stderr, "resuming at action %s\n", number_text_count(done, training_run_actions(run)));
    }
    status = training_run_train(run, options->budget_seconds, &report, &result);
    training_run_free(run);
    if (status)
        return status;
    if (common->json)
        return print_result_json(&result, plan, options->directory);
    print_result(&result, plan, options->directory);
    return STATUS_OK;
}

/* ---- the recipe ------------------------------------------------------------------------------------------------- */

/* Reads RECIPE, or that of the run directory, and applies the settings of the command line. */
static enum status load_recipe(struct recipe *recipe, const struct cli_call *call)
{
    const struct train_options *options = call->options;
    enum status status = STATUS_OK;
    if (options->recipe) {
        char *path;
        status = named_files_find(&path, "recipes", options->recipe, "recipe", "give the path of a file");
        if (!status)
            status = recipe_load(recipe, path);
        free(path);
    } else {
        char *path = file_path(options->directory, "recipe.ini");
        if (!path)
            return STATUS_NO_MEMORY;
        if (access(path, F_OK) != 0)
            status = status_fail(STATUS_IO,
                                 "%s is no run directory (it has no recipe.ini): give a recipe to start a run there",
                                 options->directory);
        else
            status = recipe_load(recipe, path);
        free(path);
    }
    for (size_t i = 0; i < options->settings.n_items && !status; i++)
        status = recipe_set(recipe, options->settings.items[i], "--set");
    return status ? status : options_put_settings(&call->settings, recipe);
}

static enum status check_options(const struct train_options *options)
{
    if (!options->recipe && !options->directory)
        return status_fail(STATUS_USAGE, "give a recipe and --out DIR, or --out DIR alone to resume a run");
    if (!options->directory && !options->dry_run)
        return status_fail(STATUS_USAGE, "give the run directory: --out DIR (or --dry-run to look at the recipe only)");
    if (options->directory && *options->directory == '\0')
        return status_fail(STATUS_USAGE, "--out needs the name of a directory");
    if (options->weights.stage && !options->weights.path)
        return status_fail(STATUS_USAGE, "--stage says which weights to take: give --weights NET as well");
    return STATUS_OK;
}

#define IN(member) OPTION_FIELD(struct train_options, member)
static const struct option_spec option_rows[] = {
    {"out", 'o', "DIR", IN(directory), "the run directory; a run in it is resumed"},
    {"set", 0, "SECTION.KEY=VALUE", IN(settings), "replace a value of the recipe"},
    {"budget", 'b', "TIME", OPTION_SECONDS_FIELD(struct train_options, budget_seconds),
     "stop, saved, after this time: 90s, 30m, 5h"},
    {"weights", 'w', "NET", IN(weights.path),
     "start or resume with the weights of this network, of the stages that both have"},
    {"stage", 0, "TILES", IN(weights.stage),
     "with --weights: only the stage that begins with these tiles, as 0 or 16384+8192"},
    {"dry-run", 'n', NULL, IN(dry_run), "only print the resolved recipe, its weights and memory"},
    {"keys", 0, NULL, IN(keys), "only list every key of a recipe with its default"},
};

static const struct command_example examples[] = {
    {"quick-4x6 --out run", "learn, with a checkpoint every 5 minutes"},
    {"--out run --budget 30m", "resume for half an hour"},
    {"quick-4x6 --out run2 --set learn.rate=0.5", "the same with another rate"},
    {"terauchi-6-nt8 --dry-run", "weights and memory of a large network"},
};

static enum status run_command(struct cli_call *call)
{
    struct train_options *options = call->options;
    const struct common_options *common = &call->common;
    options->recipe = call->n_operands ? call->operands[0] : NULL;
    if (options->keys)
        return print_keys(common->json);
    struct recipe *recipe = NULL;
    struct train_plan plan;
    enum status status = check_options(options);
    if (status)
        return status;
    status = recipe_create(&recipe, &train_settings);
    if (status)
        return status;
    status = load_recipe(recipe, call);
    if (status)
        goto done;
    status = train_recipe_resolve(&plan, recipe);
    if (status)
        goto done;
    plan.cluster = common->cluster;
    if (cluster_size(common->cluster) > 1 && !plan.is_neural)
        plan.trainer_bytes += plan.network_bytes + plan.trainer_bytes; /* merging needs what was before */
    if (options->dry_run) {
        status = print_dry_run(recipe, &plan, common->json);
        goto done;
    }
    if (!common->quiet)
        print_plan(stderr, &plan);
    status = cluster_agree(common->cluster, train_plan_check_memory(&plan, memory_available_bytes()));
    if (!status)
        status = run_training(options, common, recipe, &plan);
done:
    recipe_free(recipe);
    return status;
}

const struct command verb_train = {
    .name = "train",
    .heading = "Learn",
    .summary = "train a network by a recipe, in a run directory",
    .operands = "[RECIPE]",
    .operand_folder = "recipes",
    .description = "Trains an n-tuple or neural network by a recipe: a file, or the name of one that comes along. The "
                   "run directory gets recipe.ini (all keys), log.csv, a checkpoint and network.net. Ctrl-C saves and "
                   "stops; the same command resumes.",
    COMMAND_OPTIONS(option_rows, struct train_options),
    .settings = &train_settings,
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .clustered = true,
    .run = run_command,
};
