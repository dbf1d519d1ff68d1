/*
 * repair: finds files of a table directory that are missing or damaged, and prepares the solver to make them again.
 * Private to the solver.
 *
 * Every file of a table follows from the rules of the game and the settings, so a repaired directory is the same, bit
 * for bit, as one that was never damaged:
 *
 *   sets               made again here, from the two stored ages before the file (or from the start)
 *
 *   values, moves      removed from the index; the backward pass runs again from the top, since stored values are
 *                      rounded and those of the ages above are needed exactly
 *
 *   moves, finished    the sets are no longer there: the solve begins again from the start
 *
 *   resume.table       removed; the backward pass runs again from the top
 *
 * A damaged index is not repaired but reported: it alone says what the other files are. Without any index the solve
 * begins at the start, and says so if there are other files.
 */
#ifndef AFTERSTATE_SOLVE_REPAIR_H
#define AFTERSTATE_SOLVE_REPAIR_H

#include "solve/solver_parts.h"

/* Tables of at most this many bytes are checked completely when a solve resumes: seconds on most disks. */
#define REPAIR_CHECKED_BYTES (UINT64_C(8) << 30)

enum repair_check {
    REPAIR_CHECK_BY_SIZE,   /* checksums up to REPAIR_CHECKED_BYTES, beyond them only that files are whole */
    REPAIR_CHECK_CHECKSUMS, /* all checksums */
};

/*
 * Checks the files that the index names, announces each that is missing or damaged (solve_settings.notice), and repairs
 * as above. *n_repaired is how many files that were. Layout and frame are made if they are needed.
 */
enum status repair_files(struct solver *solver, enum repair_check check, size_t *n_repaired);

/* Announces that a directory with files of ages has no index. */
enum status repair_notice_no_index(const struct solver *solver);

/* Removes resume.table, announced with `reason`, if there is one: *existed. */
enum status repair_drop_resume(struct solver *solver, const char *reason, bool *existed);

#endif
