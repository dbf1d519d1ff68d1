/* board_lines: answers boards on standard input, one a line. */
#include "cli/play/board_lines.h"

#include "base/json.h"
#include "cli/frame/command.h"
#include "game/notation.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 4096 };

static enum status print_reason(const struct board_lines *lines, const char *text)
{
    if (!lines->json) {
        printf("error: %s\n", status_message());
        return STATUS_OK;
    }
    struct json json;
    json_begin(&json);
    json_add_text(&json, "board", text);
    json_add_text(&json, "error", status_message());
    return cli_print_json_line(&json);
}

/* A board of that size with a few tiles, to show how one is written. */
static struct board example_board(const struct grid *grid)
{
    struct board board = {0};
    for (unsigned value = 1; value <= 3 && value <= grid->n_cells; value++)
        board = board_set(board, grid->n_cells - value, value);
    return board;
}

/* Without this a user who typed the verb alone would wait for the program, and the program for boards. */
static void explain_input(const struct board_lines *lines)
{
    char digits[NOTATION_DIGITS_BYTES];
    fprintf(stderr, "reading %ux%u boards, one a line, such as %s; Ctrl-D ends\n", lines->grid->rows, lines->grid->cols,
            notation_digits(lines->grid, example_board(lines->grid), digits));
}

enum status board_lines_answer(const struct board_lines *lines, FILE *in)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    uint64_t n_lines = 0, n_unanswered = 0;
    enum status status = STATUS_OK;
    if (!lines->quiet && isatty(fileno(in)))
        explain_input(lines);
    errno = 0;
    while (!status && (length = getline(&line, &room, in)) >= 0) {
        n_lines++;
        line[strcspn(line, "\r\n")] = 0;
        if (length > LINE_MAX_BYTES) /* too long for a board, and the reason should not repeat all of it */
            line[LINE_MAX_BYTES] = 0;
        status = lines->answer(lines->context, line);
        if (status == STATUS_INVALID) {
            n_unanswered++;
            status = print_reason(lines, line);
        }
        if (!status && fflush(stdout) != 0)
            break;
    }
    if (!status && ferror(in))
        status = status_fail_errno(STATUS_IO, "cannot read standard input");
    free(line);
    if (!status && n_unanswered)
        status = status_fail(STATUS_INVALID, "%llu of %llu lines could not be answered; standard output says why",
                             (unsigned long long)n_unanswered, (unsigned long long)n_lines);
    return status;
}
