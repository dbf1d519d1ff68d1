/* train_recipe: the keys of training recipes, and how they become the plan of a run. */
#include "learn/train_recipe.h"

#include "base/number_text.h"
#include "base/workers.h"
#include "learn/learn_recipe.h"
#include "learn/neural_recipe.h"
#include "learn/neural_trainer.h"
#include "learn/start_recipe.h"
#include "learn/starts.h"
#include "learn/trainer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 512 };

/* The values of all keys: fields of the plan, and texts and numbers that are resolved together. */
struct reading {
    struct train_plan plan;
    const char *shape, *vse, *stages, *rate;
    struct setting_list tuples, switches;
    unsigned values;
    int horizon;
    double lambda, optimistic;
    const char *neural_rate;
    int neural_horizon;
    double neural_lambda;
    struct start_words start;
};

/* When a run that resumes may change a key: always, or where no neural network learns. */
enum { CHANGE_ALWAYS = 1, CHANGE_UNLESS_NEURAL = 2 };

/* What a key is about, if not every kind of run. */
enum { ABOUT_TUPLES = 1, ABOUT_NEURAL = 2 };

static const char *const rules[] = {[RULE_TD] = "td", [RULE_TC] = "tc", [RULE_AUTOSTEP] = "autostep", NULL};
static const char *const batchings[] = {
    [BATCH_FIXED] = "batch", [BATCH_SHUFFLE] = "shuffle", [BATCH_GAME] = "game", [BATCH_POSITION] = "position", NULL};

static const char *const optimisers[] = {
    [OPTIMISER_ADAM] = "adam", [OPTIMISER_ADAMW] = "adamw", [OPTIMISER_SGD] = "sgd", NULL};
static const char *const initials[] = {[NEURAL_FIXED] = "fixed", [NEURAL_FAN_IN] = "fan-in", NULL};
static const char *const precisions[] = {[PRECISION_FP32] = "fp32", [PRECISION_BF16] = "bf16", NULL};

#define LIMITS(low, high) SETTING_LIMITS(low, high)
#define ALWAYS            .may_change = CHANGE_ALWAYS
#define UNLESS_NEURAL     .may_change = CHANGE_UNLESS_NEURAL
#define TUPLES            .about = ABOUT_TUPLES
#define NEURAL_ONLY       .about = ABOUT_NEURAL
#define IN(member)        SETTING_FIELD(struct reading, member)
#define PLAN(member)      IN(plan.member)
#define LEARN(member)     IN(plan.trainer.learn.member)
#define START(member)     IN(plan.trainer.start.member)
#define TILE(member)      SETTING_FIELD_AS(SETTING_POWER, struct reading, plan.trainer.start.member)
#define NEURAL(member)    IN(plan.neural_trainer.member)
#define EVAL(member)      IN(plan.evaluation.member)

