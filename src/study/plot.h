/*
 * plot: line charts as SVG files: axes with round ticks, a faint grid, lines in colours that colour-blind people can
 * distinguish, a legend. No scripts and no embedded fonts.
 */
#ifndef AFTERSTATE_STUDY_PLOT_H
#define AFTERSTATE_STUDY_PLOT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { PLOT_MAX_LINES = 6 };

struct plot_line {
    const char *label;   /* in the legend */
    const double *x, *y; /* n points, x ascending; a point that is not finite interrupts the line */
    size_t n;
    bool dashed;
    const double *half; /* optional: half the width of the interval of each y, drawn as a band; NaN: unknown */
};

/* What is drawn; all texts and arrays are borrowed for the call. */
struct plot {
    const char *title, *x_label, *y_label; /* UTF-8 */
    struct plot_line lines[PLOT_MAX_LINES];
    size_t n_lines;
    bool log_y;       /* decades on the y axis; values that are not positive are left out */
    double x_guide;   /* vertical dashed lines at its multiples, 0 for none */
    bool y_from_zero; /* the y axis begins at 0 even if no value is near */
};

/* Writes the chart, replacing the file. STATUS_IO, STATUS_NO_MEMORY. A chart without any point is drawn empty. */
enum status plot_write_svg(const struct plot *plot, const char *path);

/* Rounds `rough` (positive, finite) up to 1, 2 or 5 times a power of ten: the distance of ticks. */
double plot_tick_distance(double rough);

#endif
