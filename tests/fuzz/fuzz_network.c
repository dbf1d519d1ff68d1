/*
 * fuzz_network: network files as they are and with right checksums, in both forms, and their two inner layers on the
 * bare bytes: the header's text and a run of packed weights. What loads must also evaluate.
 */
#include "mend.h"
#include "ntuple/network_value.h"
#include "packed/compact_network.h"
#include "packed/network_file.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static void try_file(const uint8_t *data, size_t n_bytes)
{
    struct network *network;
    struct network_history history;
    if (network_load_memory(&network, data, n_bytes, "input", &history) != STATUS_OK)
        return;
    struct board board = {0};
    for (unsigned cell = 0; cell < network->grid.n_cells; cell++)
        board = board_set(board, cell, (cell * 7 + 3) % (network->grid.max_value + 1U));
    volatile float value = network_value(network, board) + network_value_plain(network, board);
    (void)value;
    struct packed_network *compact; /* what loads as a network loads for play as well, or does not suit */
    if (compact_network_load_memory(&compact, data, n_bytes, "input") != STATUS_OK)
        abort();
    if (compact) {
        struct value_function function = packed_network_function(compact);
        value = value_of(&function, board);
        packed_network_free(compact);
    }
    network_history_free(&history);
    network_free(network);
}

static void try_header(const uint8_t *data, size_t n_bytes)
{
    struct network_info info;
    struct network_history history;
    if (network_header_read((const char *)data, n_bytes, &info, &history) != STATUS_OK)
        return;
    char *text;
    if (network_header_write(&info, &history, &text) == STATUS_OK) { /* what was understood can be written again */
        struct network_info again;
        if (network_header_read(text, strlen(text), &again, NULL) != STATUS_OK)
            abort();
        free(text);
    }
    network_history_free(&history);
}

static void try_weights(const uint8_t *data, size_t n_bytes)
{
    enum { MOST = 4096 };
    static float weights[MOST];
    for (size_t each = 2; each <= 4; each += 2) {
        size_t n = n_bytes < WEIGHT_PACK_HEADER_BYTES ? 0 : (n_bytes - WEIGHT_PACK_HEADER_BYTES) / each;
        if (n <= MOST)
            (void)weight_unpack(data, n_bytes, 1.5f, weights, (uint32_t)n);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    uint8_t *mended = malloc(n_bytes ? n_bytes : 1);
    if (!mended)
        abort();
    if (n_bytes)
        memcpy(mended, data, n_bytes);
    mend_checksums(mended, n_bytes);
    try_file(data, n_bytes);
    try_file(mended, n_bytes);
    free(mended);
    try_header(data, n_bytes);
    try_weights(data, n_bytes);
    return 0;
}
