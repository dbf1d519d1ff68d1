/*
 * page: the files of the web page, built into the program (cmake/page.cmake embeds src/web/page), or read from a folder
 * while they are being written.
 */
#ifndef AFTERSTATE_WEB_PAGE_H
#define AFTERSTATE_WEB_PAGE_H

#include "base/status.h"
#include "web/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct page_file {
    const char *name; /* "index.html", "modules/game.js" */
    const uint8_t *begin, *end;
};

/* The built-in ones, made by the build; the last has no name. */
extern const struct page_file page_files[];

enum { PAGE_TAG_BYTES = 20, PAGE_MAX_BYTES = 8 << 20 };

/* A file to be sent. */
struct page_content {
    const uint8_t *data;
    size_t bytes;
    const char *type;         /* of its content, for the header */
    char tag[PAGE_TAG_BYTES]; /* the ETag, with its quotes */
    void *owned;              /* from malloc if it was read from a folder, else NULL; the caller frees it */
};

/*
 * The file a path names ("/" is index.html), from `directory` or, if that is NULL, of the built-in ones.
 * HTTP_NOT_FOUND. A path of other characters than letters, digits, '.', '_' and '-' names none, nor does one with a
 * part that begins with a dot, nor a symbolic link: there is no way out of the folder.
 */
enum http_code page_find(const struct target *target, const char *directory, struct page_content *content);

/* A name that is safe as one part of a path: see above; at most 128 characters. */
bool page_is_safe_name(const char *name);

#endif
