#include "learn/train_recipe.h"

#include "base/recipe_compare.h"
#include "base/workers.h"
#include "learn/neural_recipe.h"
#include "learn/neural_trainer.h"
#include "learn/recipe_words.h"
#include "learn/start_recipe.h"
#include "learn/starts.h"
#include "learn/trainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_BYTES = 16, LIST_BYTES = 512 };

static const struct recipe_key schema[] = {
    {"board", "rows", RECIPE_INTEGER, "4", false, 1, 6, "rows of the board; at most 16 cells in all"},
    {"board", "cols", RECIPE_INTEGER, "4", false, 1, 6, "columns of the board"},

    {"network", "shape", RECIPE_TEXT, "", false, 0, 0,
     "a named set of tuples (4x6, 42-33, 8x6, nt8, ..); empty: the tuple lines alone, or 4x6 if there are none"},
    {"network", "tuple", RECIPE_TEXT, NULL, true, 0, 0,
     "one more tuple, as cells '0 1 2 4 5 6' or drawn 'xxx./xxx./..../....'; repeats"},
    {"network", "values", RECIPE_INTEGER, "0", false, 0, 18,
     "values a cell can have, empty included; larger tiles count as the largest; 0: all of the board, at most 16"},
    {"network", "vse", RECIPE_TEXT, "", false, 0, 0,
     "vertical split encoding: ranges of exponents such as '1-7 8-13 14-17'; empty: none"},
    {"network", "stages", RECIPE_TEXT, "1", false, 0, 0,
     "1, tile thresholds such as '0 32768', 'bits 4' for MASTER's 2^4 stages, or some of them, '0 16384 16384+8192'"},
    {"network", "promote", RECIPE_FLAG, "no", false, 0, 0,
     "a weight that was never touched takes the value it has in the stage before"},
    {"network", "unseen", RECIPE_TEXT, "initial", false, 0, 0,
     "what a weight that was never touched counts as: initial (0, or its share of learn.optimistic), or the mean of "
     "its board's others, so that play does not shun what it has not seen"},

    {"learn", "rule", RECIPE_TEXT, "tc", false, 0, 0, "td, tc or autostep"},
    {"learn", "rate", RECIPE_TEXT, "1.0", false, 0, 0,
     "learning rate (td: alpha, tc: beta, autostep: mu): '0.5', steps '0:0.1 5e9:0.05', 'linear 0:0.5 100%:0.1'"},
    {"learn", "lambda", RECIPE_REAL, "0.5", false, 0, 1, "decay of the traces; 0 for autostep"},
    {"learn", "horizon", RECIPE_INTEGER, "-1", false, -1, LEARN_MAX_HORIZON,
     "how many earlier afterstates an error reaches; -1: until lambda^(h+1) is at most 0.1"},
    {"learn", "delayed", RECIPE_FLAG, "yes", false, 0, 0,
     "one update for each afterstate, a horizon late (MASTER's algorithms 3 and 4); order = forward only"},
    {"learn", "order", RECIPE_TEXT, "forward", false, 0, 0,
     "forward: learn while playing; backward: after a play, from its last afterstate to its first"},
    {"learn", "optimistic", RECIPE_REAL, "0", false, 0, 1e9,
     "value of every afterstate before learning, shared evenly over the look-ups"},
    {"learn", "switch", RECIPE_TEXT, NULL, true, 0, 0,
     "ACTION RULE RATE: from that action on, such as '90% tc 1.0'; repeats, ascending"},
    {"learn", "reset", RECIPE_INTEGER, "0", false, 0, 1e18,
     "put the accumulators of tc back to zero every so many actions; 0: never"},
    {"learn", "average", RECIPE_INTEGER, "0", false, 0, 1e18,
     "the network is the mean of the weights, a sample taken every so many actions; 0: the weights as they are"},
    {"learn", "average_from", RECIPE_INTEGER, "0", false, 0, 1e18, "the first actions after which a sample is taken"},
    {"learn", "autostep_tau", RECIPE_REAL, "0.0001", false, 0, 1, "autostep: how fast it forgets (tau)"},
    {"learn", "autostep_initial", RECIPE_REAL, "1.0", false, 0, 1,
     "autostep: the first step size (alpha init), shared by the look-ups"},

    {"neural", "model", RECIPE_TEXT, "", false, 0, 0,
     "a neural network instead of tuples: CNN22, CNN12, CNN22ACG, MLP, CNN22S, CNN22SS, CNN22SSS, or layers such as "
     "'2x2 64 128 fc 256 64'; empty: none"},
    {"neural", "planes", RECIPE_INTEGER, "16", false, 16, 18, "one-hot planes of the input, 16 or 18"},
    {"neural", "play", RECIPE_TEXT, "simple", false, 0, 0,
     "how a board is judged: simple, or by all symmetric boards: ave, max or min"},
    {"neural", "batching", RECIPE_TEXT, "batch", false, 0, 0,
     "what is learned from at once: batch, shuffle (five batches at a time), game or position"},
    {"neural", "batch", RECIPE_INTEGER, "1024", false, 1, NEURAL_MAX_BATCH, "positions of a batch"},
    {"neural", "games", RECIPE_INTEGER, "0", false, 0, NEURAL_MAX_GAMES,
     "games in lock-step; 0: a quarter of a batch, 5 to 256; 64 for batching = game, 1 for position"},
    {"neural", "augment", RECIPE_FLAG, "no", false, 0, 0, "learn from all symmetric boards of a position"},
    {"neural", "rate", RECIPE_REAL, "0.001", false, 0, 1, "learning rate of Adam"},
    {"neural", "beta1", RECIPE_REAL, "0.9", false, 0, 1, "Adam: decay of the mean gradient"},
    {"neural", "beta2", RECIPE_REAL, "0.999", false, 0, 1, "Adam: decay of the mean squared gradient"},
    {"neural", "epsilon", RECIPE_REAL, "1e-7", false, 0, 1, "Adam: added to the root"},
    {"neural", "deviation", RECIPE_REAL, "0.1", false, 0, 10,
     "standard deviation of the first weights, a normal distribution cut at two of them"},
    {"neural", "scale", RECIPE_REAL, "1", false, 0, 1e9, "points that an output of 1 stands for"},

    {"start", "kind", RECIPE_TEXT, "new", false, 0, 0,
     "what a play starts from: new, restart, carousel, jump, double or mix"},
    {"start", "mix", RECIPE_TEXT, "", false, 0, 0, "kind = mix: weights such as 'new 1 restart 3 jump 1'"},
    {"start", "restart_plays", RECIPE_INTEGER, "0", false, 0, 1e6,
     "restart: plays of one game, the first included; 0: until a play is short"},
    {"start", "restart_min_turns", RECIPE_INTEGER, "10", false, 0, 1e6,
     "restart: a play of at most this many turns is short"},
    {"start", "restart_from", RECIPE_TEXT, "new", false, 0, 0,
     "restart: the first play of a chain is a new game or a jump start: new or jump"},
    {"start", "double_from", RECIPE_INTEGER, "2", false, 2, 1 << (BOARD_MAX_VALUE - 1),
     "double: boards of the play before whose largest tile is at least this"},
    {"start", "double_to", RECIPE_INTEGER, "32768", false, 4, 1 << BOARD_MAX_VALUE,
     "double: the largest tile that doubling may give"},
    {"start", "ring", RECIPE_INTEGER, "1000", false, 1, 1e6, "carousel: afterstates remembered for each stage"},
    {"start", "carousel_first", RECIPE_INTEGER, "0", false, 0, STAGES_MAX - 1,
     "carousel: the stage that its rounds begin with; 0 is a new game"},
    {"start", "carousel_double", RECIPE_FLAG, "no", false, 0, 0,
     "carousel: remember boards of plays with every tile doubled as well, if the play then doubled its largest tile"},
    {"start", "jump", RECIPE_TEXT, "S", false, 0, 0, "jump: the list of starts: L or S of NEURAL, none, or own"},
    {"start", "list", RECIPE_TEXT, NULL, true, 0, 0,
     "jump = own: one start, tiles such as '8192 4096' or '4096 initial'; repeats"},

    {"train", "actions", RECIPE_INTEGER, "1e9", false, 1, 1e18, "moves to learn from, in all"},
    {"train", "threads", RECIPE_INTEGER, "0", false, 0, WORKERS_MAX,
     "threads; 0: all cores; 1 is repeatable to the bit"},
    {"train", "seed", RECIPE_INTEGER, "1", false, 0, 9e18, "of spawns and starts"},
    {"train", "checkpoint", RECIPE_DURATION, "5m", false, 0.01, 1e9, "the most work that a power cut costs"},
    {"train", "interleave", RECIPE_INTEGER, "1", false, 1, 16,
     "games in flight on each thread: while one waits for memory, the others go on"},

    {"eval", "every", RECIPE_INTEGER, "2e8", false, 0, 1e18, "measure after every so many actions; 0: at the end only"},
    {"eval", "games", RECIPE_INTEGER, "1000", false, 0, 1e9, "games of a measurement; 0: none"},
    {"eval", "depth", RECIPE_INTEGER, "1", false, 1, 8, "plies those games search"},
    {"eval", "games3", RECIPE_INTEGER, "0", false, 0, 1e9, "games of a second measurement, at 3 plies; 0: none"},
    {"eval", "seed", RECIPE_INTEGER, "2048", false, 0, 9e18, "game i has stream i of this seed"},
};