static const struct setting rows[] = {
    {"board", "rows", "4", PLAN(network.rows), "rows of the board; at most 16 cells in all", LIMITS(1, 6)},
    {"board", "cols", "4", PLAN(network.cols), "columns of the board", LIMITS(1, 6)},

    {"network", "shape", "", IN(shape),
     "a named set of tuples (4x6, 42-33, 8x6, nt8, ..); empty: the tuple lines alone, or 4x6 if there are none",
     TUPLES},
    {"network", "tuple", NULL, IN(tuples),
     "one more tuple, as cells '0 1 2 4 5 6' or drawn 'xxx./xxx./..../....'; repeats", TUPLES},
    {"network", "values", "0", IN(values),
     "values a cell can have, empty included; larger tiles count as the largest; 0: all of the board, at most 16",
     LIMITS(0, 18), TUPLES},
    {"network", "vse", "", IN(vse),
     "vertical split encoding: ranges of exponents such as '1-7 8-13 14-17'; empty: none", TUPLES},
    {"network", "stages", "1", IN(stages),
     "1, tile thresholds such as '0 32768', 'bits 4' for 2^4 stages by the large tiles, or some of them, '0 16384 "
     "16384+8192'",
     UNLESS_NEURAL, TUPLES},
    {"network", "promote", "no", PLAN(network.promote),
     "a weight that was never touched takes the value it has in the stage before", TUPLES},
    {"network", "unseen", "initial", PLAN(network.unseen_mean),
     "what a weight that was never touched counts as: initial (0, or its share of learn.optimistic), or the mean of "
     "its board's others, so that play does not avoid what it has not seen",
     .choices = (const char *const[]){"initial", "mean", NULL}, TUPLES},

    {"learn", "rule", "tc", LEARN(phases[0].rule), "td, tc or autostep", .choices = rules, TUPLES},
    {"learn", "rate", "1.0", IN(rate),
     "learning rate (td: alpha, tc: beta, autostep: mu): '0.5', steps '0:0.1 5e9:0.05', 'linear 0:0.5 100%:0.1'",
     ALWAYS, TUPLES},
    {"learn", "lambda", "0.5", IN(lambda), "decay of the traces; 0 for autostep", LIMITS(0, 1), TUPLES},
    {"learn", "horizon", "-1", IN(horizon),
     "how many earlier afterstates an error reaches; -1: until lambda^(h+1) is at most 0.1",
     LIMITS(-1, LEARN_MAX_HORIZON), TUPLES},
    {"learn", "delayed", "yes", LEARN(delayed),
     "one update for each afterstate, a horizon late (Jaskowski 2018, algorithms 3 and 4); order = forward only",
     TUPLES},
    {"learn", "order", "forward", LEARN(backward),
     "forward: learn while playing; backward: after a play, from its last afterstate to its first",
     .choices = (const char *const[]){"forward", "backward", NULL}, TUPLES},
    {"learn", "optimistic", "0", IN(optimistic),
     "value of every afterstate before learning, shared evenly over the look-ups", LIMITS(0, 1e9), TUPLES},
    {"learn", "switch", NULL, IN(switches),
     "ACTION RULE RATE: from that action on, such as '90% tc 1.0'; repeats, ascending", TUPLES},
    {"learn", "epsilon", "0", LEARN(explore.epsilon), "share of moves drawn evenly from the legal ones", LIMITS(0, 1),
     TUPLES},
    {"learn", "temperature", "0", LEARN(explore.temperature),
     "softmax: the other moves are drawn with chances exp(value / temperature), in points; 0: the best one",
     LIMITS(0, 1e9), TUPLES},
    {"learn", "explore_aim", "made", LEARN(explore.aim_best),
     "epsilon, temperature: a target sees the move that was made, or the best one, and then traces end where another "
     "was made; order = forward only",
     .choices = (const char *const[]){"made", "best", NULL}, TUPLES},
    {"learn", "until", "1", SETTING_FIELD_AS(SETTING_POWER, struct reading, plan.trainer.learn.goal.tile),
     "a play ends, and learn.prize is won, when tiles of an eighth of this one and more add up to it; 1: plays go to "
     "their end",
     LIMITS(1, 1 << BOARD_MAX_VALUE), TUPLES},
    {"learn", "prize", "0", LEARN(goal.prize), "learn.until: points for the tile", LIMITS(0, 1e9), TUPLES},
    {"learn", "endgame", "", PLAN(endgame),
     "learn.until: endgame tables, a folder; a board that they cover is worth its exact chance * endgame_share * "
     "prize",
     TUPLES},
    {"learn", "endgame_share", "0.95", LEARN(goal.share),
     "learn.endgame: share of the plays that make the tile once the goal of the table is made", LIMITS(0, 1), TUPLES},
    {"learn", "reset", "0", LEARN(reset_every), "reset the accumulators of tc to zero every so many actions; 0: never",
     LIMITS(0, 1e18), TUPLES},
    {"learn", "average", "0", LEARN(average_every),
     "the network is the mean of the weights, a sample taken every so many actions; 0: the weights as they are",
     LIMITS(0, 1e18), ALWAYS},
    {"learn", "average_from", "0", LEARN(average_from), "no sample before this many actions", LIMITS(0, 1e18), ALWAYS},
    {"learn", "autostep_tau", "0.0001", LEARN(autostep_tau), "autostep: how fast it forgets (tau)", LIMITS(0, 1),
     TUPLES},
    {"learn", "autostep_initial", "1.0", LEARN(autostep_initial),
     "autostep: the initial step size (alpha init), shared by the look-ups", LIMITS(0, 1), TUPLES},

    {"neural", "model", "", PLAN(neural.model),
     "a neural network instead of tuples: CNN22, CNN12, CNN22ACG, MLP, CNN22S, CNN22SS, CNN22SSS, or layers such as "
     "'2x2 64 128 fc 256 64'; empty: none",
     NEURAL_ONLY},
    {"neural", "planes", "16", PLAN(neural.planes), "one-hot planes of the input, 16 or 18", LIMITS(16, 18),
     NEURAL_ONLY},
    {"neural", "play", "simple", PLAN(neural.play),
     "how a board is evaluated: simple, or by all symmetric boards: ave, max or min", .choices = neural_play_names,
     NEURAL_ONLY},
    {"neural", "batching", "batch", NEURAL(batching),
     "what is learned from at once: batch, shuffle (five batches at a time), game or position", .choices = batchings,
     NEURAL_ONLY},
    {"neural", "batch", "1024", NEURAL(batch), "positions of a batch", LIMITS(1, NEURAL_MAX_BATCH), NEURAL_ONLY},
    {"neural", "games", "0", NEURAL(games),
     "games in lock-step; 0: a quarter of a batch, 5 to 256; 64 for batching = game, 1 for position",
     LIMITS(0, NEURAL_MAX_GAMES), NEURAL_ONLY},
    {"neural", "augment", "no", NEURAL(augment), "learn from all symmetric boards of a position", NEURAL_ONLY},
    {"neural", "lambda", "0", IN(neural_lambda),
     "weight in a target of what lies beyond the next move: 0 sees the next afterstate alone, 1 with horizon = N at "
     "the one N moves further",
     LIMITS(0, 1), NEURAL_ONLY},
    {"neural", "horizon", "-1", IN(neural_horizon),
     "how many moves beyond the next one a target reaches; -1: until lambda^(h+1) is at most 0.1",
     LIMITS(-1, LEARN_MAX_HORIZON), NEURAL_ONLY},
    {"neural", "optimiser", "adam", NEURAL(optimiser.rule), "adam, adamw (with decay) or sgd (beta1 is its momentum)",
     .choices = optimisers, NEURAL_ONLY},
    {"neural", "rate", "0.001", IN(neural_rate),
     "learning rate: '0.001', steps '0:0.001 5e7:0.0003', 'linear 0:0.001 100%:0.0001'", ALWAYS, NEURAL_ONLY},
    {"neural", "beta1", "0.9", NEURAL(optimiser.beta1), "Adam: decay of the mean gradient", LIMITS(0, 0.9999),
     NEURAL_ONLY},
    {"neural", "beta2", "0.999", NEURAL(optimiser.beta2), "Adam: decay of the mean squared gradient",
     LIMITS(0, 0.99999), NEURAL_ONLY},
    {"neural", "epsilon", "1e-7", NEURAL(optimiser.epsilon), "Adam: added to the root", LIMITS(1e-30, 1), NEURAL_ONLY},
    {"neural", "decay", "0.01", NEURAL(optimiser.decay), "adamw: a step takes rate * decay of each weight away",
     LIMITS(0, 10), NEURAL_ONLY},
    {"neural", "clip", "0", NEURAL(optimiser.clip), "largest norm of a batch's gradient; 0: any", LIMITS(0, 1e30),
     NEURAL_ONLY},
    {"neural", "initial", "fixed", NEURAL(initial),
     "the first weights: fixed (one deviation for all), or fan-in (each layer by its number of inputs, biases 0)",
     .choices = initials, NEURAL_ONLY},
    {"neural", "deviation", "0.1", NEURAL(deviation),
     "initial = fixed: standard deviation, of a normal distribution cut at two of them", LIMITS(0, 10), NEURAL_ONLY},
    {"neural", "teacher", "", PLAN(teacher),
     "a network whose games are played, and whose values are learned, at first: a file, or bundled; empty: none",
     NEURAL_ONLY},
    {"neural", "teach", "0", NEURAL(teach), "actions of the teacher; then the network learns from its own games",
     LIMITS(0, 1e18), NEURAL_ONLY},
    {"neural", "teach_temperature", "0", NEURAL(lesson.temperature),
     "points: the teacher's choices among all moves are learned as well, as a softmax of their values; 0: only the "
     "value of the move it makes",
     LIMITS(0, 1e9), NEURAL_ONLY},
    {"neural", "teach_value", "0.01", NEURAL(lesson.value),
     "teach_temperature: weight of the squared error of the values beside the choices", LIMITS(0, 1e9), NEURAL_ONLY},
    {"neural", "teach_own", "0", NEURAL(lesson.own),
     "teach_temperature: share of the games in which the network makes the moves", LIMITS(0, 1), NEURAL_ONLY},
    {"neural", "teach_spread", "0", NEURAL(lesson.spread),
     "the teacher first plays the games on by up to so many moves, each by another number", LIMITS(0, 1e6),
     NEURAL_ONLY},
    {"neural", "precision", "bf16", NEURAL(precision),
     "of the products while learning: bf16, where the processor has AVX512_BF16 (elsewhere as fp32), or fp32",
     .choices = precisions, ALWAYS, NEURAL_ONLY},
    {"neural", "scale", "1", PLAN(neural.scale), "points of an output of 1", LIMITS(1e-300, 1e9), NEURAL_ONLY},

    {"start", "kind", "new", IN(start.kind), "what a play starts from: new, restart, carousel, jump, double or mix",
     .choices = start_kinds, UNLESS_NEURAL},
    {"start", "mix", "", IN(start.mix), "kind = mix: weights such as 'new 1 restart 3 jump 1'", UNLESS_NEURAL},
    {"start", "restart_plays", "0", START(restart_plays),
     "restart: plays of one game, the first included; 0: until a play is short", LIMITS(0, 1e6), UNLESS_NEURAL},
    {"start", "restart_min_turns", "10", START(restart_min_turns),
     "restart: a play of at most this many turns is short", LIMITS(0, 1e6), UNLESS_NEURAL},
    {"start", "restart_from", "new", START(restart_jump),
     "restart: the first play of a chain is a new game or a jump start: new or jump",
     .choices = (const char *const[]){"new", "jump", NULL}, UNLESS_NEURAL},
    {"start", "double_from", "2", TILE(double_from),
     "double: only boards of the play before whose largest tile is at least this",
     LIMITS(2, 1 << (BOARD_MAX_VALUE - 1)), UNLESS_NEURAL},
    {"start", "double_to", "32768", TILE(double_to), "double: the largest tile that doubling may give",
     LIMITS(4, 1 << BOARD_MAX_VALUE), UNLESS_NEURAL},
    {"start", "ring", "1000", START(ring), "carousel: afterstates remembered for each stage", LIMITS(1, 1e6),
     UNLESS_NEURAL},
    {"start", "carousel_first", "0", START(carousel_first), "carousel: the first stage of its rounds; 0: a new game",
     LIMITS(0, STAGES_MAX - 1), UNLESS_NEURAL},
    {"start", "carousel_double", "no", START(carousel_double),
     "carousel: remember boards of plays with every tile doubled as well, if the play then doubled its largest tile",
     UNLESS_NEURAL},
    {"start", "jump", "S", IN(start.jump), "jump: the list of starts: L or S of Matsuzaki 2021, none, or own",
     UNLESS_NEURAL},
    {"start", "list", NULL, IN(start.own_jumps),
     "jump = own: one start, tiles such as '8192 4096' or '4096 initial', '16384@0 8192@1 initial' on cells; repeats",
     UNLESS_NEURAL},
    {"start", "bank", "", PLAN(bank), "jump: a file of boards, one a line (eval --collect, bank), that are starts too",
     UNLESS_NEURAL, TUPLES},
    {"start", "bank_share", "0.5", START(bank.share), "bank: share of the jump starts that are one of its boards",
     LIMITS(0, 1), UNLESS_NEURAL, TUPLES},

    {"train", "actions", "1e9", PLAN(actions), "moves to learn from, in all", LIMITS(1, 1e18), ALWAYS},
    {"train", "threads", "0", PLAN(trainer.threads), "threads; 0: all cores; 1 is repeatable to the bit",
     LIMITS(0, WORKERS_MAX), ALWAYS, SETTING_OPTION("threads", 't', "T")},
    {"train", "seed", "1", PLAN(trainer.seed), "of spawns and starts", LIMITS(0, 9e18),
     SETTING_OPTION("seed", 's', "S")},
    {"train", "checkpoint", "5m", SETTING_FIELD_AS(SETTING_DURATION, struct reading, plan.checkpoint_seconds),
     "the most work that a power cut costs", LIMITS(0.01, 1e9), ALWAYS},
    {"train", "sync", "2e7", PLAN(trainer.sync),
     "on a cluster (docs/CLUSTER.md): moves that each rank learns from between merges of their networks",
     LIMITS(1, 1e18), ALWAYS},
    {"train", "spare", "no", PLAN(spare),
     "keep the checkpoint before the last one too, to resume from if the last one is damaged; twice the disk", ALWAYS},
    {"train", "keep", "0", PLAN(keep),
     "keep the network of the first measurement at or after every so many actions, and the best of them; 0: none",
     LIMITS(0, 1e18), ALWAYS},
    {"train", "interleave", "1", PLAN(trainer.interleave),
     "games of each thread, stepped in turn so that one computes while another waits for memory", LIMITS(1, 16)},

    {"eval", "every", "2e8", EVAL(every),
     "measure after every so many actions, and early at 1e6, 3e6 and 1e7; 0: at the end only", LIMITS(0, 1e18), ALWAYS},
    {"eval", "games", "1000", EVAL(n_games), "games of a measurement; 0: none", LIMITS(0, 1e9), ALWAYS},
    {"eval", "depth", "1", EVAL(depth), "plies those games search", LIMITS(1, 8), ALWAYS},
    {"eval", "games3", "0", EVAL(n_games3), "games of a second measurement, at 3 plies; 0: none", LIMITS(0, 1e9),
     ALWAYS},
    {"eval", "seed", "2048", EVAL(seed), "game i has stream i of this seed", LIMITS(0, 9e18), ALWAYS},
};

