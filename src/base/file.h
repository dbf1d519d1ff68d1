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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "FOLDER/NAME", which the caller frees; NULL with a message if there is no memory. */
char *file_path(const char *folder, const char *name);

/*
 * open(2) for data: close-on-exec, new files as the umask says, never interrupted, and never one of the descriptors 0,
 * 1 and 2: where a process was started with these closed, its next progress line would be written into the data. -1
 * with errno on failure.
 */
int file_open(const char *path, int flags);

struct file_writer;

/*
 * Starts a new content for `path`, which may exist as a regular file or not at all; its folder must exist. Where `path`
 * is a symbolic link, the file it leads to is replaced and the link stays. Temporaries of the same file that a killed
 * process left are removed. The path is copied. On failure (STATUS_IO, STATUS_NO_MEMORY) *out is NULL and nothing is
 * left behind.
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

/* Removes the temporary and frees the writer; the old file stays. NULL is fine. The thread's message is unchanged. */
void file_writer_abort(struct file_writer *writer);

/* Removes FOLDER/NAME if it is there. */
void file_remove(const char *folder, const char *name);

/* Removes a file that is no longer needed, if it is there, and the temporaries that killed writers of it left. */
void file_discard(const char *path);

/* Removes the temporaries that killed writers left of files of a folder whose names begin with `prefix`. */
void file_discard_temporaries(const char *folder, const char *prefix);

/* Whether `name` is how a writer of the file `target`, in the same folder, names its temporary. */
bool file_is_temporary_of(const char *name, const char *target);

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
 * The whole text of a regular file, ended by a NUL; the caller frees *out. Never waits for a pipe. STATUS_IO if it
 * cannot be read, STATUS_INVALID if it is beyond FILE_TEXT_MAX_BYTES or holds a NUL byte; *out is then NULL.
 */
enum status file_read_text(const char *path, char **out);

/*
 * The same, of a pipe too: for files that the user names, `<(...)` of a shell included. Waits for the pipe's writer; a
 * pipe that has none, or that ends without a byte, is STATUS_IO.
 */
enum status file_read_text_or_pipe(const char *path, char **out);

/*
 * The bytes of the regular file `name`, a relative path, below `folder`, and a NUL after them; the caller frees *out.
 * No part of `name` may be a symbolic link, "." or "..", so nothing outside the folder is read. Messages name the file
 * without its folder. STATUS_IO, STATUS_NO_MEMORY, STATUS_INVALID beyond `most` bytes; *out is then NULL.
 */
enum status file_read_below(const char *folder, const char *name, size_t most, char **out, size_t *bytes);

enum { FILE_BEGIN_MAX_BYTES = 64 };

/* Whether a regular file begins with data[0 .. bytes-1], bytes at most FILE_BEGIN_MAX_BYTES. False if it is none. */
bool file_begins_with(const char *path, const void *data, size_t bytes);

/*
 * Makes the folder if need be and takes its lock, which is the kernel's and ends with the process: two processes in one
 * folder of work would overwrite each other. *lock is then given to file_unlock_directory(). STATUS_USAGE, "PATH:
 * another process is WORK there", where it is taken; STATUS_IO. *lock is -1 after a failure.
 */
enum status file_lock_directory(const char *path, const char *work, int *lock);
void file_unlock_directory(int lock); /* -1 is fine */

/* Makes the name of a new file or folder permanent: syncs the folder that it is in. STATUS_IO, STATUS_NO_MEMORY. */
enum status file_sync_name(const char *path);

/* Makes a folder and the missing ones above it, permanently. Fine if it is there already. STATUS_IO otherwise. */
enum status file_make_directory(const char *path);

#endif
