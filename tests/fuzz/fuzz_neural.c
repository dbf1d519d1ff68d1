/* Any bytes as a neural network's file, as they are and with right checksums: loaded and asked, or refused. */
#include "mend.h"
#include "neural/compute.h"
#include "neural/neural_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static void load(const uint8_t *data, size_t n_bytes)
{
    struct neural *neural = NULL;
    struct network_history history = {0};
    enum status status = neural_load_memory(&neural, data, n_bytes, "fuzz", &history);
    if ((status == STATUS_OK) != (neural != NULL))
        abort();
    neural_real value;
    struct board board = board_set((struct board){0}, 0, 1);
    /* The plain reference: it needs no library of linear algebra, and small networks are enough here. */
    if (neural && neural->n_weights < 100000 && neural_output_plain(neural, board, &value) != STATUS_OK)
        abort();
    neural_free(neural);
    network_history_free(&history);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    uint8_t *mended = malloc(n_bytes + 1);
    if (!mended)
        abort();
    load(data, n_bytes);
    if (n_bytes)
        memcpy(mended, data, n_bytes);
    mend_checksums(mended, n_bytes);
    load(mended, n_bytes);
    free(mended);
    return 0;
}
