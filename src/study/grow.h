/*
 * grow: networks built tuple by tuple, each the one that was measured to help most beside those chosen before it.
 *
 * SELECT ranks tuples as if each were worth the same in every company, and names a better way of choosing as future
 * work: the best ten of such a ranking look at much the same cells. Here a step asks the question itself. Every tuple
 * that is left is added to the chosen set, and each of these networks learns from nothing for a few games (a trial).
 * Successive halving then spends the time where it is doubtful: the worse half is dropped, the others learn anew from
 * twice as many games, until one is left. Each round costs about the same, so a step costs rounds x candidates x games.
 *
 * Trials begin from nothing and not from the chosen set's weights: what is measured is the network one would train in
 * the end, a trial is independent of all others (any order, any number of threads, any stop), and no weights need to
 * be kept. The price is that the old tuples learn again in each.
 *
 *   DIR/grow.ini     the settings, resolved
 *   DIR/trials.csv   a line for each finished trial; what going on needs
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
    struct shape shape; /* what was chosen so far, the start first */
    unsigned n_values;  /* as in the settings */
    unsigned n_steps;
    struct grow_step steps[SHAPE_MAX_TUPLES];
    uint64_t n_trials; /* of this sitting */
    bool interrupted;
};

/*
 * Grows in `directory`, which holds nothing or the same job to go on with: `recipe`, of grow_table, is written there
 * or compared with what is there (only grow.tuples may differ). Trials are the same bit for bit for any number of
 * threads, ranks and stops. On a cluster (NULL: none) this is for rank 0; the others serve (trial_pool.h). Free *result
 * with grow_result_free(), also after a failure.
 */
enum status grow_run(const struct recipe *recipe, const char *directory, const struct cluster *cluster,
                     unsigned n_threads, double keep_seconds, const struct training_report *report,
                     struct grow_result *result);
void grow_result_free(struct grow_result *result);

#endif
