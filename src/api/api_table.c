/*
 * api_table: the public functions over solved tables.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "base/memory.h"
#include "base/workers.h"
#include "solve/query.h"
#include "solve/table.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

_Static_assert((int)AS_VARIANT_NORMAL == VARIANT_NORMAL && (int)AS_VARIANT_OPTIMISTIC == VARIANT_OPTIMISTIC &&
                   (int)AS_VARIANT_PESSIMISTIC == VARIANT_PESSIMISTIC,
               "the public variants are the inner ones");
_Static_assert((int)AS_STORE_VALUES == STORE_VALUES && (int)AS_STORE_MOVES == STORE_MOVES &&
                   (int)AS_STORE_NONE == STORE_NONE && (int)AS_START_KINDS == TABLE_START_KINDS,
               "the public kinds of tables and starts are the inner ones");

enum { BATCH_BOARDS = 64 }; /* what a worker takes at a time: some hundred microseconds */

enum as_status as_table_open(struct as_table **out, const char *directory)
{
    if (out)
        *out = NULL;
    if (!out || !directory)
        return api_fail_null("as_table_open");
    struct as_table *table = memory_allocate(1, sizeof *table);
    if (!table)
        return AS_NO_MEMORY;
    enum status status = table_open(&table->table, directory);
    if (status) {
        free(table);
        return (enum as_status)status;
    }
    table->grid.grid = *table_grid(table->table);
    *out = table;
    return AS_OK;
}

void as_table_free(struct as_table *table)
{
    if (!table)
        return;
    table_close(table->table);
    free(table);
}

const struct as_grid *as_table_grid(const struct as_table *table)
{
    if (table)
        return &table->grid;
    api_fail_null("as_table_grid");
    return NULL;
}

enum as_status as_table_get_info(const struct as_table *table, struct as_table_info *info)
{
    if (!table || !info)
        return api_fail_null("as_table_get_info");
    const struct table_summary *summary = table_summary(table->table);
    *info = (struct as_table_info){
        .rows = summary->rows,
        .cols = summary->cols,
        .variant = (enum as_variant)summary->variant,
        .store = (enum as_store)summary->store,
        .goal = summary->goal,
        .four_chance = summary->chance_of_4,
        .is_solved = summary->backward_done,
        .n_ages = table_n_ages(table->table),
        .n_states = summary->n_states,
        .n_terminal = summary->n_terminal,
        .n_afterstates = summary->n_afterstates,
        .expected_score = summary->expected_score,
        .walls = summary->walls.cells,
        .target_cells = summary->walls.at,
        .n_starts = summary->n_starts,
        .best_start = summary->best_start,
    };
    for (unsigned i = 0; i < AS_START_KINDS; i++)
        info->start_value[i] = summary->start_value[i];
    return AS_OK;
}

enum as_status as_table_get_age(const struct as_table *table, size_t index, struct as_table_age *age)
{
    if (!table || !age)
        return api_fail_null("as_table_get_age");
    size_t n_ages = table_n_ages(table->table);
    if (index >= n_ages)
        return (enum as_status)status_fail(STATUS_USAGE, "as_table_get_age: index %zu; the table has %zu ages", index,
                                           n_ages);
    const struct table_age *found = table_age_at(table->table, index);
    *age = (struct as_table_age){
        .age = found->age,
        .n_states = found->n_states,
        .n_terminal = found->n_terminal,
        .n_afterstates = found->n_afterstates,
        .best_value = found->n_afterstates ? found->best_value : NAN,
    };
    return AS_OK;
}

/* ---- look-ups ---------------------------------------------------------------------------------------------------- */

static enum status check_store(const struct as_table *table, bool moves_suffice, const char *function)
{
    const struct table_summary *summary = table_summary(table->table);
    if (!summary->backward_done)
        return status_fail(STATUS_USAGE, "%s: %s is not solved yet; the same solve command resumes it", function,
                           table_directory(table->table));
    if (summary->store == STORE_VALUES || (moves_suffice && summary->store == STORE_MOVES))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "%s: %s has no values; it was solved with --store %s", function,
                       table_directory(table->table), solve_store_names[summary->store]);
}

enum as_status as_table_value(const struct as_table *table, struct as_board after, double *value)
{
    if (!table || !value)
        return api_fail_null("as_table_value");
    enum status status = check_store(table, false, "as_table_value");
    if (status)
        return (enum as_status)status;
    status = api_check_board(&table->grid, after, "as_table_value");
    double found;
    struct board inside;
    unsigned symmetry;
    if (status)
        return (enum as_status)status;
    status = table_enter(table->table, api_board_in(after), &inside, &symmetry);
    if (status)
        return (enum as_status)status;
    status = table_value(table->table, inside, &found);
    if (status)
        return (enum as_status)status;
    *value = found;
    return AS_OK;
}

