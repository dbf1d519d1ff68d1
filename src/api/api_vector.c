/*
 * api_vector: many games in step, for callers to whom a call is dear.
 *
 * All that one step needs of a game lies in 80 bytes, and one loop does everything: move, spawn, legal directions, and
 * the caller's arrays. Legal directions are found without computing moves (legality.h), so a step makes one move, not
 * five. The loop exists twice, for 4x4 and for all sizes, by inlining with a constant.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "api/cell_words.h"
#include "base/memory.h"
#include "game/board4x4.h"
#include "game/game.h"
#include "game/legality.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GAMES = 1 << 24 };

struct slot {
    struct board board;
    struct rng rng;
    uint64_t score;
    uint64_t seed, index;
    uint32_t n_moves;
    uint8_t legal; /* bit d set: direction d is legal */
};

struct as_vector {
    const struct grid *grid;
    struct legality legality;
    struct as_vector_arrays arrays;
    enum as_autoreset autoreset;
    size_t n;
    struct slot slots[];
};

/* ---- one game --------------------------------------------------------------------------------------------------- */

static inline void begin_game(const struct as_vector *vector, struct slot *slot)
{
    struct game game = game_begin(vector->grid, slot->seed, slot->index);
    slot->board = game.board;
    slot->rng = game.rng;
    slot->score = 0;
    slot->n_moves = 0;
    slot->legal = (uint8_t)legality_moves(&vector->legality, slot->board);
}

static inline void begin_next_game(const struct as_vector *vector, struct slot *slot)
{
    slot->index += vector->n;
    begin_game(vector, slot);
}

/* Plays a legal direction; returns its points. */
static inline uint32_t play_direction(const struct as_vector *vector, struct slot *slot, unsigned direction,
                                      bool is_4x4)
{
    uint32_t reward;
    struct board after = is_4x4 ? board4x4_move(slot->board, direction, &reward)
                                : grid_move(vector->grid, slot->board, direction, &reward);
    slot->board = spawn_apply(after, spawn_draw(after, is_4x4 ? BOARD_LOW_BITS : vector->grid->used, &slot->rng));
    slot->score += reward;
    slot->n_moves++;
    slot->legal = (uint8_t)legality_moves(&vector->legality, slot->board);
    return reward;
}

/* Four bytes of 0 or 1, little-endian, from four bits. */
static inline uint32_t spread_bits(unsigned bits)
{
    return (bits * UINT32_C(0x00204081)) & UINT32_C(0x01010101);
}

/* Fills the arrays of game i. */
static inline void show_game(const struct as_vector *vector, size_t i, double reward, bool illegal, bool terminated,
                             unsigned n_cells)
{
    const struct as_vector_arrays *arrays = &vector->arrays;
    const struct slot *slot = &vector->slots[i];
    cell_words_write(n_cells, slot->board, arrays->cells + i * n_cells);
    if (arrays->rewards)
        arrays->rewards[i] = reward;
    if (arrays->terminated)
        arrays->terminated[i] = terminated;
    if (arrays->legal) {
        uint32_t legal = spread_bits(slot->legal);
        bytes_store_u32(arrays->legal + 4 * i, legal);
    }
    if (arrays->illegal)
        arrays->illegal[i] = illegal;
    if (arrays->scores)
        arrays->scores[i] = (int64_t)slot->score;
    if (arrays->moves)
        arrays->moves[i] = slot->n_moves;
}

static void show_final(const struct as_vector *vector, size_t i)
{
    const struct as_vector_arrays *arrays = &vector->arrays;
    const struct slot *slot = &vector->slots[i];
    if (arrays->final_cells)
        cell_words_write(vector->grid->n_cells, slot->board, arrays->final_cells + i * vector->grid->n_cells);
    if (arrays->final_scores)
        arrays->final_scores[i] = (int64_t)slot->score;
    if (arrays->final_moves)
        arrays->final_moves[i] = slot->n_moves;
}

static void show_fresh(const struct as_vector *vector, size_t i)
{
    show_game(vector, i, 0, false, vector->slots[i].legal == 0, vector->grid->n_cells);
}

/* ---- creating --------------------------------------------------------------------------------------------------- */

static enum status check_settings(const struct as_vector_settings *settings, const struct as_vector_arrays *arrays)
{
    if (settings->n < 1 || settings->n > MAX_GAMES)
        return status_fail(STATUS_USAGE, "as_vector_create: %zu games; expected 1 to %d", settings->n, MAX_GAMES);
    if ((unsigned)settings->autoreset > AS_AUTORESET_DISABLED)
        return status_fail(STATUS_USAGE, "as_vector_create: autoreset %u; expected 0 to %d",
                           (unsigned)settings->autoreset, AS_AUTORESET_DISABLED);
    if (!arrays->cells)
        return status_fail(STATUS_USAGE, "as_vector_create: the array of cells is NULL");
    return STATUS_OK;
}

