#include "base/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024 };

/* The one piece of thread state in the library, as errno is in C's: passing a message object through every call was
   tried on paper and doubled the length of most signatures for no gain. */
static _Thread_local char message[MESSAGE_BYTES];

static void append_text(size_t at, const char *format, va_list arguments)
{
    if (at < MESSAGE_BYTES)
        vsnprintf(message + at, MESSAGE_BYTES - at, format, arguments);
}

enum status status_fail(enum status code, const char *format, ...)
{
    char fresh[MESSAGE_BYTES]; /* the arguments may point into the old message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fresh, sizeof fresh, format, arguments);
    va_end(arguments);
    memcpy(message, fresh, sizeof fresh);
    return code;
}

enum status status_fail_errno(enum status code, const char *format, ...)
{
    int number = errno;
    va_list arguments;
    va_start(arguments, format);
    append_text(0, format, arguments);
    va_end(arguments);
    size_t used = strlen(message);
    snprintf(message + used, MESSAGE_BYTES - used, ": %s", strerror(number));
    return code;
}

enum status status_context(enum status code, const char *format, ...)
{
    char before[MESSAGE_BYTES];
    memcpy(before, message, sizeof before);
    va_list arguments;
    va_start(arguments, format);
    append_text(0, format, arguments);
    va_end(arguments);
    size_t used = strlen(message);
    snprintf(message + used, MESSAGE_BYTES - used, ": %s", before);
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
