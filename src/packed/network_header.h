/*
 * network_header: the header of a network file, one JSON text with the spec and the history of the network.
 * docs/FORMATS.md, "Network files", lists its members.
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

/* Writes the header to *text, which the caller frees. STATUS_INVALID for numbers that are not finite, STATUS_NO_MEMORY;
 *text is then NULL. */
enum status network_header_write(const struct network_info *info, const struct network_history *history, char **text);

/*
 * Reads text[0 .. bytes-1], safe on any bytes. The spec has been checked by network_measure(). *history may be NULL;
 * otherwise the caller frees it. STATUS_CORRUPT or STATUS_INVALID with the reason; *history is then zeroed.
 */
enum status network_header_read(const char *text, size_t bytes, struct network_info *info,
                                struct network_history *history);

#endif
