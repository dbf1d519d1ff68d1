/*
 * move_table: the optimal move of every state of a board, in less than 2 bits a state: one ribbon map (ribbon.h) for
 * each age, whose keys are the numbers of the states (layout.h) and are not stored. docs/FORMATS.md, "Moves", has the
 * file.
 *
 * States with one legal move, or none, are no keys: whoever asks sees that by the rules. A state that no game reaches
 * gets a legal move all the same, but any. A table never changes after opening; threads may share it.
 */
#ifndef AFTERSTATE_SOLVE_MOVE_TABLE_H
#define AFTERSTATE_SOLVE_MOVE_TABLE_H

#include "base/blockfile.h"
#include "base/status.h"
#include "game/grid.h"
#include "solve/age_set.h"
#include "solve/layout.h"
#include "solve/ribbon.h"

#include <stddef.h>
#include <stdint.h>

/* The name of the file in a table directory. */
#define MOVE_TABLE_FILE "moves"

/*
 * The map of one age: for each of `states` the first of its best moves, reward + values[position
 * among `afterstates`] (with ranks). *bytes bytes in *data, which the caller frees. The same bytes for any number of
 * threads. *n_keys (may be NULL) is how many states are in it.
 */
enum status move_map_build(const struct age_set *states, const struct age_set *afterstates, const double *values,
                           struct workers *workers, uint8_t **data, size_t *bytes, uint64_t *n_keys);

/* Writes a file of moves, maps in the order of ages. */
struct move_writer;
enum status move_writer_open(struct move_writer **out, const char *path, const struct grid *grid);
/* Adds the map of an age, above all ages added before. */
enum status move_writer_add(struct move_writer *writer, uint32_t age, const uint8_t *map, size_t bytes);
/* Puts the file in place. Frees the writer in every case. */
enum status move_writer_commit(struct move_writer *writer);
void move_writer_abort(struct move_writer *writer); /* NULL is fine */

struct move_table;

/* Opens a file of moves for boards of `layout`, which must stay. STATUS_IO, STATUS_CORRUPT; *out is then NULL. */
enum status move_table_open(struct move_table **out, const char *path, const struct layout *layout);
/* The same from MOVE_TABLE_FILE in a table directory. */
enum status move_table_open_directory(struct move_table **out, const char *directory, const struct layout *layout);
void move_table_close(struct move_table *moves); /* NULL is fine */

/* Verifies every map and counts the states that are keys in *n_keys. STATUS_CORRUPT. */
enum status move_table_count(const struct move_table *moves, uint64_t *n_keys);

/* The map of an age, its checksum verified, for work on whole ages; an age without keys gives an empty one. */
enum status move_table_map(const struct move_table *moves, uint32_t age, struct ribbon *map);

/*
 * The direction to move, DIRECTION_COUNT if none is legal. STATUS_INVALID if the grid cannot hold the board or it is
 * larger than the layout goes, STATUS_CORRUPT if the map of its age is damaged.
 */
enum status move_table_find(const struct move_table *moves, struct board board, enum direction *direction);

#endif
