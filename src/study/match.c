/* match: many games by one player, spread over threads, or over the ranks of a cluster and their threads. */
#include "study/match.h"

#include "base/clock.h"
#include "base/cluster_loop.h"
#include "base/memory.h"
#include "base/signals.h"

#include <stdlib.h>
#include <string.h>

static struct game_result result_of(const struct game *game, bool made, double seconds)
{
    return (struct game_result){.score = game->score,
                                .n_moves = game->n_moves,
                                .max_value = (uint8_t)board_max_value(game->board),
                                .made = made,
                                .seconds = seconds,
                                .last = game->board};
}

static struct game begin_game(const struct match *match, size_t item)
{
    struct game game = game_begin(match->player->grid, match->seed, match->first_game + item);
    if (match->n_starts)
        game.board = match->starts[item % match->n_starts];
    if (match->records)
        game_record_begin(&match->records[item], &game, match->seed, match->first_game + item);
    return game;
}

/* Whether a move has made `until` (match.h). Its reward is the sum of all tiles made: most moves need no count. */
static bool made_goal(uint32_t until, struct board before, struct board after, uint32_t reward)
{
    unsigned least = (unsigned)__builtin_ctz(until);
    if (reward >> least == 0)
        return false;
    return until >> least == 1 ? game_count_made(before, after, least) > 0 : board_large_sum(after, least) >= until;
}

/* Plays a direction that is legal, `moves` those of the game's board. *made: this was the move that ends the game. */
static enum status play_move(const struct match *match, size_t item, struct game *game, const struct moves *moves,
                             enum direction direction, bool *made)
{
    struct board before = game->board, after = moves->after[direction];
    uint32_t reward = moves->reward[direction];
    struct spawn spawned = game_continue(game, after, reward);
    *made = match->until && made_goal(match->until, before, after, reward);
    return match->records ? game_record_add(&match->records[item], game, direction, spawned) : STATUS_OK;
}

enum status match_play_game(const struct match *match, struct searcher *searcher, size_t item, struct pace *pace,
                            bool *finished)
{
    const struct player *player = match->player;
    uint64_t start = clock_nanoseconds(), turn = start;
    struct game game = begin_game(match, item);
    /* A player's own draws do not touch the spawns. */
    struct rng choices = random_stream(~match->seed, match->first_game + item);
    enum direction direction;
    bool made = false;
    *finished = false;
    while (!made && (direction = player_choose(player, searcher, game.board, &choices)) != DIRECTION_COUNT) {
        struct moves moves = grid_moves(player->grid, game.board);
        enum status status = play_move(match, item, &game, &moves, direction, &made);
        if (status)
            return status;
        if (pace) {
            uint64_t now = clock_nanoseconds();
            pace_add(pace, now - turn, 1);
            turn = now;
        }
        if (signals_interrupted()) /* each move: one may take a second */
            return STATUS_OK;
    }
    match->results[item] = result_of(&game, made, (double)(clock_nanoseconds() - start) * 1e-9);
    *finished = made || game_is_over(&game); /* not if the search of a move was cancelled */
    return STATUS_OK;
}

/* What the workers of a match share. */
struct match_work {
    const struct match *match;
    struct progress *progress;
    bool *finished;
    size_t *pending;             /* the games that are to be played; lanes leave it out */
    struct searcher **searchers; /* of each worker, made when it begins */
    struct pace *paces;          /* of each worker; NULL if times are not measured */
    size_t n_done;               /* rank 0; while the loop runs by its collect() only */
};

/* A finished game as it is sent to rank 0; the steps of its record, if there is one, follow. */
struct game_message {
    uint64_t item;
    struct game_result result;
    struct game_record record;
};

/* Gives the steps that follow a message to the match's record. */
static enum status take_record(struct game_record *record, const struct game_message *message, const void *steps)
{
    uint8_t *copy = memory_allocate(message->record.n_moves + 1u, 1);
    if (!copy)
        return STATUS_NO_MEMORY;
    memcpy(copy, steps, message->record.n_moves);
    game_record_free(record);
    *record = message->record;
    record->steps = copy;
    record->capacity = message->record.n_moves + 1u;
    return STATUS_OK;
}

