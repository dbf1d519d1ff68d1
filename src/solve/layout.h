/*
 * layout: gives every class of symmetric boards of one age a number, so that a set of boards is a bitmap.
 *
 * The cells are split in two parts, each a union of orbits of the board's symmetries, so that a symmetry maps a part to
 * itself: on 4x3 the outer and the inner rows, on 3x3 the corners and the rest. For each part a table knows, for every
 * content (its key: four bits a cell), the class of the content up to symmetry, counted among the classes of the same
 * tile sum, and which symmetry turns the class's representative into it. To bring a board to its canonical form, turn
 * it so that the first part becomes its representative; the second part then is its own representative turned by what
 * the two symmetries differ in. No image of the board is ever made or compared:
 *
 *     board -> keys -> entries e1, e2 -> row of (sum1, class1)    = words base[sum1] + class1 * stride[sum1] ..
 *                                        slot class2 * n_group + turn[e1, e2]  = a bit of that row
 *
 * For one age sum2 is age - sum1, so `base` and `stride` (in 64-bit words) depend on sum1 alone: small tables made for
 * each age (struct age_frame). The number of a board is 64 * word + bit. Rows begin at word borders, which costs a few
 * per cent of numbers that no board has and lets threads work on rows. Because a part is small, a row is some hundred
 * to two thousand bits; boards that share their first part share a row, and spawns and horizontal moves stay in few
 * rows: most of the accesses of a solve hit the first-level cache.
 *
 * Where a content looks the same from several sides, several turns mean the same board; the table `turn` picks one.
 *
 *   entry   31        19 18         6 5     0
 *          +------------+------------+-------+
 *          | sum number | class of   | coset |    the coset tells stabiliser and turn of the content
 *          +------------+------------+-------+
 *
 * Moves and spawns of whole rows of boards, which share their first part, are prepared for each slot of the second part
 * once (struct layout_axis, struct layout_growth); row_moves.h uses them.
 *
 * Only 2x6 (and 6x2) cannot be split so: two parts of at most six cells, each closed under all symmetries, do not exist
 * there. Its parts are the two halves, closed under two of the four symmetries, and a board has the smaller of the two
 * numbers that its images under the other two have (n_extra).
 *
 * Boards with walls (walls.h) are numbered in the same way: the parts are made of the free cells, the symmetries are
 * those that keep the walls, and the tables of lines know which lines hold a wall that a move would move. Such a line
 * blocks the move of the whole board.
 *
 * A layout never changes after layout_create(); threads may share it.
 */
#ifndef AFTERSTATE_SOLVE_LAYOUT_H
#define AFTERSTATE_SOLVE_LAYOUT_H

#include "base/bits.h"
#include "base/memory.h"
#include "base/status.h"
#include "game/grid.h"
#include "solve/walls.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LAYOUT_MAX_CELLS = 12,
    LAYOUT_MAX_PART_CELLS = 6,
    LAYOUT_COSETS = 64,
    LAYOUT_COSET_BITS = 6,
    LAYOUT_CLASS_BITS = 13,
    LAYOUT_SUM_SHIFT = LAYOUT_COSET_BITS + LAYOUT_CLASS_BITS,
    LAYOUT_MAX_SUMS = 1 << (32 - LAYOUT_SUM_SHIFT),
    LAYOUT_MAX_LINES = 4,      /* lines of an axis that cross both parts */
    LAYOUT_MAX_LINE_CELLS = 5, /* of such a line; longer ones are moved board by board */
};

#define LAYOUT_NO_SUM UINT16_MAX

/* One part: its cells, and the classes of their contents ordered by sum, then symmetric ones first, then by key. */
struct layout_part {
    unsigned n_cells;
    uint64_t mask;               /* the nibbles of its cells in a board's word */
    const uint32_t *entry;       /* [key]: see above; UINT32_MAX for keys with a tile beyond max_value */
    uint32_t n_sums;             /* distinct sums */
    uint32_t *sum;               /* [sum number]: half the sum of the tiles, ascending */
    uint32_t *first_class;       /* [sum number .. n_sums]: number of classes with a smaller sum */
    uint16_t *sum_number;        /* [half sum]: its number or LAYOUT_NO_SUM */
    uint32_t max_sum;            /* the largest half sum */
    uint32_t *class_key;         /* [class]: the representative */
    uint8_t *class_coset;        /* [class]: the coset of the representative itself */
    uint32_t *n_symmetric;       /* [sum number]: classes with a symmetry of their own, which come first */
    struct memory_block entries; /* owns `entry`; empty where both parts are alike and share it */
};

