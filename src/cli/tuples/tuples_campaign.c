/* tuples campaign and merge: networks of tuples chosen at random, trained side by side, here and on other machines. */
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/parse.h"
#include "base/signals.h"
#include "base/workers.h"
#include "cli/frame/report.h"
#include "cli/networks/net_show.h"
#include "cli/tuples/tuples_parts.h"
#include "study/campaign.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FEW_GAMES = 30, KEEP_SECONDS = 10 };

struct campaign_options {
    const char *directory, *board, *shard;
    int64_t threads;
    double budget_seconds;
};

/*
 * The settings of the directory, or defaults, with those of the command line applied. *n_before is the number of
 * experiments of a campaign there, else 0.
 */
static enum status load_recipe(struct recipe *recipe, const struct cli_call *call, uint64_t *n_before)
{
    const struct campaign_options *options = call->options;
    static const char *const shard_keys[] = {"shard", "shards"};
    struct campaign_settings before;
    struct recipe *old = NULL;
    char *path = file_path(options->directory, "campaign.ini");
    if (!path)
        return STATUS_NO_MEMORY;
    bool there = access(path, F_OK) == 0;
    *n_before = 0;
    enum status status = there ? recipe_load(recipe, path) : STATUS_OK;
    if (status)
        goto done;
    if (there)
        status = recipe_open(&old, &campaign_table, path);
    if (status)
        goto done;
    if (there && options->budget_seconds > 0)
        status = status_fail(STATUS_USAGE, "--budget: the campaign in %s has its number of games already, %s",
                             options->directory, recipe_text(old, "campaign", "games"));
    if (status)
        goto done;
    status = options_put_settings(&call->settings, recipe);
    if (status)
        goto done;
    status = tuples_set_board(recipe, "campaign", options->board);
    if (status)
        goto done;
    if (options->shard)
        status = tuples_set_pair(recipe, "campaign", shard_keys, "--shard", options->shard, '/', "I/N such as 1/4");
    if (status)
        goto done;
    if (options->budget_seconds > 0) {
        char budget[32];
        snprintf(budget, sizeof budget, "%gs", options->budget_seconds);
        status = recipe_set_text(recipe, "campaign", "budget", budget, "--budget");
    }
    if (status)
        goto done;
    if (there) {
        recipe_get(old, &before);
        *n_before = before.n_experiments;
        status = campaign_check_same(old, recipe);
    }
done:
    recipe_free(old);
    free(path);
    return status;
}

static void print_plan(const struct campaign *campaign)
{
    const struct campaign_settings *settings = &campaign->settings;
    struct trial trial;
    struct network_spec spec;
    uint64_t bytes = 0;
    char memory[32], games[32];
    if (campaign_trial(campaign, 0, &trial) || trial_spec(&trial, &spec, &bytes))
        return; /* running it will say why */
    fprintf(stderr, "campaign: %s networks of %u of %s tuples of %u cells, %s games each, %s a network\n",
            TEXT_OF_COUNT(settings->n_experiments), settings->per_network, TEXT_OF_COUNT(campaign->list.n_tuples),
            settings->cells, number_text_count(games, settings->trial.games), number_text_bytes(memory, (double)bytes));
    uint64_t own = campaign_count_own(campaign), done = campaign_count_done(campaign, true);
    if (settings->n_shards > 1)
        fprintf(stderr, "shard %u of %u: %s of them\n", settings->shard, settings->n_shards, TEXT_OF_COUNT(own));
    if (done)
        fprintf(stderr, "resuming: %s of %s are done\n", TEXT_OF_COUNT(done), TEXT_OF_COUNT(own));
    double scored = (double)settings->trial.games * settings->trial.last_percent / 100;
    if (scored < FEW_GAMES)
        fprintf(stderr, "warning: a score is the mean of %.0f games; --last %.0f would count more of them\n",
                scored < 1 ? 1 : scored, settings->trial.last_percent < 10 ? 10.0 : 100.0);
}

