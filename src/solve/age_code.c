/* age_code: the set, the values and the moves of one age as bytes, as in the blocks of a table directory. */
#include "solve/age_code.h"

#include "base/bytes.h"
#include "solve/elias_fano.h"
#include "solve/evaluate.h"
#include "solve/ribbon.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIRECTORY_ENTRY_BYTES = 16, /* of a piece: members before, offset */
    PIECE_NUMBERS = CODE_PIECE_WORDS * 64,
};

void code_bytes_free(struct code_bytes *code)
{
    if (!code)
        return;
    free(code->data);
    *code = (struct code_bytes){0};
}

/* ---- codes in pieces: sets and moves ----------------------------------------------------------------------------- */

struct piece_writing {
    struct coded_words from;
    struct code_bytes *pieces;
    uint64_t *n_members; /* of each piece */
};

static uint64_t pieces_of(uint64_t n_words)
{
    return (n_words + CODE_PIECE_WORDS - 1) / CODE_PIECE_WORDS;
}

static uint64_t words_of_piece(uint64_t n_words, uint64_t piece)
{
    uint64_t left = n_words - piece * CODE_PIECE_WORDS;
    return left < CODE_PIECE_WORDS ? left : CODE_PIECE_WORDS;
}

static enum status write_set_piece(void *context, unsigned worker, uint64_t piece)
{
    struct piece_writing *writing = context;
    const uint64_t *words = writing->from.words + piece * CODE_PIECE_WORDS;
    uint64_t n_words = words_of_piece(writing->from.n_words, piece), numbers[ELIAS_FANO_BLOCK + 64];
    struct elias_fano_encoder encoder = {0};
    enum status status = STATUS_OK;
    unsigned n = 0;
    (void)worker;
    for (uint64_t w = 0; w < n_words && !status; w++) {
        for (uint64_t bits = words[w]; bits; bits &= bits - 1)
            numbers[n++] = 64 * w + (unsigned)__builtin_ctzll(bits);
        if (n >= ELIAS_FANO_BLOCK || w + 1 == n_words) {
            status = elias_fano_encode(&encoder, numbers, n);
            writing->n_members[piece] += n;
            n = 0;
        }
    }
    if (!status)
        return elias_fano_encoder_finish(&encoder, 64 * n_words, &writing->pieces[piece].data,
                                         &writing->pieces[piece].bytes);
    elias_fano_encoder_free(&encoder);
    return status;
}

static enum status write_move_piece(void *context, unsigned worker, uint64_t piece)
{
    struct piece_writing *writing = context;
    const uint64_t *words = writing->from.words + piece * CODE_PIECE_WORDS;
    uint64_t n_words = words_of_piece(writing->from.n_words, piece);
    const bool has_moves = n_words && writing->from.moves; /* there are none where the set is empty */
    const uint8_t *move =
        has_moves ? writing->from.moves + writing->from.first_move[piece * writing->from.first_move_step] : NULL;
    struct ribbon_builder builder = {0};
    enum status status = STATUS_OK;
    (void)worker;
    for (uint64_t w = 0; w < n_words && !status; w++) {
        for (uint64_t bits = words[w]; bits && !status; bits &= bits - 1) {
            if (!(*move & MOVE_FORCED))
                status = ribbon_builder_add(&builder, 64 * w + (unsigned)__builtin_ctzll(bits), *move);
            move++;
            writing->n_members[piece]++;
        }
    }
    if (!status)
        return ribbon_builder_finish(&builder, &writing->pieces[piece].data, &writing->pieces[piece].bytes);
    ribbon_builder_free(&builder);
    return status;
}

