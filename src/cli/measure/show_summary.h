/*
 * show_summary: the lines about scores and tiles that play and eval print.
 */
#ifndef AFTERSTATE_CLI_SHOW_SUMMARY_H
#define AFTERSTATE_CLI_SHOW_SUMMARY_H

#include "study/summary.h"

/* "+- 12.3 (95%)"; of one game "(interval unknown)". Returns out. */
enum { INTERVAL_TEXT_BYTES = 48 };
char *interval_text(char out[INTERVAL_TEXT_BYTES], double ci95, uint64_t n_games);

/* Mean, interval, median and extremes on one line, then a line for each tile worth showing. */
void show_summary(const struct summary *summary);

#endif
