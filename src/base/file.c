/* file: paths, folders, and writing that either happens completely or not at all; file_read.c has reading. */
#include "base/file.h"

#include "base/memory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 << 10, TEMPORARY_ATTEMPTS = 1000, TEMPORARY_SUFFIX_BYTES = 48, FIRST_DATA_DESCRIPTOR = 3 };

#define TEMPORARY_MARK ".tmp-"

struct file_writer {
    char *path;   /* as it was given, for messages */
    char *target; /* the file that is replaced: path, or where its symbolic link leads */
    char *temporary;
    int descriptor;
    enum status failed; /* the first failure sticks: a file with a hole must never be committed */
    size_t n_buffered;
    uint64_t n_appended;
    uint8_t buffer[BUFFER_BYTES];
};

static enum status fail_writing(const char *path)
{
    switch (errno) {
    case ENOSPC:
        return status_fail(STATUS_IO, "%s: the disk is full; free some space or write elsewhere", path);
    case EDQUOT:
        return status_fail(STATUS_IO, "%s: your disk quota is used up; free some space or write elsewhere", path);
    case EFBIG:
        return status_fail(STATUS_IO, "%s: the file would exceed the size limit (see ulimit -f)", path);
    default:
        return status_fail_errno(STATUS_IO, "%s: cannot write", path);
    }
}

int file_open(const char *path, int flags)
{
    int descriptor;
    do
        descriptor = open(path, flags | O_CLOEXEC, 0666);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0 || descriptor >= FIRST_DATA_DESCRIPTOR)
        return descriptor;
    int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_DATA_DESCRIPTOR), reason = errno;
    close(descriptor);
    errno = reason;
    return moved;
}

char *file_path(const char *folder, const char *name)
{
    size_t bytes = strlen(folder) + strlen(name) + 2;
    char *path = memory_allocate(bytes, 1);
    if (path)
        snprintf(path, bytes, "%s/%s", folder, name);
    return path;
}

void file_remove(const char *folder, const char *name)
{
    char *path = file_path(folder, name);
    if (path)
        unlink(path);
    free(path);
}

/* Splits a path into its folder (from malloc; "." if it names none) and the name in it. NULL without memory. */
static char *split_path(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash ? slash + 1 : path;
    char *folder = memory_copy_text(slash ? path : ".");
    if (folder && slash)
        folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

/* Whether a name ends with what create_temporary() puts after that of the target. */
static bool is_temporary_ending(const char *ending)
{
    if (strncmp(ending, TEMPORARY_MARK, strlen(TEMPORARY_MARK)) != 0)
        return false;
    const char *process = ending + strlen(TEMPORARY_MARK);
    size_t digits = strspn(process, "0123456789");
    const char *attempt = process + digits + 1;
    return digits > 0 && process[digits] == '-' && isdigit((unsigned char)*attempt) &&
           attempt[strspn(attempt, "0123456789")] == '\0';
}

bool file_is_temporary_of(const char *name, const char *target)
{
    size_t bytes = strlen(target);
    return strncmp(name, target, bytes) == 0 && is_temporary_ending(name + bytes);
}

/* Removes a temporary unless its writer still lives: a writer holds the lock of its temporary until it is renamed. */
static void remove_if_orphan(int folder, const char *name)
{
    int descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (descriptor < 0)
        return;
    if (fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        unlinkat(folder, name, 0);
    close(descriptor);
}

/* Temporaries of the same target that killed processes left. What cannot be removed stays: that is no failure. */
static void remove_orphans(const char *target)
{
    const char *name;
    char *folder = split_path(target, &name);
    DIR *directory = folder ? opendir(folder) : NULL;
    free(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (file_is_temporary_of(entry->d_name, name))
            remove_if_orphan(dirfd(directory), entry->d_name);
    }
    closedir(directory);
}

void file_discard(const char *path)
{
    unlink(path);
    remove_orphans(path);
}

void file_discard_temporaries(const char *folder, const char *prefix)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        const char *ending = strstr(entry->d_name, TEMPORARY_MARK);
        if (ending && strncmp(entry->d_name, prefix, strlen(prefix)) == 0 && is_temporary_ending(ending))
            remove_if_orphan(dirfd(directory), entry->d_name);
    }
    closedir(directory);
}

