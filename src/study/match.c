#include "study/match.h"

#include "base/memory.h"
#include "base/signals.h"

#include <stdatomic.h>
#include <stdlib.h>

enum status match_play_game(const struct player *player, struct searcher *searcher, uint64_t seed, uint64_t index,
                            struct game_result *result, struct game_record *record, bool *finished)
{
    struct game game = game_begin(player->grid, seed, index);
    struct rng choices = random_stream(~seed, index); /* a player's own draws do not touch the spawns */
    enum direction direction;
    *finished = false;
    if (record)
        game_record_begin(record, &game, seed, index);
    while ((direction = player_choose(player, searcher, game.board, &choices)) != DIRECTION_COUNT) {
        struct spawn spawned;
        game_play(&game, direction, &spawned);
        if (record) {
            enum status status = game_record_add(record, &game, direction, spawned);
            if (status)
                return status;
        }
        if (game.n_moves % 64 == 0 && signals_interrupted())
            return STATUS_OK;
    }
    *result = (struct game_result){
        .score = game.score, .n_moves = game.n_moves, .max_value = (uint8_t)board_max_value(game.board)};
    *finished = true;
    return STATUS_OK;
}

/* What the workers of a match share. */
struct match_work {
    const struct match *match;
    struct progress *progress;
    bool *finished;
    struct searcher **searchers; /* of each worker, made when it begins */
    _Atomic size_t n_taken;      /* games begun by fleets */
    _Atomic size_t n_done;
    _Atomic bool stop; /* the watch said so */
};

static bool is_stopped(struct match_work *work)
{
    return signals_interrupted() || atomic_load_explicit(&work->stop, memory_order_relaxed);
}

static void report_done(struct match_work *work, unsigned worker, size_t n)
{
    size_t done = atomic_fetch_add(&work->n_done, n) + n;
    if (worker != 0)
        return;
    if (work->progress)
        progress_update(work->progress, (double)done, NULL);
    if (work->match->watch && !work->match->watch(work->match->watch_context, done))
        atomic_store_explicit(&work->stop, true, memory_order_relaxed);
}

static enum status play_item(void *context, unsigned worker, uint64_t item)
{
    struct match_work *work = context;
    const struct match *match = work->match;
    if (is_stopped(work))
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    enum status status = STATUS_OK;
    if (!work->searchers[worker])
        status = player_create_searcher(&work->searchers[worker], match->player);
    if (!status)
        status = match_play_game(match->player, work->searchers[worker], match->seed, match->first_game + item,
                                 &match->results[item], match->records ? &match->records[item] : NULL,
                                 &work->finished[item]);
    if (!status)
        report_done(work, worker, work->finished[item]);
    return status;
}

/* ---- 1-ply: a fleet of games --------------------------------------------------------------------------------------
 */

/*
 * A greedy player needs one value for each afterstate and nothing else, so a worker plays FLEET games side by side and
 * asks for the values of all their afterstates in one batch: the value function overlaps its memory accesses (a 4x6
 * network judges 1.7 times as many afterstates per second in groups of eight as one by one). The games are the same as
 * one by one.
 */
enum { FLEET = 8 };

struct fleet {
    unsigned n_games;
    struct game games[FLEET];
    size_t item[FLEET]; /* of the match */
    struct moves moves[FLEET];
    struct board after[FLEET * DIRECTION_COUNT];
    float value[FLEET * DIRECTION_COUNT];
};

/* Fills free places with new games while there are any. */
static void fleet_fill(struct fleet *fleet, struct match_work *work)
{
    const struct match *match = work->match;
    while (fleet->n_games < FLEET && !is_stopped(work)) {
        size_t item = atomic_fetch_add(&work->n_taken, 1);
        if (item >= match->n_games)
            return;
        unsigned place = fleet->n_games++;
        uint64_t index = match->first_game + item;
        fleet->item[place] = item;
        fleet->games[place] = game_begin(match->player->grid, match->seed, index);
        if (match->records)
            game_record_begin(&match->records[item], &fleet->games[place], match->seed, index);
    }
}

