/*
 * Any bytes as the texts that studies leave and take: logs of runs, campaigns, growing networks, experiments of papers,
 * their results, banks of boards. The first byte says which; two texts of one study are parted by a NUL.
 */
#include "base/signals.h"
#include "fuzz_files.h"
#include "study/bank.h"
#include "study/campaign.h"
#include "study/grow.h"
#include "study/log_table.h"
#include "study/ranking.h"
#include "study/reproduce_table.h"
#include "study/training_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

static const struct grid *grid_4x4(void)
{
    static struct grid grid;
    if (!grid.rows && grid_create(&grid, 4, 4) != STATUS_OK)
        abort();
    return &grid;
}

static void read_log(const uint8_t *data, size_t n_bytes)
{
    struct log_table table;
    struct training_log log;
    char *text = fuzz_text(&data, &n_bytes);
    if (training_log_begin(&log, grid_4x4(), false) != STATUS_OK)
        abort();
    (void)training_log_restore(&log, text);
    training_log_free(&log);
    if (log_table_parse(&table, text, "fuzz") != STATUS_OK) /* takes the text */
        return;
    for (size_t i = 0; i < table.n_columns; i++) {
        struct log_curve curve = {0};
        const double *column = log_table_column(&table, table.names[i]);
        if (!column || log_table_curve(&table, table.numbers, column, column, &curve) != STATUS_OK ||
            curve.n > table.n_rows)
            abort();
        log_curve_free(&curve);
    }
    log_table_free(&table);
}

static void write_two(const char *first, const char *second, const uint8_t *data, size_t n_bytes)
{
    char *text = fuzz_text(&data, &n_bytes);
    fuzz_write(first, (const uint8_t *)text, strlen(text));
    fuzz_write(second, data, n_bytes);
    free(text);
}

/* A campaign that opens writes its experiments again, and they are then the same. */
static void read_campaign(const uint8_t *data, size_t n_bytes)
{
    struct campaign campaign, again;
    write_two("campaign.ini", "experiments.csv", data, n_bytes);
    if (campaign_open(&campaign, fuzz_folder()) != STATUS_OK)
        return;
    struct ranking ranking;
    if (campaign.settings.n_experiments <= 100 && campaign.list.n_tuples <= 100 &&
        ranking_compute(&ranking, &campaign, &(struct ranking_options){.minimum_norm = true}) == STATUS_OK)
        ranking_free(&ranking);
    uint64_t n_done = campaign_count_done(&campaign, false);
    if (campaign_write_experiments(&campaign) != STATUS_OK || campaign_open(&again, fuzz_folder()) != STATUS_OK ||
        campaign_count_done(&again, false) != n_done)
        abort();
    campaign_free(&again);
    campaign_free(&campaign);
}

/* A job that is asked to stop at once: it reads all there is, and trains nothing. */
static void read_grow(const uint8_t *data, size_t n_bytes)
{
    struct recipe *recipe;
    struct grow_result result;
    const struct training_report report = {.stream = stderr, .mode = PROGRESS_QUIET};
    write_two("grow.ini", "trials.csv", data, n_bytes);
    if (recipe_create(&recipe, &grow_table) != STATUS_OK)
        abort();
    signals_request_stop();
    if (recipe_load(recipe, fuzz_path("grow.ini")) == STATUS_OK) {
        (void)grow_run(recipe, fuzz_folder(), NULL, 1, 1e9, &report, &result);
        grow_result_free(&result);
    }
    signals_restore();
    recipe_free(recipe);
}

static void read_group(const uint8_t *data, size_t n_bytes)
{
    struct group *group;
    struct reproduce_table table;
    write_two("fuzz.ini", "run.txt", data, n_bytes);
    if (group_load(&group, fuzz_path("fuzz.ini")) != STATUS_OK)
        return;
    (void)group_is_complete(group);
    if (reproduce_table_create(&table, group, 1) != STATUS_OK)
        abort();
    char path[512];
    snprintf(path, sizeof path, "%s", fuzz_path("run.txt"));
    for (size_t row = 0; row < group->n_rows; row++) {
        struct reproduce_run *run = reproduce_table_run(&table, row, 0);
        if (reproduce_run_load(run, group, &group->rows[row], path) == STATUS_OK &&
            reproduce_run_save(run, group, &group->rows[row], fuzz_path("again.txt")) != STATUS_OK)
            abort();
    }
    if (reproduce_table_write_csv(&table, fuzz_path("table.csv")) != STATUS_OK)
        abort();
    reproduce_table_free(&table);
    group_free(group);
}

static void read_bank(const uint8_t *data, size_t n_bytes)
{
    struct bank bank;
    struct formation formation;
    fuzz_write("bank.txt", data, n_bytes);
    if (bank_read(&bank, grid_4x4(), fuzz_path("bank.txt")) == STATUS_OK) {
        if (!bank.n_boards)
            abort();
        bank_free(&bank);
    }
    char *text = fuzz_text(&data, &n_bytes);
    (void)formation_parse(&formation, text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static void (*const readers[])(const uint8_t *, size_t) = {read_log, read_campaign, read_grow, read_group,
                                                               read_bank};
    if (n_bytes == 0)
        return 0;
    fuzz_folder();
    readers[data[0] % 5](data + 1, n_bytes - 1);
    fuzz_empty_folder();
    return 0;
}
