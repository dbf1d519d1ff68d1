/* table_index: reads, checks and writes `index.table`, which says what a table directory holds. */
#include "solve/table_index.h"

#include "base/blockfile.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "game/grid.h"
#include "solve/age_code.h"
#include "solve/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const solve_store_names[STORE_COUNT + 1] = {"values", "moves", "none", NULL};

static const char magic[] = "ASSOLVED";
static const char index_name[] = "index.table";

enum {
    VERSION_WHOLE = 2, /* version 1 has neither rules nor figures */
    VERSION_WALLS = 3, /* adds walls and starts; boards without walls are still written as version 2 */
    VERSION_CAPS = 4,  /* the walls have caps */
    KIND_HEADER = 1,
    KIND_AGES = 2,
    KIND_FILES = 3,
    KIND_RULES = 4,
    KIND_FIGURES = 5,
    KIND_WALLS = 6,
    KIND_STARTS = 7,
    N_KINDS = 7,
    HEADER_BYTES = 64,
    RULES_BYTES = 16,
    FIGURES_BYTES = 64,
    WALLS_BYTES = 8, /* without caps */
    CAPPED_WALLS_BYTES = 16,
    STARTS_BYTES = 24,
    AGE_BYTES = 40,
    FILE_BYTES = 12,
    FLAG_FORWARD_DONE = 1,
    FLAG_BACKWARD_DONE = 2,
};

char *table_file_name(struct age_file file, char *name)
{
    static const char *const words[] = {"", "sets", "values", "moves"};
    snprintf(name, TABLE_FILE_NAME_BYTES, "%s-%05u.table", words[file.kind], file.first_age);
    return name;
}

char *table_objective_text(unsigned goal, char *text)
{
    if (goal)
        snprintf(text, TABLE_OBJECTIVE_BYTES, "tile:%u", 1u << goal);
    else
        snprintf(text, TABLE_OBJECTIVE_BYTES, "score");
    return text;
}

void table_summary_add_rules(struct json *json, const struct table_summary *summary)
{
    char objective[TABLE_OBJECTIVE_BYTES];
    json_add_text(json, "objective", table_objective_text(summary->goal, objective));
    json_add_real(json, "four_chance", summary->chance_of_4);
    if (!summary->walls.cells)
        return;
    json_add_text(json, "layout", walls_name(summary->walls.cells));
    json_add_bits(json, "walls", summary->walls.cells);
    json_add_bits(json, "at", summary->walls.at);
    char caps[WALLS_CAPS_TEXT_BYTES];
    if (summary->walls.caps)
        json_add_text(json, "caps", walls_caps_text(summary->walls.caps, caps));
}

void table_index_free(struct table_index *index)
{
    if (!index)
        return;
    free(index->ages);
    free(index->files);
    *index = (struct table_index){0};
}

enum status table_index_add_age(struct table_index *index, struct table_age age)
{
    struct table_age *ages = memory_grow(index->ages, index->n_ages + 1, &index->ages_capacity, 64, sizeof *ages);
    if (!ages)
        return STATUS_NO_MEMORY;
    index->ages = ages;
    index->ages[index->n_ages++] = age;
    return STATUS_OK;
}

enum status table_index_add_file(struct table_index *index, struct age_file file)
{
    for (size_t i = 0; i < index->n_files; i++) {
        if (index->files[i].kind == file.kind && index->files[i].first_age == file.first_age) {
            index->files[i] = file;
            return STATUS_OK;
        }
    }
    struct age_file *files = memory_grow(index->files, index->n_files + 1, &index->files_capacity, 64, sizeof *files);
    if (!files)
        return STATUS_NO_MEMORY;
    index->files = files;
    index->files[index->n_files++] = file;
    return STATUS_OK;
}

void table_index_remove_file(struct table_index *index, size_t i)
{
    index->n_files--;
    memmove(index->files + i, index->files + i + 1, (index->n_files - i) * sizeof *index->files);
}

struct table_age *table_index_age(const struct table_index *index, uint32_t age)
{
    if (index->n_ages == 0 || age < index->ages[0].age || age % 2)
        return NULL;
    size_t i = (age - index->ages[0].age) / 2;
    return i < index->n_ages ? &index->ages[i] : NULL;
}

bool table_keeps_set(const struct table_summary *summary, uint32_t age)
{
    uint32_t first = table_first_age(summary);
    return summary->checkpoint_every == 1 || (age - first) / 2 % summary->checkpoint_every < 2;
}

