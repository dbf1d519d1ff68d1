/*
 * bank: starts with the largest tiles in a formation, for eval --from.
 */
#include "cli/frame/verbs.h"

#include "base/json.h"
#include "game/notation.h"
#include "study/bank.h"

#include <stdio.h>
#include <stdlib.h>

enum { COMMENT_BYTES = 256 };

struct bank_options {
    int64_t tile, boards, small, seed;
};

static enum status print_json(const struct bank *bank, const struct grid *grid)
{
    struct json json;
    char digits[NOTATION_DIGITS_BYTES];
    json_begin(&json);
    json_add_unsigned(&json, "count", bank->n_boards);
    json_open_array(&json, "boards");
    for (size_t i = 0; i < bank->n_boards; i++)
        json_add_text(&json, NULL, notation_digits(grid, bank->boards[i], digits));
    json_close(&json);
    return cli_print_json(&json);
}

static enum status print_text(const struct bank *bank, const struct grid *grid, const struct bank_options *options,
                              const char *formation)
{
    char comment[COMMENT_BYTES], *text = NULL;
    snprintf(comment, sizeof comment, "afterstate bank '%s' --tile %lld --small %lld --boards %lld --seed %lld",
             formation, (long long)options->tile, (long long)options->small, (long long)options->boards,
             (long long)options->seed);
    enum status status = bank_format(&text, bank, grid, comment);
    if (!status)
        fputs(text, stdout);
    free(text);
    return status;
}

static const struct bank_options defaults = {.tile = 16384, .boards = 1000, .small = 3, .seed = 1};

#define IN(member) OPTION_FIELD(struct bank_options, member)
static const struct option_spec option_rows[] = {
    {"tile", 0, "TILE", IN(tile), "the largest tile", OPTION_RANGE(2, 1 << BOARD_MAX_VALUE)},
    {"boards", 'n', "N", IN(boards), "how many boards", OPTION_RANGE(1, 900000)},
    {"small", 0, "K", IN(small), "further tiles, each 2, 4 or 8, on free cells", OPTION_RANGE(0, FORMATION_MAX_SMALL)},
    {"seed", 's', "S", IN(seed), "fixes every board", OPTION_AT_LEAST(0)},
};
#undef IN

static const struct command_example examples[] = {
    {"rows >rows.txt", "1000 boards with 16384 8192 4096 2048 above 1024 512"},
    {"\"0 1 2 3 7 6\" --tile 32768", "the same tiles twice as large, in a snake"},
};

static enum status run_command(struct cli_call *call)
{
    const struct bank_options *options = call->options;
    const char *cells = call->operands[0];
    uint64_t tile = (uint64_t)options->tile;
    if ((tile & (tile - 1)) != 0)
        return status_fail(STATUS_USAGE, "option '--tile' is %lld, expected a tile", (long long)options->tile);
    struct formation formation = {.top = (unsigned)__builtin_ctzll(tile), .n_small = (unsigned)options->small};
    struct bank bank = {0};
    struct grid grid;
    enum status status = grid_create(&grid, 4, 4);
    if (status)
        return status;
    status = formation_parse(&formation, cells);
    if (status)
        goto done;
    status = bank_draw(&bank, &formation, (size_t)options->boards, (uint64_t)options->seed);
    if (status)
        goto done;
    status = call->common.json ? print_json(&bank, &grid) : print_text(&bank, &grid, options, cells);
done:
    bank_free(&bank);
    grid_free(&grid);
    return status;
}

const struct command verb_bank = {
    .name = "bank",
    .heading = "Measure",
    .summary = "starts with the largest tiles in a formation, for eval --from",
    .operands = "FORMATION",
    .description = "Prints 4x4 boards, one a line, for eval --from. The largest tiles stand in a FORMATION, which is "
                   "row (cells 0 1 2 3), rows (0 1 2 3 4 5), square (0 1 4 5), block (0 1 2 4 5 6) or the numbers of "
                   "cells, counted row by row from 0: the largest tile on the first of them, half of it on the next, "
                   "and so on.",
    COMMAND_OPTIONS(option_rows, struct bank_options),
    .defaults = &defaults,
    COMMAND_EXAMPLES(examples),
    .run = run_command,
};
