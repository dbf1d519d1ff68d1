/* network_file: n-tuple networks in files. */
#include "packed/network_file.h"

#include "base/blockfile.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/workers.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "ASNETWRK"

enum {
    VERSION = 2, /* the newest that is read; files without steps are written as the one below */
    VERSION_BEFORE_STEPS = 1,
    SHIPPING_LEVEL = 19, /* of zstd for steps: written once, loaded often */
    KIND_HEADER = 1,
    KIND_WEIGHTS = 2,
    MAX_HEADER_BYTES = 64 << 20,
    MAX_THREADS = 16, /* more only wait for memory */
};

/* Runs never cross a table, so that each table's 16 bits fit its own range. */
struct run_list {
    struct network_run *runs; /* stage by stage */
    size_t n_runs, n_places;  /* in all, and in one stage */
    uint32_t largest;         /* weights of the largest run */
};

static uint64_t table_weights(const struct network_spec *spec, unsigned tuple, unsigned range)
{
    uint64_t n_weights = 1;
    for (unsigned i = 0; i < spec->shape.tuples[tuple].n_cells; i++)
        n_weights *= spec->encoding.ranges[range].n_digits;
    return n_weights;
}

/* The runs of a spec in the order of the weights. With runs NULL only counts them. */
static size_t list_runs(const struct network_spec *spec, struct network_run *runs)
{
    size_t n_runs = 0;
    for (unsigned stage = 0; stage < spec->stages.n_stages; stage++) {
        uint64_t first = 0;
        for (unsigned tuple = 0; tuple < spec->shape.n_tuples; tuple++)
            for (unsigned range = 0; range < spec->encoding.n_ranges; range++)
                for (uint64_t left = table_weights(spec, tuple, range); left > 0; n_runs++) {
                    uint32_t n = left < NETWORK_RUN_WEIGHTS ? (uint32_t)left : NETWORK_RUN_WEIGHTS;
                    if (runs)
                        runs[n_runs] = (struct network_run){stage, first, n};
                    first += n;
                    left -= n;
                }
    }
    return n_runs;
}

static enum status make_runs(struct run_list *list, const struct network_spec *spec)
{
    list->n_runs = list_runs(spec, NULL);
    list->n_places = list->n_runs / spec->stages.n_stages;
    list->runs = memory_allocate(list->n_runs, sizeof *list->runs);
    if (!list->runs)
        return STATUS_NO_MEMORY;
    list_runs(spec, list->runs);
    list->largest = 0;
    for (size_t i = 0; i < list->n_runs; i++)
        list->largest = list->runs[i].n > list->largest ? list->runs[i].n : list->largest;
    return STATUS_OK;
}

static enum status write_header(struct block_writer *writer, const struct network *network,
                                const struct network_history *history, enum network_precision precision)
{
    struct network_info info = {.spec = network->spec, .precision = precision, .n_weights = network->n_weights};
    for (unsigned stage = 0; stage < network->spec.stages.n_stages; stage++)
        info.touched[stage] = network_count_stage(network, stage);
    char *text;
    enum status status = network_header_write(&info, history, &text);
    if (status)
        return status;
    status = block_writer_append(writer, KIND_HEADER, text, strlen(text), BLOCK_RAW);
    free(text);
    return status;
}

static enum status write_weights(struct block_writer *writer, const struct network *network,
                                 const struct run_list *list, const struct network_packing *packing,
                                 struct progress *progress)
{
    enum network_precision precision = packing->precision;
    float initial = network->spec.initial;
    uint8_t *packed = memory_allocate(1, weight_pack_bytes(precision, list->largest));
    float *room = memory_allocate(list->largest, sizeof *room);
    enum status status = packed && room ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < list->n_runs && !status; i++) {
        const struct network_run *run = &list->runs[i];
        uint64_t first = run->stage * network->n_stage_weights + run->first;
        const float *weights = network_get_weights(network, first, run->n, room);
        size_t bytes = weight_pack_bytes(precision, run->n);
        status = precision == NETWORK_STEPS
                     ? weight_pack_steps(packing->step, initial, weights, run->n, packed, &bytes, NULL)
                     : weight_pack(precision, initial, weights, run->n, packed, NULL);
        if (!status)
            status = block_writer_append(writer, KIND_WEIGHTS, packed, bytes, BLOCK_ZSTD);
        progress_update(progress, (double)(first + run->n) * sizeof(float), NULL);
    }
    free(packed);
    free(room);
    return status;
}

static enum status write_file(struct block_writer *writer, const struct network *network,
                              const struct network_history *history, const struct network_packing *packing,
                              FILE *stream)
{
    static const struct network_history nothing;
    struct progress progress;
    struct run_list list;
    if (packing->precision == NETWORK_STEPS)
        block_writer_set_level(writer, SHIPPING_LEVEL);
    enum status status = write_header(writer, network, history ? history : &nothing, packing->precision);
    if (status)
        return status;
    status = make_runs(&list, &network->spec);
    if (status)
        return status;
    network_begin_progress(&progress, stream, "save", network->n_weights);
    status = write_weights(writer, network, &list, packing, &progress);
    progress_end(&progress, NULL);
    free(list.runs);
    return status;
}

