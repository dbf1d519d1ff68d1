/* plain_text: text from files and clients, made harmless for a terminal, or trimmed. Pure; any thread. */
#ifndef AFTERSTATE_BASE_PLAIN_TEXT_H
#define AFTERSTATE_BASE_PLAIN_TEXT_H

#include <stdbool.h>

/*
 * Replaces control characters by '?', in place: a file's text could otherwise move the cursor, set the window's title
 * or type for the user. These are the bytes below 32 and 127, and U+0080 to U+009F as UTF-8. Those in `kept` ("" for
 * none) stay.
 */
void plain_text_hide_controls(char *text, const char *kept);

/* Whether plain_text_hide_controls() would replace any. */
bool plain_text_has_controls(const char *text, const char *kept);

/* Cuts blanks off both ends of a text, in place; returns its new beginning. */
char *plain_text_trim(char *text);

#endif
