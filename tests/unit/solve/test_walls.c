/* Layouts with walls: their text, boards of the real game that fit them, and tables that are stopped, damaged,
   asked. */
#include "table_files.h"

#include "base/random.h"
#include "base/signals.h"
#include "game/notation.h"
#include "solve/query.h"
#include "solve/table.h"

#include <math.h>
#include <signal.h>

static void layouts_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint16_t cells;
    } cases[] = {{"block", 0x77}, {"rows", 0x3f}, {"row", 0xf}, {"square", 0x33}, {"0-3,4,5", 0x3f}, {"15 0", 0x8001}};
    char text[WALLS_TEXT_BYTES];
    struct grid grid, small;
    uint16_t cells;
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(grid_create(&small, 3, 3));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ok(walls_parse(cases[i].text, &grid, &cells));
        assert_int_equal(cells, cases[i].cells);
        assert_ok(walls_parse(walls_text(cells, text), &grid, &cells));
        assert_int_equal(cells, cases[i].cells);
    }
    assert_string_equal(walls_text(UINT16_MAX, text), "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    static const char *const wrong[] = {"", "blok", "16", "3-1", "1-", "-1", "0 1 x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(walls_parse(wrong[i], &grid, &cells), STATUS_USAGE);
    assert_int_equal(walls_parse("block", &small, &cells), STATUS_USAGE);
    assert_message("a layout of 4x4");
    assert_int_equal(walls_parse("9", &small, &cells), STATUS_USAGE);
    grid_free(&grid);
    grid_free(&small);
}

static void wrong_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        struct walls walls;
        unsigned goal;
        const char *says;
    } cases[] = {{{0x7, 0, 0}, 9, "leave 13 free cells"}, {{0xffff, 0, 0}, 9, "leave 0 free cells"},
                 {{0x77, 0, 0}, 0, "needs a target"},     {{0x77, 0, 0}, 16, "needs a target"},
                 {{0x77, 0x1, 0}, 9, "--at names one"},   {{0, 0x1, 0}, 9, "go with walls"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct solve_settings settings = settings_of(4, 4, scratch_path("refused"));
        struct solve_report report;
        settings.walls = cases[i].walls;
        settings.goal = cases[i].goal;
        assert_int_equal(solve(&settings, 1, &report), STATUS_USAGE);
        assert_message(cases[i].says);
    }
}

/* A small layout with a symmetry: three locked cells around a corner of 3x3. */
static struct solve_settings corner_settings(const char *directory)
{
    struct solve_settings settings = settings_of(3, 3, directory);
    settings.walls = (struct walls){0x0b, 0, 0};
    settings.goal = 5;
    return settings;
}

static void real_boards_are_answered_in_all_images(void **state)
{
    (void)state;
    char directory[PATH_MAX];
    struct solve_report report;
    struct table *table;
    struct query_tables tables = {.main = VARIANT_NORMAL};
    snprintf(directory, sizeof directory, "%s", scratch_path("images"));
    struct solve_settings settings = corner_settings(directory);
    assert_ok(solve(&settings, 2, &report));
    assert_ok(table_open(&table, directory));
    assert_ok(query_add_table(&tables, table, VARIANT_NORMAL));
    const struct grid *grid = table_grid(table);
    struct board board;
    struct query_answer answer, image_answer;
    assert_ok(notation_parse(grid, "64 128 2 / 32 4 8 / 0 2 0", &board));
    assert_ok(query_board(&tables, board, &answer));
    assert_int_equal(answer.age, 16);
    assert_true(answer.value[VARIANT_NORMAL] > 0 && answer.value[VARIANT_NORMAL] < 1);
    unsigned n_walls_moved = 0;
    for (unsigned s = 0; s < grid->n_symmetries; s++) {
        assert_ok(query_board(&tables, grid_image(grid, board, s), &image_answer));
        assert_int_equal(image_answer.age, 16);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            const struct query_move *one = &answer.moves[d];
            const struct query_move *other = &image_answer.moves[grid_image_direction(d, s)];
            assert_int_equal(one->legal, other->legal);
            assert_int_equal(one->moves_wall, other->moves_wall);
            assert_int_equal(one->reward, other->reward);
            assert_true(!one->legal || one->value[VARIANT_NORMAL] == other->value[VARIANT_NORMAL]);
            n_walls_moved += one->moves_wall;
        }
    }
    assert_true(n_walls_moved > 0);
    /* Which tiles the walls are does not matter, as long as they are large and cannot merge. */
    assert_ok(notation_parse(grid, "1024 32 2 / 512 4 8 / 0 2 0", &board));
    assert_ok(query_board(&tables, board, &image_answer));
    assert_memory_equal(&image_answer, &answer, sizeof answer);
    assert_ok(notation_parse(grid, "64 64 2 / 32 4 8 / 0 2 0", &board));
    assert_int_equal(query_board(&tables, board, &answer), STATUS_INVALID);
    assert_message("would merge");
    assert_ok(notation_parse(grid, "64 32 128 / 2 4 8 / 0 2 0", &board));
    assert_int_equal(query_board(&tables, board, &answer), STATUS_INVALID);
    assert_message("do not stand on the walls");
    assert_ok(notation_parse(grid, "64 128 2 / 16 4 8 / 0 2 0", &board)); /* a wall that is below the target */
    assert_int_equal(query_board(&tables, board, &answer), STATUS_INVALID);
    table_close(table);
}