const struct setting_table train_settings = SETTING_TABLE(rows);

static enum status resolve_shape(struct shape *shape, const struct reading *reading, const struct grid *grid,
                                 const struct recipe *recipe)
{
    const char *name = reading->shape;
    if (*name == '\0' && reading->tuples.n == 0) {
        if (!grid_is_4x4(grid))
            return status_fail(STATUS_INVALID,
                               "a %ux%u board has no default network: give network.shape or network.tuple lines",
                               grid->rows, grid->cols);
        name = "4x6";
    }
    enum status status = *name ? shape_from_name(shape, grid, name) : STATUS_OK;
    if (status)
        return recipe_context(status, recipe, "network", "shape");
    for (size_t i = 0; i < reading->tuples.n && !status; i++)
        status = shape_add_tuple(shape, grid, reading->tuples.items[i]);
    return recipe_context(status, recipe, "network", "tuple");
}

static enum status resolve_encoding(struct encoding *encoding, const struct reading *reading, const struct grid *grid,
                                    const struct recipe *recipe)
{
    unsigned values = reading->values;
    if (*reading->vse && values != 0)
        return status_fail(STATUS_INVALID,
                           "network.values = %u (%s) and network.vse = %s (%s) exclude each other: empty vse, or set "
                           "values = 0",
                           values, recipe_origin(recipe, "network", "values"), reading->vse,
                           recipe_origin(recipe, "network", "vse"));
    if (*reading->vse)
        return recipe_context(encoding_split(encoding, grid, reading->vse), recipe, "network", "vse");
    if (values == 0)
        values = grid->max_value + 1 < 16 ? grid->max_value + 1 : 16;
    return recipe_context(encoding_plain(encoding, values), recipe, "network", "values");
}

