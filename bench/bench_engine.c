/*
 * The jobs of the game engine. Boards come from recorded random and simple play, in the order in which they occurred,
 * so that rows repeat as they do in games.
 */
#include "bench.h"

#include "base/memory.h"
#include "game/board4x4.h"
#include "game/game.h"
#include "game/simple_value.h"
#include "search/player.h"

#include <stdlib.h>

enum { N_BOARDS = 1 << 15, N_GRIDS = 4, N_JOBS = 8 };

struct board_set {
    struct grid grid;
    struct board boards[N_BOARDS]; /* the player's turn */
    uint64_t images[N_BOARDS][8];  /* all images of the 4x4 ones, for the limit of the canonical form */
};

struct engine_bench {
    struct board_set sets[N_GRIDS];
    struct simple_value *simple;
    struct rng rng;
    struct game game;
    struct player random_player;
    uint64_t n_random_games;
    struct bench_job jobs[N_JOBS];
};

static const uint8_t grid_sizes[N_GRIDS][2] = {{4, 4}, {3, 3}, {3, 4}, {2, 5}};

/* ---- 4x4 -------------------------------------------------------------------------------------------------------- */

static uint64_t run_random_play(void *context, uint64_t n, uint64_t *sink)
{
    struct engine_bench *bench = context;
    const struct grid *grid = &bench->sets[0].grid;
    uint64_t done = 0;
    while (done < n) {
        struct game game = game_begin(grid, 1, bench->n_random_games++);
        enum direction direction;
        while ((direction = player_choose(&bench->random_player, NULL, game.board, &bench->rng)) != DIRECTION_COUNT)
            game_play(&game, direction, NULL);
        done += game.n_moves;
        *sink += game.score;
    }
    return done;
}

/* Four row look-ups and two draws a move, with nothing waiting for anything. */
static uint64_t run_play_limit(void *context, uint64_t n, uint64_t *sink)
{
    struct engine_bench *bench = context;
    const struct board *boards = bench->sets[0].boards;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t x = boards[i % N_BOARDS].cells;
        sum += row_table[x & 0xffff] ^ row_table[x >> 16 & 0xffff] ^ row_table[x >> 32 & 0xffff] ^ row_table[x >> 48];
        sum += random_bits(&bench->rng) ^ random_bits(&bench->rng);
    }
    *sink += sum;
    return n;
}

static uint64_t run_four_moves(void *context, uint64_t n, uint64_t *sink)
{
    const struct board *boards = ((struct engine_bench *)context)->sets[0].boards;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        struct moves moves = board4x4_moves(boards[i % N_BOARDS]);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            sum += moves.after[d].cells ^ moves.reward[d];
        sum += moves.legal;
    }
    *sink += sum;
    return n;
}

static uint64_t run_eight_lookups(void *context, uint64_t n, uint64_t *sink)
{
    const struct board *boards = ((struct engine_bench *)context)->sets[0].boards;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t x = boards[i % N_BOARDS].cells, t = board4x4_transpose(x);
        sum += row_table[x & 0xffff] ^ row_table[x >> 16 & 0xffff] ^ row_table[x >> 32 & 0xffff] ^ row_table[x >> 48];
        sum += row_table[t & 0xffff] ^ row_table[t >> 16 & 0xffff] ^ row_table[t >> 32 & 0xffff] ^ row_table[t >> 48];
    }
    *sink += sum;
    return n;
}

static uint64_t run_canonical(void *context, uint64_t n, uint64_t *sink)
{
    const struct board *boards = ((struct engine_bench *)context)->sets[0].boards;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++)
        sum += board4x4_canonical_low(boards[i % N_BOARDS].cells);
    *sink += sum;
    return n;
}

static uint64_t run_smallest_of_eight(void *context, uint64_t n, uint64_t *sink)
{
    uint64_t(*images)[8] = ((struct engine_bench *)context)->sets[0].images;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t *image = images[i % N_BOARDS];
        uint64_t a = board4x4_smaller(board4x4_smaller(image[0], image[1]), board4x4_smaller(image[2], image[3]));
        uint64_t b = board4x4_smaller(board4x4_smaller(image[4], image[5]), board4x4_smaller(image[6], image[7]));
        sum += board4x4_smaller(a, b);
    }
    *sink += sum;
    return n;
}

static uint64_t run_spawn(void *context, uint64_t n, uint64_t *sink)
{
    struct engine_bench *bench = context;
    const struct board *boards = bench->sets[0].boards;
    uint64_t sum = 0, done = 0;
    for (uint64_t i = 0; done < n; i++) {
        struct board board = boards[i % N_BOARDS];
        if (!grid_has_empty(&bench->sets[0].grid, board))
            continue;
        sum += spawn_apply(board, spawn_draw(board, BOARD_LOW_BITS, &bench->rng)).cells;
        done++;
    }
    *sink += sum;
    return done;
}

static uint64_t run_draw(void *context, uint64_t n, uint64_t *sink)
{
    struct engine_bench *bench = context;
    for (uint64_t i = 0; i < n; i++)
        *sink += random_bits(&bench->rng) + bench->sets[0].boards[i % N_BOARDS].cells;
    return n;
}

