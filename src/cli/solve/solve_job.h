/* solve_job: one solve with its forecast, notices and progress on stderr, as `solve` and `endgame build` run it. */
#ifndef AFTERSTATE_CLI_SOLVE_JOB_H
#define AFTERSTATE_CLI_SOLVE_JOB_H

#include "cli/frame/options.h"
#include "solve/solver.h"

#include <stdbool.h>

/*
 * Refuses what does not fit on disk or in memory, unless `force`; prints the forecast of a long solve; solves, until
 * Ctrl-C if that comes first (STATUS_INTERRUPTED, with the message that the same command resumes). *report is filled in
 * both cases. Sets where settings show progress and notices. Fails as forecast_check() and solve_run().
 */
enum status solve_job_run(struct solve_settings *settings, bool force, const struct common_options *common,
                          struct workers *workers, struct solve_report *report);

#endif