enum status network_save_packed(const struct network *network, const char *path, const struct network_history *history,
                                const struct network_packing *packing, FILE *progress)
{
    struct block_writer *writer;
    bool steps = packing->precision == NETWORK_STEPS;
    enum status status = block_writer_open(&writer, path, MAGIC, steps ? VERSION : VERSION_BEFORE_STEPS);
    if (status)
        return status;
    status = write_file(writer, network, history, packing, progress);
    if (!status)
        return block_writer_commit(writer);
    block_writer_abort(writer);
    return status_context(status, "%s", path);
}

enum status network_save(const struct network *network, const char *path, const struct network_history *history,
                         enum network_precision precision, FILE *progress)
{
    return network_save_packed(network, path, history, &(struct network_packing){.precision = precision}, progress);
}

static enum status read_header(const struct block_reader *reader, struct network_info *info,
                               struct network_history *history)
{
    size_t block;
    const void *text;
    size_t bytes;
    if (history)
        *history = (struct network_history){0};
    enum status status = block_reader_find(reader, KIND_HEADER, 0, &block);
    if (status)
        return status;
    if (block_reader_info(reader, block).raw_bytes > MAX_HEADER_BYTES)
        return status_fail(STATUS_CORRUPT, "%s: a header of %" PRIu64 " bytes", block_reader_name(reader),
                           block_reader_info(reader, block).raw_bytes);
    status = block_reader_view(reader, block, &text, &bytes);
    if (status)
        return status;
    status = network_header_read(text, bytes, info, history);
    return status ? status_context(STATUS_CORRUPT, "%s", block_reader_name(reader)) : STATUS_OK;
}

struct loading {
    const struct block_reader *reader;
    const struct run_list *list;
    size_t *blocks; /* the block of each run */
    const struct weight_sink *sink;
    uint8_t *room[MAX_THREADS];
    FILE *stream; /* of the bar; NULL: none */
    struct progress progress;
    atomic_uint_fast64_t n_done; /* weights */
};

/* Finds the block of each run and checks its size, before any memory is allocated for weights. */
static enum status match_blocks(struct loading *loading)
{
    const struct block_reader *reader = loading->reader;
    const struct run_list *list = loading->list;
    size_t n_found = 0;
    for (size_t i = 0; i < block_reader_count(reader); i++) {
        struct block_info info = block_reader_info(reader, i);
        if (info.kind != KIND_WEIGHTS)
            continue;
        if (n_found == list->n_runs)
            return status_fail(STATUS_CORRUPT, "%s: block %zu holds weights beyond the %zu runs of its network",
                               block_reader_name(reader), i, list->n_runs);
        uint32_t n = list->runs[n_found].n;
        if (info.raw_bytes < weight_steps_min_bytes(n) || info.raw_bytes > weight_pack_bytes(NETWORK_FLOAT32, n))
            return status_fail(STATUS_CORRUPT, "%s: block %zu has %" PRIu64 " bytes for %" PRIu32 " weights",
                               block_reader_name(reader), i, info.raw_bytes, n);
        loading->blocks[n_found++] = i;
    }
    if (n_found != list->n_runs)
        return status_fail(STATUS_CORRUPT, "%s: %zu blocks of weights, its network has %zu", block_reader_name(reader),
                           n_found, list->n_runs);
    return STATUS_OK;
}

static enum status load_run(struct loading *loading, unsigned worker, size_t item)
{
    const struct network_run *run = &loading->list->runs[item];
    size_t block = loading->blocks[item];
    size_t bytes = (size_t)block_reader_info(loading->reader, block).raw_bytes;
    uint8_t *room = loading->room[worker];
    enum status status =
        block_reader_load(loading->reader, block, room, weight_pack_bytes(NETWORK_FLOAT32, loading->list->largest));
    if (status)
        return status;
    status = loading->sink->take(loading->sink->context, worker, run, room, bytes);
    if (status)
        return status_context(status, "%s: block %zu", block_reader_name(loading->reader), block);
    uint64_t n_done = atomic_fetch_add(&loading->n_done, run->n) + run->n;
    if (worker == 0)
        progress_update(&loading->progress, (double)n_done * sizeof(float), NULL);
    return STATUS_OK;
}

/* The runs of one place in all stages. */
static enum status load_place(void *context, unsigned worker, uint64_t place)
{
    struct loading *loading = context;
    enum status status = STATUS_OK;
    for (size_t item = (size_t)place; item < loading->list->n_runs && !status; item += loading->list->n_places)
        status = load_run(loading, worker, item);
    return status;
}

