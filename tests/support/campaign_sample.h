/* campaign_sample: a campaign of the 3x3 board that takes a second, and comparisons of its files. */
#ifndef AFTERSTATE_TESTS_CAMPAIGN_SAMPLE_H
#define AFTERSTATE_TESTS_CAMPAIGN_SAMPLE_H

#include "scratch.h"

#include "base/file.h"
#include "study/campaign.h"

static const struct training_report sample_report = {.mode = PROGRESS_QUIET};

static inline struct campaign_settings sample_settings(void)
{
    return (struct campaign_settings){.trial.rows = 3,
                                      .trial.cols = 3,
                                      .cells = 3,
                                      .connected = true,
                                      .per_network = 2,
                                      .n_experiments = 11,
                                      .trial.games = 60,
                                      .trial.last_percent = 20,
                                      .trial.rate = 0.01,
                                      .trial.seed = 5,
                                      .shard = 1,
                                      .n_shards = 1};
}

/* A path in the scratch folder that stays; a few at a time. */
static inline const char *sample_folder(const char *name)
{
    static char paths[8][PATH_MAX];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, PATH_MAX, "%s", scratch_path(name));
    return path;
}

/* A new campaign in a folder, opened. */
static inline void sample_open(struct campaign *campaign, const struct campaign_settings *settings, const char *folder)
{
    assert_ok(file_make_directory(folder));
    assert_ok(campaign_write_settings(settings, folder));
    assert_ok(campaign_open(campaign, folder));
}

/* The text of a CSV in a folder without its last column, the seconds; the caller frees it. */
static inline char *sample_table(const char *folder, const char *name)
{
    char path[PATH_MAX], *text;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_ok(file_read_text(path, &text));
    char *to = text;
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), kept = length;
        while (kept > 0 && line[kept] != ',')
            kept--;
        memmove(to, line, kept);
        to += kept;
        *to++ = '\n';
        line += length + (line[length] == '\n');
    }
    *to = '\0';
    return text;
}

static inline void assert_same_table(const char *name, const char *folder, const char *other)
{
    char *a = sample_table(folder, name), *b = sample_table(other, name);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

#endif
