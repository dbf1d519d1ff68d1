/* progress: a bar with rate and time left on a terminal, a plain line now and then in a log. */
#include "base/progress.h"

#include "base/clock.h"
#include "base/number_text.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_BYTES = 512, DEFAULT_COLUMNS = 80, MIN_BAR = 10, MAX_BAR = 40, NUMBER_BYTES = 32 };

static const double bar_interval = 0.1, first_line_after = 2, line_interval = 10;

/* The rate shown forgets the past with this time constant, in seconds: short enough to follow a job that slows down as
   its boards grow, long enough not to flicker. */
static const double rate_memory = 15;

void progress_begin(struct progress *progress, FILE *stream, enum progress_mode mode, const char *title,
                    const char *unit, double total)
{
    if (mode == PROGRESS_AUTO)
        mode = isatty(fileno(stream)) ? PROGRESS_BAR : PROGRESS_LINES;
    *progress = (struct progress){.stream = stream, .mode = mode, .title = title, .unit = unit, .total = total};
    progress->now = clock_seconds;
    progress->started = clock_seconds();
}

void progress_resume(struct progress *progress, double done)
{
    progress->first_done = progress->done = progress->shown_done = done;
}

static double average_rate(const struct progress *progress, double elapsed)
{
    return elapsed > 0 ? (progress->done - progress->first_done) / elapsed : 0;
}

static void update_rate(struct progress *progress, double elapsed)
{
    double span = elapsed - progress->shown_at;
    if (elapsed < rate_memory || span <= 0) {
        progress->rate = average_rate(progress, elapsed);
    } else {
        double recent = (progress->done - progress->shown_done) / span;
        progress->rate += (1 - exp(-span / rate_memory)) * (recent - progress->rate);
    }
    progress->shown_at = elapsed;
    progress->shown_done = progress->done;
}

/* The figures of a line, "42%  1.23 M moves/s  4m 05s, 2h 13m left  note", without title and bar. */
static void write_figures(const struct progress *progress, char *out, size_t n, double elapsed, const char *note)
{
    char done[NUMBER_TEXT_BYTES], rate[NUMBER_TEXT_BYTES], spent[NUMBER_TEXT_BYTES], left[NUMBER_TEXT_BYTES];
    number_text_amount(done, progress->done, progress->unit);
    number_text_rate(rate, progress->rate, progress->unit);
    number_text_duration(spent, elapsed);
    const char *gap = note && *note ? "  " : "";
    note = note ? note : "";
    if (progress->total > 0) {
        double fraction = fmin(progress->done / progress->total, 1);
        double missing = fmax(progress->total - progress->done, 0);
        double waiting = elapsed > progress->waited ? elapsed / (elapsed - progress->waited) : 1;
        number_text_duration(left, progress->rate > 0 ? missing / progress->rate * waiting : INFINITY);
        snprintf(out, n, "%3.0f%%  %s  %s, %s left%s%s", floor(100 * fraction), rate, spent, left, gap, note);
    } else {
        snprintf(out, n, "%s  %s  %s%s%s", done, rate, spent, gap, note);
    }
}

static size_t terminal_columns(FILE *stream)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return DEFAULT_COLUMNS;
}

/* Cuts text to `columns`, not within a UTF-8 sequence. Each byte is counted as a column: too short at worst. */
static void cut_text(char *text, size_t columns)
{
    if (strlen(text) <= columns)
        return;
    while (columns > 0 && ((unsigned char)text[columns] & 0xc0) == 0x80)
        columns--;
    text[columns] = '\0';
}

/* "[####......] " of `width` columns in all, or nothing where it would be too narrow to tell anything. */
static void write_bar(char *out, size_t width, double fraction)
{
    out[0] = '\0';
    if (width < MIN_BAR)
        return;
    size_t inside = (width < MAX_BAR ? width : MAX_BAR) - 3;
    size_t filled = (size_t)(fraction * (double)inside);
    out[0] = '[';
    memset(out + 1, '#', filled);
    memset(out + 1 + filled, '.', inside - filled);
    memcpy(out + 1 + inside, "] ", 3);
}

static void show_bar(struct progress *progress, const char *figures)
{
    char bar[MAX_BAR + 1] = "", line[2 * LINE_BYTES];
    /* A line that fills the last column makes some terminals wrap, and then the redraw leaves a trail. */
    size_t columns = terminal_columns(progress->stream) - 1;
    size_t used = strlen(progress->title) + 1 + strlen(figures);
    if (progress->total > 0 && used < columns)
        write_bar(bar, columns - used, fmax(0, fmin(progress->done / progress->total, 1)));
    snprintf(line, sizeof line, "%s %s%s", progress->title, bar, figures);
    cut_text(line, columns);
    fprintf(progress->stream, "\r%s\033[K", line);
    fflush(progress->stream);
    progress->bar_visible = true;
}

/* Shows a line if one is due at `elapsed`. */
static void show(struct progress *progress, double elapsed, const char *note)
{
    if (progress->next_show == 0)
        progress->next_show = progress->mode == PROGRESS_BAR ? bar_interval : first_line_after;
    if (elapsed < progress->next_show)
        return;
    progress->next_show = elapsed + (progress->mode == PROGRESS_BAR ? bar_interval : line_interval);
    update_rate(progress, elapsed - progress->waited);
    char figures[LINE_BYTES];
    write_figures(progress, figures, sizeof figures, elapsed, note);
    if (progress->mode == PROGRESS_BAR) {
        show_bar(progress, figures);
    } else {
        fprintf(progress->stream, "%s: %s\n", progress->title, figures);
        fflush(progress->stream);
    }
}

void progress_update(struct progress *progress, double done, const char *note)
{
    progress->done = done;
    if (progress->mode == PROGRESS_QUIET)
        return;
    progress->last_call = progress->now() - progress->started;
    show(progress, progress->last_call, note);
}

void progress_wait(struct progress *progress, const char *note)
{
    if (progress->mode == PROGRESS_QUIET)
        return;
    double elapsed = progress->now() - progress->started;
    progress->waited += elapsed - progress->last_call;
    progress->last_call = elapsed;
    show(progress, elapsed, note);
}

void progress_end(struct progress *progress, const char *note)
{
    double elapsed = progress->mode == PROGRESS_QUIET ? 0 : progress->now() - progress->started;
    if (progress->mode == PROGRESS_QUIET || (progress->mode == PROGRESS_LINES && elapsed < first_line_after))
        return;
    char done[NUMBER_TEXT_BYTES], rate[NUMBER_TEXT_BYTES], spent[NUMBER_TEXT_BYTES];
    number_text_amount(done, progress->done, progress->unit);
    number_text_rate(rate, average_rate(progress, elapsed - progress->waited), progress->unit);
    number_text_duration(spent, elapsed);
    fprintf(progress->stream, "%s%s: %s in %s (%s)%s%s\n", progress->bar_visible ? "\r\033[K" : "", progress->title,
            done, spent, rate, note && *note ? "  " : "", note ? note : "");
    fflush(progress->stream);
    progress->bar_visible = false;
}
