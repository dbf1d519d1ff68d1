/* Tables of chains asked for boards of the real game: their moves and chances in all images, and what they leave alone.
 */
#include "table_files.h"

#include "base/random.h"
#include "game/spawn.h"
#include "solve/chain.h"

#include <math.h>
#include <sys/stat.h>

enum { GOAL = 5, N_BOARDS = 3000 }; /* 32 */

static const char corner_caps[] = "6,7,10:16 3,8,9,11:8 12-15:4";
static char folder[PATH_MAX];
static struct chain *chain;

static void solve_one(const char *name, const char *walls, const char *at, const char *caps)
{
    char directory[PATH_MAX];
    struct grid grid;
    struct solve_report report;
    assert_true(snprintf(directory, sizeof directory, "%s/%s", folder, name) < (int)sizeof directory);
    struct solve_settings settings = settings_of(4, 4, directory);
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(walls_parse(walls, &grid, &settings.walls.cells));
    if (at)
        assert_ok(walls_parse(at, &grid, &settings.walls.at));
    if (caps)
        assert_ok(walls_parse_caps(caps, &grid, &settings.walls.caps));
    settings.goal = GOAL;
    assert_ok(solve(&settings, 2, &report));
    grid_free(&grid);
}

static int solve_all(void **state)
{
    if (scratch_setup(state))
        return -1;
    snprintf(folder, sizeof folder, "%s", scratch_path("tables"));
    assert_int_equal(mkdir(folder, 0777), 0);
    solve_one("corner", "0-2,4,5", "6", corner_caps);
    solve_one("block", "block", "7,10", "3,7,9-11:16 8,14:8 12,13,15:4"); /* no chain */
    solve_one("other", "rows8", NULL, NULL);
    assert_ok(chain_open(&chain, folder));
    return 0;
}

static int close_all(void **state)
{
    chain_close(chain);
    return scratch_teardown(state);
}

/* A board of the table, with a tile that has just appeared, and large ones on its walls: falling along both rows. */
static bool draw(const struct table *table, struct rng *rng, struct board *board, struct board *inside)
{
    static const uint8_t values[] = {15, 14, 13, 0, 8, 7}; /* of cells 0 to 5 */
    const uint16_t walls = table_summary(table)->walls.cells;
    const struct table_age *age;
    do
        age = table_age_at(table, (size_t)random_below(rng, table_n_ages(table)));
    while (age->n_afterstates == 0);
    assert_ok(table_board_at(table, age->age, random_below(rng, age->n_afterstates), inside));
    const uint64_t free_bits = table_layout(table)->free_bits;
    if (!(free_bits & ~board_occupied_bits(inside->cells)))
        return false;
    *inside = spawn_apply(*inside, spawn_draw(*inside, free_bits, rng));
    *board = *inside;
    for (unsigned cell = 0; cell < sizeof values; cell++) {
        if (walls >> cell & 1)
            *board = board_set(*board, cell, values[cell]);
    }
    return table_moves(table, *inside).legal != 0;
}

static void boards_have_the_moves_of_the_table(void **state)
{
    (void)state;
    struct rng rng = random_stream(4, 0);
    unsigned n_chosen = 0, n_left = 0;
    assert_int_equal(chain_n_tables(chain), 1);
    const struct table *table = chain_table(chain, 0);
    const struct grid *grid = table_grid(table);
    for (unsigned i = 0; i < N_BOARDS; i++) {
        struct board board, inside;
        double best = -1;
        if (!draw(table, &rng, &board, &inside))
            continue;
        const struct moves moves = table_moves(table, inside);
        double chance[DIRECTION_COUNT];
        for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
            chance[d] = NAN;
            if (!(moves.legal >> d & 1))
                continue;
            chance[d] = 1;
            if (board_max_value(moves.after[d]) < GOAL && table_value(table, moves.after[d], &chance[d]) != STATUS_OK)
                chance[d] = NAN;
            best = chance[d] > best ? chance[d] : best;
        }
        for (unsigned s = 0; s < grid->n_symmetries; s++) {
            struct chain_answer answer;
            bool chosen = chain_choose(chain, grid_image(grid, board, s), &answer);
            assert_int_equal(chosen, best >= 0.9);
            n_left += !chosen;
            if (!chosen)
                continue;
            n_chosen++;
            assert_ptr_equal(answer.table, table);
            assert_true(answer.chance[answer.best] == best);
            for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
                double there = answer.chance[grid_image_direction(d, s)];
                assert_true(isnan(chance[d]) ? isnan(there) : there == chance[d]);
            }
        }
    }
    assert_true(n_chosen > 1000 && n_left > 1000);
}

static bool chooses(const uint8_t values[16])
{
    struct board board = {0};
    struct chain_answer answer;
    for (unsigned cell = 0; cell < 16; cell++)
        board = board_set(board, cell, values[cell]);
    return chain_choose(chain, board, &answer);
}

/* What a board must be like, one thing wrong at a time. */
static void boards_out_of_order_are_left_alone(void **state)
{
    (void)state;
    const uint8_t corner[16] = {15, 14, 13, 1, 8, 7, 4, 4, 0, 1, 0, 0, 0, 1, 0, 0};
    const struct {
        uint8_t cell, value;
    } wrong[] = {
        {0, 14}, /* equal neighbours */
        {1, 0},  /* a hole in the walls */
        {5, 9},  /* the second row rises */
        {5, 4},  /* no larger than the tile next to it */
        {2, 7},  /* the smallest wall next to free cells is there twice: they ought to merge first */
        {6, 5},  /* beyond the cap: the target */
        {12, 3}, /* beyond a cap */
        {7, 5},  /* the target elsewhere */
        {2, 3},  /* a wall smaller than the target lowers the caps */
    };
    assert_true(chooses(corner));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        uint8_t values[16];
        memcpy(values, corner, sizeof values);
        values[wrong[i].cell] = wrong[i].value;
        if (chooses(values))
            fail_msg("case %zu is chosen", i);
    }
}

/* Walls smaller than the target: the caps are lower by as much. */
static void small_walls_lower_the_caps(void **state)
{
    (void)state;
    uint8_t values[16] = {15, 9, 4, 0, 8, 6, 2, 2, 0, 1, 2, 1, 0, 0, 0, 0};
    assert_true(chooses(values)); /* the smallest wall is a 16, as the cap of cell 6 */
    values[2] = 3;
    assert_true(chooses(values)); /* an 8: the caps are halved */
    values[13] = 1;
    values[11] = 3;
    assert_false(chooses(values));
}

static void folders_without_chains(void **state)
{
    (void)state;
    struct chain *none = chain;
    char directory[PATH_MAX + 8];
    snprintf(directory, sizeof directory, "%s/other", folder);
    assert_ok(chain_open(&none, directory));
    assert_null(none);
    snprintf(directory, sizeof directory, "%s/missing", folder);
    assert_int_equal(chain_open(&none, directory), STATUS_IO);
    assert_null(none);
    uint64_t all, again;
    assert_ok(chain_checksum(chain, &all));
    assert_ok(chain_checksum(chain, &again));
    assert_true(all == again && all != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_have_the_moves_of_the_table),
        cmocka_unit_test(boards_out_of_order_are_left_alone),
        cmocka_unit_test(small_walls_lower_the_caps),
        cmocka_unit_test(folders_without_chains),
    };
    return cmocka_run_group_tests(tests, solve_all, close_all);
}
