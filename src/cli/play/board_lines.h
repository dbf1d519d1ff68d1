/*
 * board_lines: boards on standard input, one a line, each answered by one line at once, so that another program can use
 * it over a pair of pipes. `hint` and `query` share it.
 */
#ifndef AFTERSTATE_CLI_BOARD_LINES_H
#define AFTERSTATE_CLI_BOARD_LINES_H

#include "base/status.h"
#include "game/grid.h"

#include <stdbool.h>
#include <stdio.h>

struct board_lines {
    /*
     * Prints the answer to one line, given without its line end, as one line on stdout. STATUS_INVALID means that
     * nothing was printed because there is no answer: the reason is then printed in its place. Any other failure ends
     * the job.
     */
    enum status (*answer)(void *context, const char *text);
    void *context;
    bool json;               /* reasons are printed as objects with `board` and `error`, else as "error: REASON" */
    bool quiet;              /* on a terminal nothing says that boards are read */
    const struct grid *grid; /* of the boards */
};

/*
 * Reads `in` to its end and answers every line. STATUS_INVALID, with their number, if there were lines without an
 * answer; STATUS_IO if `in` cannot be read; what `answer` failed with. Stops without a failure where stdout can no
 * longer be written, which main() reports.
 */
enum status board_lines_answer(const struct board_lines *lines, FILE *in);

#endif
