/*
 * convert: a network with other stages, with or without promotion, or with more cell values; evaluation stays the same.
 * What is gained is room for training to go on: a one-stage network continues with sixteen stages, one of 16 cell
 * values learns to tell 65536 from 32768.
 */
#ifndef AFTERSTATE_NTUPLE_CONVERT_H
#define AFTERSTATE_NTUPLE_CONVERT_H

#include "base/progress.h"
#include "base/status.h"
#include "ntuple/network.h"

#include <stdbool.h>

struct network_conversion {
    struct stages stages; /* each must be part of one old stage */
    bool promote;
    unsigned n_values; /* of a plain encoding, at least as many as before; 0 keeps the encoding, whatever it is */
};

/* STATUS_INVALID, with the reason, if it is not possible; else the spec of the new network. */
enum status convert_spec(const struct network_spec *spec, const struct network_conversion *conversion,
                         struct network_spec *converted);

/*
 * Makes the new network in *out (NULL on failure), which the caller frees, and compares it with the old one on
 * thousands of boards. `progress` may be NULL, else begun with a total of 4 bytes for each weight of convert_spec().
 */
enum status network_convert(struct network **out, const struct network *network,
                            const struct network_conversion *conversion, struct progress *progress);

#endif
