/* age_file: the files of a table directory that hold sets, values or moves, a block for each age. */
#include "solve/age_file.h"

#include "base/bytes.h"
#include "base/file.h"

#include <assert.h>
#include <stdlib.h>

const char age_file_magic[] = "ASSOLAGE";

enum status age_file_open(struct block_reader **out, const char *directory, struct age_file file)
{
    char name[TABLE_FILE_NAME_BYTES];
    *out = NULL;
    char *path = file_path(directory, table_file_name(file, name));
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = block_reader_open(out, path, age_file_magic, AGE_FILE_VERSION);
    free(path);
    return status;
}

static enum status begin(struct age_file_writer *writer, uint32_t age)
{
    char name[TABLE_FILE_NAME_BYTES];
    writer->file = (struct age_file){writer->kind, age, age};
    writer->n_members = 0;
    char *path = file_path(writer->directory, table_file_name(writer->file, name));
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = block_writer_open(&writer->writer, path, age_file_magic, AGE_FILE_VERSION);
    free(path);
    return status;
}

enum status age_file_append(struct age_file_writer *writer, uint32_t age, const struct code_bytes *code,
                            uint64_t n_members)
{
    enum status status = writer->writer ? STATUS_OK : begin(writer, age);
    if (!status)
        status = block_writer_append(writer->writer, AGE_FILE_KIND_AGE, code->data, code->bytes, BLOCK_RAW);
    writer->file.last_age = age;
    writer->n_members += n_members;
    return status;
}

enum status age_file_commit(struct age_file_writer *writer, struct table_index *index)
{
    if (!writer->writer)
        return STATUS_OK;
    enum status status = block_writer_commit(writer->writer);
    writer->writer = NULL;
    writer->n_members = 0;
    return status ? status : table_index_add_file(index, writer->file);
}

void age_file_abort(struct age_file_writer *writer)
{
    block_writer_abort(writer->writer);
    writer->writer = NULL;
    writer->n_members = 0;
}

static uint64_t members_of(enum age_file_kind kind, const struct table_age *age)
{
    return kind == AGE_FILE_MOVES ? age->n_states : age->n_afterstates;
}

enum status age_file_resume(struct age_file_writer *writer, const struct table_index *index)
{
    const struct age_file *last = NULL;
    for (size_t i = 0; i < index->n_files; i++)
        last = index->files[i].kind == writer->kind ? &index->files[i] : last;
    if (!last)
        return STATUS_OK;
    struct block_reader *reader;
    enum status status = age_file_open(&reader, writer->directory, *last);
    if (status)
        return status;
    for (size_t i = 0; i < block_reader_count(reader) && !status; i++) {
        const void *data;
        size_t bytes;
        status = block_reader_view(reader, i, &data, &bytes);
        if (status || bytes < 4)
            break;
        uint32_t age = bytes_load_u32(data);
        const struct table_age *known = table_index_age(index, age);
        bool wanted = writer->kind == AGE_FILE_SETS ? age <= last->last_age : age >= last->last_age;
        if (known && wanted) {
            struct code_bytes code = {(uint8_t *)data, bytes};
            status = age_file_append(writer, age, &code, members_of(writer->kind, known));
        }
    }
    block_reader_close(reader);
    if (!status && age_file_is_full(writer))
        age_file_abort(writer); /* it is complete as it is */
    if (status)
        age_file_abort(writer);
    return status;
}