static enum status print_result(const struct campaign *campaign, const struct trial_pool_totals *totals,
                                const struct common_options *common)
{
    uint64_t own = campaign_count_own(campaign), done = campaign_count_done(campaign, true);
    double busy = totals->seconds > 0 ? totals->busy_seconds / (totals->seconds * totals->n_threads) : 0;
    double speed = totals->seconds > 0 ? (double)totals->actions / totals->seconds : 0;
    if (common->json) {
        struct json json;
        json_begin(&json);
        json_add_text(&json, "end", totals->interrupted ? "interrupted" : "done");
        json_add_text(&json, "directory", campaign->directory);
        json_add_unsigned(&json, "experiments", own);
        json_add_unsigned(&json, "done", done);
        json_add_unsigned(&json, "games", campaign->settings.trial.games);
        json_add_unsigned(&json, "finished_now", totals->n_finished);
        json_add_unsigned(&json, "threads", totals->n_threads);
        json_add_real(&json, "seconds", totals->seconds);
        json_add_real(&json, "moves_per_second", speed);
        json_add_real(&json, "busy", busy);
        return cli_print_json(&json);
    }
    char spent[NUMBER_TEXT_BYTES], rate[NUMBER_TEXT_BYTES];
    number_text_duration(spent, totals->seconds);
    if (totals->interrupted)
        printf("stopped at %s of %s experiments; saved in %s\nresume with: afterstate tuples campaign --out %s\n",
               TEXT_OF_COUNT(done), TEXT_OF_COUNT(own), campaign->directory, campaign->directory);
    else
        printf("done: %s experiments in %s; rank them with: afterstate tuples rank %s\n", TEXT_OF_COUNT(done),
               campaign->directory, campaign->directory);
    if (totals->n_finished)
        fprintf(stderr, "%s in %s on %u thread%s, %s, threads learning %.1f%% of the time\n",
                TEXT_OF_COUNT(totals->n_finished), spent, totals->n_threads, totals->n_threads == 1 ? "" : "s",
                number_text_rate(rate, speed, "moves"), 100 * busy);
    return STATUS_OK;
}

/* Writes campaign.ini, for a new campaign with the games that its budget allows. */
static enum status write_settings(struct campaign_settings *settings, const struct campaign_options *options,
                                  const struct cluster *cluster, const struct training_report *report)
{
    struct campaign campaign;
    enum status status = campaign_create(&campaign, settings);
    campaign.cluster = cluster;
    if (!status && options->budget_seconds > 0)
        status = campaign_scale_games(&campaign, options->budget_seconds, (unsigned)options->threads, report,
                                      &settings->trial.games);
    campaign_free(&campaign);
    if (!status && options->budget_seconds > 0 && settings->n_shards > 1 && report->mode != PROGRESS_QUIET)
        fprintf(stderr, "%llu games each; give the other shards --games %llu\n",
                (unsigned long long)settings->trial.games, (unsigned long long)settings->trial.games);
    if (!status)
        status = file_make_directory(options->directory);
    return status ? status : campaign_write_settings(settings, options->directory);
}

static enum status run_campaign(const struct cli_call *call)
{
    const struct campaign_options *options = call->options;
    const struct common_options *common = &call->common;
    struct recipe *recipe = NULL;
    struct campaign_settings settings;
    struct campaign campaign = {0};
    struct trial_pool_totals totals;
    struct training_report report = cli_report(common);
    uint64_t n_before = 0;
    if (!cluster_is_first(common->cluster))
        return trial_pool_serve(common->cluster, (unsigned)options->threads);
    enum status status = recipe_create(&recipe, &campaign_table);
    if (!status)
        status = load_recipe(recipe, call, &n_before);
    if (!status)
        status = campaign_settings_resolve(&settings, recipe);
    if (!status && settings.n_experiments < n_before) /* lines of the others would be lost */
        status = status_fail(STATUS_INVALID, "the campaign in %s has %llu experiments; it can only have more",
                             options->directory, (unsigned long long)n_before);
    if (!status)
        status = write_settings(&settings, options, common->cluster, &report);
    if (!status)
        status = campaign_open(&campaign, options->directory);
    campaign.cluster = common->cluster;
    if (!status && !common->quiet)
        print_plan(&campaign);
    if (!status)
        status = campaign_run(&campaign, (unsigned)options->threads, KEEP_SECONDS, &report, &totals);
    if (status && n_before == 0 && campaign.directory && campaign_count_done(&campaign, false) == 0)
        campaign_remove_files(options->directory); /* so that other settings can be tried */
    if (!status)
        status = print_result(&campaign, &totals, common);
    campaign_free(&campaign);
    recipe_free(recipe);
    return trial_pool_dismiss(common->cluster, status);
}