enum { N_KEYS = sizeof schema / sizeof *schema };

const struct recipe_key *train_recipe_schema(size_t *n_keys)
{
    *n_keys = N_KEYS;
    return schema;
}

char *train_format_bytes(char *out, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(out, SIZE_BYTES, "%llu B", (unsigned long long)bytes);
        return out;
    }
    double size = (double)bytes / 1024;
    int unit = 0;
    for (; size >= 1023.95; unit++)
        size /= 1024;
    snprintf(out, SIZE_BYTES, "%.1f %s", size, units[unit]);
    return out;
}

/* ---- network ---------------------------------------------------------------------------------------------------- */

static enum status resolve_shape(struct shape *shape, const struct grid *grid, const struct recipe *recipe)
{
    const char *name = recipe_text(recipe, "network", "shape");
    size_t n_tuples = recipe_count(recipe, "network", "tuple");
    if (*name == '\0' && n_tuples == 0) {
        if (!grid_is_4x4(grid))
            return status_fail(STATUS_INVALID,
                               "a %ux%u board has no default network: give network.shape or network.tuple lines",
                               grid->rows, grid->cols);
        name = "4x6";
    }
    *shape = (struct shape){0};
    enum status status = *name ? shape_from_name(shape, grid, name) : STATUS_OK;
    if (status)
        return recipe_key_context(status, recipe, "network", "shape");
    for (size_t i = 0; i < n_tuples && !status; i++)
        status = shape_add_tuple(shape, grid, recipe_text_at(recipe, "network", "tuple", i));
    return recipe_key_context(status, recipe, "network", "tuple");
}

