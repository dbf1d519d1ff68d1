/*
 * status: how everything that can fail says so.
 *
 * A fallible function returns an enum status, 0 when all went well. Where it fails it leaves one message for a person:
 * it names the file, the value and what was expected. The message belongs to the thread (as errno does), stays until
 * the next failure of that thread, and is carried from a worker to its caller by workers_run(). Control characters in
 * it are replaced by '?', since messages quote the contents of files.
 */
#ifndef AFTERSTATE_BASE_STATUS_H
#define AFTERSTATE_BASE_STATUS_H

enum status {
    STATUS_OK = 0,
    STATUS_USAGE,       /* an option or argument that does not exist or is out of range */
    STATUS_NO_MEMORY,   /* an allocation failed or would not fit */
    STATUS_IO,          /* the operating system refused: open, read, write, sync, rename */
    STATUS_CORRUPT,     /* bytes of a file are not what its format promises */
    STATUS_INVALID,     /* input that can be read but makes no sense: an impossible board, a negative rate */
    STATUS_INTERRUPTED, /* the user asked to stop; what was done so far is kept */
};

/* Leaves a message and returns `code`, so that `return status_fail(...)` is the whole error path. */
enum status status_fail(enum status code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Like status_fail, with ": " and the text of the present errno after it. */
enum status status_fail_errno(enum status code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts context and ": " before the message that is there (for example the file a lower layer could not know). */
enum status status_context(enum status code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The last message of this thread, "" if there was none. Valid until this thread's next failure. */
const char *status_message(void);

/* A short word for a code: "ok", "usage", "no memory", .. Never NULL. */
const char *status_name(enum status code);

#endif