static void boards_come_back_from_the_table(void **state)
{
    (void)state;
    struct grid grid;
    struct rng rng = random_stream(3, 0);
    assert_ok(grid_create(&grid, 4, 4));
    static const uint16_t layouts[] = {0x77, 0x3f, 0x0f, 0x33, 0x1ff, 0x8421, 0xffe0};
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        for (unsigned goal = 3; goal <= 15; goal += 2) {
            const struct walls walls = {layouts[i], 0, 0};
            struct board inside = {0}, found;
            unsigned symmetry;
            for (unsigned cell = 0; cell < 16; cell++)
                inside = walls.cells >> cell & 1 ? inside : board_set(inside, cell, (unsigned)random_below(&rng, goal));
            struct board real = walls_fill(walls, &grid, goal, inside);
            assert_true(grid_holds(&grid, real));
            assert_ok(walls_fit(walls, &grid, goal, real, &found, &symmetry));
            assert_int_equal(symmetry, 0);
            assert_true(board_equal(found, inside));
        }
    }
    grid_free(&grid);
}

/* Stopped at every opportunity and resumed, a table is the same as one that was never stopped. */
static void stopped_solves_resume(void **state)
{
    (void)state;
    static const struct {
        enum solve_store store;
        uint32_t checkpoint_every;
    } kinds[] = {{STORE_VALUES, 1}, {STORE_MOVES, 1}, {STORE_MOVES, 2}, {STORE_NONE, 2}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char whole[PATH_MAX], stopped[PATH_MAX], name[32];
        struct solve_report report;
        snprintf(name, sizeof name, "whole%zu", i);
        snprintf(whole, sizeof whole, "%s", scratch_path(name));
        snprintf(name, sizeof name, "stopped%zu", i);
        snprintf(stopped, sizeof stopped, "%s", scratch_path(name));
        struct solve_settings settings = corner_settings(whole);
        settings.store = kinds[i].store;
        settings.checkpoint_every = kinds[i].checkpoint_every;
        assert_ok(solve(&settings, 2, &report));
        const double mean = report.summary.expected_score;
        settings.directory = stopped;
        enum status status = STATUS_INTERRUPTED;
        unsigned n_stops = 0;
        while (status == STATUS_INTERRUPTED) {
            assert_ok(signals_catch_interrupt());
            raise(SIGINT); /* noticed after the first age of a pass */
            status = solve(&settings, 1, &report);
            signals_restore();
            n_stops++;
            assert_true(n_stops < 1000);
        }
        assert_ok(status);
        assert_true(n_stops > 10);
        assert_true(report.summary.expected_score == mean);
        assert_same_directories(whole, stopped);
    }
}

/* Sets that are made again from checkpoints give the same values. */
static void checkpoints_change_no_value(void **state)
{
    (void)state;
    struct solve_report every, some;
    struct solve_settings settings = corner_settings(scratch_path("every"));
    settings.store = STORE_NONE;
    assert_ok(solve(&settings, 2, &every));
    settings.directory = scratch_path("some");
    settings.checkpoint_every = 5;
    assert_ok(solve(&settings, 2, &some));
    assert_true(every.summary.expected_score == some.summary.expected_score);
    assert_true(every.summary.best_start == some.summary.best_start);
    assert_int_equal(every.summary.n_states, some.summary.n_states);
}

