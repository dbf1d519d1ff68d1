/*
 * stretch: the files of a table directory that hold ages: block files with one block for each age, in the order in
 * which the solver comes by. A stretch ends after the age with which it has STRETCH_MEMBERS boards, which the boards
 * alone decide; so a job that stopped in the middle of a stretch and goes on leaves the same files as one that never
 * stopped.
 */
#ifndef AFTERSTATE_SOLVE_STRETCH_H
#define AFTERSTATE_SOLVE_STRETCH_H

#include "base/blockfile.h"
#include "base/status.h"
#include "solve/age_code.h"
#include "solve/table_index.h"

#include <stdbool.h>
#include <stdint.h>

enum { STRETCH_MEMBERS = 4 << 20, STRETCH_KIND_AGE = 1, STRETCH_VERSION = 1 };

extern const char stretch_magic[]; /* "ASSOLAGE" */

/* A stretch being written. Begin with kind, directory and full_at, all else zero. */
struct stretch_writer {
    enum stretch_kind kind;
    const char *directory;
    uint64_t full_at;            /* members that end a stretch */
    struct block_writer *writer; /* NULL: no stretch is open */
    struct table_stretch stretch;
    uint64_t n_members;
};

/*
 * If the last stretch of the kind in the index is not full, begins with a copy of its ages, so that it grows. Ages that
 * the file has but the index does not know are left out.
 */
enum status stretch_resume(struct stretch_writer *writer, const struct table_index *index);

/* Adds an age of n_members boards. */
enum status stretch_append(struct stretch_writer *writer, uint32_t age, const struct code_bytes *code,
                           uint64_t n_members);

static inline bool stretch_is_full(const struct stretch_writer *writer)
{
    return writer->n_members >= writer->full_at;
}

/* Puts the open stretch (if any) in place and into the index, which the caller writes. */
enum status stretch_commit(struct stretch_writer *writer, struct table_index *index);
void stretch_abort(struct stretch_writer *writer); /* forgets the open one */

/* Opens the file of a stretch of the index. */
enum status stretch_open(struct block_reader **out, const char *directory, struct table_stretch stretch);

#endif
