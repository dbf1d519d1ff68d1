#include "study/training_checkpoint.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char magic[BLOCK_MAGIC_BYTES + 1] = "AFTRCKPT";
enum { VERSION = 1, MAX_TEXT_BYTES = 64 << 20 };

/* Kinds of blocks. The trainer's own kinds lie below (trainer.h). */
enum { KIND_COUNTERS = 0x1001, KIND_RECIPE, KIND_LOG, KIND_WEIGHTS };

/* Weights go in chunks, so that packing needs little memory and a damaged file names its place: 16 MiB each. */
enum { CHUNK_WEIGHTS = 4 << 20 };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "weights and counters are written as they lie in memory");
_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "IEEE numbers");
_Static_assert(sizeof(struct training_counters) == 80, "the counters have no padding: they are written as they are");

/*
 * A table of which little was touched packs to almost nothing at 2 GB/s; one that is full of learned floats keeps 90%
 * of its size and packs at 0.2 GB/s, slower than a disk. So a chunk is packed only if most of it is still untouched.
 */
static enum block_codec codec_of(const float *weights, uint64_t n, float initial)
{
    uint64_t untouched = 0, step = 61, looked_at = 0;
    for (uint64_t i = 0; i < n; i += step, looked_at++)
        untouched += weights[i] == initial;
    return 2 * untouched > looked_at ? BLOCK_ZSTD : BLOCK_RAW;
}

static enum status append_weights(struct block_writer *writer, const struct network *network)
{
    enum status status = STATUS_OK;
    for (uint64_t first = 0; first < network->n_weights && !status; first += CHUNK_WEIGHTS) {
        uint64_t left = network->n_weights - first, n = left < CHUNK_WEIGHTS ? left : CHUNK_WEIGHTS;
        const float *chunk = network->weights + first;
        status = block_writer_append(writer, KIND_WEIGHTS, chunk, n * sizeof *chunk,
                                     codec_of(chunk, n, network->spec.initial));
    }
    return status;
}

enum status training_checkpoint_save(const char *path, const struct training_counters *counters, const char *recipe,
                                     const char *log, const struct network *network, const struct trainer *trainer)
{
    struct block_writer *writer;
    enum status status = block_writer_open(&writer, path, magic, VERSION);
    if (status)
        return status;
    status = block_writer_append(writer, KIND_COUNTERS, counters, sizeof *counters, BLOCK_RAW);
    if (!status)
        status = block_writer_append(writer, KIND_RECIPE, recipe, strlen(recipe), BLOCK_ZSTD);
    if (!status)
        status = block_writer_append(writer, KIND_LOG, log, strlen(log), BLOCK_ZSTD);
    if (!status)
        status = append_weights(writer, network);
    if (!status)
        status = trainer_save(trainer, writer);
    if (!status)
        return block_writer_commit(writer);
    block_writer_abort(writer);
    return status;
}

static enum status fail_corrupt(const struct block_reader *reader, const char *what)
{
    return status_fail(STATUS_CORRUPT, "%s: %s", block_reader_name(reader), what);
}

/* A text block, ended by a NUL; the caller frees it. */
static enum status read_text(const struct block_reader *reader, uint32_t kind, char **text)
{
    size_t i;
    enum status status = block_reader_find(reader, kind, 0, &i);
    if (status)
        return status;
    uint64_t bytes = block_reader_info(reader, i).raw_bytes;
    if (bytes > MAX_TEXT_BYTES)
        return fail_corrupt(reader, "its recipe or log is far too long");
    *text = memory_allocate(bytes + 1, 1);
    if (!*text)
        return STATUS_NO_MEMORY;
    status = block_reader_load(reader, i, *text, bytes);
    if (!status && strlen(*text) != bytes)
        status = fail_corrupt(reader, "its recipe or log is no text");
    return status;
}

static enum status read_counters(const struct block_reader *reader, struct training_counters *counters)
{
    size_t i;
    enum status status = block_reader_find(reader, KIND_COUNTERS, 0, &i);
    if (status)
        return status;
    if (block_reader_info(reader, i).raw_bytes != sizeof *counters)
        return fail_corrupt(reader, "its counters have another size");
    return block_reader_load(reader, i, counters, sizeof *counters);
}

enum status training_checkpoint_open(struct training_checkpoint *checkpoint, const char *path)
{
    *checkpoint = (struct training_checkpoint){0};
    enum status status = block_reader_open(&checkpoint->reader, path, magic, VERSION);
    if (!status)
        status = read_counters(checkpoint->reader, &checkpoint->counters);
    if (!status)
        status = read_text(checkpoint->reader, KIND_RECIPE, &checkpoint->recipe);
    if (!status)
        status = read_text(checkpoint->reader, KIND_LOG, &checkpoint->log);
    if (status)
        training_checkpoint_close(checkpoint);
    return status;
}

static enum status load_weights(const struct block_reader *reader, struct network *network)
{
    size_t nth = 0;
    for (uint64_t first = 0; first < network->n_weights; first += CHUNK_WEIGHTS, nth++) {
        uint64_t left = network->n_weights - first, n = left < CHUNK_WEIGHTS ? left : CHUNK_WEIGHTS;
        size_t i;
        enum status status = block_reader_find(reader, KIND_WEIGHTS, nth, &i);
        if (status)
            return status;
        if (block_reader_info(reader, i).raw_bytes != n * sizeof(float))
            return fail_corrupt(reader, "its weights are those of another network");
        status = block_reader_load(reader, i, network->weights + first, n * sizeof(float));
        if (status)
            return status;
    }
    return STATUS_OK;
}

enum status training_checkpoint_load(const struct training_checkpoint *checkpoint, struct network *network,
                                     struct trainer *trainer)
{
    enum status status = load_weights(checkpoint->reader, network);
    if (!status)
        status = trainer_load(trainer, checkpoint->reader);
    if (!status && trainer_totals(trainer).actions != checkpoint->counters.actions)
        status = fail_corrupt(checkpoint->reader, "the trainer's actions are not those of the counters");
    return status;
}

void training_checkpoint_close(struct training_checkpoint *checkpoint)
{
    block_reader_close(checkpoint->reader);
    free(checkpoint->recipe);
    free(checkpoint->log);
    *checkpoint = (struct training_checkpoint){0};
}