static void other_walls_need_another_directory(void **state)
{
    (void)state;
    struct solve_report report;
    char directory[PATH_MAX];
    snprintf(directory, sizeof directory, "%s", scratch_path("other"));
    struct solve_settings settings = corner_settings(directory);
    assert_ok(solve(&settings, 1, &report));
    settings.walls.at = 0x4;
    assert_int_equal(solve(&settings, 1, &report), STATUS_USAGE);
    assert_message("was started with --walls 0 1 3");
    settings.walls = (struct walls){0};
    assert_int_equal(solve(&settings, 1, &report), STATUS_USAGE);
}

/* Each file lost in turn, each byte region damaged: the table is made again as it was. */
static void damaged_files_are_made_again(void **state)
{
    (void)state;
    static const char *const names[] = {"sets-00012.table", "values-00094.table"};
    char whole[PATH_MAX], damaged[PATH_MAX];
    struct solve_report report;
    snprintf(whole, sizeof whole, "%s", scratch_path("undamaged"));
    snprintf(damaged, sizeof damaged, "%s", scratch_path("damaged"));
    struct solve_settings settings = corner_settings(whole);
    assert_ok(solve(&settings, 2, &report));
    settings.directory = damaged;
    assert_ok(solve(&settings, 2, &report));
    assert_same_directories(whole, damaged);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        size_t bytes;
        char *data = read_file(damaged, names[i], &bytes);
        data[bytes / 2] ^= 4;
        write_file(damaged, names[i], data, bytes);
        free(data);
        assert_ok(solve(&settings, 2, &report));
        assert_same_directories(whole, damaged);
    }
}

/* A table of moves says what a table of values says is best. */
static void stored_moves_are_best(void **state)
{
    (void)state;
    struct solve_report report;
    struct table *values, *moves;
    char directory[2][PATH_MAX];
    struct query_tables tables = {.main = VARIANT_NORMAL};
    for (unsigned i = 0; i < 2; i++) {
        snprintf(directory[i], sizeof directory[i], "%s", scratch_path(i ? "moves" : "values"));
        struct solve_settings settings = corner_settings(directory[i]);
        settings.store = i ? STORE_MOVES : STORE_VALUES;
        settings.fraction_bits = 32;
        assert_ok(solve(&settings, 2, &report));
    }
    assert_ok(table_open(&values, directory[0]));
    assert_ok(table_open(&moves, directory[1]));
    assert_ok(query_add_table(&tables, values, VARIANT_NORMAL));
    struct workers *workers;
    assert_ok(workers_create(&workers, 1));
    uint64_t n = 0;
    for (size_t a = 0; a < table_n_ages(values); a++) {
        struct age_set states = {0};
        assert_ok(table_load_states(values, workers, table_age_at(values, a)->age, &states));
        for (size_t i = 0; i < states.n_spans; i++) {
            struct age_walk walk;
            age_walk_begin(&walk, &states, &states.spans[i]);
            while (age_walk_next(&walk)) {
                struct query_answer answer;
                enum direction best;
                struct board real = table_leave(values, (struct board){.cells = walk.cells});
                real = grid_image(table_grid(values), real, (unsigned)(n++ % 8));
                assert_ok(query_board(&tables, real, &answer));
                assert_ok(query_move(moves, real, &best));
                if (answer.best == DIRECTION_COUNT)
                    assert_int_equal(best, DIRECTION_COUNT);
                else
                    assert_true(answer.moves[best].legal && answer.moves[best].loss < 1e-8);
            }
        }
        age_set_free(&states);
    }
    assert_int_equal(n, table_summary(values)->n_states);
    workers_free(workers);
    table_close(values);
    table_close(moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_are_read),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(real_boards_are_answered_in_all_images),
        cmocka_unit_test(boards_come_back_from_the_table),
        cmocka_unit_test(stopped_solves_resume),
        cmocka_unit_test(checkpoints_change_no_value),
        cmocka_unit_test(other_walls_need_another_directory),
        cmocka_unit_test(damaged_files_are_made_again),
        cmocka_unit_test(stored_moves_are_best),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