static enum status resolve_encoding(struct encoding *encoding, const struct grid *grid, const struct recipe *recipe)
{
    const char *ranges = recipe_text(recipe, "network", "vse");
    int64_t values = recipe_integer(recipe, "network", "values");
    if (*ranges && values != 0)
        return status_fail(STATUS_INVALID,
                           "network.values = %lld (%s) and network.vse = %s (%s) exclude each other: empty vse, or set "
                           "values = 0",
                           (long long)values, recipe_origin(recipe, "network", "values"), ranges,
                           recipe_origin(recipe, "network", "vse"));
    if (*ranges)
        return recipe_key_context(encoding_split(encoding, grid, ranges), recipe, "network", "vse");
    if (values == 0)
        values = grid->max_value + 1 < 16 ? grid->max_value + 1 : 16;
    return recipe_key_context(encoding_plain(encoding, (unsigned)values), recipe, "network", "values");
}

static enum status resolve_unseen(struct network_spec *spec, const struct recipe *recipe)
{
    const char *unseen = recipe_text(recipe, "network", "unseen"), *origin = recipe_origin(recipe, "network", "unseen");
    spec->unseen_mean = strcmp(unseen, "mean") == 0;
    if (!spec->unseen_mean && strcmp(unseen, "initial") != 0)
        return status_fail(STATUS_INVALID, "network.unseen = %s (%s): expected initial or mean", unseen, origin);
    if (spec->unseen_mean && recipe_real(recipe, "learn", "optimistic") != 0)
        return status_fail(STATUS_INVALID,
                           "network.unseen = mean (%s) and learn.optimistic = %g (%s) exclude each other: no weight "
                           "would be unseen; set one of them back",
                           origin, recipe_real(recipe, "learn", "optimistic"),
                           recipe_origin(recipe, "learn", "optimistic"));
    return STATUS_OK;
}

