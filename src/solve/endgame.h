/*
 * endgame: exact chances late in the real game of 4x4, from tables with walls.
 *
 * When the large tiles stand where the walls of a solved table are (`solve --walls`), in any of the board's images, the
 * table knows the chance that its goal, the next needed tile, is made. Every leaf of a search and every move in
 * training is looked up, so a board that no table covers costs a few instructions.
 *
 * The chance is that of the game with locked tiles, a lower bound of the real one (walls.h). It does not count what
 * follows the goal.
 */
#ifndef AFTERSTATE_SOLVE_ENDGAME_H
#define AFTERSTATE_SOLVE_ENDGAME_H

#include "base/status.h"
#include "game/board.h"
#include "solve/query.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ENDGAME_MAX_TABLES = 8 };

struct endgame;

/* Whether a table is an endgame table: finished, of 4x4 with walls, by the rules of the game, with values, target
   anywhere. */
bool endgame_serves(const struct table_summary *summary);

/*
 * Opens a table directory, or a folder of them: all endgame tables in it; other tables are skipped. STATUS_INVALID if
 * there is none of these, STATUS_IO if there is no such folder, STATUS_USAGE if it has too many, STATUS_CORRUPT; *out
 * is then NULL. Files are mapped, not read: processes share them.
 */
enum status endgame_open(struct endgame **out, const char *path);
void endgame_close(struct endgame *endgame); /* NULL is fine */

size_t endgame_n_tables(const struct endgame *endgame);
const struct table *endgame_table(const struct endgame *endgame, size_t i);

/* Calls `function` for `path` if it is a table directory, or else for those in it in the order of their names, endgame
   tables or not, until it fails. STATUS_IO if the folder cannot be read. */
enum status endgame_each(const char *path, enum status (*function)(void *context, const char *directory),
                         void *context);

/* Adds the index of a table to a checksum of several. STATUS_IO, STATUS_NO_MEMORY. */
enum status endgame_add_checksum(const struct table *table, uint64_t *checksum);

/* A checksum of the tables, the same in any folder. STATUS_IO, STATUS_NO_MEMORY. */
enum status endgame_checksum(const struct endgame *endgame, uint64_t *checksum);

/*
 * Whether a table covers this afterstate: the tiles of at least its goal stand on its walls and nowhere else, no two of
 * them alike, and its game reaches the rest. Then *chance is the chance that the goal is made. Threads may share it.
 */
bool endgame_chance(const struct endgame *endgame, struct board after, float *chance);

/*
 * The chances of all moves of a board on which it is the player's turn, by query_board(), from the first table that
 * covers it; *goal is the exponent of that table's tile. STATUS_INVALID if none does; otherwise as query_board().
 */
enum status endgame_query(const struct endgame *endgame, struct board board, struct query_answer *answer,
                          unsigned *goal);

#endif
