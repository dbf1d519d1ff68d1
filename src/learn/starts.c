/* starts: chooses where the next play of a training game begins. */
#include "learn/starts.h"

#include "base/memory.h"

#include <stdlib.h>

enum status starts_check_settings(const struct start_settings *settings)
{
    if (!(settings->new_game >= 0 && settings->restart >= 0 && settings->carousel >= 0 && settings->jump >= 0 &&
          settings->doubled >= 0) ||
        !(settings->new_game + settings->restart + settings->carousel + settings->jump + settings->doubled > 0))
        return status_fail(STATUS_INVALID, "the mix of starts has no weight above 0, or one below");
    if ((settings->jump > 0 && settings->n_jumps == 0) || (settings->carousel > 0 && settings->ring == 0))
        return status_fail(STATUS_INVALID, "jump starts need a list, the carousel a ring of at least one place");
    if ((settings->doubled > 0 || settings->carousel_double) && settings->double_from >= settings->double_to)
        return status_fail(STATUS_INVALID, "no board of 2^%u or more can be doubled and have at most 2^%u",
                           settings->double_from, settings->double_to);
    return STATUS_OK;
}

enum status starts_create(struct starts *starts, const struct grid *grid, const struct start_settings *settings,
                          unsigned n_stages)
{
    *starts = (struct starts){.grid = grid, .settings = settings, .n_stages = n_stages};
    if (!(settings->carousel > 0))
        return STATUS_OK;
    starts->ring = memory_allocate((size_t)n_stages * settings->ring, sizeof *starts->ring);
    starts->n_seen = memory_allocate(n_stages, sizeof *starts->n_seen);
    if (!starts->ring || !starts->n_seen) {
        starts_free(starts);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

void starts_free(struct starts *starts)
{
    free(starts->ring);
    free(starts->n_seen);
    *starts = (struct starts){0};
}

void starts_see_stage(struct starts *starts, unsigned stage, struct board after)
{
    if (starts->ring)
        starts->ring[(size_t)stage * starts->settings->ring + starts->n_seen[stage]++ % starts->settings->ring] = after;
}

void starts_see_move(struct starts *starts, unsigned before, unsigned stage, struct board after)
{
    if (stage > before)
        starts_see_stage(starts, stage, after);
}

/*
 * Algorithm 5 of Jaskowski 2018: stage after stage, and back to a new game at a stage of which nothing is remembered.
 * With carousel_first a round starts at that stage; as long as nothing is remembered of it, with a new game.
 */
static struct board start_carousel(struct starts *starts, struct rng *rng, struct play_origin *origin)
{
    unsigned first = starts->settings->carousel_first, stage = starts->next_stage;
    if (stage < first || stage >= starts->n_stages || (stage > 0 && starts->n_seen[stage] == 0))
        stage = first;
    if (stage == 0 || starts->n_seen[stage] == 0) {
        starts->next_stage = 1;
        origin->fresh = true;
        return grid_start(starts->grid, rng);
    }
    starts->next_stage = stage + 1;
    uint32_t seen = starts->n_seen[stage], held = seen < starts->settings->ring ? seen : starts->settings->ring;
    struct board after = starts->ring[(size_t)stage * starts->settings->ring + random_below(rng, held)];
    return spawn_apply(after, spawn_draw(after, starts->grid->used, rng));
}

/* A board of the bank, or the tiles of one list on their cells, then the others on random ones. */
static struct board start_jump(const struct starts *starts, struct rng *rng, struct play_origin *origin)
{
    const struct start_bank *bank = &starts->settings->bank;
    if (bank->n_boards && random_unit(rng) < bank->share) {
        origin->fresh = false;
        return bank->boards[random_below(rng, bank->n_boards)];
    }
    size_t which = starts->own_jump ? starts->own_jump - 1 : random_below(rng, starts->settings->n_jumps);
    const struct jump_start *jump = &starts->settings->jumps[which];
    struct board board = {0};
    origin->fresh = true;
    for (unsigned i = 0; i < jump->n_tiles; i++) {
        if (jump->places[i])
            board = board_set(board, jump->places[i] - 1u, jump->tiles[i]);
    }
    for (unsigned i = 0; i < jump->n_tiles; i++) {
        if (jump->places[i])
            continue;
        struct spawn spawn = spawn_draw(board, starts->grid->used, rng);
        board = board_set(board, spawn.cell, jump->tiles[i] ? jump->tiles[i] : spawn.value);
        origin->fresh &= jump->tiles[i] == 0;
    }
    origin->fresh &= jump->places[0] == 0; /* tiles on cells come first */
    return board;
}

/* Every tile twice as large. */
static struct board doubled(struct board board)
{
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++)
        if (board_get(board, cell) > 0)
            board = board_set(board, cell, board_get(board, cell) + 1);
    return board;
}

/* The first board of a play with a tile of at least `value`; n_states if there is none. */
static uint32_t first_with(const struct board *states, uint32_t n_states, unsigned value)
{
    uint32_t below = 0, end = n_states; /* the largest tile never shrinks: bisect */
    while (below < end) {
        uint32_t middle = below + (end - below) / 2;
        if (board_max_value(states[middle]) < value)
            below = middle + 1;
        else
            end = middle;
    }
    return below;
}

/*
 * Draws a board of the play before whose largest tile allows it, and doubles every tile. Greedy play avoids what it has
 * never seen, such as the next larger tile (an untouched weight promises nothing), and so may never see it. Doubled
 * boards have that tile and the order of a real game, so play learns what they are worth.
 */
static bool draw_doubled(const struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_states,
                         struct board *board)
{
    uint32_t first = first_with(states, n_states, starts->settings->double_from);
    uint32_t end = first_with(states, n_states, starts->settings->double_to);
    if (first >= end)
        return false;
    *board = doubled(states[first + random_below(rng, end - first)]);
    return true;
}

bool starts_draw_doubled(const struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct board *board)
{
    return draw_doubled(starts, rng, states, n_moves, board) && grid_has_empty(starts->grid, *board) &&
           board_max_value(states[n_moves - 1]) >= board_max_value(*board);
}

static struct board start_double(const struct starts *starts, struct rng *rng, const struct board *states,
                                 uint32_t n_states, struct play_origin *origin)
{
    struct board board;
    if (draw_doubled(starts, rng, states, n_states, &board))
        return board;
    origin->fresh = true;
    return grid_start(starts->grid, rng);
}

/* Draws a kind by the weights of the mix. */
static enum start_kind draw_kind(const struct start_settings *settings, struct rng *rng)
{
    const float weight[START_KINDS] = {settings->new_game, settings->restart, settings->carousel, settings->jump,
                                       settings->doubled};
    double total = 0;
    for (unsigned kind = START_NEW; kind < START_KINDS; kind++)
        total += weight[kind];
    double draw = random_unit(rng) * total;
    enum start_kind chosen = START_NEW;
    for (unsigned kind = START_NEW; kind < START_KINDS && draw >= 0; draw -= weight[kind++])
        if (weight[kind] > 0) /* if rounding leaves draw >= 0, the last kind with a weight */
            chosen = kind;
    return chosen;
}

/* A start of a random kind. `states` are those of the play before, if there was one. */
static struct board draw_start(struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_states,
                               struct play_origin *origin)
{
    *origin = (struct play_origin){.kind = (uint8_t)draw_kind(starts->settings, rng), .n_plays = 1};
    if (origin->kind == START_CAROUSEL)
        return start_carousel(starts, rng, origin);
    if (origin->kind == START_JUMP || (origin->kind == START_RESTART && starts->settings->restart_jump))
        return start_jump(starts, rng, origin);
    if (origin->kind == START_DOUBLE)
        return start_double(starts, rng, states, n_states, origin);
    origin->fresh = true;
    return grid_start(starts->grid, rng);
}

struct board starts_first(struct starts *starts, struct rng *rng, struct play_origin *origin)
{
    return draw_start(starts, rng, NULL, 0, origin);
}

struct board starts_next(struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct play_origin *origin)
{
    const struct start_settings *settings = starts->settings;
    bool more = settings->restart_plays == 0 || origin->n_plays < settings->restart_plays;
    if (origin->kind != START_RESTART || !more || n_moves <= settings->restart_min_turns)
        return draw_start(starts, rng, states, n_moves, origin);
    /* The play went from turn s to turn e of its game; the next begins at turn (s + e) / 2 of the same record. */
    uint32_t middle = (origin->first_turn + (origin->first_turn + n_moves)) / 2;
    struct board board = states[middle - origin->first_turn];
    origin->fresh = false;
    origin->first_turn = middle;
    origin->n_plays++;
    return board;
}
