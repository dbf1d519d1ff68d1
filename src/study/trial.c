/* trial: trains one set of tuples and measures the mean score of its last games. */
#include "study/trial.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "learn/trainer.h"
#include "study/training_checkpoint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IDENTITY_BYTES = 4096 };

struct work {
    const struct trial *trial;
    const struct trial_hooks *hooks;
    struct network *network;
    struct trainer *trainer;
    struct workers *workers;
    bool first_part_done;        /* the games that do not count are over */
    struct training_counters at; /* line_score_sum and line_new_plays are those at the end of the first part */
    double started, saved_at;    /* of this call, clock_seconds() */
    bool save_due, stopped;
};

static enum status split_encoding(struct network_spec *spec, const struct trial *trial)
{
    struct grid grid;
    enum status status = grid_create(&grid, trial->rows, trial->cols);
    if (!status)
        status = encoding_split(&spec->encoding, &grid, trial->vse);
    if (status == STATUS_INVALID)
        status_context(status, "vse = %s", trial->vse);
    grid_free(&grid);
    return status;
}

enum status trial_spec(const struct trial *trial, struct network_spec *spec, uint64_t *bytes)
{
    uint64_t n_weights;
    unsigned on_board = (unsigned)trial->rows * trial->cols + 2; /* 0 to n_cells + 1 */
    unsigned n_values = trial->n_values ? trial->n_values : on_board < 16 ? on_board : 16;
    *spec = (struct network_spec){.rows = trial->rows, .cols = trial->cols, .shape = trial->shape};
    enum status status = *trial->vse ? split_encoding(spec, trial) : encoding_plain(&spec->encoding, n_values);
    if (status)
        return status;
    status = stages_parse(&spec->stages, "1");
    if (!status)
        status = network_measure(spec, &n_weights, bytes);
    if (status == STATUS_INVALID)
        status = status_fail(
            STATUS_INVALID,
            "a network of %u tuple%s like these has more than 4,294,967,295 weights, all that indices of 32 bits tell "
            "apart; take fewer tuples, smaller ones, fewer cell values, or split encodings (--vse)",
            trial->shape.n_tuples, trial->shape.n_tuples == 1 ? "" : "s");
    return status;
}

char *trial_write_columns(const struct trial_result *result, char *out)
{
    snprintf(out, TRIAL_COLUMNS_BYTES, "%llu,%llu,%.4f,%llu,%.3f", (unsigned long long)result->games,
             (unsigned long long)result->scored_games, result->score, (unsigned long long)result->actions,
             result->seconds);
    return out;
}

bool trial_read_columns(char *const fields[TRIAL_N_COLUMNS], struct trial_result *result)
{
    return parse_unsigned(fields[0], &result->games) && parse_unsigned(fields[1], &result->scored_games) &&
           parse_real(fields[2], &result->score) && parse_unsigned(fields[3], &result->actions) &&
           parse_real(fields[4], &result->seconds);
}

enum status trial_read_lines(const char *path, const char *header, trial_line_reader read, void *context)
{
    char *text = NULL;
    if (access(path, F_OK) != 0)
        return STATUS_OK;
    enum status status = file_read_text(path, &text);
    if (status)
        return status;
    size_t length = strlen(header);
    if (strncmp(text, header, length) != 0)
        status = status_fail(STATUS_CORRUPT, "%s: its first line is not %.*s", path, (int)length - 1, header);
    unsigned number = 1;
    for (char *line = status ? NULL : text + length, *next; line && *line && !status; line = next) {
        char *end = line + strcspn(line, "\n");
        next = *end ? end + 1 : end;
        *end = '\0';
        number++;
        status = read(context, line);
        if (status)
            status_context(status, "%s:%u", path, number);
    }
    free(text);
    return status;
}

/* The text that identifies the trial of a checkpoint. */
static void write_identity(const struct trial *trial, char out[IDENTITY_BYTES])
{
    int used = snprintf(out, IDENTITY_BYTES, "trial %ux%u values %u rate %.17g games %llu last %.17g%% seed %llu",
                        trial->rows, trial->cols, trial->n_values, trial->rate, (unsigned long long)trial->games,
                        trial->last_percent, (unsigned long long)trial->seed);
    if (trial->tc || *trial->vse) /* others have the text of older versions */
        used +=
            snprintf(out + used, IDENTITY_BYTES - (size_t)used, ", %s, vse %s", trial->tc ? "tc" : "td", trial->vse);
    for (unsigned i = 0; i < trial->shape.n_tuples; i++) {
        char cells[32];
        used += snprintf(out + used, IDENTITY_BYTES - (size_t)used, ", %s", tuple_list(&trial->shape.tuples[i], cells));
    }
}
_Static_assert(IDENTITY_BYTES > 512 + SHAPE_MAX_TUPLES * 34, "room for every tuple");

static enum status create(struct work *work)
{
    struct network_spec spec;
    uint64_t bytes;
    struct trainer_settings settings = {
        .learn = {.n_phases = 1, .phases = {{.rule = work->trial->tc ? RULE_TC : RULE_TD, .rate = {.n_points = 1}}}},
        .start = {.new_game = 1},
        .seed = work->trial->seed,
        .threads = 1,
        .interleave = 1,
    };
    enum status status = trial_spec(work->trial, &spec, &bytes);
    if (!status)
        status = network_create(&work->network, &spec);
    if (status)
        return status;
    /* The trainer shares a rate among the look-ups, the paper's rate is that of each. */
    double n_shares = work->trial->tc ? 1 : work->network->n_lookups;
    settings.learn.phases[0].rate.value[0] = (float)(work->trial->rate * n_shares);
    status = workers_create(&work->workers, 1);
    return status ? status : trainer_create(&work->trainer, work->network, &settings);
}

