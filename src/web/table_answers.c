/* table_answers: what the server answers about solved tables. */
#include "web/table_answers.h"

#include "base/json.h"
#include "base/map_guard.h"
#include "base/memory.h"
#include "base/signals.h"
#include "game/notation.h"
#include "study/age_statistics.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void add_table(struct json *json, const struct web_table *entry)
{
    const struct table_summary *summary = table_summary(entry->table);
    json_add_text(json, "id", entry->id);
    json_add_unsigned(json, "rows", summary->rows);
    json_add_unsigned(json, "cols", summary->cols);
    json_add_text(json, "variant", solve_variant_names[summary->variant]);
    table_summary_add_rules(json, summary);
    if (summary->walls.cells) {
        json_add_unsigned(json, "starts", summary->n_starts);
        json_add_real(json, "best_start", summary->best_start);
    }
    json_add_flag(json, "values", entry->has_values);
    json_add_flag(json, "complete", summary->backward_done);
    json_add_unsigned(json, "states", summary->n_states);
    json_add_unsigned(json, "terminal_states", summary->n_terminal);
    json_add_unsigned(json, "afterstates", summary->n_afterstates);
    json_add_unsigned(json, "ages", table_n_ages(entry->table));
    json_add_unsigned(json, "bytes", table_bytes(entry->table));
    json_add_real(json, "expected_score", summary->expected_score); /* NaN, so null, before the solve has ended */
    json_open_array(json, "start_values");
    for (unsigned i = 0; i < TABLE_START_KINDS; i++)
        json_add_real(json, NULL, summary->start_value[i]);
    json_close(json);
}

enum http_code table_answers_all(const struct catalog *catalog, char **text)
{
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_unsigned(&json, "count", catalog->n_tables);
    json_open_array(&json, "tables");
    for (size_t i = 0; i < catalog->n_tables; i++) {
        json_open_object(&json, NULL);
        add_table(&json, &catalog->tables[i]);
        json_close(&json);
    }
    json_close(&json);
    return web_code_of(json_print_compact(&json, text));
}

enum http_code table_answers_one(const struct web_table *table, char **text)
{
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    add_table(&json, table);
    return web_code_of(json_print_compact(&json, text));
}

enum http_code table_answers_take_position(const struct web_table *table, struct target *target, struct board *position)
{
    const char *board = target_take(target, "board");
    if (!board)
        return web_fail(HTTP_BAD_REQUEST, "the parameter 'board' is missing");
    return notation_parse(table_grid(table->table), board, position) ? HTTP_BAD_REQUEST : target_finish(target);
}

enum http_code table_answers_query(const struct web_table *table, struct board position, char **text)
{
    struct query_answer answer;
    char digits[NOTATION_DIGITS_BYTES];
    if (!table->has_values)
        return web_fail(HTTP_NOT_FOUND, "the table %s has no values", table->id);
    enum status status = catalog_query(table, position, &answer);
    if (status)
        return status == STATUS_INVALID ? HTTP_NOT_FOUND : status == STATUS_IO ? HTTP_UNAVAILABLE : web_code_of(status);
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_text(&json, "table", table->id);
    json_add_text(&json, "board", notation_digits(table_grid(table->table), position, digits));
    json_add_unsigned(&json, "age", answer.age);
    json_add_text(&json, "variant", solve_variant_names[table_summary(table->table)->variant]);
    table_summary_add_rules(&json, table_summary(table->table));
    catalog_add_answer_json(&json, table, &answer, true);
    return web_code_of(json_print_compact(&json, text));
}

enum ages_state { AGES_UNKNOWN, AGES_WANTED, AGES_READY, AGES_FAILED };

struct ages_entry {
    enum ages_state state;
    atomic_ullong n_states; /* done */
    char *text;             /* the answer, or the message of a failure */
};

struct table_answers {
    const struct catalog *catalog;
    pthread_mutex_t lock; /* of all but the atomics */
    struct ages_entry entries[CATALOG_MAX_TABLES];
    pthread_t thread;
    bool thread_works;  /* it will look for wanted entries again before it ends */
    bool thread_exists; /* it was started and is not yet joined */
    atomic_bool cancel;
};

static enum status print_ages(const struct web_table *table, const struct age_statistics *ages, size_t n, char **text)
{
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_text(&json, "table", table->id);
    json_add_flag(&json, "ready", true);
    json_add_unsigned(&json, "count", n);
    json_open_object(&json, "columns");
    for (unsigned column = 0; column < AGE_COLUMN_COUNT; column++) {
        if (column == AGE_COLUMN_OPTIMISTIC || column == AGE_COLUMN_PESSIMISTIC)
            continue; /* needs tables of other variants */
        json_open_array(&json, age_column_names[column]);
        for (size_t i = 0; i < n; i++)
            json_add_real(&json, NULL, age_column_of(&ages[i], column));
        json_close(&json);
    }
    json_close(&json);
    return json_print_compact(&json, text);
}

struct ages_work {
    struct table_answers *answers;
    const struct web_table *table;
    struct ages_entry *entry;
    char *text;
};

