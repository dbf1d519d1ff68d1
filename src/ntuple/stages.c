/*
 * Each evaluation needs the stage, so both kinds work on all 16 nibbles at once.
 *
 * Thresholds: the largest nibble in four steps, highest bit first: the cells that have the bit, if any, stay
 * candidates. Tried: testing first whether any nibble reaches the second threshold, by adding to all of them and
 * testing the carries; it took as long as the four steps.
 *
 * Bits: five popcounts of masks count the cells with 15, 14, .. 11; if there is more than one tile of an exponent, the
 * rest carries over to the next lower one. Most boards of a game have no tile of 4096 or more, which one mask tests.
 * Sets are a table over the stage numbers by bits.
 */
#include "ntuple/stages.h"

#include "base/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { BITS_MAX = 5, LARGEST_BIT = 15, SMALLEST_BIT = LARGEST_BIT - BITS_MAX + 1 };
_Static_assert(1 << BITS_MAX == STAGES_MAX, "five bits fill the stages");

static unsigned largest_value(struct board board)
{
    if (__builtin_expect(board.high != 0, 0))
        return board.high & UINT32_C(0xaaaaaaaa) ? 17 : 16;
    uint64_t candidates = BOARD_LOW_BITS;
    unsigned largest = 0;
    for (unsigned bit = 4; bit-- > 0;) {
        uint64_t with = candidates & board.cells >> bit;
        candidates = with ? with : candidates;
        largest |= (unsigned)(with != 0) << bit;
    }
    return largest;
}

static unsigned stage_of_thresholds(const struct stages *stages, struct board board)
{
    unsigned largest = largest_value(board);
    unsigned stage = stages->n_stages - 1U;
    while (stages->threshold[stage] > largest) /* threshold[0] is 0 */
        stage--;
    return stage;
}

static unsigned stage_of_bits(unsigned n_bits, uint64_t cells)
{
    uint64_t b0 = cells, b1 = cells >> 1, b2 = cells >> 2, b3 = cells >> 3 & BOARD_LOW_BITS;
    uint64_t from_12 = b3 & b2;
    if (from_12 == 0 && n_bits < BITS_MAX)
        return 0;
    uint64_t of[BITS_MAX] = {from_12 & b1 & b0, from_12 & b1 & ~b0, from_12 & ~b1 & b0, from_12 & ~b1 & ~b0,
                             b3 & ~b2 & b1 & b0}; /* of[i]: the cells with value 15 - i */
    unsigned stage = 0, n_tiles = 0;
    for (unsigned i = 0; i < n_bits; i++) {
        n_tiles += (unsigned)__builtin_popcountll(of[i]);
        unsigned set = n_tiles > 0;
        stage = stage << 1 | set;
        n_tiles -= set;
    }
    return stage;
}

unsigned stages_of_many(const struct stages *stages, struct board board)
{
    return stages->kind == STAGES_THRESHOLDS ? stage_of_thresholds(stages, board)
                                             : stages->of_bits[stage_of_bits(stages->n_bits, board.cells)];
}

bool stages_equal(const struct stages *a, const struct stages *b)
{
    char text_a[STAGES_TEXT_BYTES], text_b[STAGES_TEXT_BYTES];
    return strcmp(stages_text(a, text_a), stages_text(b, text_b)) == 0;
}

struct board stages_first_tiles(const struct stages *stages, unsigned stage)
{
    struct board board = {0};
    if (stages->kind == STAGES_ONE)
        return board;
    if (stages->kind == STAGES_THRESHOLDS)
        return board_set(board, 0, stages->threshold[stage]);
    unsigned number = stages->kind == STAGES_SETS ? stages->first[stage] : stage;
    for (unsigned i = 0, cell = 0; i < stages->n_bits; i++)
        if (number >> (stages->n_bits - 1 - i) & 1)
            board = board_set(board, cell++, LARGEST_BIT - i);
    return board;
}

static bool begins_same(const struct stages *a, unsigned stage_a, const struct stages *b, unsigned stage_b)
{
    struct board first = stages_first_tiles(a, stage_a), other = stages_first_tiles(b, stage_b);
    return first.cells == other.cells && first.high == other.high;
}

bool stages_map(const struct stages *old, const struct stages *new, uint8_t old_stage[STAGES_MAX])
{
    memset(old_stage, 0, STAGES_MAX);
    for (unsigned i = 0; i < new->n_stages; i++)
        old_stage[i] = (uint8_t)stages_of(old, stages_first_tiles(new, i));
    bool all = true; /* each old stage begins where a new one does */
    for (unsigned i = 0; i < old->n_stages; i++)
        all &= begins_same(old, i, new, stages_of(new, stages_first_tiles(old, i)));
    return all;
}

/* The exponent of a tile, 0 for 0; -1 if there is no such tile. */
static int exponent_of(int64_t tile)
{
    if (tile == 0)
        return 0;
    for (int value = 1; value <= BOARD_MAX_VALUE; value++)
        if (tile == INT64_C(1) << value)
            return value;
    return -1;
}

#define EXPECTED "expected \"1\", \"0 16384 32768\", \"bits 4\" or \"0 16384 16384+8192\""

