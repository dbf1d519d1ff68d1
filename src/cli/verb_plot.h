/* verb_plot: learning curves as an SVG file. */
#ifndef AFTERSTATE_CLI_VERB_PLOT_H
#define AFTERSTATE_CLI_VERB_PLOT_H

#include "cli/verbs.h"

int verb_plot_run(const struct cli_context *context, int argc, char **argv);

#endif