static enum status resolve_network(struct reading *reading, const struct grid *grid, const struct recipe *recipe)
{
    struct train_plan *plan = &reading->plan;
    struct network_spec *spec = &plan->network;
    enum status status = resolve_shape(&spec->shape, reading, grid, recipe);
    if (!status)
        status = resolve_encoding(&spec->encoding, reading, grid, recipe);
    if (!status)
        status = recipe_context(stages_parse(&spec->stages, reading->stages), recipe, "network", "stages");
    if (status)
        return status;
    if (spec->promote && spec->stages.n_stages == 1)
        return status_fail(STATUS_INVALID,
                           "network.promote = yes (%s) needs more than one stage: set network.stages or promote = no",
                           recipe_origin(recipe, "network", "promote"));
    if (spec->unseen_mean && reading->optimistic != 0)
        return status_fail(STATUS_INVALID,
                           "network.unseen = mean (%s) and learn.optimistic = %g (%s) exclude each other: no weight "
                           "would be unseen; set one of them back",
                           recipe_origin(recipe, "network", "unseen"), reading->optimistic,
                           recipe_origin(recipe, "learn", "optimistic"));
    plan->n_lookups = (unsigned)spec->shape.n_tuples * spec->encoding.n_ranges * grid->n_symmetries;
    spec->initial = plan->n_lookups ? (float)(reading->optimistic / plan->n_lookups) : 0;
    status = network_measure(spec, &plan->n_weights, &plan->network_bytes);
    return status ? status_context(status, "[network]") : STATUS_OK;
}

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
    unsigned choice = 0;
    if (sscanf(text, " %63[^ \t,]%*[ \t,]%63[^ \t,]%n", action, rule, &length) != 2)
        return status_fail(STATUS_INVALID, "'%s': expected ACTION RULE RATE, such as 90%% tc 1.0", text);
    if (!schedule_parse_action(action, actions, &phase->start_action))
        return status_fail(STATUS_INVALID, "'%s' is no number of actions, such as 5e9 or 90%%", action);
    while (rules[choice] && strcmp(rules[choice], rule) != 0)
        choice++;
    if (!rules[choice])
        return status_fail(STATUS_INVALID, "'%s': expected td, tc or autostep", rule);
    phase->rule = (enum learn_rule)choice;
    return parse_rate(&phase->rate, text + length, actions);
}

