/* exact: the exact expected score of a player on a solved board, and where it loses against optimal play. */
#include "cli/frame/verbs.h"

#include "base/signals.h"
#include "cli/networks/net_open.h"
#include "cli/solve/table_rules.h"
#include "study/exact_policy.h"

#include <math.h>
#include <stdlib.h>

static const char *const policy_names[] = {"none", "random", "greedy-score", "optimal", NULL};
static const enum policy_kind policy_kinds[] = {POLICY_RANDOM, POLICY_RANDOM, POLICY_GREEDY_SCORE, POLICY_OPTIMAL};

struct exact_options {
    const char *net, *moves, *csv;
    int policy; /* of policy_names; 0 is none */
    int64_t threads;
};

/* The player and what it is made of. */
struct contender {
    const char *name;
    struct policy policy;
    struct evaluator evaluator;
    struct table *moves;
};

static void contender_close(struct contender *contender)
{
    evaluator_free(&contender->evaluator);
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

static enum status open_network(struct contender *contender, const struct table *table, const char *path,
                                const struct common_options *common)
{
    contender->name = path;
    enum status status = evaluator_load(&contender->evaluator, path, LOAD_FAST, cli_progress_stream(common));
    if (!status)
        status = check_size(table, path, contender->evaluator.grid->rows, contender->evaluator.grid->cols);
    if (!status)
        contender->policy = (struct policy){.kind = POLICY_VALUE, .function = contender->evaluator.function};
    return status;
}

static enum status open_moves(struct contender *contender, const struct table *table, const char *directory)
{
    contender->name = directory;
    enum status status = table_open(&contender->moves, directory);
    if (!status)
        status =
            check_size(table, directory, table_summary(contender->moves)->rows, table_summary(contender->moves)->cols);
    if (!status && table_summary(contender->moves)->store != STORE_MOVES)
        status = status_fail(STATUS_INVALID, "%s: holds no moves; it was solved with --store %s", directory,
                             solve_store_names[table_summary(contender->moves)->store]);
    if (!status)
        status = table_check_same_rules(contender->moves, table);
    if (!status)
        contender->policy = (struct policy){.kind = POLICY_MOVES, .moves = contender->moves};
    return status;
}

static enum status contender_open(struct contender *contender, const struct table *table,
                                  const struct exact_options *options, const struct common_options *common)
{
    if ((options->net != NULL) + (options->moves != NULL) + (options->policy != 0) != 1)
        return status_fail(STATUS_USAGE, "exact: expected one of --net FILE, --policy NAME and --moves DIR");
    if (options->net)
        return open_network(contender, table, options->net, common);
    if (options->moves)
        return open_moves(contender, table, options->moves);
    contender->name = policy_names[options->policy];
    contender->policy = (struct policy){.kind = policy_kinds[options->policy]};
    return STATUS_OK;
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
        printf("score       %.6f expected, exactly\n", result->score);
    printf("optimum     %.6f\n", result->optimum);
    printf(goal ? "share       %.6g%%\n" : "share       %.4f%%\n", 100 * rate_of(result->score, result->optimum));
    printf("loss        %.6f %s\n", loss, goal ? "of that chance" : "points a game");
    printf("moves       %.3f %s, %.4f%% of them optimal\n", result->moves,
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
    table_rules_add_json(&json, table_summary(table));
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
    {"net", 0, "FILE", IN(net), "a network of this board size plays, looking one move ahead"},
    {"policy", 0, "NAME", IN(policy), "one of these plays", .choices = policy_names},
    {"moves", 0, "DIR", IN(moves), "a table of moves plays (solve --store moves)"},
    {"csv", 0, "FILE", IN(csv), "write visits, optimal moves and losses by age"},
    {"threads", 't', "T", IN(threads), "threads; 0 is all cores", OPTION_RANGE(0, WORKERS_MAX)},
};

static const struct command_example examples[] = {
    {"tables/3x3 --net 3x3.net --csv loss.csv", "what a network scores exactly, and where it loses"},
    {"tables/2x3 --policy random", "the expected score of random play"},
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
    .min_operands = 1,
    .max_operands = 1,
    .description = "Computes the exact expected score of a player on a board that `afterstate solve` has solved: "
                   "every state is "
                   "evaluated backward under the player's moves, nothing is sampled. Then goes through the states "
                   "by the exact "
                   "probability that the player visits them: how often it takes an optimal move, and what it loses "
                   "at each age. "
                   "greedy-score takes the largest reward, evenly among equal ones. Where the table has a goal "
                   "(solve --objective tile:512), the chance that the player makes this tile takes the place of "
                   "its score, and where it has another chance of a 4, so has the player's game; the player "
                   "itself plays as always, for points.",
    COMMAND_OPTIONS(option_rows, struct exact_options),
    COMMAND_EXAMPLES(examples),
    .interruptible = true,
    .clustered = true,
    .run = run_command,
};
