/*
 * The chart has a fixed size; the ranges of the axes follow from the data. Coordinates have one decimal, a tenth of a
 * pixel, so that a line of ten thousand points stays small.
 */
#include "study/plot.h"

#include "base/file.h"
#include "base/number_text.h"

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

/* Half the width of a point's interval, 0 where there is none. */
static double half_of(const struct plot_line *line, size_t i)
{
    return line->half && isfinite(line->half[i]) ? line->half[i] : 0;
}

/* The value's own size to both sides, so that a single value lies in the middle of its axis and 0 at its end. */
static void widen_single(double *min, double *max)
{
    double reach = *min == *max ? fabs(*min) : 0;
    *min -= reach;
    *max += *min == *max ? 1 : reach;
}

/* The ranges of the axes: those of the data, y widened to whole ticks. */
static void choose_ranges(struct drawing *drawing, const struct plot *plot)
{
    double x_min = INFINITY, x_max = -INFINITY, y_min = INFINITY, y_max = -INFINITY;
    for (size_t k = 0; k < plot->n_lines; k++) {
        for (size_t i = 0; i < plot->lines[k].n; i++) {
            const struct plot_line *line = &plot->lines[k];
            double x = line->x[i], y = on_axis(plot, line->y[i]), half = half_of(line, i);
            if (!isfinite(x) || !isfinite(y))
                continue;
            x_min = fmin(x_min, x);
            x_max = fmax(x_max, x);
            y_min = fmin(y_min, fmin(y, on_axis(plot, line->y[i] - half))); /* fmin() leaves out a NaN */
            y_max = fmax(y_max, on_axis(plot, line->y[i] + half));
        }
    }
    if (x_min > x_max) { /* not one point */
        x_min = y_min = 0;
        x_max = y_max = 1;
    }
    if (plot->y_from_zero && !plot->log_y)
        y_min = fmin(y_min, 0);
    widen_single(&x_min, &x_max);
    widen_single(&y_min, &y_max);
    double distance = plot->log_y ? 1 : plot_tick_distance((y_max - y_min) / Y_TICKS);
    drawing->x_min = x_min;
    drawing->x_max = x_max;
    drawing->y_min = floor(y_min / distance + 1e-9) * distance;
    drawing->y_max = ceil(y_max / distance - 1e-9) * distance;
}

/* Takes the zeros that end a fraction. */
static void trim_fraction(char *number)
{
    size_t used = strlen(number);
    while (strchr(number, '.') && strchr("0.", number[used - 1])) {
        bool point = number[--used] == '.';
        number[used] = 0;
        if (point)
            break;
    }
    if (strcmp(number, "-0") == 0)
        strcpy(number, "0");
}

/* 0.25, 1,500, 200k, 1.5M: with as many decimals as tell it from the next tick, in the unit that suits the largest one
   of its axis. */
static void format_tick(char out[NUMBER_TEXT_BYTES], double value, double distance, double largest)
{
    static const struct {
        double from, size;
        const char *letter;
    } units[] = {{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e5, 1e3, "k"}, {0, 1, ""}};
    unsigned unit = 0;
    while (fabs(largest) < units[unit].from)
        unit++;
    double scaled = value / units[unit].size, places = ceil(-log10(distance / units[unit].size) - 1e-9);
    int decimals = places > 0 ? (int)fmin(places, 12) : 0;
    if (fabs(scaled) >= 1000 && decimals <= 6)
        number_text_real(out, scaled, decimals);
    else
        snprintf(out, NUMBER_TEXT_BYTES, "%.*f", decimals, scaled);
    trim_fraction(out);
    if (strcmp(out, "0") != 0)
        strncat(out, units[unit].letter, NUMBER_TEXT_BYTES - strlen(out) - 1);
}

static void draw_y_tick(struct drawing *drawing, double y, const char *label)
{
    double at = place_y(drawing, y);
    draw(drawing, "<path class='grid' d='M%d %.1fH%d'/><text x='%d' y='%.1f' text-anchor='end'>%s</text>\n", LEFT, at,
         WIDTH - RIGHT, LEFT - 8, at + 4, label);
}

