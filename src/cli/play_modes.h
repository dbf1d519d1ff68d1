/*
 * play_modes: the ways `afterstate play` can play one game: watching a player, replaying a record, playing yourself.
 */
#ifndef AFTERSTATE_CLI_PLAY_MODES_H
#define AFTERSTATE_CLI_PLAY_MODES_H

#include "base/status.h"
#include "game/record.h"
#include "search/player.h"
#include "study/summary.h"

struct play_settings {
    const struct player *player; /* who plays, or who gives the hints */
    const char *player_name;
    uint64_t seed;
    unsigned delay_ms; /* between moves on a terminal */
    bool every_move;   /* print each move where the output is no terminal */
    bool step;         /* wait for a key before each move */
};

/*
 * Each plays or shows one game on standard output, fills *result, and records into `record` (may be NULL).
 * STATUS_INTERRUPTED if it was left before its end; *result and the record then hold what was played.
 */
enum status play_watch(const struct play_settings *settings, struct game_result *result, struct game_record *record);
enum status play_yourself(const struct play_settings *settings, struct game_result *result, struct game_record *record);

/* Shows game number `index` (from 0) of a record file. */
enum status play_replay(const struct play_settings *settings, const char *path, uint64_t index);

#endif
