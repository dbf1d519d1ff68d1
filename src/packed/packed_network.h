/*
 * packed_network: a network in a read-only form for play, with the same values to the last bit. There are two forms:
 *
 *   compact   (compact_network.h)  loads in a fraction of the time, into a sixth of the memory
 *   fast      (fast_network.h)     evaluates up to twice as fast
 *
 * Both need integer weights, as net shrink writes them: sums of integers do not depend on the order of addition. A
 * touched weight of 0, which a file stores as the smallest positive number (weight_pack.h), is 0 here.
 */
#ifndef AFTERSTATE_PACKED_PACKED_NETWORK_H
#define AFTERSTATE_PACKED_PACKED_NETWORK_H

#include "game/grid.h"
#include "game/value.h"

struct packed_network;

void packed_network_free(struct packed_network *packed); /* NULL is fine */
const struct grid *packed_network_grid(const struct packed_network *packed);
/* Thread-safe; borrows the network. */
struct value_function packed_network_function(const struct packed_network *packed);

#endif
