/*
 * Any bytes as the tables that late games are played by: a walled table with its target anywhere, and one of a chain
 * beside a corner, as they are and with right checksums: opened and asked, or refused. The input is as
 * fuzz_write_files() says; an input has the files of one of the two.
 */
#include "fuzz_files.h"
#include "solve/chain.h"
#include "solve/endgame.h"
#include "solve/query.h"
#include "solve/table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static const char *const names[] = {"index.table", "sets-00008.table", "values-00030.table", "sets-00012.table",
                                    "values-00042.table"};
enum { N_FILES = sizeof names / sizeof *names, N_BOARDS = 64 };

/* Large tiles, falling along the first three rows, and small ones by the bits of `number` on the other cells. */
static struct board late_board(unsigned n_large, uint64_t number)
{
    static const uint8_t large[] = {15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4};
    struct board board = {0};
    for (unsigned cell = 0; cell < BOARD_MAX_CELLS; cell++) {
        board = board_set(board, cell, cell < n_large ? large[cell] : (unsigned)(number & 3));
        number >>= 2;
    }
    return board;
}

/* Large tiles on the five cells of a chain's corner. */
static struct board corner_board(uint64_t number)
{
    struct board board = late_board(6, number);
    return board_set(board_set(board_set(board, 4, 9), 5, 8), 3, (unsigned)(number & 1));
}

static void ask_endgame(const struct endgame *endgame)
{
    for (uint64_t i = 0; i < N_BOARDS; i++) {
        const struct board board = late_board(i % 2 ? 12 : 6, i * UINT64_C(0x9e3779b97f4a7c15));
        struct query_answer answer;
        unsigned goal;
        float chance;
        endgame_chance(endgame, board, &chance);
        if (endgame_query(endgame, board, &answer, &goal) == STATUS_OK && answer.best > DIRECTION_COUNT)
            abort();
    }
    uint64_t checksum;
    endgame_checksum(endgame, &checksum);
}

static void ask_chain(const struct chain *chain)
{
    for (uint64_t i = 0; i < N_BOARDS; i++) {
        struct chain_answer answer;
        if (chain_choose(chain, corner_board(i * UINT64_C(0x9e3779b97f4a7c15)), &answer) &&
            (answer.best >= DIRECTION_COUNT || !(answer.chance[answer.best] >= 0)))
            abort();
    }
    uint64_t checksum;
    chain_checksum(chain, &checksum);
}

static void open_and_ask(const char *folder)
{
    struct endgame *endgame;
    struct chain *chain;
    if (endgame_open(&endgame, folder) == STATUS_OK)
        ask_endgame(endgame);
    endgame_close(endgame);
    if (chain_open(&chain, folder) == STATUS_OK && chain)
        ask_chain(chain);
    chain_close(chain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    const char *folder = fuzz_folder();
    uint8_t *copy = fuzz_copy(data, n_bytes);
    for (unsigned mended = 0; mended < 2 && fuzz_write_files(names, N_FILES, copy, n_bytes, mended); mended++)
        open_and_ask(folder);
    fuzz_empty_folder();
    free(copy);
    return 0;
}
