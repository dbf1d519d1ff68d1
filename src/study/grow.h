/*
 * grow: builds a network tuple by tuple; each step adds the tuple with the largest measured gain.
 *
 * Oka and Matsuzaki (2016) rank tuples as if the gain of each did not depend on the others, and name a better selection
 * as future work: the best ten of such a ranking cover much the same cells. Here a step measures the gain. Every
 * remaining tuple is added to the chosen set, and each of these networks is trained from scratch for a few games (a
 * trial). Then follows successive halving: the worse half is dropped, the others are trained again from twice as many
 * games, until one is left. Each round costs about the same, so a step costs rounds x candidates x games.
 *
 * Trials start from scratch and not from the chosen set's weights: they measure the network that would be trained in
 * the end, they are independent of each other (order, threads, interruptions), and no weights are stored. The price is
 * that the old tuples are trained again in each.
 *
 *   DIR/grow.ini     the settings, resolved
 *   DIR/trials.csv   a line for each finished trial, from which a job resumes
 */
#ifndef AFTERSTATE_STUDY_GROW_H
#define AFTERSTATE_STUDY_GROW_H

#include "base/status.h"
#include "ntuple/tuple_list.h"
#include "study/grow_settings.h"
#include "study/trial_pool.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One tuple that was chosen. */
struct grow_step {
    uint16_t set; /* its cells */
    size_t n_candidates;
    uint64_t games;       /* of a trial in the last round */
    double score;         /* of the network with it, in the last round */
    double score_without; /* of the chosen set alone, as many games; NaN for the first tuple */
};

struct grow_result {
    struct grid grid;
    struct shape shape; /* the tuples chosen so far, the start first */
    unsigned n_values;  /* as in the settings */
    char vse[TRIAL_VSE_BYTES];
    unsigned n_steps;
    struct grow_step steps[SHAPE_MAX_TUPLES];
    uint64_t n_trials; /* run by this call */
    bool interrupted;
};

/*
 * Grows in `directory`, which holds nothing or the same job, which is then resumed: `recipe`, of grow_table, is written
 * there or compared with what is there (only grow.tuples may differ). Trials are the same bit for bit for any number of
 * threads, ranks and stops. On a cluster (NULL: none) this is for rank 0; the others serve (trial_pool.h). Free *result
 * with grow_result_free(), also after a failure.
 */
enum status grow_run(const struct recipe *recipe, const char *directory, const struct cluster *cluster,
                     unsigned n_threads, double keep_seconds, const struct training_report *report,
                     struct grow_result *result);
void grow_result_free(struct grow_result *result);

#endif
