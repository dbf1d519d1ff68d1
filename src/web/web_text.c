/* web_text: bytes that grow: bodies as they arrive, lines as they are written. */
#include "web/web_text.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BYTES = 4096 };

enum status web_text_append(struct web_text *text, const void *data, size_t bytes)
{
    char *grown = memory_grow(text->data, text->bytes + bytes, &text->capacity, FIRST_BYTES, 1);
    if (!grown)
        return STATUS_NO_MEMORY;
    text->data = grown;
    if (bytes)
        memcpy(text->data + text->bytes, data, bytes);
    text->bytes += bytes;
    return STATUS_OK;
}

enum status web_text_append_json(struct web_text *text, struct json *json)
{
    char *line;
    enum status status = json_print_compact(json, &line);
    if (!status)
        status = web_text_append(text, line, strlen(line));
    if (!status)
        status = web_text_append(text, "\n", 1);
    free(line);
    return status;
}

void web_text_free(struct web_text *text)
{
    free(text->data);
    *text = (struct web_text){0};
}
