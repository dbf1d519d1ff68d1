#include "study/match.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/signals.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct game_result result_of(const struct game *game, double seconds)
{
    return (struct game_result){.score = game->score,
                                .n_moves = game->n_moves,
                                .max_value = (uint8_t)board_max_value(game->board),
                                .seconds = seconds};
}

enum status match_play_game(const struct player *player, struct searcher *searcher, uint64_t seed, uint64_t index,
                            struct game_result *result, struct game_record *record, struct pace *pace, bool *finished)
{
    uint64_t start = clock_nanoseconds(), turn = start;
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
        if (pace) {
            uint64_t now = clock_nanoseconds();
            pace_add(pace, now - turn, 1);
            turn = now;
        }
        if (signals_interrupted()) /* each move: one may take a second */
            return STATUS_OK;
    }
    *result = result_of(&game, (double)(clock_nanoseconds() - start) * 1e-9);
    *finished = game_is_over(&game); /* not if the search of a move was cancelled */
    return STATUS_OK;
}

/* What the workers of a match share. */
struct match_work {
    const struct match *match;
    struct progress *progress;
    bool *finished;
    struct searcher **searchers; /* of each worker, made when it begins */
    struct pace *paces;          /* of each worker; NULL if nobody asks */
    pthread_mutex_t telling;     /* of finished games */
    _Atomic size_t n_taken;      /* games begun by fleets */
    _Atomic size_t n_done;
    _Atomic bool stop; /* the watch said so */
};

static bool is_stopped(struct match_work *work)
{
    return signals_interrupted() || atomic_load_explicit(&work->stop, memory_order_relaxed);
}

/* A game is over and its result is there. */
static enum status report_done(struct match_work *work, unsigned worker, size_t item)
{
    const struct match *match = work->match;
    enum status status = STATUS_OK;
    work->finished[item] = true;
    if (match->game_over) {
        pthread_mutex_lock(&work->telling);
        status = match->game_over(match->game_over_context, item);
        pthread_mutex_unlock(&work->telling);
        if (status) /* the other workers need not go on for hours */
            atomic_store_explicit(&work->stop, true, memory_order_relaxed);
    }
    size_t done = atomic_fetch_add(&work->n_done, 1) + 1;
    if (worker != 0)
        return status;
    if (work->progress)
        progress_update(work->progress, (double)done, NULL);
    if (match->watch && !match->watch(match->watch_context, done))
        atomic_store_explicit(&work->stop, true, memory_order_relaxed);
    return status;
}

static enum status play_item(void *context, unsigned worker, uint64_t item)
{
    struct match_work *work = context;
    const struct match *match = work->match;
    bool finished = false;
    enum status status = STATUS_OK;
    if (work->finished[item])
        return status;
    if (is_stopped(work))
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    if (!work->searchers[worker])
        status = player_create_searcher(&work->searchers[worker], match->player);
    if (!status)
        status = match_play_game(match->player, work->searchers[worker], match->seed, match->first_game + item,
                                 &match->results[item], match->records ? &match->records[item] : NULL,
                                 work->paces ? &work->paces[worker] : NULL, &finished);
    return finished && !status ? report_done(work, worker, item) : status;
}

/* ---- 1-ply: a fleet of games --------------------------------------------------------------------------------------
 */

/*
 * A greedy player needs one value for each afterstate and nothing else, so a worker plays FLEET games side by side and
 * asks for the values of all their afterstates in one batch: the value function overlaps its memory accesses (a 4x6
 * network judges 1.7 times as many afterstates per second in groups of eight as one by one). The games are the same as
 * one by one.
 */
enum { FLEET = 8, ROUNDS_PER_SAMPLE = 16 };

struct fleet {
    unsigned n_games;
    uint64_t n_rounds;
    uint64_t ticked; /* when share_ns was brought up to date: the clock is read only when games begin or end */
    double share_ns; /* what a game that was there from the beginning would have got of this worker's time */
    double share_begun[FLEET]; /* share_ns when the game began */
    struct game games[FLEET];
    size_t item[FLEET]; /* of the match */
    struct moves moves[FLEET];
    struct board after[FLEET * DIRECTION_COUNT];
    float value[FLEET * DIRECTION_COUNT];
};

/* To be called before n_games changes. */
static void fleet_tick(struct fleet *fleet)
{
    uint64_t now = clock_nanoseconds();
    if (fleet->n_games)
        fleet->share_ns += (double)(now - fleet->ticked) / fleet->n_games;
    fleet->ticked = now;
}

