/*
 * json: builds one JSON document, member by member, over cJSON.
 *
 * Failures stick: after the first one (no memory, too deep) every call does nothing, and json_print() reports it. So a
 * caller writes its members in a row and checks once. One thread at a time uses a builder.
 *
 *     struct json json;
 *     json_begin(&json);
 *     json_add_real(&json, "mean", 1234.5);
 *     json_open_object(&json, "tiles");
 *     json_add_unsigned(&json, "2048", 977);
 *     json_close(&json);
 *     char *text;
 *     enum status status = json_print(&json, &text);
 */
#ifndef AFTERSTATE_BASE_JSON_H
#define AFTERSTATE_BASE_JSON_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { JSON_MAX_DEPTH = 16 };

struct cJSON;

/* Fields are private. */
struct json {
    struct cJSON *open[JSON_MAX_DEPTH]; /* open[0] is the document, open[depth] where members go */
    int depth;
    bool failed;
};

/* Starts a document whose top is an object. End it with json_print() or json_free(). */
void json_begin(struct json *json);

/*
 * Each adds one member to the innermost open object under `name`, or one element to the innermost open array, where
 * `name` must be NULL. Names and texts are copied; texts should be UTF-8, other bytes pass through as they are.
 */
void json_add_text(struct json *json, const char *name, const char *text); /* a NULL text gives null */
void json_add_flag(struct json *json, const char *name, bool flag);
void json_add_null(struct json *json, const char *name);
void json_add_bits(struct json *json, const char *name, uint32_t bits); /* the numbers of the set bits, as an array */

/* Exact: all digits, where a double would lose those beyond 2^53. */
void json_add_unsigned(struct json *json, const char *name, uint64_t number);
void json_add_signed(struct json *json, const char *name, int64_t number);

/* The shortest digits that read back as the same double, whole numbers without an exponent below 1e15; NaN and
   infinities, which JSON lacks, give null. */
void json_add_real(struct json *json, const char *name, double number);

/* Opens an object or array as a member; the following calls fill it until json_close(). */
void json_open_object(struct json *json, const char *name);
void json_open_array(struct json *json, const char *name);
void json_close(struct json *json);

/*
 * The document, indented, in *out, which the caller frees; there is no newline at its end. Frees the builder in every
 * case. STATUS_NO_MEMORY if anything failed; *out is then NULL.
 */
enum status json_print(struct json *json, char **out);

/* The same on one line. */
enum status json_print_compact(struct json *json, char **out);

/* Frees a builder that is not wanted any more. Fine after json_print() and on a zeroed struct. */
void json_free(struct json *json);

#endif