/* The values of all afterstates of all games. */
static void fleet_evaluate(struct fleet *fleet, const struct player *player, const struct value_function *function)
{
    size_t n = 0;
    for (unsigned g = 0; g < fleet->n_games; g++) {
        fleet->moves[g] = grid_moves(player->grid, fleet->games[g].board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (fleet->moves[g].legal >> d & 1)
                fleet->after[n++] = fleet->moves[g].after[d];
    }
    value_of_batch(function, fleet->after, n, fleet->value);
}

/* The best direction of game g, whose values begin at *value; advances *value behind them. */
static enum direction fleet_choose(const struct fleet *fleet, unsigned g, const float **value)
{
    enum direction best = DIRECTION_COUNT;
    float best_value = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(fleet->moves[g].legal >> d & 1))
            continue;
        float sum = (float)fleet->moves[g].reward[d] + *(*value)++;
        if (best == DIRECTION_COUNT || sum > best_value) {
            best = d;
            best_value = sum;
        }
    }
    return best;
}

/* One move in every game; those that are over leave the fleet. */
static enum status fleet_move(struct fleet *fleet, struct match_work *work, unsigned worker)
{
    const struct match *match = work->match;
    const float *value = fleet->value;
    unsigned n_kept = 0, n_games = fleet->n_games;
    for (unsigned g = 0; g < n_games; g++) {
        struct game *game = &fleet->games[g];
        size_t item = fleet->item[g];
        enum direction direction = fleet_choose(fleet, g, &value);
        if (direction == DIRECTION_COUNT) {
            match->results[item] = (struct game_result){
                .score = game->score, .n_moves = game->n_moves, .max_value = (uint8_t)board_max_value(game->board)};
            work->finished[item] = true;
            report_done(work, worker, 1);
            continue;
        }
        struct spawn spawned = game_continue(game, fleet->moves[g].after[direction], fleet->moves[g].reward[direction]);
        enum status status =
            match->records ? game_record_add(&match->records[item], game, direction, spawned) : STATUS_OK;
        if (status)
            return status;
        if (n_kept != g) {
            fleet->games[n_kept] = *game;
            fleet->item[n_kept] = item;
        }
        n_kept++;
    }
    fleet->n_games = n_kept;
    return STATUS_OK;
}

static enum status play_fleet(void *context, unsigned worker)
{
    struct match_work *work = context;
    struct fleet fleet = {0};
    struct value_function function;
    enum status status = value_function_open(&work->match->player->function, &function);
    while (!status) {
        if (fleet.n_games < FLEET)
            fleet_fill(&fleet, work);
        if (fleet.n_games == 0 || is_stopped(work))
            break;
        fleet_evaluate(&fleet, work->match->player, &function);
        status = fleet_move(&fleet, work, worker);
    }
    value_function_close(&function);
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* Moves what is finished to the front, in order. */
static size_t gather_finished(const struct match *match, const bool *finished)
{
    size_t n = 0;
    for (size_t i = 0; i < match->n_games; i++) {
        if (!finished[i])
            continue;
        match->results[n] = match->results[i];
        if (match->records && n != i) {
            struct game_record held = match->records[n];
            match->records[n] = match->records[i];
            match->records[i] = held;
        }
        n++;
    }
    return n;
}

/* Whether a fleet can play this: one ply and nothing else asked. */
static bool is_greedy(const struct player *player)
{
    const struct search_settings *search = &player->search;
    return player->kind == PLAYER_SEARCH && search->depth == 1 && search->milliseconds <= 0 && search->downgrade == 0;
}

enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished)
{
    struct match_work work = {.match = match, .progress = progress};
    *n_finished = 0;
    unsigned n_workers = workers_count(workers);
    work.finished = memory_allocate(match->n_games, sizeof *work.finished);
    work.searchers = memory_allocate(n_workers, sizeof *work.searchers);
    enum status status = STATUS_NO_MEMORY;
    if (work.finished && work.searchers)
        status = is_greedy(match->player) ? workers_run(workers, play_fleet, &work)
                                          : workers_for(workers, match->n_games, play_item, &work);
    if (work.finished)
        *n_finished = gather_finished(match, work.finished);
    for (unsigned i = 0; work.searchers && i < n_workers; i++)
        searcher_free(work.searchers[i]);
    free(work.searchers);
    if (progress) /* the last game may have ended on another worker than the one that reports */
        progress_update(progress, (double)*n_finished, NULL);
    free(work.finished);
    if (!status && *n_finished < match->n_games)
        status = status_fail(STATUS_INTERRUPTED, "interrupted");
    return status;
}
