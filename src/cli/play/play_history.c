/* play_history: all positions of a game, so that moves can be taken back and repeated. */
#include "cli/play/play_history.h"

#include "base/memory.h"

#include <stdlib.h>

/* Appends a position after the present one and makes it the present one. */
static enum status append(struct play_history *history, const struct played_move *move)
{
    uint32_t at = history->n_moves ? history->present + 1 : 0;
    struct played_move *moves = memory_grow(history->moves, (size_t)at + 1, &history->room, 64, sizeof *moves);
    if (!moves)
        return STATUS_NO_MEMORY;
    history->moves = moves;
    history->moves[at] = *move;
    history->present = at;
    history->n_moves = at + 1;
    return STATUS_OK;
}

enum status play_history_begin(struct play_history *history, const struct game *start)
{
    history->n_moves = history->present = 0;
    return append(history, &(struct played_move){.game = *start, .direction = DIRECTION_COUNT});
}

enum status play_history_load(struct play_history *history, const struct grid *grid, const struct game_record *record)
{
    struct replay replay = replay_begin(grid, record);
    enum status status = play_history_begin(history, &(struct game){.grid = grid, .board = replay.board});
    while (!status && replay.n_played < record->n_moves) {
        struct played_move move;
        status = replay_next(&replay, &move.direction, &move.spawned);
        move.game =
            (struct game){.grid = grid, .board = replay.board, .score = replay.score, .n_moves = replay.n_played};
        if (!status)
            status = append(history, &move);
    }
    history->present = 0;
    return status;
}

void play_history_free(struct play_history *history)
{
    free(history->moves);
    *history = (struct play_history){0};
}

enum status play_history_play(struct play_history *history, enum direction direction, bool *legal)
{
    struct played_move move = {.game = play_history_present(history)->game, .direction = direction};
    *legal = game_play(&move.game, direction, &move.spawned);
    return *legal ? append(history, &move) : STATUS_OK;
}

bool play_history_back(struct play_history *history)
{
    if (history->present == 0)
        return false;
    history->present--;
    return true;
}

bool play_history_forward(struct play_history *history)
{
    if (history->present + 1 >= history->n_moves)
        return false;
    history->present++;
    return true;
}

enum status play_history_record(const struct play_history *history, uint64_t seed, struct game_record *record)
{
    enum status status = STATUS_OK;
    game_record_begin(record, &history->moves[0].game, seed, 0);
    for (uint32_t i = 1; i <= history->present && !status; i++) {
        const struct played_move *move = &history->moves[i];
        status = game_record_add(record, &move->game, move->direction, move->spawned);
    }
    return status;
}