static enum status resolve_phases(struct reading *reading, const struct recipe *recipe)
{
    struct learn_settings *learn = &reading->plan.trainer.learn;
    struct learn_phase *phases = learn->phases;
    uint64_t actions = reading->plan.actions;
    enum status status = recipe_context(parse_rate(&phases[0].rate, reading->rate, actions), recipe, "learn", "rate");
    learn->n_phases = 1;
    for (size_t i = 0; i < reading->switches.n && !status; i++) {
        const char *text = reading->switches.items[i];
        unsigned n = learn->n_phases++;
        if (n == LEARN_MAX_PHASES)
            return status_fail(STATUS_INVALID, "%s: learn.switch: at most %d lines are possible",
                               recipe_origin(recipe, "learn", "switch"), LEARN_MAX_PHASES - 1);
        status = parse_switch(&phases[n], text, actions);
        if (!status && phases[n].start_action <= phases[n - 1].start_action)
            status = status_fail(STATUS_INVALID, "'%s' is not after the one before (action %llu)", text,
                                 (unsigned long long)phases[n - 1].start_action);
        recipe_context(status, recipe, "learn", "switch");
    }
    return status;
}

/* Jaskowski 2018: h = ceil(log_lambda 0.1) - 1, so the first error that is left out has a weight of 0.1 or less. */
static double default_horizon(double lambda)
{
    if (lambda == 0)
        return 0;
    return lambda < 1 ? fmax(0, ceil(log(0.1) / log(lambda) - 1e-9) - 1) : INFINITY;
}

