/*
 * The chart has a fixed size; the ranges of the axes follow from the data. Coordinates have one decimal, a tenth of a
 * pixel, so that a line of ten thousand points stays small.
 */
#include "study/plot.h"

#include "base/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    WIDTH = 860,
    HEIGHT = 480,
    LEFT = 76,
    RIGHT = 24,
    TOP = 74,
    BOTTOM = 58,
    X_TICKS = 9, /* about as many */
    Y_TICKS = 7,
    TEXT_BYTES = 512,
};

/* Okabe and Ito's colours, without the yellow, which is too bright for lines. */
static const char *const colours[PLOT_MAX_LINES] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#000000"};

/* A file that keeps its first failure, so that drawing functions need not return one. */
struct drawing {
    struct file_writer *file;
    enum status status;
    double x_min, x_max, y_min, y_max; /* of the axes; y in decades if logarithmic */
};

__attribute__((format(printf, 2, 3))) static void draw(struct drawing *drawing, const char *format, ...)
{
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!drawing->status && n > 0)
        drawing->status =
            file_writer_append(drawing->file, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* Text between tags: the three characters that XML reads as something else are written out. */
static void draw_text(struct drawing *drawing, const char *text)
{
    for (; *text; text++) {
        const char *written = *text == '<' ? "&lt;" : *text == '>' ? "&gt;" : *text == '&' ? "&amp;" : NULL;
        if (written)
            draw(drawing, "%s", written);
        else
            draw(drawing, "%c", *text);
    }
}

double plot_tick_distance(double rough)
{
    double power = pow(10, floor(log10(rough)));
    static const double steps[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (rough <= steps[i] * power * (1 + 1e-9))
            return steps[i] * power;
    }
    return 10 * power;
}

static double place_x(const struct drawing *drawing, double x)
{
    return LEFT + (x - drawing->x_min) / (drawing->x_max - drawing->x_min) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct drawing *drawing, double y)
{
    return HEIGHT - BOTTOM - (y - drawing->y_min) / (drawing->y_max - drawing->y_min) * (HEIGHT - TOP - BOTTOM);
}

/* A y value as the axis has it; NaN where it cannot be drawn. */
static double on_axis(const struct plot *plot, double y)
{
    if (!plot->log_y)
        return y;
    return y > 0 ? log10(y) : NAN;
}

/* The ranges of the axes: those of the data, y widened to whole ticks. */
static void choose_ranges(struct drawing *drawing, const struct plot *plot)
{
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY;
    for (size_t k = 0; k < plot->n_lines; k++) {
        for (size_t i = 0; i < plot->lines[k].n; i++) {
            double x = plot->lines[k].x[i], y = on_axis(plot, plot->lines[k].y[i]);
            if (!isfinite(x) || !isfinite(y))
                continue;
            x_min = fmin(x_min, x);
            x_max = fmax(x_max, x);
            y_min = fmin(y_min, y);
            y_max = fmax(y_max, y);
        }
    }
    if (x_min > x_max) { /* not one point */
        x_min = y_min = 0;
        x_max = y_max = 1;
    }
    if (plot->y_from_zero && !plot->log_y)
        y_min = fmin(y_min, 0);
    if (x_min == x_max)
        x_max = x_min + 1;
    if (y_min == y_max)
        y_max = y_min + 1;
    double distance = plot->log_y ? 1 : plot_tick_distance((y_max - y_min) / Y_TICKS);
    drawing->x_min = x_min;
    drawing->x_max = x_max;
    drawing->y_min = floor(y_min / distance + 1e-9) * distance;
    drawing->y_max = ceil(y_max / distance - 1e-9) * distance;
}

/* 0.25, 1500, 20k, 3M: as few characters as the distance of ticks allows. */
static void format_tick(char *out, size_t n, double value, double distance)
{
    if (fabs(value) < distance / 1e6)
        snprintf(out, n, "0");
    else if (fabs(value) >= 1e9)
        snprintf(out, n, "%gG", value / 1e9);
    else if (fabs(value) >= 1e6)
        snprintf(out, n, "%gM", value / 1e6);
    else if (fabs(value) >= 1e4)
        snprintf(out, n, "%gk", value / 1e3);
    else
        snprintf(out, n, "%.10g", value);
}

static void draw_y_tick(struct drawing *drawing, double y, const char *label)
{
    double at = place_y(drawing, y);
    draw(drawing, "<path class='grid' d='M%d %.1fH%d'/><text x='%d' y='%.1f' text-anchor='end'>%s</text>\n", LEFT, at,
         WIDTH - RIGHT, LEFT - 8, at + 4, label);
}

static void draw_axes(struct drawing *drawing, const struct plot *plot)
{
    char label[32];
    double distance = plot->log_y ? fmax(1, ceil((drawing->y_max - drawing->y_min) / Y_TICKS))
                                  : plot_tick_distance((drawing->y_max - drawing->y_min) / Y_TICKS);
    double first = ceil(drawing->y_min / distance - 1e-9);
    for (double i = first; i * distance <= drawing->y_max + distance * 1e-9; i++) {
        double y = i * distance;
        format_tick(label, sizeof label, plot->log_y ? pow(10, y) : y, plot->log_y ? pow(10, y) : distance);
        draw_y_tick(drawing, y, label);
    }
    distance = plot_tick_distance((drawing->x_max - drawing->x_min) / X_TICKS);
    for (double i = ceil(drawing->x_min / distance - 1e-9); i * distance <= drawing->x_max + distance * 1e-9; i++) {
        double at = place_x(drawing, i * distance);
        format_tick(label, sizeof label, i * distance, distance);
        draw(drawing, "<path class='axis' d='M%.1f %dv5'/><text x='%.1f' y='%d' text-anchor='middle'>%s</text>\n", at,
             HEIGHT - BOTTOM, at, HEIGHT - BOTTOM + 19, label);
    }
    if (plot->x_guide > 0 && (drawing->x_max - drawing->x_min) / plot->x_guide < 64) {
        for (double i = ceil(drawing->x_min / plot->x_guide); i * plot->x_guide <= drawing->x_max; i++) {
            if (i > 0)
                draw(drawing, "<path class='guide' d='M%.1f %dV%d'/>\n", place_x(drawing, i * plot->x_guide), TOP,
                     HEIGHT - BOTTOM);
        }
    }
    draw(drawing, "<path class='axis' d='M%d %dV%dH%d'/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
}

/* The points of a line; pieces of one point are drawn as dots by the round ends of a line of length 0. */
static void draw_line(struct drawing *drawing, const struct plot *plot, size_t k)
{
    const struct plot_line *line = &plot->lines[k];
    bool pen_down = false;
    draw(drawing, "<path class='line' stroke='%s'%s d='", colours[k], line->dashed ? " stroke-dasharray='2 4'" : "");
    for (size_t i = 0; i < line->n; i++) {
        double y = on_axis(plot, line->y[i]);
        if (!isfinite(y) || !isfinite(line->x[i])) {
            pen_down = false;
            continue;
        }
        draw(drawing, "%s%.1f %.1f%s", pen_down ? "L" : "M", place_x(drawing, line->x[i]), place_y(drawing, y),
             pen_down ? "" : "h0");
        pen_down = true;
    }
    draw(drawing, "'/>\n");
}

static void draw_legend(struct drawing *drawing, const struct plot *plot)
{
    double x = LEFT;
    for (size_t k = 0; k < plot->n_lines; k++) {
        draw(drawing, "<path class='line' stroke='%s'%s d='M%.1f %dh26'/><text x='%.1f' y='%d'>", colours[k],
             plot->lines[k].dashed ? " stroke-dasharray='2 4'" : "", x, TOP - 20, x + 32, TOP - 16);
        draw_text(drawing, plot->lines[k].label);
        draw(drawing, "</text>\n");
        x += 60 + 7.0 * (double)strlen(plot->lines[k].label); /* about as wide as the letters */
    }
}

static void draw_all(struct drawing *drawing, const struct plot *plot)
{
    draw(drawing,
         "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d'>\n"
         "<style>text{font:13px sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}"
         ".grid{stroke:#e4e4e4;fill:none}.axis{stroke:#444;fill:none}"
         ".guide{stroke:#999;stroke-dasharray:5 5;fill:none}"
         ".line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}</style>\n"
         "<rect width='%d' height='%d' fill='#fff'/>\n<text class='title' x='%d' y='28'>",
         WIDTH, HEIGHT, WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    draw_text(drawing, plot->title);
    draw(drawing, "</text>\n");
    draw_axes(drawing, plot);
    draw(drawing, "<text x='%d' y='%d' text-anchor='middle'>", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14);
    draw_text(drawing, plot->x_label);
    draw(drawing, "</text>\n<text text-anchor='middle' transform='translate(18 %d) rotate(-90)'>",
         (TOP + HEIGHT - BOTTOM) / 2);
    draw_text(drawing, plot->y_label);
    draw(drawing, "</text>\n");
    for (size_t k = 0; k < plot->n_lines; k++)
        draw_line(drawing, plot, k);
    draw_legend(drawing, plot);
    draw(drawing, "</svg>\n");
}

enum status plot_write_svg(const struct plot *plot, const char *path)
{
    struct drawing drawing = {0};
    drawing.status = file_writer_open(&drawing.file, path);
    if (drawing.status)
        return drawing.status;
    choose_ranges(&drawing, plot);
    draw_all(&drawing, plot);
    if (!drawing.status)
        return file_writer_commit(drawing.file);
    file_writer_abort(drawing.file);
    return drawing.status;
}
