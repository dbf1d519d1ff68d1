/* plain_text: text from files and clients, made harmless for a terminal, or trimmed. */
#include "base/plain_text.h"

#include <ctype.h>
#include <string.h>

void plain_text_hide_controls(char *text, const char *kept)
{
    for (unsigned char *at = (unsigned char *)text; *at; at++) {
        if ((*at < 0x20 || *at == 0x7f) && !strchr(kept, *at))
            *at = '?';
        else if (*at == 0xc2 && at[1] >= 0x80 && at[1] <= 0x9f)
            at[0] = at[1] = '?';
    }
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
