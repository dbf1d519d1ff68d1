/* Training recipes: what the keys resolve to, contradictions, what may change when a run resumes, every recipe. */
#include "scratch.h"

#include "base/recipe.h"
#include "base/workers.h"
#include "learn/train_recipe.h"
#include "study/named_files.h"

#include <math.h>

/* A recipe from a text and settings; freed by the caller. */
static struct recipe *made(const char *text)
{
    struct recipe *recipe;
    assert_ok(recipe_create(&recipe, &train_settings));
    assert_ok(recipe_load_text(recipe, "test.ini", text));
    return recipe;
}

static struct train_plan resolved(const char *text)
{
    struct train_plan plan;
    struct recipe *recipe = made(text);
    assert_ok(train_recipe_resolve(&plan, recipe));
    recipe_free(recipe);
    return plan;
}

static const struct learn_goal *plan_goal(const struct train_plan *plan)
{
    return &plan->trainer.learn.goal;
}

/* Refused by a key's own row when it is read, or when it is resolved. */
static void assert_refused(const char *text, const char *message)
{
    struct train_plan plan;
    struct recipe *recipe;
    assert_ok(recipe_create(&recipe, &train_settings));
    enum status status = recipe_load_text(recipe, "test.ini", text);
    if ((status ? status : train_recipe_resolve(&plan, recipe)) != STATUS_INVALID)
        fail_msg("not refused: %s", text);
    assert_message(message);
    recipe_free(recipe);
}

static void the_defaults_are_a_run(void **state)
{
    (void)state;
    struct train_plan plan = resolved("");
    assert_int_equal(plan.network.shape.n_tuples, 4);
    assert_int_equal(plan.n_lookups, 32);
    assert_int_equal(plan.n_weights, 4 << 24);
    assert_int_equal(plan.network_bytes, UINT64_C(4) * 4 << 24);
    assert_true(plan.trainer_bytes >= 2 * plan.network_bytes); /* E and A */
    assert_float_equal(plan.network.initial, 0, 0);
    assert_int_equal(plan.trainer.learn.n_phases, 1);
    assert_int_equal(plan.trainer.learn.phases[0].rule, RULE_TC);
    assert_int_equal(plan.trainer.learn.horizon, 3);
    assert_true(plan.trainer.learn.delayed);
    assert_int_equal(plan.trainer.threads, workers_available());
    assert_float_equal(plan.checkpoint_seconds, 300, 0);
    assert_float_equal(plan.trainer.start.new_game, 1, 0);
    assert_int_equal(plan.evaluation.n_games, 1000);
}

static void every_key_has_help(void **state)
{
    (void)state;
    for (size_t i = 0; i < train_settings.n; i++) {
        const struct setting *row = &train_settings.rows[i];
        assert_true(row->help && *row->help);
        assert_true(row->fallback || row->field.kind == SETTING_LIST);
    }
}

static enum status check_resume(const struct recipe *old, const struct recipe *now)
{
    struct train_plan was;
    return train_recipe_check_resume(old, now, &was);
}

static void a_resolved_recipe_reads_back(void **state)
{
    (void)state;
    struct recipe *recipe = made("[network]\nstages = bits 4\ntuple = 0 1 2 3\ntuple = xx../xx../..../....\n"
                                 "[learn]\nswitch = 90% tc 1.0\nswitch = 95% td 0:0.1 96%:0.2\n");
    char *text;
    assert_ok(recipe_write(recipe, 0, &text));
    struct recipe *again = made(text);
    assert_ok(check_resume(recipe, again));
    struct train_plan plan, plan_again;
    assert_ok(train_recipe_resolve(&plan, recipe));
    assert_ok(train_recipe_resolve(&plan_again, again));
    assert_int_equal(plan.n_weights, plan_again.n_weights);
    assert_int_equal(plan_again.trainer.learn.n_phases, 3);
    free(text);
    recipe_free(again);
    recipe_free(recipe);
}