static enum status parse_thresholds(struct stages *stages, const char *text, char *words)
{
    char *rest = NULL;
    for (char *word = strtok_r(words, " ,\t", &rest); word; word = strtok_r(NULL, " ,\t", &rest)) {
        int64_t number;
        int value = parse_integer(word, &number) ? exponent_of(number) : -1;
        if (value < 0)
            return status_fail(STATUS_INVALID, "stages '%s': '%s' is not a tile; " EXPECTED, text, word);
        if (stages->n_stages == 0 ? value != 0 : value <= stages->threshold[stages->n_stages - 1])
            return status_fail(STATUS_INVALID, "stages '%s': '%s', expected 0 first and then larger and larger tiles",
                               text, word);
        stages->threshold[stages->n_stages++] = (uint8_t)value; /* at most 18, since they ascend */
    }
    if (stages->n_stages < 2)
        return status_fail(STATUS_INVALID, "stages '%s': " EXPECTED, text);
    return STATUS_OK;
}

/* "16384+8192" as a number of BITS_MAX bits, "0" as 0; -1 if it is no such set. Changes the word. */
static int set_number(char *word)
{
    if (strcmp(word, "0") == 0)
        return 0;
    int number = 0, before = LARGEST_BIT + 1;
    char *rest = NULL;
    for (char *tile = strtok_r(word, "+", &rest); tile; tile = strtok_r(NULL, "+", &rest)) {
        int64_t parsed;
        int value = parse_integer(tile, &parsed) ? exponent_of(parsed) : -1;
        if (value < SMALLEST_BIT || value >= before)
            return -1;
        number |= 1 << (value - SMALLEST_BIT);
        before = value;
    }
    return number;
}

static enum status parse_sets(struct stages *stages, const char *text, char *words)
{
    unsigned number[STAGES_MAX], all = 0;
    char *rest = NULL;
    for (char *word = strtok_r(words, " ,\t", &rest); word; word = strtok_r(NULL, " ,\t", &rest)) {
        int is = set_number(word);
        if (is < 0)
            return status_fail(STATUS_INVALID,
                               "stages '%s': expected tiles of 2048 to 32768 joined by +, the largest first", text);
        if (stages->n_stages == 0 ? is != 0 : (unsigned)is <= number[stages->n_stages - 1])
            return status_fail(STATUS_INVALID,
                               "stages '%s': expected 0 first and then sets in the order in which a game reaches them",
                               text);
        number[stages->n_stages++] = (unsigned)is; /* at most 32, since they ascend */
        all |= (unsigned)is;
    }
    if (stages->n_stages < 2)
        return status_fail(STATUS_INVALID, "stages '%s': " EXPECTED, text);
    unsigned unused = (unsigned)__builtin_ctz(all);
    stages->n_bits = (uint8_t)(BITS_MAX - unused);
    for (unsigned i = 0; i < stages->n_stages; i++)
        stages->first[i] = (uint8_t)(number[i] >> unused);
    for (unsigned i = 0, stage = 0; i < STAGES_MAX; i++) {
        stage += stage + 1 < stages->n_stages && stages->first[stage + 1] == i;
        stages->of_bits[i] = (uint8_t)stage;
    }
    return STATUS_OK;
}

enum status stages_parse(struct stages *stages, const char *text)
{
    char words[STAGES_TEXT_BYTES];
    if (snprintf(words, sizeof words, "%s", text) >= (int)sizeof words)
        return status_fail(STATUS_INVALID, "stages of %zu letters, at most %d", strlen(text), STAGES_TEXT_BYTES - 1);
    struct stages result = {0};
    int64_t number;
    if (parse_integer(text, &number) && number == 1) {
        result = (struct stages){.kind = STAGES_ONE, .n_stages = 1};
    } else if (strncmp(text, "bits", 4) == 0 && (text[4] == '\0' || isspace((unsigned char)text[4]))) {
        const char *digits = text + 4 + strspn(text + 4, " \t");
        if (!parse_integer(digits, &number) || number < 1 || number > BITS_MAX)
            return status_fail(STATUS_INVALID, "stages '%s': expected \"bits 1\" to \"bits %d\"", text, BITS_MAX);
        result = (struct stages){.kind = STAGES_BITS, .n_stages = (uint8_t)(1 << number), .n_bits = (uint8_t)number};
        for (unsigned i = 0; i < result.n_stages; i++)
            result.of_bits[i] = (uint8_t)i;
    } else if (strchr(text, '+')) {
        result.kind = STAGES_SETS;
        enum status status = parse_sets(&result, text, words);
        if (status)
            return status;
    } else {
        result.kind = STAGES_THRESHOLDS;
        enum status status = parse_thresholds(&result, text, words);
        if (status)
            return status;
    }
    *stages = result;
    return STATUS_OK;
}

char *stages_text(const struct stages *stages, char *out)
{
    char *to = out;
    if (stages->kind == STAGES_ONE)
        sprintf(out, "1");
    else if (stages->kind == STAGES_BITS)
        sprintf(out, "bits %d", stages->n_bits);
    else
        for (unsigned i = 0; i < stages->n_stages; i++) {
            struct board tiles = stages_first_tiles(stages, i);
            to += sprintf(to, i ? " %lu" : "0", 1UL << board_get(tiles, 0));
            for (unsigned cell = 1; board_get(tiles, cell) > 0; cell++)
                to += sprintf(to, "+%lu", 1UL << board_get(tiles, cell));
        }
    return out;
}