bool table_file_block(const struct table_index *index, struct age_file file, uint32_t age, size_t *block)
{
    bool sets = file.kind == AGE_FILE_SETS;
    uint32_t low = sets ? file.first_age : file.last_age, high = sets ? file.last_age : file.first_age;
    if (age < low || age > high || age % 2 || (sets && !table_keeps_set(&index->summary, age)))
        return false;
    *block = sets ? (age - low) / 2 : (high - age) / 2;
    if (sets && index->summary.checkpoint_every > 1) {
        *block = 0;
        for (uint32_t before = low; before < age; before += 2)
            *block += table_keeps_set(&index->summary, before);
    }
    return true;
}

static void sum_ages(struct table_index *index)
{
    struct table_summary *summary = &index->summary;
    summary->n_states = summary->n_terminal = summary->n_afterstates = summary->n_starts = 0;
    summary->best_start = summary->walls.cells && summary->backward_done ? 0 : NAN;
    for (size_t i = 0; i < index->n_ages; i++) {
        summary->n_states += index->ages[i].n_states;
        summary->n_terminal += index->ages[i].n_terminal;
        summary->n_afterstates += index->ages[i].n_afterstates;
        if (summary->walls.cells && summary->backward_done) {
            summary->n_starts += index->ages[i].starts.n;
            summary->best_start = fmax(summary->best_start, index->ages[i].starts.best);
        }
    }
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static void store_double(uint8_t *to, double value)
{
    uint64_t bits;
    /* One NaN of all: what a processor makes of 0/0 differs, the file must not. */
    double stored = isnan(value) ? NAN : value;
    memcpy(&bits, &stored, 8);
    bytes_store_u64(to, bits);
}

static double load_double(const uint8_t *from)
{
    uint64_t bits = bytes_load_u64(from);
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

static void store_header(const struct table_summary *summary, uint8_t *to)
{
    bytes_store_u32(to, summary->rows);
    bytes_store_u32(to + 4, summary->cols);
    bytes_store_u32(to + 8, summary->variant);
    bytes_store_u32(to + 12, summary->store);
    bytes_store_u32(to + 16, summary->checkpoint_every);
    bytes_store_u32(to + 20, summary->fraction_bits);
    bytes_store_u32(to + 24, (summary->forward_done ? FLAG_FORWARD_DONE : 0) |
                                 (summary->backward_done ? FLAG_BACKWARD_DONE : 0));
    bytes_store_u32(to + 28, 0);
    store_double(to + 32, summary->expected_score);
    for (int i = 0; i < TABLE_START_KINDS; i++)
        store_double(to + 40 + 8 * i, summary->start_value[i]);
}

_Static_assert(40 + 8 * TABLE_START_KINDS == HEADER_BYTES, "the header is as long as FORMATS.md says");

static enum status load_header(struct table_summary *summary, const uint8_t *from)
{
    uint32_t rows = bytes_load_u32(from), cols = bytes_load_u32(from + 4), variant = bytes_load_u32(from + 8);
    uint32_t store = bytes_load_u32(from + 12), every = bytes_load_u32(from + 16), bits = bytes_load_u32(from + 20);
    uint32_t flags = bytes_load_u32(from + 24);
    if (grid_check_size(rows, cols) != STATUS_OK || variant >= VARIANT_COUNT || store >= STORE_COUNT || every == 0 ||
        bits > CODE_MAX_FRACTION_BITS || flags > (FLAG_FORWARD_DONE | FLAG_BACKWARD_DONE))
        return status_fail(STATUS_CORRUPT,
                           "the header has board %ux%u, variant %u, store %u, checkpoints %u, bits %u, flags %u", rows,
                           cols, variant, store, every, bits, flags);
    *summary = (struct table_summary){
        .rows = (uint8_t)rows,
        .cols = (uint8_t)cols,
        .variant = variant,
        .store = store,
        .checkpoint_every = every,
        .fraction_bits = bits,
        .forward_done = flags & FLAG_FORWARD_DONE,
        .backward_done = flags & FLAG_BACKWARD_DONE,
        .expected_score = load_double(from + 32),
    };
    for (int i = 0; i < TABLE_START_KINDS; i++)
        summary->start_value[i] = load_double(from + 40 + 8 * i);
    return STATUS_OK;
}

static void store_rules(const struct table_summary *summary, uint8_t *to)
{
    bytes_store_u32(to, summary->precision);
    bytes_store_u32(to + 4, summary->goal);
    store_double(to + 8, summary->chance_of_4);
}

static enum status load_rules(struct table_summary *summary, const uint8_t *from)
{
    uint32_t precision = bytes_load_u32(from), goal = bytes_load_u32(from + 4);
    double chance = load_double(from + 8);
    if (precision > VALUES_FIXED || goal == 1 || goal == 2 || goal > BOARD_MAX_VALUE || !(chance >= 0 && chance <= 1))
        return status_fail(STATUS_CORRUPT, "the rules have precision %u, goal %u, chance of a 4 %g", precision, goal,
                           chance);
    summary->precision = precision;
    summary->goal = goal;
    summary->chance_of_4 = chance;
    return STATUS_OK;
}

static uint32_t version_of(const struct table_summary *summary)
{
    return summary->walls.caps ? VERSION_CAPS : summary->walls.cells ? VERSION_WALLS : VERSION_WHOLE;
}

static size_t walls_bytes(uint32_t version)
{
    return version == VERSION_CAPS ? CAPPED_WALLS_BYTES : version == VERSION_WALLS ? WALLS_BYTES : 0;
}

static void store_walls(const struct table_summary *summary, uint8_t *to)
{
    bytes_store_u32(to, summary->walls.cells);
    bytes_store_u32(to + 4, summary->walls.at);
    bytes_store_u64(to + 8, summary->walls.caps);
}

/* `from` NULL: a whole board. */
static enum status load_walls(struct table_summary *summary, const uint8_t *from, size_t bytes, uint32_t version)
{
    if (bytes != walls_bytes(version))
        return status_fail(STATUS_CORRUPT, "the walls have %zu bytes", bytes);

    const unsigned n_cells = summary->rows * summary->cols;
    const struct grid size = {.rows = summary->rows, .cols = summary->cols, .n_cells = (uint8_t)n_cells};
    const uint32_t cells = from ? bytes_load_u32(from) : 0, at = from ? bytes_load_u32(from + 4) : 0;
    const uint64_t caps = version == VERSION_CAPS ? bytes_load_u64(from + 8) : 0;
    summary->walls = (struct walls){(uint16_t)cells, (uint16_t)at, caps};
    if ((from && !cells) || (version == VERSION_CAPS && !caps) || (cells | at) > UINT16_MAX ||
        walls_check(&size, summary->walls, summary->goal) ||
        walls_free_cells(summary->walls, n_cells) > LAYOUT_MAX_CELLS)
        return status_fail(STATUS_CORRUPT, "a board of %ux%u has walls %#x, cells of the target %#x and caps %#" PRIx64,
                           summary->rows, summary->cols, cells, at, caps);
    return STATUS_OK;
}

static void store_starts(const struct table_age *age, uint8_t *to)
{
    bytes_store_u64(to, age->starts.n);
    store_double(to + 8, age->starts.sum);
    store_double(to + 16, age->starts.best);
}

static enum status load_starts(struct table_index *index, const uint8_t *from, size_t bytes)
{
    if (bytes != index->n_ages * STARTS_BYTES)
        return status_fail(STATUS_CORRUPT, "has starts of %zu bytes for %zu ages", bytes, index->n_ages);
    for (size_t i = 0; i < index->n_ages; i++, from += STARTS_BYTES)
        index->ages[i].starts =
            (struct table_starts){bytes_load_u64(from), load_double(from + 8), load_double(from + 16)};
    return STATUS_OK;
}

static void store_figures(const struct table_age *age, uint8_t *to)
{
    const struct age_figures *figures = &age->figures;
    const uint64_t fields[] = {age->has_figures, figures->n_ended, figures->n_empty,  figures->n_open,
                               figures->n_near,  figures->gaps,    age->set_checksum, age->value_checksum};
    _Static_assert(sizeof fields == FIGURES_BYTES, "the figures are as long as FORMATS.md says");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        bytes_store_u64(to + 8 * i, fields[i]);
}

static enum status load_figures(struct table_index *index, const uint8_t *from, size_t bytes)
{
    if (bytes != index->n_ages * FIGURES_BYTES)
        return status_fail(STATUS_CORRUPT, "has figures of %zu bytes for %zu ages", bytes, index->n_ages);
    for (size_t i = 0; i < index->n_ages; i++, from += FIGURES_BYTES) {
        struct table_age *age = &index->ages[i];
        age->has_figures = bytes_load_u64(from) != 0;
        age->figures =
            (struct age_figures){bytes_load_u64(from + 8), bytes_load_u64(from + 16), bytes_load_u64(from + 24),
                                 bytes_load_u64(from + 32), bytes_load_u64(from + 40)};
        age->set_checksum = bytes_load_u64(from + 48);
        age->value_checksum = bytes_load_u64(from + 56);
    }
    return STATUS_OK;
}

static enum status load_ages(struct table_index *index, const uint8_t *from, size_t bytes)
{
    uint32_t first = table_first_age(&index->summary);
    uint32_t most = (table_last_age(&index->summary) - first) / 2 + 1;
    size_t n = bytes / AGE_BYTES;
    if (bytes % AGE_BYTES || n > most || (index->summary.forward_done && n != most) ||
        (index->summary.backward_done && !index->summary.forward_done))
        return status_fail(STATUS_CORRUPT, "has %zu ages, expected at most %u", n, most);
    for (size_t i = 0; i < n; i++, from += AGE_BYTES) {
        struct table_age age = {.age = bytes_load_u32(from),
                                .n_states = bytes_load_u64(from + 8),
                                .n_terminal = bytes_load_u64(from + 16),
                                .n_afterstates = bytes_load_u64(from + 24),
                                .best_value = load_double(from + 32)};
        if (age.age != first + 2 * i)
            return status_fail(STATUS_CORRUPT, "age number %zu is %u, expected %u", i, age.age,
                               first + 2 * (unsigned)i);
        enum status status = table_index_add_age(index, age);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status load_files(struct table_index *index, const uint8_t *from, size_t bytes)
{
    if (bytes % FILE_BYTES)
        return status_fail(STATUS_CORRUPT, "the list of files has %zu bytes", bytes);
    for (size_t i = 0; i < bytes / FILE_BYTES; i++, from += FILE_BYTES) {
        uint32_t kind = bytes_load_u32(from);
        struct age_file file = {kind, bytes_load_u32(from + 4), bytes_load_u32(from + 8)};
        bool ascending = file.first_age <= file.last_age, descending = file.first_age >= file.last_age;
        if (kind < AGE_FILE_SETS || kind > AGE_FILE_MOVES || !(kind == AGE_FILE_SETS ? ascending : descending) ||
            file.first_age > table_last_age(&index->summary) || file.last_age > table_last_age(&index->summary))
            return status_fail(STATUS_CORRUPT, "file number %zu is of kind %u and has ages %u to %u", i, kind,
                               file.first_age, file.last_age);
        enum status status = table_index_add_file(index, file);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status read_blocks(struct table_index *index, const struct block_reader *reader)
{
    const void *data[N_KINDS] = {NULL};
    size_t bytes[N_KINDS] = {0};
    const uint32_t version = block_reader_version(reader);
    const bool first_version = version == 1, walled = version >= VERSION_WALLS;
    const uint32_t last_kind = first_version ? KIND_FILES : walled ? KIND_STARTS : KIND_FIGURES;
    for (uint32_t kind = KIND_HEADER; kind <= last_kind; kind++) {
        size_t i;
        enum status status = block_reader_find(reader, kind, 0, &i);
        if (!status)
            status = block_reader_view(reader, i, &data[kind - 1], &bytes[kind - 1]);
        if (status)
            return status;
    }
    enum status status = bytes[0] == HEADER_BYTES ? load_header(&index->summary, data[0])
                                                  : status_fail(STATUS_CORRUPT, "the header has %zu bytes", bytes[0]);
    index->summary.chance_of_4 = TABLE_USUAL_CHANCE_OF_4;
    if (!status && !first_version)
        status = bytes[3] == RULES_BYTES ? load_rules(&index->summary, data[3])
                                         : status_fail(STATUS_CORRUPT, "the rules have %zu bytes", bytes[3]);
    if (!status)
        status = load_walls(&index->summary, data[5], bytes[5], version);
    if (!status)
        status = load_ages(index, data[1], bytes[1]);
    if (!status)
        status = load_files(index, data[2], bytes[2]);
    if (!status && !first_version)
        status = load_figures(index, data[4], bytes[4]);
    if (!status && walled)
        status = load_starts(index, data[6], bytes[6]);
    if (!status)
        sum_ages(index);
    return status ? status_context(status, "%s", block_reader_name(reader)) : STATUS_OK;
}

bool table_index_exists(const char *directory)
{
    char *path = file_path(directory, index_name);
    bool exists = path && (access(path, F_OK) == 0 || errno != ENOENT); /* reading tells what else is wrong */
    free(path);
    return exists;
}

enum status table_wrong_size(const struct table_summary *summary, const char *directory, unsigned rows, unsigned cols)
{
    return status_fail(STATUS_USAGE, "%s: holds board %ux%u, not %ux%u", directory, summary->rows, summary->cols, rows,
                       cols);
}

enum status table_index_read(struct table_index *index, const char *directory)
{
    *index = (struct table_index){0};
    char *path = file_path(directory, index_name);
    if (!path)
        return STATUS_NO_MEMORY;
    struct block_reader *reader;
    enum status status = block_reader_open(&reader, path, magic, VERSION_CAPS);
    free(path);
    if (status)
        return status;
    status = read_blocks(index, reader);
    block_reader_close(reader);
    if (status)
        table_index_free(index);
    return status;
}

static enum status write_blocks(const struct table_index *index, struct block_writer *writer)
{
    const uint32_t version = version_of(&index->summary);
    const bool walled = version >= VERSION_WALLS;
    uint8_t header[HEADER_BYTES], rules[RULES_BYTES], walls[CAPPED_WALLS_BYTES];
    uint8_t *ages = memory_allocate(index->n_ages, AGE_BYTES), *figures = memory_allocate(index->n_ages, FIGURES_BYTES);
    uint8_t *files = memory_allocate(index->n_files, FILE_BYTES);
    uint8_t *starts = memory_allocate(index->n_ages, STARTS_BYTES);
    enum status status = ages && files && figures && starts ? STATUS_OK : STATUS_NO_MEMORY;
    store_header(&index->summary, header);
    store_rules(&index->summary, rules);
    store_walls(&index->summary, walls);
    for (size_t i = 0; i < index->n_ages && !status; i++) {
        const struct table_age *age = &index->ages[i];
        uint8_t *to = ages + i * AGE_BYTES;
        bytes_store_u32(to, age->age);
        bytes_store_u64(to + 8, age->n_states);
        bytes_store_u64(to + 16, age->n_terminal);
        bytes_store_u64(to + 24, age->n_afterstates);
        store_double(to + 32, age->best_value);
        store_figures(age, figures + i * FIGURES_BYTES);
        store_starts(age, starts + i * STARTS_BYTES);
    }
    for (size_t i = 0; i < index->n_files && !status; i++) {
        uint8_t *to = files + i * FILE_BYTES;
        bytes_store_u32(to, index->files[i].kind);
        bytes_store_u32(to + 4, index->files[i].first_age);
        bytes_store_u32(to + 8, index->files[i].last_age);
    }
    if (!status)
        status = block_writer_append(writer, KIND_HEADER, header, sizeof header, BLOCK_RAW);
    if (!status)
        status = block_writer_append(writer, KIND_AGES, ages, index->n_ages * AGE_BYTES, BLOCK_RAW);
    if (!status)
        status = block_writer_append(writer, KIND_FILES, files, index->n_files * FILE_BYTES, BLOCK_RAW);
    if (!status)
        status = block_writer_append(writer, KIND_RULES, rules, sizeof rules, BLOCK_RAW);
    if (!status)
        status = block_writer_append(writer, KIND_FIGURES, figures, index->n_ages * FIGURES_BYTES, BLOCK_RAW);
    if (!status && walled)
        status = block_writer_append(writer, KIND_WALLS, walls, walls_bytes(version), BLOCK_RAW);
    if (!status && walled)
        status = block_writer_append(writer, KIND_STARTS, starts, index->n_ages * STARTS_BYTES, BLOCK_RAW);
    free(starts);
    free(ages);
    free(figures);
    free(files);
    return status;
}

enum status table_index_write(struct table_index *index, const char *directory)
{
    sum_ages(index);
    char *path = file_path(directory, index_name);
    if (!path)
        return STATUS_NO_MEMORY;
    struct block_writer *writer;
    enum status status = block_writer_open(&writer, path, magic, version_of(&index->summary));
    free(path);
    if (status)
        return status;
    status = write_blocks(index, writer);
    if (!status)
        return block_writer_commit(writer);
    block_writer_abort(writer);
    return status;
}
