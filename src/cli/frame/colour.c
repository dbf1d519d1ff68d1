/* colour: whether output has colours (--color), and the few that lines of text use. */
#include "cli/frame/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const colour_names[] = {"auto", "always", "never", NULL};

bool colour_parse(const char *word, int *mode)
{
    for (int i = 0; colour_names[i]; i++)
        if (strcmp(word, colour_names[i]) == 0) {
            *mode = i;
            return true;
        }
    return false;
}

bool colour_wanted(enum colour_mode mode, FILE *stream)
{
    const char *terminal = getenv("TERM");
    if (mode != COLOUR_AUTO)
        return mode == COLOUR_ALWAYS;
    return isatty(fileno(stream)) && !getenv("NO_COLOR") && terminal && strcmp(terminal, "dumb") != 0;
}

const char *colour_begin(enum colour_mode mode, enum colour colour)
{
    static const char *const codes[] = {"\033[0m", "\033[1m", "\033[1;32m", "\033[1;31m"};
    return colour_wanted(mode, stdout) ? codes[colour] : "";
}
