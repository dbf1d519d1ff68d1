#include "study/match.h"

#include "base/memory.h"
#include "base/signals.h"

#include <stdatomic.h>
#include <stdlib.h>

enum status match_play_game(const struct player *player, uint64_t seed, uint64_t index, struct game_result *result,
                            struct game_record *record, bool *finished)
{
    struct game game = game_begin(player->grid, seed, index);
    struct rng choices = random_stream(~seed, index); /* a player's own draws do not touch the spawns */
    enum direction direction;
    *finished = false;
    if (record)
        game_record_begin(record, &game, seed, index);
    while ((direction = player_choose(player, game.board, &choices)) != DIRECTION_COUNT) {
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

struct match_work {
    const struct match *match;
    struct progress *progress;
    bool *finished;
    _Atomic size_t n_done;
};

static enum status play_item(void *context, unsigned worker, uint64_t item)
{
    struct match_work *work = context;
    const struct match *match = work->match;
    if (signals_interrupted())
        return status_fail(STATUS_INTERRUPTED, "interrupted");
    enum status status = match_play_game(match->player, match->seed, match->first_game + item, &match->results[item],
                                         match->records ? &match->records[item] : NULL, &work->finished[item]);
    if (!status && work->finished[item])
        atomic_fetch_add(&work->n_done, 1);
    if (worker == 0 && work->progress)
        progress_update(work->progress, (double)atomic_load(&work->n_done), NULL);
    return status;
}

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

enum status match_play(const struct match *match, struct workers *workers, struct progress *progress,
                       size_t *n_finished)
{
    struct match_work work = {.match = match, .progress = progress};
    *n_finished = 0;
    work.finished = memory_allocate(match->n_games, sizeof *work.finished);
    if (!work.finished)
        return STATUS_NO_MEMORY;
    enum status status = workers_for(workers, match->n_games, play_item, &work);
    *n_finished = gather_finished(match, work.finished);
    free(work.finished);
    if (!status && *n_finished < match->n_games)
        status = status_fail(STATUS_INTERRUPTED, "interrupted");
    return status;
}
