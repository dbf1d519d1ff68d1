/* Tables with walls asked for single boards of the real game: against the table itself, in all images; what no table
   covers; and folders that are empty, full, unfinished or damaged. */
#include "table_files.h"

#include "base/random.h"
#include "game/notation.h"
#include "game/spawn.h"
#include "solve/endgame.h"

#include <math.h>
#include <sys/stat.h>

enum { GOAL = 6, N_BOARDS = 4000, ENTRY_BYTES = 32 }; /* 64 */

static char folder[PATH_MAX], directory[PATH_MAX];

static struct solve_settings block8(const char *path)
{
    struct solve_settings settings = settings_of(4, 4, path);
    struct grid grid;
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(walls_parse("block8", &grid, &settings.walls.cells));
    grid_free(&grid);
    settings.goal = GOAL;
    return settings;
}

static int solve_once(void **state)
{
    struct solve_report report;
    if (scratch_setup(state))
        return -1;
    snprintf(folder, sizeof folder, "%s", scratch_path("tables"));
    snprintf(directory, sizeof directory, "%s/block8", folder);
    assert_int_equal(mkdir(folder, 0777), 0);
    struct solve_settings settings = block8(directory);
    assert_ok(solve(&settings, 2, &report));
    return 0;
}

/* An afterstate of the table with other tiles on the walls: all different, from the goal up to 131072. */
static struct board draw(const struct table *table, struct rng *rng, struct board *inside)
{
    const struct table_age *age;
    do
        age = table_age_at(table, (size_t)random_below(rng, table_n_ages(table)));
    while (age->n_afterstates == 0);
    assert_ok(table_board_at(table, age->age, random_below(rng, age->n_afterstates), inside));
    struct board board = *inside;
    unsigned used = 0;
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        if (!(table_summary(table)->walls.cells >> cell & 1))
            continue;
        unsigned value;
        do
            value = GOAL + (unsigned)random_below(rng, BOARD_MAX_VALUE - GOAL + 1);
        while (used >> value & 1);
        used |= 1u << value;
        board = board_set(board, cell, value);
    }
    return board;
}

static void covered_boards_have_the_tables_chance(void **state)
{
    (void)state;
    struct endgame *endgame;
    struct rng rng = random_stream(3, 0);
    assert_ok(endgame_open(&endgame, folder));
    assert_int_equal(endgame_n_tables(endgame), 1);
    const struct table *table = endgame_table(endgame, 0);
    const struct grid *grid = table_grid(table);
    assert_string_equal(table_directory(table), directory);
    unsigned n_very_large = 0;
    for (unsigned i = 0; i < N_BOARDS; i++) {
        struct board inside, board = draw(table, &rng, &inside);
        double value;
        float chance;
        assert_ok(table_value(table, inside, &value));
        n_very_large += board.high != 0;
        for (unsigned s = 0; s < grid->n_symmetries; s++) {
            assert_true(endgame_chance(endgame, grid_image(grid, board, s), &chance));
            assert_true(chance == (float)value);
        }
    }
    assert_true(n_very_large > N_BOARDS / 4); /* 65536 and 131072 */
    endgame_close(endgame);
}

/* After every move that the table allows and that does not make the goal, the chance is what query_board() says. */
static void queries_agree(void **state)
{
    (void)state;
    struct endgame *endgame;
    struct rng rng = random_stream(4, 0);
    unsigned n_checked = 0, n_won = 0;
    assert_ok(endgame_open(&endgame, directory)); /* the table itself instead of its folder */
    const struct table *table = endgame_table(endgame, 0);
    const struct grid *grid = table_grid(table);
    for (unsigned i = 0; i < N_BOARDS; i++) {
        struct board inside, board = draw(table, &rng, &inside);
        struct query_answer answer;
        unsigned goal = 0;
        board = spawn_apply(board, spawn_draw(board, grid->used, &rng));
        board = grid_image(grid, board, (unsigned)random_below(&rng, grid->n_symmetries));
        assert_ok(endgame_query(endgame, board, &answer, &goal));
        assert_int_equal(goal, GOAL);
        struct moves moves = grid_moves(grid, board);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            float chance;
            if (!answer.moves[d].legal)
                continue;
            double value = answer.moves[d].value[VARIANT_NORMAL];
            bool covered = endgame_chance(endgame, moves.after[d], &chance);
            assert_true(covered ? chance == (float)value : value == 1);
            n_checked += covered;
            n_won += !covered;
        }
    }
    assert_true(n_checked > N_BOARDS && n_won > 0);
    endgame_close(endgame);
}

