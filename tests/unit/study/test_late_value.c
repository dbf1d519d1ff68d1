/* The value function of two networks and endgame tables: against a plain composition of its parts, on boards of every
   phase; its constants; and how a player is put together from files, named and distinguished. */
#include "network_sample.h"
#include "table_files.h"

#include "game/notation.h"
#include "learn/train_recipe.h"
#include "packed/network_file.h"
#include "study/evaluator_choice.h"
#include "study/late_value.h"
#include "study/named_files.h"

#include <afterstate/afterstate.h>

#include <math.h>
#include <sys/stat.h>

enum { GOAL = 6, N_BOARDS = 200, N_ROUNDS = 40 };
enum phase { EARLY, LATE, KNOWN, MADE, N_PHASES };

static char folder[PATH_MAX];

/* Tables of 8 locked cells, and networks of 4x4 and 3x3 with some weights. */
static int make_files(void **state)
{
    struct solve_report report;
    struct grid grid;
    char path[PATH_MAX];
    if (scratch_setup(state))
        return -1;
    snprintf(folder, sizeof folder, "%s", scratch_path("tables"));
    snprintf(path, sizeof path, "%s/block8", folder);
    struct solve_settings settings = settings_of(4, 4, path);
    assert_int_equal(mkdir(folder, 0777), 0);
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(walls_parse("block8", &grid, &settings.walls.cells));
    grid_free(&grid);
    settings.goal = GOAL;
    assert_ok(solve(&settings, 2, &report));
    static const struct {
        const char *name;
        unsigned sparse, side;
    } files[] = {{"early.net", 2, 4}, {"late.net", 3, 4}, {"small.net", 3, 3}};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        struct network *network = sample_network(
            &(struct sample){files[i].side, files[i].side, "0 1 2/0 1 4", "plain 16", "1", false, 0}, files[i].sparse);
        assert_ok(network_save(network, scratch_path(files[i].name), NULL, NETWORK_FLOAT32, NULL));
        network_free(network);
    }
    return 0;
}

/* Two functions that are not alike, and not alike on any two boards. */
static void plain_values(const void *context, const struct board *after, size_t n, float *out)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t mixed = (after[i].cells ^ (uint64_t)after[i].high << 20) * UINT64_C(0x9e3779b97f4a7c15);
        out[i] = (float)(mixed >> 40) + *(const float *)context;
    }
}

/* late_value.h, read aloud. */
static float compose(const struct late_value *late, struct board board, enum phase *phase)
{
    uint32_t sum = 0, parts = 0;
    float chance, value;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        unsigned tile = board_get(board, cell);
        sum += tile >= 11 ? UINT32_C(1) << tile : 0;
        parts += tile >= 12 ? UINT32_C(1) << tile : 0;
    }
    *phase = sum < 30720                                                      ? EARLY
             : parts >= 32768                                                 ? MADE
             : late->endgame && endgame_chance(late->endgame, board, &chance) ? KNOWN
                                                                              : LATE;
    if (*phase == KNOWN)
        return 400000 * 0.5F * (chance * 0.95F);
    value = value_of(*phase == EARLY ? &late->early : &late->late, board);
    return *phase == LATE ? value * 0.5F : *phase == MADE ? 400000 * 0.5F + value * 0.5F : value;
}

/* Some tiles up to a largest; or large tiles where the table wants them. */
static struct board draw(struct rng *rng, const struct grid *grid)
{
    struct board board = {0};
    if (random_below(rng, 3) == 0) {
        assert_ok(notation_parse(grid, "16384 8192 4096 0 / 2048 1024 512 2 / 128 64 4 0 / 8 2 0 0", &board));
        board = board_set(board, 12, (unsigned)random_below(rng, 5));
        return grid_image(grid, board, (unsigned)random_below(rng, grid->n_symmetries));
    }
    unsigned largest = 10 + (unsigned)random_below(rng, 8);
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++)
        if (random_below(rng, 3) == 0)
            board = board_set(board, cell, (unsigned)random_below(rng, largest + 1));
    return board;
}

static void check_batches(const struct late_value *late, const struct grid *grid, unsigned *count)
{
    struct value_function function = late_value_function(late);
    struct rng rng = random_stream(7, 0);
    struct board boards[N_BOARDS];
    float values[N_BOARDS];
    for (unsigned round = 0; round < N_ROUNDS; round++) {
        size_t n = round < 3 ? 63 + round : round < 5 ? 127 + round : 1 + (size_t)random_below(&rng, N_BOARDS);
        for (size_t i = 0; i < n; i++)
            boards[i] = draw(&rng, grid);
        value_of_batch(&function, boards, n, values);
        for (size_t i = 0; i < n; i++) {
            enum phase phase;
            float expected = compose(late, boards[i], &phase);
            if (fabsf(values[i] - expected) > fabsf(expected) * 1e-6F)
                fail_msg("phase %d: %.9g, expected %.9g", (int)phase, (double)values[i], (double)expected);
            count[phase]++;
        }
    }
}