/* Rank 0 takes the result of a game. Of a finished lane only its number is sent. */
static enum status collect_game(void *context, uint64_t number, const void *bytes, size_t n_bytes)
{
    struct match_work *work = context;
    const struct match *match = work->match;
    struct game_message message;
    (void)number;
    if (n_bytes == 0)
        return STATUS_OK;
    memcpy(&message, bytes, sizeof message);
    match->results[message.item] = message.result;
    work->finished[message.item] = true;
    work->n_done++;
    enum status status = STATUS_OK;
    if (n_bytes > sizeof message)
        status = take_record(&match->records[message.item], &message, (const uint8_t *)bytes + sizeof message);
    if (!status && match->game_over)
        status = match->game_over(match->game_over_context, message.item);
    if (work->progress)
        progress_update(work->progress, (double)work->n_done, NULL);
    if (!status && match->watch && !match->watch(match->watch_context, work->n_done))
        status = status_fail(STATUS_INTERRUPTED, "interrupted");
    return status;
}

/* A game is over and its result is there. `taken` is its item of the loop; NULL in a lane, one item of many games. */
static enum status report_done(struct match_work *work, struct cluster_loop *loop, struct cluster_item *taken,
                               size_t item)
{
    const struct match *match = work->match;
    struct game_message message = {.item = item, .result = match->results[item]};
    size_t n_steps = 0;
    uint8_t *bytes = (uint8_t *)&message;
    if (match->records && !cluster_is_first(match->cluster)) {
        message.record = match->records[item];
        n_steps = message.record.n_moves;
        bytes = memory_allocate(1, sizeof message + n_steps);
        if (!bytes)
            return STATUS_NO_MEMORY;
        memcpy(bytes, &message, sizeof message);
        memcpy(bytes + sizeof message, message.record.steps, n_steps);
        game_record_free(&match->records[item]);
    }
    enum status status = taken ? cluster_loop_give(loop, taken, bytes, sizeof message + n_steps)
                               : cluster_loop_report(loop, item, bytes, sizeof message + n_steps);
    if (bytes != (uint8_t *)&message)
        free(bytes);
    return status;
}

static enum status play_items(void *context, unsigned worker, struct cluster_loop *loop)
{
    struct match_work *work = context;
    const struct match *match = work->match;
    struct cluster_item taken;
    enum status status = STATUS_OK;
    while (!status && cluster_loop_take(loop, &taken)) {
        size_t item = work->pending[taken.number];
        bool finished = false;
        if (!work->searchers[worker])
            status = player_create_searcher(&work->searchers[worker], match->player);
        if (!status)
            status = match_play_game(match, work->searchers[worker], item, work->paces ? &work->paces[worker] : NULL,
                                     &finished);
        if (!status && finished)
            status = report_done(work, loop, &taken, item);
    }
    return status;
}

/*
 * A greedy player needs one value for each afterstate and nothing else, so a worker plays FLEET games side by side and
 * evaluates all their afterstates in one batch: the value function overlaps its memory accesses (a 4x6 network
 * evaluates 1.7 times as many afterstates per second in groups of eight as one by one). The games are the same as one
 * by one.
 *
 * A value function that prefers large batches (a neural network) gets larger fleets, at any depth without a time limit.
 * The last bits of its values may depend on what else is in a batch, and once in a while a choice depends on the last
 * bits. So that a match is the same for any number of threads nevertheless, its games are divided into lanes, lane k of
 * n with games k, k+n, k+2n, .., by the number of games alone; a lane is the work of one fleet from beginning to end.
 */
enum { FLEET = 8, MAX_FLEET = 1024, ROUNDS_PER_SAMPLE = 16, LANE_GAMES = 64, MAX_LANES = 64 };

struct fleet_game {
    struct game game;
    size_t item;               /* of the match */
    struct cluster_item taken; /* of the loop, without lanes */
    double share_begun;        /* the fleet's share_ns at the start of the game */
    struct moves moves;        /* of its position */
    bool made;                 /* the tile that ends it */
};