enum as_status as_table_values(const struct as_table *table, const uint8_t *cells, size_t n, double *values)
{
    static const char function[] = "as_table_values";
    if (!table || (n && (!cells || !values)))
        return api_fail_null(function);
    const struct grid *grid = &table->grid.grid;
    enum status status = check_store(table, false, function);
    if (!status)
        status = api_check_cells(grid, cells, n, function);
    for (size_t i = 0; i < n && !status; i++) {
        struct board board, inside;
        unsigned symmetry;
        status = api_read_cells(grid, cells + i * grid->n_cells, 1, i, &board, function);
        if (!status)
            status = table_enter(table->table, board, &inside, &symmetry);
        if (!status)
            status = table_value(table->table, inside, &values[i]);
        if (status == STATUS_INVALID) { /* no game reaches it */
            values[i] = NAN;
            status = STATUS_OK;
        }
    }
    return (enum as_status)status;
}

/* An answer of which nothing is known yet. */
static struct as_table_answer empty_answer(void)
{
    struct as_table_answer answer = {.best = AS_DIRECTIONS, .state_value = NAN};
    for (unsigned d = 0; d < AS_DIRECTIONS; d++)
        answer.value[d] = answer.loss[d] = NAN;
    return answer;
}

static enum status answer_moves(const struct as_table *table, struct board board, struct as_table_answer *answer)
{
    enum direction best;
    enum status status = query_move(table->table, board, &best);
    if (status)
        return status;
    struct board inside;
    unsigned symmetry;
    status = table_enter(table->table, board, &inside, &symmetry);
    if (status)
        return status;
    const struct moves moves = grid_moves(&table->grid.grid, board), allowed = table_moves(table->table, inside);
    answer->best = best;
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        if (!(allowed.legal >> grid_image_direction(d, symmetry) & 1))
            continue;
        answer->legal |= 1u << d;
        answer->reward[d] = moves.reward[d];
    }
    return STATUS_OK;
}

static enum status answer_values(const struct as_table *table, struct board board, struct as_table_answer *answer)
{
    enum solve_variant variant = table_summary(table->table)->variant;
    struct query_tables tables = {.main = variant};
    struct query_answer found;
    tables.of[variant] = table->table;
    enum status status = query_board(&tables, board, &found);
    if (status)
        return status;
    answer->best = found.best;
    answer->state_value = found.value[variant];
    for (unsigned d = 0; d < AS_DIRECTIONS; d++) {
        const struct query_move *move = &found.moves[d];
        if (!move->legal)
            continue;
        answer->legal |= 1u << d;
        answer->reward[d] = move->reward;
        answer->value[d] = move->value[variant];
        answer->loss[d] = move->loss;
    }
    return STATUS_OK;
}

/* Fills *answer in every case; what is known of a board without an answer is nothing but its status. */
static enum status answer_board(const struct as_table *table, struct as_board board, struct as_table_answer *answer,
                                const char *function)
{
    *answer = empty_answer();
    enum status status = api_check_board(&table->grid, board, function);
    if (!status)
        status = table_summary(table->table)->store == STORE_MOVES ? answer_moves(table, api_board_in(board), answer)
                                                                   : answer_values(table, api_board_in(board), answer);
    answer->status = (enum as_status)status;
    return status;
}

enum as_status as_table_query(const struct as_table *table, struct as_board board, struct as_table_answer *answer)
{
    if (!table || !answer)
        return api_fail_null("as_table_query");
    struct as_table_answer found;
    enum status status = check_store(table, true, "as_table_query");
    if (status)
        return (enum as_status)status;
    status = answer_board(table, board, &found, "as_table_query");
    if (status)
        return (enum as_status)status;
    *answer = found;
    return AS_OK;
}

struct lookup_job {
    const struct as_table *table;
    const struct as_board *boards;
    struct as_table_answer *answers;
    size_t n;
};

static enum status answer_batch(void *context, unsigned worker, uint64_t batch)
{
    const struct lookup_job *job = context;
    (void)worker;
    size_t end = (size_t)(batch + 1) * BATCH_BOARDS;
    for (size_t i = (size_t)batch * BATCH_BOARDS; i < end && i < job->n; i++) {
        enum status status = answer_board(job->table, job->boards[i], &job->answers[i], "as_table_query_many");
        if (status && status != STATUS_INVALID)
            return status;
    }
    return STATUS_OK;
}

enum as_status as_table_query_many(const struct as_table *table, const struct as_board *boards, size_t n,
                                   struct as_table_answer *answers, unsigned threads)
{
    if (!table || (n && (!boards || !answers)))
        return api_fail_null("as_table_query_many");
    if (threads > WORKERS_MAX)
        return (enum as_status)status_fail(STATUS_USAGE, "as_table_query_many: %u threads; expected at most %d",
                                           threads, WORKERS_MAX);
    enum status status = check_store(table, true, "as_table_query_many");
    struct lookup_job job = {table, boards, answers, n};
    uint64_t n_batches = n / BATCH_BOARDS + (n % BATCH_BOARDS != 0);
    if (threads <= 1 || n_batches <= 1) { /* without a pool, which takes longer to start than a few look-ups */
        for (uint64_t batch = 0; batch < n_batches && !status; batch++)
            status = answer_batch(&job, 0, batch);
        return (enum as_status)status;
    }
    struct workers *workers = NULL;
    if (status)
        goto done;
    status = workers_create(&workers, threads < n_batches ? threads : (unsigned)n_batches);
    if (status)
        goto done;
    status = workers_for(workers, n_batches, answer_batch, &job);
done:
    workers_free(workers);
    return (enum as_status)status;
}
