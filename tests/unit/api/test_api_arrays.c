/* Boards in arrays and games side by side, against the functions of the API on single boards and games. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <afterstate/afterstate.h>

enum { BOARDS = 3000, GAMES = 37 };

static void expect_error(const char *part)
{
    if (!strstr(as_last_error(), part))
        fail_msg("the message is \"%s\", expected \"%s\" in it", as_last_error(), part);
}

static void check_moves(const struct as_grid *grid, struct as_board board, const uint8_t *after,
                        const uint32_t *rewards, const uint8_t *legal)
{
    unsigned cols = (unsigned)as_grid_cols(grid), n_cells = (unsigned)as_grid_rows(grid) * cols;
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        struct as_board moved;
        uint32_t reward;
        int is_legal = as_move(grid, board, d, &moved, &reward);
        assert_int_equal(legal[d], is_legal);
        assert_int_equal(rewards[d], reward);
        for (unsigned cell = 0; cell < n_cells; cell++)
            assert_int_equal(after[d * n_cells + cell], as_board_get(grid, moved, cell / cols, cell % cols));
    }
}

static void check_grid(unsigned rows, unsigned cols)
{
    static uint8_t cells[BOARDS * AS_MAX_CELLS], after[BOARDS * 4 * AS_MAX_CELLS], legal[BOARDS * 4];
    static uint8_t back[BOARDS * AS_MAX_CELLS];
    static uint32_t rewards[BOARDS * 4];
    static struct as_board boards[BOARDS];
    struct as_grid *grid;
    struct as_random *random;
    unsigned n_cells = rows * cols;
    assert_int_equal(as_grid_create(&grid, rows, cols), AS_OK);
    assert_int_equal(as_random_create(&random, rows, cols), AS_OK);
    for (unsigned i = 0; i < BOARDS * n_cells; i++)
        cells[i] = (uint8_t)as_random_below(random, 2 + i / n_cells % (AS_MAX_VALUE - 1));
    assert_int_equal(as_boards_from_cells(grid, cells, BOARDS, boards), AS_OK);
    assert_int_equal(as_boards_to_cells(grid, boards, BOARDS, back), AS_OK);
    assert_memory_equal(back, cells, BOARDS * n_cells);
    assert_int_equal(as_moves_many(grid, cells, BOARDS, after, rewards, legal), AS_OK);
    assert_int_equal(as_canonical_many(grid, cells, BOARDS, back), AS_OK);
    for (unsigned i = 0; i < BOARDS; i++) {
        struct as_board canonical, found;
        for (unsigned cell = 0; cell < n_cells; cell++)
            assert_int_equal(as_board_get(grid, boards[i], cell / cols, cell % cols), cells[i * n_cells + cell]);
        check_moves(grid, boards[i], after + (size_t)i * 4 * n_cells, rewards + 4 * i, legal + 4 * i);
        assert_int_equal(as_board_canonical(grid, boards[i], &canonical), AS_OK);
        assert_int_equal(as_boards_from_cells(grid, back + (size_t)i * n_cells, 1, &found), AS_OK);
        assert_true(found.cells == canonical.cells && found.high == canonical.high);
    }
    as_random_free(random);
    as_grid_free(grid);
}

static void test_boards(void **state)
{
    (void)state;
    check_grid(4, 4);
    check_grid(3, 3);
    check_grid(2, 5);
    check_grid(1, 6);
    check_grid(5, 3);
}

static void test_spawns(void **state)
{
    (void)state;
    struct as_grid *grid;
    struct as_random *a, *b;
    uint8_t cells[100 * 9] = {0};
    assert_int_equal(as_grid_create(&grid, 3, 3), AS_OK);
    assert_int_equal(as_random_create(&a, 5, 6), AS_OK);
    assert_int_equal(as_random_create(&b, 5, 6), AS_OK);
    for (unsigned i = 0; i < 100; i++)
        cells[9 * i + i % 9] = 3;
    assert_int_equal(as_spawn_many(grid, cells, 100, a), AS_OK);
    for (unsigned i = 0; i < 100; i++) {
        struct as_board board = {0}, found;
        assert_int_equal(as_board_set(grid, &board, i % 9 / 3, i % 3, 3), AS_OK);
        assert_int_equal(as_spawn(grid, &board, b, NULL, NULL), AS_OK);
        assert_int_equal(as_boards_from_cells(grid, cells + 9 * i, 1, &found), AS_OK);
        assert_true(found.cells == board.cells && found.high == board.high);
    }
    memset(cells, 1, 9);
    assert_int_equal(as_spawn_many(grid, cells, 1, a), AS_INVALID);
    as_random_free(a);
    as_random_free(b);
    as_grid_free(grid);
}

/* The arrays of a vector and the games that they must show. */
struct bound {
    uint8_t cells[GAMES * 16], terminated[GAMES], legal[GAMES * 4], illegal[GAMES], final_cells[GAMES * 16];
    double rewards[GAMES];
    int64_t scores[GAMES], moves[GAMES], final_scores[GAMES], final_moves[GAMES];
};

