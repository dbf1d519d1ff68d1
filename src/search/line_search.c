/*
 * Boards are words of 16 nibbles. A node has the board and its mirror image about the diagonal, so that columns are
 * looked up as rows are. Spawned tiles are set in both.
 */
#include "search/line_search.h"

#include "base/clock.h"
#include "base/memory.h"
#include "game/grid.h"
#include "game/line.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINES = 1 << 16,
    ENTRIES_LOG = 18,
    RISE = 12,          /* times the difference of two neighbours in the wrong order */
    END = 1 << 17,      /* a finished game is this bad, or twice the weight of the largest tile */
    LOST_END = 1 << 22, /* and this bad where every move leads to disorder */
    POLL_EVERY = 1024,  /* boards between two looks at the clock */
    NO_STANDARD = INT32_MIN,
};

/* What a board was worth, if it was searched as deep and as likely as now. */
struct line_entry {
    uint64_t board;
    float chance;
    int32_t value;
    uint32_t search; /* number of the search it belongs to */
    int32_t depth;
};

struct line_search {
    const struct grid *grid;
    int32_t worth[LINES];
    uint16_t left[LINES], right[LINES]; /* lines moved */
    struct line_entry entry[1 << ENTRIES_LOG];
    uint32_t number; /* of this search */
    int32_t standard, end;
    float least_chance;
    uint64_t n_boards, deadline;
    const atomic_bool *cancel;
    bool stopped;
};

/* A board and its mirror image about the diagonal. */
struct both {
    uint64_t rows, columns;
};

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static int32_t weight_of(unsigned value)
{
    return (int32_t)(value << value);
}

static int32_t worth_of(const uint8_t values[4])
{
    int32_t worth = weight_of(values[0]);
    for (unsigned i = 0; i < 3; i++) {
        const int32_t a = weight_of(values[i]), b = weight_of(values[i + 1]);
        worth += a >= b ? a + b : (a - b) * RISE;
        worth += a == b ? a : 0;
    }
    return worth;
}

static uint16_t moved_left(const uint8_t values[4])
{
    uint8_t moved[4];
    uint16_t line = 0;
    memcpy(moved, values, sizeof moved);
    line_move_to_start(moved, 4);
    for (unsigned i = 0; i < 4; i++)
        line |= (uint16_t)((moved[i] < 15 ? moved[i] : 15) << 4 * i);
    return line;
}

static uint16_t reversed(uint16_t line)
{
    return (uint16_t)(line >> 12 | (line >> 4 & 0x00f0) | (line << 4 & 0x0f00) | line << 12);
}

static void fill_lines(struct line_search *search)
{
    for (unsigned line = 0; line < LINES; line++) {
        uint8_t values[4];
        for (unsigned i = 0; i < 4; i++)
            values[i] = line >> 4 * i & 15;
        search->worth[line] = worth_of(values);
        search->left[line] = moved_left(values);
    }
    for (unsigned line = 0; line < LINES; line++)
        search->right[line] = reversed(search->left[reversed((uint16_t)line)]);
}

enum status line_search_create(struct line_search **out, const struct grid *grid)
{
    *out = memory_allocate(1, sizeof **out);
    if (!*out)
        return STATUS_NO_MEMORY;
    (*out)->grid = grid;
    fill_lines(*out);
    return STATUS_OK;
}

void line_search_free(struct line_search *search)
{
    free(search);
}

static uint64_t transposed(uint64_t board)
{
    uint64_t a = (board & 0xf0f00f0ff0f00f0f) | (board & 0x0000f0f00000f0f0) << 12 | (board & 0x0f0f00000f0f0000) >> 12;
    return (a & 0xff00ff0000ff00ff) | (a & 0x00ff00ff00000000) >> 24 | (a & 0x00000000ff00ff00) << 24;
}