/*
 * A class of the second part and its coset, ready to be turned into a slot, in 32 bits. Two kinds of tables have it:
 * where a move takes the second part of a slot, and what a spawn there makes of it.
 *
 *    31  30          19 18             6 5     0
 *   +---+--------------+----------------+-------+     c: the move changes the part
 *   | c | a quarter of | class * n_group| coset |
 *   |   | the reward   |                |       |
 *   +---+--------------+----------------+-------+
 */
enum {
    LAYOUT_SLOT_BITS = 13, /* at most 4620 contents of six cells have one sum: counted */
    LAYOUT_REWARD_BITS = 12,
    LAYOUT_REWARD_SHIFT = LAYOUT_COSET_BITS + LAYOUT_SLOT_BITS,
    LAYOUT_CODE_CHANGED_BIT = LAYOUT_REWARD_SHIFT + LAYOUT_REWARD_BITS,
};
_Static_assert(LAYOUT_CODE_CHANGED_BIT == 31, "a code has 32 bits");

/* With walls, which always go with a goal, rewards are small (4 a line that makes the goal), and the highest bit of a
   reward says that the move is blocked. Beside goals without walls it is never set. */
enum { LAYOUT_CODE_BLOCKED_BIT = LAYOUT_REWARD_SHIFT + LAYOUT_REWARD_BITS - 1 };

/*
 * Where a line that crosses both parts goes: to its first cell, and to its last. Sums over the lines of an axis are the
 * whole board after the move.
 *
 *    63   60 59          48 47            24 23             0
 *   +-------+--------------+----------------+----------------+
 *   | lines | a quarter of | key of the     | key of the     |     lines: how many of them change
 *   | moved | the reward   | second part    | first part     |
 *   +-------+--------------+----------------+----------------+
 */
struct line_moves {
    _Alignas(16) uint64_t to_start;
    uint64_t to_end;
};
_Static_assert(sizeof(struct line_moves) == 16, "both are added as one vector");
enum {
    LINE_MOVES_CHANGED_BIT = 60,
    LINE_MOVES_BLOCKED_BIT = 54, /* with walls: lines that block the move are counted here, within the reward */
};

/*
 * The moves along one axis: left and right, or up and down. On 4x3 each row of cells lies in one part, so left and
 * right move each part by itself: all boards of a row of the bitmap go to one row. Columns cross both parts there: then
 * a board's lines are looked up, where the first part has chosen which 2^second_bits entries of each table matter.
 */
struct layout_axis {
    bool by_part;
    uint32_t *slot_moved[2]; /* by_part: for each slot the codes of the second part moved to the start and to the end */
    /* Crossing. */
    unsigned n_lines;
    uint32_t first_mask[LAYOUT_MAX_LINES], second_mask[LAYOUT_MAX_LINES]; /* the line's nibbles in the parts' keys */
    unsigned second_bits[LAYOUT_MAX_LINES];
    struct line_moves *lines[LAYOUT_MAX_LINES]; /* [first part's cells << second_bits | second part's cells] */
    uint64_t *slot_lines;                       /* 16 bits for each line: the second part's cells in it */
};

/* Spawns on the second part: for slot s the codes code[v][first[s] .. first[s + 1] - 1] of a 2 (v 0) or a 4 (v 1). */
struct layout_growth {
    uint32_t *first;
    uint32_t *code[2];
};

struct layout {
    const struct grid *grid;
    uint32_t max_age;
    unsigned max_value; /* no tile of a board is larger */
    unsigned goal;      /* the value of the tile that ends a game; 0: none */
    struct walls walls; /* all zero on a whole board */
    uint64_t free_bits; /* the low bit of the nibble of each free cell: all cells of a whole board */
    unsigned n_group;   /* symmetries that keep the parts: 1, 2, 4 or 8, and its logarithm */
    unsigned group_shift;
    unsigned n_extra;        /* images to compare: 1, or 2 on 2x6 */
    uint64_t *line_table[2]; /* moves of a row, of a column; one table if they are equally long; none with walls */
    /* With walls: the moves of each row, of each column, by its cells, where walls are 0 (walled_entry_.. below), and
       for each axis the lines whose free cells are all in the first, in the second part: bit i for line i. */
    uint64_t *walled_line[2][WALLS_MAX_SIDE];
    uint8_t part_lines[2][2];
    unsigned line_cells[2];     /* cells of a row, of a column */
    uint64_t col_mask;          /* the nibbles of column 0 */
    struct layout_part part[2]; /* part[1] may have no cells at all */
    uint64_t *slot_cells;       /* [n_group * class2 + turn]: the second part's share of the board's word */
    uint8_t *slot_coset;        /* its coset */
    struct memory_block slots;  /* owns both */
    bool by_rows;               /* the two fields below are filled: moves and spawns of whole rows are possible */
    struct layout_axis axis[2]; /* [0] left and right, [1] up and down */
    struct layout_growth growth;
    uint8_t turn[LAYOUT_COSETS * LAYOUT_COSETS];
    unsigned n_cosets;
    uint8_t coset_turn[LAYOUT_COSETS], coset_stabiliser[LAYOUT_COSETS];
};

