/*
 * The search, from the leaves up.
 *
 * 1. A chance node makes its family (family.h): the different afterstates one turn on. Where they are leaves they are
 *    evaluated in one batch.
 * 2. Where they are not, each is looked up in the transposition table and searched if it is not there. A symmetric
 *    value function gets canonical boards only, so a value does not depend on which image came first. With a margin
 *    the children are evaluated first, and only those that may be the best after some spawn are searched.
 * 3. The root makes the families of its four moves; their children are the tasks that threads share. A value does not
 *    depend on who computed it, so the answer is the same for any number of threads.
 * 4. With a time limit the depth grows ply by ply. Every root move that was finished in time at the last depth has its
 *    value replaced; the moves are taken best first, so what is finished then includes the best so far.
 *
 * Where the value function wants large batches, steps 1 to 3 are those of batch_search.h.
 */
#include "search/searcher.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/workers.h"
#include "search/batch_search.h"
#include "search/downgrade.h"
#include "search/family.h"
#include "search/transposition.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What one thread needs. */
struct search_thread {
    struct searcher *searcher;
    uint64_t n_leaves;
};

/* What lies one turn after a move of the root. */
struct root_part {
    struct family family;
    bool searched[FAMILY_MAX]; /* children */
    unsigned plies;            /* still to be searched below them */
    float chance;
};

/* A legal move of the root. */
struct root_move {
    enum direction direction;
    struct board after;
    uint32_t reward;
    unsigned n_parts;
    struct root_part parts[2]; /* one for all spawns; with pruning one for the tiles 2 and one for the 4s */
    bool is_finished;          /* to the depth of the last call */
    float value;
};

/* A child of the root's families that is to be searched. */
struct root_task {
    uint8_t move, part, child;
};

/* Positions that are searched together level by level. */
enum { BATCH_POSITIONS = 1024 };

struct position_batch {
    struct moves moves[BATCH_POSITIONS];
    struct board after[BATCH_POSITIONS * DIRECTION_COUNT];
    float values[BATCH_POSITIONS * DIRECTION_COUNT];
};

struct searcher {
    const struct grid *grid;
    struct value_function function;
    struct search_settings settings;
    unsigned made_for;          /* plies; limits that are set later stay within */
    struct transposition table; /* without entries if there is none */
    struct workers *workers;    /* NULL for one thread */
    struct batch_search *batch; /* for value functions that want large batches; else NULL, as is `positions` */
    struct position_batch *positions;
    void *specialist; /* its memory */
    unsigned n_threads;
    struct search_thread *threads;
    uint64_t deadline; /* in clock_nanoseconds(); 0 is none */
    atomic_bool stopped;
    atomic_uint n_done; /* tasks of this depth */
    unsigned depth, n_tasks;
    unsigned n_moves;
    struct root_move moves[DIRECTION_COUNT];
    struct root_task tasks[DIRECTION_COUNT * FAMILY_MAX];
};

size_t search_default_table_bytes(unsigned depth, double milliseconds)
{
    if (milliseconds > 0 || depth > 3)
        return (size_t)SEARCH_TABLE_MIB << 20;
    return depth == 3 ? (size_t)SEARCH_TABLE_3_MIB << 20 : 0;
}

