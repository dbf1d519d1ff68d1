/*
 * Any bytes as a program that uses the public interface: each call is a byte, its arguments are the next ones. Objects
 * are made, used in any order, also NULL or of another board size, and freed when the program ends. No call may crash,
 * leave its ranges, or fail without a message. Arrays have exactly the bytes that the headers ask for.
 */
#include <afterstate/afterstate.h>

#include "fuzz_files.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { N_SLOTS = 4, MAX_CALLS = 60, MAX_BOARDS = 8, MAX_CELLS = AS_MAX_CELLS };

struct program {
    const uint8_t *data;
    size_t left;
    struct as_grid *grid[N_SLOTS];
    struct as_random *random[N_SLOTS];
    struct as_game *game[N_SLOTS];
    struct as_network *network[N_SLOTS];
    struct as_search *search[N_SLOTS];
    struct as_table *table[N_SLOTS];
    struct as_vector *vector[N_SLOTS];
    struct as_record_writer *writer[N_SLOTS];
    struct as_record_reader *reader[N_SLOTS];
    size_t vector_n[N_SLOTS];
    uint8_t *vector_cells[N_SLOTS];
    struct as_board board;
};

static uint8_t take(struct program *program)
{
    if (!program->left)
        return 0;
    program->left--;
    return *program->data++;
}

static uint64_t take_number(struct program *program, unsigned bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < bytes; i++)
        number = number << 8 | take(program);
    return number;
}

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check(enum as_status status)
{
    require((unsigned)status <= AS_INTERRUPTED);
    require(status == AS_OK || as_last_error()[0] != 0);
}

static void *allocate(size_t bytes)
{
    void *room = calloc(1, bytes ? bytes : 1);
    require(room != NULL);
    return room;
}

static size_t cells_of(const struct as_grid *grid)
{
    return grid ? (size_t)as_grid_rows(grid) * (size_t)as_grid_cols(grid) : MAX_CELLS;
}

/* n boards as cells: small values mostly, so that many are boards. */
static uint8_t *take_cells(struct program *program, size_t n_cells)
{
    uint8_t *cells = allocate(n_cells);
    for (size_t i = 0; i < n_cells; i++) {
        uint8_t byte = take(program);
        cells[i] = byte < 0xf0 ? byte % 12 : byte;
    }
    return cells;
}

/* ---- boards and rules */

static void call_grid(struct program *program, unsigned slot)
{
    if (program->grid[slot])
        return;
    unsigned sides = take(program);
    if (sides % 8 == 5 || sides / 8 % 8 == 5)
        sides = 0; /* lines of five take milliseconds */
    check(as_grid_create(&program->grid[slot], sides % 8, sides / 8 % 8));
}

static void call_board(struct program *program, unsigned slot)
{
    const struct as_grid *grid = program->grid[slot];
    char *text = allocate(AS_NUMBERS_BYTES);
    unsigned what = take(program);
    struct as_board board = program->board;
    switch (what % 6) {
    case 0:
        board.cells = take_number(program, 8);
        board.high = (uint32_t)take_number(program, 4);
        program->board = board;
        require(as_board_fits(grid, board) >= -1);
        break;
    case 1:
        check(as_board_set(grid, &program->board, take(program) % 8, take(program) % 8, take(program) % 32));
        require(as_board_get(grid, board, take(program) % 8, take(program) % 8) <= AS_MAX_VALUE);
        break;
    case 2: {
        size_t room = take(program) % (AS_NUMBERS_BYTES + 1U);
        char *exact = allocate(room); /* of just that size */
        if (as_board_digits(grid, board, exact, room) == AS_OK || as_board_numbers(grid, board, exact, room) == AS_OK)
            check(as_board_parse(grid, exact, &program->board));
        free(exact);
        break;
    }
    case 3:
        for (unsigned i = 0; i < 40; i++)
            text[i] = (char)take(program);
        check(as_board_parse(grid, text, &program->board));
        break;
    case 4:
        check(as_board_canonical(grid, board, &program->board));
        require(as_board_age(grid, board) >= -1 && as_is_terminal(grid, board) <= 1);
        break;
    case 5: {
        uint32_t reward;
        int moved = as_move(grid, board, take(program) % 6, &program->board, what & 64 ? NULL : &reward);
        require(moved >= -1 && moved <= 1 && as_legal_moves(grid, board) <= 15);
        check(as_spawn(grid, &program->board, program->random[slot], NULL, NULL));
    }
    }
    free(text);
}