static enum status resolve_horizon(struct learn_settings *learn, int given, double lambda, const struct recipe *recipe)
{
    const char *origin = recipe_origin(recipe, "learn", "horizon");
    if (given > 0 && learn->backward)
        return status_fail(STATUS_INVALID,
                           "learn.horizon = %d (%s) means nothing with order = backward, which sees the whole "
                           "play: set horizon = -1 or order = forward",
                           given, origin);
    if (learn->backward)
        return STATUS_OK;
    if (given > 0 && lambda == 0)
        return status_fail(STATUS_INVALID, "learn.horizon = %d (%s) means nothing with lambda = 0: set horizon = -1",
                           given, origin);
    double horizon = given >= 0 ? given : default_horizon(lambda);
    if (horizon > LEARN_MAX_HORIZON)
        return status_fail(STATUS_INVALID,
                           "learn.lambda = %g (%s) reaches further back than %d afterstates: set learn.horizon = %d, "
                           "or order = backward, which has no horizon",
                           lambda, recipe_origin(recipe, "learn", "lambda"), LEARN_MAX_HORIZON, LEARN_MAX_HORIZON);
    learn->horizon = (unsigned)horizon;
    return STATUS_OK;
}

static enum status resolve_learn(struct reading *reading, const struct recipe *recipe)
{
    struct learn_settings *learn = &reading->plan.trainer.learn;
    enum status status = resolve_phases(reading, recipe);
    if (status)
        return status;
    learn->lambda = (float)reading->lambda;
    learn->delayed = learn->delayed && !learn->backward;
    if ((learn->goal.prize > 0 || *reading->plan.endgame) && !learn->goal.tile)
        return status_fail(STATUS_INVALID, "learn.prize (%s) and learn.endgame need learn.until, the tile to make",
                           recipe_origin(recipe, "learn", "prize"));
    status = learn_recipe_check(learn, recipe);
    return status ? status : resolve_horizon(learn, reading->horizon, reading->lambda, recipe);
}

