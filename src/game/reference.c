/* reference: the rules of 2048 as a person would write them down, on a plain array of face values. */
#include "game/reference.h"

static bool inside(const struct reference_board *board, int row, int col)
{
    return row >= 0 && row < board->rows && col >= 0 && col < board->cols;
}

/* Pushes the tile at (row, col) as far as it goes, and into an equal tile that was not made in this move. */
static bool push_tile(struct reference_board *board, bool made[REFERENCE_MAX_SIDE][REFERENCE_MAX_SIDE], int row,
                      int col, int row_step, int col_step, long *reward)
{
    bool moved = false;
    for (;;) {
        int next_row = row + row_step, next_col = col + col_step;
        if (!inside(board, next_row, next_col))
            return moved;
        long *here = &board->tile[row][col], *next = &board->tile[next_row][next_col];
        if (*next == 0) {
            *next = *here;
            *here = 0;
            moved = true;
            row = next_row;
            col = next_col;
            continue;
        }
        if (*next == *here && !made[next_row][next_col] && *here != REFERENCE_LARGEST_TILE) {
            *next *= 2;
            *here = 0;
            *reward += *next;
            made[next_row][next_col] = true;
            return true;
        }
        return moved;
    }
}

bool reference_move(struct reference_board *board, int row_step, int col_step, long *reward)
{
    bool made[REFERENCE_MAX_SIDE][REFERENCE_MAX_SIDE] = {{false}};
    bool moved = false;
    *reward = 0;
    /* The tiles nearest the wall they move to go first. */
    for (int i = 0; i < board->rows; i++)
        for (int j = 0; j < board->cols; j++) {
            int row = row_step > 0 ? board->rows - 1 - i : i;
            int col = col_step > 0 ? board->cols - 1 - j : j;
            if (board->tile[row][col] != 0)
                moved |= push_tile(board, made, row, col, row_step, col_step, reward);
        }
    return moved;
}

struct reference_board reference_turn(const struct reference_board *board)
{
    struct reference_board turned = {.rows = board->cols, .cols = board->rows};
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < board->cols; col++)
            turned.tile[col][board->rows - 1 - row] = board->tile[row][col];
    return turned;
}

struct reference_board reference_mirror(const struct reference_board *board)
{
    struct reference_board mirrored = {.rows = board->rows, .cols = board->cols};
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < board->cols; col++)
            mirrored.tile[row][board->cols - 1 - col] = board->tile[row][col];
    return mirrored;
}

int reference_compare(const struct reference_board *a, const struct reference_board *b)
{
    /* Tiles beyond 32768 count as 32768 first, because board_less() compares the low words before the high ones. */
    for (int exact = 0; exact < 2; exact++)
        for (int row = a->rows - 1; row >= 0; row--)
            for (int col = a->cols - 1; col >= 0; col--) {
                long left = a->tile[row][col], right = b->tile[row][col];
                if (!exact) {
                    left = left > 32768 ? 32768 : left;
                    right = right > 32768 ? 32768 : right;
                }
                if (left != right)
                    return left < right ? -1 : 1;
            }
    return 0;
}

struct reference_board reference_canonical(const struct reference_board *board)
{
    struct reference_board best = *board, image = *board;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        for (int turn = 0; turn < 4; turn++) {
            if (image.rows == best.rows && image.cols == best.cols && reference_compare(&image, &best) < 0)
                best = image;
            image = reference_turn(&image);
        }
        image = reference_mirror(&image);
    }
    return best;
}

long reference_age(const struct reference_board *board)
{
    long age = 0;
    for (int row = 0; row < board->rows; row++)
        for (int col = 0; col < board->cols; col++)
            age += board->tile[row][col];
    return age;
}
