/* weight_average: the mean of a run's weights over time (Polyak and Juditsky 1992), kept beside the weights. */
#include "learn/weight_average.h"

#include "learn/cell_blocks.h"

#include <inttypes.h>
#include <math.h>

enum {
    KIND_SAMPLES = 0x5403,
    KIND_MEANS = 0x5404,
    CHUNK_WEIGHTS = 1 << 21, /* of a block, and of a piece of work */
};

/* Writes only what differs, so that pages of zeros take no memory. */
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
    if (status)
        return status;
    fill(average->block.data, network->n_weights, network->spec.initial);
    return STATUS_OK;
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
    const struct network *network;
};

static enum status sample_chunk(void *context, unsigned worker, uint64_t chunk)
{
    (void)worker;
    const struct sampling *sampling = context;
    const struct network *network = sampling->network;
    size_t stride = network->stride;
    float initial = network->spec.initial, share = 1 / (float)sampling->average->n_samples;
    uint64_t first = chunk * CHUNK_WEIGHTS, left = network->n_weights - first;
    const float *cell = network->cells + stride * first;
    float *mean = (float *)sampling->average->block.data + first;
    for (const float *end = mean + (left < CHUNK_WEIGHTS ? left : CHUNK_WEIGHTS); mean < end; mean++, cell += stride) {
        if (*cell == initial)
            continue;
        float next = *mean == initial ? *cell : *mean + (*cell - *mean) * share;
        *mean = next == initial ? nextafterf(initial, INFINITY) : next; /* it has a sample */
    }
    return STATUS_OK;
}

enum status weight_average_sample(struct weight_average *average, const struct network *network,
                                  struct workers *workers)
{
    struct sampling sampling = {.average = average, .network = network};
    average->n_samples++;
    return workers_for(workers, (network->n_weights + CHUNK_WEIGHTS - 1) / CHUNK_WEIGHTS, sample_chunk, &sampling);
}

void weight_average_exchange(struct weight_average *average, struct network *network)
{
    float *means = average->block.data;
    for (uint64_t i = 0; i < network->n_weights && average->n_samples > 0; i++) {
        float *weight = network->cells + network->stride * i;
        if (*weight != means[i]) {
            float was = *weight;
            *weight = means[i];
            means[i] = was;
        }
    }
}

static struct cell_column column_of_means(const struct weight_average *average, const struct network *network)
{
    return (struct cell_column){.first = average->block.data,
                                .width = 1,
                                .stride = 1,
                                .n_cells = average->n_samples > 0 ? network->n_weights : 0,
                                .n_chunk = CHUNK_WEIGHTS,
                                .kind = KIND_MEANS,
                                .name = "the average"};
}

enum status weight_average_save(const struct weight_average *average, const struct network *network,
                                struct block_writer *writer)
{
    struct cell_column means = column_of_means(average, network);
    enum status status =
        block_writer_append(writer, KIND_SAMPLES, &average->n_samples, sizeof average->n_samples, BLOCK_RAW);
    return status ? status : cell_blocks_save(&means, writer);
}

enum status weight_average_load(struct weight_average *average, const struct network *network,
                                const struct block_reader *reader, uint64_t turn)
{
    size_t i = 0;
    weight_average_restart(average, network, turn);
    while (i < block_reader_count(reader) && block_reader_info(reader, i).kind != KIND_SAMPLES)
        i++;
    if (i == block_reader_count(reader))
        return STATUS_OK;
    if (block_reader_info(reader, i).raw_bytes != sizeof average->n_samples)
        return status_fail(STATUS_CORRUPT, "%s: the number of samples of the average has %" PRIu64 " bytes",
                           block_reader_name(reader), block_reader_info(reader, i).raw_bytes);
    enum status status = block_reader_load(reader, i, &average->n_samples, sizeof average->n_samples);
    struct cell_column means = column_of_means(average, network);
    if (!status)
        status = cell_blocks_load(&means, reader);
    if (status)
        average->n_samples = 0;
    return status;
}
