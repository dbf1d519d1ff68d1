#include "learn/start_recipe.h"

#include "learn/recipe_words.h"
#include "learn/start_words.h"

#include <string.h>

static enum status resolve_jumps(struct start_settings *start, const struct grid *grid, const struct recipe *recipe)
{
    const char *name = recipe_text(recipe, "start", "jump");
    size_t n_own = recipe_count(recipe, "start", "list");
    bool own = strcmp(name, "own") == 0;
    if (n_own > 0 && !own)
        return status_fail(STATUS_INVALID, "start.list (%s) needs start.jump = own; it is %s",
                           recipe_origin(recipe, "start", "list"), name);
    if (start->jump == 0 && !start->restart_jump)
        return STATUS_OK;
    if (own && n_own == 0)
        return status_fail(STATUS_INVALID, "start.jump = own (%s) needs start.list lines, such as list = 4096 initial",
                           recipe_origin(recipe, "start", "jump"));
    if (!own)
        return recipe_key_context(start_add_jump_list(start, grid, name), recipe, "start", "jump");
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n_own && !status; i++)
        status = start_add_jump(start, grid, recipe_text_at(recipe, "start", "list", i));
    return recipe_key_context(status, recipe, "start", "list");
}

static enum status resolve_tile(uint8_t *value, const struct recipe *recipe, const char *name)
{
    int64_t face = recipe_integer(recipe, "start", name);
    if ((face & (face - 1)) != 0)
        return recipe_key_context(
            status_fail(STATUS_INVALID, "%lld is no tile; expected a power of two such as 8192", (long long)face),
            recipe, "start", name);
    *value = (uint8_t)__builtin_ctzll((unsigned long long)face);
    return STATUS_OK;
}

/* A board has no tile beyond its own largest, whatever double_to allows. */
static enum status resolve_double(struct start_settings *start, const struct grid *grid, const struct recipe *recipe)
{
    enum status status = resolve_tile(&start->double_from, recipe, "double_from");
    if (!status)
        status = resolve_tile(&start->double_to, recipe, "double_to");
    if (status)
        return status;
    if (start->double_to > grid->max_value)
        start->double_to = grid->max_value;
    if ((start->doubled > 0 || start->carousel_double) && start->double_from >= start->double_to)
        return status_fail(STATUS_INVALID,
                           "start.double_from (%s) = %u leaves nothing to double: the largest tile that doubling may "
                           "give is %u (start.double_to and the board)",
                           recipe_origin(recipe, "start", "double_from"), 1u << start->double_from,
                           1u << start->double_to);
    return STATUS_OK;
}

enum status start_recipe_resolve(struct start_settings *start, const struct grid *grid, unsigned n_stages,
                                 const struct recipe *recipe)
{
    static const char *const kinds[] = {"new", "restart", "carousel", "jump", "double", "mix"};
    enum { KIND_NEW, KIND_RESTART, KIND_CAROUSEL, KIND_JUMP, KIND_DOUBLE, KIND_MIX, N_KINDS };
    const char *mix = recipe_text(recipe, "start", "mix");
    unsigned kind;
    enum status status = recipe_choose(recipe, "start", "kind", kinds, N_KINDS, &kind);
    if (status)
        return status;
    if (kind != KIND_MIX && *mix)
        return status_fail(STATUS_INVALID, "start.mix (%s) needs start.kind = mix; it is %s (%s)",
                           recipe_origin(recipe, "start", "mix"), kinds[kind], recipe_origin(recipe, "start", "kind"));
    start->new_game = kind == KIND_NEW;
    start->restart = kind == KIND_RESTART;
    start->carousel = kind == KIND_CAROUSEL;
    start->jump = kind == KIND_JUMP;
    start->doubled = kind == KIND_DOUBLE;
    if (kind == KIND_MIX)
        status = recipe_key_context(start_parse_mix(start, mix), recipe, "start", "mix");
    if (status)
        return status;
    start->restart_plays = (unsigned)recipe_integer(recipe, "start", "restart_plays");
    start->restart_min_turns = (unsigned)recipe_integer(recipe, "start", "restart_min_turns");
    start->ring = (unsigned)recipe_integer(recipe, "start", "ring");
    status = recipe_choose(recipe, "start", "restart_from", (const char *const[]){"new", "jump"}, 2, &kind);
    if (status)
        return status;
    start->restart_jump = kind == 1;
    if (start->restart_jump && !(start->restart > 0))
        return status_fail(STATUS_INVALID, "start.restart_from = jump (%s) needs start.kind = restart, or it in a mix",
                           recipe_origin(recipe, "start", "restart_from"));
    if (start->carousel > 0 && n_stages <= 1)
        return status_fail(STATUS_INVALID,
                           "the carousel goes round the stages, and there is one: set network.stages (such as bits 4) "
                           "or another start.kind (%s)",
                           recipe_origin(recipe, "start", "kind"));
    start->carousel_first = (unsigned)recipe_integer(recipe, "start", "carousel_first");
    if (start->carousel > 0 && start->carousel_first >= n_stages)
        return status_fail(STATUS_INVALID, "start.carousel_first (%s) = %u: the last stage is %u",
                           recipe_origin(recipe, "start", "carousel_first"), start->carousel_first, n_stages - 1);
    start->carousel_double = start->carousel > 0 && recipe_flag(recipe, "start", "carousel_double");
    status = resolve_double(start, grid, recipe);
    return status ? status : resolve_jumps(start, grid, recipe);
}