static enum status resolve_network(struct train_plan *plan, const struct grid *grid, const struct recipe *recipe)
{
    struct network_spec *spec = &plan->network;
    spec->rows = grid->rows;
    spec->cols = grid->cols;
    spec->promote = recipe_flag(recipe, "network", "promote");
    enum status status = resolve_shape(&spec->shape, grid, recipe);
    if (!status)
        status = resolve_encoding(&spec->encoding, grid, recipe);
    if (!status)
        status = recipe_key_context(stages_parse(&spec->stages, recipe_text(recipe, "network", "stages")), recipe,
                                    "network", "stages");
    if (status)
        return status;
    if (spec->promote && spec->stages.n_stages == 1)
        return status_fail(STATUS_INVALID,
                           "network.promote = yes (%s) needs more than one stage: set network.stages "
                           "or promote = no",
                           recipe_origin(recipe, "network", "promote"));
    status = resolve_unseen(spec, recipe);
    if (status)
        return status;
    plan->n_lookups = (unsigned)spec->shape.n_tuples * spec->encoding.n_ranges * grid->n_symmetries;
    spec->initial = plan->n_lookups ? (float)(recipe_real(recipe, "learn", "optimistic") / plan->n_lookups) : 0;
    status = network_measure(spec, &plan->n_weights, &plan->network_bytes);
    return status ? status_context(status, "[network]") : STATUS_OK;
}

/* ---- learn ------------------------------------------------------------------------------------------------------ */

static const char *const rule_names[] = {[RULE_TD] = "td", [RULE_TC] = "tc", [RULE_AUTOSTEP] = "autostep"};
enum { N_RULES = sizeof rule_names / sizeof *rule_names };

static enum status parse_rate(struct schedule *rate, const char *text, uint64_t actions)
{
    enum status status = schedule_parse(rate, text, actions);
    for (unsigned i = 0; i < rate->n_points && !status; i++) {
        if (!(rate->value[i] >= 0 && rate->value[i] <= 10))
            status = status_fail(STATUS_INVALID, "a rate of %g; expected 0 to 10", (double)rate->value[i]);
    }
    return status;
}

/* "ACTION RULE RATE": the rate may be a schedule of several words. */
static enum status parse_switch(struct learn_phase *phase, const char *text, uint64_t actions)
{
    char action[64], rule[64];
    int length = 0;
    unsigned choice;
    if (sscanf(text, " %63[^ \t,]%*[ \t,]%63[^ \t,]%n", action, rule, &length) != 2)
        return status_fail(STATUS_INVALID, "'%s': expected ACTION RULE RATE, such as 90%% tc 1.0", text);
    if (!schedule_parse_action(action, actions, &phase->start_action))
        return status_fail(STATUS_INVALID, "'%s' is no number of actions, such as 5e9 or 90%%", action);
    enum status status = recipe_parse_choice(rule, rule_names, N_RULES, &choice);
    phase->rule = (enum learn_rule)choice;
    return status ? status : parse_rate(&phase->rate, text + length, actions);
}

