/* start_recipe: resolves the keys of [start] in a training recipe to settings, and checks them. */
#include "learn/start_recipe.h"

#include "base/nearest.h"
#include "base/parse.h"

#include <stdio.h>
#include <string.h>

const char *const start_kinds[] = {"new", "restart", "carousel", "jump", "double", "mix", NULL};

static float *weight_of(struct start_settings *start, unsigned kind)
{
    float *const weights[START_KINDS] = {&start->new_game, &start->restart, &start->carousel, &start->jump,
                                         &start->doubled};
    return weights[kind];
}

/* "@5" after a tile: its cell. Cuts it off the word. */
static enum status parse_cell(char *word, const struct grid *grid, struct jump_start *jump)
{
    int64_t cell;
    uint8_t *place = &jump->places[jump->n_tiles];
    char *at = strchr(word, '@');
    *place = 0;
    if (!at)
        return STATUS_OK;
    *at = '\0';
    if (!parse_integer(at + 1, &cell) || cell < 0 || cell >= grid->n_cells)
        return status_fail(STATUS_INVALID, "'%s@%s': expected a cell from 0 to %u after the @", word, at + 1,
                           grid->n_cells - 1u);
    for (unsigned i = 0; i < jump->n_tiles; i++) {
        if (jump->places[i] == cell + 1 || !jump->places[i])
            return status_fail(STATUS_INVALID,
                               jump->places[i] ? "cell %d has two tiles" : "tiles with a cell (@%d) come first",
                               (int)cell);
    }
    *place = (uint8_t)(cell + 1);
    return strcmp(word, "initial") != 0 ? STATUS_OK
                                        : status_fail(STATUS_INVALID, "initial@%d: such tiles have no cell", (int)cell);
}

/* The exponent of a tile; 0 for the word "initial". */
static enum status parse_tile(const char *word, const struct grid *grid, uint8_t *value)
{
    int64_t tile;
    if (strcmp(word, "initial") == 0) {
        *value = 0;
        return STATUS_OK;
    }
    if (!parse_integer(word, &tile) || tile < 2 || (tile & (tile - 1)) != 0)
        return status_fail(STATUS_INVALID, "'%s' is no tile; expected a power of two such as 4096, or initial", word);
    unsigned exponent = (unsigned)__builtin_ctzll((unsigned long long)tile);
    if (exponent > grid->max_value)
        return status_fail(STATUS_INVALID, "a tile %s cannot arise on a %ux%u board, where the largest is %u", word,
                           grid->rows, grid->cols, 1u << grid->max_value);
    *value = (uint8_t)exponent;
    return STATUS_OK;
}

enum status start_add_jump(struct start_settings *start, const struct grid *grid, const char *text)
{
    struct jump_start jump = {0};
    char word[PARSE_WORD_BYTES];
    if (start->n_jumps == JUMP_MAX_STARTS)
        return status_fail(STATUS_INVALID, "'%s': there are %d starts already, the most possible", text,
                           JUMP_MAX_STARTS);
    while (parse_next_word(&text, word)) {
        /* A full board may have no move: one cell stays empty. */
        if (jump.n_tiles == JUMP_MAX_TILES || jump.n_tiles + 1 >= grid->n_cells)
            return status_fail(STATUS_INVALID, "more than %d tiles leave no cell empty on a %ux%u board",
                               grid->n_cells - 1, grid->rows, grid->cols);
        enum status status = parse_cell(word, grid, &jump);
        if (!status)
            status = parse_tile(word, grid, &jump.tiles[jump.n_tiles]);
        if (status)
            return status;
        jump.n_tiles++;
    }
    if (jump.n_tiles == 0)
        return status_fail(STATUS_INVALID, "no tiles; expected such as '4096 initial'");
    start->jumps[start->n_jumps++] = jump;
    return STATUS_OK;
}

static enum status add_jump_list(struct start_settings *start, const struct grid *grid, const char *name)
{
    /* Matsuzaki 2021, section 3.5. Its fifth L start says 16,394, which can only mean 16384. */
    static const struct {
        const char *name, *starts[6];
    } lists[] = {
        {"L", {"initial initial", "4096 initial", "8192 initial", "8192 4096", "16384 initial"}},
        {"S", {"initial initial", "2048 initial", "4096 initial", "4096 2048", "8192 initial"}},
        {"none", {"initial initial"}},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].name, name) != 0)
            continue;
        enum status status = STATUS_OK;
        for (size_t k = 0; lists[i].starts[k] && !status; k++)
            status = start_add_jump(start, grid, lists[i].starts[k]);
        return status;
    }
    return status_fail(STATUS_INVALID, "unknown list of jump starts '%s'; expected L, S, none or own", name);
}

