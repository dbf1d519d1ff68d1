/*
 * progress: shows the progress of a long job: a bar with rate and time left on a terminal, a plain line now and then in
 * a log. Reporting must never harm the job, so failures to write it are ignored.
 *
 * The caller owns the struct and may put it on the stack; nothing in it needs freeing. One thread at a time uses it: a
 * pool's worker 0 reports for all.
 */
#ifndef AFTERSTATE_BASE_PROGRESS_H
#define AFTERSTATE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum progress_mode {
    PROGRESS_AUTO,  /* a bar if the stream is a terminal, lines otherwise */
    PROGRESS_BAR,   /* one line, redrawn at most 10 times a second */
    PROGRESS_LINES, /* a line after 2 seconds, then one every 10; nothing at all for a job shorter than 2 seconds */
    PROGRESS_QUIET, /* nothing */
};

/* Fields are private, but for `now` and `started`: a test may put its own clock there right after progress_begin(). */
struct progress {
    FILE *stream;
    enum progress_mode mode; /* never PROGRESS_AUTO after begin */
    const char *title, *unit;
    double total, first_done, done;
    double (*now)(void);
    double started, next_show, last_call, waited, shown_at, shown_done, rate;
    bool bar_visible;
};

/*
 * Starts a report on `stream` (not needed if quiet). `title` and `unit` ("moves") must stay valid until the end.
 * `total` is the done value of the whole job in units, 0 if unknown: then there is no percentage and no time left.
 */
void progress_begin(struct progress *progress, FILE *stream, enum progress_mode mode, const char *title,
                    const char *unit, double total);

/* A resumed job starts at `done`: what was done before this run does not count for the rate. */
void progress_resume(struct progress *progress, double done);

/*
 * `done` units are done in all (never fewer than before). `note`, may be NULL, is shown after the figures. Cheap: a
 * clock read unless an update of the display is due; still, call it every thousand moves, not every move.
 */
void progress_update(struct progress *progress, double done, const char *note);

/*
 * As progress_update() of the same `done`, while the job does something that is not counted in its units: the time
 * since the last call does not count for the rate. The time left allows for the same share of waiting as so far.
 */
void progress_wait(struct progress *progress, const char *note);

/*
 * Takes the bar away and prints one line of summary (a bar's always, in lines mode if the job took 2 seconds). `done`
 * is that of the last update; `note` may be NULL.
 */
void progress_end(struct progress *progress, const char *note);

#endif
