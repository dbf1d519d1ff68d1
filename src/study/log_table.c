/* log_table: the columns of a CSV file of numbers with a header line, such as log.csv of a run. */
#include "study/log_table.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Cuts off the line at *at and moves *at to the next. */
static char *take_line(char **at)
{
    char *line = *at, *end = line + strcspn(line, "\n");
    *at = end + (*end != 0);
    if (end > line && end[-1] == '\r')
        end[-1] = 0;
    *end = 0;
    return line;
}

static size_t count_characters(const char *text, char wanted)
{
    size_t n = 0;
    for (; (text = strchr(text, wanted)) != NULL; text++)
        n++;
    return n;
}

static enum status read_header(struct log_table *table, char *line)
{
    size_t n = count_characters(line, ',') + 1;
    if (n > LOG_TABLE_MAX_COLUMNS)
        return status_fail(STATUS_CORRUPT, "%zu columns, expected at most %d", n, LOG_TABLE_MAX_COLUMNS);
    parse_split(line, ',', table->names, n); /* as many as there are commas */
    table->n_columns = n;
    return STATUS_OK;
}

static enum status read_row(struct log_table *table, char *line, size_t row, size_t n_room)
{
    char *fields[LOG_TABLE_MAX_COLUMNS];
    size_t number = row + 2; /* of the line, for people */
    if (!parse_split(line, ',', fields, table->n_columns))
        return status_fail(STATUS_CORRUPT, "line %zu has not the %zu fields of the header", number, table->n_columns);
    for (size_t c = 0; c < table->n_columns; c++) {
        double value = NAN;
        if (fields[c][0] && !parse_real(fields[c], &value))
            return status_fail(STATUS_CORRUPT, "line %zu: %s is '%.40s', expected a number", number, table->names[c],
                               fields[c]);
        table->numbers[c * n_room + row] = value;
    }
    return STATUS_OK;
}

static enum status read_all(struct log_table *table)
{
    char *at = table->text;
    size_t n_room = count_characters(at, '\n') + 1; /* more than there are rows */
    enum status status = read_header(table, take_line(&at));
    if (status)
        return status;
    table->numbers = memory_allocate(table->n_columns * n_room, sizeof *table->numbers);
    if (!table->numbers)
        return STATUS_NO_MEMORY;
    while (*at && !status) {
        bool whole = strchr(at, '\n') != NULL;
        char *line = take_line(&at);
        if (*line && (whole || count_characters(line, ',') + 1 == table->n_columns)) {
            status = read_row(table, line, table->n_rows, n_room);
            table->n_rows++;
        }
    }
    for (size_t c = 1; c < table->n_columns && !status; c++) /* close the gaps */
        memmove(table->numbers + c * table->n_rows, table->numbers + c * n_room,
                table->n_rows * sizeof *table->numbers);
    return status;
}

enum status log_table_read(struct log_table *table, const char *path)
{
    char *text;
    *table = (struct log_table){0};
    enum status status = file_read_text(path, &text);
    return status ? status : log_table_parse(table, text, path);
}

enum status log_table_parse(struct log_table *table, char *text, const char *name)
{
    *table = (struct log_table){.text = text};
    enum status status = read_all(table);
    if (status) {
        log_table_free(table);
        return status_context(status, "%s", name);
    }
    return STATUS_OK;
}

void log_table_free(struct log_table *table)
{
    free(table->text);
    free(table->numbers);
    *table = (struct log_table){0};
}

const double *log_table_column(const struct log_table *table, const char *name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (strcmp(table->names[c], name) == 0)
            return table->numbers + c * table->n_rows;
    return NULL;
}

enum status log_table_curve(const struct log_table *table, const double *x, const double *y, const double *half,
                            struct log_curve *curve)
{
    *curve = (struct log_curve){.x = memory_allocate(table->n_rows, sizeof *curve->x),
                                .y = memory_allocate(table->n_rows, sizeof *curve->y),
                                .half = memory_allocate(table->n_rows, sizeof *curve->half)};
    if (!curve->x || !curve->y || !curve->half)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < table->n_rows; i++)
        if (isfinite(y[i])) {
            curve->x[curve->n] = x[i];
            curve->half[curve->n] = half ? half[i] : NAN;
            curve->y[curve->n++] = y[i];
        }
    return STATUS_OK;
}

void log_curve_free(struct log_curve *curve)
{
    free(curve->x);
    free(curve->y);
    free(curve->half);
    *curve = (struct log_curve){0};
}
