#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 256 << 10, TEMPORARY_ATTEMPTS = 1000, TEMPORARY_SUFFIX_BYTES = 48 };

struct file_writer {
    char *path;
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

/* A temporary that the process's umask gives the usual permissions; mkstemp would make it private. */
static enum status create_temporary(struct file_writer *writer)
{
    size_t bytes = strlen(writer->path) + TEMPORARY_SUFFIX_BYTES;
    writer->temporary = memory_allocate(bytes, 1);
    if (!writer->temporary)
        return STATUS_NO_MEMORY;
    for (unsigned attempt = 0; attempt < TEMPORARY_ATTEMPTS; attempt++) {
        snprintf(writer->temporary, bytes, "%s.tmp-%ld-%u", writer->path, (long)getpid(), attempt);
        writer->descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (writer->descriptor >= 0)
            return STATUS_OK;
        if (errno != EEXIST && errno != EINTR)
            break;
    }
    return status_fail_errno(STATUS_IO, "%s: cannot create a file in its folder", writer->path);
}

static void free_writer(struct file_writer *writer)
{
    free(writer->temporary);
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
    enum status status = writer->path ? create_temporary(writer) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
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
        if (status != STATUS_OK)
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
    while (fsync(descriptor) != 0) {
        if (errno != EINTR)
            return -1;
    }
    return 0;
}

/* A rename is permanent only once its folder is synced; some file systems cannot do that and say EINVAL. */
static enum status sync_folder(const char *path)
{
    char *folder = memory_copy_text(path);
    if (!folder)
        return STATUS_NO_MEMORY;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    int descriptor = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    /* A folder that may be written and not read is legal; its sync then comes with the file system's own pace. */
    if (descriptor < 0)
        return errno == EACCES ? STATUS_OK
                               : status_fail_errno(STATUS_IO, "%s: cannot open its folder to sync it", path);
    enum status status = STATUS_OK;
    if (sync_descriptor(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP && errno != EROFS)
        status = status_fail_errno(STATUS_IO, "%s: written, but its folder could not be synced", path);
    if (close_descriptor(descriptor) != 0 && status == STATUS_OK)
        status = status_fail_errno(STATUS_IO, "%s: written, but its folder could not be closed", path);
    return status;
}

enum status file_writer_commit(struct file_writer *writer)
{
    enum status status = writer->failed;
    if (status != STATUS_OK)
        status_fail(status, "%s: not replaced, an earlier write failed", writer->path);
    else
        status = flush_buffer(writer);
    if (status == STATUS_OK && sync_descriptor(writer->descriptor) != 0)
        status = fail_writing(writer->path);
    if (status != STATUS_OK) {
        file_writer_abort(writer);
        return status;
    }
    /* Network file systems may report a full disk only here. */
    if (close_descriptor(writer->descriptor) != 0)
        status = fail_writing(writer->path);
    writer->descriptor = -1;
    if (status == STATUS_OK && rename(writer->temporary, writer->path) != 0)
        status = status_fail_errno(STATUS_IO, "%s: cannot put the new file in place", writer->path);
    if (status != STATUS_OK) {
        file_writer_abort(writer);
        return status;
    }
    status = sync_folder(writer->path);
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

static enum status map_descriptor(struct file_map *out, int descriptor, const char *path)
{
    struct stat info;
    if (fstat(descriptor, &info) != 0)
        return status_fail_errno(STATUS_IO, "%s: cannot read its size", path);
    if (!S_ISREG(info.st_mode))
        return status_fail(STATUS_IO, "%s: is %s, expected a regular file", path,
                           S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe");
    if ((uint64_t)info.st_size > SIZE_MAX)
        return status_fail(STATUS_IO, "%s: too big to map on this machine", path);
    if (info.st_size == 0)
        return STATUS_OK;
    void *data = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED)
        return status_fail_errno(STATUS_IO, "%s: cannot map %lld bytes", path, (long long)info.st_size);
    *out = (struct file_map){.data = data, .bytes = (size_t)info.st_size};
    return STATUS_OK;
}

enum status file_map_open(struct file_map *out, const char *path)
{
    *out = (struct file_map){0};
    /* O_NONBLOCK: opening a pipe by mistake must end in a message, not wait for somebody to write into it. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open", path);
    enum status status = map_descriptor(out, descriptor, path);
    close_descriptor(descriptor); /* only read: nothing can be lost here, and the mapping stays */
    return status;
}

void file_map_close(struct file_map *map)
{
    if (!map)
        return;
    if (map->data)
        munmap((void *)map->data, map->bytes);
    *map = (struct file_map){0};
}

/* Reads by pieces because a pipe (`<(...)` of a shell) has no size to ask for. */
static enum status read_descriptor(int descriptor, const char *path, char **text, size_t *bytes)
{
    size_t capacity = 0;
    for (;;) {
        if (*bytes + 1 >= capacity) {
            capacity = capacity ? 2 * capacity : 16 << 10;
            char *grown = memory_resize(*text, capacity, 1);
            if (!grown)
                return STATUS_NO_MEMORY;
            *text = grown;
        }
        ssize_t got = read(descriptor, *text + *bytes, capacity - 1 - *bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return status_fail_errno(STATUS_IO, "%s: cannot read", path);
        if (got == 0)
            break;
        *bytes += (size_t)got;
        if (*bytes > FILE_TEXT_MAX_BYTES)
            return status_fail(STATUS_INVALID, "%s: longer than %d MiB, expected a short text", path,
                               FILE_TEXT_MAX_BYTES >> 20);
    }
    (*text)[*bytes] = '\0';
    if (strlen(*text) != *bytes)
        return status_fail(STATUS_INVALID, "%s: not a text: byte %zu is zero", path, strlen(*text));
    return STATUS_OK;
}

enum status file_read_text(const char *path, char **out)
{
    *out = NULL;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open", path);
    char *text = NULL;
    size_t bytes = 0;
    enum status status = read_descriptor(descriptor, path, &text, &bytes);
    close_descriptor(descriptor);
    if (status != STATUS_OK) {
        free(text);
        return status;
    }
    *out = text;
    return STATUS_OK;
}

static enum status make_one_directory(const char *path)
{
    if (mkdir(path, 0777) == 0)
        return STATUS_OK;
    int reason = errno;
    struct stat info;
    if (stat(path, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return STATUS_OK;
        return status_fail(STATUS_IO, "%s: cannot make this folder, a file of that name is there", path);
    }
    errno = reason;
    return status_fail_errno(STATUS_IO, "%s: cannot make this folder", path);
}

enum status file_make_directory(const char *path)
{
    char *part = memory_copy_text(path);
    if (!part)
        return STATUS_NO_MEMORY;
    enum status status = STATUS_OK;
    for (char *slash = part; status == STATUS_OK && *slash && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = '\0';
        status = make_one_directory(part);
        *slash = '/';
    }
    if (status == STATUS_OK)
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
    int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
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