static void the_horizon_follows_the_formula(void **state)
{
    (void)state;
    static const struct {
        const char *lambda;
        unsigned horizon;
    } cases[] = {{"0", 0}, {"0.05", 0}, {"0.1", 0}, {"0.3", 1}, {"0.5", 3}, {"0.9", 21}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        snprintf(text, sizeof text, "[learn]\nlambda = %s\n", cases[i].lambda);
        assert_int_equal(resolved(text).trainer.learn.horizon, cases[i].horizon);
    }
    assert_int_equal(resolved("[learn]\nlambda = 0.5\nhorizon = 7\n").trainer.learn.horizon, 7);
    assert_int_equal(resolved("[learn]\nlambda = 1\nhorizon = 31\n").trainer.learn.horizon, 31);
    assert_refused("[learn]\nlambda = 1\n", "learn.lambda = 1 (test.ini:2) reaches further back than 31 afterstates");
    assert_refused("[learn]\nlambda = 0\nhorizon = 2\n", "means nothing with lambda = 0");
    assert_refused("[learn]\norder = backward\nhorizon = 2\n", "means nothing with order = backward");
    struct train_plan plan = resolved("[learn]\norder = backward\nlambda = 1\n");
    assert_true(plan.trainer.learn.backward && !plan.trainer.learn.delayed);
}

static void optimism_is_shared_over_the_lookups(void **state)
{
    (void)state;
    struct train_plan plan = resolved("[network]\nshape = 8x6\nvalues = 18\n[learn]\noptimistic = 320000\n");
    assert_int_equal(plan.n_lookups, 64);
    assert_float_equal(plan.network.initial, 5000, 0);
    plan = resolved("[board]\nrows = 2\ncols = 3\n[network]\ntuple = 0 1 2 3 4 5\n[learn]\noptimistic = 400\n");
    assert_int_equal(plan.n_lookups, 4);
    assert_float_equal(plan.network.initial, 100, 0);
    assert_int_equal(plan.n_weights, 262144); /* 8 values: empty to 128 */
}

static void rules_switch_on_the_way(void **state)
{
    (void)state;
    struct train_plan plan = resolved("[learn]\nrule = td\nrate = 0.1\nswitch = 90% tc 1.0\n"
                                      "switch = 9.5e9, tc, linear 0:1 1e10:0.5\n[train]\nactions = 1e10\n");
    struct learn_settings *learn = &plan.trainer.learn;
    assert_int_equal(learn->n_phases, 3);
    assert_int_equal(learn->phases[0].rule, RULE_TD);
    assert_int_equal(learn->phases[1].rule, RULE_TC);
    assert_int_equal(learn->phases[1].start_action, 9000000000);
    assert_float_equal(schedule_at(&learn->phases[1].rate, 1), 1, 0);
    assert_int_equal(learn->phases[2].start_action, 9500000000);
    assert_float_equal(schedule_at(&learn->phases[2].rate, 5000000000), 0.75, 1e-6);
    assert_refused("[learn]\nswitch = 90%\n", "test.ini:2: learn.switch: '90%': expected ACTION RULE RATE");
    assert_refused("[learn]\nswitch = 90% tk 1.0\n", "'tk': expected td, tc or autostep");
    assert_refused("[learn]\nswitch = 90% tc\n", "learn.switch: no value");
    assert_refused("[learn]\nswitch = x tc 1\n", "'x' is no number of actions");
    assert_refused("[learn]\nswitch = 0 tc 1\n", "is not after the one before");
    assert_refused("[learn]\nswitch = 50% td 1\nswitch = 40% tc 1\n", "is not after the one before");
    assert_refused("[learn]\nlambda = 0\nswitch = 50% autostep 0.1\n", "cannot switch between tc and autostep");
    assert_refused("[learn]\nswitch = 1 tc 1\nswitch = 2 tc 1\nswitch = 3 tc 1\nswitch = 4 tc 1\nswitch = 5 tc 1\n"
                   "switch = 6 tc 1\nswitch = 7 tc 1\nswitch = 8 tc 1\n",
                   "at most 7 lines");
}

