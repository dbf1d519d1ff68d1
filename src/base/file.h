/*
 * file: writing that either happens completely or not at all, and reading by mapping.
 *
 * A writer fills a temporary file beside its target; commit syncs it and renames it over the target, so a reader, a
 * crash or a full disk sees the old file or the new one, never a half. Because files are replaced and never written in
 * place, a mapped file cannot change or shrink under its reader as long as only this program writes it.
 *
 * Different objects may be used by different threads at once; one object belongs to one thread at a time.
 */
#ifndef AFTERSTATE_BASE_FILE_H
#define AFTERSTATE_BASE_FILE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

struct file_writer;

/*
 * Starts a new content for `path`, which may exist as a regular file or not at all; its folder must exist. The path is
 * copied. On failure (STATUS_IO, STATUS_NO_MEMORY) *out is NULL and nothing is left behind.
 */
enum status file_writer_open(struct file_writer **out, const char *path);

/*
 * Adds data[0 .. bytes-1]; data may be NULL if bytes is 0. Buffered. STATUS_IO when the system refuses (disk full,
 * limit): the writer then stays failed, further calls return the same, and the caller aborts it (or commits, which
 * fails too).
 */
enum status file_writer_append(struct file_writer *writer, const void *data, size_t bytes);

/* Bytes appended so far. */
uint64_t file_writer_bytes(const struct file_writer *writer);

/* The path it was opened with, valid as long as the writer. */
const char *file_writer_path(const struct file_writer *writer);

/*
 * Makes the content permanent under the path. Frees the writer in every case. On failure the old file is as it was and
 * the temporary is removed; the one exception is a failure to sync the folder after the rename, where the new file is
 * complete and in place but may not survive a power cut, and the message says so.
 */
enum status file_writer_commit(struct file_writer *writer);

/* Removes the temporary and frees the writer; the old file stays. NULL is fine. Leaves the thread's message alone. */
void file_writer_abort(struct file_writer *writer);

/* Makes `text` the whole content of `path`, as a writer does it. STATUS_IO, STATUS_NO_MEMORY. */
enum status file_write_text(const char *path, const char *text);

struct file_map {
    const uint8_t *data; /* aligned to a page; NULL if bytes is 0 */
    size_t bytes;
};

/* Maps a regular file for reading. An empty file is fine. On failure (STATUS_IO) *out is zeroed. */
enum status file_map_open(struct file_map *out, const char *path);

/* Ends the mapping and zeroes *map. NULL and a zeroed struct are fine. Any thread may read the data until then. */
void file_map_close(struct file_map *map);

/* The most that file_read_text() reads: recipes and logs are far below, a mistaken table file is refused early. */
enum { FILE_TEXT_MAX_BYTES = 16 << 20 };

/*
 * The whole text of a file, a pipe included, ended by a NUL; the caller frees *out. STATUS_IO if it cannot be read,
 * STATUS_INVALID if it is beyond FILE_TEXT_MAX_BYTES or holds a NUL byte; *out is then NULL.
 */
enum status file_read_text(const char *path, char **out);

/*
 * Makes the folder if need be and takes its lock, which is the kernel's and ends with the process: two processes in one
 * folder of work would overwrite each other. *lock is then given to file_unlock_directory(). STATUS_USAGE, "PATH:
 * another process is WORK there", where it is taken; STATUS_IO. *lock is -1 after a failure.
 */
enum status file_lock_directory(const char *path, const char *work, int *lock);
void file_unlock_directory(int lock); /* -1 is fine */

/* Makes a folder and the missing ones above it. Fine if it is there already. STATUS_IO otherwise. */
enum status file_make_directory(const char *path);

#endif