struct fleet {
    const struct player *player;
    struct cluster_loop *loop;
    bool exhausted;            /* there are no more games to begin */
    struct searcher *searcher; /* NULL: 1-ply by the value function itself */
    unsigned room, n_games;
    size_t next, stride; /* the next game of its lane; a stride of 0: no lanes, games are taken as they come */
    uint64_t n_rounds;
    uint64_t ticked; /* time of the last update of share_ns: the clock is read only when games start or end */
    double share_ns; /* this worker's time that a game in flight since its start would have got */
    struct fleet_game *games;
    struct board *boards; /* afterstates, and */
    float *values;        /* theirs; with a searcher positions, and */
    struct search_result *results;
};

/* Whether a small fleet can play this: plain search of one ply. */
static bool is_greedy(const struct player *player)
{
    const struct search_settings *search = &player->search;
    return player->kind == PLAYER_SEARCH && search->depth == 1 && search->milliseconds <= 0 && search->downgrade == 0 &&
           !search->specialist;
}

/* Whether to use lanes: the function prefers batches, and moves have no time limit. */
static bool wants_batches(const struct player *player)
{
    return player->kind == PLAYER_SEARCH && player->function.batch && player->search.milliseconds <= 0;
}

/* Lanes of 64 games or more; a small match has up to four shorter ones, so that it can use more than one thread. */
static size_t count_lanes(const struct match *match)
{
    size_t n = (match->n_games + LANE_GAMES - 1) / LANE_GAMES, n_short = (match->n_games + FLEET - 1) / FLEET;
    if (n < 4)
        return n_short < 4 ? n_short : 4;
    return n < MAX_LANES ? n : MAX_LANES;
}

/* As many games as fill a batch: about 3 leaves of a position at 1-ply, 50 at 2-ply, a thousand at 3-ply. */
static unsigned choose_room(const struct match *match)
{
    const struct player *player = match->player;
    unsigned depth = player->search.depth;
    if (!wants_batches(player))
        return FLEET;
    size_t room = player->function.batch / (depth == 1 ? 3 : depth == 2 ? 50 : 1000);
    size_t share = match->n_games / count_lanes(match) + 1;
    room = room < share ? room : share;
    return room < 1 ? 1 : room > MAX_FLEET ? MAX_FLEET : (unsigned)room;
}

static void fleet_close(struct fleet *fleet)
{
    free(fleet->games);
    free(fleet->boards);
    free(fleet->results);
    free(fleet->values);
    searcher_free(fleet->searcher);
}

static enum status fleet_open(struct fleet *fleet, const struct match *match, struct cluster_loop *loop, size_t first,
                              size_t stride)
{
    const struct player *player = match->player;
    *fleet =
        (struct fleet){.player = player, .loop = loop, .room = choose_room(match), .next = first, .stride = stride};
    fleet->games = memory_allocate(fleet->room, sizeof *fleet->games);
    fleet->boards = memory_allocate((size_t)fleet->room * DIRECTION_COUNT, sizeof *fleet->boards);
    fleet->results = memory_allocate(fleet->room, sizeof *fleet->results);
    fleet->values = memory_allocate((size_t)fleet->room * DIRECTION_COUNT, sizeof *fleet->values);
    if (!fleet->games || !fleet->boards || !fleet->results || !fleet->values)
        return STATUS_NO_MEMORY;
    return wants_batches(player) ? player_create_searcher(&fleet->searcher, player) : STATUS_OK;
}

/* To be called before n_games changes. */
static void fleet_tick(struct fleet *fleet)
{
    uint64_t now = clock_nanoseconds();
    if (fleet->n_games)
        fleet->share_ns += (double)(now - fleet->ticked) / fleet->n_games;
    fleet->ticked = now;
}

/* The next game to begin; false if there are no more. */
static bool take_game(struct fleet *fleet, const struct match_work *work, size_t *item, struct cluster_item *taken)
{
    *taken = (struct cluster_item){0};
    if (!fleet->stride) {
        bool there = cluster_loop_take(fleet->loop, taken);
        *item = there ? work->pending[taken->number] : 0;
        return there;
    }
    while (fleet->next < work->match->n_games && work->finished[fleet->next])
        fleet->next += fleet->stride;
    *item = fleet->next;
    fleet->next += fleet->stride;
    return *item < work->match->n_games;
}