static void contradictions_say_what_to_change(void **state)
{
    (void)state;
    assert_refused("[learn]\nrule = autostep\n", "set learn.lambda = 0 (it is 0.5, default)");
    assert_refused("[learn]\nrule = td\nreset = 1e9\n", "set reset = 0 or rule = tc");
    assert_refused("[learn]\nrule = sarsa\n", "test.ini:2: learn.rule = 'sarsa': expected td, tc or autostep");
    assert_refused("[learn]\norder = sideways\n", "'sideways': expected forward or backward");
    assert_refused("[learn]\nrate = -1\n", "test.ini:2: learn.rate: a rate of -1; expected 0 to 10");
    assert_refused("[learn]\nrate = fast\n", "test.ini:2: learn.rate: 'fast'");
    assert_refused("[network]\nvalues = 16\nvse = 1-9 10-17\n", "exclude each other");
    assert_refused("[network]\npromote = yes\n", "needs more than one stage");
    assert_refused("[network]\nunseen = median\n", "expected initial or mean");
    assert_refused("[network]\nunseen = mean\n[learn]\noptimistic = 10\n", "exclude each other");
    assert_refused("[network]\nshape = 4x7\n", "test.ini:2: network.shape");
    assert_refused("[network]\ntuple = 0 0\n", "test.ini:2: network.tuple");
    assert_refused("[network]\nstages = some\n", "test.ini:2: network.stages");
    assert_refused("[network]\nvse = 9-1\n", "test.ini:2: network.vse");
    assert_refused("[network]\nvalues = 1\n", "test.ini:2: network.values");
    assert_refused("[network]\nshape =\ntuple = 0 1 2 3 4 5 6 7 8\nvalues = 18\n", "[network]: ");
    assert_refused("[board]\nrows = 5\ncols = 5\n", "[board]");
    assert_refused("[board]\nrows = 3\ncols = 5\n", "3x5 board has no default network");
    assert_refused("[start]\nkind = carousel\n", "set network.stages (such as bits 4)");
    assert_refused("[start]\nkind = hop\n", "expected new, restart, carousel, jump, double or mix");
    assert_refused("[start]\nmix = new 1\n", "start.mix (test.ini:2) needs start.kind = mix; it is new (default)");
    assert_refused("[start]\nkind = mix\n", "start.mix: no weights");
    assert_refused("[start]\nkind = mix\nmix = new 1 carousel 1\n", "there is one: set network.stages");
}

