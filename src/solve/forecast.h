/*
 * forecast: what a solve will take, before it starts: time, memory and disk.
 *
 * The number of states of every board of at most 12 cells is known, but for 2x6, where it is estimated. How they are
 * spread over the ages, how many bits a board takes on disk and what the backward pass costs against the forward pass
 * was measured on solved boards; how fast this machine counts is measured in a moment. The results are good to some
 * tens of per cent: enough to refuse what cannot end.
 */
#ifndef AFTERSTATE_SOLVE_FORECAST_H
#define AFTERSTATE_SOLVE_FORECAST_H

#include "base/status.h"
#include "base/workers.h"
#include "solve/solve_settings.h"

#include <stdbool.h>
#include <stdint.h>

struct solve_forecast {
    double n_states;     /* of all ages that are wanted */
    bool estimated;      /* n_states is not known exactly */
    double work;         /* still to do, in units of counting one state */
    double memory_bytes; /* at most in use at once */
    double disk_bytes;   /* at most in use at once, beyond what the directory has now */
};

/* About how many states the ages up to to_age have (0: all ages); 0 for a board that cannot be solved. */
double forecast_states(unsigned rows, unsigned cols, uint32_t to_age);

/* The same for the board of settings, which may have walls: then an estimate, within a factor of four. */
double forecast_settings_states(const struct solve_settings *settings);

/* The work of a state after it is counted: the backward pass, moves, and the second forward pass of checkpoints. */
double forecast_backward_work(enum solve_store store, uint32_t checkpoint_every);

/*
 * The forecast of solve_run() with these settings and so many threads. What the directory already has is taken into
 * account. All zero where nothing is left to do, or where solve_run() will refuse the board or the directory.
 */
struct solve_forecast forecast_make(const struct solve_settings *settings, unsigned n_threads);

/* Counts the first ages of the board in memory for about a tenth of a second: states a second of the forward pass. */
enum status forecast_measure_rate(const struct solve_settings *settings, struct workers *workers,
                                  double *states_per_second);

/* Bytes that can be written below a directory, which need not exist yet. UINT64_MAX if the system does not say. */
uint64_t forecast_free_disk(const char *directory);

/*
 * Refuses a solve that needs more than the free disk (STATUS_IO) or than settings->memory_bytes (STATUS_NO_MEMORY). The
 * message says how much, and which other settings would fit.
 */
enum status forecast_check(const struct solve_forecast *forecast, const struct solve_settings *settings,
                           unsigned n_threads, uint64_t free_disk_bytes);

#endif