/* Fills free places with new games while there are any. */
static void fleet_fill(struct fleet *fleet, struct match_work *work)
{
    const struct match *match = work->match;
    while (fleet->n_games < fleet->room && !fleet->exhausted && !cluster_loop_stopped(fleet->loop)) {
        size_t item;
        struct cluster_item taken;
        fleet->exhausted = !take_game(fleet, work, &item, &taken);
        if (fleet->exhausted)
            return;
        fleet_tick(fleet);
        struct fleet_game *place = &fleet->games[fleet->n_games++];
        *place = (struct fleet_game){
            .game = begin_game(match, item), .item = item, .taken = taken, .share_begun = fleet->share_ns};
    }
}

/* The values of all afterstates of all games, or what the searcher finds. */
static void fleet_evaluate(struct fleet *fleet)
{
    const struct player *player = fleet->player;
    size_t n = 0;
    for (unsigned g = 0; g < fleet->n_games; g++) {
        struct fleet_game *place = &fleet->games[g];
        place->moves = grid_moves(player->grid, place->game.board);
        if (fleet->searcher)
            fleet->boards[n++] = place->game.board;
        for (unsigned d = 0; d < DIRECTION_COUNT && !fleet->searcher; d++)
            if (place->moves.legal >> d & 1)
                fleet->boards[n++] = place->moves.after[d];
    }
    if (fleet->searcher)
        searcher_search_many(fleet->searcher, fleet->boards, n, fleet->results);
    else
        value_of_batch(&player->function, fleet->boards, n, fleet->values);
}

/* The best direction by the values from *value on; advances *value past them. */
static enum direction choose_greedily(const struct moves *moves, const float **value)
{
    enum direction best = DIRECTION_COUNT;
    float best_value = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1))
            continue;
        float sum = (float)moves->reward[d] + *(*value)++;
        if (best == DIRECTION_COUNT || sum > best_value) {
            best = d;
            best_value = sum;
        }
    }
    return best;
}

/* A game of the fleet is over. */
static enum status fleet_end_game(struct fleet *fleet, struct match_work *work, struct fleet_game *place)
{
    fleet_tick(fleet);
    work->match->results[place->item] =
        result_of(&place->game, place->made, (fleet->share_ns - place->share_begun) * 1e-9);
    return report_done(work, fleet->loop, fleet->stride ? NULL : &place->taken, place->item);
}

/* One move in every game; those that are over leave the fleet. */
static enum status fleet_move(struct fleet *fleet, struct match_work *work)
{
    const float *value = fleet->values;
    unsigned n_kept = 0, n_games = fleet->n_games;
    for (unsigned g = 0; g < n_games; g++) {
        struct fleet_game *place = &fleet->games[g];
        enum direction direction = fleet->searcher ? fleet->results[g].best : choose_greedily(&place->moves, &value);
        enum status status = STATUS_OK;
        if (direction != DIRECTION_COUNT)
            status = play_move(work->match, place->item, &place->game, &place->moves, direction, &place->made);
        bool over = direction == DIRECTION_COUNT || place->made;
        if (over && !status)
            status = fleet_end_game(fleet, work, place);
        if (status)
            return status;
        if (over)
            continue;
        if (n_kept != g)
            fleet->games[n_kept] = *place;
        n_kept++;
    }
    fleet->n_games = n_kept;
    return STATUS_OK;
}

/* One move in every game; one round in sixteen is timed. */
static enum status fleet_round(struct fleet *fleet, struct match_work *work, unsigned worker)
{
    bool sampled = work->paces && fleet->n_rounds++ % ROUNDS_PER_SAMPLE == 0;
    uint64_t start = sampled ? clock_nanoseconds() : 0;
    unsigned n_games = fleet->n_games;
    fleet_evaluate(fleet);
    if (fleet->searcher && fleet->results[0].cancelled)
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    enum status status = fleet_move(fleet, work);
    if (sampled)
        pace_add(&work->paces[worker], (clock_nanoseconds() - start) / n_games, n_games);
    return status;
}

