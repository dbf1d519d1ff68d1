/* solve_figures: `solve --stats DIR --out FIGS`: statistics by age as CSV and charts. */
#ifndef AFTERSTATE_CLI_SOLVE_FIGURES_H
#define AFTERSTATE_CLI_SOLVE_FIGURES_H

#include "base/status.h"
#include "cli/frame/options.h"

struct figures_options {
    const char *directory;                /* the table */
    const char *optimistic, *pessimistic; /* tables of the variants, or NULL */
    const char *out;                      /* the folder to fill */
    unsigned threads;                     /* 0: all cores */
};

enum status solve_figures(const struct figures_options *options, const struct common_options *common);

#endif
