/*
 * target: what follows the method of an HTTP request, "/api/hint?board=12..&depth=3", taken apart: a path of
 * decoded segments and named parameters. Pure, and safe on any bytes.
 *
 * Each route takes the parameters it knows; target_finish() then refuses those that were not taken, so that a
 * misspelt one is an error and not a silent default.
 */
#ifndef AFTERSTATE_WEB_TARGET_H
#define AFTERSTATE_WEB_TARGET_H

#include "web/web_error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TARGET_MAX_BYTES = 2000, TARGET_MAX_PARAMETERS = 16, TARGET_MAX_SEGMENTS = 8 };

struct target_parameter {
    const char *name, *value;
    bool taken;
};

/* Must not be moved: its texts point into `bytes`. */
struct target {
    const char *segments[TARGET_MAX_SEGMENTS]; /* "/api/hint" is "api", "hint"; "/" has none */
    size_t n_segments;
    struct target_parameter parameters[TARGET_MAX_PARAMETERS];
    size_t n_parameters;
    char bytes[TARGET_MAX_BYTES + 1];
};

/*
 * Takes `text` apart. HTTP_BAD_REQUEST where an escape is broken or gives a NUL (or, in the path, a '/'), a parameter
 * has no name or comes twice, or there are too many; HTTP_TARGET_TOO_LONG. An empty segment ("//", a '/' at the end)
 * stays one, so that no path has two spellings.
 */
enum http_code target_parse(struct target *target, const char *text);

/* Whether segment i is this word. */
bool target_segment_is(const struct target *target, size_t i, const char *word);

/* The value of a parameter, NULL if it is not there. */
const char *target_take(struct target *target, const char *name);

/* A whole number from min to max; *value stays as it is without the parameter. HTTP_BAD_REQUEST. */
enum http_code target_take_integer(struct target *target, const char *name, int64_t min, int64_t max, int64_t *value);

/* HTTP_BAD_REQUEST if a parameter was not taken. */
enum http_code target_finish(const struct target *target);

#endif