static enum status resolve_phases(struct learn_settings *learn, uint64_t actions, const struct recipe *recipe)
{
    struct learn_phase *phases = learn->phases;
    unsigned rule;
    enum status status = recipe_choose(recipe, "learn", "rule", rule_names, N_RULES, &rule);
    if (status)
        return status;
    phases[0].rule = (enum learn_rule)rule;
    status = recipe_key_context(parse_rate(&phases[0].rate, recipe_text(recipe, "learn", "rate"), actions), recipe,
                                "learn", "rate");
    learn->n_phases = 1;
    for (size_t i = 0; i < recipe_count(recipe, "learn", "switch") && !status; i++) {
        unsigned n = learn->n_phases++;
        if (n == LEARN_MAX_PHASES)
            return status_fail(STATUS_INVALID, "%s: learn.switch: at most %d lines are possible",
                               recipe_origin(recipe, "learn", "switch"), LEARN_MAX_PHASES - 1);
        status = parse_switch(&phases[n], recipe_text_at(recipe, "learn", "switch", i), actions);
        if (!status && phases[n].start_action <= phases[n - 1].start_action)
            status = status_fail(STATUS_INVALID, "'%s' does not lie behind the one before (action %llu)",
                                 recipe_text_at(recipe, "learn", "switch", i),
                                 (unsigned long long)phases[n - 1].start_action);
        recipe_key_context(status, recipe, "learn", "switch");
    }
    return status;
}

/* MASTER: h = ceil(log_lambda 0.1) - 1, so that the first error that is left out would have counted 0.1 or less. */
static enum status resolve_horizon(struct learn_settings *learn, const struct recipe *recipe)
{
    int64_t given = recipe_integer(recipe, "learn", "horizon");
    double lambda = recipe_real(recipe, "learn", "lambda");
    if (learn->backward) {
        learn->horizon = 0;
        if (given > 0)
            return status_fail(STATUS_INVALID,
                               "learn.horizon = %lld (%s) means nothing with order = backward, which sees the whole "
                               "play: set horizon = -1 or order = forward",
                               (long long)given, recipe_origin(recipe, "learn", "horizon"));
        return STATUS_OK;
    }
    if (given > 0 && lambda == 0)
        return status_fail(STATUS_INVALID, "learn.horizon = %lld (%s) means nothing with lambda = 0: set horizon = -1",
                           (long long)given, recipe_origin(recipe, "learn", "horizon"));
    double horizon = given >= 0 ? (double)given : 0;
    if (given < 0 && lambda > 0)
        horizon = lambda < 1 ? fmax(0, ceil(log(0.1) / log(lambda) - 1e-9) - 1) : INFINITY;
    if (horizon > LEARN_MAX_HORIZON)
        return status_fail(STATUS_INVALID,
                           "learn.lambda = %g (%s) reaches further back than %d afterstates: set learn.horizon = %d, "
                           "or order = backward, which has no horizon",
                           lambda, recipe_origin(recipe, "learn", "lambda"), LEARN_MAX_HORIZON, LEARN_MAX_HORIZON);
    learn->horizon = (unsigned)horizon;
    return STATUS_OK;
}

static bool has_rule(const struct learn_settings *learn, enum learn_rule rule)
{
    for (unsigned i = 0; i < learn->n_phases; i++) {
        if (learn->phases[i].rule == rule)
            return true;
    }
    return false;
}

