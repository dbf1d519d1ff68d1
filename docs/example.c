/* A random game through the public API. Build: cc example.c $(pkg-config --cflags --libs afterstate) */
#include <stdio.h>

#include <afterstate/afterstate.h>

static int play_random_game(const struct as_grid *grid, struct as_random *random, uint64_t seed)
{
    struct as_game *game;
    if (as_game_begin(&game, grid, seed, 0) != AS_OK)
        return -1;
    while (!as_game_is_over(game))
        as_game_play(game, (unsigned)as_random_below(random, AS_DIRECTIONS)); /* an illegal one changes nothing */

    struct as_board board = as_game_board(game);
    for (unsigned row = 0; row < 4; row++) {
        for (unsigned col = 0; col < 4; col++)
            printf("%7u", (unsigned)as_face((unsigned)as_board_get(grid, board, row, col)));
        printf("\n");
    }
    printf("%u moves, %llu points\n", (unsigned)as_game_moves(game), (unsigned long long)as_game_score(game));
    as_game_free(game);
    return 0;
}

int main(void)
{
    struct as_grid *grid = NULL;
    struct as_random *random = NULL;
    int failed = as_grid_create(&grid, 4, 4) != AS_OK || as_random_create(&random, 1, 0) != AS_OK ||
                 play_random_game(grid, random, 2048) != 0;
    if (failed)
        fprintf(stderr, "afterstate %s: %s\n", as_version(), as_last_error());
    as_random_free(random);
    as_grid_free(grid);
    return failed;
}
