/* Records, weights and training runs through the public API. */
#include "scratch.h"

#include <afterstate/afterstate.h>

#include <math.h>

static void expect_error(const char *part)
{
    if (!strstr(as_last_error(), part))
        fail_msg("the message is \"%s\", expected \"%s\" in it", as_last_error(), part);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

enum { MAX_MOVES = 2000 };

struct moves_of_game {
    uint8_t start[9], cells[(MAX_MOVES + 1) * 9], directions[MAX_MOVES], spawn_cells[MAX_MOVES],
        spawn_values[MAX_MOVES];
    uint32_t rewards[MAX_MOVES];
};

static struct as_record_steps steps_of(struct moves_of_game *game)
{
    return (struct as_record_steps){.size = sizeof(struct as_record_steps),
                                    .start = game->start,
                                    .cells = game->cells,
                                    .directions = game->directions,
                                    .spawn_cells = game->spawn_cells,
                                    .spawn_values = game->spawn_values,
                                    .rewards = game->rewards};
}

/* Plays game `index` of seed 3: always the first legal direction. Returns the number of moves. */
static unsigned play(const struct as_grid *grid, uint64_t index, struct moves_of_game *out)
{
    struct as_game *game;
    unsigned n = 0;
    assert_int_equal(as_game_begin(&game, grid, 3, index), AS_OK);
    for (struct as_board board = as_game_board(game);; n++) {
        assert_int_equal(as_boards_to_cells(grid, &board, 1, out->cells + 9 * n), AS_OK);
        if (as_game_is_over(game))
            break;
        unsigned direction = (unsigned)__builtin_ctz((unsigned)as_legal_moves(grid, board));
        struct as_board after;
        assert_int_equal(as_move(grid, board, direction, &after, &out->rewards[n]), 1);
        assert_int_equal(as_game_play(game, direction), 1);
        board = as_game_board(game);
        out->directions[n] = (uint8_t)direction;
        for (unsigned cell = 0; cell < 9; cell++)
            if (as_board_get(grid, board, cell / 3, cell % 3) != as_board_get(grid, after, cell / 3, cell % 3)) {
                out->spawn_cells[n] = (uint8_t)cell;
                out->spawn_values[n] = (uint8_t)as_board_get(grid, board, cell / 3, cell % 3);
            }
    }
    memcpy(out->start, out->cells, 9);
    as_game_free(game);
    return n;
}

static void test_records(void **state)
{
    (void)state;
    static struct moves_of_game written[3], read;
    struct as_grid *grid;
    struct as_record_writer *writer;
    struct as_record_reader *reader;
    struct as_record_game game = {.seed = 3};
    struct as_record_info info;
    unsigned n_moves[3];
    assert_int_equal(as_grid_create(&grid, 3, 3), AS_OK);
    assert_int_equal(as_record_writer_open(&writer, scratch_path("games.rec"), grid, "first legal"), AS_OK);
    for (unsigned i = 0; i < 3; i++) {
        game.index = i;
        game.n_moves = n_moves[i] = play(grid, i, &written[i]);
        const struct as_record_steps steps = steps_of(&written[i]);
        assert_int_equal(as_record_writer_add(writer, &game, &steps), AS_OK);
        written[i].directions[4] ^= 2; /* against the rules, or another board: the next tile may then stand elsewhere */
        uint8_t cell = written[i].spawn_cells[7];
        written[i].spawn_cells[7] = 99;
        assert_int_equal(as_record_writer_add(writer, &game, &steps), AS_INVALID);
        written[i].directions[4] ^= 2;
        assert_int_equal(as_record_writer_add(writer, &game, &steps), AS_INVALID);
        expect_error("move 7");
        written[i].spawn_cells[7] = cell;
    }
    assert_int_equal(as_record_writer_commit(writer), AS_OK);

    assert_int_equal(as_record_reader_open(&reader, scratch_path("games.rec")), AS_OK);
    assert_int_equal(as_record_reader_get_info(reader, &info), AS_OK);
    assert_int_equal(info.n_games, 3);
    assert_string_equal(info.player, "first legal");
    const struct as_record_steps to = steps_of(&read);
    assert_int_equal(as_record_reader_get_steps(reader, &to), AS_USAGE); /* no game yet */
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(as_record_reader_next(reader, &game), 1);
        assert_true(game.seed == 3 && game.index == i && game.n_moves == n_moves[i]);
        assert_int_equal(as_record_reader_get_steps(reader, &to), AS_OK);
        assert_memory_equal(read.cells, written[i].cells, 9 * (n_moves[i] + 1));
        assert_memory_equal(read.directions, written[i].directions, n_moves[i]);
        assert_memory_equal(read.spawn_cells, written[i].spawn_cells, n_moves[i]);
        assert_memory_equal(read.rewards, written[i].rewards, n_moves[i] * sizeof *read.rewards);
    }
    assert_int_equal(as_record_reader_next(reader, &game), 0);
    as_record_reader_free(reader);
    assert_int_equal(as_record_writer_open(&writer, scratch_path("given-up.rec"), grid, NULL), AS_OK);
    as_record_writer_free(writer);
    assert_int_equal(as_record_reader_open(&reader, scratch_path("given-up.rec")), AS_IO);
    assert_null(reader);
    as_grid_free(grid);
}

