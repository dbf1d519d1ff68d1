/* Game records: what is written is read, damage is found, and nothing half-written is left. */
#include "scratch.h"

#include "base/blockfile.h"
#include "game/record.h"
#include "search/player.h"

static struct rng test_rng;

/* Plays a random game into the record. */
static void play_game(const struct grid *grid, uint64_t seed, uint64_t index, struct game_record *record)
{
    struct game game = game_begin(grid, seed, index);
    struct player player = {.kind = PLAYER_RANDOM, .grid = grid};
    struct rng choices = random_stream(seed + 1, index);
    enum direction direction;
    game_record_begin(record, &game, seed, index);
    while ((direction = player_choose(&player, NULL, game.board, &choices)) != DIRECTION_COUNT) {
        struct spawn spawned;
        assert_true(game_play(&game, direction, &spawned));
        assert_ok(game_record_add(record, &game, direction, spawned));
    }
    assert_true(record->score == game.score && record->n_moves == game.n_moves);
}

static void assert_same_record(const struct game_record *a, const struct game_record *b)
{
    assert_true(a->seed == b->seed && a->index == b->index && a->score == b->score);
    assert_true(board_equal(a->start, b->start));
    assert_int_equal(a->n_moves, b->n_moves);
    if (a->n_moves)
        assert_memory_equal(a->steps, b->steps, a->n_moves);
}

static void write_file(const char *name, const struct grid *grid, const struct game_record *records, size_t n)
{
    struct record_writer *writer;
    assert_ok(record_writer_open(&writer, scratch_path(name), grid, "a player"));
    for (size_t i = 0; i < n; i++)
        assert_ok(record_writer_add(writer, &records[i]));
    assert_ok(record_writer_commit(writer));
}

static void check_round_trip(unsigned rows, unsigned cols, size_t n)
{
    struct grid grid;
    assert_ok(grid_create(&grid, rows, cols));
    struct game_record *records = calloc(n ? n : 1, sizeof *records), record = {0};
    uint64_t n_moves = 0;
    for (size_t i = 0; i < n; i++) {
        play_game(&grid, 5, i, &records[i]);
        n_moves += records[i].n_moves;
    }
    write_file("games.rec", &grid, records, n);
    struct record_reader *reader;
    assert_ok(record_reader_open(&reader, scratch_path("games.rec")));
    struct record_info info = record_reader_info(reader);
    assert_true(info.rows == rows && info.cols == cols && info.n_games == n && info.n_moves == n_moves);
    assert_string_equal(info.player, "a player");
    bool found;
    for (size_t i = 0; i < n; i++) {
        assert_ok(record_reader_next(reader, &record, &found));
        assert_true(found);
        assert_same_record(&record, &records[i]);
        assert_ok(game_record_check(&grid, &record));
        game_record_free(&records[i]);
    }
    for (unsigned i = 0; i < 2; i++) { /* the end stays the end */
        assert_ok(record_reader_next(reader, &record, &found));
        assert_false(found);
    }
    record_reader_close(reader);
    game_record_free(&record);
    free(records);
    grid_free(&grid);
}

static void test_round_trip(void **state)
{
    (void)state;
    check_round_trip(4, 4, 300);
    check_round_trip(3, 3, 300);
    check_round_trip(2, 5, 200);
    check_round_trip(3, 5, 100);
    check_round_trip(6, 2, 200);
    check_round_trip(2, 2, 300);
    check_round_trip(1, 1, 3); /* games without a move */
    check_round_trip(4, 4, 0);
}

