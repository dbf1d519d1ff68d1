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

/* Each of these builds a fresh message first, because the arguments may point into the old one. */
enum status status_fail(enum status code, const char *format, ...)
{
    char fresh[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    plain_text_hide_controls(fresh, "\n");
    memcpy(message, fresh, sizeof fresh);
    return code;
}

enum status status_fail_errno(enum status code, const char *format, ...)
{
    int number = errno;
    char fresh[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    append_cut(fresh, ": ");
    append_cut(fresh, strerror(number));
    plain_text_hide_controls(fresh, "\n");
    memcpy(message, fresh, sizeof fresh);
    return code;
}

enum status status_context(enum status code, const char *format, ...)
{
    char fresh[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    append_cut(fresh, ": ");
    append_cut(fresh, message);
    plain_text_hide_controls(fresh, "\n");
    memcpy(message, fresh, sizeof fresh);
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