/* Fills free places with new games while there are any. */
static void fleet_fill(struct fleet *fleet, struct match_work *work)
{
    const struct match *match = work->match;
    while (fleet->n_games < FLEET && !is_stopped(work)) {
        size_t item = atomic_fetch_add(&work->n_taken, 1);
        if (item >= match->n_games)
            return;
        if (work->finished[item])
            continue;
        fleet_tick(fleet);
        unsigned place = fleet->n_games++;
        uint64_t index = match->first_game + item;
        fleet->share_begun[place] = fleet->share_ns;
        fleet->item[place] = item;
        fleet->games[place] = game_begin(match->player->grid, match->seed, index);
        if (match->records)
            game_record_begin(&match->records[item], &fleet->games[place], match->seed, index);
    }
}

/* The values of all afterstates of all games. */
static void fleet_evaluate(struct fleet *fleet, const struct player *player)
{
    size_t n = 0;
    for (unsigned g = 0; g < fleet->n_games; g++) {
        fleet->moves[g] = grid_moves(player->grid, fleet->games[g].board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (fleet->moves[g].legal >> d & 1)
                fleet->after[n++] = fleet->moves[g].after[d];
    }
    value_of_batch(&player->function, fleet->after, n, fleet->value);
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
        enum status status = STATUS_OK;
        if (direction == DIRECTION_COUNT) {
            fleet_tick(fleet);
            match->results[item] = result_of(game, (fleet->share_ns - fleet->share_begun[g]) * 1e-9);
            status = report_done(work, worker, item);
            if (status)
                return status;
            continue;
        }
        struct spawn spawned = game_continue(game, fleet->moves[g].after[direction], fleet->moves[g].reward[direction]);
        if (match->records)
            status = game_record_add(&match->records[item], game, direction, spawned);
        if (status)
            return status;
        if (n_kept != g) {
            fleet->games[n_kept] = *game;
            fleet->item[n_kept] = item;
            fleet->share_begun[n_kept] = fleet->share_begun[g];
        }
        n_kept++;
    }
    fleet->n_games = n_kept;
    return STATUS_OK;
}

/* One move in every game, timed if its turn has come. */
static enum status fleet_round(struct fleet *fleet, struct match_work *work, unsigned worker)
{
    bool sampled = work->paces && fleet->n_rounds++ % ROUNDS_PER_SAMPLE == 0;
    uint64_t start = sampled ? clock_nanoseconds() : 0;
    unsigned n_games = fleet->n_games;
    fleet_evaluate(fleet, work->match->player);
    enum status status = fleet_move(fleet, work, worker);
    if (sampled)
        pace_add(&work->paces[worker], (clock_nanoseconds() - start) / n_games, n_games);
    return status;
}

static enum status play_fleet(void *context, unsigned worker)
{
    struct match_work *work = context;
    struct fleet fleet = {0};
    enum status status = STATUS_OK;
    while (!status) {
        if (fleet.n_games < FLEET)
            fleet_fill(&fleet, work);
        if (fleet.n_games == 0 || is_stopped(work))
            break;
        status = fleet_round(&fleet, work, worker);
    }
    return status;
}

/* ------------------------------------------------------------------------------------------------------------------ */

/* Whether a fleet can play this: one ply and nothing else asked. */
static bool is_greedy(const struct player *player)
{
    const struct search_settings *search = &player->search;
    return player->kind == PLAYER_SEARCH && search->depth == 1 && search->milliseconds <= 0 && search->downgrade == 0;
}

static enum status play_all(struct match_work *work, struct workers *workers)
{
    const struct match *match = work->match;
    for (size_t i = 0; i < match->n_games; i++)
        work->n_done += work->finished[i];
    enum status status = is_greedy(match->player) ? workers_run(workers, play_fleet, work)
                                                  : workers_for(workers, match->n_games, play_item, work);
    if (work->progress) /* the last game may have ended on another worker than the one that reports */
        progress_update(work->progress, (double)work->n_done, NULL);
    if (!status && work->n_done < match->n_games)
        status = status_fail(STATUS_INTERRUPTED, "interrupted");
    return status;
}

enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished)
{
    struct match_work work = {.match = match, .progress = progress, .telling = PTHREAD_MUTEX_INITIALIZER};
    *n_finished = 0;
    unsigned n_workers = workers_count(workers);
    bool *own_marks = match->finished ? NULL : memory_allocate(match->n_games, sizeof *own_marks);
    work.finished = match->finished ? match->finished : own_marks;
    work.searchers = memory_allocate(n_workers, sizeof *work.searchers);
    if (match->pace)
        work.paces = memory_allocate(n_workers, sizeof *work.paces);
    enum status status = STATUS_NO_MEMORY;
    if (work.finished && work.searchers && (work.paces || !match->pace))
        status = play_all(&work, workers);
    while (work.finished && *n_finished < match->n_games && work.finished[*n_finished])
        ++*n_finished;
    for (unsigned i = 0; i < n_workers; i++) {
        if (work.searchers)
            searcher_free(work.searchers[i]);
        if (work.paces)
            pace_merge(match->pace, &work.paces[i]);
    }
    free(work.searchers);
    free(work.paces);
    free(own_marks);
    return status;
}