static struct as_vector *make_vector(struct as_grid *grid, struct bound *bound, enum as_autoreset mode, uint64_t seed)
{
    struct as_vector *vector;
    const struct as_vector_settings settings = {.size = sizeof settings, .n = GAMES, .autoreset = mode, .seed = seed};
    const struct as_vector_arrays arrays = {.size = sizeof arrays,
                                            .cells = bound->cells,
                                            .rewards = bound->rewards,
                                            .terminated = bound->terminated,
                                            .legal = bound->legal,
                                            .illegal = bound->illegal,
                                            .scores = bound->scores,
                                            .moves = bound->moves,
                                            .final_cells = bound->final_cells,
                                            .final_scores = bound->final_scores,
                                            .final_moves = bound->final_moves};
    assert_int_equal(as_vector_create(&vector, grid, &settings, &arrays), AS_OK);
    return vector;
}

static bool shows(const struct as_grid *grid, struct as_board board, const uint8_t *cells)
{
    struct as_board shown;
    assert_int_equal(as_boards_from_cells(grid, cells, 1, &shown), AS_OK);
    return shown.cells == board.cells && shown.high == board.high;
}

/* Game i shows what `game` is. */
static void check_shown(const struct as_grid *grid, const struct bound *bound, unsigned i, const struct as_game *game,
                        unsigned n_cells)
{
    assert_true(shows(grid, as_game_board(game), bound->cells + i * n_cells));
    assert_int_equal(bound->scores[i], as_game_score(game));
    assert_int_equal(bound->moves[i], as_game_moves(game));
    int legal = as_legal_moves(grid, as_game_board(game));
    for (unsigned d = 0; d < AS_DIRECTIONS; d++)
        assert_int_equal(bound->legal[4 * i + d], legal >> d & 1);
}

/* One step of game i by the rules of its mode, on a game of the API. */
static void step_game(struct as_grid *grid, struct as_game **game, uint64_t *index, unsigned action,
                      enum as_autoreset mode, const struct bound *bound, unsigned i, unsigned n_cells)
{
    uint64_t before = as_game_score(*game);
    bool was_over = as_game_is_over(*game), played = !was_over && as_game_play(*game, action) == 1;
    assert_true(bound->rewards[i] == (double)(as_game_score(*game) - before));
    assert_int_equal(bound->illegal[i], !was_over && !played);
    bool is_over = as_game_is_over(*game);
    if (is_over && played && mode == AS_AUTORESET_SAME_STEP) {
        assert_true(shows(grid, as_game_board(*game), bound->final_cells + i * n_cells));
        assert_int_equal(bound->final_scores[i], as_game_score(*game));
        assert_int_equal(bound->final_moves[i], as_game_moves(*game));
    }
    if ((was_over && mode == AS_AUTORESET_NEXT_STEP) || (is_over && mode == AS_AUTORESET_SAME_STEP)) {
        assert_int_equal(bound->terminated[i], !was_over);
        as_game_free(*game);
        assert_int_equal(as_game_begin(game, grid, 7, *index += GAMES), AS_OK);
    } else {
        assert_int_equal(bound->terminated[i], is_over);
    }
    check_shown(grid, bound, i, *game, n_cells);
}

