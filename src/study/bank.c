/* bank: fixed starts, so that a phase of the game can be measured alone and players compared on the same boards. */
#include "study/bank.h"

#include "base/checksum.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "base/plain_text.h"
#include "game/notation.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Cuts off the comment and the blanks around a line; "" if nothing is left. */
static char *strip_line(char *line)
{
    line[strcspn(line, "#")] = 0;
    return plain_text_trim(line);
}

static enum status parse_start(const struct grid *grid, const char *text, struct board *board)
{
    enum status status = notation_parse(grid, text, board);
    if (!status && board->cells == 0)
        status = status_fail(STATUS_INVALID, "a board without tiles cannot be a start");
    return status;
}

static enum status parse_lines(struct bank *bank, const struct grid *grid, const char *path, char *text)
{
    for (unsigned long number = 1; text; number++) {
        char *line = strip_line(strsep(&text, "\n"));
        if (!*line)
            continue;
        if (parse_start(grid, line, &bank->boards[bank->n_boards])) {
            char why[512];
            snprintf(why, sizeof why, "%s", status_message());
            return status_fail(STATUS_INVALID, "%s: line %lu: %s", path, number, why);
        }
        bank->n_boards++;
    }
    if (bank->n_boards == 0)
        return status_fail(STATUS_INVALID, "%s: no boards; expected one a line, as hint reads them", path);
    return STATUS_OK;
}

enum status bank_read(struct bank *bank, const struct grid *grid, const char *path)
{
    char *text = NULL;
    *bank = (struct bank){0};
    enum status status = file_read_text(path, &text);
    if (status)
        return status;
    size_t n_lines = 1;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        n_lines++;
    bank->boards = memory_allocate(n_lines, sizeof *bank->boards);
    status = bank->boards ? parse_lines(bank, grid, path, text) : STATUS_NO_MEMORY;
    free(text);
    if (status)
        bank_free(bank);
    return status;
}

void bank_free(struct bank *bank)
{
    free(bank->boards);
    *bank = (struct bank){0};
}

enum status bank_format(char **out, const struct bank *bank, const struct grid *grid, const char *comment)
{
    size_t bytes = strlen(comment) + 4 + bank->n_boards * (size_t)(grid->n_cells + 1u) + 1;
    char *text = *out = memory_allocate(bytes, 1);
    if (!text)
        return STATUS_NO_MEMORY;
    *text++ = '#';
    *text++ = ' ';
    for (; *comment; comment++) /* it may hold a path, with any characters */
        *text++ = (unsigned char)*comment < ' ' ? '?' : *comment;
    *text++ = '\n';
    for (size_t i = 0; i < bank->n_boards; i++) {
        notation_digits(grid, bank->boards[i], text);
        text += grid->n_cells;
        *text++ = '\n';
    }
    *text = 0;
    return STATUS_OK;
}

uint64_t bank_checksum(const struct bank *bank, const struct grid *grid)
{
    struct checksum sum;
    char digits[NOTATION_DIGITS_BYTES];
    checksum_begin(&sum, 0);
    for (size_t i = 0; i < bank->n_boards; i++)
        checksum_add(&sum, notation_digits(grid, bank->boards[i], digits), grid->n_cells);
    return checksum_value(&sum);
}

/* ---- formations -------------------------------------------------------------------------------------------------- */

/* Row by row, as networks of the papers' tuples play: parallel rows, not a snake. */
static const struct {
    const char *name, *cells;
} named_formations[] = {
    {"row", "0 1 2 3"},
    {"rows", "0 1 2 3 4 5"},
    {"square", "0 1 4 5"},
    {"block", "0 1 2 4 5 6"},
};

enum { N_NAMED = sizeof named_formations / sizeof *named_formations };

static enum status fail_formation(const char *text)
{
    const char *near = nearest_name_in(text, &named_formations[0].name, sizeof *named_formations, N_NAMED);
    if (near)
        return status_fail(STATUS_INVALID, "unknown formation '%s'; did you mean '%s'?", text, near);
    return status_fail(STATUS_INVALID, "unknown formation '%s'; expected row, rows, square, block or cells 0 to %d",
                       text, BOARD_MAX_CELLS - 1);
}

enum status formation_parse(struct formation *formation, const char *text)
{
    const char *cursor = text;
    for (size_t i = 0; i < N_NAMED; i++)
        if (strcmp(named_formations[i].name, text) == 0)
            cursor = named_formations[i].cells;
    char word[PARSE_WORD_BYTES];
    unsigned n = 0;
    while (parse_next_word(&cursor, word)) {
        uint64_t cell;
        if (n == BOARD_MAX_CELLS || !parse_unsigned(word, &cell) || cell >= BOARD_MAX_CELLS)
            return fail_formation(text);
        formation->cells[n++] = (uint8_t)cell;
    }
    formation->n_cells = n;
    return n ? STATUS_OK : fail_formation(text);
}

static enum status check_formation(const struct formation *formation)
{
    unsigned taken = 0, n_free = BOARD_MAX_CELLS - formation->n_cells;
    for (unsigned i = 0; i < formation->n_cells; i++) {
        if (taken >> formation->cells[i] & 1)
            return status_fail(STATUS_INVALID, "a formation has cell %u twice", formation->cells[i]);
        taken |= 1u << formation->cells[i];
    }
    if (formation->top < formation->n_cells + FORMATION_SMALL_VALUES)
        return status_fail(STATUS_INVALID, "%u tiles from %u down end below 16, among the small tiles",
                           formation->n_cells, notation_face(formation->top));
    if (formation->n_small > n_free)
        return status_fail(STATUS_INVALID, "%u small tiles do not fit on %u free cells", formation->n_small, n_free);
    return STATUS_OK;
}

static struct board draw_start(const struct formation *formation, struct rng *rng)
{
    struct board board = {0};
    for (unsigned i = 0; i < formation->n_cells; i++)
        board = board_set(board, formation->cells[i], formation->top - i);
    for (unsigned i = 0; i < formation->n_small; i++) {
        uint64_t empty = BOARD_LOW_BITS & ~board_occupied_bits(board.cells);
        unsigned bit = bits_select(empty, (unsigned)random_below(rng, (unsigned)__builtin_popcountll(empty)));
        board = board_set(board, bit / 4, 1 + (unsigned)random_below(rng, FORMATION_SMALL_VALUES));
    }
    return board;
}

enum status bank_draw(struct bank *bank, const struct formation *formation, size_t n, uint64_t seed)
{
    *bank = (struct bank){0};
    enum status status = check_formation(formation);
    if (status)
        return status;
    bank->boards = memory_allocate(n, sizeof *bank->boards);
    if (!bank->boards)
        return STATUS_NO_MEMORY;
    bank->n_boards = n;
    for (size_t i = 0; i < n; i++) {
        struct rng rng = random_stream(seed, i);
        bank->boards[i] = draw_start(formation, &rng);
    }
    return STATUS_OK;
}
