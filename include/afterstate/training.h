/*
 * afterstate/training.h: learning a network by a recipe. Included by afterstate.h, whose conventions hold.
 *
 * A run lives in a directory: recipe.ini, log.csv, checkpoint and network.net, as `afterstate train` writes them. It
 * can be stopped and continued at any time, by this library or the program.
 */
#ifndef AFTERSTATE_TRAINING_H
#define AFTERSTATE_TRAINING_H

#include <afterstate/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run under way. One thread at a time; it locks its directory against other processes. */
struct as_training;

struct as_training_settings {
    size_t size;                  /* sizeof(struct as_training_settings) */
    const char *recipe;           /* path of a recipe; NULL: that of the run in the directory */
    const char *directory;        /* made if it is not there; a run in it is continued */
    const char *const *overrides; /* "section.key=value" each, put over the recipe's; may be NULL */
    size_t n_overrides;
};

enum as_training_end {
    AS_TRAINING_DONE = 0,    /* all actions of the recipe */
    AS_TRAINING_BUDGET = 1,  /* the time is over */
    AS_TRAINING_STOPPED = 2, /* the callback returned a stop */
};

struct as_training_state {
    enum as_training_end end;
    uint64_t actions;         /* moves learned from, over all sessions */
    uint64_t planned_actions; /* of the recipe */
    uint64_t games;           /* finished, over all sessions */
    double seconds;           /* spent learning, over all sessions */
    double moves_per_second;  /* of learning, in the last session */
};

/*
 * Called some twenty times a second by the thread that called as_training_advance(). `message` is NULL, or a line on a
 * measurement, or a warning. A result that is not 0 stops the run, which is then saved.
 */
typedef int (*as_training_callback)(void *context, uint64_t actions, uint64_t planned_actions, const char *message);

/*
 * Opens a run: a new one, or the one that is in the directory. AS_IO, AS_INVALID for a recipe or directory that does
 * not make sense, AS_CORRUPT for a damaged checkpoint, AS_NO_MEMORY, AS_USAGE for NULL and where another process
 * has it locked; *out is then NULL.
 */
AS_API enum as_status as_training_open(struct as_training **out, const struct as_training_settings *settings);

/* Frees a run and unlocks its directory. Nothing is lost: as_training_advance() has saved. NULL is
   fine. */
AS_API void as_training_free(struct as_training *training);

/*
 * Learns for `budget_seconds` (0: to the end of the recipe), saves everything, and fills *state (may be NULL). callback
 * may be NULL. AS_IO if it could not be saved. May be called again; a run that is done returns at once.
 */
AS_API enum as_status as_training_advance(struct as_training *training, double budget_seconds,
                                          as_training_callback callback, void *context,
                                          struct as_training_state *state);

#ifdef __cplusplus
}
#endif

#endif
