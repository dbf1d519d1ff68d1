/*
 * network_header: what a network file says about itself before its weights, as one JSON text: the spec, and how the
 * network came to be. docs/FORMATS.md, "Network files", lists the members.
 */
#ifndef AFTERSTATE_NTUPLE_NETWORK_HEADER_H
#define AFTERSTATE_NTUPLE_NETWORK_HEADER_H

#include "base/status.h"
#include "ntuple/network.h"
#include "ntuple/weight_pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a network was trained. All texts may be NULL; zeroed it is the history of a network that nobody trained. */
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

struct network_info {
    struct network_spec spec;
    enum network_precision precision;
    uint64_t n_weights;
    uint64_t touched[STAGES_MAX]; /* of each stage: weights that differ from spec.initial */
};

/* The header in *text, which the caller frees. */
enum status network_header_write(const struct network_info *info, const struct network_history *history, char **text);

/*
 * Reads text[0 .. bytes-1], safe on any bytes. The spec is one that network_measure() takes, and n_weights is what it
 * gives. STATUS_CORRUPT or STATUS_INVALID with what is wrong; *history (may be NULL, else freed by the caller) is then
 * zeroed.
 */
enum status network_header_read(const char *text, size_t bytes, struct network_info *info,
                                struct network_history *history);

#endif
