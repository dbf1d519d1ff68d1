/*
 * log_table: the columns of a CSV file of numbers with a header line, such as log.csv of a run. Reading is safe on any
 * bytes. Threads may share a table that is read.
 */
#ifndef AFTERSTATE_STUDY_LOG_TABLE_H
#define AFTERSTATE_STUDY_LOG_TABLE_H

#include "base/status.h"

#include <stddef.h>

enum { LOG_TABLE_MAX_COLUMNS = 64 };

/* Owns all it points to; zeroed is an empty one. */
struct log_table {
    char *text; /* the header line, cut into names */
    char *names[LOG_TABLE_MAX_COLUMNS];
    size_t n_columns, n_rows;
    double *numbers; /* columns one after the other, n_rows each; NaN where a field is empty */
};

/*
 * Reads a file. STATUS_IO if that fails; STATUS_CORRUPT, with the line, if it has more than LOG_TABLE_MAX_COLUMNS
 * columns, a line has more or fewer fields than the header, or a field is no number; *table is then empty. An
 * incomplete last line is being written and is ignored.
 */
enum status log_table_read(struct log_table *table, const char *path);
/* The same from the text of a file, from malloc, which it owns from now on, also on failure. */
enum status log_table_parse(struct log_table *table, char *text, const char *name);
void log_table_free(struct log_table *table); /* a zeroed struct is fine */

/* The n_rows numbers of a column; NULL if there is none of that name. */
const double *log_table_column(const struct log_table *table, const char *name);

/* Points for a line of a chart. Owns its lists; zeroed is an empty one. */
struct log_curve {
    double *x, *y, *half; /* half the interval of y, NaN where unknown */
    size_t n;
};

/* The rows in which y is a number: one without a measurement does not interrupt a line. x, y and half are columns of
   the table, half may be NULL. STATUS_NO_MEMORY. To be freed in every case. */
enum status log_table_curve(const struct log_table *table, const double *x, const double *y, const double *half,
                            struct log_curve *curve);
void log_curve_free(struct log_curve *curve);

#endif