/* Where the rows of a sum of the first part lie, in 64-bit words. stride 0: no second part completes the age. */
struct age_row {
    uint32_t base;
    uint16_t stride;
    uint16_t second_sum; /* number of the second part's sum, where stride > 0 */
};

/* The numbering of one age. */
struct age_frame {
    const struct layout *layout;
    uint32_t age;
    uint32_t n_sums;  /* sums of the first part that are at most half the age: rows[0 .. n_sums-1] */
    uint64_t n_words; /* of a bitmap; the universe of numbers is 64 times as many */
    struct age_row rows[];
};

/* A frame with room for every age of a layout, not yet filled; ended by free(). NULL with a message: no memory. */
struct age_frame *age_frame_allocate(const struct layout *layout);

/* Fills *frame for an age (even, at most max_age). STATUS_NO_MEMORY if it has 2^31 words or more. */
enum status age_frame_fill(struct age_frame *frame, const struct layout *layout, uint32_t age);

/* A place in a bitmap. */
struct place {
    uint64_t word;
    unsigned bit;
};

static inline uint32_t layout_entry_sum(uint32_t entry)
{
    return entry >> LAYOUT_SUM_SHIFT;
}
static inline uint32_t layout_entry_class(uint32_t entry)
{
    return entry >> LAYOUT_COSET_BITS & ((1u << LAYOUT_CLASS_BITS) - 1);
}
static inline uint32_t layout_entry_coset(uint32_t entry)
{
    return entry & (LAYOUT_COSETS - 1);
}

/* The first word of the row of a first part's entry. */
static inline uint64_t age_frame_row(const struct age_frame *frame, uint32_t entry1)
{
    struct age_row row = frame->rows[layout_entry_sum(entry1)];
    return row.base + (uint64_t)layout_entry_class(entry1) * row.stride;
}

/* The slot of a second part's entry in the row of a first part with this coset. */
static inline uint32_t layout_slot(const struct layout *layout, uint32_t coset1, uint32_t entry2)
{
    return (layout_entry_class(entry2) << layout->group_shift) +
           layout->turn[coset1 * LAYOUT_COSETS + layout_entry_coset(entry2)];
}

/* The slot of a code in the row of a first part whose row of the table of turns this is. */
static inline uint32_t layout_code_slot(uint32_t code, const uint8_t *turn)
{
    return (code >> LAYOUT_COSET_BITS & ((1u << LAYOUT_SLOT_BITS) - 1)) + turn[code & (LAYOUT_COSETS - 1)];
}
/* With walls: whether the move is blocked. */
static inline bool layout_code_blocked(uint32_t code)
{
    return code >> LAYOUT_CODE_BLOCKED_BIT & 1;
}
/* A quarter of its reward. */
static inline uint32_t layout_code_reward(uint32_t code)
{
    return code >> LAYOUT_REWARD_SHIFT & ((1u << LAYOUT_REWARD_BITS) - 1);
}

/* The place of a board from its parts' entries. */
static inline struct place age_frame_join(const struct age_frame *frame, uint32_t entry1, uint32_t entry2)
{
    uint32_t slot = layout_slot(frame->layout, layout_entry_coset(entry1), entry2);
    return (struct place){age_frame_row(frame, entry1) + (slot >> 6), slot & 63};
}

static inline uint32_t layout_entry(const struct layout *layout, unsigned part, uint64_t cells)
{
    return layout->part[part].entry[bits_extract(cells, layout->part[part].mask)];
}

/* The place of a board whose age is the frame's and which is known to be possible; only where n_extra is 1. */
static inline struct place age_frame_place_direct(const struct age_frame *frame, uint64_t cells)
{
    return age_frame_join(frame, layout_entry(frame->layout, 0, cells), layout_entry(frame->layout, 1, cells));
}

/* The same for every board size: the smaller place where there are two. */
struct place age_frame_place(const struct age_frame *frame, uint64_t cells);

/* The number of a board of any content in *number; false if the board is not of this age or cannot be on this grid. */
bool age_frame_number(const struct age_frame *frame, struct board board, uint64_t *number);