static uint64_t run_simple_value(void *context, uint64_t n, uint64_t *sink)
{
    struct engine_bench *bench = context;
    struct value_function function = simple_value_function(bench->simple);
    float values[64];
    for (uint64_t done = 0; done < n; done += 64) {
        value_of_batch(&function, bench->sets[0].boards + done % N_BOARDS, 64, values);
        *sink += (uint64_t)values[done / 64 % 64];
    }
    return (n + 63) / 64 * 64;
}

/* ---- r x c ------------------------------------------------------------------------------------------------------ */

static uint64_t run_grid_moves(void *context, uint64_t n, uint64_t *sink)
{
    const struct board_set *set = context;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        struct moves moves = grid_moves(&set->grid, set->boards[i % N_BOARDS]);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            sum += moves.after[d].cells ^ moves.reward[d];
    }
    *sink += sum;
    return n;
}

/* As many row look-ups as the board has rows and columns. */
static uint64_t run_grid_lookups(void *context, uint64_t n, uint64_t *sink)
{
    const struct board_set *set = context;
    unsigned lookups = set->grid.rows + set->grid.cols;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t x = set->boards[i % N_BOARDS].cells;
        for (unsigned k = 0; k < lookups; k++)
            sum += row_table[x >> 2 * k & 0xffff];
    }
    *sink += sum;
    return n;
}

/* ---- set-up ----------------------------------------------------------------------------------------------------- */

/* Fills a set with the boards of games, random and 1-ply simple ones in turn. */
static enum status fill_boards(struct board_set *set, unsigned rows, unsigned cols)
{
    enum status status = grid_create(&set->grid, rows, cols);
    struct simple_value *simple = NULL;
    if (!status)
        status = simple_value_create(&simple, &set->grid);
    if (status)
        return status;
    struct player players[2] = {
        {.kind = PLAYER_RANDOM, .grid = &set->grid},
        {.kind = PLAYER_SEARCH, .grid = &set->grid, .function = simple_value_function(simple), .search.depth = 1},
    };
    struct searcher *searcher;
    status = player_create_searcher(&searcher, &players[1]);
    if (status)
        return status;
    unsigned n = 0;
    for (uint64_t index = 0; n < N_BOARDS; index++) {
        struct game game = game_begin(&set->grid, 1, index);
        enum direction direction;
        while (n < N_BOARDS &&
               (direction = player_choose(&players[index % 2], searcher, game.board, &game.rng)) != DIRECTION_COUNT) {
            set->boards[n++] = game.board;
            game_play(&game, direction, NULL);
        }
    }
    searcher_free(searcher);
    simple_value_free(simple);
    for (unsigned i = 0; i < N_BOARDS && grid_is_4x4(&set->grid); i++)
        for (unsigned s = 0; s < 8; s++)
            set->images[i][s] = grid_image(&set->grid, set->boards[i], s).cells;
    return STATUS_OK;
}

static void list_jobs(struct engine_bench *bench)
{
    const struct bench_job jobs[N_JOBS] = {
        {"random play 4x4", "moves", "4 row look-ups and 2 draws a move, independent", run_random_play, run_play_limit,
         bench, NULL},
        {"all four moves 4x4", "boards", "8 row look-ups", run_four_moves, run_eight_lookups, bench, NULL},
        {"canonical form 4x4", "boards", "the least of 8 ready images", run_canonical, run_smallest_of_eight, bench,
         NULL},
        {"spawn 4x4", "spawns", "a board read and one draw", run_spawn, run_draw, bench, NULL},
        {"simple value 4x4", "boards", "8 row look-ups", run_simple_value, run_eight_lookups, bench, NULL},
        {"all four moves 3x3", "boards", "6 row look-ups", run_grid_moves, run_grid_lookups, &bench->sets[1], NULL},
        {"all four moves 3x4", "boards", "7 row look-ups", run_grid_moves, run_grid_lookups, &bench->sets[2], NULL},
        {"all four moves 2x5", "boards", "7 row look-ups", run_grid_moves, run_grid_lookups, &bench->sets[3], NULL},
    };
    for (unsigned i = 0; i < N_JOBS; i++)
        bench->jobs[i] = jobs[i];
}

enum status bench_engine_create(struct engine_bench **out)
{
    struct engine_bench *bench = *out = memory_allocate(1, sizeof *bench);
    if (!bench)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < N_GRIDS && !status; i++)
        status = fill_boards(&bench->sets[i], grid_sizes[i][0], grid_sizes[i][1]);
    if (!status)
        status = simple_value_create(&bench->simple, &bench->sets[0].grid);
    if (status) {
        bench_engine_free(bench);
        *out = NULL;
        return status;
    }
    bench->rng = random_stream(1, 0);
    bench->random_player = (struct player){.kind = PLAYER_RANDOM, .grid = &bench->sets[0].grid};
    list_jobs(bench);
    return STATUS_OK;
}

void bench_engine_free(struct engine_bench *bench)
{
    if (!bench)
        return;
    for (unsigned i = 0; i < N_GRIDS; i++)
        grid_free(&bench->sets[i].grid);
    simple_value_free(bench->simple);
    free(bench);
}

const struct bench_job *bench_engine_jobs(const struct engine_bench *bench, size_t *n_jobs)
{
    *n_jobs = N_JOBS;
    return bench->jobs;
}
