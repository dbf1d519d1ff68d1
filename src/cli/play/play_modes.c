/* Chooses between the window and lines of text for one game, and prints its last position. */
#include "cli/play/play_modes.h"

#include "base/number_text.h"

#include <stdio.h>
#include <unistd.h>

/* Opens the window if the terminal allows; else *screen is NULL. With --me keys must come from a terminal. */
static enum status open_window(const struct play_settings *settings, struct screen **screen)
{
    *screen = NULL;
    if (!screen_possible() || (settings->me && !isatty(STDIN_FILENO)))
        return STATUS_OK;
    return screen_open(screen, settings->colours);
}

/* Prints the last position, which neither the closed window nor lines of text show. */
static void print_last(const struct play_settings *settings, const struct play_history *history, const char *title)
{
    const struct game *game = &play_history_present(history)->game;
    if (!isatty(STDOUT_FILENO) || settings->every_move || settings->me)
        return;
    play_print_board(game->grid, game->board);
    if (title)
        printf("%s\n", title);
}

static enum status play_history_on(struct play_settings *settings, struct play_history *history)
{
    struct screen *screen;
    enum status status = open_window(settings, &screen);
    if (!status)
        status = screen ? play_in_window(settings, screen, history) : play_plainly(settings, history);
    screen_close(screen);
    return status;
}

enum status play_game(struct play_settings *settings, struct game_result *result, struct game_record *record)
{
    struct play_history history = {0};
    struct game start = game_begin(settings->player->grid, settings->seed, 0);
    enum status status = play_history_begin(&history, &start);
    if (status)
        goto done;
    status = play_history_on(settings, &history);
    if (status)
        goto done;
    if (record)
        status = play_history_record(&history, settings->seed, record);
    if (status)
        goto done;
    const struct game *game = &play_history_present(&history)->game;
    print_last(settings, &history, NULL);
    *result = (struct game_result){
        .score = game->score, .n_moves = game->n_moves, .max_value = (uint8_t)board_max_value(game->board)};
    if (!game_is_over(game))
        status = status_fail(STATUS_INTERRUPTED, "left before the game's end");
done:
    play_history_free(&history);
    return status;
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* Finds game number `index` of the file. */
static enum status find_game(struct record_reader *reader, const char *path, uint64_t index, struct game_record *record)
{
    struct record_info info = record_reader_info(reader);
    if (index >= info.n_games)
        return status_fail(STATUS_USAGE, "%s holds %llu games; there is no game %llu (they count from 0)", path,
                           (unsigned long long)info.n_games, (unsigned long long)index);
    for (uint64_t i = 0;; i++) {
        bool found;
        enum status status = record_reader_next(reader, record, &found);
        if (status || i == index)
            return status;
        if (!found)
            return status_fail(STATUS_CORRUPT, "%s: ends after %llu games", path, (unsigned long long)i);
    }
}

static enum status show_record(struct play_settings *settings, const struct grid *grid, const char *title,
                               const struct game_record *record)
{
    struct play_history history = {0};
    struct screen *screen = NULL;
    enum status status = game_record_check(grid, record);
    if (status)
        return status;
    status = play_history_load(&history, grid, record);
    if (status)
        goto done;
    status = open_window(settings, &screen);
    if (status)
        goto done;
    status = screen ? replay_in_window(settings, screen, &history, title) : replay_plainly(settings, &history);
    bool listed = settings->every_move && !screen;
    screen_close(screen);
    if (status)
        goto done;
    print_last(settings, &history, title);
    if (!listed)
        printf("%s of %s moves shown, score %s\n", TEXT_OF_COUNT(history.present), TEXT_OF_COUNT(record->n_moves),
               TEXT_OF_COUNT(play_history_present(&history)->game.score));
done:
    play_history_free(&history);
    return status;
}

enum status play_replay(struct play_settings *settings, const char *path, uint64_t index)
{
    struct record_reader *reader;
    struct game_record record = {0};
    enum status status = record_reader_open(&reader, path);
    if (status)
        return status;
    struct record_info info = record_reader_info(reader);
    struct grid grid;
    status = grid_create(&grid, info.rows, info.cols);
    if (!status)
        status = find_game(reader, path, index, &record);
    char title[400];
    snprintf(title, sizeof title, "%s on %ux%u, seed %llu, game %llu of %llu", info.player, info.rows, info.cols,
             (unsigned long long)record.seed, (unsigned long long)index, (unsigned long long)info.n_games);
    if (!status) {
        status = show_record(settings, &grid, title, &record);
        if (status == STATUS_CORRUPT)
            status = status_context(status, "%s", path);
    }
    game_record_free(&record);
    grid_free(&grid);
    record_reader_close(reader);
    return status;
}
