/* show_summary: the lines about scores and tiles that play and eval print. */
#include "cli/measure/show_summary.h"

#include "base/number_text.h"
#include "game/notation.h"

#include <stdio.h>

char *interval_text(char out[INTERVAL_TEXT_BYTES], double ci95, uint64_t n_games)
{
    if (n_games > 1)
        snprintf(out, INTERVAL_TEXT_BYTES, "+- %s (95%%)", TEXT_OF_REAL(ci95, 1));
    else
        snprintf(out, INTERVAL_TEXT_BYTES, "(interval unknown)");
    return out;
}

void show_summary(const struct summary *summary)
{
    char interval[INTERVAL_TEXT_BYTES];
    printf("score: mean %s %s, median %s, min %s, max %s\n", TEXT_OF_REAL(summary->mean, 1),
           interval_text(interval, summary->ci95, summary->n_games), TEXT_OF_REAL(summary->median, 0),
           TEXT_OF_COUNT(summary->min), TEXT_OF_COUNT(summary->max));
    for (unsigned value = summary->first_tile; value <= summary->last_tile; value++)
        printf("  %6u reached by %5.1f%%  [%.1f, %.1f]\n", notation_face(value), 100 * summary->reached[value].rate,
               100 * summary->reached[value].low, 100 * summary->reached[value].high);
}
