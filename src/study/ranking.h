/*
 * ranking: what each tuple of a campaign is worth, after Oka and Matsuzaki (2016): the score of a network is modelled
 * as the sum of partial scores of its tuples, and the partial scores are those that fit all experiments best (least
 * squares).
 *
 * The paper does not say how certain the order is. Here are three measures: the standard error of each partial score
 * from the residuals; an interval of each rank by the wild bootstrap (each experiment's residual, freed of the pull it
 * has on its own fit, with a random sign on top of the fitted score; it keeps the design, so no draw is singular, and
 * lets experiments of high scores scatter more); and Spearman's correlation between the rankings of two halves of the
 * campaign.
 */
#ifndef AFTERSTATE_STUDY_RANKING_H
#define AFTERSTATE_STUDY_RANKING_H

#include "base/progress.h"
#include "base/status.h"
#include "study/campaign.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ranked_tuple {
    size_t tuple;                     /* place in the campaign's list */
    uint64_t times;                   /* experiments that had it */
    double score, error;              /* partial score, its standard error (NaN: unknown) */
    size_t lowest_rank, highest_rank; /* 95% of the bootstrap, 1 is best; 0 without bootstrap */
};

struct ranking {
    size_t n_tuples, n_experiments;
    size_t determined;           /* rank of the system: below n_tuples the smallest solution is shown */
    struct ranked_tuple *tuples; /* best first */
    double median, deviation;    /* of partial scores; of an experiment from its fit (NaN: unknown) */
    double halves;               /* Spearman's correlation of two halves, NaN if a half determines too little */
};

/* With minimum_norm a system that does not determine all partial scores is solved all the same, by the smallest ones;
   without it that is STATUS_INVALID with a message that says so. */
struct ranking_options {
    bool minimum_norm;
    unsigned n_bootstrap;      /* draws; 0 none */
    uint64_t seed;             /* of the draws */
    struct progress *progress; /* optional; in draws */
};

/* Ranks by the experiments that are done. Free with ranking_free(). */
enum status ranking_compute(struct ranking *ranking, const struct campaign *campaign,
                            const struct ranking_options *options);
void ranking_free(struct ranking *ranking); /* a zeroed struct is fine */

/* Spearman's rank correlation of two series of n numbers (equal numbers share their mean rank); NaN if one of them is
   all equal or n < 2; NaN and a message only where there is no memory. */
double ranking_spearman(const double *a, const double *b, size_t n);

#endif
