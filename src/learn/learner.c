/* learner: one game that plays greedily and learns from its own errors. */
#include "learn/learner.h"

#include "base/memory.h"
#include "learn/rules.h"
#include "ntuple/lookup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static float training_value(const struct learn_target *target, unsigned stage, const uint32_t *index)
{
    unsigned n_seen;
    return lookup_value(target->network, stage, index, true, &n_seen);
}

/* Whether the value of an afterstate need not be learned: the goal is made, or the chance of it is known. */
static bool known_value(const struct learn_target *target, struct board after, float *value)
{
    const struct learn_goal *goal = &target->settings->goal;
    if (!goal->tile)
        return false;
    *value = goal->prize;
    if (learn_has_goal(goal, after))
        return true;
    float chance;
    if (!goal->known.context || !goal->known.chance(goal->known.context, after, &chance))
        return false;
    *value = chance * goal->share * goal->prize;
    return true;
}

/* The value of an afterstate that is about to learn. Untouched weights that count as the mean of the others (network.h)
   are set to that mean first, which leaves the value as it was. */
static float visited_value(const struct learn_target *target, unsigned stage, const uint32_t *index)
{
    const struct network *network = target->network;
    unsigned n_seen, n_lookups = network->n_lookups;
    float value = lookup_value(network, stage, index, true, &n_seen), mean = value / (float)n_lookups;
    float *cells = network_stage_cells(network, stage);
    for (unsigned i = 0; i < n_lookups && n_seen < n_lookups; i++) {
        float *weight = cells + network->stride * index[i];
        if (lookup_read(weight) == 0)
            lookup_write(weight, mean);
    }
    return value;
}

/* Learns `error` at an afterstate, scaled by `decay` (lambda^k). */
static void update(const struct learn_target *target, const struct learn_moment *moment, unsigned stage,
                   const uint32_t *index, float error, float decay)
{
    unsigned n_lookups = target->network->n_lookups;
    float *cells = network_stage_cells(target->network, stage);
    float share = moment->rate / (float)n_lookups * decay;
    switch (moment->rule) {
    case RULE_TD:
        rules_td(cells, target->network->stride, index, n_lookups, share * error);
        break;
    case RULE_TC:
        rules_tc(cells, index, n_lookups, share, error);
        break;
    case RULE_AUTOSTEP:
        rules_autostep(cells, index, n_lookups, moment->rate, target->settings->autostep_tau, error);
        break;
    }
}

/* The afterstate `age` moves before the newest. */
static struct visited *visited_before(struct learner *learner, unsigned horizon, unsigned age)
{
    return &learner->visited[(learner->newest + horizon + 1 - age) % (horizon + 1)];
}

/* Algorithms 3 and 4 of Jaskowski 2018: the error of the afterstate `age` moves back is the decayed sum of all errors
   since. */
static void update_delayed(struct learner *learner, const struct learn_target *target,
                           const struct learn_moment *moment, unsigned age)
{
    unsigned horizon = target->settings->horizon;
    struct visited *visited = visited_before(learner, horizon, age);
    float sum = 0;
    for (unsigned k = 0; k <= age; k++)
        sum += visited_before(learner, horizon, age - k)->error * target->lambda_power[k];
    update(target, moment, visited->stage, visited->index, sum, 1);
}

/* Learns from the error of the newest afterstate: `aim`, reward + value of its successor, minus its own value. */
static void learn_error(struct learner *learner, const struct learn_target *target, const struct learn_moment *moment,
                        float aim)
{
    unsigned horizon = target->settings->horizon;
    struct visited *newest = &learner->visited[learner->newest];
    float error = aim - visited_value(target, newest->stage, newest->index);
    if (target->settings->delayed) {
        newest->error = error;
        if (learner->n_visited > horizon)
            update_delayed(learner, target, moment, horizon);
        return;
    }
    for (unsigned age = 0; age < learner->n_visited; age++) {
        const struct visited *visited = visited_before(learner, horizon, age);
        update(target, moment, visited->stage, visited->index, error, target->lambda_power[age]);
    }
}

/* Ends a row of afterstates that learn: the last one is worth `aim` (0 where no move is legal), and updates that are
   still delayed are made now, oldest first. */
static void learn_end(struct learner *learner, const struct learn_target *target, const struct learn_moment *moment,
                      float aim)
{
    if (learner->n_visited == 0)
        return;
    learn_error(learner, target, moment, aim);
    if (target->settings->delayed) {
        unsigned waiting =
            target->settings->horizon < learner->n_visited ? target->settings->horizon : learner->n_visited;
        while (waiting-- > 0)
            update_delayed(learner, target, moment, waiting);
    }
    learner->n_visited = 0;
}