/* ---- weights ---------------------------------------------------------------------------------------------------- */

static struct as_ntuple_spec spec_of(const char *encoding, const char *stages)
{
    struct as_ntuple_spec spec = {.size = sizeof spec, .rows = 3, .cols = 3, .n_tuples = 2};
    static const uint8_t cells[2][4] = {{0, 1, 2, 4}, {3, 4, 5}};
    spec.n_cells[0] = 4;
    spec.n_cells[1] = 3;
    memcpy(spec.cells[0], cells[0], 4);
    memcpy(spec.cells[1], cells[1], 3);
    strcpy(spec.encoding, encoding);
    strcpy(spec.stages, stages);
    return spec;
}

/* The value of an image-free sum: tables looked up as the header says, over the eight images of a 3x3 board. */
static double plain_value(const struct as_network *network, const uint8_t board[9], unsigned n_tables)
{
    static float weights[20000];
    double sum = 0;
    for (unsigned t = 0; t < n_tables; t++) {
        struct as_ntuple_table table;
        assert_int_equal(as_network_get_table(network, t, &table), AS_OK);
        assert_true(table.n_weights <= 20000);
        assert_int_equal(as_network_get_weights(network, 0, t, weights), AS_OK);
        for (unsigned image = 0; image < 8; image++) {
            size_t index = 0;
            for (unsigned k = 0; k < table.n_cells; k++) {
                unsigned row = table.cells[k] / 3, col = table.cells[k] % 3, swap = row;
                row = image & 1 ? col : row;
                col = image & 1 ? swap : col;
                row = image & 2 ? 2 - row : row;
                col = image & 4 ? 2 - col : col;
                index = index * table.n_digits + table.digit[board[3 * row + col]];
            }
            sum += weights[index];
        }
    }
    return sum;
}

static void check_encoding(const char *encoding, unsigned expected_tables)
{
    static float weights[20000];
    struct as_network *network, *loaded;
    struct as_random *random;
    struct as_ntuple_spec spec = spec_of(encoding, "1"), back = {.size = sizeof back};
    unsigned n_tables, n_stages;
    assert_int_equal(as_network_create(&network, &spec), AS_OK);
    assert_int_equal(as_network_get_spec(network, &back, &n_stages, &n_tables), AS_OK);
    assert_memory_equal(&back, &spec, sizeof spec);
    assert_true(n_tables == expected_tables && n_stages == 1);
    assert_int_equal(as_random_create(&random, 1, 1), AS_OK);
    for (unsigned t = 0; t < n_tables; t++) {
        struct as_ntuple_table table;
        assert_int_equal(as_network_get_table(network, t, &table), AS_OK);
        for (size_t i = 0; i < table.n_weights; i++)
            weights[i] = (float)as_random_below(random, 1000);
        assert_int_equal(as_network_set_weights(network, 0, t, weights), AS_OK);
    }
    assert_int_equal(as_network_save(network, scratch_path("made.net")), AS_OK);
    for (int form = AS_NETWORK_COMPACT; form <= AS_NETWORK_WEIGHTS; form++) {
        assert_int_equal(as_network_load(&loaded, scratch_path("made.net"), (enum as_network_form)form), AS_OK);
        for (unsigned i = 0; i < 100; i++) {
            uint8_t board[9];
            float value;
            for (unsigned cell = 0; cell < 9; cell++)
                board[cell] = (uint8_t)as_random_below(random, 11);
            assert_int_equal(as_network_values(loaded, board, 1, &value), AS_OK);
            assert_true(fabs(value - plain_value(network, board, n_tables)) < 0.01);
        }
        as_network_free(loaded);
    }
    as_random_free(random);
    as_network_free(network);
}

static void test_weights(void **state)
{
    (void)state;
    check_encoding("plain 11", 2);
    check_encoding("plain 5", 2);
    check_encoding("1-4 5-10", 4);
}