/* A temporary that the process's umask gives the usual permissions; mkstemp would make it private. */
static enum status create_temporary(struct file_writer *writer)
{
    size_t bytes = strlen(writer->target) + TEMPORARY_SUFFIX_BYTES;
    writer->temporary = memory_allocate(bytes, 1);
    if (!writer->temporary)
        return STATUS_NO_MEMORY;
    for (unsigned attempt = 0; attempt < TEMPORARY_ATTEMPTS; attempt++) {
        snprintf(writer->temporary, bytes, "%s" TEMPORARY_MARK "%ld-%u", writer->target, (long)getpid(), attempt);
        writer->descriptor = file_open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL);
        if (writer->descriptor < 0 && errno != EEXIST)
            break;
        if (writer->descriptor < 0)
            continue;
        /* Between the two calls another process may have taken the file for an orphan; then it is gone. */
        if (flock(writer->descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return STATUS_OK; /* a file system without locks is no reason not to write */
        close(writer->descriptor);
        writer->descriptor = -1;
    }
    return status_fail_errno(STATUS_IO, "%s: cannot create a file in its folder", writer->path);
}

/* Where the new content goes: the file itself, or the one that its symbolic link leads to. */
static enum status find_target(struct file_writer *writer)
{
    struct stat info;
    if (lstat(writer->path, &info) != 0 || !S_ISLNK(info.st_mode)) {
        writer->target = memory_copy_text(writer->path);
        return writer->target ? STATUS_OK : STATUS_NO_MEMORY;
    }
    writer->target = realpath(writer->path, NULL);
    return writer->target ? STATUS_OK
                          : status_fail_errno(STATUS_IO, "%s: a symbolic link that leads to no file", writer->path);
}

static void free_writer(struct file_writer *writer)
{
    free(writer->temporary);
    free(writer->target);
    free(writer->path);
    free(writer);
}

enum status file_writer_open(struct file_writer **out, const char *path)
{
    *out = NULL;
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode))
        return status_fail(STATUS_IO, "%s: cannot be replaced, it is %s", path,
                           S_ISDIR(info.st_mode) ? "a folder" : "not a regular file");
    struct file_writer *writer = memory_allocate(1, sizeof *writer);
    if (!writer)
        return STATUS_NO_MEMORY;
    writer->descriptor = -1;
    writer->path = memory_copy_text(path);
    enum status status = writer->path ? find_target(writer) : STATUS_NO_MEMORY;
    if (!status) {
        remove_orphans(writer->target);
        status = create_temporary(writer);
    }
    if (status) {
        free_writer(writer);
        return status;
    }
    *out = writer;
    return STATUS_OK;
}

static enum status write_fully(struct file_writer *writer, const uint8_t *data, size_t bytes)
{
    while (bytes) {
        ssize_t written = write(writer->descriptor, data, bytes);
        if (written < 0) {
            if (errno == EINTR)
                continue;
            return writer->failed = fail_writing(writer->path);
        }
        data += written;
        bytes -= (size_t)written;
    }
    return STATUS_OK;
}

static enum status flush_buffer(struct file_writer *writer)
{
    enum status status = write_fully(writer, writer->buffer, writer->n_buffered);
    writer->n_buffered = 0;
    return status;
}

enum status file_writer_append(struct file_writer *writer, const void *data, size_t bytes)
{
    if (writer->failed)
        return status_fail(writer->failed, "%s: an earlier write failed", writer->path);
    if (bytes == 0)
        return STATUS_OK;
    writer->n_appended += bytes;
    if (bytes > BUFFER_BYTES - writer->n_buffered) {
        enum status status = flush_buffer(writer);
        if (status)
            return status;
        if (bytes >= BUFFER_BYTES) /* big pieces go straight through: no reason to copy a table */
            return write_fully(writer, data, bytes);
    }
    memcpy(writer->buffer + writer->n_buffered, data, bytes);
    writer->n_buffered += bytes;
    return STATUS_OK;
}

uint64_t file_writer_bytes(const struct file_writer *writer)
{
    return writer->n_appended;
}

const char *file_writer_path(const struct file_writer *writer)
{
    return writer->path;
}

static int close_descriptor(int descriptor)
{
    /* On Linux the descriptor is gone even after EINTR; closing it again could hit another thread's file. */
    return close(descriptor) != 0 && errno != EINTR ? -1 : 0;
}