/* Enough bytes for several blocks, and a game that is longer than a block by itself. */
static void test_many_blocks(void **state)
{
    (void)state;
    enum { COPIES = 3000, LONG_MOVES = 3 << 20 };
    struct grid grid;
    assert_ok(grid_create(&grid, 4, 4));
    struct game_record games[8] = {{0}}, endless = {0}, record = {0};
    for (unsigned i = 0; i < 8; i++)
        play_game(&grid, 6, i, &games[i]);
    /* Not a real game (those end before 131072 moves), but the format has room for it. */
    struct game game = game_begin(&grid, 1, 1);
    game_record_begin(&endless, &game, 1, 1);
    while (endless.n_moves < LONG_MOVES)
        assert_ok(game_record_add(&endless, &game, random_bits(&test_rng) & 3,
                                  (struct spawn){.cell = random_bits(&test_rng) & 15, .value = 1}));
    struct record_writer *writer;
    assert_ok(record_writer_open(&writer, scratch_path("many.rec"), &grid, "many"));
    for (unsigned i = 0; i < COPIES; i++) {
        assert_ok(record_writer_add(writer, &games[i % 8]));
        if (i == COPIES / 2)
            assert_ok(record_writer_add(writer, &endless));
    }
    assert_ok(record_writer_commit(writer));
    struct record_reader *reader;
    assert_ok(record_reader_open(&reader, scratch_path("many.rec")));
    bool found;
    for (unsigned i = 0; i < COPIES; i++) {
        assert_ok(record_reader_next(reader, &record, &found));
        assert_true(found);
        assert_same_record(&record, &games[i % 8]);
        if (i == COPIES / 2) {
            assert_ok(record_reader_next(reader, &record, &found));
            assert_same_record(&record, &endless);
            assert_int_equal(game_record_check(&grid, &record), STATUS_CORRUPT);
        }
    }
    assert_ok(record_reader_next(reader, &record, &found));
    assert_false(found);
    record_reader_close(reader);
    for (unsigned i = 0; i < 8; i++)
        game_record_free(&games[i]);
    game_record_free(&endless);
    game_record_free(&record);
    grid_free(&grid);
}

/* Reads all games of the bytes; if all is well they must be those of `expected`. */
static enum status read_bytes(const void *data, size_t bytes, const struct grid *grid,
                              const struct game_record *expected, size_t n_expected)
{
    struct record_reader *reader;
    struct game_record record = {0};
    enum status status = record_reader_open_memory(&reader, data, bytes, "bytes");
    assert_true(status || reader);
    if (status) {
        assert_null(reader);
        return status;
    }
    struct record_info info = record_reader_info(reader);
    bool found = true;
    size_t n = 0;
    while (!status && found) {
        status = record_reader_next(reader, &record, &found);
        if (status || !found)
            break;
        assert_true(n < n_expected);
        assert_same_record(&record, &expected[n++]);
        assert_ok(game_record_check(grid, &record));
    }
    if (!status)
        assert_true(n == n_expected && info.rows == grid->rows && info.cols == grid->cols);
    else /* the next call fails again */
        assert_int_equal(record_reader_next(reader, &record, &found), status);
    record_reader_close(reader);
    game_record_free(&record);
    return status;
}

static void test_damage(void **state)
{
    (void)state;
    enum { GAMES = 3 };
    struct grid grid;
    assert_ok(grid_create(&grid, 2, 3));
    struct game_record records[GAMES] = {{0}};
    for (unsigned i = 0; i < GAMES; i++)
        play_game(&grid, 8, i, &records[i]);
    write_file("small.rec", &grid, records, GAMES);
    size_t bytes;
    char *data = scratch_read("small.rec", &bytes);
    assert_true(bytes > 300 && bytes < 4000);
    assert_ok(read_bytes(data, bytes, &grid, records, GAMES));
    for (size_t cut = 0; cut < bytes; cut++) {
        /* A copy of exactly that size: a sanitizer sees a read beyond it. */
        char *part = malloc(cut ? cut : 1);
        memcpy(part, data, cut);
        assert_int_equal(read_bytes(part, cut, &grid, records, GAMES), STATUS_CORRUPT);
        assert_message("bytes");
        free(part);
    }
    unsigned n_unnoticed = 0;
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
        enum status status = read_bytes(data, bytes, &grid, records, GAMES);
        assert_true(status == STATUS_OK || status == STATUS_CORRUPT);
        n_unnoticed += status == STATUS_OK;
        data[bit / 8] = (char)(data[bit / 8] ^ 1 << bit % 8);
    }
    assert_int_equal(n_unnoticed, 0);
    char *longer = calloc(1, bytes + 8);
    memcpy(longer, data, bytes);
    assert_int_equal(read_bytes(longer, bytes + 8, &grid, records, GAMES), STATUS_CORRUPT);
    assert_int_equal(read_bytes(NULL, 0, &grid, records, GAMES), STATUS_CORRUPT);
    free(longer);
    free(data);
    for (unsigned i = 0; i < GAMES; i++)
        game_record_free(&records[i]);
    grid_free(&grid);
}