/* Header, directory and pieces, one after the other. */
static enum status join_pieces(const struct piece_writing *writing, struct code_bytes *out)
{
    uint64_t n_pieces = pieces_of(writing->from.n_words), members = 0;
    size_t offset = CODE_HEADER_BYTES + (n_pieces + 1) * DIRECTORY_ENTRY_BYTES, bytes = offset;
    for (uint64_t i = 0; i < n_pieces; i++)
        bytes += writing->pieces[i].bytes;
    uint8_t *data = memory_allocate(bytes, 1);
    if (!data)
        return STATUS_NO_MEMORY;
    for (uint64_t i = 0; i <= n_pieces; i++) {
        uint8_t *entry = data + CODE_HEADER_BYTES + i * DIRECTORY_ENTRY_BYTES;
        bytes_store_u64(entry, members);
        bytes_store_u64(entry + 8, offset);
        if (i == n_pieces)
            break;
        memcpy(data + offset, writing->pieces[i].data, writing->pieces[i].bytes);
        offset += writing->pieces[i].bytes;
        members += writing->n_members[i];
    }
    bytes_store_u32(data, writing->from.age);
    bytes_store_u32(data + 4, (uint32_t)n_pieces);
    bytes_store_u64(data + 8, members);
    *out = (struct code_bytes){data, bytes};
    return STATUS_OK;
}

enum status piece_code_write(struct workers *workers, const struct coded_words *from, struct code_bytes *out)
{
    *out = (struct code_bytes){0};
    uint64_t n_pieces = pieces_of(from->n_words);
    struct piece_writing writing = {
        .from = *from,
        .pieces = memory_allocate(n_pieces, sizeof *writing.pieces),
        .n_members = memory_allocate(n_pieces, sizeof *writing.n_members),
    };
    enum status status = STATUS_NO_MEMORY;
    if (writing.pieces && writing.n_members)
        status = workers_for(workers, n_pieces, from->holds_moves ? write_move_piece : write_set_piece, &writing);
    if (!status)
        status = join_pieces(&writing, out);
    for (uint64_t i = 0; writing.pieces && i < n_pieces; i++)
        code_bytes_free(&writing.pieces[i]);
    free(writing.pieces);
    free(writing.n_members);
    return status;
}

enum status piece_code_join(const struct code_bytes *parts, unsigned n_parts, struct code_bytes *out)
{
    uint64_t n_pieces = 0, members = 0, piece = 0;
    size_t bytes = CODE_HEADER_BYTES + DIRECTORY_ENTRY_BYTES;
    for (unsigned i = 0; i < n_parts; i++) {
        n_pieces += bytes_load_u32(parts[i].data + 4);
        bytes += parts[i].bytes - CODE_HEADER_BYTES - DIRECTORY_ENTRY_BYTES;
    }
    size_t offset = CODE_HEADER_BYTES + (n_pieces + 1) * DIRECTORY_ENTRY_BYTES;
    uint8_t *data = memory_allocate(bytes, 1);
    *out = (struct code_bytes){data, data ? bytes : 0};
    if (!data)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < n_parts; i++) {
        uint64_t n = bytes_load_u32(parts[i].data + 4);
        const size_t header = CODE_HEADER_BYTES + (n + 1) * DIRECTORY_ENTRY_BYTES;
        for (uint64_t k = 0; k < n; k++, piece++) {
            const uint8_t *from = parts[i].data + CODE_HEADER_BYTES + k * DIRECTORY_ENTRY_BYTES;
            uint8_t *entry = data + CODE_HEADER_BYTES + piece * DIRECTORY_ENTRY_BYTES;
            bytes_store_u64(entry, members + bytes_load_u64(from));
            bytes_store_u64(entry + 8, offset + bytes_load_u64(from + 8) - header);
        }
        memcpy(data + offset, parts[i].data + header, parts[i].bytes - header);
        offset += parts[i].bytes - header;
        members += bytes_load_u64(parts[i].data + 8);
    }
    bytes_store_u64(data + CODE_HEADER_BYTES + n_pieces * DIRECTORY_ENTRY_BYTES, members);
    bytes_store_u64(data + CODE_HEADER_BYTES + n_pieces * DIRECTORY_ENTRY_BYTES + 8, offset);
    memcpy(data, parts[0].data, 4);
    bytes_store_u32(data + 4, (uint32_t)n_pieces);
    bytes_store_u64(data + 8, members);
    return STATUS_OK;
}

size_t piece_code_directory_bytes(uint32_t n_pieces)
{
    return CODE_HEADER_BYTES + ((size_t)n_pieces + 1) * DIRECTORY_ENTRY_BYTES;
}