static void starts_are_what_the_words_say(void **state)
{
    (void)state;
    struct start_settings start = resolved("[start]\nkind = restart\nrestart_plays = 10\n").trainer.start;
    assert_true(start.restart == 1 && start.new_game == 0 && start.restart_plays == 10 &&
                start.restart_min_turns == 10);
    assert_int_equal(start.n_jumps, 0);
    start = resolved("[start]\nkind = jump\njump = L\n").trainer.start;
    static const uint8_t large[5][2] = {{0, 0}, {12, 0}, {13, 0}, {13, 12}, {14, 0}};
    static const uint8_t small[5][2] = {{0, 0}, {11, 0}, {12, 0}, {12, 11}, {13, 0}};
    assert_int_equal(start.n_jumps, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(start.jumps[i].n_tiles, 2);
        assert_memory_equal(start.jumps[i].tiles, large[i], 2);
    }
    start = resolved("[start]\nkind = jump\n").trainer.start;
    for (int i = 0; i < 5; i++)
        assert_memory_equal(start.jumps[i].tiles, small[i], 2);
    assert_int_equal(resolved("[start]\nkind = jump\njump = none\n").trainer.start.n_jumps, 1);
    start = resolved("[start]\nkind = mix\nmix = new 1, restart 2.5, jump 0.5\njump = own\nlist = 65536 2 initial\n"
                     "list = 1024\n")
                .trainer.start;
    assert_true(start.new_game == 1 && start.restart == 2.5f && start.jump == 0.5f && start.carousel == 0);
    assert_int_equal(start.n_jumps, 2);
    assert_memory_equal(start.jumps[0].tiles, ((uint8_t[]){16, 1, 0}), 3);
    start = resolved("[start]\nkind = jump\njump = own\nlist = 16384@0 8192@15 4096 initial\n").trainer.start;
    assert_memory_equal(start.jumps[0].tiles, ((uint8_t[]){14, 13, 12, 0}), 4);
    assert_memory_equal(start.jumps[0].places, ((uint8_t[]){1, 16, 0, 0}), 4);
    static const char *const wrong_cells[][2] = {{"64@16", "expected a cell from 0 to 15 after the @"},
                                                 {"64@-1", "expected a cell"},
                                                 {"64@", "expected a cell"},
                                                 {"64@x", "'64@x'"},
                                                 {"64@3 32@3", "cell 3 has two tiles"},
                                                 {"64 32@3", "tiles with a cell (@3) come first"},
                                                 {"initial@3", "initial@3: such tiles have no cell"},
                                                 {"63@3", "'63' is no tile"}};
    for (size_t i = 0; i < sizeof wrong_cells / sizeof *wrong_cells; i++) {
        char text[128];
        snprintf(text, sizeof text, "[start]\nkind = jump\njump = own\nlist = %s\n", wrong_cells[i][0]);
        assert_refused(text, wrong_cells[i][1]);
    }
    assert_refused("[start]\nkind = jump\njump = own\n", "needs start.list lines");
    assert_refused("[start]\nkind = jump\nlist = 4096\n", "start.list (test.ini:3) needs start.jump = own; it is S");
    assert_refused("[start]\nkind = jump\njump = XL\n", "unknown list of jump starts 'XL'");
    assert_refused("[start]\nkind = jump\njump = own\nlist = 4095\n", "'4095' is no tile");
    assert_refused("[start]\nkind = jump\njump = own\nlist = 262144\n", "cannot arise on a 4x4 board");
    assert_refused("[start]\nkind = jump\njump = own\nlist = 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\n", "leave no cell empty");
    assert_refused("[board]\nrows = 3\ncols = 3\n[network]\nshape = mnt4\n[start]\nkind = jump\n",
                   "a tile 2048 cannot arise on a 3x3 board, where the largest is 1024");
    assert_refused("[start]\nkind = mix\nmix = new 1 new 2\n", "'new' occurs twice");
    assert_refused("[start]\nkind = mix\nmix = new -1\n", "'new' needs a weight above 0");
    assert_refused("[start]\nkind = mix\nmix = restat 1\n", "did you mean restart");
    start = resolved("[start]\nkind = mix\nmix = new 1 double 2\ndouble_from = 8192\n").trainer.start;
    assert_true(start.new_game == 1 && start.doubled == 2 && start.double_from == 13 && start.double_to == 15);
    start = resolved("[board]\nrows = 3\ncols = 3\n[network]\nshape = mnt4\n[start]\nkind = double\n").trainer.start;
    assert_true(start.doubled == 1 && start.double_from == 1 && start.double_to == 10); /* the board's largest */
    assert_refused("[start]\nkind = double\ndouble_to = 8000\n",
                   "test.ini:3: start.double_to = '8000': expected a power of two");
    assert_refused("[start]\nkind = double\ndouble_from = 32768\n", "leaves nothing to double");
}

static void too_much_memory_is_refused_with_what_fits(void **state)
{
    (void)state;
    struct train_plan plan = resolved("[network]\nshape = 8x6\nvalues = 18\nstages = 0 32768\n");
    uint64_t needed = plan.network_bytes + plan.trainer_bytes;
    assert_ok(train_plan_check_memory(&plan, needed));
    assert_ok(train_plan_check_memory(&plan, 0));
    assert_int_equal(train_plan_check_memory(&plan, needed - 1), STATUS_NO_MEMORY);
    assert_message("needs 6.53 GB of memory (weights 2.18 GB, learning 4.35 GB)");
    assert_message("network.stages = 1 (3.27 GB)");
    assert_message("learn.rule = td (2.18 GB)");
    assert_message("network.values = 16 (3.22 GB)");
    assert_int_equal(train_plan_check_memory(&plan, UINT64_C(3) << 29), STATUS_NO_MEMORY); /* 1.5 GiB */
    assert_message("both network.stages = 1 and learn.rule = td (1.09 GB)");
    assert_int_equal(train_plan_check_memory(&plan, 1 << 20), STATUS_NO_MEMORY);
    assert_message("a smaller network.shape");
}

