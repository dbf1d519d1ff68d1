/*
 * table_answers: what the server answers about solved tables. Figures age by age take from a second to hours: they are
 * computed once for each table, by a background thread that starts at the first request, and are kept.
 */
#ifndef AFTERSTATE_WEB_TABLE_ANSWERS_H
#define AFTERSTATE_WEB_TABLE_ANSWERS_H

#include "web/catalog.h"
#include "web/web_error.h"

struct table_answers;

enum status table_answers_create(struct table_answers **out, const struct catalog *catalog);
/* Stops the thread: within the time that the codes of one age take to unpack. NULL is fine. */
void table_answers_free(struct table_answers *answers);

/* Each gives JSON from malloc in *text. Any thread. */
enum http_code table_answers_all(const struct catalog *catalog, char **text);
enum http_code table_answers_one(const struct web_table *table, char **text);
/* Takes the board from the parameters. HTTP_NOT_FOUND if no game reaches it, or the table has no values. */
enum http_code table_answers_query(const struct web_table *table, struct board position, char **text);
enum http_code table_answers_take_position(const struct web_table *table, struct target *target,
                                           struct board *position);

/* HTTP_FINE, or HTTP_ACCEPTED (with *text too) while it is computed; or a failure. */
enum http_code table_answers_ages(struct table_answers *answers, const struct web_table *table, char **text);

#endif