static inline int32_t sum_lines(const int32_t *worth, uint64_t board)
{
    return worth[board & 0xffff] + worth[board >> 16 & 0xffff] + worth[board >> 32 & 0xffff] + worth[board >> 48];
}

static inline int32_t evaluate(const struct line_search *search, struct both board)
{
    return sum_lines(search->worth, board.rows) + sum_lines(search->worth, board.columns);
}

static inline uint64_t move_lines(const uint16_t *moved, uint64_t board)
{
    return moved[board & 0xffff] | (uint64_t)moved[board >> 16 & 0xffff] << 16 |
           (uint64_t)moved[board >> 32 & 0xffff] << 32 | (uint64_t)moved[board >> 48] << 48;
}

int32_t line_evaluation(const struct line_search *search, struct board board)
{
    return evaluate(search, (struct both){board.cells, transposed(board.cells)});
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static int32_t afterstate_value(struct line_search *search, struct both board, int depth, float chance);

/* The board after a move; false if it is not legal. */
static inline bool move_board(const struct line_search *search, struct both board, enum direction direction,
                              struct both *after)
{
    const bool sideways = direction == DIRECTION_LEFT || direction == DIRECTION_RIGHT;
    const uint16_t *moved = direction == DIRECTION_LEFT || direction == DIRECTION_UP ? search->left : search->right;
    const uint64_t from = sideways ? board.rows : board.columns, to = move_lines(moved, from);
    *after = sideways ? (struct both){to, transposed(to)} : (struct both){transposed(to), to};
    return to != from;
}

static int32_t state_value(struct line_search *search, struct both board, int depth, float chance)
{
    int32_t best = search->end;
    bool movable = false;
    for (enum direction d = 0; d < DIRECTION_COUNT; d++) {
        struct both after;
        if (!move_board(search, board, d, &after))
            continue;
        int32_t value = afterstate_value(search, after, depth - 1, chance);
        best = !movable || value > best ? value : best;
        movable = true;
    }
    return best;
}

static int32_t expectation(struct line_search *search, struct both board, int depth, float chance)
{
    const uint64_t empty = BOARD_LOW_BITS & ~board_occupied_bits(board.rows);
    const unsigned n_empty = (unsigned)__builtin_popcountll(empty);
    double sum = 0;
    for (uint64_t left = empty; left; left &= left - 1) {
        const unsigned cell = (unsigned)__builtin_ctzll(left) / 4;
        const uint64_t row = left & -left, column = UINT64_C(1) << 4 * (cell % 4 * 4 + cell / 4);
        for (unsigned v = 0; v < 2; v++) {
            const float share = v ? 0.1F : 0.9F;
            struct both next = {board.rows | row << v, board.columns | column << v};
            sum += (double)share * state_value(search, next, depth, chance * share / (float)n_empty);
        }
    }
    return (int32_t)(sum / n_empty);
}

static void poll_stop(struct line_search *search)
{
    if ((search->cancel && atomic_load_explicit(search->cancel, memory_order_relaxed)) ||
        (search->deadline && clock_nanoseconds() >= search->deadline))
        search->stopped = true;
}

static int32_t afterstate_value(struct line_search *search, struct both board, int depth, float chance)
{
    const int32_t value = evaluate(search, board);
    if (search->n_boards++ % POLL_EVERY == 0)
        poll_stop(search);
    if (value < search->standard || depth < 0 || chance < search->least_chance || search->stopped)
        return value;
    const uint64_t hash = (board.rows ^ board.rows >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    struct line_entry *entry = &search->entry[hash >> (64 - ENTRIES_LOG)];
    if (entry->board == board.rows && entry->search == search->number && entry->depth >= depth &&
        entry->chance >= chance)
        return entry->value;
    const int32_t found = expectation(search, board, depth, chance);
    if (!search->stopped)
        *entry = (struct line_entry){board.rows, chance, found, search->number, depth};
    return found;
}

/* ---- the root ---------------------------------------------------------------------------------------------------- */

/* The image with the best evaluation. */
static unsigned best_image(const struct line_search *search, struct board board)
{
    const struct grid *grid = search->grid;
    unsigned best = 0;
    int32_t most = INT32_MIN;
    for (unsigned s = 0; s < grid->n_symmetries; s++) {
        int32_t value = line_evaluation(search, grid_image(grid, board, s));
        best = value > most ? s : best;
        most = value > most ? value : most;
    }
    return best;
}

static void set_limits(struct line_search *search, struct board image)
{
    unsigned largest = 0;
    for (uint64_t cells = image.cells; cells; cells >>= 4)
        largest = (cells & 15) > largest ? (unsigned)(cells & 15) : largest;
    const int32_t twice = 2 * weight_of(largest);
    search->standard = line_evaluation(search, image) < twice ? NO_STANDARD : twice;
    search->end = -(twice > END ? twice : END);
}

/* Without a standard, where all moves lead below it: what counts then is to live on. */
static void drop_standard(struct line_search *search)
{
    search->standard = NO_STANDARD;
    search->end = -LOST_END;
}

/* The values of all legal moves to a depth, counted as in afterstate_value(), and the best of them. */
static int32_t search_moves(struct line_search *search, struct board image, unsigned symmetry, int depth,
                            unsigned legal, int32_t value[DIRECTION_COUNT])
{
    const struct both board = {image.cells, transposed(image.cells)};
    int32_t best = INT32_MIN;
    search->number++;
    for (enum direction d = 0; d < DIRECTION_COUNT; d++) {
        struct both after;
        value[d] = 0;
        if (!(legal >> d & 1) || !move_board(search, board, grid_image_direction(d, symmetry), &after))
            continue;
        value[d] = afterstate_value(search, after, depth - 1, 1);
        best = value[d] > best ? value[d] : best;
    }
    return best;
}

/* All moves to a depth; false if it was stopped before. */
static bool search_to(struct line_search *search, struct board image, unsigned symmetry, int depth,
                      struct search_result *result)
{
    int32_t value[DIRECTION_COUNT];
    search->least_chance = 1.0F / (float)(1 << (depth + 4));
    set_limits(search, image);
    if (search_moves(search, image, symmetry, depth, result->legal, value) < 0 && search->standard != NO_STANDARD) {
        drop_standard(search);
        search_moves(search, image, symmetry, depth, result->legal, value);
    }
    if (search->stopped)
        return false;
    for (enum direction d = 0; d < DIRECTION_COUNT; d++) {
        if (!(result->legal >> d & 1))
            continue;
        result->value[d] = (float)value[d];
        result->depth[d] = (unsigned)depth + 1;
    }
    return true;
}

void line_search_run(struct line_search *search, struct board board, unsigned depth,
                     const struct search_settings *settings, struct search_result *result)
{
    const struct board low = {.cells = board.cells};
    const unsigned symmetry = best_image(search, low);
    const struct board image = grid_image(search->grid, low, symmetry);
    const unsigned last = depth && depth < LINE_SEARCH_MAX_DEPTH ? depth : LINE_SEARCH_MAX_DEPTH;
    const uint64_t start = clock_nanoseconds();
    search->n_boards = 0;
    search->deadline = 0;
    search->cancel = NULL;
    search->stopped = false;
    search_to(search, image, symmetry, 0, result); /* so that there is one in every case */
    search->deadline = settings->milliseconds > 0 ? start + (uint64_t)(settings->milliseconds * 1e6) : 0;
    search->cancel = settings->cancel;
    /* Without a clock the last depth alone is searched. */
    for (unsigned plies = search->deadline ? 2 : last; plies <= last && plies > 1; plies++) {
        if (!search_to(search, image, symmetry, (int)plies - 1, result))
            break;
    }
    search_result_rank(result);
    result->n_leaves = search->n_boards;
    result->cancelled = search->stopped && settings->cancel && atomic_load(settings->cancel);
}