/* Makes the chosen candidate the newest visited; its array of indices is exchanged for that of the oldest. */
static void visit(struct learner *learner, const struct learn_target *target, struct candidate *chosen)
{
    unsigned horizon = target->settings->horizon;
    learner->newest = (learner->newest + 1) % (horizon + 1);
    learner->n_visited += learner->n_visited <= horizon;
    struct visited *visited = &learner->visited[learner->newest];
    uint32_t *free_index = visited->index;
    visited->after = chosen->after;
    visited->stage = chosen->stage;
    visited->index = chosen->index;
    chosen->index = free_index;
}

/*
 * From the last afterstate to the first: aim = reward + (1 - lambda) value + lambda aim of the successor, the
 * successor's value taken after its own update. Indices and prefetches go a few afterstates ahead of the updates.
 */
static void learn_backward(struct learner *learner, const struct learn_target *target,
                           const struct learn_moment *moment)
{
    enum { AHEAD = DIRECTION_COUNT };
    struct network *network = target->network;
    float lambda = target->settings->lambda, aim = 0, known;
    unsigned stage[AHEAD];
    for (uint32_t end = learner->game.n_moves; end > 0;) {
        unsigned group = end < AHEAD ? end : AHEAD;
        for (unsigned i = 0; i < group; i++) {
            struct board after = learner->moves[end - 1 - i].after;
            uint32_t *index = learner->candidates[0][i].index; /* no candidates are in use at the end of a play */
            stage[i] = stages_of(&network->spec.stages, after);
            lookup_indices(network, after, stage[i], index);
        }
        for (unsigned i = 0; i < group; i++) {
            const struct played_move *move = &learner->moves[end - 1 - i];
            const uint32_t *index = learner->candidates[0][i].index;
            if (known_value(target, move->after, &known)) {
                aim = (float)move->reward + known;
                continue;
            }
            update(target, moment, stage[i], index, aim - visited_value(target, stage[i], index), 1);
            float value = training_value(target, stage[i], index);
            aim = (float)move->reward + (1 - lambda) * value + lambda * aim;
        }
        end -= group;
    }
}

/* Step 3. */
static void prepare(struct learner *learner, const struct learn_target *target)
{
    const struct network *network = target->network;
    struct moves moves = grid_moves(&network->grid, learner->game.board);
    bool ended = learn_has_goal(&target->settings->goal, learner->game.board);
    learner->n_candidates = 0;
    learner->set ^= 1;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!(moves.legal >> d & 1) || ended)
            continue;
        struct candidate *candidate = &learner->candidates[learner->set][learner->n_candidates++];
        candidate->after = moves.after[d];
        candidate->reward = moves.reward[d];
        candidate->stage = stages_of(&network->spec.stages, candidate->after);
        candidate->known = known_value(target, candidate->after, &candidate->known_value);
        lookup_indices(network, candidate->after, candidate->stage, candidate->index);
    }
}

void learner_restore(struct learner *learner, const struct learn_target *target)
{
    for (unsigned i = 0; i <= target->settings->horizon; i++)
        lookup_indices(target->network, learner->visited[i].after, learner->visited[i].stage,
                       learner->visited[i].index);
    prepare(learner, target);
}

static float candidate_value(const struct candidate *candidate, const struct learn_target *target)
{
    return (float)candidate->reward +
           (candidate->known ? candidate->known_value : training_value(target, candidate->stage, candidate->index));
}

/* Draws a move with chances exp((value - best value) / temperature). */
static unsigned draw_softmax(struct rng *rng, const float *values, unsigned n, float best_value, float temperature)
{
    double chances[DIRECTION_COUNT], sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += chances[i] = exp((double)(values[i] - best_value) / (double)temperature);
    double draw = random_unit(rng) * sum;
    unsigned i = 0;
    while (i + 1 < n && draw >= chances[i])
        draw -= chances[i++];
    return i;
}

/* The move to make. Nothing is drawn where only the best moves are made, so that such runs stay as they are. */
static unsigned explore(struct learner *learner, const struct exploration *exploration, const float *values,
                        unsigned best)
{
    struct rng *rng = &learner->game.rng;
    unsigned n = learner->n_candidates;
    if (exploration->epsilon > 0 && random_unit(rng) < (double)exploration->epsilon)
        return (unsigned)random_below(rng, n);
    return exploration->temperature > 0 ? draw_softmax(rng, values, n, values[best], exploration->temperature) : best;
}

/* What step 1 finds. */
struct choice {
    struct candidate *candidate; /* whose move is made: the best one, unless the run explores */
    bool aims_elsewhere;         /* at the best one, where another move is made */
    bool aims_at_known;
    float aim; /* reward + value of the candidate aimed at */
};

/* Step 1. */
static struct choice choose(struct learner *learner, const struct learn_target *target)
{
    const struct exploration *exploration = &target->settings->explore;
    struct candidate *candidates = learner->candidates[learner->set];
    float values[DIRECTION_COUNT];
    unsigned best = 0;
    for (unsigned i = 0; i < learner->n_candidates; i++) {
        values[i] = candidate_value(&candidates[i], target);
        best = values[i] > values[best] ? i : best;
    }
    unsigned chosen = explore(learner, exploration, values, best), aim = exploration->aim_best ? best : chosen;
    return (struct choice){.candidate = &candidates[chosen],
                           .aims_elsewhere = aim != chosen,
                           .aims_at_known = candidates[aim].known,
                           .aim = values[aim]};
}

