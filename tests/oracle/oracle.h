/* oracle: what the comparisons with the reference share: conversion both ways and random boards of many kinds. */
#ifndef AFTERSTATE_TESTS_ORACLE_H
#define AFTERSTATE_TESTS_ORACLE_H

#include "base/random.h"
#include "game/grid.h"
#include "game/notation.h"
#include "game/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Up, right, down, left as the reference's steps. */
static const int oracle_step[DIRECTION_COUNT][2] = {{-1, 0}, {0, 1}, {1, 0}, {0, -1}};

static inline struct reference_board oracle_reference(const struct grid *grid, struct board board)
{
    struct reference_board plain = {.rows = grid->rows, .cols = grid->cols};
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        plain.tile[cell / grid->cols][cell % grid->cols] = (long)notation_face(board_get(board, cell));
    return plain;
}

static inline struct board oracle_board(const struct reference_board *plain)
{
    struct board board = {0};
    for (int row = 0; row < plain->rows; row++)
        for (int col = 0; col < plain->cols; col++) {
            long tile = plain->tile[row][col];
            unsigned value = tile ? (unsigned)__builtin_ctzl((unsigned long)tile) : 0;
            if (notation_face(value) != tile) /* no assert_true(): its call takes a sixth of the test */
                fail_msg("the reference made a tile %ld", tile);
            board = board_set(board, (unsigned)(row * plain->cols + col), value);
        }
    return board;
}

/*
 * A random board: the largest value, the share of empty cells and how often a cell repeats an earlier one are drawn
 * anew for each board, so that full, empty, mergeable and huge boards all occur.
 */
static inline struct board oracle_random_board(const struct grid *grid, struct rng *rng)
{
    unsigned top = 1 + (unsigned)random_below(rng, BOARD_MAX_VALUE);
    unsigned empty_in_8 = (unsigned)random_below(rng, 9), repeat_in_8 = (unsigned)random_below(rng, 8);
    struct board board = {0};
    for (unsigned cell = 0; cell < grid->n_cells; cell++) {
        unsigned value = 1 + (unsigned)random_below(rng, top);
        if (cell && random_below(rng, 8) < repeat_in_8)
            value = board_get(board, (unsigned)random_below(rng, cell));
        if (random_below(rng, 8) < empty_in_8)
            value = 0;
        board = board_set(board, cell, value);
    }
    return board;
}

static inline void oracle_assert_same(const struct grid *grid, struct board from, struct board got,
                                      struct board expected, const char *what)
{
    if (board_equal(got, expected))
        return;
    char a[NOTATION_DIGITS_BYTES], b[NOTATION_DIGITS_BYTES], c[NOTATION_DIGITS_BYTES];
    fail_msg("%ux%u board %s: %s gives %s, the reference %s", grid->rows, grid->cols, notation_digits(grid, from, a),
             what, notation_digits(grid, got, b), notation_digits(grid, expected, c));
}

/* Compares all four moves, their rewards and legality, and the terminal test. */
static inline void oracle_check_moves(const struct grid *grid, struct board board)
{
    struct moves moves = grid_moves(grid, board);
    const struct reference_board before = oracle_reference(grid, board);
    unsigned legal = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        struct reference_board plain = before;
        long reward;
        legal |= (unsigned)reference_move(&plain, oracle_step[d][0], oracle_step[d][1], &reward) << d;
        struct board expected = oracle_board(&plain);
        uint32_t single_reward;
        oracle_assert_same(grid, board, moves.after[d], expected, direction_name(d));
        oracle_assert_same(grid, board, grid_move(grid, board, d, &single_reward), expected, "one move");
        assert_int_equal(moves.reward[d], reward);
        assert_int_equal(single_reward, reward);
    }
    assert_int_equal(moves.legal, legal);
    assert_int_equal(grid_is_terminal(grid, board), legal == 0);
}

#endif
