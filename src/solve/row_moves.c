/* row_moves: the moves of all boards of one row of a bitmap at once. */
#include "solve/row_moves.h"

static void begin_by_part(struct row_axis *to, const struct age_frame *frame, const struct word_moves *moved,
                          unsigned axis, uint32_t key1, size_t first_slot)
{
    const struct layout *layout = frame->layout;
    const enum direction direction[2] = {axis == 0 ? DIRECTION_LEFT : DIRECTION_UP,
                                         axis == 0 ? DIRECTION_RIGHT : DIRECTION_DOWN};
    for (unsigned end = 0; end < 2; end++) {
        uint32_t key = (uint32_t)bits_extract(moved->after[direction[end]], layout->part[0].mask);
        uint32_t entry = layout->part[0].entry[key];
        if (entry == UINT32_MAX) /* the move makes the goal: nothing is looked up in that row */
            entry = 0;
        to->row_word[end] = age_frame_row(frame, entry);
        to->turn[end] = layout->turn + layout_entry_coset(entry) * LAYOUT_COSETS;
        to->slot_moved[end] = to->layout->slot_moved[end] + first_slot;
        to->first_changes[end] = key != key1;
        to->first_reward[end] = moved->reward[direction[end]] / 4;
        to->first_blocked[end] = moved->blocked >> direction[end] & 1;
    }
}

static void begin_crossing(struct row_axis *to, uint32_t key1, size_t first_slot)
{
    const struct layout_axis *from = to->layout;
    for (unsigned i = 0; i < from->n_lines; i++)
        to->lines[i] = from->lines[i] + (bits_extract(key1, from->first_mask[i]) << from->second_bits[i]);
    to->slot_lines = from->slot_lines + first_slot;
}

void row_moves_begin(struct row_moves *moves, const struct age_frame *frame, uint32_t key1, size_t first_slot)
{
    const struct layout *layout = frame->layout;
    struct word_moves moved;
    if (layout->axis[0].by_part || layout->axis[1].by_part)
        moved = layout_part_moves(layout, bits_deposit(key1, layout->part[0].mask), 0);
    for (unsigned axis = 0; axis < 2; axis++) {
        moves->axis[axis].layout = &layout->axis[axis];
        if (layout->axis[axis].by_part)
            begin_by_part(&moves->axis[axis], frame, &moved, axis, key1, first_slot);
        else
            begin_crossing(&moves->axis[axis], key1, first_slot);
    }
}