/* One thread, this one: the searches of clients come first, and its faults are guarded. */
static enum status compute_ages(void *context)
{
    struct ages_work *work = context;
    struct workers *workers;
    struct age_statistics *ages = NULL;
    size_t n;
    enum status status = workers_create(&workers, 1);
    struct statistics_request request = {.table = work->table->table,
                                         .n_states = &work->entry->n_states,
                                         .cancel = &work->answers->cancel,
                                         .workers = workers};
    if (!status)
        status = age_statistics_compute(&request, &ages, &n);
    if (!status)
        status = print_ages(work->table, ages, n, &work->text);
    free(ages);
    workers_free(workers);
    return status;
}

static void *compute_wanted(void *context)
{
    struct table_answers *answers = context;
    pthread_mutex_lock(&answers->lock);
    for (size_t i = 0; i < answers->catalog->n_tables;) {
        struct ages_entry *entry = &answers->entries[i];
        if (entry->state != AGES_WANTED || atomic_load(&answers->cancel)) {
            i++;
            continue;
        }
        pthread_mutex_unlock(&answers->lock);
        struct ages_work work = {.answers = answers, .table = &answers->catalog->tables[i], .entry = entry};
        enum status status = map_guard_run(compute_ages, &work, work.table->id);
        char *text = status ? memory_copy_text(status_message()) : work.text;
        pthread_mutex_lock(&answers->lock);
        entry->text = text;
        entry->state = status ? AGES_FAILED : AGES_READY;
        i = 0; /* an earlier one may be wanted by now */
    }
    answers->thread_works = false;
    pthread_mutex_unlock(&answers->lock);
    return NULL;
}

/* With the lock held. */
static enum status want(struct table_answers *answers, struct ages_entry *entry)
{
    entry->state = AGES_WANTED;
    if (answers->thread_works)
        return STATUS_OK;
    if (answers->thread_exists)
        pthread_join(answers->thread, NULL); /* it has left its loop */
#ifdef __EMSCRIPTEN__                        /* no threads: the caller computes */
    answers->thread_works = true;
    pthread_mutex_unlock(&answers->lock);
    compute_wanted(answers);
    pthread_mutex_lock(&answers->lock);
    return STATUS_OK;
#endif
    int error = signals_start_thread(&answers->thread, compute_wanted, answers);
    answers->thread_works = answers->thread_exists = error == 0;
    if (!error)
        return STATUS_OK;
    entry->state = AGES_UNKNOWN;
    return status_fail(STATUS_NO_MEMORY, "cannot start a thread: %s", strerror(error));
}

static enum http_code print_waiting(const struct web_table *table, struct ages_entry *entry, char **text)
{
    struct json json;
    uint64_t n_states = table_summary(table->table)->n_states;
    json_begin(&json);
    json_add_unsigned(&json, "version", 1);
    json_add_text(&json, "table", table->id);
    json_add_flag(&json, "ready", false);
    json_add_real(&json, "done", n_states ? (double)atomic_load(&entry->n_states) / (double)n_states : 0);
    enum status status = json_print_compact(&json, text);
    return status ? web_code_of(status) : HTTP_ACCEPTED;
}

enum http_code table_answers_ages(struct table_answers *answers, const struct web_table *table, char **text)
{
    struct ages_entry *entry = &answers->entries[table - answers->catalog->tables];
    enum http_code code = HTTP_FINE;
    if (!table->has_values)
        return web_fail(HTTP_NOT_FOUND, "the table %s has no values", table->id);
    pthread_mutex_lock(&answers->lock);
    if (entry->state == AGES_UNKNOWN)
        code = web_code_of(want(answers, entry));
    if (code) {
        /* there is a message */
    } else if (entry->state == AGES_READY) {
        *text = memory_copy_text(entry->text);
        code = *text ? HTTP_FINE : HTTP_UNAVAILABLE;
    } else if (entry->state == AGES_FAILED) {
        code = web_fail(HTTP_SERVER_ERROR, "%s", entry->text ? entry->text : "no memory");
        free(entry->text);
        entry->text = NULL;
        entry->state = AGES_UNKNOWN; /* the next request tries again */
    } else {
        code = print_waiting(table, entry, text);
    }
    pthread_mutex_unlock(&answers->lock);
    return code;
}

enum status table_answers_create(struct table_answers **out, const struct catalog *catalog)
{
    struct table_answers *answers = memory_allocate(1, sizeof *answers);
    *out = answers;
    if (!answers)
        return STATUS_NO_MEMORY;
    answers->catalog = catalog;
    pthread_mutex_init(&answers->lock, NULL);
    return STATUS_OK;
}

void table_answers_free(struct table_answers *answers)
{
    if (!answers)
        return;
    atomic_store(&answers->cancel, true);
    if (answers->thread_exists)
        pthread_join(answers->thread, NULL);
    for (size_t i = 0; i < CATALOG_MAX_TABLES; i++)
        free(answers->entries[i].text);
    pthread_mutex_destroy(&answers->lock);
    free(answers);
}
