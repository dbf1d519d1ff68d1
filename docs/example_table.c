/* Exact values of a solved board. Build: cc example_table.c $(pkg-config --cflags --libs afterstate) */
#include <stdio.h>

#include <afterstate/afterstate.h>

static const char *const names[] = {"up", "right", "down", "left"};

static void print_answer(const struct as_table_answer *answer)
{
    if (answer->best == AS_DIRECTIONS)
        printf("the game is over\n");
    for (unsigned d = 0; d < AS_DIRECTIONS; d++)
        if (answer->legal >> d & 1)
            printf("%-5s  value %8.3f, loss %7.3f\n", names[d], answer->value[d], answer->loss[d]);
}

int main(int argc, char **argv)
{
    struct as_table *table = NULL;
    struct as_table_info info;
    struct as_table_answer answer;
    struct as_board board;
    if (argc != 3) {
        fprintf(stderr, "usage: example_table TABLE BOARD\n");
        return 2;
    }
    int failed = as_table_open(&table, argv[1]) || as_table_get_info(table, &info) ||
                 as_board_parse(as_table_grid(table), argv[2], &board) || as_table_query(table, board, &answer);
    if (failed) {
        fprintf(stderr, "%s\n", as_last_error());
    } else {
        printf("%llu states, expected score %.3f\n", (unsigned long long)info.n_states, info.expected_score);
        print_answer(&answer);
    }
    as_table_free(table);
    return failed;
}