enum status search_settings_check(const struct search_settings *settings)
{
    if (settings->depth == 0 && !(settings->milliseconds > 0))
        return status_fail(STATUS_USAGE, "a search needs a depth of 1 to %d plies or a time", SEARCH_MAX_DEPTH);
    if (settings->depth > SEARCH_MAX_DEPTH)
        return status_fail(STATUS_USAGE, "a depth of %u plies is more than %d", settings->depth, SEARCH_MAX_DEPTH);
    if (!(settings->milliseconds >= 0 && settings->milliseconds <= SEARCH_MAX_MILLISECONDS))
        return status_fail(STATUS_USAGE, "a time of %g ms is not between 0 and %d", settings->milliseconds,
                           SEARCH_MAX_MILLISECONDS);
    if (!(settings->prune >= 0 && settings->prune < 1))
        return status_fail(STATUS_USAGE, "a probability of %g to prune at is not between 0 and 1", settings->prune);
    if (!(settings->margin >= 0 && settings->margin <= SEARCH_MAX_MARGIN))
        return status_fail(STATUS_USAGE, "a margin of %g points is not between 0 and %d", settings->margin,
                           SEARCH_MAX_MARGIN);
    if (settings->downgrade && (settings->downgrade < SEARCH_MIN_DOWNGRADE || settings->downgrade > BOARD_MAX_VALUE))
        return status_fail(STATUS_USAGE, "tiles are downgraded from 2^%d to 2^%d, not from 2^%u", SEARCH_MIN_DOWNGRADE,
                           BOARD_MAX_VALUE, settings->downgrade);
    return STATUS_OK;
}

static bool is_stopped(const struct searcher *searcher)
{
    return atomic_load_explicit(&searcher->stopped, memory_order_relaxed);
}

static bool is_cancelled(const struct searcher *searcher)
{
    return searcher->settings.cancel && atomic_load_explicit(searcher->settings.cancel, memory_order_relaxed);
}

/* Once for each batch of leaves: some 25 ns for the clock beside a microsecond or more. */
static void poll_stop(struct searcher *searcher)
{
    if (is_cancelled(searcher) || (searcher->deadline && clock_nanoseconds() >= searcher->deadline))
        atomic_store_explicit(&searcher->stopped, true, memory_order_relaxed);
}

static float chance_value(struct search_thread *thread, struct board after, unsigned plies, float chance);

/* The children by the value function alone. */
static void evaluate_children(struct search_thread *thread, struct family *family)
{
    value_of_batch(&thread->searcher->function, family->child, family->n_children, family->value);
    thread->n_leaves += family->n_children;
    poll_stop(thread->searcher);
}

/* The values of a family's children where not all are worth a search: those within the margin of the best, round after
   round until all that could be the best are searched. */
static void value_contenders(struct search_thread *thread, struct family *family, unsigned plies, float chance)
{
    const struct searcher *searcher = thread->searcher;
    bool searched[FAMILY_MAX] = {false};
    uint8_t list[FAMILY_MAX];
    unsigned n;
    evaluate_children(thread, family);
    while (!is_stopped(searcher) &&
           (n = family_list_contenders(family, (float)searcher->settings.margin, searched, list)) > 0)
        for (unsigned i = 0; i < n && !is_stopped(searcher); i++) {
            family->value[list[i]] = chance_value(thread, family->child[list[i]], plies, chance);
            searched[list[i]] = true;
        }
}

/* The values of a family's children, searched `plies` deeper. */
static void value_children(struct search_thread *thread, struct family *family, unsigned plies, float chance)
{
    if (plies == 0) {
        evaluate_children(thread, family);
        return;
    }
    if (thread->searcher->settings.margin > 0) {
        value_contenders(thread, family, plies, chance);
        return;
    }
    for (unsigned i = 0; i < family->n_children && !is_stopped(thread->searcher); i++)
        family->value[i] = chance_value(thread, family->child[i], plies, chance);
}

/* How many plies to search after a spawn: none where it is too unlikely. */
static unsigned remaining_plies(const struct searcher *searcher, float chance, unsigned plies)
{
    return chance < (float)searcher->settings.prune ? 0 : plies;
}

/* The expectation over all spawns on an afterstate, with `plies` moves to come (step 1); 0 if it was stopped. */
static float expand(struct search_thread *thread, struct board after, unsigned plies, float chance)
{
    const struct searcher *searcher = thread->searcher;
    struct family family;
    if (searcher->settings.prune == 0) {
        family_make(&family, searcher->grid, after, FAMILY_BOTH);
        value_children(thread, &family, plies - 1, chance);
        return is_stopped(searcher) ? 0 : (float)family_expectation(&family);
    }
    double sum = 0; /* tiles 2 and 4 are apart, because one may be expanded and the other pruned */
    for (unsigned tiles = FAMILY_TWOS; tiles <= FAMILY_FOURS; tiles++) {
        family_make(&family, searcher->grid, after, tiles);
        float reached = family_spawn_chance(&family, chance);
        value_children(thread, &family, remaining_plies(searcher, reached, plies - 1), reached);
        if (is_stopped(searcher))
            return 0;
        sum += family_expectation(&family);
    }
    return (float)sum;
}

