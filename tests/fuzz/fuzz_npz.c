/*
 * fuzz_npz: any bytes as a .npz file, and as the array within one, since a CRC-32 keeps most changed files from getting
 * there. What an array was read as is written and read again: the same.
 */
#include "neural/npz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static void try_array(const uint8_t *data, size_t n_bytes)
{
    struct npy_array array, again;
    if (npy_read(&array, data, n_bytes, "input") != STATUS_OK) {
        if (array.data)
            abort();
        return;
    }
    uint8_t header[NPY_HEADER_BYTES];
    size_t header_bytes = npy_write_header(header, NPY_FLOAT32, array.n_dims, array.shape), bytes = 4 * array.n_values;
    uint8_t *file = malloc(header_bytes + bytes);
    if (!file)
        abort();
    memcpy(file, header, header_bytes);
    memcpy(file + header_bytes, array.data, bytes); /* little-endian machines only, as fuzzers are */
    if (npy_read(&again, file, header_bytes + bytes, "again") != STATUS_OK || again.n_dims != array.n_dims ||
        memcmp(again.shape, array.shape, array.n_dims * sizeof *array.shape) != 0 ||
        memcmp(again.data, array.data, bytes) != 0)
        abort();
    free(file);
    free(again.data);
    free(array.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    struct npz npz;
    if (npz_read_memory(&npz, data, n_bytes, "input") == STATUS_OK)
        for (size_t i = 0; i < npz.n_members; i++)
            if (npz_find(&npz, npz.members[i].name) != &npz.members[i].array)
                abort();
    npz_free(&npz);
    try_array(data, n_bytes);
    return 0;
}
