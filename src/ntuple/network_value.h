/* network_value: the value of an afterstate by a network. Thread-safe while the network is not trained. */
#ifndef AFTERSTATE_NTUPLE_NETWORK_VALUE_H
#define AFTERSTATE_NTUPLE_NETWORK_VALUE_H

#include "game/board.h"
#include "game/value.h"
#include "ntuple/network.h"

/* One cell at a time: the reference for the fast functions. */
float network_value_plain(const struct network *network, struct board after);
/* The same, fast. Untouched weights are promoted as they are read; nothing is written. */
float network_value(const struct network *network, struct board after);
/* The same as a value function, which borrows the network. In a batch, memory accesses overlap. */
struct value_function network_value_function(const struct network *network);

#endif
