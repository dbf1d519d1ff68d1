/* compare: measures how far the values of two networks differ. */
#include "ntuple/compare.h"

#include "base/random.h"
#include "game/game.h"
#include "game/notation.h"
#include "ntuple/network_value.h"

#include <math.h>

enum { CHECK_BOARDS = 30000, KINDS = 3 };

/* Far below any value that matters, such as touched weights of 0, which are stored as the smallest numbers. */
#define ABSOLUTE_SLACK 1e-30

struct sum {
    double value, magnitude;
};

static struct sum sum_weights(const struct network *network, struct board board)
{
    struct sum sum = {0};
    unsigned stage = stages_of(&network->spec.stages, board);
    for (unsigned t = 0; t < network->n_tables; t++) {
        const struct network_table *table = &network->tables[t];
        const struct tuple *tuple = &network->spec.shape.tuples[table->tuple];
        const struct value_range *range = &network->spec.encoding.ranges[table->range];
        for (unsigned s = 0; s < network->n_symmetries; s++) {
            const uint8_t *cell = network->grid.symmetry[s];
            uint64_t index = table->offset;
            for (unsigned k = 0; k < tuple->n_cells; k++)
                index += network_cell_part(network, table, k, range->digit[board_get(board, cell[tuple->cells[k]])]);
            double weight = (double)network_read(network, stage, index);
            sum.value += weight;
            sum.magnitude += fabs(weight);
        }
    }
    return sum;
}

static void compare_board(const struct network *a, const struct network *b, struct board board,
                          struct network_difference *difference)
{
    struct sum of_a = sum_weights(a, board), of_b = sum_weights(b, board);
    double apart = fabs(of_a.value - of_b.value);
    double relative = apart / (fmax(of_a.magnitude, of_b.magnitude) + ABSOLUTE_SLACK);
    if (!isnan(difference->worst_relative) && !(relative <= difference->worst_relative)) { /* NaN is worst of all */
        difference->worst_relative = relative;
        difference->worst_board = board;
    }
    difference->worst = fmax(difference->worst, apart);
    difference->mean += apart; /* a sum until the end */
    difference->n_boards++;
}

/* About a third of the cells empty, the others of any value. */
static struct board random_board(const struct grid *grid, struct rng *rng)
{
    struct board board = {0};
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        if (random_below(rng, 3) > 0)
            board = board_set(board, cell, 1 + (unsigned)random_below(rng, grid->max_value));
    return board;
}

/* The best direction by `player`, or a random legal one if it is NULL. */
static unsigned choose(const struct moves *moves, const struct network *player, struct rng *rng)
{
    unsigned best = DIRECTION_COUNT, n_legal = 0;
    float best_value = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1))
            continue;
        n_legal++;
        float value = player ? (float)moves->reward[d] + network_value(player, moves->after[d]) : 0;
        if (best == DIRECTION_COUNT || (player ? value > best_value : random_below(rng, n_legal) == 0)) {
            best = d;
            best_value = value;
        }
    }
    return best;
}

static void compare_games(const struct network *a, const struct network *b, const struct network *player,
                          uint64_t n_boards, uint64_t seed, struct network_difference *difference)
{
    struct rng rng = random_stream(seed, UINT64_MAX);
    uint64_t end = difference->n_boards + n_boards;
    for (uint64_t number = 0; difference->n_boards < end; number++) {
        struct game game = game_begin(&a->grid, seed, number);
        if (game_is_over(&game))
            compare_board(a, b, game.board, difference); /* boards so small that no game begins */
        while (!game_is_over(&game) && difference->n_boards < end) {
            struct moves moves = grid_moves(&a->grid, game.board);
            unsigned direction = choose(&moves, player, &rng);
            compare_board(a, b, moves.after[direction], difference);
            game_play(&game, (enum direction)direction, NULL);
        }
    }
}

enum status network_compare(const struct network *a, const struct network *b, uint64_t n_boards, uint64_t seed,
                            struct network_difference *difference)
{
    *difference = (struct network_difference){0};
    if (a->grid.rows != b->grid.rows || a->grid.cols != b->grid.cols)
        return status_fail(STATUS_INVALID, "a network for %dx%d and one for %dx%d cannot be compared", a->grid.rows,
                           a->grid.cols, b->grid.rows, b->grid.cols);
    struct rng rng = random_stream(seed, 0);
    for (uint64_t i = 0; i < n_boards / KINDS; i++)
        compare_board(a, b, random_board(&a->grid, &rng), difference);
    compare_games(a, b, NULL, n_boards / KINDS, seed, difference);
    compare_games(a, b, a, n_boards - difference->n_boards, seed, difference);
    if (difference->n_boards > 0)
        difference->mean /= (double)difference->n_boards;
    return STATUS_OK;
}

enum status network_check_same(const struct network *a, const struct network *b, const char *what)
{
    struct network_difference difference;
    enum status status = network_compare(a, b, CHECK_BOARDS, 1, &difference);
    if (status)
        return status;
    if (difference.worst_relative <= COMPARE_ROUNDING)
        return STATUS_OK;
    char digits[NOTATION_DIGITS_BYTES];
    return status_fail(
        STATUS_INVALID, "%s: values differ by up to %g, on board %s by %g of its weights: more than rounding", what,
        difference.worst, notation_digits(&a->grid, difference.worst_board, digits), difference.worst_relative);
}
