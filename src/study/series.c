/* series: plays the games of an evaluation, with their log, records and times. */
#include "study/series.h"

#include "base/clock.h"
#include "base/memory.h"
#include "study/game_log.h"

#include <stdio.h>
#include <stdlib.h>

enum { SETTINGS_BYTES = 512 };

/* Temporary data of a run. */
struct series_work {
    struct series *series;
    struct game_log *log;
    struct game_record *records;
    bool *finished;
};

/*
 * Everything that the scores depend on. The table and the threads of a search are not in it: they change how long a
 * value takes, not the value.
 */
static void describe_settings(const struct series_settings *settings, char out[SETTINGS_BYTES])
{
    const struct search_settings *search = &settings->player->search;
    /* Named only where they are given: logs from before these settings are resumed. */
    char margin[32] = "", starts[64] = "", until[32] = "";
    if (search->margin > 0)
        snprintf(margin, sizeof margin, "margin=%g ", search->margin);
    if (settings->bank)
        snprintf(starts, sizeof starts, "starts=%016llx ",
                 (unsigned long long)bank_checksum(settings->bank, settings->player->grid));
    if (settings->until)
        snprintf(until, sizeof until, "until=%u ", settings->until);
    snprintf(out, SETTINGS_BYTES, "depth=%u time_ms=%g prune=%g %sdowngrade=%u %s%s%s", search->depth,
             search->milliseconds, search->prune, margin, search->downgrade ? 1u << search->downgrade : 0, starts,
             until, settings->player_identity);
}

static enum status open_log(struct series_work *work, const struct series_settings *settings)
{
    char text[SETTINGS_BYTES];
    describe_settings(settings, text);
    struct game_log_title title = {.grid = settings->player->grid,
                                   .seed = settings->seed,
                                   .settings = text,
                                   .name = settings->player_name,
                                   .ends = settings->bank || settings->until};
    enum status status =
        game_log_open(&work->log, settings->log_path, &title, work->series->results, work->finished, settings->n_games);
    for (size_t i = 0; !status && i < settings->n_games; i++)
        work->series->n_resumed += work->finished[i];
    if (!status && settings->record_path && work->series->n_resumed)
        status = status_fail(
            STATUS_USAGE, "%s holds %zu games whose moves are not recorded; leave the record out, or begin a new log",
            settings->log_path, work->series->n_resumed);
    return status;
}

static enum status note_game(void *context, size_t game)
{
    struct series_work *work = context;
    work->series->n_moves_now += work->series->results[game].n_moves;
    return work->log ? game_log_add(work->log, game, &work->series->results[game]) : STATUS_OK;
}

static enum status write_records(const struct series_work *work, const struct series_settings *settings)
{
    struct record_writer *writer;
    enum status status =
        record_writer_open(&writer, settings->record_path, settings->player->grid, settings->player_name);
    for (size_t i = 0; i < work->series->n_finished && !status; i++) {
        status = record_writer_add(writer, &work->records[i]);
        if (status)
            record_writer_abort(writer);
    }
    return status ? status : record_writer_commit(writer);
}

static void sum_times(struct series *series, const bool *finished, size_t n_games)
{
    double seconds = 0;
    uint64_t n_moves = 0;
    for (size_t i = 0; i < series->n_finished; i++) {
        seconds += series->results[i].seconds;
        n_moves += series->results[i].n_moves;
    }
    series->seconds_per_move = n_moves ? seconds / (double)n_moves : 0;
    for (size_t i = series->n_finished; i < n_games; i++)
        series->n_beyond += finished[i];
}

static enum status play(struct series_work *work, const struct series_settings *settings, struct workers *workers,
                        struct progress *progress)
{
    struct series *series = work->series;
    struct match match = {.player = settings->player,
                          .seed = settings->seed,
                          .n_games = settings->n_games,
                          .starts = settings->bank ? settings->bank->boards : NULL,
                          .n_starts = settings->bank ? settings->bank->n_boards : 0,
                          .until = settings->until,
                          .results = series->results,
                          .records = work->records,
                          .finished = work->finished,
                          .pace = &series->pace,
                          .game_over = note_game,
                          .game_over_context = work,
                          .cluster = settings->cluster};
    bool first = cluster_is_first(settings->cluster);
    enum status status = first && settings->log_path ? open_log(work, settings) : STATUS_OK;
    status = cluster_follow(settings->cluster, status);
    if (status)
        return status;
    if (progress && series->n_resumed)
        progress_resume(progress, (double)series->n_resumed);
    double start = clock_seconds();
    status = match_play(&match, workers, progress, &series->n_finished);
    series->seconds_now = clock_seconds() - start;
    sum_times(series, work->finished, settings->n_games);
    enum status written = STATUS_OK;
    if (first && settings->record_path && (!status || status == STATUS_INTERRUPTED))
        written = write_records(work, settings);
    return written ? written : status;
}

enum status series_play(struct series *series, const struct series_settings *settings, struct workers *workers,
                        struct progress *progress)
{
    struct series_work work = {.series = series};
    *series = (struct series){0};
    series->results = memory_allocate(settings->n_games, sizeof *series->results);
    work.finished = memory_allocate(settings->n_games, sizeof *work.finished);
    if (settings->record_path)
        work.records = memory_allocate(settings->n_games, sizeof *work.records);
    bool good = series->results && work.finished && (work.records || !settings->record_path);
    enum status status = cluster_agree(settings->cluster, good ? STATUS_OK : STATUS_NO_MEMORY);
    if (!status)
        status = play(&work, settings, workers, progress);
    enum status closed = game_log_close(work.log);
    for (size_t i = 0; work.records && i < settings->n_games; i++)
        game_record_free(&work.records[i]);
    free(work.records);
    free(work.finished);
    if (closed && (!status || status == STATUS_INTERRUPTED))
        status = closed;
    status = cluster_follow(settings->cluster, status);
    if (status && status != STATUS_INTERRUPTED)
        series_free(series);
    return status;
}

void series_free(struct series *series)
{
    free(series->results);
    *series = (struct series){0};
}
