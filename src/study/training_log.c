/* training_log: log.csv of a run, one line for each measurement and each stop. */
#include "study/training_log.h"

#include "base/file.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 512, TILE_COLUMNS = 6, LAST_TILE = 16 };

static const char batch_columns[] = ",loss,loss_trend,gradient_norm,evaluating,learning";

static enum status append(struct training_log *log, const char *text)
{
    size_t more = strlen(text);
    char *grown = memory_resize(log->text, log->bytes + more + 1, 1);
    if (!grown)
        return STATUS_NO_MEMORY;
    memcpy(grown + log->bytes, text, more + 1);
    log->text = grown;
    log->bytes += more;
    return STATUS_OK;
}

static void add_text(char line[LINE_BYTES], const char *text)
{
    size_t used = strlen(line);
    snprintf(line + used, LINE_BYTES - used, "%s", text);
}

/* Appends a field, empty unless `there`. */
static void add_number(char line[LINE_BYTES], bool there, int decimals, double number)
{
    char field[64];
    add_text(line, ",");
    if (!there || !isfinite(number))
        return;
    snprintf(field, sizeof field, "%.*f", decimals, number);
    add_text(line, field);
}

enum status training_log_begin(struct training_log *log, const struct grid *grid, bool has_batches)
{
    char line[LINE_BYTES] = "actions,games,seconds,moves_per_second,training_mean,"
                            "eval_mean,eval_ci95,eval3_mean,eval3_ci95";
    unsigned last = grid->max_value < LAST_TILE ? grid->max_value : LAST_TILE;
    *log = (struct training_log){
        .first_tile = last > TILE_COLUMNS ? last - TILE_COLUMNS + 1 : 1, .last_tile = last, .has_batches = has_batches};
    for (unsigned tile = log->first_tile; tile <= last; tile++) {
        char name[32];
        snprintf(name, sizeof name, ",tile_%u", 1u << tile);
        add_text(line, name);
    }
    add_text(line, ",touched");
    add_text(line, has_batches ? batch_columns : "");
    add_text(line, "\n");
    return append(log, line);
}

/* Lines of a neural network's log of before it had losses: their fields stay empty. */
static enum status restore_early(struct training_log *log, const char *text)
{
    enum status status = STATUS_OK;
    for (const char *line = strchr(text, '\n') + 1; *line && !status; line += strcspn(line, "\n") + 1) {
        char padded[LINE_BYTES];
        snprintf(padded, sizeof padded, "%.*s,,,,,\n", (int)strcspn(line, "\n"), line);
        status = append(log, padded);
    }
    return status;
}

enum status training_log_restore(struct training_log *log, const char *text)
{
    size_t header = strcspn(log->text, "\n") + 1;
    if (log->has_batches) {
        size_t early = header - sizeof batch_columns; /* the NUL counts for the end of the line */
        if (strncmp(log->text, text, early) == 0 && text[early] == '\n' && text[strlen(text) - 1] == '\n')
            return restore_early(log, text);
    }
    if (strncmp(log->text, text, header) != 0)
        return status_fail(STATUS_CORRUPT, "the saved log has other columns than this program writes");
    free(log->text);
    log->text = NULL;
    log->bytes = 0;
    return append(log, text);
}

enum status training_log_add(struct training_log *log, const struct training_log_row *row)
{
    char line[LINE_BYTES];
    bool eval = row->eval.n_games > 0, eval3 = row->eval3.n_games > 0;
    const struct summary *tiles = eval ? &row->eval : &row->eval3;
    snprintf(line, sizeof line, "%llu,%llu", (unsigned long long)row->actions, (unsigned long long)row->games);
    add_number(line, true, 3, row->seconds);
    add_number(line, true, 0, row->moves_per_second);
    add_number(line, true, 1, row->training_mean);
    add_number(line, eval, 1, row->eval.mean);
    add_number(line, eval, 1, row->eval.ci95);
    add_number(line, eval3, 1, row->eval3.mean);
    add_number(line, eval3, 1, row->eval3.ci95);
    for (unsigned tile = log->first_tile; tile <= log->last_tile; tile++)
        add_number(line, eval || eval3, 4, tiles->reached[tile].rate);
    add_number(line, true, 6, row->touched);
    if (log->has_batches) {
        add_number(line, true, 2, row->batches.loss);
        add_number(line, true, 4, row->batches.loss_trend);
        add_number(line, true, 6, row->batches.gradient_norm);
        add_number(line, true, 3, row->batches.evaluating);
        add_number(line, true, 3, row->batches.learning);
    }
    add_text(line, "\n");
    return append(log, line);
}

uint64_t training_log_last_actions(const struct training_log *log)
{
    size_t line = log->bytes - 1; /* the line break that ends it */
    while (line > 0 && log->text[line - 1] != '\n')
        line--;
    return strtoull(log->text + line, NULL, 10); /* of the header line: 0 */
}

enum status training_log_write(const struct training_log *log, const char *path)
{
    return file_write_text(path, log->text);
}

void training_log_free(struct training_log *log)
{
    free(log->text);
    *log = (struct training_log){0};
}