uint64_t piece_code_members_before(const struct piece_code *code, uint32_t piece)
{
    return bytes_load_u64(code->directory + (size_t)piece * DIRECTORY_ENTRY_BYTES);
}

size_t piece_code_offset(const struct piece_code *code, uint32_t piece)
{
    return bytes_load_u64(code->directory + (size_t)piece * DIRECTORY_ENTRY_BYTES + 8);
}

/* What sets and moves have in common; checks the directory, so that pieces lie within the bytes, in order. */
static enum status open_pieces(struct piece_code *out, const void *data, size_t bytes)
{
    *out = (struct piece_code){0};
    if (bytes < CODE_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "the code of an age has %zu bytes, its header alone has %d", bytes,
                           CODE_HEADER_BYTES);
    uint32_t n_pieces = bytes_load_u32((const uint8_t *)data + 4);
    uint64_t n_members = bytes_load_u64((const uint8_t *)data + 8);
    uint64_t directory_bytes = ((uint64_t)n_pieces + 1) * DIRECTORY_ENTRY_BYTES;
    if (directory_bytes > bytes - CODE_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "the code of an age promises %u pieces in %zu bytes", n_pieces, bytes);
    struct piece_code code = {.age = bytes_load_u32(data),
                              .n_pieces = n_pieces,
                              .n_members = n_members,
                              .directory = (const uint8_t *)data + CODE_HEADER_BYTES,
                              .data = data,
                              .bytes = bytes};
    uint64_t members = 0, offset = CODE_HEADER_BYTES + directory_bytes;
    for (uint64_t i = 0; i <= n_pieces; i++) {
        const uint8_t *entry = code.directory + i * DIRECTORY_ENTRY_BYTES;
        uint64_t next_members = bytes_load_u64(entry), next_offset = bytes_load_u64(entry + 8);
        bool ends_fit = (i > 0 || (next_members == 0 && next_offset == offset)) &&
                        (i < n_pieces || (next_members == n_members && next_offset == bytes));
        if (!ends_fit || next_members < members || next_members - members > PIECE_NUMBERS || next_offset < offset ||
            next_offset > bytes)
            return status_fail(STATUS_CORRUPT, "the directory of age %u is damaged at piece %u", code.age, (unsigned)i);
        members = next_members;
        offset = next_offset;
    }
    *out = code;
    return STATUS_OK;
}

static const uint8_t *piece_bytes(const struct piece_code *code, uint64_t piece, size_t *bytes,
                                  uint64_t *members_before, uint64_t *members)
{
    const uint8_t *entry = code->directory + piece * DIRECTORY_ENTRY_BYTES;
    uint64_t offset = bytes_load_u64(entry + 8);
    *bytes = bytes_load_u64(entry + DIRECTORY_ENTRY_BYTES + 8) - offset;
    *members_before = bytes_load_u64(entry);
    *members = bytes_load_u64(entry + DIRECTORY_ENTRY_BYTES) - *members_before;
    return code->data + offset;
}

enum status piece_code_remember(struct piece_code *code)
{
    code->checked = memory_allocate(code->n_pieces / 64 + 1, sizeof *code->checked);
    return code->checked ? STATUS_OK : STATUS_NO_MEMORY;
}

void piece_code_forget(struct piece_code *code)
{
    free((void *)code->checked);
    code->checked = NULL;
}

/* The bytes never change, so a thread that sees the bit needs to see nothing else that the one that set it did. */
static bool is_checked(const struct piece_code *code, uint64_t piece)
{
    return code->checked && atomic_load_explicit(&code->checked[piece / 64], memory_order_relaxed) >> piece % 64 & 1;
}

