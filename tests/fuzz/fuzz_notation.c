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

enum { N_SIZES = 26 };

/* One of the 26 sizes in a fixed order. Each grid is made once: a line of five takes milliseconds to set up. */
static const struct grid *choose_grid(unsigned choice)
{
    static struct grid grids[N_SIZES];
    unsigned n = 0;
    for (unsigned rows = 1; rows <= BOARD_MAX_SIDE; rows++)
        for (unsigned cols = 1; cols <= BOARD_MAX_SIDE && rows * cols <= BOARD_MAX_CELLS; cols++)
            if (n++ == choice) {
                require(grids[choice].rows || grid_create(&grids[choice], rows, cols) == STATUS_OK);
                return &grids[choice];
            }
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (n_bytes == 0)
        return 0;
    const struct grid *grid = choose_grid(data[0] % N_SIZES);
    char text[MAX_TEXT + 1];
    size_t length = n_bytes - 1 < MAX_TEXT ? n_bytes - 1 : MAX_TEXT;
    memcpy(text, data + 1, length);
    text[length] = 0;
    struct board board, again;
    if (notation_parse(grid, text, &board)) {
        require(status_message()[0] != 0);
        return 0;
    }
    require(grid_holds(grid, board));
    char digits[NOTATION_DIGITS_BYTES], numbers[NOTATION_NUMBERS_BYTES];
    require(notation_parse(grid, notation_digits(grid, board, digits), &again) == STATUS_OK);
    require(board_equal(board, again));
    notation_numbers(grid, board, numbers);
    if (grid->n_cells > 1) {
        require(notation_parse(grid, numbers, &again) == STATUS_OK);
        require(board_equal(board, again));
    }
    return 0;
}
