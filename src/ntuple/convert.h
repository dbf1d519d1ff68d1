/*
 * convert: gives a network other stages, promotion or more cell values without changing its values, so that training
 * can continue with them: a one-stage network with sixteen stages, or one of 16 cell values with 65536 and 32768
 * distinct.
 */
#ifndef AFTERSTATE_NTUPLE_CONVERT_H
#define AFTERSTATE_NTUPLE_CONVERT_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdbool.h>
#include <stdio.h>

struct network_conversion {
    struct stages stages; /* each must be part of one old stage */
    bool promote;
    unsigned n_values; /* of a plain encoding, at least as many as before; 0 keeps any encoding */
};

/*
 * Creates the new network in *out (NULL on failure), which the caller frees, and compares it with the old one on
 * thousands of boards. If `progress` is not NULL, a bar is shown on it. STATUS_INVALID, with the reason, if the
 * conversion is impossible; STATUS_NO_MEMORY.
 */
enum status network_convert(struct network **out, const struct network *network,
                            const struct network_conversion *conversion, FILE *progress);

#endif