static enum status open_set_piece(const struct piece_code *code, uint64_t piece, struct elias_fano *set,
                                  uint64_t *members_before)
{
    size_t bytes;
    uint64_t members;
    const uint8_t *data = piece_bytes(code, piece, &bytes, members_before, &members);
    if (is_checked(code, piece)) {
        elias_fano_open_again(set, data);
        return STATUS_OK;
    }
    enum status status = elias_fano_open(set, data, bytes);
    if (!status && (elias_fano_count(set) != members || elias_fano_universe(set) > PIECE_NUMBERS))
        status = status_fail(STATUS_CORRUPT, "has %llu numbers below %llu, expected %llu below %d",
                             (unsigned long long)elias_fano_count(set), (unsigned long long)elias_fano_universe(set),
                             (unsigned long long)members, PIECE_NUMBERS);
    if (status)
        return status_context(status, "piece %u of age %u", (unsigned)piece, code->age);
    if (code->checked)
        atomic_fetch_or_explicit(&code->checked[piece / 64], UINT64_C(1) << piece % 64, memory_order_relaxed);
    return STATUS_OK;
}

/* ---- sets -------------------------------------------------------------------------------------------------------- */

enum status set_code_write(struct workers *workers, const struct age_set *set, struct code_bytes *out)
{
    const struct coded_words from = {.age = set->frame->age, .words = set->words, .n_words = set->frame->n_words};
    return piece_code_write(workers, &from, out);
}

enum status set_code_open(struct piece_code *out, const void *data, size_t bytes)
{
    return open_pieces(out, data, bytes);
}

struct set_reading {
    const struct piece_code *code;
    struct age_set *set;
    uint32_t first_piece;
};

static enum status read_set_piece(void *context, unsigned worker, uint64_t item)
{
    const struct set_reading *reading = context;
    struct elias_fano code;
    const uint64_t piece = reading->first_piece + item;
    uint64_t before, numbers[ELIAS_FANO_BLOCK];
    const uint64_t limit = 64 * words_of_piece(reading->set->frame->n_words, piece);
    (void)worker;
    enum status status = open_set_piece(reading->code, piece, &code, &before);
    if (status)
        return status;
    uint64_t *words = reading->set->words + piece * CODE_PIECE_WORDS;
    for (uint64_t block = 0; block < elias_fano_n_blocks(&code); block++) {
        unsigned n = elias_fano_decode(&code, block, numbers);
        for (unsigned i = 0; i < n; i++) {
            if (numbers[i] >= limit)
                return status_fail(STATUS_CORRUPT, "piece %u of age %u has a number beyond its end", (unsigned)piece,
                                   reading->code->age);
            words[numbers[i] / 64] |= UINT64_C(1) << numbers[i] % 64;
        }
    }
    uint64_t n_members = 0; /* less than promised where a number comes twice */
    for (uint64_t i = 0; i < limit / 64; i++)
        n_members += (unsigned)__builtin_popcountll(words[i]);
    if (n_members != elias_fano_count(&code))
        return status_fail(STATUS_CORRUPT, "piece %u of age %u has %llu numbers, expected %llu", (unsigned)piece,
                           reading->code->age, (unsigned long long)n_members,
                           (unsigned long long)elias_fano_count(&code));
    return STATUS_OK;
}

enum status set_code_read_pieces(const struct piece_code *code, struct workers *workers, uint32_t first_piece,
                                 uint32_t end_piece, struct age_set *set)
{
    const uint64_t expected = pieces_of(set->frame->n_words);
    if (code->age != set->frame->age || code->n_pieces != expected)
        return status_fail(STATUS_CORRUPT, "a set of age %u in %u pieces, expected age %u in %u", code->age,
                           code->n_pieces, set->frame->age, (unsigned)expected);
    struct set_reading reading = {code, set, first_piece};
    return workers_for(workers, end_piece - first_piece, read_set_piece, &reading);
}

enum status set_code_read(const struct piece_code *code, struct workers *workers, struct age_set *set)
{
    return set_code_read_pieces(code, workers, 0, code->n_pieces, set);
}

enum status set_code_find(const struct piece_code *code, uint64_t number, bool *found, uint64_t *position)
{
    *found = false;
    if (number / PIECE_NUMBERS >= code->n_pieces)
        return STATUS_OK;
    struct elias_fano set;
    uint64_t before;
    enum status status = open_set_piece(code, number / PIECE_NUMBERS, &set, &before);
    if (status)
        return status;
    *found = elias_fano_find(&set, number % PIECE_NUMBERS, position);
    if (*found)
        *position += before;
    return STATUS_OK;
}

