/*
 * network_value: the value of an afterstate by a network. Any number of threads may ask while nobody trains.
 */
#ifndef AFTERSTATE_NTUPLE_NETWORK_VALUE_H
#define AFTERSTATE_NTUPLE_NETWORK_VALUE_H

#include "game/board.h"
#include "game/value.h"
#include "ntuple/network.h"

/* One cell at a time: the reference that the fast ways are compared with. */
float network_value_plain(const struct network *network, struct board after);
/* The fast way. Promotion is applied on the fly and nothing is written. */
float network_value(const struct network *network, struct board after);
/* Both as a value function, which borrows the network. Batches overlap their memory accesses. */
struct value_function network_value_function(const struct network *network);

#endif
