/*
 * stages: which set of tables judges a board. By tile thresholds (VSE, Guei): stage i once the i-th threshold is
 * reached by the largest tile. By bits (MASTER): the stage number's bits say which of the g tiles 32768, 16384, .. are
 * on the board; a duplicate counts as the next lower one that is not there yet. By sets of tiles: some of those 2^g
 * stages, each with all that come before the next one named. "0 16384 16384+8192" tells apart what comes after 16384
 * and spends nothing on what comes before.
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
    uint8_t first[STAGES_MAX];     /* STAGES_SETS: the number by bits with which each begins; first[0] is 0 */
    uint8_t of_bits[STAGES_MAX];   /* STAGES_BITS, STAGES_SETS: the stage of each number by bits */
};

/*
 * Reads "1" (one stage), "0 32768" or "0 16384 32768" (thresholds), "bits 4", "0 16384 16384+8192 32768" (sets).
 * STATUS_INVALID otherwise.
 */
enum status stages_parse(struct stages *stages, const char *text);
/* The text that stages_parse() reads; out has room for STAGES_TEXT_BYTES. Returns out. */
char *stages_text(const struct stages *stages, char *out);

/* Whether both divide boards in the same way, in the same words. */
bool stages_equal(const struct stages *a, const struct stages *b);

/* The tiles with which a stage begins, from cell 0 on, the largest first: the empty board for stage 0. */
struct board stages_first_tiles(const struct stages *stages, unsigned stage);
/*
 * Fills part_of[stage of new] with the old stage that its first tiles belong to. Returns whether each new stage is part
 * of one old stage, so that no board changes tables that were told apart.
 */
bool stages_map(const struct stages *old, const struct stages *new, uint8_t part_of[STAGES_MAX]);

/* The stage of a board where there is more than one; use stages_of(). */
unsigned stages_of_many(const struct stages *stages, struct board board);

static inline unsigned stages_of(const struct stages *stages, struct board board)
{
    return stages->n_stages == 1 ? 0 : stages_of_many(stages, board);
}

#endif
