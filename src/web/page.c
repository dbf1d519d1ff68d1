/* page: the files of the web page, built in or read from a folder. */
#include "web/page.h"

#include "base/checksum.h"
#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_BYTES = 128, PATH_BYTES = TARGET_MAX_BYTES + 16 };

static const struct {
    const char *ending, *type;
} content_types[] = {
    {".html", "text/html; charset=utf-8"},
    {".css", "text/css; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".svg", "image/svg+xml"},
    {".png", "image/png"},
    {".ico", "image/x-icon"},
    {".webmanifest", "application/manifest+json"},
    {".woff2", "font/woff2"},
    {".txt", "text/plain; charset=utf-8"},
};

static const char *type_of(const char *name)
{
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof content_types / sizeof *content_types; i++)
        if (strcmp(ending, content_types[i].ending) == 0)
            return content_types[i].type;
    return "application/octet-stream";
}

bool page_is_safe_name(const char *name)
{
    size_t bytes = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");
    return bytes > 0 && bytes <= NAME_MAX_BYTES && name[bytes] == 0 && name[0] != '.';
}

static bool path_of(const struct target *target, char path[PATH_BYTES])
{
    size_t used = 0;
    if (target->n_segments == 0)
        strcpy(path, "index.html");
    for (size_t i = 0; i < target->n_segments; i++) {
        if (!page_is_safe_name(target->segments[i]))
            return false;
        used += (size_t)snprintf(path + used, PATH_BYTES - used, "%s%s", i ? "/" : "", target->segments[i]);
    }
    return true;
}

static enum http_code read_file(const char *directory, const char *path, struct page_content *content)
{
    char *copy;
    enum status status = file_read_below(directory, path, PAGE_MAX_BYTES, &copy, &content->bytes);
    content->owned = copy;
    content->data = content->owned;
    if (!status)
        return HTTP_FINE;
    if (status == STATUS_IO)
        return web_fail(HTTP_NOT_FOUND, "there is no file '%.80s'", path);
    return web_fail(HTTP_UNAVAILABLE, "'%.80s' is too large", path);
}

static enum http_code find_built_in(const char *path, struct page_content *content)
{
    for (const struct page_file *file = page_files; file->name; file++)
        if (strcmp(file->name, path) == 0) {
            content->data = file->begin;
            content->bytes = (size_t)(file->end - file->begin);
            return HTTP_FINE;
        }
    return web_fail(HTTP_NOT_FOUND, "there is no file '%.80s'", path);
}

enum http_code page_find(const struct target *target, const char *directory, struct page_content *content)
{
    char path[PATH_BYTES];
    *content = (struct page_content){0};
    if (!path_of(target, path))
        return web_fail(HTTP_NOT_FOUND, "there is no such file");
    enum http_code code = directory ? read_file(directory, path, content) : find_built_in(path, content);
    if (code)
        return code;
    content->type = type_of(path);
    snprintf(content->tag, sizeof content->tag, "\"%016llx\"",
             (unsigned long long)checksum_of(content->data, content->bytes));
    return HTTP_FINE;
}
