/*
 * web_error: how the parts of the server say what went wrong: an HTTP status, with the message in status_message() as
 * everywhere else. 0 is fine.
 */
#ifndef AFTERSTATE_WEB_WEB_ERROR_H
#define AFTERSTATE_WEB_WEB_ERROR_H

#include "base/status.h"

enum http_code {
    HTTP_FINE = 0, /* not a status: nothing is wrong */
    HTTP_OK = 200,
    HTTP_ACCEPTED = 202,
    HTTP_NOT_MODIFIED = 304,
    HTTP_BAD_REQUEST = 400,
    HTTP_UNAUTHORIZED = 401,
    HTTP_FORBIDDEN = 403,
    HTTP_NOT_FOUND = 404,
    HTTP_BAD_METHOD = 405,
    HTTP_TOO_LARGE = 413,
    HTTP_TARGET_TOO_LONG = 414,
    HTTP_TOO_MANY = 429,
    HTTP_SERVER_ERROR = 500,
    HTTP_UNAVAILABLE = 503,
};

/* Leaves a message and returns `code`, so that `return web_fail(..)` is the whole error path. */
enum http_code web_fail(enum http_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The HTTP status of a failure inside the program; what the client sent wrong is STATUS_USAGE or STATUS_INVALID. */
enum http_code web_code_of(enum status status);

/* Makes a text valid UTF-8 in place: each byte that is not part of a right sequence becomes '?', as do control bytes.
   Messages quote what clients sent, and JSON must be UTF-8. */
void web_clean_text(char *text);

/* Shortens the paths in a message, in place, to their last part: where the server's files are concerns no client.
   Folders with spaces in their names are known only in a path that begins the message and ends with ": ". */
void web_hide_folders(char *text);

#endif