static void draw_axes(struct drawing *drawing, const struct plot *plot)
{
    char label[NUMBER_TEXT_BYTES];
    double distance = plot->log_y ? fmax(1, ceil((drawing->y_max - drawing->y_min) / Y_TICKS))
                                  : plot_tick_distance((drawing->y_max - drawing->y_min) / Y_TICKS);
    double first = ceil(drawing->y_min / distance - 1e-9);
    for (double i = first; i * distance <= drawing->y_max + distance * 1e-9; i++) {
        double y = i * distance;
        if (plot->log_y)
            format_tick(label, pow(10, y), pow(10, y), pow(10, y));
        else
            format_tick(label, y, distance, fmax(fabs(drawing->y_min), fabs(drawing->y_max)));
        draw_y_tick(drawing, y, label);
    }
    distance = plot_tick_distance((drawing->x_max - drawing->x_min) / X_TICKS);
    for (double i = ceil(drawing->x_min / distance - 1e-9); i * distance <= drawing->x_max + distance * 1e-9; i++) {
        double at = place_x(drawing, i * distance);
        format_tick(label, i * distance, distance, fmax(fabs(drawing->x_min), fabs(drawing->x_max)));
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

/* A piece of a line: the points from .. to - 1, all of which can be drawn. */
struct piece {
    size_t from, to;
};

/* Moves to the next piece of a line; false if there is none. It begins with a zeroed one. */
static bool next_piece(const struct plot *plot, const struct plot_line *line, struct piece *piece)
{
    size_t i = piece->to;
    while (i < line->n && !(isfinite(on_axis(plot, line->y[i])) && isfinite(line->x[i])))
        i++;
    piece->from = i;
    while (i < line->n && isfinite(on_axis(plot, line->y[i])) && isfinite(line->x[i]))
        i++;
    piece->to = i;
    return piece->from < piece->to;
}

/* The place of y + sign * its interval; a logarithmic axis has no lower end for what reaches down to 0. */
static double place_end(const struct drawing *drawing, const struct plot *plot, const struct plot_line *line, size_t i,
                        int sign)
{
    double end = on_axis(plot, line->y[i] + sign * half_of(line, i));
    return place_y(drawing, isfinite(end) ? end : drawing->y_min);
}

/* The interval of a piece: along the upper ends and back along the lower ones; of one point a bar. */
static void draw_band(struct drawing *drawing, const struct plot *plot, const struct plot_line *line,
                      const char *colour, struct piece piece)
{
    bool single = piece.to - piece.from == 1;
    draw(drawing, single ? "<path class='line' stroke='%s' d='" : "<path class='band' fill='%s' d='", colour);
    for (size_t i = piece.from; i < piece.to; i++)
        draw(drawing, "%s%.1f %.1f", i == piece.from ? "M" : "L", place_x(drawing, line->x[i]),
             place_end(drawing, plot, line, i, 1));
    for (size_t i = piece.to; i-- > piece.from;)
        draw(drawing, "L%.1f %.1f", place_x(drawing, line->x[i]), place_end(drawing, plot, line, i, -1));
    draw(drawing, "%s'/>\n", single ? "" : "Z");
}

/* A line and its bands; pieces of one point are dots. */
static void draw_line(struct drawing *drawing, const struct plot *plot, size_t k)
{
    const struct plot_line *line = &plot->lines[k];
    for (struct piece piece = {0}; line->half && next_piece(plot, line, &piece);)
        draw_band(drawing, plot, line, colours[k], piece);
    draw(drawing, "<path class='line' stroke='%s'%s d='", colours[k], line->dashed ? " stroke-dasharray='2 4'" : "");
    for (struct piece piece = {0}; next_piece(plot, line, &piece);)
        for (size_t i = piece.from; i < piece.to; i++)
            draw(drawing, "%s%.1f %.1f", i == piece.from ? "M" : "L", place_x(drawing, line->x[i]),
                 place_y(drawing, on_axis(plot, line->y[i])));
    draw(drawing, "'/>\n");
    for (struct piece piece = {0}; next_piece(plot, line, &piece);)
        if (piece.to - piece.from == 1)
            draw(drawing, "<circle fill='%s' cx='%.1f' cy='%.1f' r='4'/>\n", colours[k],
                 place_x(drawing, line->x[piece.from]), place_y(drawing, on_axis(plot, line->y[piece.from])));
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
         "<style>text{font:13px "
         "sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}.grid{stroke:#e4e4e4;fill:none}.axis{stroke:#444;"
         "fill:none}.guide{stroke:#999;stroke-dasharray:5 "
         "5;fill:none}.band{opacity:.16;stroke:none}.line{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-"
         "linecap:round}</style>\n"
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
