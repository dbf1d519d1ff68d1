/*
 * npz: named arrays of floats in the file that NumPy's np.savez() writes, so that weights can be carried to Python and
 * back: `numpy.load("out.npz")["name"]`. It is a zip archive with a member NAME.npy (npy.h) for each array.
 *
 * Written: members stored as they are, dated 1980, so that the same arrays give the same bytes; deflate would save
 * some 7% of trained weights. Read: stored members and deflated ones (np.savez_compressed()). zlib does the inflating
 * and the CRC-32 of either.
 *
 * Others define this format, so it carries the zip's CRC-32 and not our checksums. Reading is safe on any bytes.
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
 * STATUS_INVALID for what others may write and is not read here (encrypted, other methods, arrays of other types,
 * beyond 4 GiB), STATUS_NO_MEMORY. *out is zeroed then; else free it with npz_free().
 */
enum status npz_read(struct npz *out, const char *path);
/* The same on bytes in memory; `name` stands in messages. */
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