enum status set_code_select(const struct piece_code *code, uint64_t position, uint64_t *number)
{
    assert(position < code->n_members);
    uint64_t low = 0, high = code->n_pieces; /* the last piece with at most `position` members before it */
    while (high - low > 1) {
        uint64_t middle = (low + high) / 2;
        if (bytes_load_u64(code->directory + middle * DIRECTORY_ENTRY_BYTES) <= position)
            low = middle;
        else
            high = middle;
    }
    struct elias_fano set;
    uint64_t before;
    enum status status = open_set_piece(code, low, &set, &before);
    if (status)
        return status;
    *number = low * PIECE_NUMBERS + elias_fano_select(&set, position - before);
    return STATUS_OK;
}

/* ---- moves ------------------------------------------------------------------------------------------------------- */

enum status move_code_write(struct workers *workers, const struct age_set *states, const uint8_t *moves,
                            struct code_bytes *out)
{
    const struct coded_words from = {.age = states->frame->age,
                                     .words = states->words,
                                     .n_words = states->frame->n_words,
                                     .holds_moves = true,
                                     .moves = moves,
                                     .first_move = states->ranks,
                                     .first_move_step = CODE_PIECE_WORDS};
    return piece_code_write(workers, &from, out);
}

enum status move_code_open(struct piece_code *out, const void *data, size_t bytes)
{
    return open_pieces(out, data, bytes);
}

enum status move_code_find(const struct piece_code *code, uint64_t number, unsigned *move)
{
    *move = 0;
    if (number / PIECE_NUMBERS >= code->n_pieces)
        return STATUS_OK;
    struct ribbon ribbon;
    size_t bytes;
    uint64_t before, members;
    const uint8_t *data = piece_bytes(code, number / PIECE_NUMBERS, &bytes, &before, &members);
    enum status status = ribbon_open(&ribbon, data, bytes);
    if (status)
        return status_context(status, "piece %u of age %u", (unsigned)(number / PIECE_NUMBERS), code->age);
    *move = ribbon_find(&ribbon, number % PIECE_NUMBERS);
    return STATUS_OK;
}

struct move_reading {
    const struct piece_code *code;
    const struct age_set *states;
    uint8_t *moves;
};

static enum status read_move_piece(void *context, unsigned worker, uint64_t piece)
{
    const struct move_reading *reading = context;
    const uint64_t *words = reading->states->words + piece * CODE_PIECE_WORDS;
    uint64_t n_words = words_of_piece(reading->states->frame->n_words, piece), before, members,
             numbers[ELIAS_FANO_BLOCK + 64];
    struct ribbon ribbon;
    size_t bytes;
    unsigned n = 0;
    (void)worker;
    const uint8_t *data = piece_bytes(reading->code, piece, &bytes, &before, &members);
    enum status status = ribbon_open(&ribbon, data, bytes);
    if (status)
        return status_context(status, "piece %u of age %u", (unsigned)piece, reading->code->age);
    uint8_t *moves = reading->moves + reading->states->ranks[piece * CODE_PIECE_WORDS];
    for (uint64_t w = 0; w < n_words; w++) {
        for (uint64_t bits = words[w]; bits; bits &= bits - 1)
            numbers[n++] = 64 * w + (unsigned)__builtin_ctzll(bits);
        if (n >= ELIAS_FANO_BLOCK || w + 1 == n_words) {
            ribbon_find_batch(&ribbon, numbers, n, moves);
            moves += n;
            n = 0;
        }
    }
    return STATUS_OK;
}

enum status move_code_read(const struct piece_code *code, struct workers *workers, const struct age_set *states,
                           uint8_t *moves)
{
    const uint64_t expected = pieces_of(states->frame->n_words);
    if (code->age != states->frame->age || code->n_pieces != expected)
        return status_fail(STATUS_CORRUPT, "moves of age %u in %u pieces, expected age %u in %u", code->age,
                           code->n_pieces, states->frame->age, (unsigned)expected);
    struct move_reading reading = {code, states, moves};
    return workers_for(workers, code->n_pieces, read_move_piece, &reading);
}