static void values_are_those_of_the_parts(void **state)
{
    (void)state;
    static const float zero = 0, some = 1e8F;
    struct grid grid;
    assert_ok(grid_create(&grid, 4, 4));
    struct late_value late = {.early = {.context = &zero, .values = plain_values, .symmetric = true, .batch = 3},
                              .late = {.context = &some, .values = plain_values, .symmetric = true, .batch = 9}};
    assert_true(late_value_function(&late).symmetric);
    assert_int_equal(late_value_function(&late).batch, 9);
    unsigned count[N_PHASES] = {0};
    check_batches(&late, &grid, count);
    assert_true(count[EARLY] > 100 && count[LATE] > 100 && count[KNOWN] == 0 && count[MADE] > 100);
    struct endgame *endgame;
    assert_ok(endgame_open(&endgame, folder));
    late.endgame = endgame;
    check_batches(&late, &grid, count);
    assert_true(count[KNOWN] > 100);
    late.late.symmetric = false;
    assert_false(late_value_function(&late).symmetric);
    endgame_close(endgame);
    grid_free(&grid);
}

static void the_recipe_has_the_same_constants(void **state)
{
    (void)state;
    struct recipe *recipe;
    struct train_plan plan;
    char *path;
    assert_ok(named_files_find(&path, "recipes", "late", "recipe", ""));
    assert_ok(recipe_open(&recipe, &train_settings, path));
    assert_ok(train_recipe_resolve(&plan, recipe));
    assert_int_equal(plan.trainer.learn.goal.tile, LATE_GOAL);
    assert_float_equal(plan.trainer.learn.goal.prize, LATE_PRIZE, 0);
    assert_float_equal(plan.trainer.learn.goal.share, LATE_SHARE_CENT / 100.0F, 0);
    assert_true(plan.trainer.start.n_jumps > 0);
    for (unsigned i = 0; i < plan.trainer.start.n_jumps; i++) { /* the network sees every kind of late board */
        uint32_t sum = 0;
        for (unsigned k = 0; k < plan.trainer.start.jumps[i].n_tiles; k++)
            sum += plan.trainer.start.jumps[i].tiles[k] >= LATE_LEAST
                       ? UINT32_C(1) << plan.trainer.start.jumps[i].tiles[k]
                       : 0;
        assert_true(sum >= LATE_SUM);
    }
    recipe_free(recipe);
    free(path);
}

/* Opens a player; *identity and the name of the player are what logs of games have. */
static void assert_player(const char *endgame, const char *late_net, const char *suffix, char *identity)
{
    struct evaluator_choice choice;
    char early[PATH_MAX], name[PATH_MAX + 32];
    snprintf(early, sizeof early, "%s", scratch_path("early.net"));
    snprintf(name, sizeof name, "%s%s", early, suffix);
    struct evaluator_request request = {.net = early, .endgame = endgame, .late_net = late_net, .form = LOAD_COMPACT};
    assert_ok(evaluator_choice_open(&choice, &request));
    assert_string_equal(choice.player, name);
    assert_string_equal(choice.name, early);
    assert_int_equal(choice.late.net != NULL, *suffix != 0);
    assert_int_equal(choice.downgrade, *suffix ? LATE_GOAL : 0);
    assert_ok(evaluator_choice_identify(&choice, identity));
    struct evaluator parts[2];
    assert_ok(evaluator_load(&parts[0], early, LOAD_COMPACT, NULL));
    assert_ok(evaluator_load(&parts[1], scratch_path("late.net"), LOAD_COMPACT, NULL));
    struct late_value late = {parts[0].function, parts[1].function, choice.late.endgame};
    struct rng rng = random_stream(9, 0);
    for (unsigned i = 0; i < 500; i++) {
        struct board board = draw(&rng, &choice.grid);
        enum phase phase;
        float value = value_of(&choice.evaluator.function, board);
        float expected = *suffix ? compose(&late, board, &phase) : value_of(&parts[0].function, board);
        assert_true(fabsf(value - expected) <= fabsf(expected) * 1e-6F);
    }
    evaluator_free(&parts[0]);
    evaluator_free(&parts[1]);
    evaluator_choice_close(&choice);
}

