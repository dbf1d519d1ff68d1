/* report: progress and notices of long jobs (training_run.h) on stderr, as the common options want them. */
#ifndef AFTERSTATE_CLI_REPORT_H
#define AFTERSTATE_CLI_REPORT_H

#include "cli/frame/options.h"
#include "study/training_run.h"

/* A progress bar and all notices; with --quiet or --json warnings only. */
struct training_report cli_report(const struct common_options *common);

#endif
