/*
 * age_file: the files of a table directory that hold sets, values or moves: block files with one block for each age, in
 * the order in which the solver reaches them. A file ends with the age that brings it to AGE_FILE_MEMBERS boards. Only
 * the boards decide that, so a job that was stopped in the middle of a file and resumed leaves the same files as one
 * that was never stopped.
 */
#ifndef AFTERSTATE_SOLVE_AGE_FILE_H
#define AFTERSTATE_SOLVE_AGE_FILE_H

#include "base/blockfile.h"
#include "base/status.h"
#include "solve/age_code.h"
#include "solve/table_index.h"

#include <stdbool.h>
#include <stdint.h>

enum { AGE_FILE_MEMBERS = 4 << 20, AGE_FILE_KIND_AGE = 1, AGE_FILE_VERSION = 1 };

extern const char age_file_magic[]; /* "ASSOLAGE" */

/* Writes the files of one kind, one after the other. Begin with kind, directory and full_at, all else zero. */
struct age_file_writer {
    enum age_file_kind kind;
    const char *directory;
    uint64_t full_at;            /* members that end a file */
    struct block_writer *writer; /* NULL: no file is open */
    struct age_file file;
    uint64_t n_members;
};

/*
 * If the last file of the kind in the index is not full, begins with a copy of its ages, so that it grows. Ages that
 * the file has but the index does not know are left out.
 */
enum status age_file_resume(struct age_file_writer *writer, const struct table_index *index);

/* Adds an age of n_members boards. */
enum status age_file_append(struct age_file_writer *writer, uint32_t age, const struct code_bytes *code,
                            uint64_t n_members);

static inline bool age_file_is_full(const struct age_file_writer *writer)
{
    return writer->n_members >= writer->full_at;
}

/* Puts the open file (if any) in place and into the index, which the caller writes. */
enum status age_file_commit(struct age_file_writer *writer, struct table_index *index);
void age_file_abort(struct age_file_writer *writer); /* discards the open one */

/* Opens a file that the index names. */
enum status age_file_open(struct block_reader **out, const char *directory, struct age_file file);

#endif