#define IN(member) OPTION_FIELD(struct campaign_options, member)
static const struct option_spec campaign_option_rows[] = {
    {"out", 'o', "DIR", IN(directory), "the campaign's directory; a campaign in it is resumed"},
    {"board", 0, "RxC", IN(board), "the board; default 4x4"},
    {"budget", 'b', "TIME", OPTION_SECONDS_FIELD(struct campaign_options, budget_seconds),
     "as many games each as fit in this time: 90s, 30m, 5h; measured first, then kept"},
    {"shard", 0, "I/N", IN(shard), "only every N-th experiment from the I-th on: one of N machines"},
    {"threads", 't', "T", IN(threads), "experiments at a time, one thread each; 0 is all cores",
     OPTION_RANGE(0, WORKERS_MAX)},
};
#undef IN

static const struct command_example campaign_examples[] = {
    {"--cells 6 --out six --budget 30m --last 10", "what can be learned in half an hour"},
    {"--cells 6 --per-network 10 --experiments 680 --games 1000000 --out six", "the paper's"},
    {"--out six", "resume after Ctrl-C"},
    {"--cells 7 --shard 2/4 --out seven-2", "the second of four machines"},
};

static enum status run_campaign_command(struct cli_call *call)
{
    const struct campaign_options *options = call->options;
    if (!options->directory || *options->directory == '\0')
        return status_fail(STATUS_USAGE, "give the campaign's directory: --out DIR");
    if (options->budget_seconds > 0 && options_setting_given(&call->settings, "games"))
        return status_fail(STATUS_USAGE, "--games and --budget: one of them says how many games");
    return run_campaign(call);
}

const struct command tuples_campaign_command = {
    .name = "tuples campaign",
    .summary = "train networks of tuples chosen at random",
    .description = "Trains many networks, each of a few tuples dealt at random, as Oka and Matsuzaki did: TD with a "
                   "constant rate, the mean score of the last games. Each experiment is one thread's work with a "
                   "seed of its own; its line in experiments.csv does not depend on threads, stops or machines.",
    COMMAND_OPTIONS(campaign_option_rows, struct campaign_options),
    .settings = &campaign_table,
    .settings_defaults = true,
    COMMAND_EXAMPLES(campaign_examples),
    .interruptible = true,
    .clustered = true,
    .run = run_campaign_command,
};

static const struct command_example merge_examples[] = {{"six six-1 six-2 six-3", "three shards into one"}};

static enum status run_merge_command(struct cli_call *call)
{
    struct campaign campaign;
    const char *out = call->operands[0];
    enum status status =
        campaign_merge(&campaign, out, (const char *const *)call->operands + 1, (size_t)call->n_operands - 1);
    if (status)
        return status;
    uint64_t done = campaign_count_done(&campaign, false), all = campaign.settings.n_experiments;
    if (call->common.json) {
        struct json json;
        json_begin(&json);
        json_add_text(&json, "directory", out);
        json_add_unsigned(&json, "experiments", all);
        json_add_unsigned(&json, "done", done);
        status = cli_print_json(&json);
    } else {
        printf("%s: %s of %s experiments\n", out, TEXT_OF_COUNT(done), TEXT_OF_COUNT(all));
        if (done < all)
            printf("run the others with: afterstate tuples campaign --out %s\n", out);
    }
    campaign_free(&campaign);
    return status;
}

const struct command tuples_merge_command = {
    .name = "tuples merge",
    .summary = "join the parts of a campaign",
    .operands = "OUT PART ..",
    .most_operands = 1000,
    .description = "Joins shards of a campaign, or copies continued separately. OUT may hold a part already. What is "
                   "still missing can be run there.",
    COMMAND_EXAMPLES(merge_examples),
    .run = run_merge_command,
};