static void assert_not_covered(const struct endgame *endgame, const struct grid *grid, const char *text)
{
    struct board board;
    struct query_answer answer;
    float chance;
    unsigned goal;
    assert_ok(notation_parse(grid, text, &board));
    if (endgame_chance(endgame, board, &chance))
        fail_msg("covered: %s", text);
    assert_int_equal(endgame_query(endgame, board, &answer, &goal), STATUS_INVALID);
}

static void other_boards_are_not_covered(void **state)
{
    (void)state;
    struct endgame *endgame;
    struct board board;
    float chance;
    assert_ok(endgame_open(&endgame, folder));
    const struct grid *grid = table_grid(endgame_table(endgame, 0));
    char walls[WALLS_TEXT_BYTES];
    assert_string_equal(walls_text(table_summary(endgame_table(endgame, 0))->walls.cells, walls), "0 1 2 4 5 6 8 9");
    assert_ok(notation_parse(grid, "8192 4096 2048 0 / 64 128 256 2 / 512 1024 4 0 / 8 2 0 0", &board));
    assert_true(endgame_chance(endgame, board, &chance) && chance > 0 && chance < 1);
    /* the goal is made already; two large tiles alike, side by side and apart; one wall too small; one elsewhere */
    assert_not_covered(endgame, grid, "8192 4096 2048 0 / 64 128 256 2 / 512 1024 0 4 / 0 64 2 0");
    assert_not_covered(endgame, grid, "8192 8192 2048 0 / 64 128 256 2 / 512 1024 4 0 / 8 2 0 0");
    assert_not_covered(endgame, grid, "8192 4096 2048 0 / 64 128 8192 2 / 512 1024 4 0 / 8 2 0 0");
    assert_not_covered(endgame, grid, "8192 4096 2048 0 / 32 128 256 2 / 512 1024 4 0 / 8 2 0 0");
    assert_not_covered(endgame, grid, "8192 4096 2048 64 / 2 128 256 2 / 512 1024 4 0 / 8 2 0 0");
    /* a sum that no game of the table reaches, and no tile but the walls */
    assert_not_covered(endgame, grid, "8192 4096 2048 0 / 64 128 256 0 / 512 1024 0 0 / 0 0 2 0");
    assert_not_covered(endgame, grid, "0 0 0 0 / 0 0 0 0 / 0 0 0 0 / 0 0 0 2");
    endgame_close(endgame);
}

