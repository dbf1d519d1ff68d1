#include "cli/measure/show_summary.h"

#include "game/notation.h"

#include <stdio.h>

void show_summary(const struct summary *summary)
{
    printf("score: mean %.1f +- %.1f (95%%), median %.0f, min %llu, max %llu\n", summary->mean, summary->ci95,
           summary->median, (unsigned long long)summary->min, (unsigned long long)summary->max);
    for (unsigned value = summary->first_tile; value <= summary->last_tile; value++)
        printf("  %6u reached by %5.1f%%  [%.1f, %.1f]\n", notation_face(value), 100 * summary->reached[value].rate,
               100 * summary->reached[value].low, 100 * summary->reached[value].high);
}
