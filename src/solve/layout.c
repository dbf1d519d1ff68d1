/* layout: gives every class of symmetric boards of one age a number, so that a set of boards is a bitmap. */
#include "solve/layout.h"

#include <assert.h>

struct age_frame *age_frame_allocate(const struct layout *layout)
{
    return memory_allocate(1, sizeof(struct age_frame) + layout->part[0].n_sums * sizeof(struct age_row));
}

enum status age_frame_fill(struct age_frame *frame, const struct layout *layout, uint32_t age)
{
    const struct layout_part *first = &layout->part[0], *second = &layout->part[1];
    uint64_t words = 0;
    frame->layout = layout;
    frame->age = age;
    frame->n_sums = 0;
    for (uint32_t s = 0; s < first->n_sums && first->sum[s] <= age / 2; s++) {
        uint32_t rest = age / 2 - first->sum[s];
        uint16_t number = rest <= second->max_sum ? second->sum_number[rest] : LAYOUT_NO_SUM;
        uint64_t stride = 0;
        if (number != LAYOUT_NO_SUM) {
            uint64_t classes = second->first_class[number + 1] - second->first_class[number];
            stride = ((classes << layout->group_shift) + 63) / 64;
        }
        assert(stride <= UINT16_MAX); /* 8 * 2^13 slots would be 1024 words */
        frame->rows[s] = (struct age_row){(uint32_t)words, (uint16_t)stride, number};
        frame->n_sums = s + 1;
        words += stride * (first->first_class[s + 1] - first->first_class[s]);
        if (words > INT32_MAX)
            return status_fail(STATUS_NO_MEMORY, "age %u has too many boards for this program", age);
    }
    frame->n_words = words;
    return STATUS_OK;
}

struct place age_frame_place(const struct age_frame *frame, uint64_t cells)
{
    struct place best = age_frame_place_direct(frame, cells);
    if (frame->layout->n_extra == 1)
        return best;
    /* The half turn changes the two halves. */
    struct board image = grid_image(frame->layout->grid, (struct board){.cells = cells}, 3);
    struct place other = age_frame_place_direct(frame, image.cells);
    return other.word < best.word || (other.word == best.word && other.bit < best.bit) ? other : best;
}

bool age_frame_number(const struct age_frame *frame, struct board board, uint64_t *number)
{
    const struct layout *layout = frame->layout;
    if (!grid_holds(layout->grid, board) || board.high || board.cells & ~(layout->free_bits * 15) ||
        board_max_value(board) > layout->max_value || board_age(board) != frame->age)
        return false;
    struct place place = age_frame_place(frame, board.cells);
    *number = 64 * place.word + place.bit;
    return true;
}

uint32_t age_frame_sum_at(const struct age_frame *frame, uint64_t word)
{
    uint32_t low = 0, high = frame->n_sums;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (frame->rows[middle].base <= word)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool age_frame_board(const struct age_frame *frame, uint64_t number, struct board *board)
{
    const struct layout *layout = frame->layout;
    uint64_t word = number / 64;
    if (word >= frame->n_words)
        return false;
    uint32_t low = age_frame_sum_at(frame, word);
    struct age_row row = frame->rows[low];
    const struct layout_part *first = &layout->part[0], *second = &layout->part[1];
    uint64_t class1 = first->first_class[low] + (word - row.base) / row.stride;
    uint64_t slot = (word - row.base) % row.stride * 64 + number % 64;
    uint16_t sum2 = row.second_sum;
    slot += (uint64_t)second->first_class[sum2] << layout->group_shift;
    if (slot >= (uint64_t)second->first_class[sum2 + 1] << layout->group_shift)
        return false;
    *board = (struct board){.cells = bits_deposit(first->class_key[class1], first->mask) | layout->slot_cells[slot]};
    return true;
}

struct word_moves layout_walled_moves(const struct layout *layout, uint64_t cells, const uint8_t lines[2])
{
    static const enum direction to[2][2] = {{DIRECTION_LEFT, DIRECTION_RIGHT}, {DIRECTION_UP, DIRECTION_DOWN}};
    const struct grid *grid = layout->grid;
    const unsigned n_lines[2] = {grid->rows, grid->cols};
    const uint64_t row_mask = (UINT64_C(1) << 4 * grid->cols) - 1;
    struct word_moves moves = {.blocked = 0};
    for (unsigned axis = 0; axis < 2; axis++) {
        uint64_t after[2] = {0};
        for (unsigned i = 0; i < n_lines[axis]; i++) {
            const uint64_t mask = axis == 0 ? row_mask << 4 * grid->cols * i : layout->col_mask << 4 * i;
            const uint64_t line = bits_extract(cells, mask);
            const uint64_t entry = layout->walled_line[axis][i][line];
            const bool takes_part = lines[axis] >> i & 1;
            const uint64_t moved[2] = {line_entry_start(entry), line_entry_end(entry)};
            for (unsigned end = 0; end < 2; end++) {
                after[end] |= bits_deposit(takes_part ? moved[end] : line, mask);
                if (!takes_part)
                    continue;
                moves.reward[to[axis][end]] += walled_entry_makes_goal(entry, end) ? 4 : 0;
                moves.blocked |= (unsigned)walled_entry_is_blocked(entry, end) << to[axis][end];
            }
        }
        for (unsigned end = 0; end < 2; end++)
            moves.after[to[axis][end]] = after[end];
    }
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (moves.blocked >> d & 1) {
            moves.after[d] = cells;
            moves.reward[d] = 0;
        }
    }
    return moves;
}
