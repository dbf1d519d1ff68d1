#include "learn/weight_average.h"

#include <inttypes.h>
#include <math.h>

enum {
    KIND_SAMPLES = 0x5403,
    KIND_MEANS = 0x5404,
    CHUNK_WEIGHTS = 1 << 21, /* of a block, and of a piece of work */
};

static uint64_t count_chunks(const struct network *network)
{
    return (network->n_weights + CHUNK_WEIGHTS - 1) / CHUNK_WEIGHTS;
}

static size_t chunk_weights(const struct network *network, uint64_t chunk)
{
    uint64_t left = network->n_weights - chunk * CHUNK_WEIGHTS;
    return left < CHUNK_WEIGHTS ? (size_t)left : CHUNK_WEIGHTS;
}

/* Only what changes is written: pages that hold nothing but zeros stay untaken. */
static void fill(float *means, uint64_t n, float value)
{
    for (uint64_t i = 0; i < n; i++)
        if (means[i] != value)
            means[i] = value;
}

enum status weight_average_create(struct weight_average *average, const struct network *network)
{
    *average = (struct weight_average){0};
    enum status status = memory_block_allocate(&average->block, network->n_weights * sizeof(float));
    if (!status)
        fill(average->block.data, network->n_weights, network->spec.initial);
    return status;
}

void weight_average_free(struct weight_average *average)
{
    memory_block_free(&average->block);
    *average = (struct weight_average){0};
}

void weight_average_restart(struct weight_average *average, const struct network *network, uint64_t turn)
{
    if (average->n_samples > 0)
        fill(average->block.data, network->n_weights, network->spec.initial);
    average->n_samples = 0;
    average->turn = turn;
}

struct sampling {
    struct weight_average *average;
    const struct learn_target *target;
};

static enum status sample_chunk(void *context, unsigned worker, uint64_t chunk)
{
    (void)worker;
    const struct sampling *sampling = context;
    const struct network *network = sampling->target->network;
    unsigned stride = sampling->target->stride;
    float initial = network->spec.initial, share = 1 / (float)sampling->average->n_samples;
    uint64_t first = chunk * CHUNK_WEIGHTS;
    const float *cell = sampling->target->cells + stride * first;
    float *mean = (float *)sampling->average->block.data + first;
    for (const float *end = mean + chunk_weights(network, chunk); mean < end; mean++, cell += stride) {
        if (*cell == initial)
            continue;
        float next = *mean == initial ? *cell : *mean + (*cell - *mean) * share;
        *mean = next == initial ? nextafterf(initial, INFINITY) : next; /* it has a sample */
    }
    return STATUS_OK;
}

enum status weight_average_sample(struct weight_average *average, const struct learn_target *target,
                                  struct workers *workers)
{
    struct sampling sampling = {.average = average, .target = target};
    average->n_samples++;
    return workers_for(workers, count_chunks(target->network), sample_chunk, &sampling);
}

void weight_average_exchange(struct weight_average *average, struct network *network)
{
    float *means = average->block.data, *weights = network->weights;
    for (uint64_t i = 0; i < network->n_weights && average->n_samples > 0; i++)
        if (weights[i] != means[i]) {
            float weight = weights[i];
            weights[i] = means[i];
            means[i] = weight;
        }
}

enum status weight_average_save(const struct weight_average *average, const struct network *network,
                                struct block_writer *writer)
{
    const float *means = average->block.data;
    enum status status =
        block_writer_append(writer, KIND_SAMPLES, &average->n_samples, sizeof average->n_samples, BLOCK_RAW);
    for (uint64_t chunk = 0; chunk < count_chunks(network) && average->n_samples > 0 && !status; chunk++)
        status = block_writer_append(writer, KIND_MEANS, means + chunk * CHUNK_WEIGHTS,
                                     chunk_weights(network, chunk) * sizeof *means, BLOCK_ZSTD);
    return status;
}

static bool has_block(const struct block_reader *reader, uint32_t kind)
{
    for (size_t i = 0; i < block_reader_count(reader); i++)
        if (block_reader_info(reader, i).kind == kind)
            return true;
    return false;
}

/* Block `nth` of a kind, which must have these bytes. */
static enum status load_block(const struct block_reader *reader, uint32_t kind, size_t nth, void *out, size_t bytes)
{
    size_t block;
    enum status status = block_reader_find(reader, kind, nth, &block);
    if (!status && block_reader_info(reader, block).raw_bytes != bytes)
        status = status_fail(STATUS_CORRUPT, "%s: block %zu of the average has %" PRIu64 " bytes, not %zu",
                             block_reader_name(reader), nth, block_reader_info(reader, block).raw_bytes, bytes);
    return status ? status : block_reader_load(reader, block, out, bytes);
}

enum status weight_average_load(struct weight_average *average, const struct network *network,
                                const struct block_reader *reader, uint64_t turn)
{
    uint64_t n_samples;
    float *means = average->block.data;
    weight_average_restart(average, network, turn);
    if (!has_block(reader, KIND_SAMPLES))
        return STATUS_OK;
    enum status status = load_block(reader, KIND_SAMPLES, 0, &n_samples, sizeof n_samples);
    for (uint64_t chunk = 0; !status && n_samples > 0 && chunk < count_chunks(network); chunk++)
        status = load_block(reader, KIND_MEANS, chunk, means + chunk * CHUNK_WEIGHTS,
                            chunk_weights(network, chunk) * sizeof *means);
    if (!status)
        average->n_samples = n_samples;
    return status;
}
