/* outlook: plays many games on from one board, and counts how often each tile is reached. */
#include "study/outlook.h"

#include "base/clock.h"
#include "game/notation.h"

#include <math.h>
#include <stdio.h>

enum { MOVES_PER_LOOK_AT_THE_CLOCK = 16 };

struct outlook outlook_begin(const struct grid *grid, struct board start, uint64_t seed)
{
    return (struct outlook){.grid = grid, .start = start, .seed = seed};
}

static void finish_game(struct outlook *outlook)
{
    const struct game *game = &outlook->game;
    double points = (double)game->score;
    for (unsigned value = 0; value <= board_max_value(game->board); value++)
        outlook->n_reached[value]++;
    outlook->points += points;
    outlook->squares += points * points;
    outlook->n_moves += game->n_moves;
    outlook->n_games++;
    outlook->playing = false;
}

/* Makes one move, or ends a game without a legal move. */
static enum status play_on(struct outlook *outlook, const struct chooser *chooser)
{
    struct search_result result;
    if (!outlook->playing) {
        outlook->game = (struct game){
            .grid = outlook->grid, .board = outlook->start, .rng = random_stream(outlook->seed, outlook->n_games)};
        outlook->playing = true;
    }
    enum status status = chooser_choose(chooser, outlook->game.board, &result);
    if (status)
        return status;
    if (result.best == DIRECTION_COUNT)
        finish_game(outlook);
    else
        game_play(&outlook->game, result.best, NULL);
    return STATUS_OK;
}

enum status outlook_run(struct outlook *outlook, const struct chooser *chooser, uint64_t max_games, double seconds)
{
    double end = clock_seconds() + seconds;
    for (unsigned i = 1; outlook->n_games < max_games; i++) {
        enum status status = play_on(outlook, chooser);
        if (status)
            return status;
        if (i % MOVES_PER_LOOK_AT_THE_CLOCK == 0 && clock_seconds() >= end)
            break;
    }
    return STATUS_OK;
}

struct share outlook_share(const struct outlook *outlook, unsigned value)
{
    return summary_share(outlook->n_reached[value], outlook->n_games);
}

/* Half the 95% interval of the mean; NaN for fewer than two games. */
static double points_ci95(const struct outlook *outlook)
{
    double n = (double)outlook->n_games, mean = outlook->points / n;
    double variance = (outlook->squares - n * mean * mean) / (n - 1);
    return n < 2 ? (double)NAN : summary_normal95 * sqrt(variance > 0 ? variance / n : 0);
}

void outlook_add_json(const struct outlook *outlook, struct json *json)
{
    double n = (double)outlook->n_games;
    unsigned most = outlook->grid->max_value < BOARD_MAX_VALUE ? outlook->grid->max_value : BOARD_MAX_VALUE;
    json_add_unsigned(json, "games", outlook->n_games);
    json_add_real(json, "moves", n > 0 ? (double)outlook->n_moves / n : (double)NAN);
    json_add_real(json, "points", n > 0 ? outlook->points / n : (double)NAN);
    json_add_real(json, "points_ci95", points_ci95(outlook));
    json_open_object(json, "tiles");
    for (unsigned value = board_max_value(outlook->start) + 1; n > 0 && value <= most; value++) {
        struct share share = outlook_share(outlook, value);
        char name[16];
        snprintf(name, sizeof name, "%u", (unsigned)notation_face(value));
        json_open_array(json, name);
        json_add_real(json, NULL, share.rate);
        json_add_real(json, NULL, share.low);
        json_add_real(json, NULL, share.high);
        json_close(json);
    }
    json_close(json);
}
