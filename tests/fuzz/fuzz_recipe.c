/* Any text as a recipe: read or refused with a message; what is read, written and read again is the same. */
#include "base/recipe.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

/* One key of each type, and lists. */
struct sample {
    uint8_t rows, tile;
    const char *title;
    char name[20];
    struct setting_list tuples;
    double rate, checkpoint;
    bool delayed;
    unsigned kind;
    int horizon;
    uint64_t actions;
};

#define IN(member) SETTING_FIELD(struct sample, member)
static const char *const kinds[] = {"new", "restart", NULL};
static const struct setting rows[] = {
    {"board", "rows", "4", IN(rows), "", SETTING_LIMITS(1, 6)},
    {"board", "title", NULL, IN(title), ""},
    {"board", "name", NULL, IN(name), ""},
    {"board", "tile", "2", SETTING_FIELD_AS(SETTING_POWER, struct sample, tile), ""},
    {"network", "tuple", NULL, IN(tuples), ""},
    {"network", "kind", "new", IN(kind), "", .choices = kinds},
    {"learn", "rate", "0.1", IN(rate), "", SETTING_LIMITS(0, 10)},
    {"learn", "horizon", "-1", IN(horizon), ""},
    {"learn", "delayed", "no", IN(delayed), ""},
    {"train", "actions", "1e10", IN(actions), ""},
    {"train", "checkpoint", "5m", SETTING_FIELD_AS(SETTING_DURATION, struct sample, checkpoint), ""},
};
static const struct setting_table table = SETTING_TABLE(rows);

static struct recipe *make_recipe(void)
{
    struct recipe *recipe;
    if (recipe_create(&recipe, &table))
        abort();
    return recipe;
}

static void require_same(const struct recipe *recipe, const struct recipe *again)
{
    struct sample a = {0}, b = {0};
    char list[100];
    recipe_get(recipe, &a);
    recipe_get(again, &b);
    if (recipe_list_differences(recipe, again, 0, list, sizeof list) || strcmp(a.title, b.title) != 0 ||
        strcmp(a.name, b.name) != 0 || a.tuples.n != b.tuples.n || a.kind != b.kind || a.horizon != b.horizon ||
        a.tile != b.tile || a.rows != b.rows || a.actions != b.actions || a.rate != b.rate ||
        a.checkpoint != b.checkpoint || a.delayed != b.delayed)
        abort();
    if (a.rows < 1 || a.rows > 6 || a.kind > 1 || a.tile > 62)
        abort();
    /* The values as text and back are the same values. */
    struct recipe *third = make_recipe();
    if (recipe_put(third, &a) == STATUS_OK) {
        recipe_get(third, &b);
        if (a.rate != b.rate || a.checkpoint != b.checkpoint || a.actions != b.actions || a.tile != b.tile)
            abort();
    }
    recipe_free(third);
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
        if (recipe_write(recipe, 0, &written) || recipe_load_text(again, "again.ini", written))
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