static void call_random(struct program *program, unsigned slot)
{
    if (!program->random[slot])
        check(as_random_create(&program->random[slot], take_number(program, 8), take(program)));
    uint64_t bound = take_number(program, 8), drawn = as_random_below(program->random[slot], bound);
    require(bound ? drawn < bound : drawn == 0);
}

static void call_game(struct program *program, unsigned slot)
{
    if (!program->game[slot])
        check(as_game_begin(&program->game[slot], program->grid[take(program) % N_SLOTS], take(program), 0));
    for (unsigned n = take(program) % 32; n > 0; n--)
        require(as_game_play(program->game[slot], take(program) % 5) >= -1);
    require(as_game_is_over(program->game[slot]) <= 1);
    program->board = as_game_board(program->game[slot]);
    (void)(as_game_score(program->game[slot]) + as_game_moves(program->game[slot]));
}

static void call_arrays(struct program *program, unsigned slot)
{
    const struct as_grid *grid = program->grid[slot];
    size_t n = take(program) % MAX_BOARDS, size = cells_of(grid);
    uint8_t *cells = take_cells(program, n * size), *after = allocate(4 * n * size), *legal = allocate(4 * n);
    uint32_t *rewards = allocate(4 * n * sizeof *rewards);
    struct as_board *boards = allocate(n * sizeof *boards);
    check(as_moves_many(grid, cells, n, after, rewards, legal));
    check(as_canonical_many(grid, cells, n, after));
    check(as_spawn_many(grid, cells, n, program->random[take(program) % N_SLOTS]));
    if (as_boards_from_cells(grid, cells, n, boards) == AS_OK)
        check(as_boards_to_cells(grid, boards, n, cells));
    free(cells);
    free(after);
    free(legal);
    free(rewards);
    free(boards);
}

/* ---- networks and search */

static void call_network(struct program *program, unsigned slot)
{
    if (program->network[slot])
        return;
    struct as_ntuple_spec spec = {.size = sizeof spec, .rows = take(program) % 5, .cols = take(program) % 5};
    spec.n_tuples = take(program) % 4;
    for (unsigned t = 0; t < spec.n_tuples; t++) {
        spec.n_cells[t] = take(program) % 5; /* small tables only */
        for (unsigned c = 0; c < spec.n_cells[t]; c++)
            spec.cells[t][c] = take(program) % 18;
    }
    static const char *const encodings[] = {"plain 4", "plain 10", "plain 18", "1-3 4-9", "1-17", "plain", ""};
    static const char *const stages[] = {"1", "0 32", "0 8 64", "0 16384 32768", "0 0", "bits 2"};
    snprintf(spec.encoding, sizeof spec.encoding, "%s", encodings[take(program) % 7]);
    snprintf(spec.stages, sizeof spec.stages, "%s", stages[take(program) % 6]);
    unsigned flags = take(program);
    spec.promote = flags & 1;
    spec.unseen_mean = flags >> 1 & 1;
    spec.initial = flags & 4 ? (float)take(program) : 0;
    check(as_network_create(&program->network[slot], &spec));
}

static void call_weights(struct program *program, unsigned slot)
{
    struct as_network *network = program->network[slot];
    struct as_ntuple_spec spec = {.size = sizeof spec};
    struct as_ntuple_table about;
    unsigned n_stages, n_tables, stage = take(program) % 4, table = take(program) % 8;
    check(as_network_get_spec(network, &spec, &n_stages, &n_tables));
    if (as_network_get_table(network, table, &about) != AS_OK)
        return;
    require(table < n_tables && about.n_weights > 0);
    float *weights = allocate(about.n_weights * sizeof *weights);
    if (as_network_get_weights(network, stage, table, weights) == AS_OK) {
        uint32_t bits = (uint32_t)take_number(program, 4);
        memcpy(&weights[take_number(program, 2) % about.n_weights], &bits, sizeof bits); /* NaN and infinity too */
        check(as_network_set_weights(network, stage, table, weights));
    }
    free(weights);
}

static void call_values(struct program *program, unsigned slot)
{
    const struct as_network *network = program->network[slot];
    const struct as_table *table = program->table[slot];
    float value;
    double exact;
    check(as_network_value(network, program->board, &value));
    check(as_table_value(table, program->board, &exact));
    size_t n = take(program) % MAX_BOARDS;
    uint8_t *cells = take_cells(program, n * MAX_CELLS);
    float *values = allocate(n * sizeof *values);
    double *exacts = allocate(n * sizeof *exacts);
    check(as_network_values(network, cells, n, values));
    check(as_table_values(table, cells, n, exacts));
    free(cells);
    free(values);
    free(exacts);
}