static void folders_without_tables_are_named(void **state)
{
    (void)state;
    struct endgame *endgame;
    char path[PATH_MAX], link[PATH_MAX];
    assert_int_equal(endgame_open(&endgame, scratch_path("nowhere")), STATUS_IO);
    assert_null(endgame);
    assert_message("nowhere");
    snprintf(path, sizeof path, "%s", scratch_path("empty"));
    assert_int_equal(mkdir(path, 0777), 0);
    assert_int_equal(endgame_open(&endgame, path), STATUS_INVALID);
    assert_null(endgame);
    assert_message("'afterstate endgame build'");

    /* Unfinished, of another kind, or by other rules. */
    struct solve_report report;
    snprintf(link, sizeof link, "%s/counted", path);
    struct solve_settings settings = block8(link);
    settings.to_age = 20;
    assert_ok(solve(&settings, 1, &report));
    snprintf(link, sizeof link, "%s/small", path);
    settings = settings_of(2, 2, link);
    assert_ok(solve(&settings, 1, &report));
    snprintf(link, sizeof link, "%s/fours", path);
    settings = block8(link);
    settings.goal = 3;
    settings.chance_of_4 = 0.5;
    assert_ok(solve(&settings, 1, &report));
    assert_int_equal(endgame_open(&endgame, path), STATUS_INVALID);

    for (unsigned i = 0; i <= ENDGAME_MAX_TABLES; i++) {
        char name[ENTRY_BYTES];
        snprintf(name, sizeof name, "/z%u", i);
        snprintf(link, sizeof link, "%s%s", path, name);
        assert_int_equal(symlink(directory, link), 0);
        if (i + 1 == ENDGAME_MAX_TABLES) {
            assert_ok(endgame_open(&endgame, path));
            assert_int_equal(endgame_n_tables(endgame), ENDGAME_MAX_TABLES);
            endgame_close(endgame);
        }
    }
    assert_int_equal(endgame_open(&endgame, path), STATUS_USAGE);
    assert_message("more than 8 endgame tables");
}

/* Copies the table with a changed byte in the middle of the files whose names begin like this. */
static void copy_table(const char *to, const char *damaged)
{
    assert_int_equal(mkdir(to, 0777), 0);
    DIR *entries = opendir(directory);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries));) {
        if (entry->d_name[0] == '.')
            continue;
        size_t bytes;
        char *data = read_file(directory, entry->d_name, &bytes);
        if (strncmp(entry->d_name, damaged, strlen(damaged)) == 0)
            data[bytes / 2] ^= 0x55;
        write_file(to, entry->d_name, data, bytes);
        free(data);
    }
    closedir(entries);
}

static void damage_is_seen(void **state)
{
    (void)state;
    struct endgame *endgame, *whole;
    char path[PATH_MAX];
    uint64_t one, other;
    struct rng rng = random_stream(5, 0);
    snprintf(path, sizeof path, "%s", scratch_path("index"));
    copy_table(path, "index");
    assert_int_equal(endgame_open(&endgame, path), STATUS_CORRUPT);
    assert_null(endgame);
    assert_message("index.table");

    /* Values are checked when their age is first used: a board of a damaged one counts as not covered. */
    snprintf(path, sizeof path, "%s", scratch_path("values"));
    copy_table(path, "values");
    assert_ok(endgame_open(&endgame, path));
    assert_ok(endgame_open(&whole, folder));
    unsigned n_lost = 0, n_left = 0;
    for (unsigned i = 0; i < N_BOARDS; i++) {
        float chance, expected;
        struct board inside, board = draw(endgame_table(whole, 0), &rng, &inside);
        assert_true(endgame_chance(whole, board, &expected));
        bool covered = endgame_chance(endgame, board, &chance);
        assert_true(!covered || chance == expected);
        n_lost += !covered;
        n_left += covered;
    }
    assert_true(n_lost > 0 && n_left > 0);
    assert_ok(endgame_checksum(endgame, &one)); /* of what the tables should be */
    assert_ok(endgame_checksum(whole, &other));
    assert_true(one == other && one != 0);
    endgame_close(endgame);
    endgame_close(whole);

    snprintf(path, sizeof path, "%s", scratch_path("other"));
    struct solve_report report;
    struct solve_settings settings = block8(path);
    settings.fraction_bits = 15;
    assert_ok(solve(&settings, 1, &report));
    assert_ok(endgame_open(&endgame, path));
    assert_ok(endgame_checksum(endgame, &other));
    assert_true(one != other);
    endgame_close(endgame);
    endgame_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(covered_boards_have_the_tables_chance),
        cmocka_unit_test(queries_agree),
        cmocka_unit_test(other_boards_are_not_covered),
        cmocka_unit_test(folders_without_tables_are_named),
        cmocka_unit_test(damage_is_seen),
    };
    return cmocka_run_group_tests_name("endgame", tests, solve_once, scratch_teardown);
}