/* The last sum of the first part whose rows begin at or before a word of the frame: the word is in its rows. */
uint32_t age_frame_sum_at(const struct age_frame *frame, uint64_t word);

/* The board of a number, one of its images; false if no board has this number. Binary search: for single questions. */
bool age_frame_board(const struct age_frame *frame, uint64_t number, struct board *board);

/* ---- moves ------------------------------------------------------------------------------------------------------ */

/* An entry of a line table: where the line goes towards its first and its last cell, and a quarter of the reward. */
static inline uint64_t line_entry_start(uint64_t entry)
{
    return entry & 0xffffff;
}
static inline uint64_t line_entry_end(uint64_t entry)
{
    return entry >> 24 & 0xffffff;
}
static inline uint32_t line_entry_reward(uint64_t entry)
{
    return (uint32_t)(entry >> 48) * 4;
}

/* The four moves of a word, in the order of enum direction; the word itself, and no reward, where illegal. */
struct word_moves {
    uint64_t after[DIRECTION_COUNT];
    uint32_t reward[DIRECTION_COUNT];
    unsigned blocked; /* with walls: bit d is set where direction d would move one */
};

/* Of a whole board. `rows` and `cols` are the grid's; as constants they unroll the loops. */
static inline struct word_moves layout_moves(const struct layout *layout, uint64_t cells, unsigned rows, unsigned cols)
{
    const uint64_t *row_table = layout->line_table[0], *col_table = layout->line_table[1];
    uint64_t left = 0, right = 0, up = 0, down = 0;
    uint32_t horizontal = 0, vertical = 0;
    uint64_t row_mask = (UINT64_C(1) << 4 * cols) - 1;
    uint64_t col_mask = layout->col_mask;
    for (unsigned row = 0; row < rows; row++) {
        uint64_t entry = row_table[cells >> 4 * cols * row & row_mask];
        left |= line_entry_start(entry) << 4 * cols * row;
        right |= line_entry_end(entry) << 4 * cols * row;
        horizontal += line_entry_reward(entry);
    }
    for (unsigned col = 0; col < cols; col++) {
        uint64_t entry = col_table[bits_extract(cells, col_mask << 4 * col)];
        up |= bits_deposit(line_entry_start(entry), col_mask << 4 * col);
        down |= bits_deposit(line_entry_end(entry), col_mask << 4 * col);
        vertical += line_entry_reward(entry);
    }
    struct word_moves moves = {.blocked = 0};
    moves.reward[DIRECTION_UP] = moves.reward[DIRECTION_DOWN] = vertical;
    moves.reward[DIRECTION_LEFT] = moves.reward[DIRECTION_RIGHT] = horizontal;
    moves.after[DIRECTION_UP] = up;
    moves.after[DIRECTION_RIGHT] = right;
    moves.after[DIRECTION_DOWN] = down;
    moves.after[DIRECTION_LEFT] = left;
    return moves;
}

/*
 * With walls: lines[axis] says which rows and which columns take part, bit i for line i; the others stay as they are
 * and block nothing. UINT8_MAX takes all.
 */
struct word_moves layout_walled_moves(const struct layout *layout, uint64_t cells, const uint8_t lines[2]);

/* Either, for all lines. */
static inline struct word_moves layout_board_moves(const struct layout *layout, uint64_t cells)
{
    if (layout->walls.cells)
        return layout_walled_moves(layout, cells, (const uint8_t[2]){UINT8_MAX, UINT8_MAX});
    return layout_moves(layout, cells, layout->grid->rows, layout->grid->cols);
}

/* The moves of one part alone, along the axes that move each part by itself; the other part's cells are 0. */
static inline struct word_moves layout_part_moves(const struct layout *layout, uint64_t cells, unsigned part)
{
    if (layout->walls.cells)
        return layout_walled_moves(layout, cells,
                                   (const uint8_t[2]){layout->part_lines[0][part], layout->part_lines[1][part]});
    return layout_moves(layout, cells, layout->grid->rows, layout->grid->cols);
}

/*
 * An entry of a table of a line with walls: as above up to bit 47, then for the moves to the start and to the end
 * whether they make the goal where it counts, and whether they are blocked.
 */
enum { WALLED_ENTRY_GOAL_BIT = 48, WALLED_ENTRY_BLOCKED_BIT = 50 };

static inline bool walled_entry_makes_goal(uint64_t entry, unsigned end)
{
    return entry >> (WALLED_ENTRY_GOAL_BIT + end) & 1;
}
static inline bool walled_entry_is_blocked(uint64_t entry, unsigned end)
{
    return entry >> (WALLED_ENTRY_BLOCKED_BIT + end) & 1;
}

#endif
