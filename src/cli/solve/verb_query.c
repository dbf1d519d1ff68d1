/* query: the exact value of each move on a board of a solved table, or on many boards from standard input. */
#include "cli/frame/verbs.h"

#include "base/json.h"
#include "base/number_text.h"
#include "cli/play/board_lines.h"
#include "cli/solve/table_rules.h"
#include "game/notation.h"
#include "solve/query.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct query_options {
    const char *optimistic, *pessimistic; /* directories, NULL for none */
};

/* The tables that are open, the board, and how to answer. */
struct query_session {
    struct table *main, *optimistic, *pessimistic;
    struct query_tables tables;
    struct board board;
    bool json, one_line; /* one_line: one of many answers */
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

static bool holds_moves_only(const struct query_session *session)
{
    return table_summary(session->main)->store == STORE_MOVES;
}

static enum status session_open(struct query_session *session, const char *directory,
                                const struct query_options *options)
{
    enum status status = table_open(&session->main, directory);
    if (status)
        return status;
    session->tables.main = table_summary(session->main)->variant;
    if (holds_moves_only(session))
        return options->optimistic || options->pessimistic
                   ? status_fail(STATUS_USAGE, "%s holds moves only; values of variants need a table with values",
                                 directory)
                   : STATUS_OK;
    status = query_add_table(&session->tables, session->main, session->tables.main);
    if (status)
        return status;
    status = open_beside(session, options->optimistic, VARIANT_OPTIMISTIC, &session->optimistic);
    if (status)
        return status;
    return open_beside(session, options->pessimistic, VARIANT_PESSIMISTIC, &session->pessimistic);
}

static enum status print_json(const struct query_session *session, struct json *json)
{
    return session->one_line ? cli_print_json_line(json) : cli_print_json(json);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static void print_answer(const struct query_session *session, const struct query_answer *answer)
{
    char numbers[NOTATION_NUMBERS_BYTES];
    const struct query_tables *tables = &session->tables;
    const bool has_goal = table_summary(session->main)->goal != 0;
    const char *value_name = has_goal ? "chance" : "value";
    const int digits = table_rules_digits(session->main);
    printf("board       %s\n", notation_numbers(table_grid(session->main), session->board, numbers));
    printf("age         %" PRIu32 "\n", answer->age);
    table_rules_print(session->main);
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
        if (tables->of[variant])
            printf("%-11s %s\n", variant == tables->main ? value_name : solve_variant_names[variant],
                   TEXT_OF_REAL(answer->value[variant], digits));
    }
    if (answer->best == DIRECTION_COUNT) {
        puts("no move is legal: the game is over");
        return;
    }
    printf("\n%-6s %8s %14s %14s", "move", "reward", value_name, "loss");
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
        if (tables->of[variant] && variant != tables->main)
            printf(" %14s", solve_variant_names[variant]);
    }
    putchar('\n');
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        const struct query_move *move = &answer->moves[d];
        if (!move->legal) {
            printf("%-6s %8s%s\n", direction_name(d), "illegal", move->moves_wall ? "  (moves a wall)" : "");
            continue;
        }
        printf("%-6s %8s %14s", direction_name(d), TEXT_OF_COUNT(move->reward),
               TEXT_OF_REAL(move->value[tables->main], digits));
        if (has_goal)
            printf(" %14.4g", move->loss); /* chances may differ by less than one sees in them */
        else
            printf(" %14s", TEXT_OF_REAL(move->loss, 4));
        for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
            if (tables->of[variant] && variant != tables->main)
                printf(" %14s", TEXT_OF_REAL(move->value[variant], digits));
        }
        puts(d == answer->best ? "  best" : "");
    }
}

/* The legal moves and their values on one line, best first. */
static void print_answer_line(const struct query_session *session, const struct query_answer *answer)
{
    const struct query_tables *tables = &session->tables;
    const int digits = table_rules_digits(session->main);
    unsigned order[DIRECTION_COUNT], n = 0;
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        if (!answer->moves[d].legal)
            continue;
        unsigned place = n++;
        for (; place > 0 && answer->moves[order[place - 1]].loss > answer->moves[d].loss; place--)
            order[place] = order[place - 1];
        order[place] = d;
    }
    for (unsigned i = 0; i < n; i++)
        printf("%s%s %.*f", i ? ", " : "", direction_name(order[i]), digits,
               answer->moves[order[i]].value[tables->main]);
    printf("%s; age %" PRIu32, n ? "" : "none", answer->age);
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++) {
        if (tables->of[variant] && variant != tables->main)
            printf(", %s %.*f", solve_variant_names[variant], digits, answer->value[variant]);
    }
    putchar('\n');
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
}

