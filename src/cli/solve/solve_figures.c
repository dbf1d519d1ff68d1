/* solve_figures: `solve --stats DIR --out FIGS`: statistics by age as CSV and charts. */
#include "cli/solve/solve_figures.h"

#include "base/signals.h"
#include "cli/frame/command.h"
#include "solve/query.h"
#include "study/age_statistics.h"

#include <stdlib.h>

/* None of the tables need have values: the index has the best value of each age. */
static enum status open_variant(const char *directory, enum solve_variant variant, const struct table *main_table,
                                struct table **out)
{
    if (!directory)
        return STATUS_OK;
    enum status status = table_open(out, directory);
    return status ? status : query_check_variant(*out, variant, main_table);
}

static enum status open_main(const char *directory, struct table **out)
{
    enum status status = table_open(out, directory);
    if (status)
        return status;
    enum solve_variant variant = table_summary(*out)->variant;
    if (variant != VARIANT_NORMAL)
        return status_fail(STATUS_INVALID, "%s: holds the %s variant, expected the normal one", directory,
                           solve_variant_names[variant]);
    return STATUS_OK;
}

static enum status report(const struct figures_options *options, const struct common_options *common,
                          const struct table_summary *summary, const struct age_statistics *ages, size_t n_ages)
{
    const char *charts[AGE_CHART_COUNT];
    size_t n_charts = age_statistics_charts(ages, n_ages, charts);
    if (!common->json) {
        printf("%zu ages: %s/ages.csv", n_ages, options->out);
        for (size_t i = 0; i < n_charts; i++)
            printf(", %s", charts[i]);
        putchar('\n');
        return STATUS_OK;
    }
    struct json json;
    json_begin(&json);
    json_add_text(&json, "out", options->out);
    json_add_unsigned(&json, "count", n_ages);
    table_summary_add_rules(&json, summary);
    return cli_print_json(&json);
}

enum status solve_figures(const struct figures_options *options, const struct common_options *common)
{
    struct table *opened[VARIANT_COUNT] = {0};
    struct workers *workers = NULL;
    struct age_statistics *ages = NULL;
    size_t n_ages = 0;
    enum status status = open_main(options->directory, &opened[VARIANT_NORMAL]);
    if (status)
        goto done;
    status = open_variant(options->optimistic, VARIANT_OPTIMISTIC, opened[VARIANT_NORMAL], &opened[VARIANT_OPTIMISTIC]);
    if (status)
        goto done;
    status =
        open_variant(options->pessimistic, VARIANT_PESSIMISTIC, opened[VARIANT_NORMAL], &opened[VARIANT_PESSIMISTIC]);
    if (status)
        goto done;
    status = signals_catch_interrupt();
    if (status)
        goto done;
    status = workers_create(&workers, options->threads);
    if (status)
        goto done;
    const struct table_summary *summary = table_summary(opened[VARIANT_NORMAL]);
    struct progress progress;
    progress_begin(&progress, stderr, common->progress, "statistics", "states", (double)summary->n_states);
    struct statistics_request request = {.table = opened[VARIANT_NORMAL],
                                         .optimistic = opened[VARIANT_OPTIMISTIC],
                                         .pessimistic = opened[VARIANT_PESSIMISTIC],
                                         .workers = workers,
                                         .progress = &progress};
    status = age_statistics_compute(&request, &ages, &n_ages);
    progress_end(&progress, NULL);
    if (!status)
        status = age_statistics_write(ages, n_ages, summary, options->out);
    if (status)
        goto done;
    status = report(options, common, table_summary(opened[VARIANT_NORMAL]), ages, n_ages);
done:
    free(ages);
    workers_free(workers);
    for (unsigned variant = 0; variant < VARIANT_COUNT; variant++)
        table_close(opened[variant]);
    return status;
}
