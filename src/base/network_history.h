/*
 * network_history: how a network, of whichever kind, was made, as the header of its file says.
 */
#ifndef AFTERSTATE_BASE_NETWORK_HISTORY_H
#define AFTERSTATE_BASE_NETWORK_HISTORY_H

#include "base/json.h"
#include "base/status.h"

#include <stdint.h>

/* How a network was trained. All texts may be NULL; a zeroed struct is the history of an untrained network. */
struct network_history {
    char *program;  /* the version of the program that trained it */
    char *recipe;   /* the resolved recipe, as INI text */
    char *measured; /* how the score was measured: "1-ply, 1000 games, seed 1"; NULL if it never was */
    char *notes;    /* anything else, lines of text */
    uint64_t actions, plays, seed;
    double score, score_ci95; /* the mean is score +- score_ci95; only with `measured` */
};

/* Frees the texts, which must then come from memory_allocate() and the like, and zeroes the struct. */
void network_history_free(struct network_history *history);

/* Adds a line to the notes. */
enum status network_history_note(struct network_history *history, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds the member "history". The score must be finite, see network_history_check(). */
void network_history_write(struct json *json, const struct network_history *history);
enum status network_history_check(const struct network_history *history);

/*
 * Reads the member "history" of a header into *history, which the caller frees even on failure: STATUS_CORRUPT, with
 * what is wrong. Control characters but ends of lines and tabs become '?'.
 */
enum status network_history_read(const struct cJSON *header, struct network_history *history);

#endif
