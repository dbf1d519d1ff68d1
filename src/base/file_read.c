/* file_read: the reading half of file.h: files in memory by mapping, texts as a whole, and files below a folder. */
#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status check_regular(int descriptor, const char *path, struct stat *info)
{
    if (fstat(descriptor, info) != 0)
        return status_fail_errno(STATUS_IO, "%s: cannot read its size", path);
    if (!S_ISREG(info->st_mode))
        return status_fail(STATUS_IO, "%s: is %s, expected a regular file", path,
                           S_ISDIR(info->st_mode) ? "a folder" : "a device or pipe");
    return STATUS_OK;
}

/* O_NONBLOCK: opening a pipe by mistake must end in a message, not wait for a writer. */
static enum status open_regular(const char *path, int *descriptor, struct stat *info)
{
    *descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    if (*descriptor < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open", path);
    enum status status = check_regular(*descriptor, path, info);
    if (status)
        close(*descriptor);
    return status;
}

static enum status map_descriptor(struct file_map *out, int descriptor, const struct stat *info, const char *path)
{
    if ((uint64_t)info->st_size > SIZE_MAX)
        return status_fail(STATUS_IO, "%s: too big to map on this machine", path);
    if (info->st_size == 0)
        return STATUS_OK;
    void *data = mmap(NULL, (size_t)info->st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (data == MAP_FAILED)
        return status_fail_errno(STATUS_IO, "%s: cannot map %lld bytes", path, (long long)info->st_size);
    *out = (struct file_map){.data = data, .bytes = (size_t)info->st_size};
    return STATUS_OK;
}

enum status file_map_open(struct file_map *out, const char *path)
{
    int descriptor;
    struct stat info;
    *out = (struct file_map){0};
    enum status status = open_regular(path, &descriptor, &info);
    if (status)
        return status;
    status = map_descriptor(out, descriptor, &info, path);
    close(descriptor); /* only read: nothing can be lost here, and the mapping stays */
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

/* Reads by pieces because a pipe (`<(...)` of a shell) has no size. */
static enum status read_pieces(int descriptor, const char *path, size_t most, char **text, size_t *bytes)
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
        if (*bytes > most)
            return status_fail(STATUS_INVALID, "%s: longer than %zu MiB, which is the most for such a file", path,
                               most >> 20);
    }
    (*text)[*bytes] = '\0';
    return STATUS_OK;
}

static enum status read_descriptor(int descriptor, const char *path, size_t most, char **out, size_t *bytes)
{
    *bytes = 0;
    char *data = NULL;
    enum status status = read_pieces(descriptor, path, most, &data, bytes);
    if (status) {
        free(data);
        data = NULL;
        *bytes = 0;
    }
    *out = data;
    return status;
}

static enum status read_text(int descriptor, const char *path, char **out)
{
    size_t bytes;
    enum status status = read_descriptor(descriptor, path, FILE_TEXT_MAX_BYTES, out, &bytes);
    if (status || strlen(*out) == bytes)
        return status;
    status = status_fail(STATUS_INVALID, "%s: not a text: byte %zu is zero", path, strlen(*out));
    free(*out);
    *out = NULL;
    return status;
}

enum status file_read_text(const char *path, char **out)
{
    int descriptor;
    struct stat info;
    *out = NULL;
    enum status status = open_regular(path, &descriptor, &info);
    if (status)
        return status;
    status = read_text(descriptor, path, out);
    close(descriptor);
    return status;
}

enum status file_read_text_or_pipe(const char *path, char **out)
{
    *out = NULL;
    int descriptor = file_open(path, O_RDONLY | O_NONBLOCK);
    if (descriptor < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open", path);
    /* Waits for the data of a pipe that has a writer; one without a writer is at its end at once. */
    int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0)
        fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
    struct stat info;
    bool pipe = fstat(descriptor, &info) == 0 && S_ISFIFO(info.st_mode);
    enum status status = read_text(descriptor, path, out);
    close(descriptor);
    if (status || !pipe || **out != '\0')
        return status;
    free(*out);
    *out = NULL;
    return status_fail(STATUS_IO, "%s: is a pipe without a writer", path);
}

/* Opens folder/name one part after the other, each without following a symbolic link. -1 with errno. */
static int open_below(const char *folder, const char *name)
{
    int at = file_open(folder, O_RDONLY | O_DIRECTORY);
    while (at >= 0) {
        char part[NAME_MAX + 1];
        size_t bytes = strcspn(name, "/");
        bool last = name[bytes] == '\0';
        int next = -1, reason = ENOENT;
        if (bytes > 0 && bytes < sizeof part && !(bytes <= 2 && strspn(name, ".") >= bytes)) {
            memcpy(part, name, bytes);
            part[bytes] = '\0';
            next = openat(at, part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (last ? 0 : O_DIRECTORY));
            reason = errno;
        }
        close(at);
        errno = reason;
        if (last)
            return next;
        at = next;
        name += bytes + 1;
    }
    return -1;
}

enum status file_read_below(const char *folder, const char *name, size_t most, char **out, size_t *bytes)
{
    struct stat info;
    *out = NULL;
    *bytes = 0;
    int descriptor = open_below(folder, name);
    if (descriptor < 0)
        return errno == ELOOP ? status_fail(STATUS_IO, "%s: is a symbolic link, which is not followed", name)
                              : status_fail_errno(STATUS_IO, "%s: cannot open", name);
    enum status status = check_regular(descriptor, name, &info);
    if (!status)
        status = read_descriptor(descriptor, name, most, out, bytes);
    close(descriptor);
    return status;
}

bool file_begins_with(const char *path, const void *data, size_t bytes)
{
    int descriptor;
    struct stat info;
    char begin[FILE_BEGIN_MAX_BYTES];
    if (bytes > sizeof begin || open_regular(path, &descriptor, &info) != STATUS_OK)
        return false;
    bool same = pread(descriptor, begin, bytes, 0) == (ssize_t)bytes && memcmp(begin, data, bytes) == 0;
    close(descriptor);
    return same;
}
