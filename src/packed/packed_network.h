/*
 * packed_network: a network in a read-only form for play, with the same values to the last bit. There are two forms:
 *
 *   compact   (compact_network.h)  loads in a fraction of the time, into a sixth of the memory
 *   fast      (fast_network.h)     evaluates up to twice as fast
 *
 * Both need integer weights, as net shrink leaves them: integers may be added in any order, and a touched weight of 0,
 * which a file stores as the smallest positive number (weight_pack.h), is 0 here. So a board that meets no other
 * weights is worth exactly 0.
 */
#ifndef AFTERSTATE_PACKED_PACKED_NETWORK_H
#define AFTERSTATE_PACKED_PACKED_NETWORK_H

#include "game/grid.h"
#include "game/value.h"

struct packed_network;

void packed_network_free(struct packed_network *packed); /* NULL is fine */
const struct grid *packed_network_grid(const struct packed_network *packed);
/* For search and statistics; borrows the network. */
struct value_function packed_network_function(const struct packed_network *packed);

#endif
