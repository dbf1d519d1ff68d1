/*
 * network_header: what a network file says about itself before its weights, as one JSON text: the spec, and how the
 * network came to be. docs/FORMATS.md, "Network files", lists the members.
 */
#ifndef AFTERSTATE_PACKED_NETWORK_HEADER_H
#define AFTERSTATE_PACKED_NETWORK_HEADER_H

#include "base/network_history.h"
#include "base/status.h"
#include "ntuple/network.h"
#include "packed/weight_pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct network_info {
    struct network_spec spec;
    enum network_precision precision;
    uint64_t n_weights;
    uint64_t touched[STAGES_MAX]; /* of each stage: weights that differ from spec.initial */
};

/* The header in *text, which the caller frees. */
enum status network_header_write(const struct network_info *info, const struct network_history *history, char **text);

/*
 * Reads text[0 .. bytes-1], safe on any bytes. The spec is one that network_measure() takes, and n_weights is what it
 * gives. STATUS_CORRUPT or STATUS_INVALID with what is wrong; *history (may be NULL, else freed by the caller) is then
 * zeroed.
 */
enum status network_header_read(const char *text, size_t bytes, struct network_info *info,
                                struct network_history *history);

#endif
