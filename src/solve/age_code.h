/*
 * age_code: the set, the values and the moves of one age as bytes, as in the blocks of a table directory.
 * docs/FORMATS.md, "Solved boards", has the bytes.
 *
 * Sets and moves are cut in pieces of 4096 words of the bitmap (262,144 numbers), each coded alone: threads code and
 * decode pieces, and a look-up opens one piece only. Values are cut in groups of 1024, each with the width that its
 * largest needs above its smallest.
 *
 * Opening checks everything that keeps later calls within the bytes, whatever they are; whether they are the bytes that
 * were written, the checksum of the container says. Opened codes never change: threads may share them.
 */
#ifndef AFTERSTATE_SOLVE_AGE_CODE_H
#define AFTERSTATE_SOLVE_AGE_CODE_H

#include "base/status.h"
#include "base/workers.h"
#include "solve/age_set.h"
#include "solve/solve_rules.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CODE_HEADER_BYTES = 16, /* of every code: age, pieces or bits, members */
    CODE_PIECE_WORDS = 4096,
    CODE_VALUE_GROUP = 1024,
    CODE_MAX_FRACTION_BITS = 32,
    CODE_VALUE_BITS = 24,
    CODE_VALUE_BOUND = 1 << CODE_VALUE_BITS, /* values are below it */
};

/* Bytes of a code, from malloc. */
struct code_bytes {
    uint8_t *data;
    size_t bytes;
};

/* A code in pieces, of a set or of moves, open. Fields but age and n_members are private. */
struct piece_code {
    uint32_t age, n_pieces;
    uint64_t n_members;
    const uint8_t *directory, *data;
    size_t bytes;
    _Atomic uint64_t *checked; /* bit i: piece i was checked and is good; NULL: not remembered */
};

/*
 * From now on a piece of a set is checked at its first use only, not at each look-up: a bit for each piece remembers
 * it. Threads may share the code as before. STATUS_NO_MEMORY. End with piece_code_forget().
 */
enum status piece_code_remember(struct piece_code *code);
void piece_code_forget(struct piece_code *code); /* also for one that does not remember */

/* Frees and zeroes. NULL is fine. */
void code_bytes_free(struct code_bytes *code);

/* Whole pieces of an age, to be coded. */
struct coded_words {
    uint32_t age;
    const uint64_t *words;
    uint64_t n_words;
    bool holds_moves;           /* else a set */
    const uint8_t *moves;       /* of the members, in order; may be NULL if there are none */
    const uint32_t *first_move; /* [piece * first_move_step]: members in all pieces before */
    uint64_t first_move_step;
};

/* Codes them as if they were all of the age. STATUS_NO_MEMORY; *out is then empty. */
enum status piece_code_write(struct workers *workers, const struct coded_words *from, struct code_bytes *out);

/*
 * The code of an age from the codes of its parts, one after the other: n_parts of at least 1, each of whole pieces; for
 * values below of whole groups, but for the last that is not empty. STATUS_NO_MEMORY; *out is then empty.
 */
enum status piece_code_join(const struct code_bytes *parts, unsigned n_parts, struct code_bytes *out);
enum status value_code_join(const struct code_bytes *parts, unsigned n_parts, struct code_bytes *out);

/* Offsets in a code in pieces: bytes of header and directory, members before a piece and its first byte;
   `piece` may be n_pieces. */
size_t piece_code_directory_bytes(uint32_t n_pieces);
uint64_t piece_code_members_before(const struct piece_code *code, uint32_t piece);
size_t piece_code_offset(const struct piece_code *code, uint32_t piece);

/* ---- sets -------------------------------------------------------------------------------------------------------- */

/* Codes a counted set. STATUS_NO_MEMORY; *out is then empty. */
enum status set_code_write(struct workers *workers, const struct age_set *set, struct code_bytes *out);

/* Opens a code; the bytes must stay. STATUS_CORRUPT with the reason. */
enum status set_code_open(struct piece_code *out, const void *data, size_t bytes);

/* Fills a set of the same age that was just begun. STATUS_CORRUPT if the code holds what the age cannot. */
enum status set_code_read(const struct piece_code *code, struct workers *workers, struct age_set *set);

/* The same for some pieces only. */
enum status set_code_read_pieces(const struct piece_code *code, struct workers *workers, uint32_t first_piece,
                                 uint32_t end_piece, struct age_set *set);

/* Whether a number is in the set, and its position. STATUS_CORRUPT where its piece is no set. */
enum status set_code_find(const struct piece_code *code, uint64_t number, bool *found, uint64_t *position);

/* The number at a position, below n_members. */
enum status set_code_select(const struct piece_code *code, uint64_t position, uint64_t *number);

/* ---- values ------------------------------------------------------------------------------------------------------ */

/*
 * Codes values[0 .. n-1], none negative and in the form that the rules say, as multiples of 2^-fraction_bits, rounded
 * to the nearest. STATUS_NO_MEMORY; STATUS_CORRUPT where a value is not below CODE_VALUE_BOUND.
 */
enum status value_code_write(struct workers *workers, uint32_t age, const struct solve_rules *rules, const void *values,
                             uint64_t n, unsigned fraction_bits, struct code_bytes *out);

/* Fields are private. */
struct value_code {
    uint32_t age;
    unsigned fraction_bits;
    uint64_t n_values;
    const uint8_t *groups, *words;
    size_t n_words;
};

enum status value_code_open(struct value_code *out, const void *data, size_t bytes);

/* The value at a position below n_values. */
double value_code_get(const struct value_code *code, uint64_t position);

/* ---- moves ------------------------------------------------------------------------------------------------------- */

/*
 * Codes a move (an enum direction of the board that age_frame_board() gives) for each member of a ranked set of states
 * but those with MOVE_FORCED (evaluate.h), which follow from the rules. STATUS_NO_MEMORY.
 */
enum status move_code_write(struct workers *workers, const struct age_set *states, const uint8_t *moves,
                            struct code_bytes *out);

enum status move_code_open(struct piece_code *out, const void *data, size_t bytes);

/*
 * The move of a member's number; some direction for a member with a forced move and for any other number.
 * STATUS_CORRUPT where its piece is no map.
 */
enum status move_code_find(const struct piece_code *code, uint64_t number, unsigned *move);

/* The same for all members of a ranked set of the same age: moves[position]. */
enum status move_code_read(const struct piece_code *code, struct workers *workers, const struct age_set *states,
                           uint8_t *moves);

#endif
