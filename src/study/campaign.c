/* campaign: deals tuples to experiments, trains them, and keeps their scores (Oka and Matsuzaki 2016). */
#include "study/campaign.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/random.h"
#include "base/workers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The file is written at most this often while experiments finish: tiny ones end by the thousand. */
static const double write_every_seconds = 0.5;

/* ---- dealing tuples ---- */

enum { MAX_WAITING = 4 * SHAPE_MAX_TUPLES };

struct dealer {
    struct rng rng;
    size_t n_tuples, at;
    uint16_t *deck;
    unsigned n_waiting;
    uint16_t waiting[MAX_WAITING]; /* would be twice in a network; oldest first */
};

static uint16_t draw(struct dealer *dealer)
{
    if (dealer->at == dealer->n_tuples) {
        for (size_t i = dealer->n_tuples - 1; i > 0; i--) {
            size_t k = random_below(&dealer->rng, i + 1);
            uint16_t held = dealer->deck[i];
            dealer->deck[i] = dealer->deck[k];
            dealer->deck[k] = held;
        }
        dealer->at = 0;
    }
    return dealer->deck[dealer->at++];
}

static bool holds(const uint16_t *hand, unsigned n, uint16_t tuple)
{
    for (unsigned i = 0; i < n; i++)
        if (hand[i] == tuple)
            return true;
    return false;
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const uint16_t *)a - *(const uint16_t *)b;
}

/* Fills a network's hand: from those that wait, then from the deck. */
static void deal(struct dealer *dealer, uint16_t *hand, unsigned n_hand)
{
    unsigned n = 0, n_kept = 0;
    for (unsigned i = 0; i < dealer->n_waiting; i++) {
        if (n < n_hand && !holds(hand, n, dealer->waiting[i]))
            hand[n++] = dealer->waiting[i];
        else
            dealer->waiting[n_kept++] = dealer->waiting[i];
    }
    dealer->n_waiting = n_kept;
    while (n < n_hand) {
        uint16_t tuple = draw(dealer);
        if (!holds(hand, n, tuple))
            hand[n++] = tuple;
        else if (dealer->n_waiting < MAX_WAITING) /* never full where a network has less than half of all tuples */
            dealer->waiting[dealer->n_waiting++] = tuple;
    }
    qsort(hand, n_hand, sizeof *hand, compare_numbers);
}

static enum status deal_all(struct campaign *campaign)
{
    const struct campaign_settings *settings = &campaign->settings;
    struct dealer dealer = {.rng = random_stream(~settings->trial.seed, 0),
                            .n_tuples = campaign->list.n_tuples,
                            .at = campaign->list.n_tuples,
                            .deck = memory_allocate(campaign->list.n_tuples, sizeof *dealer.deck)};
    if (!dealer.deck)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < dealer.n_tuples; i++)
        dealer.deck[i] = (uint16_t)i;
    for (uint64_t i = 0; i < settings->n_experiments; i++) {
        struct campaign_experiment *experiment = &campaign->experiments[i];
        struct rng rng = random_stream(settings->trial.seed, i);
        experiment->tuples = campaign->choices + i * settings->per_network;
        experiment->seed = random_bits(&rng);
        deal(&dealer, experiment->tuples, settings->per_network);
    }
    free(dealer.deck);
    return STATUS_OK;
}

/* ---- experiments.csv ---- */

enum { LINE_BYTES = 1024, OWN_FIELDS = 3 };

static const char header[] = "experiment,seed,tuples," TRIAL_COLUMNS "\n";

/* "3 17 20", counted from 1; out has room for a line. */
static void write_tuples(const struct campaign *campaign, const struct campaign_experiment *experiment, char *out)
{
    *out = '\0';
    for (unsigned k = 0; k < campaign->settings.per_network; k++)
        out += sprintf(out, k ? " %d" : "%d", experiment->tuples[k] + 1);
}

enum status campaign_write_experiments(const struct campaign *campaign)
{
    size_t n = campaign->settings.n_experiments, bytes = sizeof header;
    char *text = memory_allocate(n + 1, LINE_BYTES), *path = file_path(campaign->directory, "experiments.csv");
    enum status status = text && path ? STATUS_OK : STATUS_NO_MEMORY;
    if (status)
        goto done;
    strcpy(text, header);
    for (size_t i = 0, used = bytes - 1; i < n && !status; i++) {
        const struct campaign_experiment *experiment = &campaign->experiments[i];
        char tuples[LINE_BYTES / 2], columns[TRIAL_COLUMNS_BYTES];
        if (!experiment->done)
            continue;
        write_tuples(campaign, experiment, tuples);
        used +=
            (size_t)snprintf(text + used, LINE_BYTES, "%zu,%llu,%s,%s\n", i + 1, (unsigned long long)experiment->seed,
                             tuples, trial_write_columns(&experiment->result, columns));
    }
    if (status)
        goto done;
    status = file_write_text(path, text);
done:
    free(text);
    free(path);
    return status;
}
_Static_assert(LINE_BYTES / 2 > SHAPE_MAX_TUPLES * 6 && LINE_BYTES / 2 > 48 + TRIAL_COLUMNS_BYTES,
               "a line has room for its fields");