static void check_vector(unsigned rows, unsigned cols, enum as_autoreset mode, size_t action_bytes, unsigned n_steps)
{
    static struct bound bound;
    struct as_grid *grid;
    struct as_random *random;
    struct as_game *games[GAMES];
    uint64_t index[GAMES];
    int64_t wide[GAMES];
    int8_t narrow[GAMES];
    assert_int_equal(as_grid_create(&grid, rows, cols), AS_OK);
    assert_int_equal(as_random_create(&random, 1, 2), AS_OK);
    struct as_vector *vector = make_vector(grid, &bound, mode, 7);
    for (unsigned i = 0; i < GAMES; i++) {
        assert_int_equal(as_game_begin(&games[i], grid, 7, index[i] = i), AS_OK);
        check_shown(grid, &bound, i, games[i], rows * cols);
    }
    for (unsigned step = 0; step < n_steps; step++) {
        for (unsigned i = 0; i < GAMES; i++)
            wide[i] = narrow[i] = (int8_t)as_random_below(random, 4);
        const void *actions = action_bytes == 1 ? (void *)narrow : (void *)wide;
        assert_int_equal(as_vector_step(vector, actions, action_bytes), AS_OK);
        for (unsigned i = 0; i < GAMES; i++)
            step_game(grid, &games[i], &index[i], (unsigned)wide[i], mode, &bound, i, rows * cols);
    }
    for (unsigned i = 0; i < GAMES; i++)
        as_game_free(games[i]);
    as_vector_free(vector);
    as_random_free(random);
    as_grid_free(grid);
}

static void test_vectors_of_games(void **state)
{
    (void)state;
    check_vector(3, 3, AS_AUTORESET_NEXT_STEP, 8, 400);
    check_vector(3, 3, AS_AUTORESET_SAME_STEP, 1, 400);
    check_vector(2, 2, AS_AUTORESET_DISABLED, 8, 100);
    check_vector(2, 5, AS_AUTORESET_SAME_STEP, 8, 400);
    check_vector(4, 4, AS_AUTORESET_NEXT_STEP, 1, 500);
    check_vector(4, 4, AS_AUTORESET_SAME_STEP, 8, 500);
}

static void test_sample_and_random_play(void **state)
{
    (void)state;
    static struct bound one, two;
    struct as_grid *grid;
    struct as_random *a, *b;
    int32_t actions[GAMES];
    assert_int_equal(as_grid_create(&grid, 4, 4), AS_OK);
    assert_int_equal(as_random_create(&a, 1, 0), AS_OK);
    assert_int_equal(as_random_create(&b, 1, 0), AS_OK);
    struct as_vector *stepped = make_vector(grid, &one, AS_AUTORESET_NEXT_STEP, 3);
    struct as_vector *played = make_vector(grid, &two, AS_AUTORESET_NEXT_STEP, 3);
    for (unsigned step = 0; step < 300; step++) {
        assert_int_equal(as_vector_sample(stepped, a, actions, sizeof *actions), AS_OK);
        for (unsigned i = 0; i < GAMES; i++)
            assert_true(one.terminated[i] || one.legal[4 * i + (unsigned)actions[i]]);
        assert_int_equal(as_vector_step(stepped, actions, sizeof *actions), AS_OK);
    }
    assert_int_equal(as_vector_play_random(played, b, 300), AS_OK);
    assert_memory_equal(one.cells, two.cells, sizeof one.cells);
    assert_memory_equal(one.scores, two.scores, sizeof one.scores);
    as_vector_free(stepped);
    as_vector_free(played);
    as_random_free(a);
    as_random_free(b);
    as_grid_free(grid);
}

static void test_reset_and_boards(void **state)
{
    (void)state;
    static struct bound bound;
    static uint8_t which[GAMES], boards[GAMES * 16];
    uint64_t seeds[GAMES], indices[GAMES], seen_seeds[GAMES], seen_indices[GAMES];
    struct as_grid *grid;
    struct as_game *game;
    assert_int_equal(as_grid_create(&grid, 4, 4), AS_OK);
    struct as_vector *vector = make_vector(grid, &bound, AS_AUTORESET_DISABLED, 9);
    for (unsigned i = 0; i < GAMES; i++) {
        seeds[i] = 100 + i;
        indices[i] = 3 * i;
        which[i] = i % 2;
        boards[16 * i] = 17;
    }
    assert_int_equal(as_vector_reset(vector, which, seeds, indices), AS_OK);
    assert_int_equal(as_vector_get_seeds(vector, seen_seeds, seen_indices), AS_OK);
    for (unsigned i = 0; i < GAMES; i++) {
        assert_int_equal(seen_seeds[i], which[i] ? seeds[i] : 9);
        assert_int_equal(seen_indices[i], which[i] ? indices[i] : i);
        assert_int_equal(as_game_begin(&game, grid, seen_seeds[i], seen_indices[i]), AS_OK);
        check_shown(grid, &bound, i, game, 16);
        as_game_free(game);
    }
    assert_int_equal(as_vector_reset(vector, NULL, NULL, NULL), AS_OK);
    assert_int_equal(as_vector_get_seeds(vector, NULL, seen_indices), AS_OK);
    assert_int_equal(seen_indices[1], indices[1] + GAMES);
    assert_int_equal(as_vector_set_boards(vector, which, boards), AS_OK);
    assert_int_equal(bound.cells[16], 17);
    assert_int_not_equal(bound.cells[0], 17);
    boards[16] = 18;
    assert_int_equal(as_vector_set_boards(vector, which, boards), AS_INVALID);
    as_vector_free(vector);
    as_grid_free(grid);
}

