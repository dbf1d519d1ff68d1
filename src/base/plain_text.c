/* plain_text: text from files and clients, made harmless for a terminal, or trimmed. */
#include "base/plain_text.h"

#include <ctype.h>
#include <string.h>

/* Bytes of the control character at `at`, 0 if there is none. */
static size_t control_bytes(const unsigned char *at, const char *kept)
{
    if (*at < 0x20 || *at == 0x7f)
        return strchr(kept, *at) ? 0 : 1;
    return *at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f ? 2 : 0;
}

void plain_text_hide_controls(char *text, const char *kept)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        memset(at, '?', control_bytes(at, kept));
}

bool plain_text_has_controls(const char *text, const char *kept)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (control_bytes(at, kept))
            return true;
    return false;
}

char *plain_text_trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}