static void call_save(struct program *program, unsigned slot)
{
    char path[512];
    snprintf(path, sizeof path, "%s", fuzz_path("network.net"));
    check(as_network_save(program->network[slot], path));
    unsigned to = take(program) % N_SLOTS;
    if (!program->network[to])
        check(as_network_load(&program->network[to], path, take(program) % 4));
}

static void call_search(struct program *program, unsigned slot)
{
    if (!program->search[slot]) {
        struct as_search_settings settings = {.size = sizeof settings, .depth = take(program) % 4};
        unsigned flags = take(program);
        settings.milliseconds = flags & 1 ? 0.1 : flags & 2 ? -1 : 0;
        settings.prune = flags & 4 ? 0.01 : flags & 8 ? 2 : 0;
        settings.margin = flags & 16 ? 10 : 0;
        settings.downgrade = flags & 32 ? take(program) % 32 : 0;
        settings.table_bytes = flags & 64 ? 4096 : 0;
        settings.threads = flags & 128 ? 2 : 1;
        check(as_search_create(&program->search[slot], program->network[take(program) % N_SLOTS], &settings));
        return;
    }
    struct as_search_result result;
    if (take(program) % 8 == 0)
        as_search_cancel(program->search[slot]);
    enum as_status status = as_search_run(program->search[slot], program->board, &result);
    check(status);
    require(status || (result.best <= AS_DIRECTIONS && (result.best == AS_DIRECTIONS) == (result.legal == 0)));
    size_t n = take(program) % 4;
    uint8_t *cells = take_cells(program, n * MAX_CELLS);
    struct as_search_result *results = allocate(n * sizeof *results);
    check(as_search_many(program->search[slot], cells, n, results));
    as_search_resume(program->search[slot]);
    free(results);
    free(cells);
}

/* ---- tables */

static void call_table(struct program *program, unsigned slot)
{
    struct as_table_info info;
    struct as_table_age age;
    struct as_table_answer answers[3];
    if (!program->table[slot]) {
        static bool solved;
        char path[512];
        snprintf(path, sizeof path, "%s", fuzz_path("table"));
        struct as_solve_settings settings = {.size = sizeof settings, .rows = 2, .cols = 2};
        if (!solved)
            check(as_solve(path, &settings));
        solved = true;
        check(as_table_open(&program->table[slot], take(program) % 8 ? path : fuzz_folder()));
        return;
    }
    const struct as_table *table = program->table[slot];
    check(as_table_get_info(table, &info));
    check(as_table_get_age(table, take(program), &age));
    struct as_board boards[3] = {program->board, {take(program), 0}, {take_number(program, 2), 0}};
    check(as_table_query(table, program->board, &answers[0]));
    check(as_table_query_many(table, boards, 3, answers, take(program) % 3));
    struct as_exact_settings settings = {.size = sizeof settings, .player = take(program) % 6};
    struct as_exact_result result;
    settings.network = program->network[take(program) % N_SLOTS];
    if (settings.player != AS_PLAYER_OPTIMAL || take(program) % 4 == 0)
        check(as_exact(table, &settings, &result, NULL));
}

/* ---- many games, games written down */

static void call_vector(struct program *program, unsigned slot)
{
    if (!program->vector[slot]) {
        const struct as_grid *grid = program->grid[take(program) % N_SLOTS];
        struct as_vector_settings settings = {.size = sizeof settings, .n = take(program) % MAX_BOARDS};
        settings.autoreset = take(program) % 4;
        free(program->vector_cells[slot]);
        program->vector_n[slot] = settings.n;
        program->vector_cells[slot] = allocate(settings.n * cells_of(grid));
        struct as_vector_arrays arrays = {.size = sizeof arrays, .cells = program->vector_cells[slot]};
        check(as_vector_create(&program->vector[slot], grid, &settings, &arrays));
        return;
    }
    struct as_vector *vector = program->vector[slot];
    size_t n = program->vector_n[slot], width = 1U << take(program) % 5;
    uint8_t *which = take_cells(program, n), *cells = take_cells(program, n * MAX_CELLS);
    void *actions = allocate(n * width);
    uint64_t *seeds = allocate(n * sizeof *seeds);
    switch (take(program) % 5) {
    case 0:
        check(as_vector_reset(vector, which, seeds, take(program) % 2 ? seeds : NULL));
        break;
    case 1:
        check(as_vector_set_boards(vector, which, cells));
        break;
    case 2:
        if (as_vector_sample(vector, program->random[slot], actions, width) == AS_OK)
            check(as_vector_step(vector, actions, width));
        break;
    case 3:
        memset(actions, take(program) % 6, n * width);
        check(as_vector_step(vector, actions, width));
        break;
    case 4:
        check(as_vector_play_random(vector, program->random[slot], take(program)));
        check(as_vector_get_seeds(vector, seeds, NULL));
    }
    free(which);
    free(cells);
    free(actions);
    free(seeds);
}