static int sync_descriptor(int descriptor)
{
    while (fsync(descriptor) != 0)
        if (errno != EINTR)
            return -1;
    return 0;
}

/* A rename is permanent only once its folder is synced; some file systems cannot do that and say EINVAL. */
enum status file_sync_name(const char *path)
{
    const char *name;
    char *folder = split_path(path, &name);
    if (!folder)
        return STATUS_NO_MEMORY;
    int descriptor = file_open(folder, O_RDONLY | O_DIRECTORY);
    free(folder);
    /* A folder that may be written and not read is legal; its sync then comes with the file system's own pace. */
    if (descriptor < 0)
        return errno == EACCES ? STATUS_OK
                               : status_fail_errno(STATUS_IO, "%s: cannot open its folder to sync it", path);
    enum status status = STATUS_OK;
    if (sync_descriptor(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
        status = status_fail_errno(STATUS_IO, "%s: written, but its folder could not be synced", path);
    if (close_descriptor(descriptor) != 0 && !status)
        status = status_fail_errno(STATUS_IO, "%s: written, but its folder could not be closed", path);
    return status;
}

enum status file_writer_commit(struct file_writer *writer)
{
    enum status status = writer->failed;
    if (status)
        status_fail(status, "%s: not replaced, an earlier write failed", writer->path);
    else
        status = flush_buffer(writer);
    if (!status && sync_descriptor(writer->descriptor) != 0)
        status = fail_writing(writer->path);
    if (status) {
        file_writer_abort(writer);
        return status;
    }
    /* The second descriptor keeps the lock, so that no other process takes the closed temporary for an orphan. */
    int locked = fcntl(writer->descriptor, F_DUPFD_CLOEXEC, FIRST_DATA_DESCRIPTOR);
    /* Network file systems may report a full disk only here. */
    if (close_descriptor(writer->descriptor) != 0)
        status = fail_writing(writer->path);
    writer->descriptor = -1;
    if (!status && rename(writer->temporary, writer->target) != 0)
        status = status_fail_errno(STATUS_IO, "%s: cannot put the new file in place", writer->path);
    if (locked >= 0)
        close_descriptor(locked);
    if (status) {
        file_writer_abort(writer);
        return status;
    }
    status = file_sync_name(writer->target);
    free_writer(writer);
    return status;
}

void file_writer_abort(struct file_writer *writer)
{
    if (!writer)
        return;
    /* Nothing of this file is wanted, so failures to close or remove it change nothing for the caller. */
    if (writer->descriptor >= 0)
        close_descriptor(writer->descriptor);
    unlink(writer->temporary);
    free_writer(writer);
}

/* ---- folders ----------------------------------------------------------------------------------------------------- */

static enum status make_one_directory(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return file_sync_name(path);
    int reason = errno;
    struct stat info;
    if (stat(path, &info) == 0)
        return S_ISDIR(info.st_mode)
                   ? STATUS_OK
                   : status_fail(STATUS_IO, "%s: cannot make this folder, a file of that name is there", path);
    errno = reason;
    return status_fail_errno(STATUS_IO, "%s: cannot make this folder", path);
}

enum status file_make_directory(const char *path)
{
    char *part = memory_copy_text(path);
    if (!part)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    for (char *slash = part; !status && *slash && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        status = make_one_directory(part);
        *slash = '/';
    }
    if (!status)
        status = make_one_directory(part);
    free(part);
    return status;
}

enum status file_lock_directory(const char *path, const char *work, int *lock)
{
    *lock = -1;
    enum status status = file_make_directory(path);
    if (status)
        return status;
    int descriptor = file_open(path, O_RDONLY | O_DIRECTORY);
    if (descriptor < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open the directory", path);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        close(descriptor);
        return status_fail(STATUS_USAGE, "%s: another process is %s there", path, work);
    }
    *lock = descriptor; /* a file system without locks is no reason not to work */
    return STATUS_OK;
}

void file_unlock_directory(int lock)
{
    if (lock >= 0)
        close(lock);
}

enum status file_write_text(const char *path, const char *text)
{
    struct file_writer *writer;
    enum status status = file_writer_open(&writer, path);
    if (status)
        return status;
    status = file_writer_append(writer, text, strlen(text));
    if (!status)
        return file_writer_commit(writer);
    file_writer_abort(writer);
    return status;
}