/* Plays the games of a lane, or with a stride of 0 those that no other fleet takes. */
static enum status play_games(struct match_work *work, unsigned worker, struct cluster_loop *loop, size_t first,
                              size_t stride)
{
    struct fleet fleet;
    enum status status = fleet_open(&fleet, work->match, loop, first, stride);
    while (!status) {
        if (fleet.n_games < fleet.room)
            fleet_fill(&fleet, work);
        if (fleet.n_games == 0 || cluster_loop_stopped(loop))
            break;
        status = fleet_round(&fleet, work, worker);
    }
    fleet_close(&fleet);
    return status;
}

static enum status play_fleet(void *context, unsigned worker, struct cluster_loop *loop)
{
    return play_games(context, worker, loop, 0, 0);
}

static enum status play_lanes(void *context, unsigned worker, struct cluster_loop *loop)
{
    struct match_work *work = context;
    struct cluster_item lane;
    enum status status = STATUS_OK;
    while (!status && cluster_loop_take(loop, &lane)) {
        status = play_games(work, worker, loop, lane.number, count_lanes(work->match));
        if (!status && !cluster_loop_stopped(loop))
            status = cluster_loop_give(loop, &lane, NULL, 0);
    }
    return status;
}

static enum status play_all(struct match_work *work, struct workers *workers)
{
    const struct match *match = work->match;
    bool lanes = wants_batches(match->player);
    size_t n_pending = 0;
    for (size_t i = 0; i < match->n_games; i++)
        if (!work->finished[i])
            work->pending[n_pending++] = i;
    work->n_done = match->n_games - n_pending;
    struct cluster_work loop = {.n_items = lanes ? count_lanes(match) : n_pending,
                                .n_ahead = lanes ? 0 : FLEET * workers_count(workers),
                                .job = lanes                      ? play_lanes
                                       : is_greedy(match->player) ? play_fleet
                                                                  : play_items,
                                .collect = collect_game,
                                .context = work};
    if (!lanes && !is_greedy(match->player))
        loop.n_ahead = workers_count(workers);
    enum status status = cluster_loop_run(match->cluster, workers, &loop);
    /* A lane that was stopped may have played its last game already. */
    return status == STATUS_INTERRUPTED && work->n_done == match->n_games ? STATUS_OK : status;
}

/* Sends what rank 0 has at the end to all. */
static void share_results(const struct match_work *work, enum status *status)
{
    const struct match *match = work->match;
    *status = cluster_follow(match->cluster, *status);
    cluster_broadcast(match->cluster, match->results, match->n_games * sizeof *match->results);
    cluster_broadcast(match->cluster, work->finished, match->n_games * sizeof *work->finished);
    if (match->pace)
        cluster_sum(match->cluster, match->pace->count, PACE_BUCKETS);
}

enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished)
{
    struct match_work work = {.match = match, .progress = progress};
    *n_finished = 0;
    unsigned n_workers = workers_count(workers);
    bool *own_marks = match->finished ? NULL : memory_allocate(match->n_games, sizeof *own_marks);
    work.finished = match->finished ? match->finished : own_marks;
    work.pending = memory_allocate(match->n_games, sizeof *work.pending);
    work.searchers = memory_allocate(n_workers, sizeof *work.searchers);
    if (match->pace)
        work.paces = memory_allocate(n_workers, sizeof *work.paces);
    bool good = work.finished && work.pending && work.searchers && (work.paces || !match->pace);
    enum status status = cluster_agree(match->cluster, good ? STATUS_OK : STATUS_NO_MEMORY);
    if (!status) {
        cluster_broadcast(match->cluster, work.finished, match->n_games * sizeof *work.finished);
        status = play_all(&work, workers);
        for (unsigned i = 0; work.paces && i < n_workers; i++)
            pace_merge(match->pace, &work.paces[i]);
        share_results(&work, &status);
    }
    while (work.finished && *n_finished < match->n_games && work.finished[*n_finished])
        ++*n_finished;
    for (unsigned i = 0; work.searchers && i < n_workers; i++)
        searcher_free(work.searchers[i]);
    free(work.searchers);
    free(work.pending);
    free(work.paces);
    free(own_marks);
    return status;
}
