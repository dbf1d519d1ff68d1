/* Watching: a player's game or a recorded one, drawn move by move on a terminal, listed move by move elsewhere. */
#include "cli/play_modes.h"

#include "base/signals.h"
#include "cli/keyboard.h"
#include "cli/screen.h"
#include "game/notation.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

/* What both kinds of watching share. */
struct viewer {
    const struct play_settings *settings;
    const struct grid *grid;
    struct screen screen;
    struct keyboard keyboard;
    const char *title;
};

static struct viewer viewer_open(const struct play_settings *settings, const struct grid *grid, const char *title)
{
    struct viewer viewer = {.settings = settings, .grid = grid, .screen = screen_for(stdout), .title = title};
    if (settings->step)
        viewer.keyboard = keyboard_open();
    return viewer;
}

/* Shows the board after a move (direction DIRECTION_COUNT: the start). False if the person wants to leave. */
static bool viewer_show(struct viewer *viewer, struct board board, uint64_t score, uint32_t n_moves,
                        enum direction direction)
{
    char text[200], digits[NOTATION_DIGITS_BYTES];
    if (viewer->screen.redraw) {
        snprintf(text, sizeof text, "%s\nmove %u  %-5s  score %llu%s", viewer->title, n_moves,
                 direction == DIRECTION_COUNT ? "" : direction_name(direction), (unsigned long long)score,
                 viewer->settings->step ? "\nany key: next move   q: leave" : "");
        screen_draw(&viewer->screen, viewer->grid, board, text);
        if (!viewer->settings->step && viewer->settings->delay_ms)
            poll(NULL, 0, (int)viewer->settings->delay_ms);
    } else if (viewer->settings->every_move) {
        printf("%u %s %s %llu\n", n_moves, direction == DIRECTION_COUNT ? "start" : direction_name(direction),
               notation_digits(viewer->grid, board, digits), (unsigned long long)score);
    }
    if (viewer->settings->step) {
        int key = keyboard_read();
        return key != 'q' && key != KEY_END && !signals_interrupted();
    }
    return !signals_interrupted();
}

static void viewer_close(struct viewer *viewer, struct board board)
{
    keyboard_close(&viewer->keyboard);
    if (!viewer->screen.redraw && !viewer->settings->every_move)
        screen_draw(&viewer->screen, viewer->grid, board, viewer->title);
}

enum status play_watch(const struct play_settings *settings, struct game_result *result, struct game_record *record)
{
    const struct player *player = settings->player;
    char title[160];
    snprintf(title, sizeof title, "%s on %ux%u, seed %llu", settings->player_name, player->grid->rows,
             player->grid->cols, (unsigned long long)settings->seed);
    struct searcher *searcher;
    enum status status = player_create_searcher(&searcher, player);
    if (status)
        return status;
    struct viewer viewer = viewer_open(settings, player->grid, title);
    struct game game = game_begin(player->grid, settings->seed, 0);
    struct rng choices = random_stream(~settings->seed, 0); /* as match_play_game() draws them: the same game */
    if (record)
        game_record_begin(record, &game, settings->seed, 0);
    bool staying = viewer_show(&viewer, game.board, 0, 0, DIRECTION_COUNT);
    enum direction direction;
    while (staying && !status &&
           (direction = player_choose(player, searcher, game.board, &choices)) != DIRECTION_COUNT) {
        struct spawn spawned;
        game_play(&game, direction, &spawned);
        if (record)
            status = game_record_add(record, &game, direction, spawned);
        staying = viewer_show(&viewer, game.board, game.score, game.n_moves, direction);
    }
    viewer_close(&viewer, game.board);
    searcher_free(searcher);
    *result = (struct game_result){
        .score = game.score, .n_moves = game.n_moves, .max_value = (uint8_t)board_max_value(game.board)};
    return status                ? status
           : game_is_over(&game) ? STATUS_OK
                                 : status_fail(STATUS_INTERRUPTED, "left before the game's end");
}

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

static enum status show_record(const struct play_settings *settings, const struct grid *grid, const char *title,
                               const struct game_record *record)
{
    enum status status = game_record_check(grid, record);
    if (status)
        return status;
    struct viewer viewer = viewer_open(settings, grid, title);
    struct replay replay = replay_begin(grid, record);
    bool staying = viewer_show(&viewer, replay.board, 0, 0, DIRECTION_COUNT);
    while (staying && !status && replay.n_played < record->n_moves) {
        enum direction direction;
        status = replay_next(&replay, &direction, NULL);
        staying = viewer_show(&viewer, replay.board, replay.score, replay.n_played, direction);
    }
    viewer_close(&viewer, replay.board);
    if (!status && !settings->every_move)
        printf("%u of %u moves shown, score %llu\n", replay.n_played, record->n_moves,
               (unsigned long long)replay.score);
    return status;
}

enum status play_replay(const struct play_settings *settings, const char *path, uint64_t index)
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
