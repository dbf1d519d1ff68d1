/* Any text as a recipe: read or refused with a message; what is read, written and read again is the same. */
#include "base/recipe.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

/* One key of each type, and lists. */
static const struct recipe_key schema[] = {
    {.section = "board", .name = "rows", .type = RECIPE_INTEGER, .fallback = "4", .minimum = 1, .maximum = 6},
    {.section = "board", .name = "title", .type = RECIPE_TEXT},
    {.section = "network", .name = "tuple", .type = RECIPE_TEXT, .repeats = true},
    {.section = "network", .name = "size", .type = RECIPE_BYTES, .fallback = "1M"},
    {.section = "learn", .name = "rate", .type = RECIPE_REAL, .fallback = "0.1", .minimum = 0, .maximum = 10},
    {.section = "learn", .name = "delayed", .type = RECIPE_FLAG, .fallback = "no"},
    {.section = "train", .name = "actions", .type = RECIPE_INTEGER, .fallback = "1e10"},
    {.section = "train", .name = "checkpoint", .type = RECIPE_DURATION, .fallback = "5m"},
};
enum { N_KEYS = sizeof schema / sizeof *schema };

static struct recipe *make_recipe(void)
{
    struct recipe *recipe;
    if (recipe_create(&recipe, schema, N_KEYS))
        abort();
    return recipe;
}

static void require_same(const struct recipe *a, const struct recipe *b)
{
    for (size_t i = 0; i < N_KEYS; i++) {
        const char *section = schema[i].section, *name = schema[i].name;
        size_t n = recipe_count(a, section, name);
        if (n != recipe_count(b, section, name))
            abort();
        for (size_t k = 0; k < n; k++)
            if (strcmp(recipe_text_at(a, section, name, k), recipe_text_at(b, section, name, k)) != 0)
                abort();
    }
    if (recipe_integer(a, "train", "actions") != recipe_integer(b, "train", "actions") ||
        recipe_real(a, "learn", "rate") != recipe_real(b, "learn", "rate") ||
        recipe_duration(a, "train", "checkpoint") != recipe_duration(b, "train", "checkpoint") ||
        recipe_bytes(a, "network", "size") != recipe_bytes(b, "network", "size"))
        abort();
    int64_t rows = recipe_integer(a, "board", "rows");
    if (rows < 1 || rows > 6)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static char text[MAX_TEXT + 1];
    size_t length = n_bytes < MAX_TEXT ? n_bytes : MAX_TEXT;
    memcpy(text, data, length);
    text[length] = 0;
    struct recipe *recipe = make_recipe(), *again = make_recipe();
    if (recipe_load_text(recipe, "fuzz.ini", text)) {
        if (status_message()[0] == 0)
            abort();
    } else {
        char *written;
        if (recipe_write(recipe, &written) || recipe_load_text(again, "again.ini", written))
            abort();
        require_same(recipe, again);
        free(written);
    }
    /* The same text as one assignment: refused or taken, never worse. */
    recipe_set(recipe, text, "--set");
    recipe_free(recipe);
    recipe_free(again);
    return 0;
}