/* Steps 4 and 5. */
static void learn_and_visit(struct learner *learner, const struct learn_target *target,
                            const struct learn_moment *moment, const struct choice *choice)
{
    if (choice->aims_at_known || choice->aims_elsewhere)
        learn_end(learner, target, moment, choice->aim);
    else if (learner->n_visited > 0)
        learn_error(learner, target, moment, choice->aim);
    visit(learner, target, choice->candidate);
    if (choice->candidate->known)
        learner->n_visited = 0;
}

void learner_begin(struct learner *learner, const struct learn_target *target, struct starts *starts)
{
    live_game_begin(&learner->game, starts);
    learner->n_visited = 0;
    prepare(learner, target);
}

/* Remembers doubled boards of the play as starts of stages that greedy play avoids because it has never seen them. */
static void see_doubled(struct learner *learner, const struct learn_target *target, struct starts *starts)
{
    enum { N_BOARDS = 4 }; /* from one play: about one for each quarter between a tile and the next */
    struct live_game *game = &learner->game;
    for (unsigned i = 0; i < N_BOARDS && starts->settings->carousel_double; i++) {
        struct board board;
        if (!starts_draw_doubled(starts, &game->rng, game->states, game->n_moves, &board))
            continue;
        unsigned stage = stages_of(&target->network->spec.stages, board);
        if (stage > 0)
            starts_see_stage(starts, stage, board);
    }
}

static struct play_report end_play(struct learner *learner, const struct learn_target *target,
                                   const struct learn_moment *moment, struct starts *starts)
{
    if (target->settings->backward)
        learn_backward(learner, target, moment);
    else
        learn_end(learner, target, moment, 0);
    learner->n_visited = 0;
    see_doubled(learner, target, starts);
    return live_game_finish(&learner->game, starts);
}

enum status learner_step(struct learner *learner, const struct learn_target *target, const struct learn_moment *moment,
                         struct starts *starts, bool *moved, struct play_report *report)
{
    struct live_game *game = &learner->game;
    *moved = learner->n_candidates > 0;
    if (!*moved) {
        *report = end_play(learner, target, moment, starts);
        prepare(learner, target);
        return STATUS_OK;
    }
    bool backward = target->settings->backward;
    if (backward)
        learner->n_visited = 0; /* nothing learns before the end */
    struct choice choice = choose(learner, target);
    const struct candidate *chosen = choice.candidate;
    if (game->n_moves > 0)
        starts_see_move(starts, learner->visited[learner->newest].stage, chosen->stage, chosen->after);
    enum status status = STATUS_OK;
    if (backward)
        status = learner_reserve_moves(learner, target, game->n_moves + 1);
    if (status)
        return status;
    if (backward)
        learner->moves[game->n_moves] = (struct played_move){.after = chosen->after, .reward = chosen->reward};
    status = live_game_move(game, starts, chosen->after, chosen->reward);
    if (status)
        return status;
    prepare(learner, target);
    learn_and_visit(learner, target, moment, &choice);
    return STATUS_OK;
}

enum status learner_reserve_moves(struct learner *learner, const struct learn_target *target, uint32_t n)
{
    if (n <= learner->n_moves_reserved || !target->settings->backward)
        return STATUS_OK;
    struct played_move *moves = memory_grow(learner->moves, n, &learner->n_moves_reserved, 1024, sizeof *moves);
    if (!moves)
        return STATUS_NO_MEMORY;
    learner->moves = moves;
    return STATUS_OK;
}

enum status learner_create(struct learner *learner, const struct learn_target *target, struct rng rng)
{
    unsigned n_arrays = 2 * DIRECTION_COUNT + target->settings->horizon + 1, n_lookups = target->network->n_lookups;
    *learner = (struct learner){0};
    learner->index_storage = memory_allocate((size_t)n_arrays * n_lookups, sizeof(uint32_t));
    if (!learner->index_storage)
        return STATUS_NO_MEMORY;
    learner->game.rng = rng;
    uint32_t *index = learner->index_storage;
    for (unsigned i = 0; i < 2 * DIRECTION_COUNT; i++, index += n_lookups)
        learner->candidates[i / DIRECTION_COUNT][i % DIRECTION_COUNT].index = index;
    for (unsigned i = 0; i <= target->settings->horizon; i++, index += n_lookups)
        learner->visited[i].index = index;
    return STATUS_OK;
}

void learner_free(struct learner *learner)
{
    free(learner->index_storage);
    live_game_free(&learner->game);
    free(learner->moves);
    *learner = (struct learner){0};
}