/* The same, remembered; step 2. */
static float chance_value(struct search_thread *thread, struct board after, unsigned plies, float chance)
{
    struct searcher *searcher = thread->searcher;
    struct transposition_key key = {.board = after, .plies = plies, .chance = chance};
    float value;
    if (searcher->function.symmetric)
        key.board = grid_canonical(searcher->grid, after);
    if (!searcher->table.entries)
        return expand(thread, key.board, plies, chance);
    if (transposition_find(&searcher->table, &key, &value))
        return value;
    value = expand(thread, key.board, plies, chance);
    if (!is_stopped(searcher))
        transposition_store(&searcher->table, &key, value);
    return value;
}

/* The families after a move; how deep each child is to be searched when the root is at `depth`. */
static void make_parts(struct searcher *searcher, struct root_move *move, unsigned depth)
{
    bool prune = searcher->settings.prune > 0;
    move->n_parts = prune ? 2 : 1;
    for (unsigned p = 0; p < move->n_parts; p++) {
        struct root_part *part = &move->parts[p];
        family_make(&part->family, searcher->grid, move->after, prune ? FAMILY_TWOS + p : FAMILY_BOTH);
        part->chance = prune ? family_spawn_chance(&part->family, 1) : 1;
        part->plies = remaining_plies(searcher, part->chance, depth - 2);
        memset(part->searched, 0, sizeof part->searched);
    }
}

static void report_progress(struct searcher *searcher, unsigned n_done)
{
    if (searcher->settings.watch)
        searcher->settings.watch(searcher->settings.watch_context, searcher->depth, n_done, searcher->n_tasks);
}

static enum status run_task(void *context, unsigned worker, uint64_t item)
{
    struct searcher *searcher = context;
    struct root_task task = searcher->tasks[item];
    struct root_move *move = &searcher->moves[task.move];
    struct root_part *part = &move->parts[task.part];
    if (is_stopped(searcher))
        return STATUS_OK;
    float value = chance_value(&searcher->threads[worker], part->family.child[task.child], part->plies, part->chance);
    if (is_stopped(searcher))
        return STATUS_OK;
    part->family.value[task.child] = value;
    part->searched[task.child] = true;
    unsigned n_done = atomic_fetch_add_explicit(&searcher->n_done, 1, memory_order_relaxed) + 1;
    if (worker == 0)
        report_progress(searcher, n_done);
    return STATUS_OK;
}

/* The children of a family that are still to be searched. */
static unsigned list_children(const struct searcher *searcher, const struct root_part *part, uint8_t list[FAMILY_MAX])
{
    unsigned n = 0;
    if (part->plies == 0)
        return 0;
    if (searcher->settings.margin > 0)
        return family_list_contenders(&part->family, (float)searcher->settings.margin, part->searched, list);
    for (unsigned i = 0; i < part->family.n_children; i++)
        if (!part->searched[i])
            list[n++] = (uint8_t)i;
    return n;
}

/* Lists what is still to be searched, as tasks; returns how many. */
static unsigned list_tasks(struct searcher *searcher)
{
    unsigned n_tasks = 0;
    for (unsigned m = 0; m < searcher->n_moves; m++) {
        struct root_move *move = &searcher->moves[m];
        move->is_finished = true;
        for (unsigned p = 0; p < move->n_parts; p++) {
            uint8_t list[FAMILY_MAX];
            unsigned n = list_children(searcher, &move->parts[p], list);
            for (unsigned i = 0; i < n; i++)
                searcher->tasks[n_tasks++] =
                    (struct root_task){.move = (uint8_t)m, .part = (uint8_t)p, .child = list[i]};
            move->is_finished &= n == 0;
        }
    }
    return n_tasks;
}

