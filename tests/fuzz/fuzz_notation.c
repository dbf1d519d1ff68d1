/*
 * Any text as a board of every size. What is read must be a board of the grid, and written and read again the same.
 * The first byte chooses the size, the rest is the text.
 */
#include "game/notation.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* The 26 sizes in a fixed order. */
static void choose_size(unsigned choice, unsigned *rows, unsigned *cols)
{
    unsigned n = 0;
    choice %= 26;
    for (*rows = 1; *rows <= BOARD_MAX_SIDE; ++*rows)
        for (*cols = 1; *cols <= BOARD_MAX_SIDE; ++*cols)
            if (*rows * *cols <= BOARD_MAX_CELLS && n++ == choice)
                return;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static struct grid grid; /* kept from input to input: a line of five takes milliseconds to set up */
    unsigned rows, cols;
    if (n_bytes == 0)
        return 0;
    choose_size(data[0], &rows, &cols);
    if (grid.rows != rows || grid.cols != cols) {
        grid_free(&grid);
        require(grid_create(&grid, rows, cols) == STATUS_OK);
    }
    char text[MAX_TEXT + 1];
    size_t length = n_bytes - 1 < MAX_TEXT ? n_bytes - 1 : MAX_TEXT;
    memcpy(text, data + 1, length);
    text[length] = 0;
    struct board board, again;
    if (notation_parse(&grid, text, &board)) {
        require(status_message()[0] != 0);
        return 0;
    }
    require(grid_holds(&grid, board));
    char digits[NOTATION_DIGITS_BYTES], numbers[NOTATION_NUMBERS_BYTES];
    require(notation_parse(&grid, notation_digits(&grid, board, digits), &again) == STATUS_OK);
    require(board_equal(board, again));
    notation_numbers(&grid, board, numbers);
    if (grid.n_cells > 1) {
        require(notation_parse(&grid, numbers, &again) == STATUS_OK);
        require(board_equal(board, again));
    }
    return 0;
}