static void players_are_told_apart(void **state)
{
    (void)state;
    char identity[5][EVALUATOR_IDENTITY_BYTES], late_net[PATH_MAX], own[PATH_MAX];
    snprintf(late_net, sizeof late_net, "%s", scratch_path("late.net"));
    snprintf(own, sizeof own, "%s", scratch_path("own"));
    setenv("AFTERSTATE_ENDGAME", own, 1); /* not there */
    assert_player(NULL, NULL, "", identity[0]);
    assert_player("off", NULL, "", identity[1]);
    assert_player("auto", late_net, "", identity[1]);
    assert_string_equal(identity[0], identity[1]);
    assert_int_equal(mkdir(own, 0777), 0); /* there, and empty: a build that was just begun */
    assert_player("auto", late_net, "", identity[1]);
    assert_string_equal(identity[0], identity[1]);
    assert_player("none", late_net, "+late", identity[2]);
    assert_player(folder, late_net, "+endgame", identity[3]);
    setenv("AFTERSTATE_ENDGAME", folder, 1);
    assert_player("auto", late_net, "+endgame", identity[4]);
    assert_string_equal(identity[3], identity[4]);
    assert_player(NULL, NULL, "", identity[1]); /* unless asked for */
    assert_string_not_equal(identity[0], identity[2]);
    assert_string_not_equal(identity[2], identity[3]);
    unsetenv("AFTERSTATE_ENDGAME");
}

static void assert_refused(const struct evaluator_request *request, enum status expected, const char *message)
{
    struct evaluator_choice choice;
    assert_int_equal(evaluator_choice_open(&choice, request), expected);
    assert_message(message);
    assert_null(choice.evaluator.grid);
    evaluator_choice_close(&choice);
}

static void what_is_missing_is_named(void **state)
{
    (void)state;
    char early[PATH_MAX], late[PATH_MAX], small[PATH_MAX], missing[PATH_MAX];
    snprintf(early, sizeof early, "%s", scratch_path("early.net"));
    snprintf(late, sizeof late, "%s", scratch_path("late.net"));
    snprintf(small, sizeof small, "%s", scratch_path("small.net"));
    snprintf(missing, sizeof missing, "%s", scratch_path("missing"));
    struct evaluator_request request = {.net = early, .endgame = missing, .late_net = late};
    assert_refused(&request, STATUS_IO, "missing");
    request.endgame = folder;
    request.late_net = missing;
    assert_refused(&request, STATUS_IO, "missing");
    request.late_net = small;
    assert_refused(&request, STATUS_INVALID, "for 4x4 boards");
    request.net = small;
    request.late_net = late;
    assert_refused(&request, STATUS_USAGE, "are for 4x4, not for 3x3");

    struct as_network *network;
    assert_int_equal(as_network_open(&network, small), AS_OK);
    assert_int_equal(as_network_add_endgame(network, folder, late), AS_INVALID);
    as_network_free(network);
    assert_int_equal(as_network_load(&network, early, AS_NETWORK_WEIGHTS), AS_OK);
    assert_int_equal(as_network_add_endgame(network, folder, late), AS_USAGE);
    as_network_free(network);
    assert_int_equal(as_network_open(&network, early), AS_OK);
    assert_int_equal(as_network_add_endgame(NULL, folder, late), AS_USAGE);
    assert_int_equal(as_network_add_endgame(network, missing, late), AS_IO);
    assert_int_equal(as_network_add_endgame(network, folder, missing), AS_IO);
    assert_int_equal(as_network_add_endgame(network, folder, small), AS_INVALID);
    struct as_board board;
    float before, value;
    const char *text = "16384 8192 4096 0 / 2048 1024 512 2 / 128 64 4 0 / 8 2 0 0";
    assert_int_equal(as_board_parse(as_network_grid(network), text, &board), AS_OK);
    assert_int_equal(as_network_value(network, board, &before), AS_OK);
    assert_int_equal(as_network_add_endgame(network, folder, late), AS_OK);
    assert_int_equal(as_network_add_endgame(network, folder, late), AS_USAGE); /* once */
    assert_int_equal(as_network_value(network, board, &value), AS_OK);
    assert_true(value > 0 && value < 190000 && value != before);
    as_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_parts),
        cmocka_unit_test(the_recipe_has_the_same_constants),
        cmocka_unit_test(players_are_told_apart),
        cmocka_unit_test(what_is_missing_is_named),
    };
    return cmocka_run_group_tests_name("late_value", tests, make_files, scratch_teardown);
}
