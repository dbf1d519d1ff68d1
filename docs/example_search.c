/* The best move of a board by a network. Build: cc example_search.c $(pkg-config --cflags --libs afterstate) */
#include <stdio.h>

#include <afterstate/afterstate.h>

static const char *const names[] = {"up", "right", "down", "left"};

int main(int argc, char **argv)
{
    struct as_network *network = NULL;
    struct as_search *search = NULL;
    struct as_search_settings settings = {.size = sizeof settings, .depth = 3, .table_bytes = 16 << 20};
    struct as_search_result result;
    struct as_board board;
    if (argc != 3) {
        fprintf(stderr, "usage: example_search NETWORK BOARD\n");
        return 2;
    }
    int failed = as_network_open(&network, argv[1]) || as_search_create(&search, network, &settings) ||
                 as_board_parse(as_network_grid(network), argv[2], &board) || as_search_run(search, board, &result);
    if (failed)
        fprintf(stderr, "%s\n", as_last_error());
    else if (result.best == AS_DIRECTIONS)
        printf("the game is over\n");
    else
        printf("%s, worth %.1f points\n", names[result.best], result.value[result.best]);
    as_search_free(search);
    as_network_free(network);
    return failed;
}
