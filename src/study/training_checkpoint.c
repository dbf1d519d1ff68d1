/* training_checkpoint: saves and opens the file from which a run resumes. */
#include "study/training_checkpoint.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char magic[BLOCK_MAGIC_BYTES + 1] = "AFTRCKPT";
enum { VERSION = 1, MAX_TEXT_BYTES = 64 << 20 };

/* Kinds of blocks; those of the trainers are in src/learn. */
enum { KIND_COUNTERS = 0x1001, KIND_RECIPE, KIND_LOG };

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "weights and counters are written as they are in memory");
_Static_assert(sizeof(double) == 8 && sizeof(float) == 4, "IEEE numbers");
_Static_assert(sizeof(struct training_counters) == 80, "the counters have no padding: they are written as they are");

enum status training_checkpoint_save(const char *path, const struct training_counters *counters, const char *recipe,
                                     const char *log, const struct training_model *model)
{
    struct block_writer *writer;
    enum status status = block_writer_open(&writer, path, magic, VERSION);
    if (status)
        return status;
    status = block_writer_append(writer, KIND_COUNTERS, counters, sizeof *counters, BLOCK_RAW);
    if (status)
        goto done;
    status = block_writer_append(writer, KIND_RECIPE, recipe, strlen(recipe), BLOCK_ZSTD);
    if (status)
        goto done;
    status = block_writer_append(writer, KIND_LOG, log, strlen(log), BLOCK_ZSTD);
    if (status)
        goto done;
    status = training_model_save(model, writer);
    if (status)
        goto done;
    return block_writer_commit(writer);
done:
    block_writer_abort(writer);
    return status;
}

static enum status fail_corrupt(const struct block_reader *reader, const char *what)
{
    return status_fail(STATUS_CORRUPT, "%s: %s", block_reader_name(reader), what);
}

/* Reads a text block; the caller frees *text. */
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
        status = fail_corrupt(reader, "its recipe or log contains a NUL");
    return status;
}

static enum status read_counters(const struct block_reader *reader, struct training_counters *counters)
{
    size_t i;
    enum status status = block_reader_find(reader, KIND_COUNTERS, 0, &i);
    if (status)
        return status;
    if (block_reader_info(reader, i).raw_bytes != sizeof *counters)
        return fail_corrupt(reader, "its counters have a wrong size");
    return block_reader_load(reader, i, counters, sizeof *counters);
}

/* Reads all but the model; on failure *checkpoint is zeroed. */
static enum status read_small_parts(struct training_checkpoint *checkpoint)
{
    enum status status = read_counters(checkpoint->reader, &checkpoint->counters);
    if (status)
        goto fail;
    status = read_text(checkpoint->reader, KIND_RECIPE, &checkpoint->recipe);
    if (status)
        goto fail;
    status = read_text(checkpoint->reader, KIND_LOG, &checkpoint->log);
    if (status)
        goto fail;
    return STATUS_OK;
fail:
    training_checkpoint_close(checkpoint);
    return status;
}

enum status training_checkpoint_open(struct training_checkpoint *checkpoint, const char *path)
{
    *checkpoint = (struct training_checkpoint){0};
    enum status status = block_reader_open(&checkpoint->reader, path, magic, VERSION);
    return status ? status : read_small_parts(checkpoint);
}

enum status training_checkpoint_open_memory(struct training_checkpoint *checkpoint, const void *data, size_t bytes,
                                            const char *path)
{
    *checkpoint = (struct training_checkpoint){0};
    enum status status = block_reader_open_memory(&checkpoint->reader, data, bytes, path, magic, VERSION);
    return status ? status : read_small_parts(checkpoint);
}

enum status training_checkpoint_load(const struct training_checkpoint *checkpoint, struct training_model *model,
                                     const struct train_plan *was)
{
    enum status status = training_model_load(model, checkpoint->reader, was);
    if (status)
        return status;
    if (training_model_totals(model).actions != checkpoint->counters.actions)
        return fail_corrupt(checkpoint->reader, "the actions of the trainer and of the counters differ");
    return STATUS_OK;
}

void training_checkpoint_close(struct training_checkpoint *checkpoint)
{
    block_reader_close(checkpoint->reader);
    free(checkpoint->recipe);
    free(checkpoint->log);
    *checkpoint = (struct training_checkpoint){0};
}

void training_checkpoint_keep(const char *path, const char *spare)
{
    unlink(spare);
    if (link(path, spare) != 0)
        errno = 0; /* no checkpoint yet, or no hard links: there is no spare one then */
}