/* Searches all root moves to `depth` (2 or more). A move that is not finished afterwards was stopped. With a margin
   there are rounds: what was searched may turn out worse than what was not. */
static void search_moves(struct searcher *searcher, unsigned depth)
{
    for (unsigned m = 0; m < searcher->n_moves; m++) {
        struct root_move *move = &searcher->moves[m];
        make_parts(searcher, move, depth);
        for (unsigned p = 0; p < move->n_parts; p++)
            if (move->parts[p].plies == 0 || searcher->settings.margin > 0)
                evaluate_children(&searcher->threads[0], &move->parts[p].family);
    }
    searcher->depth = depth;
    atomic_store_explicit(&searcher->n_done, 0, memory_order_relaxed);
    unsigned n = searcher->n_tasks = list_tasks(searcher);
    report_progress(searcher, 0);
    for (; n > 0 && !is_stopped(searcher); searcher->n_tasks += n = list_tasks(searcher)) {
        if (searcher->workers)
            workers_for(searcher->workers, n, run_task, searcher); /* the tasks do not fail */
        else
            for (unsigned i = 0; i < n; i++)
                run_task(searcher, 0, i);
    }
    for (unsigned m = 0; m < searcher->n_moves; m++) {
        struct root_move *move = &searcher->moves[m];
        if (!move->is_finished)
            continue;
        double sum = 0;
        for (unsigned p = 0; p < move->n_parts; p++)
            sum += family_expectation(&move->parts[p].family);
        move->value = (float)move->reward + (float)sum;
    }
}

/* One ply, or any number level by level: all moves are finished, or none. */
static void search_together(struct searcher *searcher, unsigned depth)
{
    struct board after[DIRECTION_COUNT];
    float value[DIRECTION_COUNT];
    uint64_t *n_leaves = &searcher->threads[0].n_leaves;
    searcher->depth = depth;
    searcher->n_tasks = searcher->n_moves; /* one tree: progress is reported at its beginning and its end */
    if (depth > 1)
        report_progress(searcher, 0);
    for (unsigned m = 0; m < searcher->n_moves; m++)
        after[m] = searcher->moves[m].after;
    if (!searcher->batch) {
        value_of_batch(&searcher->function, after, searcher->n_moves, value);
        *n_leaves += searcher->n_moves;
    } else if (!batch_search_values(searcher->batch, after, searcher->n_moves, depth - 1, searcher->deadline, value,
                                    n_leaves)) {
        atomic_store_explicit(&searcher->stopped, true, memory_order_relaxed);
    }
    for (unsigned m = 0; m < searcher->n_moves; m++) {
        searcher->moves[m].value = (float)searcher->moves[m].reward + value[m];
        searcher->moves[m].is_finished = !is_stopped(searcher);
    }
    if (depth > 1 && !is_stopped(searcher))
        report_progress(searcher, searcher->n_moves);
}

/* Searches to `depth` and keeps what was finished. */
static void search_to(struct searcher *searcher, unsigned depth, struct search_result *result)
{
    if (depth == 1 || searcher->batch)
        search_together(searcher, depth);
    else
        search_moves(searcher, depth);
    for (unsigned m = 0; m < searcher->n_moves; m++) {
        const struct root_move *move = &searcher->moves[m];
        if (!move->is_finished)
            break; /* what comes after an unfinished move was not compared with it */
        result->value[move->direction] = move->value;
        result->depth[move->direction] = depth;
    }
    search_result_rank(result);
}

/* Lists the legal moves in the order of the result so far. */
static void list_moves(struct searcher *searcher, const struct moves *moves, const struct search_result *result)
{
    searcher->n_moves = 0;
    for (unsigned i = 0; i < DIRECTION_COUNT; i++) {
        enum direction d = result->order[i];
        if (!(moves->legal >> d & 1))
            continue;
        struct root_move *move = &searcher->moves[searcher->n_moves++];
        move->direction = d;
        move->after = moves->after[d];
        move->reward = moves->reward[d];
    }
}