enum as_status as_vector_create(struct as_vector **out, const struct as_grid *grid,
                                const struct as_vector_settings *settings, const struct as_vector_arrays *arrays)
{
    static const char function[] = "as_vector_create";
    struct as_vector_settings taken;
    struct as_vector_arrays taken_arrays;
    if (out)
        *out = NULL;
    if (!out || !grid || !settings || !arrays)
        return api_fail_null(function);
    enum status status = api_take_settings(&taken, sizeof taken, settings, function);
    if (status)
        return (enum as_status)status;
    status = api_take_settings(&taken_arrays, sizeof taken_arrays, arrays, function);
    if (status)
        return (enum as_status)status;
    status = check_settings(&taken, &taken_arrays);
    if (status)
        return (enum as_status)status;
    struct as_vector *vector = memory_allocate(1, sizeof *vector + taken.n * sizeof *vector->slots);
    if (!vector)
        return AS_NO_MEMORY;
    vector->grid = &grid->grid;
    vector->legality = legality_of(&grid->grid);
    vector->arrays = taken_arrays;
    vector->autoreset = taken.autoreset;
    vector->n = taken.n;
    for (size_t i = 0; i < vector->n; i++) {
        vector->slots[i].seed = taken.seed;
        vector->slots[i].index = i;
        begin_game(vector, &vector->slots[i]);
        show_fresh(vector, i);
    }
    *out = vector;
    return AS_OK;
}

void as_vector_free(struct as_vector *vector)
{
    free(vector);
}

enum as_status as_vector_reset(struct as_vector *vector, const uint8_t *which, const uint64_t *seeds,
                               const uint64_t *indices)
{
    if (!vector || !seeds != !indices)
        return api_fail_null("as_vector_reset");
    for (size_t i = 0; i < vector->n; i++) {
        struct slot *slot = &vector->slots[i];
        if (which && !which[i])
            continue;
        if (seeds) {
            slot->seed = seeds[i];
            slot->index = indices[i];
            begin_game(vector, slot);
        } else {
            begin_next_game(vector, slot);
        }
        show_fresh(vector, i);
    }
    return AS_OK;
}

enum as_status as_vector_set_boards(struct as_vector *vector, const uint8_t *which, const uint8_t *cells)
{
    static const char function[] = "as_vector_set_boards";
    if (!vector || !cells)
        return api_fail_null(function);
    unsigned n_cells = vector->grid->n_cells;
    for (size_t i = 0; i < vector->n; i++) {
        enum status status =
            which && !which[i] ? STATUS_OK : api_check_cells(vector->grid, cells + i * n_cells, 1, function);
        if (status)
            return (enum as_status)status;
    }
    for (size_t i = 0; i < vector->n; i++) {
        struct slot *slot = &vector->slots[i];
        if (which && !which[i])
            continue;
        cell_words_read(n_cells, cells + i * n_cells, &slot->board);
        slot->score = 0;
        slot->n_moves = 0;
        slot->legal = (uint8_t)legality_moves(&vector->legality, slot->board);
        show_fresh(vector, i);
    }
    return AS_OK;
}

enum as_status as_vector_get_seeds(const struct as_vector *vector, uint64_t *seeds, uint64_t *indices)
{
    if (!vector)
        return api_fail_null("as_vector_get_seeds");
    for (size_t i = 0; i < vector->n; i++) {
        if (seeds)
            seeds[i] = vector->slots[i].seed;
        if (indices)
            indices[i] = vector->slots[i].index;
    }
    return AS_OK;
}

/* ---- playing ---------------------------------------------------------------------------------------------------- */

static inline uint64_t load_action(const uint8_t *actions, size_t i, size_t action_bytes)
{
    switch (action_bytes) { /* a constant in every caller's loop; a negative number becomes a huge one */
    case 1:
        return (uint64_t)(int64_t)((const int8_t *)actions)[i];
    case 2: {
        int16_t action;
        memcpy(&action, actions + 2 * i, sizeof action);
        return (uint64_t)(int64_t)action;
    }
    case 4: {
        int32_t action;
        memcpy(&action, actions + 4 * i, sizeof action);
        return (uint64_t)(int64_t)action;
    }
    default: {
        int64_t action;
        memcpy(&action, actions + 8 * i, sizeof action);
        return (uint64_t)action;
    }
    }
}

static bool is_width(size_t action_bytes)
{
    return action_bytes == 1 || action_bytes == 2 || action_bytes == 4 || action_bytes == 8;
}

static enum status fail_width(size_t action_bytes, const char *function)
{
    return status_fail(STATUS_USAGE, "%s: actions of %zu bytes; expected 1, 2, 4 or 8", function, action_bytes);
}

