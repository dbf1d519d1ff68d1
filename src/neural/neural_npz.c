/* neural_npz: exports a neural network's weights to Python and imports them. */
#include "neural/neural_npz.h"

#include "base/memory.h"
#include "neural/npz.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)NEURAL_MAX_DIMS <= (int)NPY_MAX_DIMS && (int)NEURAL_NAME_BYTES <= (int)NPZ_NAME_BYTES,
               "every array of a model fits");

enum { SHAPE_BYTES = 24 * NPY_MAX_DIMS };

enum status neural_export_npz(const struct neural *neural, const char *path)
{
    struct npz npz = {.members = memory_allocate(neural->n_arrays, sizeof *npz.members)};
    enum status status = npz.members ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned i = 0; i < neural->n_arrays && !status; i++) {
        const struct neural_array *from = &neural->arrays[i];
        struct npz_member *member = &npz.members[npz.n_members++];
        strcpy(member->name, from->name);
        member->array.n_dims = from->n_dims;
        member->array.n_values = from->n;
        for (unsigned d = 0; d < from->n_dims; d++)
            member->array.shape[d] = from->shape[d];
        member->array.data = memory_allocate(from->n, sizeof *member->array.data);
        if (!member->array.data)
            status = STATUS_NO_MEMORY;
        for (size_t k = 0; k < from->n && !status; k++)
            member->array.data[k] = (float)from->data[k];
    }
    if (!status)
        status = npz_write(&npz, path);
    npz_free(&npz);
    return status;
}

/* "(2, 2, 16, 256)" */
static const char *shape_text(const uint64_t *shape, unsigned n_dims, char out[SHAPE_BYTES])
{
    char *to = out + sprintf(out, "(");
    for (unsigned d = 0; d < n_dims; d++)
        to += sprintf(to, "%s%llu", d ? ", " : "", (unsigned long long)shape[d]);
    sprintf(to, n_dims == 1 ? ",)" : ")");
    return out;
}

static enum status check_array(const struct neural_array *expected, const struct npy_array *found)
{
    uint64_t shape[NEURAL_MAX_DIMS];
    char is[SHAPE_BYTES], should_be[SHAPE_BYTES];
    bool fits = found && found->n_dims == expected->n_dims;
    for (unsigned d = 0; d < expected->n_dims; d++) {
        shape[d] = expected->shape[d];
        fits = fits && found->shape[d] == shape[d];
    }
    shape_text(shape, expected->n_dims, should_be);
    if (!found)
        return status_fail(STATUS_INVALID, "no array '%s'; the model has one of shape %s", expected->name, should_be);
    if (!fits)
        return status_fail(STATUS_INVALID, "the array '%s' has the shape %s, in the model %s", expected->name,
                           shape_text(found->shape, found->n_dims, is), should_be);
    for (size_t i = 0; i < found->n_values; i++)
        if (!isfinite(found->data[i]))
            return status_fail(STATUS_INVALID, "number %zu of the array '%s' is %g", i, expected->name,
                               (double)found->data[i]);
    return STATUS_OK;
}

static enum status check_unknown(const struct neural *neural, const struct npz *npz)
{
    for (size_t m = 0; m < npz->n_members; m++) {
        bool known = false;
        for (unsigned i = 0; i < neural->n_arrays; i++)
            known |= strcmp(npz->members[m].name, neural->arrays[i].name) == 0;
        if (!known)
            return status_fail(STATUS_INVALID, "the array '%s' is not one of the model's; they are '%s' to '%s'",
                               npz->members[m].name, neural->arrays[0].name, neural->arrays[neural->n_arrays - 1].name);
    }
    return STATUS_OK;
}

enum status neural_import_npz(struct neural *neural, const char *path)
{
    struct npz npz;
    enum status status = npz_read(&npz, path);
    if (status)
        return status;
    for (unsigned i = 0; i < neural->n_arrays && !status; i++)
        status = check_array(&neural->arrays[i], npz_find(&npz, neural->arrays[i].name));
    if (!status)
        status = check_unknown(neural, &npz);
    for (unsigned i = 0; i < neural->n_arrays && !status; i++) {
        const struct npy_array *from = npz_find(&npz, neural->arrays[i].name);
        for (size_t k = 0; k < from->n_values; k++)
            neural->arrays[i].data[k] = (neural_real)from->data[k];
    }
    npz_free(&npz);
    return status ? status_context(status, "%s", path) : STATUS_OK;
}