static void write_game(struct program *program, unsigned slot)
{
    uint64_t n = take(program) % MAX_BOARDS;
    struct as_record_game game = {.seed = take(program), .n_moves = n};
    struct as_record_steps steps = {.size = sizeof steps, .start = take_cells(program, MAX_CELLS)};
    steps.directions = take_cells(program, n);
    steps.spawn_cells = take_cells(program, n);
    steps.spawn_values = take_cells(program, n);
    check(as_record_writer_add(program->writer[slot], &game, &steps));
    free(steps.start);
    free(steps.directions);
    free(steps.spawn_cells);
    free(steps.spawn_values);
}

static void read_game(struct program *program, unsigned slot)
{
    struct as_record_game game;
    struct as_record_info info;
    struct as_record_reader *reader = program->reader[slot];
    check(as_record_reader_get_info(reader, &info));
    int there = as_record_reader_next(reader, &game);
    require(there >= -1 && there <= 1);
    if (there != 1)
        return;
    struct as_record_steps steps = {.size = sizeof steps};
    steps.cells = allocate((game.n_moves + 1) * cells_of(as_record_reader_grid(reader)));
    steps.directions = allocate(game.n_moves);
    check(as_record_reader_get_steps(reader, &steps));
    free(steps.cells);
    free(steps.directions);
}

static void call_record(struct program *program, unsigned slot)
{
    char path[512];
    snprintf(path, sizeof path, "%s", fuzz_path("games.rec"));
    unsigned what = take(program) % 4;
    if (!program->writer[slot] && what == 0) {
        check(as_record_writer_open(&program->writer[slot], path, program->grid[take(program) % N_SLOTS], "fuzz"));
    } else if (program->writer[slot] && what == 1) {
        check(as_record_writer_commit(program->writer[slot]));
        program->writer[slot] = NULL;
    } else if (!program->reader[slot] && what == 2) {
        check(as_record_reader_open(&program->reader[slot], path));
    } else if (what == 3) {
        read_game(program, slot);
    } else {
        write_game(program, slot);
    }
}

/* Frees what nothing else borrows. */
static void call_free(struct program *program, unsigned slot)
{
    switch (take(program) % 4) {
    case 0:
        as_game_free(program->game[slot]);
        program->game[slot] = NULL;
        break;
    case 1:
        as_search_free(program->search[slot]);
        program->search[slot] = NULL;
        break;
    case 2:
        as_vector_free(program->vector[slot]);
        program->vector[slot] = NULL;
        break;
    case 3:
        as_record_writer_free(program->writer[slot]);
        program->writer[slot] = NULL;
    }
}

static void end(struct program *program)
{
    for (unsigned i = 0; i < N_SLOTS; i++) {
        as_search_free(program->search[i]);
        as_game_free(program->game[i]);
        as_vector_free(program->vector[i]);
        free(program->vector_cells[i]);
        as_record_writer_free(program->writer[i]);
        as_record_reader_free(program->reader[i]);
        as_table_free(program->table[i]);
        as_network_free(program->network[i]);
        as_random_free(program->random[i]);
    }
    for (unsigned i = 0; i < N_SLOTS; i++)
        as_grid_free(program->grid[i]);
    unlink(fuzz_path("network.net"));
    unlink(fuzz_path("games.rec"));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static void (*const calls[])(struct program *, unsigned) = {
        call_grid,   call_board, call_random, call_game,  call_arrays, call_network, call_weights,
        call_values, call_save,  call_search, call_table, call_vector, call_record,  call_free,
    };
    struct program program = {.data = data, .left = n_bytes};
    for (unsigned n = 0; n < MAX_CALLS && program.left; n++) {
        uint8_t call = take(&program);
        calls[call % 16 < 14 ? call % 16 : call % 14](&program, call / 16 % N_SLOTS);
    }
    end(&program);
    return 0;
}
