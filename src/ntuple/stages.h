/*
 * stages: which set of tables judges a board. By tile thresholds (VSE, Guei): stage i once the i-th threshold is
 * reached by the largest tile. By bits (MASTER): the stage number's bits say which of the g tiles 32768, 16384, .. are
 * on the board; a duplicate counts as the next lower one that is not there yet.
 */
#ifndef AFTERSTATE_NTUPLE_STAGES_H
#define AFTERSTATE_NTUPLE_STAGES_H

#include "base/status.h"
#include "game/board.h"

#include <stdint.h>

enum { STAGES_MAX = 32 };

enum stages_kind { STAGES_ONE, STAGES_THRESHOLDS, STAGES_BITS };

struct stages {
    uint8_t kind; /* enum stages_kind */
    uint8_t n_stages;
    uint8_t n_bits;                /* STAGES_BITS: 1..5 */
    uint8_t threshold[STAGES_MAX]; /* STAGES_THRESHOLDS: exponents, ascending; threshold[0] is 0 */
};

/* Reads "1" (one stage), "0 32768" or "0 16384 32768" (thresholds), "bits 4". STATUS_INVALID otherwise. */
enum status stages_parse(struct stages *stages, const char *text);
/* The text that stages_parse() reads; out has room for 256 bytes. Returns out. */
char *stages_text(const struct stages *stages, char *out);

/* The stage of a board where there is more than one; use stages_of(). */
unsigned stages_of_many(const struct stages *stages, struct board board);

static inline unsigned stages_of(const struct stages *stages, struct board board)
{
    return stages->n_stages == 1 ? 0 : stages_of_many(stages, board);
}

#endif
