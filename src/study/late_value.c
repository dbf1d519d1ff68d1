/* late_value: a value function for the whole game of 4x4 that becomes another one late in it. */
#include "study/late_value.h"

#include <stdint.h>

static const float scale = LATE_SCALE_CENT / 100.0F;

/* Which network evaluates a board. */
enum part { EARLY, LATE, PASSED };

static enum part part_of(struct board board)
{
    if (board_large_sum(board, LATE_LEAST) < LATE_SUM)
        return EARLY;
    return board_large_sum(board, LATE_GOAL - 3) >> LATE_GOAL ? PASSED : LATE;
}

/* The value of a late board by a table. */
static bool table_value_of(const struct late_value *late, struct board after, float *value)
{
    float chance;
    if (!late->endgame || !endgame_chance(late->endgame, after, &chance))
        return false;
    *value = chance * (LATE_SHARE_CENT / 100.0F) * LATE_PRIZE * scale;
    return true;
}

enum { BLOCK = 64 };

/* Boards are sorted into those of either network, each of which gets a batch. */
static void block_values(const struct late_value *late, const struct board *after, size_t n, float *out)
{
    struct board boards[2][BLOCK];
    uint8_t place[2][BLOCK];
    unsigned count[2] = {0, 0};
    float add[BLOCK], values[BLOCK];
    for (size_t i = 0; i < n; i++) {
        enum part part = part_of(after[i]);
        if (part == LATE && table_value_of(late, after[i], &out[i]))
            continue;
        unsigned is_late = part != EARLY;
        add[i] = part == PASSED ? LATE_PRIZE * scale : 0;
        place[is_late][count[is_late]] = (uint8_t)i;
        boards[is_late][count[is_late]++] = after[i];
    }
    for (unsigned is_late = 0; is_late < 2; is_late++) {
        if (count[is_late])
            value_of_batch(is_late ? &late->late : &late->early, boards[is_late], count[is_late], values);
        for (unsigned i = 0; i < count[is_late]; i++) {
            unsigned at = place[is_late][i];
            out[at] = add[at] + (is_late ? values[i] * scale : values[i]);
        }
    }
}

static void late_values(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i += BLOCK)
        block_values(context, after + i, n - i < BLOCK ? n - i : BLOCK, out + i);
}

struct value_function late_value_function(const struct late_value *late)
{
    return (struct value_function){.context = late,
                                   .values = late_values,
                                   .symmetric = late->early.symmetric && late->late.symmetric,
                                   .batch =
                                       late->early.batch > late->late.batch ? late->early.batch : late->late.batch};
}
