/*
 * The codes of solved tables: walking and searching a set, reading a ribbon map. Sizes are those of a middle age of 4x3
 * cut down to what is made in a second: a few million numbers, one in 64, beyond the second-level cache.
 */
#include "bench.h"

#include "base/memory.h"
#include "base/random.h"
#include "solve/elias_fano.h"
#include "solve/ribbon.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    N_NUMBERS = 4000000,
    SPACING = 64,
    GROUP = 256, /* queries at a time */
    N_JOBS = 3,
    NAME_BYTES = 32,
};

struct codes_bench {
    uint64_t *numbers;
    uint8_t *set_data, *map_data;
    size_t set_bytes, map_bytes;
    struct elias_fano set;
    struct ribbon map;
    struct rng rng;
    uint64_t next_block;
    char names[N_JOBS][NAME_BYTES]; /* with the bits an item */
    struct bench_job jobs[N_JOBS];
};

static uint64_t run_walk(void *context, uint64_t n, uint64_t *sink)
{
    struct codes_bench *bench = context;
    uint64_t done = 0, numbers[ELIAS_FANO_BLOCK];
    while (done < n) {
        unsigned count = elias_fano_decode(&bench->set, bench->next_block, numbers);
        *sink += numbers[count - 1];
        done += count;
        bench->next_block = (bench->next_block + 1) % elias_fano_n_blocks(&bench->set);
    }
    return done;
}

/* Walking must read every word of the code. */
static uint64_t limit_walk(void *context, uint64_t n, uint64_t *sink)
{
    struct codes_bench *bench = context;
    uint64_t done = 0, at = 0, step = bench->set_bytes * ELIAS_FANO_BLOCK / N_NUMBERS / 8;
    for (; done < n; done += ELIAS_FANO_BLOCK) {
        for (uint64_t i = 0; i < step; i++)
            *sink += bytes_load_u64(bench->set_data + 8 * (at + i));
        at = (at + 2 * step) * 8 > bench->set_bytes ? 0 : at + step;
    }
    return done;
}

static uint64_t run_find(void *context, uint64_t n, uint64_t *sink)
{
    struct codes_bench *bench = context;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t position = 0;
        elias_fano_find(&bench->set, bench->numbers[random_below(&bench->rng, N_NUMBERS)], &position);
        *sink += position;
    }
    return n;
}

/* One look at the number that is searched and one into the code. */
static uint64_t limit_find(void *context, uint64_t n, uint64_t *sink)
{
    struct codes_bench *bench = context;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t number = random_below(&bench->rng, N_NUMBERS);
        *sink += bench->numbers[number] + bench->set_data[number * bench->set_bytes / N_NUMBERS];
    }
    return n;
}

static uint64_t run_map(void *context, uint64_t n, uint64_t *sink)
{
    struct codes_bench *bench = context;
    uint64_t keys[GROUP];
    uint8_t values[GROUP];
    for (uint64_t done = 0; done < n; done += GROUP) {
        for (unsigned i = 0; i < GROUP; i++)
            keys[i] = bench->numbers[random_below(&bench->rng, N_NUMBERS)];
        ribbon_find_batch(&bench->map, keys, GROUP, values);
        *sink += values[0];
    }
    return (n + GROUP - 1) / GROUP * GROUP;
}

static uint64_t limit_map(void *context, uint64_t n, uint64_t *sink)
{
    struct codes_bench *bench = context;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t number = random_below(&bench->rng, N_NUMBERS);
        *sink += bench->numbers[number] + bench->map_data[number * bench->map_bytes / N_NUMBERS];
    }
    return n;
}

static void list_jobs(struct codes_bench *bench)
{
    double set_bits = 8.0 * (double)bench->set_bytes / N_NUMBERS, map_bits = 8.0 * (double)bench->map_bytes / N_NUMBERS;
    snprintf(bench->names[0], NAME_BYTES, "set walk %.2f bits", set_bits);
    snprintf(bench->names[1], NAME_BYTES, "set find %.2f bits", set_bits);
    snprintf(bench->names[2], NAME_BYTES, "ribbon %.3f bits", map_bits);
    bench->jobs[0] =
        (struct bench_job){bench->names[0], "numbers", "reading the code's words", run_walk, limit_walk, bench, NULL};
    bench->jobs[1] = (struct bench_job){
        bench->names[1], "queries", "one load of the key, one of the code", run_find, limit_find, bench, NULL};
    bench->jobs[2] = (struct bench_job){
        bench->names[2], "queries", "one load of the key, one of the map", run_map, limit_map, bench, NULL};
}

static enum status fill(struct codes_bench *bench)
{
    struct elias_fano_encoder encoder = {0};
    struct ribbon_builder builder = {0};
    uint64_t number = 0;
    enum status status = ribbon_builder_reserve(&builder, N_NUMBERS);
    for (size_t i = 0; !status && i < N_NUMBERS; i++) {
        bench->numbers[i] = number;
        status = ribbon_builder_add(&builder, number, (unsigned)random_below(&bench->rng, RIBBON_VALUES));
        number += 1 + random_below(&bench->rng, 2 * SPACING - 1);
    }
    if (!status)
        status = ribbon_builder_finish(&builder, &bench->map_data, &bench->map_bytes);
    if (!status)
        status = elias_fano_encode(&encoder, bench->numbers, N_NUMBERS);
    if (!status)
        status = elias_fano_encoder_finish(&encoder, number, &bench->set_data, &bench->set_bytes);
    if (!status)
        status = elias_fano_open(&bench->set, bench->set_data, bench->set_bytes);
    if (!status)
        status = ribbon_open(&bench->map, bench->map_data, bench->map_bytes);
    elias_fano_encoder_free(&encoder);
    ribbon_builder_free(&builder);
    return status;
}

enum status bench_codes_create(struct codes_bench **out)
{
    *out = NULL;
    struct codes_bench *bench = memory_allocate(1, sizeof *bench);
    if (!bench)
        return STATUS_NO_MEMORY;
    bench->rng = random_stream(1, 0);
    bench->numbers = memory_allocate(N_NUMBERS, sizeof *bench->numbers);
    enum status status = bench->numbers ? fill(bench) : STATUS_NO_MEMORY;
    if (status) {
        bench_codes_free(bench);
        return status;
    }
    list_jobs(bench);
    *out = bench;
    return STATUS_OK;
}

void bench_codes_free(struct codes_bench *bench)
{
    if (!bench)
        return;
    free(bench->numbers);
    free(bench->set_data);
    free(bench->map_data);
    free(bench);
}

const struct bench_job *bench_codes_jobs(const struct codes_bench *bench, size_t *n_jobs)
{
    *n_jobs = N_JOBS;
    return bench->jobs;
}