static enum status read_line(void *context, char *line)
{
    struct campaign *campaign = context;
    char *fields[OWN_FIELDS + TRIAL_N_COLUMNS], tuples[LINE_BYTES];
    uint64_t number, seed;
    struct trial_result result;
    if (!parse_split(line, ',', fields, OWN_FIELDS + TRIAL_N_COLUMNS) || !parse_unsigned(fields[0], &number) ||
        number < 1 || !parse_unsigned(fields[1], &seed) || !trial_read_columns(fields + OWN_FIELDS, &result))
        return status_fail(STATUS_CORRUPT, "expected experiment,seed,tuples," TRIAL_COLUMNS);
    if (number > campaign->settings.n_experiments)
        return STATUS_OK; /* of a longer campaign */
    struct campaign_experiment *experiment = &campaign->experiments[number - 1];
    write_tuples(campaign, experiment, tuples);
    if (seed != experiment->seed || strcmp(tuples, fields[2]) != 0)
        return status_fail(
            STATUS_CORRUPT, "experiment %llu has seed %s and tuples %s, but campaign.ini gives it %llu and %s",
            (unsigned long long)number, fields[1], fields[2], (unsigned long long)experiment->seed, tuples);
    experiment->done = true;
    experiment->result = result;
    return STATUS_OK;
}

/* Reads experiments.csv, if it is there, into the campaign: lines beyond n_experiments are skipped, a line that is
   not of this campaign is STATUS_CORRUPT. */
static enum status read_experiments(struct campaign *campaign)
{
    char *path = file_path(campaign->directory, "experiments.csv");
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = trial_read_lines(path, header, read_line, campaign);
    free(path);
    return status;
}

/* ---- creating and opening ---- */

enum status campaign_create(struct campaign *campaign, const struct campaign_settings *settings)
{
    *campaign = (struct campaign){.settings = *settings};
    enum status status = grid_create(&campaign->grid, settings->trial.rows, settings->trial.cols);
    if (status)
        goto done;
    status = tuple_list_create(&campaign->list, &campaign->grid, settings->cells, settings->connected);
    if (status)
        goto done;
    campaign->experiments = memory_allocate(settings->n_experiments, sizeof *campaign->experiments);
    campaign->choices = memory_allocate(settings->n_experiments * settings->per_network, sizeof(uint16_t));
    status = campaign->experiments && campaign->choices ? deal_all(campaign) : STATUS_NO_MEMORY;
    if (status)
        goto done;
    /* a network that cannot be is found now, before anything is written or trained */
    struct trial trial;
    struct network_spec spec;
    uint64_t bytes;
    status = campaign_trial(campaign, 0, &trial);
    if (!status)
        status = trial_spec(&trial, &spec, &bytes);
done:
    if (status)
        campaign_free(campaign);
    return status;
}

/* A campaign of these settings with what the directory has of it. */
static enum status open_with(struct campaign *campaign, const struct campaign_settings *settings, const char *directory)
{
    enum status status = campaign_create(campaign, settings);
    if (status)
        return status;
    campaign->directory = memory_copy_text(directory);
    status = campaign->directory ? read_experiments(campaign) : STATUS_NO_MEMORY;
    if (status)
        campaign_free(campaign);
    return status;
}

enum status campaign_open(struct campaign *campaign, const char *directory)
{
    struct recipe *recipe = NULL;
    struct campaign_settings settings;
    *campaign = (struct campaign){0};
    enum status status = campaign_read_settings(&settings, &recipe, directory);
    if (!status)
        status = open_with(campaign, &settings, directory);
    recipe_free(recipe);
    return status;
}

void campaign_free(struct campaign *campaign)
{
    tuple_list_free(&campaign->list);
    grid_free(&campaign->grid);
    free(campaign->experiments);
    free(campaign->choices);
    free(campaign->directory);
    *campaign = (struct campaign){0};
}

static bool is_own(const struct campaign_settings *settings, uint64_t i)
{
    return i % settings->n_shards == settings->shard - 1;
}

uint64_t campaign_count_own(const struct campaign *campaign)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < campaign->settings.n_experiments; i++)
        n += is_own(&campaign->settings, i);
    return n;
}

