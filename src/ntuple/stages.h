/*
 * stages: chooses the set of tables that evaluates a board.
 *
 * By thresholds (Guei et al. 2022; Terauchi and Matsuzaki): stage i once the largest tile reaches the i-th threshold.
 * By bits (Jaskowski 2018): the bits of the stage number are set for those of the g tiles 32768, 16384, .. that are on
 * the board; a duplicate counts as the next lower tile that is missing. By sets of tiles: some of those 2^g stages,
 * each with all that follow until the next one named: "0 16384 16384+8192" divides only the game after 16384.
 */
#ifndef AFTERSTATE_NTUPLE_STAGES_H
#define AFTERSTATE_NTUPLE_STAGES_H

#include "base/status.h"
#include "game/board.h"

#include <stdbool.h>
#include <stdint.h>

enum { STAGES_MAX = 32, STAGES_TEXT_BYTES = 256 };

enum stages_kind { STAGES_ONE, STAGES_THRESHOLDS, STAGES_BITS, STAGES_SETS };

struct stages {
    uint8_t kind; /* enum stages_kind */
    uint8_t n_stages;
    uint8_t n_bits;                /* STAGES_BITS, STAGES_SETS: 1..5 */
    uint8_t threshold[STAGES_MAX]; /* STAGES_THRESHOLDS: exponents, ascending; threshold[0] is 0 */
    uint8_t first[STAGES_MAX];     /* STAGES_SETS: the first stage number by bits of each; first[0] is 0 */
    uint8_t of_bits[STAGES_MAX];   /* STAGES_BITS, STAGES_SETS: the stage of each stage number by bits */
};

/*
 * Parses "1" (one stage), "0 32768" or "0 16384 32768" (thresholds), "bits 4", "0 16384 16384+8192 32768" (sets).
 * STATUS_INVALID otherwise; *stages is then unchanged.
 */
enum status stages_parse(struct stages *stages, const char *text);
/* Writes the text for stages_parse() to out, which has STAGES_TEXT_BYTES. Returns out. */
char *stages_text(const struct stages *stages, char *out);

/* Whether both have the same text. */
bool stages_equal(const struct stages *a, const struct stages *b);

/* The tiles that a stage begins with, from cell 0 on, the largest first; the empty board for stage 0. */
struct board stages_first_tiles(const struct stages *stages, unsigned stage);
/*
 * Fills old_stage[stage of new] with the old stage that its first tiles belong to. Returns whether each new stage is
 * part of one old stage.
 */
bool stages_map(const struct stages *old, const struct stages *new, uint8_t old_stage[STAGES_MAX]);

/* For stages_of(), if there is more than one stage. */
unsigned stages_of_many(const struct stages *stages, struct board board);

/* The stage of a board. Thread-safe. */
static inline unsigned stages_of(const struct stages *stages, struct board board)
{
    return stages->n_stages == 1 ? 0 : stages_of_many(stages, board);
}

#endif
