/* campaign_file: the files of a campaign's directory: campaign.ini and experiments.csv. */
#ifndef AFTERSTATE_STUDY_CAMPAIGN_FILE_H
#define AFTERSTATE_STUDY_CAMPAIGN_FILE_H

#include "study/campaign.h"

/* Writes campaign.ini from the settings; `budget` as the user gave it, or NULL. */
enum status campaign_write_settings(const struct campaign_settings *settings, const char *budget,
                                    const char *directory);
/* Writes every done experiment; the file is replaced whole. */
enum status campaign_write_experiments(const struct campaign *campaign);
/* Reads experiments.csv, if it is there, into the campaign: lines beyond n_experiments are passed over, a line that is
   not of this campaign is STATUS_CORRUPT. */
enum status campaign_read_experiments(struct campaign *campaign);

#endif
