/* exact: the exact expected score of a player on a solved board, and where it loses against optimal play. */
#include "cli/frame/verbs.h"

#include "base/number_text.h"
#include "base/signals.h"
#include "cli/networks/net_open.h"
#include "cli/solve/table_rules.h"
#include "study/exact_policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Players without an evaluator. */
static const struct {
    const char *name;
    enum policy_kind kind;
} policies[] = {{"random", POLICY_RANDOM}, {"greedy-score", POLICY_GREEDY_SCORE}, {"optimal", POLICY_OPTIMAL}};

static const char *const policy_names[] = {"none", "random", "greedy-score", "optimal", NULL};
static const char *const player_words[] = {"simple", "random", "greedy-score", "optimal", NULL};

struct exact_options {
    const char *player, *net, *moves, *csv;
    int policy; /* of policy_names; 0 is none */
    int64_t threads;
};

/* The player and what it needs. */
struct contender {
    const char *name;
    struct policy policy;
    struct evaluator_choice choice;
    struct table *moves;
};

static void contender_close(struct contender *contender)
{
    evaluator_choice_close(&contender->choice);
    table_close(contender->moves);
}

static enum status check_size(const struct table *table, const char *name, unsigned rows, unsigned cols)
{
    const struct table_summary *summary = table_summary(table);
    if (summary->rows == rows && summary->cols == cols)
        return STATUS_OK;
    return status_fail(STATUS_INVALID, "%s is for %ux%u boards, %s for %ux%u", name, rows, cols, table_directory(table),
                       summary->rows, summary->cols);
}

/* A network, or the simple value, which takes the table's board. */
static enum status open_evaluator(struct contender *contender, const struct table *table, const char *name,
                                  const struct common_options *common)
{
    char size[16];
    bool simple = strcmp(name, "simple") == 0;
    snprintf(size, sizeof size, "%ux%u", table_summary(table)->rows, table_summary(table)->cols);
    struct evaluator_request request = net_request(name, simple ? size : NULL, LOAD_FAST, common);
    unsigned rows, cols;
    enum status status = evaluator_choice_find(&contender->choice, &request);
    if (status)
        return status;
    if (contender->choice.path) { /* before it is loaded */
        status = evaluator_read_size(contender->choice.path, &rows, &cols);
        if (!status)
            status = check_size(table, name, rows, cols);
    }
    if (status)
        return status;
    status = evaluator_choice_load(&contender->choice, &request);
    if (status)
        return status;
    contender->policy = (struct policy){.kind = POLICY_VALUE, .function = contender->choice.evaluator.function};
    return STATUS_OK;
}

/* A player by its name. */
static enum status open_named(struct contender *contender, const struct table *table, const char *name,
                              const struct common_options *common)
{
    struct named_player player = {0};
    contender->name = name;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++)
        if (strcmp(policies[i].name, name) == 0) {
            contender->policy = (struct policy){.kind = policies[i].kind};
            return STATUS_OK;
        }
    enum status status = player_by_name(name, &player);
    return status ? status : open_evaluator(contender, table, name, common);
}

static enum status open_moves(struct contender *contender, const struct table *table, const char *directory)
{
    contender->name = directory;
    enum status status = table_open(&contender->moves, directory);
    if (status)
        return status;
    status = check_size(table, directory, table_summary(contender->moves)->rows, table_summary(contender->moves)->cols);
    if (status)
        return status;
    if (table_summary(contender->moves)->store != STORE_MOVES)
        status = status_fail(STATUS_INVALID, "%s: holds no moves; it was solved with --store %s", directory,
                             solve_store_names[table_summary(contender->moves)->store]);
    if (status)
        return status;
    status = table_check_same_rules(contender->moves, table);
    if (status)
        return status;
    contender->policy = (struct policy){.kind = POLICY_MOVES, .moves = contender->moves};
    return STATUS_OK;
}

static enum status contender_open(struct contender *contender, const struct table *table,
                                  const struct exact_options *options, const struct common_options *common)
{
    const char *policy = options->policy ? policy_names[options->policy] : NULL;
    const char *names[] = {options->player, options->net, policy, options->moves}, *name = NULL;
    size_t n_given = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        n_given += names[i] != NULL;
        name = names[i] ? names[i] : name;
    }
    if (n_given != 1)
        return status_fail(STATUS_USAGE, "exact: expected one of --player NAME and --moves DIR");
    return options->moves ? open_moves(contender, table, name) : open_named(contender, table, name, common);
}