/* Every other value of every step: against the rules, or another score or end; only a spawn elsewhere or of the other
   kind can be a legal game too, and then its score is the same by chance. */
static void test_illegal_steps(void **state)
{
    (void)state;
    struct grid grid;
    assert_ok(grid_create(&grid, 3, 3));
    struct game_record record = {0};
    play_game(&grid, 9, 0, &record);
    assert_ok(game_record_check(&grid, &record));
    unsigned n_illegal = 0, n_score = 0;
    for (uint32_t i = 0; i < record.n_moves; i++) {
        uint8_t kept = record.steps[i];
        for (unsigned step = 0; step < 256; step++) {
            record.steps[i] = (uint8_t)step;
            enum status status = game_record_check(&grid, &record);
            assert_true(status == STATUS_OK || status == STATUS_CORRUPT);
            if (step >> 7 || (step >> 2 & 15) >= 9)
                assert_int_equal(status, STATUS_CORRUPT);
            n_illegal += status && (strstr(status_message(), "not legal") || strstr(status_message(), "not empty"));
            n_score += status && strstr(status_message(), "points, the record says");
        }
        record.steps[i] = kept;
    }
    assert_true(n_illegal > 128 * record.n_moves && n_score > 0);
    record.score++;
    assert_int_equal(game_record_check(&grid, &record), STATUS_CORRUPT);
    assert_message("points, the record says");
    record.score--;
    record.n_moves--; /* the last move is missing: legal, and the score differs unless that move merged nothing */
    enum status status = game_record_check(&grid, &record);
    assert_true(status == STATUS_OK || status == STATUS_CORRUPT);
    record.n_moves++;
    record.start.cells |= UINT64_C(1) << 36;
    assert_int_equal(game_record_check(&grid, &record), STATUS_CORRUPT);
    assert_message("its start is not a 3x3 board");
    game_record_free(&record);
    game_record_free(NULL);
    grid_free(&grid);
}

/* A step by hand: where the message points. */
static void test_messages(void **state)
{
    (void)state;
    struct grid grid;
    assert_ok(grid_create(&grid, 2, 2));
    uint8_t steps[2] = {DIRECTION_RIGHT | 0 << 2, DIRECTION_UP | 3 << 2};
    struct game_record record = {.index = 7, .start = {.cells = 1}, .n_moves = 2, .steps = steps};
    /* 2 . / . . goes right and gets a 2 in cell 0: 2 2 / . .; up is then illegal. */
    assert_int_equal(game_record_check(&grid, &record), STATUS_CORRUPT);
    assert_string_equal(status_message(), "game 7, move 2: up is not legal there");
    steps[0] = DIRECTION_RIGHT | 1 << 2;
    assert_int_equal(game_record_check(&grid, &record), STATUS_CORRUPT);
    assert_string_equal(status_message(), "game 7, move 1: the new tile is on cell 1, which is not empty");
    steps[0] = DIRECTION_RIGHT | 0 << 2 | 1 << 6; /* a 4: 4 2 / . . */
    steps[1] = DIRECTION_DOWN | 1 << 2;
    assert_ok(game_record_check(&grid, &record));
    record.score = 4;
    assert_int_equal(game_record_check(&grid, &record), STATUS_CORRUPT);
    assert_string_equal(status_message(), "game 7: its moves make 0 points, the record says 4");
    grid_free(&grid);
}

static void test_interrupted_writing(void **state)
{
    (void)state;
    struct grid grid;
    assert_ok(grid_create(&grid, 4, 4));
    struct game_record record = {0};
    struct record_writer *writer;
    play_game(&grid, 10, 0, &record);
    int before = scratch_count_files();
    assert_ok(record_writer_open(&writer, scratch_path("never.rec"), &grid, "a player"));
    for (unsigned i = 0; i < 5000; i++)
        assert_ok(record_writer_add(writer, &record));
    record_writer_abort(writer);
    assert_int_equal(scratch_count_files(), before);
    /* An older file stays as it was. */
    scratch_write("old.rec", "old", 3);
    assert_ok(record_writer_open(&writer, scratch_path("old.rec"), &grid, "a player"));
    assert_ok(record_writer_add(writer, &record));
    record_writer_abort(writer);
    size_t bytes;
    char *content = scratch_read("old.rec", &bytes);
    assert_true(bytes == 3 && memcmp(content, "old", 3) == 0);
    free(content);
    record_writer_abort(NULL);
    record_reader_close(NULL);
    assert_int_equal(record_writer_open(&writer, scratch_path("no/such/folder.rec"), &grid, "x"), STATUS_IO);
    assert_null(writer);
    struct record_reader *reader;
    assert_int_equal(record_reader_open(&reader, scratch_path("missing.rec")), STATUS_IO);
    assert_null(reader);
    assert_int_equal(record_reader_open(&reader, scratch_path("old.rec")), STATUS_CORRUPT);
    assert_null(reader);
    game_record_free(&record);
    grid_free(&grid);
}