static void test_wrong_arguments(void **state)
{
    (void)state;
    static struct bound bound;
    struct as_grid *grid;
    struct as_vector *vector = NULL, *none;
    uint8_t cells[16] = {0}, bad[32] = {[20] = 18};
    int64_t actions[GAMES] = {[5] = 4};
    assert_int_equal(as_grid_create(&grid, 4, 4), AS_OK);
    vector = make_vector(grid, &bound, AS_AUTORESET_NEXT_STEP, 1);
    uint8_t before[sizeof bound.cells];
    memcpy(before, bound.cells, sizeof before);
    assert_int_equal(as_vector_step(vector, actions, 8), AS_USAGE);
    expect_error("action 4 of game 5");
    actions[5] = -1;
    assert_int_equal(as_vector_step(vector, actions, 8), AS_USAGE);
    assert_int_equal(as_vector_step(vector, actions, 3), AS_USAGE);
    assert_int_equal(as_vector_step(vector, NULL, 8), AS_USAGE);
    assert_memory_equal(before, bound.cells, sizeof before);
    assert_int_equal(as_moves_many(grid, bad, 2, NULL, NULL, NULL), AS_INVALID);
    expect_error("board 1 has the value 18 in row 1, column 0");
    assert_int_equal(as_moves_many(grid, NULL, 1, NULL, NULL, NULL), AS_USAGE);
    assert_int_equal(as_moves_many(grid, NULL, 0, NULL, NULL, NULL), AS_OK);
    assert_int_equal(as_moves_many(NULL, cells, 1, NULL, NULL, NULL), AS_USAGE);
    const struct as_vector_arrays arrays = {.size = sizeof arrays, .cells = cells};
    struct as_vector_settings settings = {.size = sizeof settings, .n = 0};
    assert_int_equal(as_vector_create(&none, grid, &settings, &arrays), AS_USAGE);
    settings.n = 1;
    settings.autoreset = (enum as_autoreset)3;
    assert_int_equal(as_vector_create(&none, grid, &settings, &arrays), AS_USAGE);
    settings.autoreset = AS_AUTORESET_NEXT_STEP;
    settings.size = 0;
    assert_int_equal(as_vector_create(&none, grid, &settings, &arrays), AS_USAGE);
    assert_null(none);
    as_vector_free(NULL);
    as_vector_free(vector);
    as_grid_free(grid);
}

/* Settings of an older header are shorter, those of a newer one longer. */
static void test_sizes_of_settings(void **state)
{
    (void)state;
    struct as_grid *grid;
    struct as_vector *vector;
    uint8_t cells[3 * 16];
    struct {
        struct as_vector_settings known;
        uint64_t unknown;
    } newer = {.known = {.size = sizeof newer, .n = 3}};
    const struct as_vector_arrays arrays = {.size = offsetof(struct as_vector_arrays, rewards), .cells = cells};
    assert_int_equal(as_grid_create(&grid, 4, 4), AS_OK);
    assert_int_equal(as_vector_create(&vector, grid, &newer.known, &arrays), AS_OK);
    as_vector_free(vector);
    newer.unknown = 1;
    assert_int_equal(as_vector_create(&vector, grid, &newer.known, &arrays), AS_USAGE);
    expect_error("of which this version");
    as_grid_free(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boards),
        cmocka_unit_test(test_spawns),
        cmocka_unit_test(test_vectors_of_games),
        cmocka_unit_test(test_sample_and_random_play),
        cmocka_unit_test(test_reset_and_boards),
        cmocka_unit_test(test_wrong_arguments),
        cmocka_unit_test(test_sizes_of_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