static enum status print_answer_json(const struct query_session *session, const struct query_answer *answer)
{
    struct json json;
    bool over = answer->best == DIRECTION_COUNT;
    begin_json(&json, session);
    json_add_unsigned(&json, "age", answer->age);
    json_add_text(&json, "variant", solve_variant_names[session->tables.main]);
    table_summary_add_rules(&json, table_summary(session->main));
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
    return print_json(session, &json);
}

static enum status answer_values(const struct query_session *session)
{
    struct query_answer answer;
    enum status status = query_board(&session->tables, session->board, &answer);
    if (status)
        return status;
    if (session->json)
        return print_answer_json(session, &answer);
    if (session->one_line)
        print_answer_line(session, &answer);
    else
        print_answer(session, &answer);
    return STATUS_OK;
}

/* ---- moves only ------------------------------------------------------------------------------------------------- */

/* The sum of the tiles, without those on walls. */
static uint32_t free_age(const struct query_session *session)
{
    struct board inside;
    unsigned symmetry;
    enum status status = table_enter(session->main, session->board, &inside, &symmetry);
    return board_age(status ? session->board : inside);
}

static void print_move(const struct query_session *session, enum direction best)
{
    char numbers[NOTATION_NUMBERS_BYTES];
    const char *name = best == DIRECTION_COUNT ? NULL : direction_name(best);
    if (session->one_line) {
        printf("%s; age %" PRIu32 "\n", name ? name : "none", free_age(session));
        return;
    }
    printf("board       %s\n", notation_numbers(table_grid(session->main), session->board, numbers));
    printf("age         %" PRIu32 "\n", free_age(session));
    table_rules_print(session->main);
    if (name)
        printf("best        %s (if a game can reach this board; the table holds moves only)\n", name);
    else
        puts("no move is legal: the game is over");
}

/* A table of moves has no values and does not know which boards can be reached. */
static enum status answer_move(const struct query_session *session)
{
    enum direction best;
    enum status status = query_move(session->main, session->board, &best);
    if (status)
        return status;
    if (!session->json) {
        print_move(session, best);
        return STATUS_OK;
    }
    struct json json;
    begin_json(&json, session);
    json_add_unsigned(&json, "age", free_age(session));
    table_summary_add_rules(&json, table_summary(session->main));
    json_add_text(&json, "best", best == DIRECTION_COUNT ? NULL : direction_name(best));
    return print_json(session, &json);
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

static enum status answer_board(void *context, const char *text)
{
    struct query_session *session = context;
    enum status status = notation_parse(table_grid(session->main), text, &session->board);
    if (status)
        return status;
    return holds_moves_only(session) ? answer_move(session) : answer_values(session);
}

#define IN(member) OPTION_FIELD(struct query_options, member)
static const struct option_spec option_rows[] = {
    {"optimistic", 0, "DIR", IN(optimistic), "beside it, the values if tiles appear where you wish"},
    {"pessimistic", 0, "DIR", IN(pessimistic), "beside it, the values if they appear where it is worst"},
};

static const struct command_example examples[] = {
    {"tables/3x3 123001000", "the value of each move on a 3x3 board"},
    {"tables/2x3 '2 4 0 / 8 0 2' --json", "the same as one JSON object"},
    {"tables/3x3 --json <boards.txt", "one object a line for each board"},
};

static enum status run_command(struct cli_call *call)
{
    const struct query_options *options = call->options;
    const char *text = call->n_operands < 2 || strcmp(call->operands[1], "-") == 0 ? NULL : call->operands[1];
    struct query_session session = {.json = call->common.json, .one_line = !text};
    enum status status = session_open(&session, call->operands[0], options);
    if (!status)
        status = text ? answer_board(&session, text)
                      : board_lines_answer(&(struct board_lines){answer_board, &session, call->common.json,
                                                                 call->common.quiet, table_grid(session.main)},
                                           stdin);
    session_close(&session);
    return status;
}

const struct command verb_query = {
    .name = "query",
    .heading = "Solve",
    .summary = "exact values and the best move of a board of a solved table",
    .operands = "DIR [BOARD]",
    .description = "Looks a board up in a table that `afterstate solve` made: the expected score of each move, reward "
                   "included, under optimal play from then on, the best move, and what the others lose; of a table "
                   "with a goal (solve --objective tile:512) the chance that this tile is made. A board that no game "
                   "reaches, or that has the goal already, is an error. Without BOARD, or where it is -, boards are "
                   "read from standard input, one a line, and each is answered by one line at once; what cannot be "
                   "answered is answered by its error, and the exit code is then 1.",
    COMMAND_OPTIONS(option_rows, struct query_options),
    COMMAND_EXAMPLES(examples),
    .run = run_command,
};