static void a_run_goes_on_only_with_its_recipe(void **state)
{
    (void)state;
    struct recipe *old = made("[train]\nactions = 1e9\n[learn]\nrate = 0.5\n");
    struct recipe *same =
        made("[train]\nactions = 2000000000\nthreads = 7\ncheckpoint = 1m\n[learn]\nrate = 0:0.5 1e9:0.1\n"
             "lambda = 5e-1\ndelayed = on\n[eval]\ngames = 7\nevery = 5\nseed = 3\n");
    struct recipe *other = made("[train]\nseed = 2\n[learn]\nlambda = 0.25\nswitch = 5 tc 1\n[network]\ntuple = 0 1\n"
                                "tuple = 0 2\n");
    assert_ok(check_resume(old, same));
    assert_int_equal(check_resume(old, other), STATUS_INVALID);
    assert_message("train.seed was '1' and is '2'");
    assert_message("learn.lambda was '0.5' and is '0.25'");
    assert_message("learn.switch was '0 lines' and is '5 tc 1'");
    assert_message("network.tuple was '0 lines' and is '2 lines'");
    recipe_free(old), recipe_free(same), recipe_free(other);
    /* A share of the actions would move when their number does. */
    old = made("[train]\nactions = 1e9\n[learn]\nswitch = 90% tc 1\n");
    other = made("[train]\nactions = 2e9\n[learn]\nswitch = 90% tc 1\n");
    assert_ok(check_resume(old, old));
    assert_int_equal(check_resume(old, other), STATUS_INVALID);
    assert_message("has a percentage of it");
    recipe_free(old), recipe_free(other);
    old = made("[neural]\nmodel = CNN22SSS\n[start]\nkind = restart\n");
    other = made("[neural]\nmodel = CNN22SSS\n[start]\nkind = restart\nrestart_from = jump\n");
    assert_int_equal(check_resume(old, other), STATUS_INVALID);
    assert_message("start.restart_from was 'new' and is 'jump'");
    recipe_free(old), recipe_free(other);
}

/* Starts and stages may change; a checkpoint holds the same only if records of plays, rings and stages are the same. */
static void starts_and_stages_may_change(void **state)
{
    (void)state;
    static const struct {
        const char *now;
        bool same_state;
    } cases[] = {
        {"[start]\nkind = restart\n", true},
        {"[start]\nkind = mix\nmix = new 2 restart 1 jump 1\njump = L\nrestart_plays = 4\n", true},
        {"[start]\nkind = mix\nmix = new 2 double 1\n", true}, /* keeps records as well */
        {"[start]\nkind = new\n", false},
        {"[network]\nstages = bits 2\n[start]\nkind = restart\n", false},
        {"[network]\nstages = 0 16384 16384+8192\n[start]\nkind = mix\nmix = restart 1 carousel 1\n", false},
    };
    struct recipe *old = made("[start]\nkind = restart\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct recipe *now = made(cases[i].now);
        struct train_plan was, is;
        assert_ok(train_recipe_check_resume(old, now, &was));
        assert_ok(train_recipe_resolve(&is, now));
        assert_int_equal(train_plan_same_state(&was, &is), cases[i].same_state);
        recipe_free(now);
    }
    recipe_free(old);
}

