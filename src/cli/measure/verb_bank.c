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

static enum status run_bank(const struct bank_options *options, const struct common_options *common, const char *cells)
{
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
    if (!status)
        status = bank_draw(&bank, &formation, (size_t)options->boards, (uint64_t)options->seed);
    if (!status)
        status = common->json ? print_json(&bank, &grid) : print_text(&bank, &grid, options, cells);
    bank_free(&bank);
    grid_free(&grid);
    return status;
}

int verb_bank_run(const struct cli_context *context, int argc, char **argv)
{
    struct bank_options options = {.tile = 16384, .boards = 1000, .small = 3, .seed = 1};
    const struct option_spec specs[] = {
        option_integer("tile", 0, "TILE", &options.tile, 2, 1 << BOARD_MAX_VALUE, "the largest tile"),
        option_integer("boards", 'n', "N", &options.boards, 1, 900000, "how many boards"),
        option_integer("small", 0, "K", &options.small, 0, FORMATION_MAX_SMALL,
                       "further tiles, each 2, 4 or 8, on free cells"),
        option_integer("seed", 's', "S", &options.seed, 0, INT64_MAX, "fixes every board"),
    };
    static const struct command_example examples[] = {
        {"rows >rows.txt", "1000 boards with 16384 8192 4096 2048 above 1024 512"},
        {"\"0 1 2 3 7 6\" --tile 32768", "the same tiles twice as large, in a snake"},
    };
    const struct command_spec command = {
        .operands = "FORMATION",
        .min_operands = 1,
        .max_operands = 1,
        .description = "Prints 4x4 boards, one a line, for eval --from. The largest tiles stand in a FORMATION, which "
                       "is row (cells 0 1 2 3), rows (0 1 2 3 4 5), square (0 1 4 5), block (0 1 2 4 5 6) or the "
                       "numbers of cells, counted row by row from 0: the largest tile on the first of them, half of "
                       "it on the next, and so on.",
        .options = specs,
        .n_options = sizeof specs / sizeof *specs,
        .examples = examples,
        .n_examples = sizeof examples / sizeof *examples,
    };
    struct common_options common = context->common;
    struct operands operands;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
        return exit_code;
    enum status status = run_bank(&options, &common, operands.items[0]);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}