uint64_t campaign_count_done(const struct campaign *campaign, bool own)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < campaign->settings.n_experiments; i++)
        n += campaign->experiments[i].done && (!own || is_own(&campaign->settings, i));
    return n;
}

enum status campaign_trial(const struct campaign *campaign, uint64_t i, struct trial *trial)
{
    const struct campaign_settings *settings = &campaign->settings;
    *trial = settings->trial;
    trial->seed = campaign->experiments[i].seed;
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < settings->per_network && !status; k++)
        status =
            tuple_set_add(&trial->shape, &campaign->grid, campaign->list.tuples[campaign->experiments[i].tuples[k]]);
    return status;
}

/* ---- running ---- */

struct run {
    struct campaign *campaign;
    uint64_t *pending; /* numbers of the experiments to run */
    double written_at;
    uint64_t pilot_games; /* of all pilots together */
};

static enum status prepare(void *context, uint64_t i, struct trial *trial, char checkpoint[PATH_MAX])
{
    const struct run *run = context;
    snprintf(checkpoint, PATH_MAX, "%s/experiment-%llu.checkpoint", run->campaign->directory,
             (unsigned long long)run->pending[i] + 1);
    return campaign_trial(run->campaign, run->pending[i], trial);
}

static enum status finish(void *context, uint64_t i, const struct trial_result *result)
{
    struct run *run = context;
    struct campaign_experiment *experiment = &run->campaign->experiments[run->pending[i]];
    experiment->result = *result;
    experiment->done = true;
    if (clock_seconds() - run->written_at < write_every_seconds)
        return STATUS_OK;
    run->written_at = clock_seconds();
    return campaign_write_experiments(run->campaign);
}

static enum status list_pending(struct run *run, uint64_t *n_pending)
{
    const struct campaign *campaign = run->campaign;
    run->pending = memory_allocate(campaign->settings.n_experiments, sizeof *run->pending);
    if (!run->pending)
        return STATUS_NO_MEMORY;
    *n_pending = 0;
    for (uint64_t i = 0; i < campaign->settings.n_experiments; i++)
        if (is_own(&campaign->settings, i) && !campaign->experiments[i].done)
            run->pending[(*n_pending)++] = i;
    return STATUS_OK;
}

enum status campaign_run(struct campaign *campaign, unsigned n_threads, double keep_seconds,
                         const struct training_report *report, struct trial_pool_totals *totals)
{
    struct run run = {.campaign = campaign};
    uint64_t n_pending;
    int lock;
    *totals = (struct trial_pool_totals){0};
    enum status status = file_lock_directory(campaign->directory, "running a campaign", &lock);
    if (status)
        goto done;
    /* another process may have been here between opening and locking */
    status = read_experiments(campaign);
    if (status)
        goto done;
    status = list_pending(&run, &n_pending);
    if (status)
        goto done;
    struct trial_pool pool = {.n_trials = n_pending,
                              .total_games = (double)n_pending * (double)campaign->settings.trial.games,
                              .title = "campaign",
                              .n_threads = n_threads,
                              .prepare = prepare,
                              .finish = finish,
                              .context = &run,
                              .report = report,
                              .keep_seconds = keep_seconds,
                              .cluster = campaign->cluster};
    status = trial_pool_run(&pool, totals);
    /* Finished experiments are kept whatever happened to the others; their failure is reported. */
    char message[512];
    snprintf(message, sizeof message, "%s", status_message());
    enum status written = campaign_write_experiments(campaign);
    status = status ? status_fail(status, "%s", message) : written;
done:
    free(run.pending);
    file_unlock_directory(lock);
    return status;
}

/* ---- the budget ---- */

static enum status prepare_pilot(void *context, uint64_t i, struct trial *trial, char checkpoint[PATH_MAX])
{
    const struct run *run = context;
    (void)checkpoint;
    enum status status = campaign_trial(run->campaign, i % run->campaign->settings.n_experiments, trial);
    trial->games = UINT64_MAX / 2; /* the deadline ends it */
    return status;
}

static enum status finish_pilot(void *context, uint64_t i, const struct trial_result *result)
{
    struct run *run = context;
    (void)i;
    run->pilot_games += result->games;
    return STATUS_OK;
}