/* Step 4. The first ply is always finished; a single legal move needs no more, unless the settings give a depth. */
static void deepen(struct searcher *searcher, const struct moves *moves, struct search_result *result)
{
    unsigned last = searcher->settings.depth ? searcher->settings.depth
                    : searcher->n_moves == 1 ? 1
                                             : SEARCH_MAX_DEEPENING;
    uint64_t limit = (uint64_t)(searcher->settings.milliseconds * 1e6);
    searcher->deadline = 0;
    uint64_t deadline = clock_nanoseconds() + limit;
    search_to(searcher, 1, result);
    searcher->deadline = deadline;
    for (unsigned depth = 2; depth <= last && !is_stopped(searcher); depth++) {
        list_moves(searcher, moves, result);
        search_to(searcher, depth, result);
    }
    searcher->deadline = 0;
}

/* The plies that a depth of search_settings may lead to. */
static unsigned deepest(unsigned depth)
{
    return depth ? depth : SEARCH_MAX_DEEPENING;
}

void searcher_set_limit(struct searcher *searcher, unsigned depth, double milliseconds)
{
    searcher->settings.depth = depth;
    searcher->settings.milliseconds = milliseconds;
    assert(!search_settings_check(&searcher->settings));
    assert(deepest(depth) <= searcher->made_for);
}

/* A result without values, and the moves to search: those of the board that is evaluated in place of `board`. */
static struct search_result begin_result(const struct searcher *searcher, struct board board, struct moves *moves)
{
    *moves = grid_moves(searcher->grid, board);
    struct search_result result = search_result_begin(moves); /* the rewards are those of the board itself */
    unsigned downgrade = searcher->settings.downgrade;
    struct board evaluated = downgrade ? downgrade_board(board, downgrade) : board;
    if (!board_equal(evaluated, board))
        *moves = grid_moves(searcher->grid, evaluated);
    return result;
}

/* Leaves the board to the specialist, if it takes it. */
static bool choose_by_specialist(struct searcher *searcher, struct board board, struct search_result *result)
{
    const struct specialist *specialist = searcher->settings.specialist;
    if (!specialist || !specialist->takes(specialist->context, board))
        return false;
    const struct moves moves = grid_moves(searcher->grid, board);
    *result = search_result_begin(&moves);
    if (moves.legal)
        specialist->search(specialist->context, searcher->specialist, board, &searcher->settings, result);
    return true;
}

struct search_result searcher_search(struct searcher *searcher, struct board board)
{
    struct moves moves;
    struct search_result special;
    if (choose_by_specialist(searcher, board, &special))
        return special;
    struct search_result result = begin_result(searcher, board, &moves);
    for (unsigned i = 0; i < searcher->n_threads; i++)
        searcher->threads[i].n_leaves = 0;
    atomic_store_explicit(&searcher->stopped, false, memory_order_relaxed);
    list_moves(searcher, &moves, &result);
    if (searcher->settings.milliseconds > 0)
        deepen(searcher, &moves, &result);
    else
        search_to(searcher, searcher->settings.depth, &result);
    result.cancelled = is_stopped(searcher) && is_cancelled(searcher);
    for (unsigned i = 0; i < searcher->n_threads; i++)
        result.n_leaves += searcher->threads[i].n_leaves;
    return result;
}

