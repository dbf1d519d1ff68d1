/* reproduce_forecast: how long the games of a group of searches will take, and how many of them a time allows. */
#include "study/reproduce_forecast.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/signals.h"
#include "game/game.h"
#include "study/reproduce_measure.h"

#include <math.h>
#include <stdlib.h>

#define PILOT_SECONDS 2.0
#define SEARCH_GROWTH 1.5 /* games of a searching player are longer than those without search */

enum { PILOT_GAMES = 8, SAMPLES_A_GAME = 16, SAMPLES_MAX = PILOT_GAMES * SAMPLES_A_GAME };

/* Boards from all parts of games, in random order of time, and the mean length of those games. */
struct sample {
    struct board boards[SAMPLES_MAX];
    size_t n_boards;
    double moves_a_game;
};

/*
 * Plays one game without search and keeps SAMPLES_A_GAME of its boards, evenly spread: whenever the room is full, every
 * second one is dropped and the distance doubles. Gives up at the deadline.
 */
static uint64_t sample_game(struct sample *sample, const struct player *player, struct searcher *searcher,
                            uint64_t index, double deadline)
{
    struct game game = game_begin(player->grid, MEASURE_SEED, index);
    struct board kept[SAMPLES_A_GAME];
    size_t n_kept = 0;
    uint64_t n_moves = 0, distance = 1;
    for (; clock_seconds() < deadline; n_moves++) {
        enum direction direction = player_choose(player, searcher, game.board, NULL);
        if (direction == DIRECTION_COUNT)
            break;
        if (n_moves % distance == 0 && n_kept == SAMPLES_A_GAME) {
            for (size_t i = 0; i < SAMPLES_A_GAME / 2; i++)
                kept[i] = kept[2 * i];
            n_kept /= 2;
            distance *= 2;
        }
        if (n_moves % distance == 0)
            kept[n_kept++] = game.board;
        game_play(&game, direction, NULL);
    }
    for (size_t i = 0; i < n_kept; i++)
        sample->boards[sample->n_boards++] = kept[i];
    return n_moves;
}

static enum status take_sample(struct sample *sample, const struct evaluator_choice *choice)
{
    const struct measure shallow = {.depth = 1, .downgrade = MEASURE_OWN};
    struct player player = reproduce_player(choice, &shallow);
    struct searcher *searcher;
    enum status status = player_create_searcher(&searcher, &player);
    double deadline = clock_seconds() + PILOT_SECONDS;
    uint64_t n_moves = 0, n_games = 0;
    *sample = (struct sample){0};
    while (!status && n_games < PILOT_GAMES && clock_seconds() < deadline)
        n_moves += sample_game(sample, &player, searcher, n_games++, deadline);
    sample->moves_a_game = n_games ? (double)n_moves / (double)n_games : 0;
    searcher_free(searcher);
    return status;
}

/* The seconds of a move of a row: every 7th of the boards, so that the first few are from all parts of a game. */
static enum status time_row(const struct evaluator_choice *choice, const struct measure *measure,
                            const struct sample *sample, double *seconds)
{
    enum { STEP = 7 };
    struct player player = reproduce_player(choice, measure);
    struct searcher *searcher;
    enum status status = player_create_searcher(&searcher, &player);
    double start = clock_seconds();
    size_t n = 0;
    for (; !status && n < sample->n_boards && clock_seconds() - start < PILOT_SECONDS; n++) {
        player_choose(&player, searcher, sample->boards[STEP * n % sample->n_boards], NULL);
        if (signals_interrupted())
            status = status_fail(STATUS_INTERRUPTED, "stopped in the pilot; nothing was started");
    }
    *seconds = n ? (clock_seconds() - start) / (double)n : 0;
    searcher_free(searcher);
    return status;
}

enum status reproduce_pilot(const struct group *group, const struct evaluator_choice *choice, double *game_seconds)
{
    struct sample sample;
    enum status status = take_sample(&sample, choice);
    for (size_t i = 0; i < group->n_rows && !status; i++) {
        const struct measure *measure = &group->rows[i].search;
        double growth = measure->depth == 1 ? 1 : SEARCH_GROWTH, seconds = measure->milliseconds * 1e-3;
        if (measure->depth)
            status = time_row(choice, measure, &sample, &seconds);
        game_seconds[i] = seconds * sample.moves_a_game * growth;
    }
    return status;
}

double reproduce_forecast(uint64_t n_games, double game_seconds, unsigned n_threads)
{
    return n_games ? fmax(1, (double)n_games / n_threads) * game_seconds : 0;
}

void reproduce_share_budget(const double *game_seconds, size_t n_rows, unsigned n_threads, double budget_seconds,
                            uint64_t *n_games)
{
    bool settled[GROUP_MAX_ROWS] = {0};
    size_t n_open = n_rows;
    for (bool again = true; again && n_open > 0;) { /* rows that need less than their share take what they need */
        again = false;
        for (size_t i = 0; i < n_rows && n_open > 0; i++) {
            double wanted = reproduce_forecast(n_games[i], game_seconds[i], n_threads);
            if (settled[i] || wanted > budget_seconds / (double)n_open)
                continue;
            settled[i] = again = true;
            budget_seconds -= wanted;
            n_open--;
        }
    }
    for (size_t i = 0; i < n_rows; i++) {
        if (settled[i])
            continue;
        double share = budget_seconds / (double)n_open;
        n_games[i] = share < game_seconds[i] ? 0 : (uint64_t)(share / game_seconds[i] * n_threads);
    }
}
