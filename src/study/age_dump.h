/*
 * age_dump: the boards of one age of a solved table, and their values, as `.npy` files that NumPy opens.
 *
 *   afterstates-AGE.npy         uint8 [n, cells]   the exponent of each cell, row by row; 0 is empty, 255 a wall
 *   afterstate-values-AGE.npy   float64 [n]        value of the same row, in points, or a chance if there is a goal
 *   states-AGE.npy, state-values-AGE.npy           the same of the boards on which the player is to move
 *
 * Of each class of symmetric boards there is one. The order is the table's, the same for any number of threads.
 */
#ifndef AFTERSTATE_STUDY_AGE_DUMP_H
#define AFTERSTATE_STUDY_AGE_DUMP_H

#include "base/progress.h"
#include "base/status.h"
#include "base/workers.h"
#include "solve/table.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/* The value of a wall among the cells of a board. */
enum { DUMP_WALL = 255 };

enum dump_file { DUMP_AFTERSTATES, DUMP_AFTERSTATE_VALUES, DUMP_STATES, DUMP_STATE_VALUES, DUMP_FILES };

/* All are borrowed. */
struct dump_request {
    const struct table *table;
    struct workers *workers;
    uint32_t age;
    const char *folder;        /* created if needed; files of these names in it are removed first */
    struct progress *progress; /* optional; the caller began it with age_dump_boards() as its total */
};

struct dump_report {
    bool written[DUMP_FILES];
    uint64_t n_afterstates, n_states; /* of the age */
};

/*
 * Writes the files; each is complete or not there. Values are left out where the table has none of this age, states
 * where it lacks the sets that they follow from (a solve with checkpoints that was stopped). One array is never in
 * memory as a whole, but the sets are: some bits for each possible board of the age.
 *
 * STATUS_INVALID if the table does not have this age, STATUS_USAGE if it does not hold its afterstates, STATUS_CORRUPT,
 * STATUS_IO, STATUS_NO_MEMORY, STATUS_INTERRUPTED after a signal. Files that were finished before a failure remain.
 */
enum status age_dump_write(const struct dump_request *request, struct dump_report *report);

/* The boards that a dump of this age writes; 0 if the table does not have it. */
uint64_t age_dump_boards(const struct table *table, uint32_t age);

/* FOLDER/NAME-AGE.npy in path. STATUS_IO if it is too long. */
enum status age_dump_path(const char *folder, enum dump_file file, uint32_t age, char path[PATH_MAX]);

#endif
