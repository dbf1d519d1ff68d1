/* campaign_settings: the settings of a campaign (campaign.h), and their file campaign.ini. */
#ifndef AFTERSTATE_STUDY_CAMPAIGN_SETTINGS_H
#define AFTERSTATE_STUDY_CAMPAIGN_SETTINGS_H

#include "base/recipe.h"
#include "base/status.h"
#include "study/trial_settings.h"

#include <stdbool.h>
#include <stdint.h>

struct campaign_settings {
    struct trial trial; /* an experiment without its shape; the seed is the campaign's */
    unsigned cells;     /* of a tuple */
    bool connected;
    unsigned per_network;
    uint64_t n_experiments;   /* of all shards; 0 in a file means ten for each tuple, as in the paper */
    unsigned shard, n_shards; /* shard 1 .. n_shards has every n_shards-th experiment */
    char budget[64];          /* the time that the games were scaled to; "": they were given */
};

/* The keys of campaign.ini, for recipe_create(). */
extern const struct setting_table campaign_table;

/*
 * Reads the settings from a recipe of those keys, experiments resolved. STATUS_INVALID, naming the key, for
 * contradictions.
 */
enum status campaign_settings_resolve(struct campaign_settings *settings, const struct recipe *recipe);

/*
 * Whether a campaign created with `old` may resume with `now`: only the number of experiments may differ.
 * STATUS_INVALID, naming each key with both values.
 */
enum status campaign_check_same(const struct recipe *old, const struct recipe *now);

/* Reads the campaign.ini of a directory, resolved, and as a recipe for the caller to free, also after a failure. */
enum status campaign_read_settings(struct campaign_settings *settings, struct recipe **recipe, const char *directory);

/* Writes it; and removes it with the experiments of the directory. */
enum status campaign_write_settings(const struct campaign_settings *settings, const char *directory);
void campaign_remove_files(const char *directory);

#endif
