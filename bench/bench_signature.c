/* bench_signature: one number from the choices of fixed games, the same for every correct build (bench.h). */
#include "bench.h"

#include "game/game.h"
#include "game/simple_value.h"
#include "search/player.h"

enum { RANDOM_GAMES = 100, SIMPLE_GAMES = 4 };

/* Order matters: each number is mixed into all that came before. */
static uint64_t mix(uint64_t signature, uint64_t number)
{
    uint64_t state = signature ^ number;
    return random_splitmix(&state);
}

static uint64_t mix_game(uint64_t signature, const struct player *player, struct searcher *searcher, uint64_t index)
{
    struct game game = game_begin(player->grid, 2048, index);
    struct rng choices = random_stream(2049, index);
    enum direction direction;
    while ((direction = player_choose(player, searcher, game.board, &choices)) != DIRECTION_COUNT) {
        game_play(&game, direction, NULL);
        struct board canonical = grid_canonical(player->grid, game.board);
        signature = mix(signature, game.board.cells);
        signature = mix(signature, canonical.cells ^ (uint64_t)game.board.high << 32 ^ direction);
    }
    return mix(signature, game.score);
}

enum status bench_signature(uint64_t *signature)
{
    *signature = 0;
    for (unsigned rows = 1; rows <= BOARD_MAX_SIDE; rows++)
        for (unsigned cols = 1; cols <= BOARD_MAX_SIDE && rows * cols <= BOARD_MAX_CELLS; cols++) {
            struct grid grid;
            struct simple_value *simple = NULL;
            enum status status = grid_create(&grid, rows, cols);
            if (!status)
                status = simple_value_create(&simple, &grid);
            if (status) {
                grid_free(&grid);
                return status;
            }
            struct player player = {.kind = PLAYER_RANDOM, .grid = &grid};
            for (unsigned i = 0; i < RANDOM_GAMES; i++)
                *signature = mix_game(*signature, &player, NULL, i);
            player = (struct player){
                .kind = PLAYER_SEARCH, .grid = &grid, .function = simple_value_function(simple), .search.depth = 1};
            struct searcher *searcher;
            status = player_create_searcher(&searcher, &player);
            for (unsigned i = 0; i < SIMPLE_GAMES && !status; i++)
                *signature = mix_game(*signature, &player, searcher, i);
            searcher_free(searcher);
            simple_value_free(simple);
            grid_free(&grid);
            if (status)
                return status;
        }
    return STATUS_OK;
}
