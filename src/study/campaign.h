/*
 * campaign: the experiment of Oka and Matsuzaki (2016): many networks, each of a few tuples chosen at random, are
 * trained, and their scores show what each tuple is worth (ranking.h).
 *
 *   DIR/campaign.ini            every setting, resolved
 *   DIR/experiments.csv         a line for each finished experiment, in order of their numbers
 *   DIR/experiment-N.checkpoint an interrupted experiment
 *
 * Experiment N of a campaign is fixed by its settings and N: its tuples, its seed, and so its score to the last bit. So
 * a campaign may be interrupted, resumed, lengthened, or spread over machines (shards), and its lines are those of one
 * uninterrupted campaign, except for the seconds.
 *
 * Tuples are dealt, not drawn: a shuffled deck of all tuples is dealt out network by network, then a freshly shuffled
 * one. After k decks each tuple was chosen k times, where independent draws would favour some by chance; else the
 * choice is as random. A tuple that would come twice in a network waits for the next.
 */
#ifndef AFTERSTATE_STUDY_CAMPAIGN_H
#define AFTERSTATE_STUDY_CAMPAIGN_H

#include "base/status.h"
#include "ntuple/tuple_list.h"
#include "study/campaign_settings.h"
#include "study/training_run.h"
#include "study/trial_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct campaign_experiment {
    bool done;
    uint16_t *tuples; /* per_network places in the list, ascending */
    uint64_t seed;
    struct trial_result result; /* of a done one */
};

struct campaign {
    struct campaign_settings settings;
    char *directory;
    struct grid grid;
    struct tuple_list list;
    struct campaign_experiment *experiments; /* n_experiments */
    uint16_t *choices;                       /* storage of their tuples */
    const struct cluster *cluster; /* set by the code that runs it; its other ranks serve (trial_pool.h); NULL: alone */
};

/*
 * The campaign of these settings with nothing done, without a directory: the tuples of each experiment. *campaign is
 * zeroed on failure. Free with campaign_free().
 */
enum status campaign_create(struct campaign *campaign, const struct campaign_settings *settings);
/* The campaign in a directory, with what is done. STATUS_IO, STATUS_INVALID, STATUS_CORRUPT. */
enum status campaign_open(struct campaign *campaign, const char *directory);
void campaign_free(struct campaign *campaign); /* a zeroed struct is fine */

/* Writes every done experiment to experiments.csv. The file is replaced whole, in order of their numbers, so that a
   crash leaves the old or the new one and equal campaigns have equal files. */
enum status campaign_write_experiments(const struct campaign *campaign);

/* Experiments that belong to the shard, and how many of them, or of all, are done. */
uint64_t campaign_count_own(const struct campaign *campaign);
uint64_t campaign_count_done(const struct campaign *campaign, bool own);

/* What experiment number i would train. */
enum status campaign_trial(const struct campaign *campaign, uint64_t i, struct trial *trial);

/*
 * Runs what is left of the shard on n_threads threads (0 all cores), one experiment a thread at a time, and writes
 * their lines. campaign->directory is set and holds campaign.ini. A signal (signals.h) stops it, saved:
 * totals->interrupted. keep_seconds is that of trial_pool.h. STATUS_NO_MEMORY before anything starts if so many
 * networks do not fit.
 */
enum status campaign_run(struct campaign *campaign, unsigned n_threads, double keep_seconds,
                         const struct training_report *report, struct trial_pool_totals *totals);

/*
 * The number of games of an experiment with which the shard takes `seconds` on n_threads threads, measured by pilots:
 * experiments that run in parallel for the time of one. Rounded to two digits. Pilots are not part of the campaign.
 */
enum status campaign_scale_games(const struct campaign *campaign, double seconds, unsigned n_threads,
                                 const struct training_report *report, uint64_t *games);

/*
 * Merges campaigns of the same settings (shards, or copies continued separately) into `directory`, which may hold one
 * of them or nothing. Returns it opened. STATUS_INVALID if they are not of one campaign or disagree about an
 * experiment.
 */
enum status campaign_merge(struct campaign *campaign, const char *directory, const char *const *parts, size_t n_parts);

#endif
