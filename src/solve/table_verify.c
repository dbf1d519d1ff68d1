/*
 * Whether a table is what a solver writes: every block by its checksum and form, and values drawn at random by the
 * definition, from the stored values of their successors.
 */
#include "base/random.h"
#include "solve/table.h"

#include <math.h>

static enum status state_value(const struct table *table, struct board state, double *value)
{
    struct moves moves = table_moves(table, state);
    *value = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        double here;
        if (!(moves.legal >> d & 1))
            continue;
        enum status status = table_move_value(table, moves.after[d], moves.reward[d], &here);
        if (status)
            return status;
        *value = fmax(*value, here);
    }
    return STATUS_OK;
}

/* What the definition says the value of an afterstate is, from the stored values of its successors. */
static enum status derive_value(const struct table *table, struct board board, double *value)
{
    const double chance_of_4 = table_summary(table)->chance_of_4, chance[2] = {1 - chance_of_4, chance_of_4};
    uint64_t empty = table_layout(table)->free_bits & ~board_occupied_bits(board.cells);
    unsigned n = (unsigned)__builtin_popcountll(empty);
    enum solve_variant variant = table_summary(table)->variant;
    *value = 0;
    for (unsigned v = 0; v < 2; v++) {
        if (chance[v] == 0)
            continue;
        double sum = 0, least = INFINITY, most = 0;
        for (uint64_t left = empty; left; left &= left - 1) {
            struct board state = board_set(board, (unsigned)__builtin_ctzll(left) / 4, v + 1);
            double here;
            enum status status = state_value(table, state, &here);
            if (status)
                return status;
            sum += here;
            least = fmin(least, here);
            most = fmax(most, here);
        }
        *value += chance[v] * (variant == VARIANT_NORMAL ? sum / n : variant == VARIANT_OPTIMISTIC ? most : least);
    }
    return STATUS_OK;
}

static enum status check_sample(const struct table *table, uint64_t number)
{
    size_t i = 0;
    while (number >= table_age_at(table, i)->n_afterstates)
        number -= table_age_at(table, i++)->n_afterstates;
    uint32_t age = table_age_at(table, i)->age;
    struct board board;
    double stored, derived;
    enum status status = table_board_at(table, age, number, &board);
    if (status)
        return status;
    status = table_value_at(table, age, number, &stored);
    if (status)
        return status;
    status = derive_value(table, board, &derived);
    if (status)
        return status;
    /* The stored value was rounded once, and so were those it is derived from; a double's own error is far below. */
    double allowed = ldexp(1, -(int)table_summary(table)->fraction_bits) + 1e-9;
    if (table_summary(table)->precision == VALUES_FIXED)
        allowed += table_summary(table)->goal ? 0x1p-31 : 0x1p-16; /* rounded in memory too: the unit, or half of it */
    if (fabs(stored - derived) <= allowed)
        return STATUS_OK;
    return status_fail(STATUS_CORRUPT, "%s: afterstate %llu of age %u has value %.9g, its successors say %.9g",
                       table_directory(table), (unsigned long long)number, age, stored, derived);
}

enum status table_verify(const struct table *table, struct workers *workers, uint64_t n_samples, uint64_t seed,
                         uint64_t *n_checked)
{
    struct age_set set = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < table_n_ages(table) && !status; i++)
        status = table_check_age(table, workers, table_age_at(table, i), &set);
    age_set_free(&set);
    if (n_checked)
        *n_checked = 0;
    const struct table_summary *summary = table_summary(table);
    if (summary->store != STORE_VALUES || !summary->backward_done || summary->n_afterstates == 0)
        return status;
    struct rng rng = random_stream(seed, 0);
    for (uint64_t i = 0; i < n_samples && !status; i++) {
        status = check_sample(table, random_below(&rng, summary->n_afterstates));
        if (n_checked)
            *n_checked += !status;
    }
    return status;
}