static enum status resolve_learn(struct learn_settings *learn, uint64_t actions, const struct recipe *recipe)
{
    static const char *const orders[] = {"forward", "backward"};
    unsigned order = 0;
    enum status status = resolve_phases(learn, actions, recipe);
    if (!status)
        status = recipe_choose(recipe, "learn", "order", orders, 2, &order);
    if (status)
        return status;
    learn->lambda = (float)recipe_real(recipe, "learn", "lambda");
    learn->backward = order == 1;
    learn->delayed = recipe_flag(recipe, "learn", "delayed") && !learn->backward;
    learn->autostep_tau = (float)recipe_real(recipe, "learn", "autostep_tau");
    learn->autostep_initial = (float)recipe_real(recipe, "learn", "autostep_initial");
    learn->reset_every = (uint64_t)recipe_integer(recipe, "learn", "reset");
    learn->average_every = (uint64_t)recipe_integer(recipe, "learn", "average");
    learn->average_from = (uint64_t)recipe_integer(recipe, "learn", "average_from");
    if (has_rule(learn, RULE_AUTOSTEP) && learn->lambda != 0)
        return status_fail(STATUS_INVALID,
                           "autostep is defined without traces only: set learn.lambda = 0 (it is %g, %s)",
                           (double)learn->lambda, recipe_origin(recipe, "learn", "lambda"));
    if (has_rule(learn, RULE_AUTOSTEP) && has_rule(learn, RULE_TC))
        return status_fail(STATUS_INVALID,
                           "%s: learn.switch: a run cannot switch between tc and autostep, which keep different things "
                           "beside a weight: switch between td and one of them",
                           recipe_origin(recipe, "learn", "switch"));
    if (learn->reset_every && !has_rule(learn, RULE_TC))
        return status_fail(STATUS_INVALID,
                           "learn.reset = %llu (%s) resets the accumulators of tc, and no rule here is tc: set reset = "
                           "0 or rule = tc",
                           (unsigned long long)learn->reset_every, recipe_origin(recipe, "learn", "reset"));
    if (learn->average_from && !learn->average_every)
        return status_fail(STATUS_INVALID,
                           "learn.average_from = %llu (%s) says where a mean begins, and learn.average = 0 takes none: "
                           "set how many actions lie between its samples, such as average = 5e7",
                           (unsigned long long)learn->average_from, recipe_origin(recipe, "learn", "average_from"));
    return resolve_horizon(learn, recipe);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static enum status resolve_neural(struct train_plan *plan, const struct grid *grid, const struct recipe *recipe)
{
    struct neural_settings *settings = &plan->neural_trainer;
    plan->is_neural = true;
    enum status status = neural_recipe_resolve(&plan->neural, settings, grid, recipe, schema, N_KEYS);
    if (!status)
        status = start_recipe_resolve(&settings->start, grid, plan->network.stages.n_stages, recipe);
    if (!status)
        status = neural_measure(&plan->neural, &plan->n_weights);
    if (status)
        return status;
    settings->seed = plan->trainer.seed;
    settings->threads = plan->trainer.threads;
    plan->network_bytes = plan->n_weights * sizeof(float);
    plan->trainer_bytes = neural_trainer_bytes(&plan->neural, settings);
    return STATUS_OK;
}

static enum status resolve_on_grid(struct train_plan *plan, const struct grid *grid, const struct recipe *recipe)
{
    struct trainer_settings *trainer = &plan->trainer;
    plan->actions = (uint64_t)recipe_integer(recipe, "train", "actions");
    plan->checkpoint_seconds = recipe_duration(recipe, "train", "checkpoint");
    plan->evaluation = (struct evaluation_settings){
        .every = (uint64_t)recipe_integer(recipe, "eval", "every"),
        .n_games = (uint64_t)recipe_integer(recipe, "eval", "games"),
        .n_games3 = (uint64_t)recipe_integer(recipe, "eval", "games3"),
        .depth = (unsigned)recipe_integer(recipe, "eval", "depth"),
        .seed = (uint64_t)recipe_integer(recipe, "eval", "seed"),
    };
    trainer->seed = (uint64_t)recipe_integer(recipe, "train", "seed");
    trainer->interleave = (unsigned)recipe_integer(recipe, "train", "interleave");
    trainer->threads = (unsigned)recipe_integer(recipe, "train", "threads");
    if (trainer->threads == 0)
        trainer->threads = workers_available();
    if (neural_recipe_asked(recipe))
        return resolve_neural(plan, grid, recipe);
    enum status status = resolve_network(plan, grid, recipe);
    if (!status)
        status = resolve_learn(&trainer->learn, plan->actions, recipe);
    if (!status)
        status = start_recipe_resolve(&trainer->start, grid, plan->network.stages.n_stages, recipe);
    if (!status)
        plan->trainer_bytes = trainer_bytes(&plan->network, trainer);
    return status;
}

enum status train_recipe_resolve(struct train_plan *plan, const struct recipe *recipe)
{
    struct grid grid;
    *plan = (struct train_plan){0};
    enum status status = grid_create(&grid, (unsigned)recipe_integer(recipe, "board", "rows"),
                                     (unsigned)recipe_integer(recipe, "board", "cols"));
    if (status)
        return status_context(status, "[board]");
    status = resolve_on_grid(plan, &grid, recipe);
    grid_free(&grid);
    return status;
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

/* Adds "what (size)" to the list if the changed plan fits. Returns whether it does. */
static bool suggest(char *list, const char *what, const struct train_plan *changed, uint64_t available)
{
    uint64_t n_weights, bytes;
    char size[SIZE_BYTES];
    if (network_measure(&changed->network, &n_weights, &bytes))
        return false;
    bytes += trainer_bytes(&changed->network, &changed->trainer);
    if (bytes > available)
        return false;
    size_t used = strlen(list);
    snprintf(list + used, LIST_BYTES - used, "%s%s (%s)", used ? ", " : "", what, train_format_bytes(size, bytes));
    return true;
}

static void suggest_changes(char *list, const struct train_plan *plan, uint64_t available)
{
    struct train_plan one_stage = *plan, only_td = *plan, both, fewer = *plan;
    stages_parse(&one_stage.network.stages, "1");
    one_stage.network.promote = false;
    for (unsigned i = 0; i < plan->trainer.learn.n_phases; i++)
        only_td.trainer.learn.phases[i].rule = RULE_TD;
    only_td.trainer.learn.reset_every = 0;
    both = one_stage;
    both.trainer.learn = only_td.trainer.learn;
    bool any = plan->network.stages.n_stages > 1 && suggest(list, "network.stages = 1", &one_stage, available);
    any |= suggest(list, "learn.rule = td", &only_td, available);
    if (!any && plan->network.stages.n_stages > 1)
        any = suggest(list, "both network.stages = 1 and learn.rule = td", &both, available);
    for (unsigned values = 16; values >= 8 && plan->network.encoding.n_ranges == 1; values -= 2) {
        char what[32];
        if (values >= plan->network.encoding.ranges[0].n_digits || encoding_plain(&fewer.network.encoding, values))
            continue;
        snprintf(what, sizeof what, "network.values = %u", values);
        if (suggest(list, what, &fewer, available))
            return;
    }
}

enum status train_plan_check_memory(const struct train_plan *plan, uint64_t available)
{
    char needed[SIZE_BYTES], there[SIZE_BYTES], network[SIZE_BYTES], trainer[SIZE_BYTES], list[LIST_BYTES] = "";
    uint64_t bytes = plan->network_bytes + plan->trainer_bytes;
    if (available == 0 || bytes <= available)
        return STATUS_OK;
    if (plan->is_neural)
        snprintf(list, sizeof list, "a smaller neural.model, neural.batch or neural.games, or fewer threads");
    else
        suggest_changes(list, plan, available);
    return status_fail(STATUS_NO_MEMORY,
                       "the run needs %s of memory (weights %s, learning %s) and %s are free; what would fit: %s",
                       train_format_bytes(needed, bytes), train_format_bytes(network, plan->network_bytes),
                       train_format_bytes(trainer, plan->trainer_bytes), train_format_bytes(there, available),
                       *list ? list : "a smaller network.shape, or a network.vse with more ranges");
}

/* ---- going on --------------------------------------------------------------------------------------------------- */

/* The record of each play is kept if any of them may be restarted, the rings if there is a carousel. */
bool train_plan_same_state(const struct train_plan *a, const struct train_plan *b)
{
    const struct start_settings *start_a = &a->trainer.start, *start_b = &b->trainer.start;
    if (a->is_neural || b->is_neural) /* whose starts and stages cannot change */
        return a->is_neural == b->is_neural;
    return starts_need_states(start_a) == starts_need_states(start_b) &&
           (start_a->carousel > 0) == (start_b->carousel > 0) && start_a->ring == start_b->ring &&
           stages_equal(&a->network.stages, &b->network.stages);
}

static bool may_differ(const struct recipe_key *key, bool is_neural)
{
    if (strcmp(key->section, "eval") == 0)
        return true;
    if (strcmp(key->section, "start") == 0)
        return !is_neural; /* each game of the lock-step has its own start, for good */
    if (strcmp(key->section, "network") == 0)
        return !is_neural && strcmp(key->name, "stages") == 0;
    if (strcmp(key->section, "learn") == 0)
        return strcmp(key->name, "rate") == 0 || (!is_neural && strncmp(key->name, "average", 7) == 0);
    return strcmp(key->section, "train") == 0 &&
           (strcmp(key->name, "threads") == 0 || strcmp(key->name, "checkpoint") == 0 ||
            strcmp(key->name, "actions") == 0);
}

static void describe(const struct recipe_key *key, const struct recipe *recipe, char *out, size_t bytes)
{
    size_t n = recipe_count(recipe, key->section, key->name);
    if (n == 1)
        snprintf(out, bytes, "%s", recipe_text(recipe, key->section, key->name));
    else
        snprintf(out, bytes, "%zu lines", n);
}

/* A schedule with a percent sign would move under what was learned already. */
static enum status check_shares(const struct recipe *old, const struct recipe *now)
{
    int64_t was = recipe_integer(old, "train", "actions"), is = recipe_integer(now, "train", "actions");
    bool share = strchr(recipe_text(now, "learn", "rate"), '%') != NULL;
    for (size_t i = 0; i < recipe_count(now, "learn", "switch"); i++)
        share |= strchr(recipe_text_at(now, "learn", "switch", i), '%') != NULL;
    if (was == is || !share)
        return STATUS_OK;
    return status_fail(STATUS_INVALID,
                       "train.actions was %lld and is %lld, but learn.rate or learn.switch holds a share of it (%%), "
                       "which would change what is behind the run: leave train.actions, or start another run",
                       (long long)was, (long long)is);
}

enum status train_recipe_check_resume(const struct recipe *old, const struct recipe *now, struct train_plan *was_plan)
{
    char list[LIST_BYTES] = "";
    enum status status = train_recipe_resolve(was_plan, old);
    if (status)
        return status;
    for (size_t i = 0; i < N_KEYS; i++) {
        char was[100], is[100];
        if (may_differ(&schema[i], was_plan->is_neural) || recipe_same_value(old, now, &schema[i]))
            continue;
        describe(&schema[i], old, was, sizeof was);
        describe(&schema[i], now, is, sizeof is);
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s.%s was '%s' and is '%s'", used ? "; " : "", schema[i].section,
                 schema[i].name, was, is);
    }
    if (*list)
        return status_fail(
            STATUS_INVALID,
            "the recipe is not the run's: %s (only [eval], learn.rate, learn.average, train.threads, train.checkpoint, "
            "train.actions, and without a neural network [start] and network.stages may change)",
            list);
    return check_shares(old, now);
}
