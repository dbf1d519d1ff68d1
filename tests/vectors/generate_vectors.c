/*
 * Writes a file of rules-conformance vectors for one board size: generate_vectors ROWS COLS > RxC.csv
 * Only the reference decides what is written; the engine is used to draw boards and to spell them.
 */
#include "../oracle/oracle.h"

#include <stdio.h>
#include <stdlib.h>

enum { RANDOM_BOARDS = 400 };

static void write_board(const struct grid *grid, struct board board)
{
    char before[NOTATION_DIGITS_BYTES], after[NOTATION_DIGITS_BYTES];
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        struct reference_board plain = oracle_reference(grid, board);
        long reward;
        bool legal = reference_move(&plain, oracle_step[d][0], oracle_step[d][1], &reward);
        printf("%s,%s,%s,%ld,%d\n", notation_digits(grid, board, before), direction_name(d),
               notation_digits(grid, oracle_board(&plain), after), reward, legal);
    }
}

/* The cases that programs get wrong: a line of each pattern of three values, in every row, up to the largest tiles. */
static void write_patterns(const struct grid *grid)
{
    static const char *const patterns[] = {"1111", "1110", "0111", "1112", "2111", "1122", "1221", "1211", "1012",
                                           "1001", "2211", "1120", "2011", "1101", "1011", "2112", "1000", "0001"};
    unsigned tops[] = {1, grid->max_value - 1u};
    for (unsigned t = 0; t < 2; t++)
        for (unsigned p = 0; p < sizeof patterns / sizeof *patterns; p++) {
            struct board board = {0};
            for (unsigned i = 0; i < grid->cols && i < 4; i++)
                if (patterns[p][i] != '0')
                    board =
                        board_set(board, p % grid->rows * grid->cols + i, tops[t] + (unsigned)(patterns[p][i] - '1'));
            write_board(grid, board);
        }
}

int main(int argc, char **argv)
{
    struct grid grid;
    if (argc != 3 || grid_create(&grid, (unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]))) {
        fprintf(stderr, "usage: generate_vectors ROWS COLS\n");
        return 2;
    }
    printf("board,move,afterstate,reward,legal\n");
    write_patterns(&grid);
    struct rng rng = random_stream(2048, grid.rows * 8u + grid.cols);
    for (unsigned n = 0; n < RANDOM_BOARDS;) {
        struct board board = oracle_random_board(&grid, &rng);
        if (board_max_value(board) <= grid.max_value) {
            write_board(&grid, board);
            n++;
        }
    }
    grid_free(&grid);
    return fflush(stdout) || ferror(stdout);
}
