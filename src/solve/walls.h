/*
 * walls: boards with locked tiles. Some cells are walls; the others, the free cells, play.
 *
 * A wall stands for a tile so large that nothing near it merges with it: which one does not matter. Walls are locked
 * strictly: a move that would move a wall is not legal. In a line  [W a . b], moving to the left is legal; to the
 * right it is legal only if the cells right of the wall are full and nothing there merges, so that it stays. So every
 * move of the game with walls is a move of the real game, and its chances are lower bounds of the real ones, where a
 * large tile may step aside and return.
 *
 * The game has a target, a tile (the goal of the rules): the player wins when a move makes it, anywhere or, with `at`,
 * on one of these cells; a move that makes it elsewhere is then not legal. Games begin with any board of 2s and 4s on
 * the free cells whose sum is at least walls_first_age() and at most walls_last_start().
 *
 * Free cells may have caps: the largest tile that may stand there. A move after which a larger one would is not legal.
 * Caps that fall from the walls on keep a player in order, and make tables with a large target small.
 *
 * Everything inside the solver, and table.h, takes boards whose wall cells are 0 (boards of the free cells); the sum of
 * their tiles is their age. walls_fit() and walls_fill() translate from and to boards of the real game.
 */
#ifndef AFTERSTATE_SOLVE_WALLS_H
#define AFTERSTATE_SOLVE_WALLS_H

#include "base/status.h"
#include "game/grid.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* Bit i of a set of cells stands for cell i. All zero: a whole board, without walls. */
struct walls {
    uint16_t cells;
    uint16_t at;   /* where the target counts; 0: anywhere */
    uint64_t caps; /* nibble i: the value of the largest tile on cell i but for the target; 0: any */
};

enum { WALLS_MAX_SIDE = 5, WALLS_TEXT_BYTES = 48, WALLS_CAPS_TEXT_BYTES = 160 };

/* Reads the name of a layout ("block", ..) or a list of cells ("0 1 4 5", "0-3,4,5") of a grid. STATUS_USAGE. */
enum status walls_parse(const char *text, const struct grid *grid, uint16_t *cells);

/* Reads caps, "3,8:512 10-15:128", of a grid. STATUS_USAGE. */
enum status walls_parse_caps(const char *text, const struct grid *grid, uint64_t *caps);

/* Caps in the form that walls_parse_caps() reads, into text, which has WALLS_CAPS_TEXT_BYTES. Returns text. */
char *walls_caps_text(uint64_t caps, char *text);

/* The cells as a list, "0 1 2 4 5 6", into text, which has WALLS_TEXT_BYTES. Returns text. */
char *walls_text(uint16_t cells, char *text);

/* The name of a layout of a 4x4 board; NULL if it has none. */
const char *walls_name(uint16_t cells);

/*
 * Whether the solver can take these walls with this goal (a tile's value, 0: none): STATUS_USAGE with the reason if
 * not. Whole boards are fine here.
 */
enum status walls_check(const struct grid *grid, struct walls walls, unsigned goal);

/* Whether two boards are locked alike: the same walls, cells of the target and caps. */
static inline bool walls_equal(struct walls one, struct walls other)
{
    return one.cells == other.cells && one.at == other.at && one.caps == other.caps;
}

/* The value of the largest tile that may stand on a cell beside the target; without a cap, UINT_MAX. */
static inline unsigned walls_cap(struct walls walls, unsigned cell)
{
    const unsigned cap = walls.caps >> 4 * cell & 15;
    return cap ? cap : UINT_MAX;
}

/* Whether the tiles of a board are within the caps. */
bool walls_allow(struct walls walls, struct board board);

/* Whether image `symmetry` of a grid has its walls, cells of the target and caps where the board has them. */
bool walls_keep(const struct grid *grid, struct walls walls, unsigned symmetry);

/* The number of free cells of a board of n cells. */
static inline unsigned walls_free_cells(struct walls walls, unsigned n_cells)
{
    return n_cells - (unsigned)__builtin_popcount(walls.cells);
}

/* The low bit of the nibble of each free cell. */
uint64_t walls_free_bits(struct walls walls, const struct grid *grid);

/*
 * The first and the last age of games on a board of n cells with a goal. With walls the starts have the sums from 12
 * to 20: about what is left when large tiles have just merged; less where 12 does not fit.
 */
uint32_t walls_first_age(struct walls walls, unsigned n_cells);
uint32_t walls_last_age(struct walls walls, unsigned n_cells, unsigned goal);
enum { WALLS_FIRST_START = 12, WALLS_LAST_START = 20 };

/* Called with each start of an age: a board of the free cells. */
typedef void walls_start_function(void *context, struct board board);

/* Calls `function` for all starts of an age, if there are walls, with tiles that appear at this chance of a 4. */
void walls_each_start(struct walls walls, const struct grid *grid, uint32_t age, double chance_of_4,
                      walls_start_function *function, void *context);

/* Whether a board of the free cells is a start. */
bool walls_is_start(struct walls walls, const struct grid *grid, struct board board, double chance_of_4);

/*
 * Finds the image of a board of the real game whose wall cells, and no others, hold tiles of at least the goal, no two
 * neighbours alike. *symmetry becomes its number, *free_cells the image with walls of 0. STATUS_INVALID with the
 * reason if there is none.
 */
enum status walls_fit(struct walls walls, const struct grid *grid, unsigned goal, struct board board,
                      struct board *free_cells, unsigned *symmetry);

/* A board of the free cells with tiles on its walls: different ones, the largest first, if there are enough. */
struct board walls_fill(struct walls walls, const struct grid *grid, unsigned goal, struct board board);

#endif
