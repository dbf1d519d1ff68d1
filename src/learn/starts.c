#include "learn/starts.h"

#include "base/memory.h"

#include <stdlib.h>

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

/* Algorithm 5 of MASTER: stage after stage, back to new games where nothing is remembered. */
static struct board start_carousel(struct starts *starts, struct rng *rng, struct play_origin *origin)
{
    unsigned stage = starts->next_stage;
    uint32_t seen = stage > 0 && stage < starts->n_stages ? starts->n_seen[stage] : 0;
    starts->next_stage = 1;
    if (seen == 0) {
        origin->fresh = true;
        return grid_start(starts->grid, rng);
    }
    starts->next_stage = stage + 1;
    uint32_t held = seen < starts->settings->ring ? seen : starts->settings->ring;
    struct board after = starts->ring[(size_t)stage * starts->settings->ring + random_below(rng, held)];
    return spawn_apply(after, spawn_draw(after, starts->grid->used, rng));
}

/* The tiles of one list on random cells. */
static struct board start_jump(const struct starts *starts, struct rng *rng, struct play_origin *origin)
{
    size_t which = starts->own_jump ? starts->own_jump - 1 : random_below(rng, starts->settings->n_jumps);
    const struct jump_start *jump = &starts->settings->jumps[which];
    struct board board = {0};
    origin->fresh = true;
    for (unsigned i = 0; i < jump->n_tiles; i++) {
        struct spawn spawn = spawn_draw(board, starts->grid->used, rng);
        board = board_set(board, spawn.cell, jump->tiles[i] ? jump->tiles[i] : spawn.value);
        origin->fresh &= jump->tiles[i] == 0;
    }
    return board;
}

/* Draws a kind by the weights of the mix. */
static enum start_kind draw_kind(const struct start_settings *settings, struct rng *rng)
{
    const float weight[] = {settings->new_game, settings->restart, settings->carousel, settings->jump};
    double total = 0;
    for (unsigned kind = START_NEW; kind <= START_JUMP; kind++)
        total += weight[kind];
    double draw = random_unit(rng) * total;
    enum start_kind chosen = START_NEW;
    for (unsigned kind = START_NEW; kind <= START_JUMP && draw >= 0; draw -= weight[kind++])
        if (weight[kind] > 0) /* the last kind with a weight takes what rounding leaves over */
            chosen = kind;
    return chosen;
}

struct board starts_first(struct starts *starts, struct rng *rng, struct play_origin *origin)
{
    *origin = (struct play_origin){.kind = (uint8_t)draw_kind(starts->settings, rng), .n_plays = 1};
    if (origin->kind == START_CAROUSEL)
        return start_carousel(starts, rng, origin);
    if (origin->kind == START_JUMP || (origin->kind == START_RESTART && starts->settings->restart_jump))
        return start_jump(starts, rng, origin);
    origin->fresh = true;
    return grid_start(starts->grid, rng);
}

struct board starts_next(struct starts *starts, struct rng *rng, const struct board *states, uint32_t n_moves,
                         struct play_origin *origin)
{
    const struct start_settings *settings = starts->settings;
    bool more = settings->restart_plays == 0 || origin->n_plays < settings->restart_plays;
    if (origin->kind != START_RESTART || !more || n_moves <= settings->restart_min_turns)
        return starts_first(starts, rng, origin);
    /* The play went from turn s to turn e of its game; the next begins at turn (s + e) / 2 of the same record. */
    uint32_t middle = (origin->first_turn + (origin->first_turn + n_moves)) / 2;
    struct board board = states[middle - origin->first_turn];
    origin->fresh = false;
    origin->first_turn = middle;
    origin->n_plays++;
    return board;
}
