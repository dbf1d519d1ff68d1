/*
 * npz: named arrays of floats in the format of NumPy's np.savez(), to exchange weights with Python:
 * `numpy.load("out.npz")["name"]`. The file is a zip archive with a member NAME.npy (npy.h) for each array.
 *
 * Members are written uncompressed, dated 1980, so that the same arrays give the same bytes; deflate would save some 7%
 * of trained weights. Stored and deflated members (np.savez_compressed()) are read. zlib inflates and computes CRC-32.
 *
 * Reading is safe on any bytes.
 */
#ifndef AFTERSTATE_NEURAL_NPZ_H
#define AFTERSTATE_NEURAL_NPZ_H

#include "base/npy.h"
#include "base/status.h"

#include <stddef.h>

enum { NPZ_NAME_BYTES = 64 };

struct npz_member {
    char name[NPZ_NAME_BYTES]; /* without ".npy" */
    struct npy_array array;
};

struct npz {
    size_t n_members;
    struct npz_member *members;
};

/*
 * Reads all arrays of a file. STATUS_IO if it cannot be read, STATUS_CORRUPT if it is no such archive or damaged,
 * STATUS_INVALID for valid archives that are not supported (encrypted, other methods, arrays of other types, beyond
 * 4 GiB), STATUS_NO_MEMORY; *out is then zeroed. Free it with npz_free().
 */
enum status npz_read(struct npz *out, const char *path);
/* The same from data[0 .. bytes-1]; messages call it `name`. */
enum status npz_read_memory(struct npz *out, const uint8_t *data, size_t bytes, const char *name);
void npz_free(struct npz *npz); /* NULL and zeroed are fine */

/* The array of this name, or NULL. */
const struct npy_array *npz_find(const struct npz *npz, const char *name);

/*
 * Writes the arrays, in this order, atomically (file.h). STATUS_IO, STATUS_NO_MEMORY, STATUS_USAGE
 * for more than two GiB or 65534 arrays.
 */
enum status npz_write(const struct npz *npz, const char *path);

#endif