static void test_wrong_weights(void **state)
{
    (void)state;
    struct as_network *network;
    float weights[11 * 11 * 11 * 11] = {0};
    struct as_ntuple_spec spec = spec_of("plain 99", "1");
    assert_int_equal(as_network_create(&network, &spec), AS_INVALID);
    assert_null(network);
    spec = spec_of("plain 11", "0 3");
    assert_int_equal(as_network_create(&network, &spec), AS_INVALID);
    spec = spec_of("plain 11", "1");
    spec.cells[0][1] = 0; /* not ascending */
    assert_int_equal(as_network_create(&network, &spec), AS_INVALID);
    spec = spec_of("plain 11", "1");
    spec.n_tuples = 65;
    assert_int_equal(as_network_create(&network, &spec), AS_INVALID);
    spec = spec_of("plain 11", "1");
    assert_int_equal(as_network_create(&network, &spec), AS_OK);
    weights[5] = NAN;
    assert_int_equal(as_network_set_weights(network, 0, 0, weights), AS_INVALID);
    expect_error("weight 5");
    assert_int_equal(as_network_set_weights(network, 1, 0, weights), AS_USAGE);
    assert_int_equal(as_network_set_weights(network, 0, 2, weights), AS_USAGE);
    assert_int_equal(as_network_get_weights(network, 0, 0, NULL), AS_USAGE);
    assert_int_equal(as_network_save(network, scratch_path("plain.net")), AS_OK);
    as_network_free(network);
    assert_int_equal(as_network_open(&network, scratch_path("plain.net")), AS_OK);
    assert_int_equal(as_network_get_weights(network, 0, 0, weights), AS_USAGE);
    expect_error("AS_NETWORK_WEIGHTS");
    as_network_free(network);
    assert_int_equal(as_network_load(&network, scratch_path("plain.net"), (enum as_network_form)3), AS_USAGE);
    char net[PATH_MAX], npz[PATH_MAX];
    strcpy(net, scratch_path("plain.net"));
    strcpy(npz, scratch_path("plain.npz"));
    assert_int_equal(as_network_export(net, npz), AS_OK);
    assert_int_equal(as_network_import(npz, net, scratch_path("back.net")), AS_OK);
    assert_int_equal(as_network_import(npz, NULL, net), AS_USAGE);
    assert_int_equal(as_network_export(scratch_path("nothing.net"), npz), AS_IO);
}

/* ---- training --------------------------------------------------------------------------------------------------- */

struct watcher {
    unsigned n_calls, stop_at;
    uint64_t planned;
};

static int watch(void *context, uint64_t actions, uint64_t planned_actions, const char *message)
{
    struct watcher *watcher = context;
    (void)actions, (void)message;
    watcher->planned = planned_actions;
    return ++watcher->n_calls == watcher->stop_at;
}

static void test_training(void **state)
{
    (void)state;
    static const char recipe[] = "[board]\nrows = 3\ncols = 3\n[network]\ntuple = 0 1 2 3\nvalues = 11\n"
                                 "[train]\nthreads = 1\n[eval]\nevery = 20000\ngames = 20\n";
    char recipe_path[PATH_MAX], directory[PATH_MAX];
    strcpy(recipe_path, scratch_path("recipe.ini"));
    strcpy(directory, scratch_path("run"));
    FILE *file = fopen(recipe_path, "w");
    assert_non_null(file);
    assert_true(fputs(recipe, file) >= 0 && fclose(file) == 0);
    const char *overrides[] = {"train.actions=40000", "learn.rate=0.5"};
    struct as_training_settings settings = {.size = sizeof settings,
                                            .recipe = recipe_path,
                                            .directory = directory,
                                            .overrides = overrides,
                                            .n_overrides = 2};
    struct as_training *training, *second;
    struct as_training_state result;
    struct watcher watcher = {.stop_at = 1};
    assert_int_equal(as_training_open(&training, &settings), AS_OK);
    assert_int_equal(as_training_open(&second, &settings), AS_USAGE); /* locked */
    assert_null(second);
    assert_int_equal(as_training_advance(training, 0, watch, &watcher, &result), AS_OK);
    assert_int_equal(result.end, AS_TRAINING_STOPPED);
    assert_int_equal(watcher.planned, 40000);
    assert_int_equal(as_training_advance(training, 0, NULL, NULL, &result), AS_OK);
    assert_true(result.end == AS_TRAINING_DONE && result.actions >= 40000);
    assert_int_equal(as_training_advance(training, 1, NULL, NULL, NULL), AS_OK); /* nothing left */
    assert_int_equal(as_training_advance(training, -1, NULL, NULL, NULL), AS_USAGE);
    assert_int_equal(as_training_advance(training, NAN, NULL, NULL, NULL), AS_USAGE);
    as_training_free(training);
    settings = (struct as_training_settings){.size = sizeof settings, .directory = directory}; /* as it was */
    assert_int_equal(as_training_open(&training, &settings), AS_OK);
    as_training_free(training);
    settings.directory = scratch_path("nothing");
    assert_int_equal(as_training_open(&training, &settings), AS_IO);
    settings.directory = NULL;
    assert_int_equal(as_training_open(&training, &settings), AS_USAGE);
    as_training_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_wrong_weights),
        cmocka_unit_test(test_training),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
