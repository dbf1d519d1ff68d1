/*
 * Any bytes as a game record: opened, read to the end or the first error, every game checked against the rules. Then
 * once more with right checksums.
 */
#include "game/record.h"
#include "mend.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_GAMES = 10000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static void read_all(const uint8_t *data, size_t n_bytes)
{
    static struct grid grids[BOARD_MAX_SIDE + 1][BOARD_MAX_SIDE + 1]; /* each made once: a line of five takes long */
    struct record_reader *reader;
    if (record_reader_open_memory(&reader, data, n_bytes, "fuzz")) {
        if (reader)
            abort();
        return;
    }
    struct record_info info = record_reader_info(reader);
    struct grid *grid = &grids[info.rows][info.cols];
    if (!grid->rows && grid_create(grid, info.rows, info.cols))
        abort();
    struct game_record record = {0};
    bool found = true;
    uint64_t n_moves = 0, n_games = 0;
    enum status status = STATUS_OK;
    while (!status && found && n_games < MAX_GAMES) {
        status = record_reader_next(reader, &record, &found);
        if (status || !found)
            break;
        n_games++;
        n_moves += record.n_moves;
        if (game_record_check(grid, &record) == STATUS_OK && !grid_holds(grid, record.start))
            abort();
    }
    if (!status && !found && (n_games != info.n_games || n_moves != info.n_moves))
        abort();
    game_record_free(&record);
    record_reader_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    read_all(data, n_bytes);
    uint8_t *mended = malloc(n_bytes ? n_bytes : 1);
    if (!mended)
        abort();
    if (n_bytes)
        memcpy(mended, data, n_bytes);
    mend_checksums(mended, n_bytes);
    read_all(mended, n_bytes);
    free(mended);
    return 0;
}
