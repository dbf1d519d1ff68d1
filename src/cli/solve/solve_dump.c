/* solve_dump: `solve --dump DIR --age AGE --out FOLDER`: the boards of an age and their values for NumPy. */
#include "cli/solve/solve_dump.h"

#include "base/number_text.h"
#include "base/signals.h"
#include "cli/frame/command.h"
#include "study/age_dump.h"

#include <inttypes.h>

static enum status print_json(const struct dump_options *options, const struct table *table,
                              const struct dump_report *report)
{
    struct json json;
    char path[PATH_MAX];
    uint64_t n_files = 0;
    json_begin(&json);
    json_add_unsigned(&json, "age", options->age);
    table_summary_add_rules(&json, table_summary(table));
    json_add_unsigned(&json, "afterstates", report->n_afterstates);
    json_add_unsigned(&json, "states", report->n_states);
    json_open_array(&json, "files");
    for (unsigned file = 0; file < DUMP_FILES; file++) {
        if (!report->written[file] || age_dump_path(options->out, file, options->age, path))
            continue;
        json_add_text(&json, NULL, path);
        n_files++;
    }
    json_close(&json);
    json_add_unsigned(&json, "count", n_files);
    return cli_print_json(&json);
}

static void print_text(const struct dump_options *options, const struct dump_report *report)
{
    char path[PATH_MAX];
    printf("age %" PRIu32 ": %s afterstates, %s states\n", options->age, TEXT_OF_COUNT(report->n_afterstates),
           TEXT_OF_COUNT(report->n_states));
    for (unsigned file = 0; file < DUMP_FILES; file++)
        if (report->written[file] && !age_dump_path(options->out, file, options->age, path))
            puts(path);
}

enum status solve_dump(const struct dump_options *options, const struct common_options *common)
{
    struct table *table = NULL;
    struct workers *workers = NULL;
    struct dump_report report;
    enum status status = table_open(&table, options->directory);
    if (status)
        goto done;
    status = signals_catch_interrupt();
    if (status)
        goto done;
    status = workers_create(&workers, options->threads);
    if (status)
        goto done;
    struct progress progress;
    progress_begin(&progress, stderr, common->progress, "dump", "boards", (double)age_dump_boards(table, options->age));
    struct dump_request request = {
        .table = table, .workers = workers, .age = options->age, .folder = options->out, .progress = &progress};
    status = age_dump_write(&request, &report);
    progress_end(&progress, NULL);
    if (status)
        goto done;
    if (common->json)
        status = print_json(options, table, &report);
    else
        print_text(options, &report);
done:
    workers_free(workers);
    table_close(table);
    return status;
}
