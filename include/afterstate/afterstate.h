/*
 * afterstate: the 2048 laboratory as a C library.
 *
 * This header, with those that it includes, is the whole public interface. It needs nothing but C99 and
 * works from C++. Link with -lafterstate, or take the flags from `pkg-config --cflags --libs afterstate`.
 * docs/example.c, docs/example_search.c, docs/example_table.c and docs/example_vector.c are complete programs.
 *
 *   core.h         grids, boards, rules, games, networks, search, solved tables
 *   arrays.h       many boards in the caller's arrays; many games side by side
 *   records.h      games written down
 *   weights.h      the weights of networks, to read and to set
 *   training.h     learning by a recipe
 *   exact.h        the exact score of a player on a solved board
 *
 * Conventions that hold for every function:
 *
 *   Failure   A function that does something returns an enum as_status, AS_OK (0) if it was done. A function that
 *             answers a question returns an int: the answer, 0 or more, or -1 for wrong arguments. After a failure
 *             as_last_error() says in one sentence what was wrong, and what the function would have written is
 *             untouched unless its comment says otherwise.
 *   Wrong     NULL where an object is expected, a direction that does not exist, a board that does not belong to the
 *   arguments grid: each is a failure (AS_USAGE or AS_INVALID), never a crash. A pointer that is neither NULL nor valid
 *             is the caller's mistake and cannot be found out.
 *   NULL      is allowed for an output only where the comment says so, and always for the argument of *_free().
 *   Owners    What *_create(), *_begin() or *_open() puts into *out belongs to the caller, who gives it to the
 *             *_free() of its type. No function becomes the owner of an argument; what is borrowed for longer than the
 *             call is named.
 *   Threads   There is no global state but the last error, of which each thread has its own. Grids, boards, networks
 *             and solved tables never change and may be used by many threads at once; generators, games and searches
 *             belong to one thread at a time.
 *   Settings  A struct whose first field is `size` may grow in later versions. The caller puts its sizeof there and
 *             zeroes the rest before filling it: { .size = sizeof settings, .depth = 3 }. A field that the caller's
 *             version did not have counts as 0; one that this library does not know must be 0, else AS_USAGE.
 *   Numbers   A tile is named by its exponent, called its value: 0 an empty cell, 1 the tile 2, 2 the tile 4, .. 17 the
 *             tile 131072, which is the largest. Scores and rewards are points, as the game counts them.
 *
 * Versions: the library's SONAME is libafterstate.so.N. N grows when a program that was built with an older header
 * would no longer work; new functions and new fields at the end of sized structs do not change it. Before version 1.0 a
 * minor version may do that; CHANGELOG.md then says so. Symbols carry the version AFTERSTATE_N.
 */
#ifndef AFTERSTATE_AFTERSTATE_H
#define AFTERSTATE_AFTERSTATE_H

#include <afterstate/arrays.h>
#include <afterstate/core.h>
#include <afterstate/exact.h>
#include <afterstate/records.h>
#include <afterstate/training.h>
#include <afterstate/weights.h>

#endif
