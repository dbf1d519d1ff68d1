/* policy: what a player does in each state, for exact evaluation: which of the four directions it takes. */
#include "study/policy.h"

static uint8_t choose_by_reward(const struct moves *moves)
{
    uint32_t best = 0;
    uint8_t choice = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1) || (choice && moves->reward[d] < best))
            continue;
        choice = choice && moves->reward[d] == best ? choice | (uint8_t)(1u << d) : (uint8_t)(1u << d);
        best = moves->reward[d];
    }
    return choice;
}

static uint8_t choose_by_table(const struct policy_view *view, const struct moves *moves)
{
    double best_value = 0;
    uint8_t choice = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1))
            continue;
        double value = policy_move_value(view->goal, view->afterstates, view->values, moves, d);
        if (!choice || value > best_value) {
            choice = (uint8_t)(1u << d);
            best_value = value;
        }
    }
    return choice;
}

/* The first of the best, as the player chooses, and whether another one with a different afterstate is as good. */
static uint8_t choose_by_values(const struct policy_view *view, const struct moves *moves, const float **value)
{
    float sum[DIRECTION_COUNT], best_value = 0;
    unsigned best = DIRECTION_COUNT;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves->legal >> d & 1))
            continue;
        sum[d] = (float)moves->reward[d] + *(*value)++;
        if (best == DIRECTION_COUNT || sum[d] > best_value) {
            best = d;
            best_value = sum[d];
        }
    }
    if (best == DIRECTION_COUNT)
        return 0;
    uint8_t choice = (uint8_t)(1u << best);
    for (unsigned d = best + 1; d < DIRECTION_COUNT; d++) {
        if (moves->legal >> d & 1 && sum[d] == best_value &&
            !board_equal(grid_canonical(view->grid, moves->after[d]), grid_canonical(view->grid, moves->after[best])))
            choice |= POLICY_TIED;
    }
    return choice;
}

static void choose_batch_by_values(const struct policy_view *view, struct policy_batch *batch)
{
    struct board after[POLICY_BATCH * DIRECTION_COUNT];
    float values[POLICY_BATCH * DIRECTION_COUNT];
    const float *value = values;
    size_t n = 0;
    for (unsigned i = 0; i < batch->n; i++) {
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            if (batch->moves[i].legal >> d & 1)
                after[n++] = batch->moves[i].after[d];
        }
    }
    value_of_batch(view->function, after, n, values);
    for (unsigned i = 0; i < batch->n; i++)
        batch->choice[i] = choose_by_values(view, &batch->moves[i], &value);
}

/* The move of a table of moves; the first legal one if the table is damaged and its move is illegal. */
static uint8_t choose_by_moves(const struct policy_view *view, const struct moves *moves, uint32_t position)
{
    unsigned direction = view->moves[position], legal = moves->legal;
    return (uint8_t)(legal >> direction & 1 ? 1u << direction : legal & -legal);
}

static uint8_t choose_by_share(const double *share)
{
    uint8_t choice = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        choice |= (uint8_t)((share[d] > 0) << d);
    return choice;
}

void policy_choose(enum policy_kind kind, const struct policy_view *view, struct policy_batch *batch)
{
    for (unsigned i = 0; i < batch->n; i++)
        batch->moves[i] = grid_moves(view->grid, (struct board){.cells = batch->cells[i]});
    switch (kind) {
    case POLICY_RANDOM:
        for (unsigned i = 0; i < batch->n; i++)
            batch->choice[i] = (uint8_t)batch->moves[i].legal;
        break;
    case POLICY_GREEDY_SCORE:
        for (unsigned i = 0; i < batch->n; i++)
            batch->choice[i] = choose_by_reward(&batch->moves[i]);
        break;
    case POLICY_OPTIMAL:
        for (unsigned i = 0; i < batch->n; i++)
            batch->choice[i] = choose_by_table(view, &batch->moves[i]);
        break;
    case POLICY_VALUE:
        choose_batch_by_values(view, batch);
        break;
    case POLICY_MOVES:
        for (unsigned i = 0; i < batch->n; i++)
            batch->choice[i] = choose_by_moves(view, &batch->moves[i], batch->position[i]);
        break;
    case POLICY_FUNCTION:
        for (unsigned i = 0; i < batch->n; i++)
            batch->choice[i] = choose_by_share(view->share + DIRECTION_COUNT * batch->index[i]);
        break;
    }
}
