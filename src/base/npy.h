/*
 * npy: one array in the form that NumPy's np.save() writes: a magic, a version, a header that is a Python dictionary
 * with the type of the numbers, their order and the shape, then the numbers.
 *
 *   0        6    8 (version 1) or 8 (2, 3)   10 or 12
 *   | magic | 1 0 | header bytes: u16 or u32 | {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }   \n | data
 *
 * Read: '<f4', and '<f8' rounded to float; both orders, since NumPy writes a transposed array as it lies. What is in
 * memory is always float in C order (the last index runs fastest). Reading is safe on any bytes.
 *
 * Written: version 1, C order, the header padded so that the data begin at a multiple of 64. Only the header is written
 * here; the data, little-endian, are the caller's, so that an array need not be in memory as a whole.
 */
#ifndef AFTERSTATE_BASE_NPY_H
#define AFTERSTATE_BASE_NPY_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { NPY_MAX_DIMS = 8, NPY_HEADER_BYTES = 256 };

struct npy_array {
    unsigned n_dims; /* 0: a single number */
    uint64_t shape[NPY_MAX_DIMS];
    size_t n_values; /* the product of the shape */
    float *data;
};

/*
 * Reads the array that is all of data[0 .. bytes-1]; out->data is then to be freed. STATUS_CORRUPT where it is no such
 * array or its length is wrong, STATUS_INVALID for one of a kind that is not read here (integers, big-endian),
 * STATUS_NO_MEMORY; *out is then zeroed. Messages begin with `name`.
 */
enum status npy_read(struct npy_array *out, const uint8_t *data, size_t bytes, const char *name);

enum npy_type {
    NPY_FLOAT32, /* '<f4' */
    NPY_FLOAT64, /* '<f8' */
    NPY_UINT8,   /* '|u1' */
};

/* Writes magic, version and header of an array with shape[0 .. n_dims-1], at most NPY_MAX_DIMS; returns their bytes. */
size_t npy_write_header(uint8_t out[NPY_HEADER_BYTES], enum npy_type type, unsigned n_dims, const uint64_t *shape);

#endif
