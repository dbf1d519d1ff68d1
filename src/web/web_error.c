/* web_error: errors of the server: an HTTP status and a message. */
#include "web/web_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 512 };

enum http_code web_fail(enum http_code code, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    status_fail(STATUS_INVALID, "%s", message);
    return code;
}

enum http_code web_code_of(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return HTTP_FINE;
    case STATUS_USAGE:
    case STATUS_INVALID:
        return HTTP_BAD_REQUEST;
    case STATUS_NO_MEMORY:
    case STATUS_INTERRUPTED:
        return HTTP_UNAVAILABLE;
    case STATUS_IO:
    case STATUS_CORRUPT:
        break;
    }
    return HTTP_SERVER_ERROR;
}

/* Bytes of the UTF-8 sequence at `text`, 0 if there is none: no overlong form, no surrogate, nothing past U+10FFFF. */
static unsigned sequence_bytes(const unsigned char *text)
{
    unsigned char first = text[0];
    unsigned n = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    if (n == 1)
        return first >= 0x20 && first != 0x7f;
    for (unsigned i = 1; i < n; i++)
        if ((text[i] & 0xc0) != 0x80) /* the final NUL is none either */
            return 0;
    if ((first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) || (first == 0xf0 && text[1] < 0x90) ||
        (first == 0xf4 && text[1] > 0x8f))
        return 0;
    return n;
}

void web_clean_text(char *text)
{
    for (unsigned char *at = (unsigned char *)text; *at;) {
        unsigned n = sequence_bytes(at);
        if (n == 0) {
            *at = '?';
            n = 1;
        }
        at += n;
    }
}

/* The last part of a path of this many bytes, which may end with a slash. */
static const char *last_part(const char *path, size_t bytes)
{
    size_t i = bytes;
    while (i > 0 && !(path[i - 1] == '/' && i < bytes))
        i--;
    return path + i;
}

/* Where a message "PATH: what is wrong" begins, without the folders; they may have spaces in their names. */
static const char *after_folders(const char *text)
{
    const char *colon = strstr(text, ": ");
    for (const char *at = colon; at && at > text; at--)
        if (at[-1] == '/' && *at != ' ' && at < colon)
            return at;
    return text;
}

void web_hide_folders(char *text)
{
    static const char delimiters[] = " '\"():;,=";
    char *to = text;
    for (const char *from = after_folders(text); *from;) {
        size_t bytes = strcspn(from, delimiters);
        const char *kept = last_part(from, bytes);
        size_t n = bytes - (size_t)(kept - from);
        from += bytes;
        memmove(to, kept, n);
        to += n;
        if (*from)
            *to++ = *from++;
    }
    *to = '\0';
}
