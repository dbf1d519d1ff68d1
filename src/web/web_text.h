/* web_text: bytes that grow: bodies as they arrive, lines as they are written. Begin with a zeroed one. */
#ifndef AFTERSTATE_WEB_WEB_TEXT_H
#define AFTERSTATE_WEB_WEB_TEXT_H

#include "base/json.h"
#include "base/status.h"

#include <stddef.h>

struct web_text {
    char *data;
    size_t bytes, capacity;
};

enum status web_text_append(struct web_text *text, const void *data, size_t bytes);

/* Appends a document as one line and frees the builder. */
enum status web_text_append_json(struct web_text *text, struct json *json);

void web_text_free(struct web_text *text); /* zeroes it */

#endif