static enum status parse_mix(struct start_settings *start, const char *text)
{
    char word[PARSE_WORD_BYTES], number[PARSE_WORD_BYTES];
    bool any = false;
    while (parse_next_word(&text, word)) {
        unsigned kind = 0;
        double weight;
        while (kind < START_KINDS && strcmp(word, start_kinds[kind]) != 0)
            kind++;
        if (kind == START_KINDS) {
            const char *near = nearest_name(word, start_kinds, START_KINDS);
            return status_fail(STATUS_INVALID, "'%s' is no kind of start%s%s; expected such as 'new 1 restart 3'", word,
                               near ? "; did you mean " : "", near ? near : "");
        }
        if (*weight_of(start, kind) != 0)
            return status_fail(STATUS_INVALID, "'%s' occurs twice", word);
        if (!parse_next_word(&text, number) || !parse_real(number, &weight) || !(weight > 0 && weight <= 1e6))
            return status_fail(STATUS_INVALID, "'%s' needs a weight above 0 after it", word);
        *weight_of(start, kind) = (float)weight;
        any = true;
    }
    return any ? STATUS_OK : status_fail(STATUS_INVALID, "no weights; expected such as 'new 1 restart 3'");
}

static enum status resolve_jumps(struct start_settings *start, const struct start_words *words, const struct grid *grid,
                                 const struct recipe *recipe)
{
    bool own = strcmp(words->jump, "own") == 0;
    if (words->own_jumps.n > 0 && !own)
        return status_fail(STATUS_INVALID, "start.list (%s) needs start.jump = own; it is %s",
                           recipe_origin(recipe, "start", "list"), words->jump);
    if (start->jump == 0 && !start->restart_jump)
        return *words->bank ? status_fail(STATUS_INVALID,
                                          "start.bank (%s) needs jump starts: start.kind = jump, or jump in a mix, or "
                                          "start.restart_from = jump",
                                          recipe_origin(recipe, "start", "bank"))
                            : STATUS_OK;
    if (own && words->own_jumps.n == 0)
        return status_fail(STATUS_INVALID, "start.jump = own (%s) needs start.list lines, such as list = 4096 initial",
                           recipe_origin(recipe, "start", "jump"));
    if (!own)
        return recipe_context(add_jump_list(start, grid, words->jump), recipe, "start", "jump");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < words->own_jumps.n && !status; i++)
        status = start_add_jump(start, grid, words->own_jumps.items[i]);
    return recipe_context(status, recipe, "start", "list");
}

static enum status resolve_kind(struct start_settings *start, const struct start_words *words,
                                const struct recipe *recipe)
{
    if (words->kind == START_KINDS)
        return recipe_context(parse_mix(start, words->mix), recipe, "start", "mix");
    if (*words->mix)
        return status_fail(STATUS_INVALID, "start.mix (%s) needs start.kind = mix; it is %s (%s)",
                           recipe_origin(recipe, "start", "mix"), start_kinds[words->kind],
                           recipe_origin(recipe, "start", "kind"));
    *weight_of(start, words->kind) = 1;
    return STATUS_OK;
}

enum status start_recipe_resolve(struct start_settings *start, const struct start_words *words, const struct grid *grid,
                                 unsigned n_stages, const struct recipe *recipe)
{
    enum status status = resolve_kind(start, words, recipe);
    if (status)
        return status;
    if (start->restart_jump && !(start->restart > 0))
        return status_fail(STATUS_INVALID, "start.restart_from = jump (%s) needs start.kind = restart, or it in a mix",
                           recipe_origin(recipe, "start", "restart_from"));
    if (start->carousel > 0 && n_stages <= 1)
        return status_fail(STATUS_INVALID,
                           "the carousel goes round the stages, and there is one: set network.stages (such as bits 4) "
                           "or another start.kind (%s)",
                           recipe_origin(recipe, "start", "kind"));
    if (start->carousel > 0 && start->carousel_first >= n_stages)
        return status_fail(STATUS_INVALID, "start.carousel_first (%s) = %u: the last stage is %u",
                           recipe_origin(recipe, "start", "carousel_first"), start->carousel_first, n_stages - 1);
    start->carousel_double = start->carousel_double && start->carousel > 0;
    if (start->double_to > grid->max_value) /* a board has no tile beyond its own largest */
        start->double_to = grid->max_value;
    if ((start->doubled > 0 || start->carousel_double) && start->double_from >= start->double_to)
        return status_fail(STATUS_INVALID,
                           "start.double_from (%s) = %u leaves nothing to double: the largest tile that doubling may "
                           "give is %u (start.double_to and the board)",
                           recipe_origin(recipe, "start", "double_from"), 1u << start->double_from,
                           1u << start->double_to);
    return resolve_jumps(start, words, grid, recipe);
}