static const struct {
    const char *name;
    uint64_t n_weights;
} published[] = {
    {"jaskowski-3-421-43", 1342177280}, /* 5 x 16^7, as the paper says */
    {"jaskowski-3-1-stage", 5 << 24},
    {"jaskowski-4-42-33-cs", UINT64_C(80) << 24},
    {"terauchi-4-mnt6", 3543122},
    {"terauchi-4-mnt6-2a", 1048576},
    {"terauchi-4-mnt6-2b", 759586},
    {"terauchi-4-mnt6-2c", 617600},
    {"terauchi-4-mnt6-2d", 470596},
    {"terauchi-4-mnt6-2e", 617600},
    {"terauchi-4-mnt6-3a", 217874},
    {"terauchi-4-mnt6-3b", 421922},
    /* The paper prints 155,839, an odd number that two tuples of one size cannot have; 2 (6^6 + 2 5^6 + 4^6) is
       this: */
    {"terauchi-4-mnt6-4a", 164004},
    {"terauchi-4-mnt4", 43923},
    {"terauchi-6-nt6m", 544195584},
    {"terauchi-6-nt6", 612220032},
    {"terauchi-6-nt7", 471794736},
    {"terauchi-6-nt8", 877730580},
    {"terauchi-6-nt9", 1835939238},
    {"guei-otd-tc-8x6-2stage", 544195584},
    {"quick-4x6", 4 << 24},
    {"matsuzaki-3-batch1k", 2902273},
    {"matsuzaki-6-cnn12", 3680513},
    {"matsuzaki-6-cnn22acg", 3363809},
    {"matsuzaki-6-mlp", 3280897},
    {"matsuzaki-7-cnn22s", 1636033},
    {"matsuzaki-7-cnn22ss", 730241},
    {"matsuzaki-7-cnn22sss", 184897},
    {"matsuzaki-best", 2902273},
};

static struct train_plan resolved_file(const char *path)
{
    struct recipe *recipe;
    struct train_plan plan;
    assert_ok(recipe_open(&recipe, &train_settings, path));
    enum status status = train_recipe_resolve(&plan, recipe);
    if (status)
        fail_msg("%s: %s", path, status_message());
    recipe_free(recipe);
    return plan;
}

/* Of a recipe that comes with the program, by its name. */
static struct train_plan resolved_name(const char *name)
{
    char *path;
    assert_ok(named_files_find(&path, "recipes", name, "recipe", ""));
    struct train_plan plan = resolved_file(path);
    free(path);
    return plan;
}

static void a_goal_is_a_tile_that_starts_do_not_have(void **state)
{
    (void)state;
    const struct train_plan plain = resolved("");
    assert_int_equal(plan_goal(&plain)->tile, 0);
    assert_int_equal(plain.endgame[0], 0);
    const struct train_plan plan = resolved("[learn]\nuntil = 32768\nprize = 1000\nendgame = some/tables\n");
    assert_int_equal(plan_goal(&plan)->tile, 15);
    assert_float_equal(plan_goal(&plan)->prize, 1000, 0);
    assert_float_equal(plan_goal(&plan)->share, 0.95F, 0);
    assert_string_equal(plan.endgame, "some/tables");
    assert_refused("[learn]\nprize = 1000\n", "need learn.until");
    assert_refused("[learn]\nendgame = some/tables\n", "need learn.until");
    assert_refused("[learn]\nuntil = 100\n", "until");
    assert_refused("[learn]\nuntil = 32\n", "expected a tile from 64 up");
    assert_refused("[learn]\nuntil = 4096\n[start]\nkind = jump\n",
                   "start 3 of the jump list has made learn.until = 4096 (test.ini:2) already");
    static const char list[] = "[start]\nkind = jump\njump = own\nlist = 2048 1024 512";
    char text[160];
    snprintf(text, sizeof text, "[learn]\nuntil = 4096\n%s initial\n", list); /* 3584 of 4096 */
    assert_int_equal(resolved(text).trainer.start.n_jumps, 1);
    snprintf(text, sizeof text, "[learn]\nuntil = 4096\n%s 512\n", list);
    assert_refused(text, "start 1 of the jump list");
    assert_refused("[learn]\nuntil = 64\nendgame_share = 1.5\n", "endgame_share");
}