/* Plays that end where they begin would never end. Spawned tiles must not count for the goal: only moves make it. */
static enum status check_goal(const struct train_plan *plan, const struct recipe *recipe)
{
    enum { LEAST = 6 };
    const unsigned goal = plan->trainer.learn.goal.tile;
    const struct start_settings *start = &plan->trainer.start;
    if (goal && goal < LEAST)
        return status_fail(STATUS_INVALID, "learn.until = %u (%s): expected a tile from %u up, or 1", 1u << goal,
                           recipe_origin(recipe, "learn", "until"), 1u << LEAST);
    for (unsigned i = 0; goal && i < start->n_jumps; i++) {
        struct board board = {0};
        for (unsigned k = 0; k < start->jumps[i].n_tiles; k++)
            board = board_set(board, k, start->jumps[i].tiles[k]);
        if (learn_has_goal(&plan->trainer.learn.goal, board))
            return status_fail(STATUS_INVALID, "start %u of the jump list has made learn.until = %u (%s) already",
                               i + 1, 1u << goal, recipe_origin(recipe, "learn", "until"));
    }
    return STATUS_OK;
}

/* How far a target of a neural network looks ahead. */
static enum status resolve_neural_horizon(const struct reading *reading, struct neural_settings *settings,
                                          const struct recipe *recipe)
{
    double lambda = reading->neural_lambda;
    double horizon = reading->neural_horizon >= 0 ? reading->neural_horizon : default_horizon(lambda);
    const char *origin = recipe_origin(recipe, "neural", "horizon");
    if (reading->neural_horizon > 0 && lambda == 0)
        return status_fail(STATUS_INVALID, "neural.horizon = %d (%s) means nothing with lambda = 0: set neural.lambda",
                           reading->neural_horizon, origin);
    if (horizon > LEARN_MAX_HORIZON)
        return status_fail(STATUS_INVALID,
                           "neural.lambda = %g (%s) looks further ahead than %d moves: set neural.horizon = %d", lambda,
                           recipe_origin(recipe, "neural", "lambda"), LEARN_MAX_HORIZON, LEARN_MAX_HORIZON);
    settings->lambda = (float)lambda;
    settings->horizon = (unsigned)horizon;
    return STATUS_OK;
}

static enum status resolve_neural(struct reading *reading, const struct grid *grid, const struct recipe *recipe)
{
    struct train_plan *plan = &reading->plan;
    struct neural_settings *settings = &plan->neural_trainer;
    const struct setting *foreign = recipe_find_foreign(recipe, ABOUT_NEURAL);
    if (foreign)
        return status_fail(STATUS_INVALID,
                           "%s: %s.%s is about n-tuple networks, and neural.model = %s (%s) asks for a neural one: "
                           "leave one of them out",
                           recipe_origin(recipe, foreign->section, foreign->name), foreign->section, foreign->name,
                           recipe_text(recipe, "neural", "model"), recipe_origin(recipe, "neural", "model"));
    plan->neural.rows = grid->rows;
    plan->neural.cols = grid->cols;
    enum status status = neural_recipe_resolve(&plan->neural, settings, recipe);
    if (!status)
        status =
            recipe_context(parse_rate(&settings->rate, reading->neural_rate, plan->actions), recipe, "neural", "rate");
    if (!status)
        status = resolve_neural_horizon(reading, settings, recipe);
    if (!status)
        status = learn_recipe_check_average(&plan->trainer.learn, recipe);
    if (!status)
        status = start_recipe_resolve(&plan->trainer.start, &reading->start, grid, 0, recipe);
    if (!status)
        status = neural_measure(&plan->neural, &plan->n_weights);
    if (status)
        return status;
    if ((*plan->teacher != '\0') != (settings->teach > 0))
        return status_fail(STATUS_INVALID,
                           "neural.teacher = '%s' (%s) and neural.teach = %llu (%s) need each other: set both or none",
                           plan->teacher, recipe_origin(recipe, "neural", "teacher"),
                           (unsigned long long)settings->teach, recipe_origin(recipe, "neural", "teach"));
    settings->average_every = plan->trainer.learn.average_every;
    settings->average_from = plan->trainer.learn.average_from;
    settings->start = plan->trainer.start;
    settings->seed = plan->trainer.seed;
    settings->threads = plan->trainer.threads;
    plan->network_bytes = plan->n_weights * sizeof(float);
    plan->trainer_bytes = neural_trainer_bytes(&plan->neural, settings);
    return STATUS_OK;
}

