/* query: the exact value of each move on one board of a solved table. */
#include "cli/verb_query.h"

#include "base/json.h"
#include "game/notation.h"
#include "solve/query.h"

#include <inttypes.h>
#include <stdlib.h>

struct query_options {
    const char *optimistic, *pessimistic; /* directories, NULL for none */
    const char *directory, *board;
};

/* The tables that are open; what one verb needs of them. */
struct query_session {
    struct table *main, *optimistic, *pessimistic;
    struct query_tables tables;
    struct board board;
};

static void session_close(struct query_session *session)
{
    table_close(session->main);
    table_close(session->optimistic);
    table_close(session->pessimistic);
}

static enum status open_beside(struct query_session *session, const char *directory, enum solve_variant variant,
                               struct table **out)
{
    if (!directory)
        return STATUS_OK;
    if (session->tables.main == variant)
        return status_fail(STATUS_USAGE, "%s is the %s variant itself; --%s needs another main table",
                           table_directory(session->main), solve_variant_names[variant], solve_variant_names[variant]);
    enum status status = table_open(out, directory);
    return status ? status : query_add_table(&session->tables, *out, variant);
}

/* Opens the main table and reads the board. */
static enum status session_open(struct query_session *session, const struct query_options *options)
{
    enum status status = table_open(&session->main, options->directory);
    if (status)
        return status;
    session->tables.main = table_summary(session->main)->variant;
    return notation_parse(table_grid(session->main), options->board, &session->board);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void print_answer(const struct query_session *session, const struct query_answer *answer)
{
    char numbers[NOTATION_NUMBERS_BYTES];
    const struct query_tables *tables = &session->tables;
    printf("board       %s\n", notation_numbers(table_grid(session->main), session->board, numbers));
    printf("age         %" PRIu32 "\n", answer->age);
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
        if (tables->of[variant])
            printf("%-11s %.4f\n", variant == tables->main ? "value" : solve_variant_names[variant],
                   answer->value[variant]);
    }
    if (answer->best == DIRECTION_COUNT) {
        puts("no move is legal: the game is over");
        return;
    }
    printf("\n%-6s %8s %14s %14s", "move", "reward", "value", "loss");
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
        if (tables->of[variant] && variant != tables->main)
            printf(" %14s", solve_variant_names[variant]);
    }
    putchar('\n');
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        const struct query_move *move = &answer->moves[d];
        if (!move->legal) {
            printf("%-6s %8s\n", direction_name(d), "illegal");
            continue;
        }
        printf("%-6s %8" PRIu32 " %14.4f %14.4f", direction_name(d), move->reward, move->value[tables->main],
               move->loss);
        for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
            if (tables->of[variant] && variant != tables->main)
                printf(" %14.4f", move->value[variant]);
        }
        puts(d == answer->best ? "  best" : "");
    }
}

/* A member `name` with a number for each direction, null where illegal. */
static void add_by_direction(struct json *json, const char *name, const struct query_answer *answer,
                             double (*number)(const struct query_move *move, unsigned variant), unsigned variant)
{
    json_open_object(json, name);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (answer->moves[d].legal)
            json_add_real(json, direction_name(d), number(&answer->moves[d], variant));
        else
            json_add_null(json, direction_name(d));
    }
    json_close(json);
}

static double reward_of(const struct query_move *move, unsigned variant)
{
    (void)variant;
    return move->reward;
}

static double loss_of(const struct query_move *move, unsigned variant)
{
    (void)variant;
    return move->loss;
}

static double value_of_variant(const struct query_move *move, unsigned variant)
{
    return move->value[variant];
}

static void begin_json(struct json *json, const struct query_session *session)
{
    char digits[NOTATION_DIGITS_BYTES];
    json_begin(json);
    json_add_text(json, "board", notation_digits(table_grid(session->main), session->board, digits));
    json_add_unsigned(json, "age", board_age(session->board));
}