static void exploration_is_off_unless_it_is_asked_for(void **state)
{
    (void)state;
    struct train_plan plan = resolved("");
    assert_false(learn_explores(&plan.trainer.learn.explore));
    plan = resolved("[learn]\nepsilon = 0.01\ntemperature = 50\nexplore_aim = best\n");
    const struct exploration *explore = &plan.trainer.learn.explore;
    assert_float_equal(explore->epsilon, 0.01F, 0);
    assert_float_equal(explore->temperature, 50, 0);
    assert_true(explore->aim_best);
    assert_refused("[learn]\nexplore_aim = best\n", "needs moves that are not the best");
    assert_refused("[learn]\norder = backward\nepsilon = 0.1\nexplore_aim = best\n", "exclude each other");
    assert_refused("[learn]\nepsilon = 1.5\n", "epsilon");
}

static void every_recipe_resolves(void **state)
{
    (void)state;
    struct named_files recipes;
    assert_ok(named_files_list(&recipes, "recipes"));
    for (size_t i = 0; i < recipes.n; i++) {
        resolved_file(recipes.paths[i]);
        assert_true(i == 0 || strcmp(recipes.names[i - 1], recipes.names[i]) != 0); /* names find them */
    }
    /* Jaskowski 13 + 4 + 6 + 5, Terauchi 10 + 5 + 5, Guei 2, Matsuzaki 12 + 7 + 3 + 3 + 6 + 2, and ours. */
    assert_true(recipes.n >= 50 + 33 + 3);
    named_files_free(&recipes);
}

static void published_networks_have_their_weights(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        uint64_t n_weights = resolved_name(published[i].name).n_weights;
        if (n_weights != published[i].n_weights)
            fail_msg("%s has %llu weights, published are %llu", published[i].name, (unsigned long long)n_weights,
                     (unsigned long long)published[i].n_weights);
    }
}

static void papers_recipes_learn_as_the_papers_say(void **state)
{
    (void)state;
    struct train_plan plan = resolved_name("terauchi-6-nt8");
    const struct learn_settings *learn = &plan.trainer.learn;
    assert_true(learn->backward && learn->lambda == 0 && learn->reset_every == 50000000000);
    assert_float_equal(plan.network.initial, 320000.0 / 120, 1e-3);
    assert_int_equal(plan.trainer.start.restart_plays, 10);
    assert_int_equal(plan.actions, 200000000000);
    plan = resolved_name("guei-otd-tc-8x6");
    assert_int_equal(plan.trainer.learn.phases[0].rule, RULE_TD);
    assert_int_equal(plan.trainer.learn.phases[1].rule, RULE_TC);
    assert_int_equal(plan.trainer.learn.phases[1].start_action, plan.actions / 10 * 9);
    assert_float_equal(plan.network.initial, 5000, 0);
    plan = resolved_name("jaskowski-4-42-33-4-22-3-cs");
    assert_true(plan.network.promote && plan.network.stages.n_stages == 16 && plan.trainer.start.carousel == 1);
    assert_true(plan.trainer.start.ring == 1000 && plan.trainer.learn.horizon == 3 && plan.trainer.learn.delayed);
    assert_int_equal(plan.network.shape.n_tuples, 12);
    assert_int_equal(plan.evaluation.n_games3, 300);
}

