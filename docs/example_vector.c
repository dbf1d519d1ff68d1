/* 1000 random games side by side, in our own arrays. Build: cc example_vector.c $(pkg-config --cflags --libs
 * afterstate) */
#include <stdio.h>

#include <afterstate/afterstate.h>

enum { GAMES = 1000 };

static uint8_t cells[GAMES][4][4], over[GAMES];
static int64_t scores[GAMES], actions[GAMES];

static size_t count_running(void)
{
    size_t n = 0;
    for (size_t i = 0; i < GAMES; i++)
        n += !over[i];
    return n;
}

int main(void)
{
    struct as_grid *grid = NULL;
    struct as_random *random = NULL;
    struct as_vector *vector = NULL;
    struct as_vector_settings settings = {
        .size = sizeof settings, .n = GAMES, .autoreset = AS_AUTORESET_DISABLED, .seed = 1};
    struct as_vector_arrays arrays = {
        .size = sizeof arrays, .cells = &cells[0][0][0], .terminated = over, .scores = scores};
    int failed = as_grid_create(&grid, 4, 4) || as_random_create(&random, 2, 0) ||
                 as_vector_create(&vector, grid, &settings, &arrays);
    while (!failed && count_running() > 0)
        failed = as_vector_sample(vector, random, actions, sizeof *actions) ||
                 as_vector_step(vector, actions, sizeof *actions);
    double sum = 0;
    for (size_t i = 0; i < GAMES; i++)
        sum += (double)scores[i];
    if (failed)
        fprintf(stderr, "%s\n", as_last_error());
    else
        printf("%d games, %.1f points on average\n", GAMES, sum / GAMES);
    as_vector_free(vector);
    as_random_free(random);
    as_grid_free(grid);
    return failed;
}
