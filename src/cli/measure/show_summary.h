/*
 * show_summary: the lines about scores and tiles that play and eval print.
 */
#ifndef AFTERSTATE_CLI_SHOW_SUMMARY_H
#define AFTERSTATE_CLI_SHOW_SUMMARY_H

#include "study/summary.h"

/* Mean, interval, median and extremes on one line, then a line for each tile worth showing. */
void show_summary(const struct summary *summary);

#endif