static void neural_recipes_learn_as_the_paper_says(void **state)
{
    (void)state;
    struct train_plan plan = resolved_name("matsuzaki-best");
    const struct neural_settings *settings = &plan.neural_trainer;
    assert_true(plan.is_neural && plan.neural.play == NEURAL_PLAY_SIMPLE && plan.neural.planes == 16);
    assert_true(settings->batching == BATCH_FIXED && settings->batch == 1024 && settings->games == 256);
    assert_float_equal(schedule_at(&settings->rate, 5), 0.001, 1e-9);
    assert_float_equal(settings->optimiser.beta1, 0.9, 0);
    assert_float_equal(settings->optimiser.beta2, 0.999, 0);
    assert_float_equal(settings->optimiser.epsilon, 1e-7, 0);
    assert_float_equal(settings->deviation, 0.1, 0);
    assert_float_equal(plan.neural.scale, 1, 0);
    assert_false(settings->augment);
    assert_true(settings->start.restart == 1 && settings->start.restart_jump && settings->start.n_jumps == 5);
    assert_int_equal(settings->start.jumps[4].tiles[0], 13);
    assert_int_equal(settings->threads, plan.trainer.threads);
    assert_true(plan.trainer_bytes > 3 * plan.network_bytes); /* two moments and a gradient */
    plan = resolved_name("matsuzaki-5-min-augment");
    assert_true(plan.neural_trainer.augment && plan.neural.play == NEURAL_PLAY_MIN);
    plan = resolved_name("matsuzaki-3-position");
    assert_true(plan.neural_trainer.batching == BATCH_POSITION && plan.neural_trainer.games == 1);
}

static void neural_contradictions_are_named(void **state)
{
    (void)state;
    assert_refused("[neural]\nmodel = CNN23\n", "neural.model: 'CNN23' is no model");
    assert_refused("[neural]\nmodel = CNN22\n[board]\nrows = 2\n", "too small");
    assert_refused("[neural]\nmodel = CNN22\n[network]\nshape = 4x6\n", "network.shape is about n-tuple networks");
    assert_refused("[neural]\nmodel = CNN22\n[learn]\nrate = 0.5\n", "learn.rate is about n-tuple networks");
    assert_refused("[neural]\nmodel = CNN22\nplay = most\n", "expected simple, ave, max, min or corner");
    assert_refused("[neural]\nmodel = CNN22\nbatching = one\n", "expected batch, shuffle, game or position");
    assert_refused("[neural]\nmodel = CNN22\nplanes = 17\n", "expected 16 or 18");
    assert_refused("[neural]\nmodel = CNN22\nscale = 0\n", "neural.scale");
    assert_refused("[neural]\nmodel = CNN22\nrate = -1\n", "a rate of -1; expected 0 to 10");
    assert_refused("[neural]\nmodel = CNN22\nrate = 0:0.1 x\n", "neural.rate");
    assert_refused("[neural]\nmodel = CNN22\nbeta2 = 1\n", "0.99999");
    assert_refused("[neural]\nmodel = CNN22\nhorizon = 3\n", "set neural.lambda");
    assert_refused("[neural]\nmodel = CNN22\nlambda = 1\n", "set neural.horizon");
    assert_refused("[neural]\nmodel = CNN22\n[learn]\naverage_from = 5\n", "needs learn.average");
    assert_refused("[neural]\nmodel = CNN22\nrate = 0.1 0.2\n", "neural.rate");
    assert_refused("[neural]\nmodel = CNN22\n[start]\nkind = carousel\n", "the carousel goes round the stages");
    assert_refused("[start]\nrestart_from = jump\n", "needs start.kind = restart");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_a_run),
        cmocka_unit_test(every_key_has_help),
        cmocka_unit_test(a_resolved_recipe_reads_back),
        cmocka_unit_test(the_horizon_follows_the_formula),
        cmocka_unit_test(optimism_is_shared_over_the_lookups),
        cmocka_unit_test(rules_switch_on_the_way),
        cmocka_unit_test(contradictions_say_what_to_change),
        cmocka_unit_test(starts_are_what_the_words_say),
        cmocka_unit_test(too_much_memory_is_refused_with_what_fits),
        cmocka_unit_test(a_run_goes_on_only_with_its_recipe),
        cmocka_unit_test(starts_and_stages_may_change),
        cmocka_unit_test(a_goal_is_a_tile_that_starts_do_not_have),
        cmocka_unit_test(exploration_is_off_unless_it_is_asked_for),
        cmocka_unit_test(every_recipe_resolves),
        cmocka_unit_test(published_networks_have_their_weights),
        cmocka_unit_test(papers_recipes_learn_as_the_papers_say),
        cmocka_unit_test(neural_recipes_learn_as_the_paper_says),
        cmocka_unit_test(neural_contradictions_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