/* Reads all runs with n_threads threads, after the sink has begun. */
static enum status load_runs(struct loading *loading, unsigned n_threads)
{
    struct workers *workers = NULL;
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < n_threads && !status; i++)
        if (!(loading->room[i] = memory_allocate(1, weight_pack_bytes(NETWORK_FLOAT32, loading->list->largest))))
            status = STATUS_NO_MEMORY;
    if (status)
        goto done;
    status = workers_create(&workers, n_threads);
    if (status)
        goto done;
    status = workers_for(workers, loading->list->n_places, load_place, loading);
done:
    workers_free(workers);
    for (unsigned i = 0; i < n_threads; i++)
        free(loading->room[i]);
    return status;
}

static enum status load_weights(struct loading *loading, const struct network_info *info, struct run_list *list)
{
    enum status status = make_runs(list, &info->spec);
    if (status)
        return status;
    loading->blocks = memory_allocate(list->n_runs, sizeof *loading->blocks);
    if (!loading->blocks)
        return STATUS_NO_MEMORY;
    status = match_blocks(loading);
    if (status)
        return status;
    unsigned n_threads = workers_available();
    n_threads = n_threads < MAX_THREADS ? n_threads : MAX_THREADS;
    if (info->n_weights < NETWORK_RUN_WEIGHTS) /* done before the threads have begun */
        n_threads = 1;
    const struct weight_sink *sink = loading->sink;
    status = sink->begin(sink->context, info, block_reader_name(loading->reader), n_threads);
    if (status)
        return status;
    network_begin_progress(&loading->progress, loading->stream, "load", info->n_weights);
    status = load_runs(loading, n_threads);
    progress_end(&loading->progress, NULL);
    return status;
}

static enum status open_source(struct block_reader **reader, const struct network_source *source)
{
    return source->data ? block_reader_open_memory(reader, source->data, source->bytes, source->name, MAGIC, VERSION)
                        : block_reader_open(reader, source->name, MAGIC, VERSION);
}

enum status network_file_read(const struct network_source *source, const struct weight_sink *sink,
                              struct network_history *history, FILE *progress)
{
    struct block_reader *reader;
    struct network_info info;
    struct run_list list = {0};
    if (history)
        *history = (struct network_history){0};
    enum status status = open_source(&reader, source);
    if (status)
        return status;
    struct loading loading = {.reader = reader, .list = &list, .sink = sink, .stream = progress};
    status = read_header(reader, &info, history);
    if (!status)
        status = load_weights(&loading, &info, &list);
    if (status && history)
        network_history_free(history);
    free(loading.blocks);
    free(list.runs);
    block_reader_close(reader);
    return status;
}

static enum status begin_network(void *context, const struct network_info *info, const char *name, unsigned n_workers)
{
    (void)n_workers;
    struct network **network = context;
    uint64_t n_weights, bytes;
    enum status status = network_measure(&info->spec, &n_weights, &bytes);
    if (!status)
        status = memory_check(bytes, name);
    return status ? status : network_create(network, &info->spec);
}

static enum status take_run(void *context, unsigned worker, const struct network_run *run, const uint8_t *packed,
                            size_t bytes)
{
    (void)worker;
    const struct network *network = *(struct network **)context;
    float *weights = network->weights + run->stage * network->n_stage_weights + run->first;
    return weight_unpack(packed, bytes, network->spec.initial, weights, run->n);
}

static enum status load_from(struct network **out, const struct network_source *source, struct network_history *history,
                             FILE *progress)
{
    *out = NULL;
    struct weight_sink sink = {.context = out, .begin = begin_network, .take = take_run};
    enum status status = network_file_read(source, &sink, history, progress);
    if (status) {
        network_free(*out);
        *out = NULL;
    }
    return status;
}

enum status network_load(struct network **out, const char *path, struct network_history *history, FILE *progress)
{
    return load_from(out, &(struct network_source){.name = path}, history, progress);
}

enum status network_load_memory(struct network **out, const void *data, size_t bytes, const char *name,
                                struct network_history *history)
{
    return load_from(out, &(struct network_source){name, data, bytes}, history, NULL);
}

enum status network_read_info(const char *path, struct network_info *info, struct network_history *history,
                              uint64_t *file_bytes)
{
    struct block_reader *reader;
    if (history)
        *history = (struct network_history){0};
    enum status status = block_reader_open(&reader, path, MAGIC, VERSION);
    if (status)
        return status;
    status = read_header(reader, info, history);
    block_reader_close(reader);
    struct stat about;
    if (!status && file_bytes) {
        if (stat(path, &about) != 0) {
            if (history)
                network_history_free(history);
            return status_fail_errno(STATUS_IO, "%s: cannot be read", path);
        }
        *file_bytes = (uint64_t)about.st_size;
    }
    return status;
}
