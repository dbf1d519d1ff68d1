/* status: how everything that can fail says so. */
#include "base/status.h"

#include "base/plain_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024 };

/* The one piece of thread state in the library, as errno is in C's: passing a message object through every call was
   tried on paper and doubled the length of most signatures for no gain. */
static _Thread_local char message[MESSAGE_BYTES];

/* Adds text to a message, cut where the room ends. */
static void append_cut(char to[MESSAGE_BYTES], const char *text)
{
    size_t used = strlen(to);
    size_t fits = strnlen(text, MESSAGE_BYTES - 1 - used);
    memcpy(to + used, text, fits);
    to[used + fits] = '\0';
}

/* Builds a fresh message first, because the arguments and `after` may point into the old one. */
static void set_message(const char *format, va_list arguments, const char *after)
{
    char fresh[MESSAGE_BYTES];
    vsnprintf(fresh, sizeof fresh, format, arguments);
    if (after) {
        append_cut(fresh, ": ");
        append_cut(fresh, after);
    }
    plain_text_hide_controls(fresh, "\n");
    memcpy(message, fresh, sizeof fresh);
}

enum status status_fail(enum status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(format, arguments, NULL);
    va_end(arguments);
    return code;
}

enum status status_fail_errno(enum status code, const char *format, ...)
{
    int number = errno;
    va_list arguments;
    va_start(arguments, format);
    set_message(format, arguments, strerror(number));
    va_end(arguments);
    return code;
}

enum status status_context(enum status code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_message(format, arguments, message);
    va_end(arguments);
    return code;
}

const char *status_message(void)
{
    return message;
}

const char *status_name(enum status code)
{
    static const char *const names[] = {"ok",      "usage",         "no memory",  "input/output",
                                        "corrupt", "invalid input", "interrupted"};
    return (unsigned)code < sizeof names / sizeof *names ? names[code] : "unknown";
}