static enum status print_answer_json(const struct query_session *session, const struct query_answer *answer)
{
    struct json json;
    bool over = answer->best == DIRECTION_COUNT;
    begin_json(&json, session);
    json_add_text(&json, "variant", solve_variant_names[session->tables.main]);
    json_add_real(&json, "value", answer->value[session->tables.main]);
    json_add_text(&json, "best", over ? NULL : direction_name(answer->best));
    add_by_direction(&json, "moves", answer, value_of_variant, session->tables.main);
    add_by_direction(&json, "rewards", answer, reward_of, 0);
    add_by_direction(&json, "losses", answer, loss_of, 0);
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
        if (!session->tables.of[variant] || variant == session->tables.main)
            continue;
        json_open_object(&json, solve_variant_names[variant]);
        json_add_real(&json, "value", answer->value[variant]);
        add_by_direction(&json, "moves", answer, value_of_variant, variant);
        json_close(&json);
    }
    return cli_print_json(&json);
}

static enum status query_values(struct query_session *session, const struct query_options *options,
                                const struct common_options *common)
{
    struct query_answer answer;
    enum status status = query_add_table(&session->tables, session->main, session->tables.main);
    if (!status)
        status = open_beside(session, options->optimistic, VARIANT_OPTIMISTIC, &session->optimistic);
    if (!status)
        status = open_beside(session, options->pessimistic, VARIANT_PESSIMISTIC, &session->pessimistic);
    if (!status)
        status = query_board(&session->tables, session->board, &answer);
    if (status)
        return status;
    if (common->json)
        return print_answer_json(session, &answer);
    print_answer(session, &answer);
    return STATUS_OK;
}

/* ---- moves only ------------------------------------------------------------------------------------------------- */

/* A table with moves and nothing else knows no values, nor which boards can be reached. */
static enum status query_moves(struct query_session *session, const struct query_options *options,
                               const struct common_options *common)
{
    if (options->optimistic || options->pessimistic)
        return status_fail(STATUS_USAGE, "%s holds moves only; values of variants need a table with values",
                           options->directory);
    enum direction best;
    char numbers[NOTATION_NUMBERS_BYTES];
    enum status status = table_move(session->main, session->board, &best);
    if (status)
        return status;
    if (common->json) {
        struct json json;
        begin_json(&json, session);
        json_add_text(&json, "best", best == DIRECTION_COUNT ? NULL : direction_name(best));
        return cli_print_json(&json);
    }
    printf("board       %s\n", notation_numbers(table_grid(session->main), session->board, numbers));
    printf("age         %" PRIu32 "\n", board_age(session->board));
    if (best == DIRECTION_COUNT)
        puts("no move is legal: the game is over");
    else
        printf("best        %s (if a game can reach this board; the table holds moves only)\n", direction_name(best));
    return STATUS_OK;
}

int verb_query_run(const struct cli_context *context, int argc, char **argv)
{
    struct query_options options = {0};
    const struct option_spec specs[] = {
        option_text("optimistic", 0, "DIR", &options.optimistic,
                    "beside it, the values if tiles appear where you wish"),
        option_text("pessimistic", 0, "DIR", &options.pessimistic,
                    "beside it, the values if they appear where it is worst"),
    };
    const struct command_example examples[] = {
        {"tables/3x3 123001000", "the value of each move on a 3x3 board"},
        {"tables/2x3 '2 4 0 / 8 0 2' --json", "the same as one JSON object"},
    };
    const struct command_spec command = {
        .operands = "DIR BOARD",
        .min_operands = 2,
        .max_operands = 2,
        .description =
            "Looks a board up in a table that `afterstate solve` made: the expected score of each move, reward "
            "included, under optimal play from then on, the best move, and what the others lose. A board that "
            "no game reaches is an error.",
        .options = specs,
        .n_options = sizeof specs / sizeof *specs,
        .examples = examples,
        .n_examples = sizeof examples / sizeof *examples,
    };
    struct common_options common = context->common;
    struct operands operands;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, &operands, &exit_code))
        return exit_code;
    options.directory = operands.items[0];
    options.board = operands.items[1];
    struct query_session session = {0};
    enum status status = session_open(&session, &options);
    if (!status) {
        const struct table_summary *summary = table_summary(session.main);
        status = summary->store == STORE_MOVES ? query_moves(&session, &options, &common)
                                               : query_values(&session, &options, &common);
    }
    session_close(&session);
    return status ? cli_fail(status) : EXIT_SUCCESS;
}