static double rate_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static void print_result(const struct table *table, const struct contender *contender,
                         const struct exact_result *result)
{
    double loss = result->optimum - result->score;
    if (fabs(loss) < 0.5e-6)
        loss = 0; /* two sums of the same numbers in another order: never "-0.000000" */
    const unsigned goal = table_summary(table)->goal;
    printf("board       %ux%u\n", table_summary(table)->rows, table_summary(table)->cols);
    table_rules_print(table);
    printf("player      %s\n", contender->name);
    if (goal)
        printf("chance      %.6g that it makes a %u, exactly\n", result->score, 1u << goal);
    else
        printf("score       %s expected, exactly\n", TEXT_OF_REAL(result->score, 6));
    printf("optimum     %s\n", TEXT_OF_REAL(result->optimum, 6));
    printf(goal ? "share       %.6g%%\n" : "share       %.4f%%\n", 100 * rate_of(result->score, result->optimum));
    printf("loss        %s %s\n", TEXT_OF_REAL(loss, 6), goal ? "of that chance" : "points a game");
    printf("moves       %s %s, %.4f%% of them optimal\n", TEXT_OF_REAL(result->moves, 3),
           goal ? "until it is made or none is left" : "a game", 100 * rate_of(result->optimal_moves, result->moves));
    bool by_image = policy_depends_on_image(&contender->policy);
    if (by_image)
        printf("images      evaluated one by one: this network's value depends on how a board is turned\n");
    if (result->tied_moves > 0)
        printf("ties        %.3g%% of the moves: the first direction%s\n",
               100 * rate_of(result->tied_moves, result->moves), by_image ? "" : " on the image that the table holds");
}

static enum status print_result_json(const struct table *table, const struct contender *contender,
                                     const struct exact_result *result)
{
    struct json json;
    char size[8];
    snprintf(size, sizeof size, "%ux%u", table_summary(table)->rows, table_summary(table)->cols);
    json_begin(&json);
    json_add_text(&json, "board", size);
    table_summary_add_rules(&json, table_summary(table));
    json_add_text(&json, "player", contender->name);
    json_add_real(&json, "score", result->score);
    json_add_real(&json, "optimum", result->optimum);
    json_add_real(&json, "share", rate_of(result->score, result->optimum));
    json_add_real(&json, "loss", result->optimum - result->score);
    json_add_real(&json, "moves", result->moves);
    json_add_real(&json, "optimal_rate", rate_of(result->optimal_moves, result->moves));
    json_add_real(&json, "tied_rate", rate_of(result->tied_moves, result->moves));
    json_add_flag(&json, "symmetric", !policy_depends_on_image(&contender->policy));
    json_add_real(&json, "score_forward", result->forward_score);
    json_add_real(&json, "loss_forward", result->loss);
    return cli_print_json(&json);
}

#define IN(member) OPTION_FIELD(struct exact_options, member)
static const struct option_spec option_rows[] = {
    {"player", 'p', "NAME", IN(player),
     "simple, random, greedy-score, optimal, or a network file of this board size; looks one move ahead",
     .choices = player_words},
    {"net", 0, "FILE", IN(net), "the same as --player FILE"},
    {"policy", 0, "NAME", IN(policy), "the same as --player NAME", .choices = policy_names},
    {"moves", 0, "DIR", IN(moves), "a table of moves plays (solve --store moves)"},
    {"csv", 0, "FILE", IN(csv), "write visits, optimal moves and losses by age"},
    {"threads", 't', "T", IN(threads), "threads; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
};

static const struct command_example examples[] = {
    {"tables/3x3 --player 3x3.net --csv loss.csv", "what a network scores exactly, and where it loses"},
    {"tables/2x3 --player random", "the expected score of random play"},
};

static enum status run_command(struct cli_call *call)
{
    const struct exact_options *options = call->options;
    const struct common_options *common = &call->common;
    struct table *table = NULL;
    struct contender contender = {0};
    struct workers *workers = NULL;
    struct exact_result result = {0};
    struct progress progress;
    enum status status = table_open(&table, call->operands[0]);
    if (!status)
        status = contender_open(&contender, table, options, common);
    if (!status)
        status = workers_create(&workers, (unsigned)options->threads);
    status = cluster_agree(common->cluster, status);
    if (!status) {
        progress_begin(&progress, stderr, common->progress, "exact", "states",
                       2 * (double)table_summary(table)->n_states);
        status = exact_evaluate(table, &contender.policy, workers, common->cluster, &progress, &result);
        progress_end(&progress, NULL);
    }
    if (!status && options->csv && cluster_is_first(common->cluster))
        status = exact_write_csv(&result, options->csv);
    if (!status && common->json)
        status = print_result_json(table, &contender, &result);
    else if (!status)
        print_result(table, &contender, &result);
    exact_result_free(&result);
    workers_free(workers);
    contender_close(&contender);
    table_close(table);
    return status;
}

const struct command verb_exact = {
    .name = "exact",
    .heading = "Solve",
    .summary = "exact expected score and losses of a player on a solved board",
    .operands = "DIR",
    .description =
        "Computes the exact expected score of a player on a board that `afterstate solve` has solved: every state is "
        "evaluated backward under the player's moves, nothing is sampled. Then goes through the states by the exact "
        "probability that the player visits them: how often it takes an optimal move, and what it loses at each age. "
        "greedy-score takes the largest reward, evenly among equal ones. Where the table has a goal (solve --objective "
        "tile:512), the chance that the player makes this tile takes the place of its score, and where it has another "
        "chance of a 4, so has the player's game; the player itself plays as always, for points.",
    COMMAND_OPTIONS(option_rows, struct exact_options),
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .clustered = true,
    .run = run_command,
};
