/*
 * table: a table directory that `solve` has written, open for reading. docs/FORMATS.md, "Solved boards", has the files.
 *
 * Boards of one age - one sum of tiles - are what is stored together. Of an age there are the set of its afterstates,
 * ascending by their number (layout.h gives every class of symmetric boards one number within its age), and for each of
 * them a value: the expected score still to come under optimal play, or, where the table has a goal, the chance that
 * this tile is made. The position of an afterstate in the set is the position of its value. States (boards after a
 * spawn) are not stored; they follow from the afterstates. Nor are boards that have the goal.
 *
 * Boards are given and returned in the orientation of the grid, as struct board; all images of a board are the same to
 * every function here. Where the table has walls (walls.h), boards have 0 on the walls, and only those images are the
 * same that keep the walls; table_enter() and table_leave() translate from and to boards of the real game.
 *
 * Threads may share a table: it never changes after opening, but for what it remembers of its first uses. Opening
 * checks the index and the skeleton of each file. When an age is first used its checksum is checked and its code
 * opened, and when a piece of a set is first used its directory is looked through; both stay, by atomic operations and
 * without locks (threads that come first at the same time each do it, and all agree).
 */
#ifndef AFTERSTATE_SOLVE_TABLE_H
#define AFTERSTATE_SOLVE_TABLE_H

#include "base/status.h"
#include "base/workers.h"
#include "game/grid.h"
#include "solve/age_set.h"
#include "solve/layout.h"
#include "solve/table_index.h"

#include <stdbool.h>
#include <stdint.h>

struct table;

/*
 * Opens a table directory, also one whose solve has not ended (see the summary). STATUS_IO if there is none,
 * STATUS_CORRUPT with file and reason if it is damaged; *out is then NULL.
 */
enum status table_open(struct table **out, const char *directory);
void table_close(struct table *table); /* NULL is fine; ends all views */

const struct table_summary *table_summary(const struct table *table);
const struct grid *table_grid(const struct table *table);
const struct layout *table_layout(const struct table *table);
const char *table_directory(const struct table *table);

/* STATUS_INVALID, with a message that names both, if the two have different goals, walls or chances of a 4. */
enum status table_check_same_rules(const struct table *table, const struct table *other);

/* The moves of a board by the rules of the table. Where it has walls, a move that would move one is not legal. */
struct moves table_moves(const struct table *table, struct board board);

/*
 * The board that a table with walls has for a board of the real game (walls_fit()), and which image of it that is:
 * direction d of the real board is grid_image_direction(d, *symmetry). STATUS_INVALID with the reason if the
 * large tiles do not stand on the walls. Where there are no walls, the board itself and image 0.
 */
enum status table_enter(const struct table *table, struct board board, struct board *inside, unsigned *symmetry);

/* A board of the real game for one of the table: large tiles on the walls (walls_fill()). */
struct board table_leave(const struct table *table, struct board inside);

/* The ages that are counted so far, ascending: first, first + 2, ..; ages without any board are among them. */
size_t table_n_ages(const struct table *table);
const struct table_age *table_age_at(const struct table *table, size_t i);
/* The one of this age; NULL if there is none. */
const struct table_age *table_age_of(const struct table *table, uint32_t age);

/* Whether the set of this age is stored. */
bool table_has_set(const struct table *table, uint32_t age);

/*
 * Whether this board is an afterstate that can be reached, and its position among those of its age in *position (if not
 * NULL). STATUS_INVALID where the grid cannot hold the board or it has the goal already, STATUS_CORRUPT where the set
 * is damaged, STATUS_USAGE where the set of its age is not in the table.
 */
enum status table_find(const struct table *table, struct board board, bool *found, uint64_t *position);

/* The value of the afterstate at a position (below n_afterstates) of an age. STATUS_USAGE if there are no values. */
enum status table_value_at(const struct table *table, uint32_t age, uint64_t position, double *value);

/* The two above together: the value of a reachable afterstate, STATUS_INVALID if it is not reachable. */
enum status table_value(const struct table *table, struct board board, double *value);

/* Whether a board has the goal of the table, or a larger tile. No board does where values are scores. */
bool table_is_won(const struct table *table, struct board board);

/*
 * What a move is worth that leads to this afterstate and brings this reward: reward + value; in a table of chances
 * (with a goal) the value, which is 1 where the move makes the goal. Failures as table_value().
 */
enum status table_move_value(const struct table *table, struct board after, uint32_t reward, double *value);

/* The board at a position of an age: one of its images. */
enum status table_board_at(const struct table *table, uint32_t age, uint64_t position, struct board *board);

/* Whether this board is a start, or arises from a reachable afterstate by a spawn, both with tiles that appear by the
   rules of the table. Failures as table_find(). */
enum status table_state_reachable(const struct table *table, struct board board, bool *reachable);

/*
 * For work on whole ages. The set of all afterstates of an age as an age_set with ranks (age_set.h: fast look-ups from
 * boards to positions, walks in order), and their values, values[position], in doubles. The caller ends them with
 * age_set_free() and memory_block_free(). An age without afterstates gives empty ones. `workers` share the work.
 */
enum status table_load_set(const struct table *table, struct workers *workers, uint32_t age, struct age_set *set);
enum status table_load_values(const struct table *table, struct workers *workers, uint32_t age,
                              struct memory_block *values);

/* The set of all states of an age - starts, and spawns on the afterstates of the two ages before - with ranks. */
enum status table_load_states(const struct table *table, struct workers *workers, uint32_t age, struct age_set *set);

/* The best direction of a reachable state from the stored moves, some legal one for any other board, DIRECTION_COUNT if
   none is legal. STATUS_USAGE if the table has no moves. */
enum status table_move(const struct table *table, struct board board, enum direction *direction);

/*
 * The stored moves of an age, for work on whole ages: moves[position] of each of `states`, which table_load_states()
 * made of a table of the same board size and rules, is the best direction of the board that a walk visits; of a state
 * with less than two legal moves it is any direction. Failures as table_move().
 */
enum status table_load_moves(const struct table *table, struct workers *workers, const struct age_set *states,
                             uint8_t *moves);

/* Bytes of all codes in the table (directories included, headers of blocks not). */
uint64_t table_bytes(const struct table *table);

/*
 * Checks every checksum, every block's form, that counts agree with the index, and re-derives `n_samples` values, drawn
 * by `seed` over all afterstates, from the stored values of their successors. STATUS_CORRUPT names the first that is
 * wrong. *n_checked (if not NULL) becomes the number of values derived.
 */
enum status table_verify(const struct table *table, struct workers *workers, uint64_t n_samples, uint64_t seed,
                         uint64_t *n_checked);

/* Checks all there is of one age: checksums, every piece of its set, what the index says of them. `set` is working
   memory, which the caller ends. */
enum status table_check_age(const struct table *table, struct workers *workers, const struct table_age *known,
                            struct age_set *set);

#endif