static enum status resolve_on_grid(struct reading *reading, const struct grid *grid, const struct recipe *recipe)
{
    struct train_plan *plan = &reading->plan;
    plan->is_neural = *plan->neural.model != '\0';
    reading->start.bank = plan->bank;
    if (plan->trainer.threads == 0)
        plan->trainer.threads = workers_available();
    if (plan->is_neural)
        return resolve_neural(reading, grid, recipe);
    enum status status = resolve_network(reading, grid, recipe);
    if (!status)
        status = resolve_learn(reading, recipe);
    if (!status)
        status =
            start_recipe_resolve(&plan->trainer.start, &reading->start, grid, plan->network.stages.n_stages, recipe);
    if (!status)
        status = check_goal(plan, recipe);
    if (!status)
        plan->trainer_bytes = trainer_bytes(&plan->network, &plan->trainer);
    return status;
}

enum status train_recipe_resolve(struct train_plan *plan, const struct recipe *recipe)
{
    struct grid grid;
    struct reading reading = {0};
    recipe_get(recipe, &reading);
    enum status status = grid_create(&grid, reading.plan.network.rows, reading.plan.network.cols);
    if (status)
        return status_context(status, "[board]");
    status = resolve_on_grid(&reading, &grid, recipe);
    grid_free(&grid);
    *plan = status ? (struct train_plan){0} : reading.plan;
    return status;
}

unsigned train_plan_kind(const struct train_plan *plan)
{
    return plan->is_neural ? ABOUT_NEURAL : ABOUT_TUPLES;
}

/* Points at a percentage of the actions would move under what was learned already. */
static enum status check_percentages(const struct recipe *recipe, uint64_t was)
{
    struct reading now;
    recipe_get(recipe, &now);
    uint64_t is = now.plan.actions;
    bool has_percentage = strchr(now.rate, '%') != NULL || strchr(now.neural_rate, '%') != NULL;
    for (size_t i = 0; i < now.switches.n; i++)
        has_percentage |= strchr(now.switches.items[i], '%') != NULL;
    if (was == is || !has_percentage)
        return STATUS_OK;
    return status_fail(
        STATUS_INVALID,
        "train.actions was %llu and is %llu, but learn.rate, learn.switch or neural.rate has a percentage of it, "
        "which would change the past of the run: keep train.actions, or start another run",
        (unsigned long long)was, (unsigned long long)is);
}

enum status train_recipe_check_resume(const struct recipe *old, const struct recipe *now, struct train_plan *was_plan)
{
    char list[LIST_BYTES];
    enum status status = train_recipe_resolve(was_plan, old);
    if (status)
        return status;
    unsigned may_change = was_plan->is_neural ? CHANGE_ALWAYS : CHANGE_ALWAYS | CHANGE_UNLESS_NEURAL;
    if (recipe_list_differences(old, now, may_change, list, sizeof list))
        return status_fail(STATUS_INVALID,
                           "the recipe is not that of the run: %s (only [eval], learn.rate, neural.rate, "
                           "neural.precision, learn.average, train.threads, train.keep, train.checkpoint, train.sync, "
                           "train.actions, and without a neural network [start] and network.stages may change)",
                           list);
    return check_percentages(now, was_plan->actions);
}