/* At most BATCH_POSITIONS positions, level by level. */
static void search_piece(struct searcher *searcher, const struct board *boards, size_t n, struct search_result *results)
{
    struct position_batch *positions = searcher->positions;
    unsigned depth = searcher->settings.depth;
    uint64_t n_leaves = 0;
    size_t n_after = 0;
    for (size_t i = 0; i < n; i++) {
        results[i] = begin_result(searcher, boards[i], &positions->moves[i]);
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (results[i].legal >> d & 1)
                positions->after[n_after++] = positions->moves[i].after[d];
    }
    bool cancelled =
        !batch_search_values(searcher->batch, positions->after, n_after, depth - 1, 0, positions->values, &n_leaves);
    const float *value = positions->values;
    for (size_t i = 0; i < n; i++) {
        results[i].cancelled = cancelled;
        for (unsigned d = 0; d < DIRECTION_COUNT && !cancelled; d++)
            if (results[i].legal >> d & 1) {
                results[i].value[d] = (float)positions->moves[i].reward[d] + *value++;
                results[i].depth[d] = depth;
            }
        search_result_rank(&results[i]);
    }
}

void searcher_search_many(struct searcher *searcher, const struct board *boards, size_t n,
                          struct search_result *results)
{
    bool together = searcher->batch && !(searcher->settings.milliseconds > 0) && !searcher->settings.specialist;
    for (size_t i = 0; i < n && !together; i++)
        results[i] = searcher_search(searcher, boards[i]);
    for (size_t i = 0; i < n && together; i += BATCH_POSITIONS)
        search_piece(searcher, boards + i, n - i < BATCH_POSITIONS ? n - i : BATCH_POSITIONS, results + i);
}

static enum status open_threads(struct searcher *searcher)
{
    searcher->threads = memory_allocate(searcher->n_threads, sizeof *searcher->threads);
    if (!searcher->threads)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < searcher->n_threads; i++)
        searcher->threads[i].searcher = searcher;
    return searcher->n_threads > 1 ? workers_create(&searcher->workers, searcher->n_threads) : STATUS_OK;
}

static enum status open_batch(struct searcher *searcher)
{
    const struct search_settings *settings = &searcher->settings;
    struct batch_search_settings batch = {.grid = searcher->grid,
                                          .function = searcher->function,
                                          .prune = settings->prune,
                                          .table = searcher->table.entries ? &searcher->table : NULL,
                                          .workers = searcher->workers,
                                          .cancel = settings->cancel};
    searcher->positions = memory_allocate(1, sizeof *searcher->positions);
    if (!searcher->positions)
        return STATUS_NO_MEMORY;
    return batch_search_create(&searcher->batch, &batch, searcher->made_for - 1);
}

enum status searcher_create(struct searcher **out, const struct grid *grid, const struct value_function *function,
                            const struct search_settings *settings)
{
    *out = NULL;
    enum status status = search_settings_check(settings);
    if (!status && function->batch && settings->margin > 0)
        status =
            status_fail(STATUS_USAGE, "a margin does not go with a neural network, which evaluates level by level");
    if (status)
        return status;
    struct searcher *searcher = memory_allocate(1, sizeof *searcher);
    if (!searcher)
        return STATUS_NO_MEMORY;
    searcher->grid = grid;
    searcher->settings = *settings;
    searcher->made_for = deepest(settings->depth);
    searcher->function = *function;
    searcher->n_threads = settings->n_threads ? settings->n_threads : 1;
    status = open_threads(searcher);
    if (!status && settings->table_bytes)
        status = transposition_create(&searcher->table, settings->table_bytes);
    if (!status && settings->table_bytes && settings->milliseconds > 0)
        transposition_clear(&searcher->table); /* takes its pages now, not out of the time of a move */
    if (!status && function->batch)
        status = open_batch(searcher);
    if (!status && settings->specialist)
        status = settings->specialist->open(settings->specialist->context, &searcher->specialist);
    if (status) {
        searcher_free(searcher);
        return status;
    }
    *out = searcher;
    return STATUS_OK;
}

void searcher_free(struct searcher *searcher)
{
    if (!searcher)
        return;
    if (searcher->settings.specialist)
        searcher->settings.specialist->close(searcher->specialist);
    batch_search_free(searcher->batch);
    free(searcher->positions);
    workers_free(searcher->workers);
    free(searcher->threads);
    transposition_free(&searcher->table);
    free(searcher);
}