static enum status check_actions(const struct as_vector *vector, const uint8_t *actions, size_t action_bytes)
{
    uint64_t all = 0;
    for (size_t i = 0; i < vector->n; i++)
        all |= load_action(actions, i, action_bytes);
    for (size_t i = 0; i < vector->n && all >= DIRECTION_COUNT; i++) {
        int64_t action = (int64_t)load_action(actions, i, action_bytes);
        if (action < 0 || action >= DIRECTION_COUNT)
            return status_fail(STATUS_USAGE,
                               "as_vector_step: action %lld of game %zu; expected 0 (up), 1 (right), 2 (down) or 3 "
                               "(left)",
                               (long long)action, i);
    }
    return STATUS_OK;
}

static inline void step_game(struct as_vector *vector, size_t i, unsigned direction, bool is_4x4)
{
    struct slot *slot = &vector->slots[i];
    const unsigned n_cells = is_4x4 ? BOARD_MAX_CELLS : vector->grid->n_cells;
    if (slot->legal >> direction & 1) {
        uint32_t reward = play_direction(vector, slot, direction, is_4x4);
        bool terminated = slot->legal == 0;
        if (terminated && vector->autoreset == AS_AUTORESET_SAME_STEP) {
            show_final(vector, i);
            begin_next_game(vector, slot);
        }
        show_game(vector, i, reward, false, terminated, n_cells);
    } else if (slot->legal == 0 && vector->autoreset != AS_AUTORESET_DISABLED) {
        begin_next_game(vector, slot);
        show_game(vector, i, 0, false, slot->legal == 0, n_cells);
    } else { /* illegal, or a game that has ended and stays as it is */
        show_game(vector, i, 0, slot->legal != 0, slot->legal == 0, n_cells);
    }
}

static inline void step_all(struct as_vector *vector, const uint8_t *actions, size_t action_bytes, bool is_4x4)
{
    for (size_t i = 0; i < vector->n; i++)
        step_game(vector, i, (unsigned)load_action(actions, i, action_bytes), is_4x4);
}

enum as_status as_vector_step(struct as_vector *vector, const void *actions, size_t action_bytes)
{
    if (!vector || !actions)
        return api_fail_null("as_vector_step");
    if (!is_width(action_bytes))
        return (enum as_status)fail_width(action_bytes, "as_vector_step");
    enum status status = check_actions(vector, actions, action_bytes);
    if (status)
        return (enum as_status)status;
    if (!grid_is_4x4(vector->grid))
        step_all(vector, actions, action_bytes, false);
    else if (action_bytes == 1)
        step_all(vector, actions, 1, true);
    else if (action_bytes == 8)
        step_all(vector, actions, 8, true);
    else
        step_all(vector, actions, action_bytes, true);
    return AS_OK;
}

static inline unsigned draw_legal(unsigned legal, struct rng *rng)
{
    return bits_select(legal, (unsigned)random_below(rng, (unsigned)__builtin_popcount(legal)));
}

enum as_status as_vector_sample(const struct as_vector *vector, struct as_random *random, void *actions,
                                size_t action_bytes)
{
    if (!vector || !random || !actions)
        return api_fail_null("as_vector_sample");
    if (!is_width(action_bytes))
        return (enum as_status)fail_width(action_bytes, "as_vector_sample");
    struct rng rng = random->rng;
    memset(actions, 0, vector->n * action_bytes);
    for (size_t i = 0; i < vector->n; i++) {
        unsigned legal = vector->slots[i].legal;
        uint8_t *action = (uint8_t *)actions + i * action_bytes;
        if (legal)
            action[__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : action_bytes - 1] = (uint8_t)draw_legal(legal, &rng);
    }
    random->rng = rng;
    return AS_OK;
}

enum as_status as_vector_play_random(struct as_vector *vector, struct as_random *random, uint64_t n_moves)
{
    if (!vector || !random)
        return api_fail_null("as_vector_play_random");
    bool is_4x4 = grid_is_4x4(vector->grid);
    struct rng rng = random->rng;
    for (uint64_t move = 0; move < n_moves; move++) {
        for (size_t i = 0; i < vector->n; i++) {
            struct slot *slot = &vector->slots[i];
            if (slot->legal == 0) {
                if (vector->autoreset != AS_AUTORESET_DISABLED)
                    begin_next_game(vector, slot);
            } else if (is_4x4) {
                play_direction(vector, slot, draw_legal(slot->legal, &rng), true);
            } else {
                play_direction(vector, slot, draw_legal(slot->legal, &rng), false);
            }
            if (slot->legal == 0 && vector->autoreset == AS_AUTORESET_SAME_STEP)
                begin_next_game(vector, slot);
        }
    }
    random->rng = rng;
    for (size_t i = 0; i < vector->n; i++)
        show_fresh(vector, i);
    return AS_OK;
}
