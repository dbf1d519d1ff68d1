/* nearest: the name that a misspelt word probably meant, for error messages. */
#include "base/nearest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static int lower(char c)
{
    return tolower((unsigned char)c);
}

unsigned nearest_distance(const char *a, const char *b)
{
    /* Row i of the table is the distance of a's first i letters to each prefix of b; a swap looks two rows back. */
    unsigned rows[3][NEAREST_MAX_LENGTH + 1];
    size_t n_a = strlen(a), n_b = strlen(b);
    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= n_a; i++) {
        unsigned *now = rows[i % 3], *last = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            unsigned replace = last[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));
            now[j] = least(replace, least(last[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

const char *nearest_name_in(const char *word, const char *const *first, size_t stride, size_t n)
{
    size_t length = strlen(word);
    if (length == 0 || length > NEAREST_MAX_LENGTH)
        return NULL;
    unsigned allowed = length < 6 ? 1 : (unsigned)length / 3;
    const char *nearest = NULL, *starts_alike = NULL;
    unsigned nearest_edits = allowed + 1;
    int n_alike = 0;
    for (size_t i = 0; i < n; i++) {
        const char *name = *(const char *const *)((const char *)first + i * stride);
        if (!name || strlen(name) > NEAREST_MAX_LENGTH)
            continue;
        if (strncasecmp(name, word, length) == 0 && (!starts_alike || strcmp(name, starts_alike) != 0)) {
            starts_alike = name;
            n_alike++;
        }
        /* When every letter is edited nothing of the word is left: "x" does not mean "y". */
        unsigned edits = nearest_distance(word, name);
        if (edits < nearest_edits && edits < length) {
            nearest = name;
            nearest_edits = edits;
        }
    }
    if (nearest)
        return nearest;
    return n_alike == 1 ? starts_alike : NULL;
}

const char *nearest_name(const char *word, const char *const *names, size_t n)
{
    return nearest_name_in(word, names, sizeof *names, n);
}