enum status campaign_scale_games(const struct campaign *campaign, double seconds, unsigned n_threads,
                                 const struct training_report *report, uint64_t *games)
{
    struct run run = {.campaign = (struct campaign *)campaign};
    struct trial_pool_totals totals;
    unsigned threads = (n_threads ? n_threads : workers_available()) * cluster_size(campaign->cluster);
    /* Rounds of `threads` experiments each; one pilot round for every fifty. */
    uint64_t rounds = (campaign_count_own(campaign) + threads - 1) / threads, pilot_rounds = (rounds + 49) / 50;
    struct trial_pool pool = {.n_trials = pilot_rounds * threads,
                              .title = "pilot",
                              .n_threads = n_threads ? n_threads : workers_available(),
                              .trial_seconds = seconds / (double)(rounds + pilot_rounds),
                              .prepare = prepare_pilot,
                              .finish = finish_pilot,
                              .context = &run,
                              .report = report,
                              .cluster = campaign->cluster};
    enum status status = trial_pool_run(&pool, &totals);
    if (!status && totals.interrupted)
        status = status_fail(STATUS_INTERRUPTED, "interrupted before the number of games was known; nothing is kept");
    if (status)
        return status;
    double mean = (double)run.pilot_games / (double)pool.n_trials;
    double unit = mean > 100 ? pow(10, floor(log10(mean)) - 1) : 1;
    *games = (uint64_t)(floor(mean / unit) * unit);
    if (*games < 1)
        return status_fail(STATUS_INVALID, "%.3g seconds for each experiment are not enough for a game",
                           pool.trial_seconds);
    return STATUS_OK;
}

/* ---- merging ---- */

static bool same_result(const struct trial_result *a, const struct trial_result *b)
{
    return a->games == b->games && a->scored_games == b->scored_games && a->actions == b->actions &&
           fabs(a->score - b->score) < 1e-3;
}

static enum status take_part(struct campaign *campaign, const struct campaign *part)
{
    for (uint64_t i = 0; i < campaign->settings.n_experiments && i < part->settings.n_experiments; i++) {
        struct campaign_experiment *mine = &campaign->experiments[i];
        const struct campaign_experiment *theirs = &part->experiments[i];
        if (!theirs->done)
            continue;
        if (mine->done && !same_result(&mine->result, &theirs->result))
            return status_fail(STATUS_INVALID,
                               "%s has another score for experiment %llu than a part before it: %.1f, not %.1f",
                               part->directory, (unsigned long long)i + 1, theirs->result.score, mine->result.score);
        mine->done = true;
        mine->result = theirs->result;
    }
    return STATUS_OK;
}

/* The settings that all parts share, with the largest number of experiments, as one shard. */
static enum status common_settings(struct campaign_settings *settings, const char *const *parts, size_t n_parts)
{
    struct recipe *first = NULL;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n_parts && !status; i++) {
        struct recipe *recipe = NULL;
        struct campaign_settings own;
        status = campaign_read_settings(&own, &recipe, parts[i]);
        if (!status) /* shards may differ, so they count as the same */
            status = recipe_set_text(recipe, "campaign", "shard", "1", "merge");
        if (!status)
            status = recipe_set_text(recipe, "campaign", "shards", "1", "merge");
        if (!status && first)
            status = campaign_check_same(first, recipe);
        if (status)
            status_context(status, "%s", parts[i]);
        if (!status && (i == 0 || own.n_experiments > settings->n_experiments))
            *settings = own;
        if (i == 0)
            first = recipe;
        else
            recipe_free(recipe);
    }
    settings->shard = settings->n_shards = 1;
    settings->budget[0] = '\0';
    recipe_free(first);
    return status;
}

enum status campaign_merge(struct campaign *campaign, const char *directory, const char *const *parts, size_t n_parts)
{
    struct campaign_settings settings = {0};
    char *own = file_path(directory, "campaign.ini");
    int lock = -1;
    *campaign = (struct campaign){0};
    enum status status = own ? common_settings(&settings, parts, n_parts) : STATUS_NO_MEMORY;
    if (status)
        goto done;
    if (access(own, F_OK) == 0) { /* what is there already is one of the parts */
        const char *both[] = {directory, parts[0]};
        struct campaign_settings with_own;
        status = common_settings(&with_own, both, 2);
        if (!status && with_own.n_experiments > settings.n_experiments)
            settings = with_own;
    }
    if (status)
        goto done;
    status = file_lock_directory(directory, "running a campaign", &lock);
    if (status)
        goto done;
    status = open_with(campaign, &settings, directory);
    if (status)
        goto done;
    for (size_t i = 0; i < n_parts && !status; i++) {
        struct campaign part;
        status = campaign_open(&part, parts[i]);
        if (!status)
            status = take_part(campaign, &part);
        campaign_free(&part);
    }
    if (status)
        goto done;
    status = campaign_write_settings(&settings, directory);
    if (status)
        goto done;
    status = campaign_write_experiments(campaign);
done:
    if (status)
        campaign_free(campaign);
    file_unlock_directory(lock);
    free(own);
    return status;
}