/* A valid block file that is no valid record: what the container cannot know. */
static void expect_strange(const uint8_t *header, uint32_t kind, const void *games, size_t bytes, uint64_t n_games,
                           const char *message)
{
    struct block_writer *writer;
    uint8_t summary[16] = {(uint8_t)n_games};
    assert_ok(block_writer_open(&writer, scratch_path("strange.rec"), "ASRECORD", 1));
    assert_ok(block_writer_append(writer, 1, header, 264, BLOCK_RAW));
    if (games)
        assert_ok(block_writer_append(writer, kind, games, bytes, BLOCK_ZSTD));
    assert_ok(block_writer_append(writer, 3, summary, sizeof summary, BLOCK_RAW));
    assert_ok(block_writer_commit(writer));
    struct record_reader *reader;
    struct game_record record = {0};
    bool found = true;
    enum status status = record_reader_open(&reader, scratch_path("strange.rec"));
    while (!status && found)
        status = record_reader_next(reader, &record, &found);
    assert_int_equal(status, STATUS_CORRUPT);
    assert_message(message);
    assert_message("strange.rec");
    record_reader_close(reader);
    game_record_free(&record);
}

static void test_strange_files(void **state)
{
    (void)state;
    enum { HUGE = 17825840 }; /* one byte more than the largest block of games */
    uint8_t header[264] = {4, 4}, game[49] = {0};
    uint8_t *zeros = calloc(1, HUGE);
    assert_non_null(zeros);
    expect_strange(header, 2, game, 48, 0, "holds 1 games with 0 moves, its summary says 0 with 0");
    expect_strange(header, 2, NULL, 0, 1, "holds 0 games with 0 moves, its summary says 1 with 0");
    expect_strange(header, 7, game, 48, 1, "block 1 is not what a game record has there");
    expect_strange(header, 2, zeros, HUGE, 0, "block 1 is not what a game record has there");
    expect_strange(header, 2, game, 47, 1, "game 0 does not fit in its block");
    game[36] = 1;
    expect_strange(header, 2, game, 49, 1, "holds 1 games with 1 moves, its summary says 1 with 0");
    expect_strange(header, 2, game, 48, 1, "game 0 does not fit in its block");
    game[39] = 0xff;
    expect_strange(header, 2, game, 48, 1, "game 0 does not fit in its block");
    header[1] = 5;
    expect_strange(header, 2, NULL, 0, 0, "a board of 4x5");
    header[1] = 0;
    expect_strange(header, 2, NULL, 0, 0, "a board of 4x0");
    header[1] = 4;
    memset(header + 8, 'n', 256);
    expect_strange(header, 2, NULL, 0, 0, "the player's name does not end");
    free(zeros);
}

static void test_long_name(void **state)
{
    (void)state;
    struct grid grid;
    struct record_writer *writer;
    struct record_reader *reader;
    char name[1000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    assert_ok(grid_create(&grid, 2, 2));
    assert_ok(record_writer_open(&writer, scratch_path("name.rec"), &grid, name));
    assert_ok(record_writer_commit(writer));
    assert_ok(record_reader_open(&reader, scratch_path("name.rec")));
    struct record_info info = record_reader_info(reader);
    assert_int_equal(strlen(info.player), 255);
    assert_int_equal(strspn(info.player, "n"), 255);
    record_reader_close(reader);
    grid_free(&grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_illegal_steps),
        cmocka_unit_test(test_messages),   cmocka_unit_test(test_interrupted_writing),
        cmocka_unit_test(test_long_name),  cmocka_unit_test(test_strange_files),
    };
    test_rng = random_stream(1, 2);
    return cmocka_run_group_tests_name("record", tests, scratch_setup, scratch_teardown);
}