static enum status save(struct work *work)
{
    char identity[IDENTITY_BYTES];
    struct training_counters counters = work->at;
    write_identity(work->trial, identity);
    counters.actions = trainer_totals(work->trainer).actions;
    counters.evaluated_at = work->first_part_done;
    counters.seconds += clock_seconds() - work->started;
    struct training_model model = {.kind = &training_ntuple, .state = work->trainer};
    enum status status = training_checkpoint_save(work->hooks->checkpoint_path, &counters, identity, "", &model);
    work->saved_at = clock_seconds();
    return status;
}

static enum status load(struct work *work)
{
    const char *path = work->hooks ? work->hooks->checkpoint_path : NULL;
    struct training_checkpoint checkpoint;
    char identity[IDENTITY_BYTES];
    if (!path || access(path, F_OK) != 0)
        return STATUS_OK;
    enum status status = training_checkpoint_open(&checkpoint, path);
    if (status)
        return status;
    write_identity(work->trial, identity);
    if (strcmp(checkpoint.recipe, identity) != 0)
        status = status_fail(STATUS_CORRUPT, "%s is the checkpoint of '%s', expected '%s'", path, checkpoint.recipe,
                             identity);
    struct training_model model = {.kind = &training_ntuple, .state = work->trainer};
    if (!status)
        status = training_checkpoint_load(&checkpoint, &model, NULL);
    if (!status) {
        work->at = checkpoint.counters;
        work->first_part_done = checkpoint.counters.evaluated_at != 0;
    }
    training_checkpoint_close(&checkpoint);
    return status;
}

static bool watch(void *context, const struct trainer_totals *totals)
{
    struct work *work = context;
    const struct trial_hooks *hooks = work->hooks;
    work->stopped = hooks->watch && !hooks->watch(hooks->context, totals->plays);
    work->save_due = hooks->checkpoint_path && clock_seconds() - work->saved_at >= hooks->checkpoint_seconds;
    return !work->stopped && !work->save_due;
}

/* Learns until that many games are finished. Where it pauses to save does not change what is learned. */
static enum status learn_until(struct work *work, uint64_t n_games)
{
    enum status status = STATUS_OK;
    while (!status && !work->stopped && trainer_totals(work->trainer).plays < n_games) {
        work->save_due = false;
        status = trainer_run_plays(work->trainer, work->workers, n_games, work->hooks ? watch : NULL, work);
        if (!status && work->save_due && !work->stopped)
            status = save(work);
    }
    if (!status && work->stopped)
        status = status_fail(STATUS_INTERRUPTED, "interrupted");
    return status;
}

static enum status learn(struct work *work)
{
    const struct trial *trial = work->trial;
    uint64_t scored = (uint64_t)((double)trial->games * trial->last_percent / 100 + 0.5);
    scored = scored < 1 ? 1 : scored > trial->games ? trial->games : scored;
    if (!work->first_part_done) {
        enum status status = learn_until(work, trial->games - scored);
        if (status)
            return status;
        struct trainer_totals totals = trainer_totals(work->trainer);
        work->at.line_score_sum = totals.score_sum;
        work->at.line_new_plays = totals.new_plays;
        work->first_part_done = true;
    }
    /* The trainer may finish several games of a tiny board at once: at least one more must be scored. */
    uint64_t end = work->at.line_new_plays + 1;
    return learn_until(work, end > trial->games ? end : trial->games);
}

static void fill_result(const struct work *work, struct trial_result *result)
{
    struct trainer_totals totals = trainer_totals(work->trainer);
    result->games = totals.plays;
    result->actions = totals.actions;
    result->seconds = work->at.seconds + clock_seconds() - work->started;
    if (work->first_part_done && totals.new_plays > work->at.line_new_plays) {
        result->scored_games = totals.new_plays - work->at.line_new_plays;
        double mean = (totals.score_sum - work->at.line_score_sum) / (double)result->scored_games;
        result->score = round(mean * 1e4) / 1e4; /* as it will be read back from a file: stops change nothing */
    }
}

enum status trial_run(const struct trial *trial, const struct trial_hooks *hooks, struct trial_result *result)
{
    struct work work = {.trial = trial, .hooks = hooks};
    *result = (struct trial_result){0};
    enum status status = create(&work);
    if (!status)
        status = load(&work);
    if (!status) {
        work.started = work.saved_at = clock_seconds();
        status = learn(&work);
        fill_result(&work, result);
        bool keep = hooks && hooks->checkpoint_path;
        if (status == STATUS_INTERRUPTED && keep && clock_seconds() - work.saved_at >= hooks->keep_seconds) {
            enum status saved = save(&work);
            status = saved ? saved : status_fail(STATUS_INTERRUPTED, "interrupted");
        }
        if (!status && keep)
            file_discard(hooks->checkpoint_path);
    }
    trainer_free(work.trainer);
    workers_free(work.workers);
    network_free(work.network);
    return status;
}
