/* Clusters of threads: what ranks agree on and send each other, and the loop that hands out work. */
#include "scratch.h"
#include "thread_cluster.h"

#include "base/cluster.h"
#include "base/cluster_loop.h"
#include "base/random.h"

#include <stdatomic.h>

/* cmocka's checks belong to the main thread: ranks count what is wrong. */
static atomic_uint n_wrong;
#define CHECK(condition) ((condition) ? (void)0 : (void)atomic_fetch_add(&n_wrong, 1))

static void run_on_all_sizes(void (*run)(const struct cluster *cluster, void *context), void *context)
{
    run(NULL, context);
    for (unsigned size = 1; size <= 5; size++)
        thread_cluster_run(size, run, context);
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
}

/* ---- agreeing ---- */

static void agree(const struct cluster *cluster, void *context)
{
    (void)context;
    unsigned rank = cluster_rank(cluster), size = cluster_size(cluster);
    CHECK(cluster_agree(cluster, STATUS_OK) == STATUS_OK);
    for (unsigned bad = 0; bad < size; bad++) {
        enum status status = rank == bad ? status_fail(STATUS_IO, "disk %u is full", bad) : STATUS_OK;
        char expected[64];
        snprintf(expected, sizeof expected, "rank %u (host%u): disk %u is full", bad, bad, bad);
        CHECK(cluster_agree(cluster, status) == STATUS_IO);
        if (size > 1)
            CHECK(strcmp(status_message(), expected) == 0);
    }
    /* What all say needs no name, and stays as it is however often it is agreed on. */
    enum status status = status_fail(STATUS_USAGE, "no such file");
    for (int i = 0; i < 2; i++)
        status = cluster_agree(cluster, status);
    CHECK(status == STATUS_USAGE && strcmp(status_message(), "no such file") == 0);
    /* An interruption of rank 0 gives way to the failure of another. */
    status = rank == 0 ? status_fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
    if (rank + 1 == size && size > 1)
        status = status_fail(STATUS_NO_MEMORY, "no memory");
    CHECK(cluster_agree(cluster, status) == (size > 1 ? STATUS_NO_MEMORY : STATUS_INTERRUPTED));
    /* Only the first rank counts. */
    status = status_fail(rank == 0 ? STATUS_CORRUPT : STATUS_IO, "rank %u says so", rank);
    CHECK(cluster_follow(cluster, status) == STATUS_CORRUPT && strcmp(status_message(), "rank 0 says so") == 0);
    CHECK(cluster_follow(cluster, rank == 0 ? STATUS_OK : STATUS_IO) == STATUS_OK);
    CHECK(cluster_any(cluster, rank + 1 == size) && !cluster_any(cluster, false));
    CHECK(!cluster_interrupted(cluster));
}

static void test_agree(void **state)
{
    (void)state;
    run_on_all_sizes(agree, NULL);
}

/* ---- sums and bytes ---- */

static void sums(const struct cluster *cluster, void *context)
{
    (void)context;
    enum { N = 1001 };
    unsigned rank = cluster_rank(cluster), size = cluster_size(cluster);
    uint64_t counts[11];
    float values[N], expected[N] = {0};
    for (unsigned i = 0; i < 11; i++)
        counts[i] = rank * 100 + i;
    cluster_sum(cluster, counts, 11);
    for (unsigned i = 0; i < 11; i++)
        CHECK(counts[i] == size * (size - 1) / 2 * 100 + size * i);
    for (unsigned r = 0; r < size; r++) {
        struct rng rng = random_stream(7, r);
        for (unsigned i = 0; i < N; i++) {
            float value = (float)random_bits(&rng) * 1e-19f;
            expected[i] = r == 0 ? value : expected[i] + value; /* in this order, to the last bit */
            if (r == rank)
                values[i] = value;
        }
    }
    for (size_t n = 0; n < N; n += 250) { /* 0 too, and fewer than ranks */
        float part[N];
        memcpy(part, values, sizeof part);
        CHECK(cluster_sum_floats(cluster, part, n) == STATUS_OK);
        CHECK(memcmp(part, expected, n * sizeof *part) == 0 && (n == 0 || part[n] == values[n]));
    }
}

static void ranges(const struct cluster *cluster, void *context)
{
    (void)context;
    unsigned rank = cluster_rank(cluster), size = cluster_size(cluster);
    for (uint64_t n = 0; n < 12; n++) {
        uint64_t at = 0, begin, end, data[12] = {0};
        for (unsigned r = 0; r < size; r++) {
            cluster_range(cluster, r, n, &begin, &end);
            CHECK(begin == at && end - begin <= n / size + 1);
            at = end;
            for (uint64_t i = begin; r == rank && i < end; i++)
                data[i] = i + 1;
        }
        CHECK(at == n);
        cluster_share_ranges(cluster, data, n, sizeof *data);
        for (uint64_t i = 0; i < n; i++)
            CHECK(data[i] == i + 1);
    }
    char text[32] = "";
    snprintf(text, sizeof text, "by rank %u", rank);
    cluster_broadcast(cluster, text, sizeof text);
    CHECK(strcmp(text, "by rank 0") == 0);
}

/* Rank a sends a * 5 + b numbers to rank b, which say so. */
static void exchange(const struct cluster *cluster, void *context)
{
    (void)context;
    enum { MOST = 64 };
    unsigned rank = cluster_rank(cluster), size = cluster_size(cluster);
    uint64_t out_bytes[8], in_bytes[8], out_at[8], in_at[8], n_sent = 0, n_expected = 0;
    uint32_t out[8 * MOST], in[8 * MOST];
    for (unsigned r = 0; r < size; r++) {
        out_at[r] = in_at[r] = r * MOST * sizeof *out;
        out_bytes[r] = (rank * 5 + r) * sizeof *out;
        n_expected += r != rank ? out_bytes[r] : 0;
        for (unsigned i = 0; i < rank * 5 + r; i++)
            out[r * MOST + i] = rank * 10000 + r * 100 + i;
    }
    cluster_swap_counts(cluster, out_bytes, in_bytes);
    cluster_exchange(cluster, out, &(struct cluster_parts){out_at, out_bytes}, in,
                     &(struct cluster_parts){in_at, in_bytes}, &n_sent);
    for (unsigned r = 0; r < size; r++) {
        CHECK(in_bytes[r] == (r * 5 + rank) * sizeof *in);
        for (unsigned i = 0; i < r * 5 + rank; i++)
            CHECK(in[r * MOST + i] == r * 10000 + rank * 100 + i);
    }
    CHECK(n_sent == n_expected || size == 1);
}

static void test_bytes(void **state)
{
    (void)state;
    run_on_all_sizes(sums, NULL);
    run_on_all_sizes(ranges, NULL);
    run_on_all_sizes(exchange, NULL);
}

/* More than a round holds; the pages are touched once, in a buffer that is shared by all parts. */
static void send_much(const struct cluster *cluster, void *context)
{
    uint64_t n = CLUSTER_ROUND_BYTES / 2 + 12345, zero[2] = {0, 0}, out_bytes[2] = {0, 0}, in_bytes[2] = {0, 0};
    uint8_t **buffers = context;
    unsigned other = 1 - cluster->rank;
    out_bytes[other] = cluster->rank == 0 ? n : 0;
    in_bytes[other] = cluster->rank == 1 ? n : 0;
    cluster_exchange(cluster, buffers[0], &(struct cluster_parts){zero, out_bytes}, buffers[1],
                     &(struct cluster_parts){zero, in_bytes}, NULL);
    if (cluster->rank == 1)
        CHECK(buffers[1][0] == 1 && buffers[1][n - 1] == 2);
}

static void test_exchange_in_rounds(void **state)
{
    (void)state;
    uint64_t n = CLUSTER_ROUND_BYTES / 2 + 12345;
    uint8_t *buffers[2] = {calloc(n, 1), calloc(n, 1)};
    assert_true(buffers[0] && buffers[1]);
    buffers[0][0] = 1;
    buffers[0][n - 1] = 2;
    uint64_t largest = thread_cluster_run(2, send_much, buffers);
    assert_true(largest <= CLUSTER_ROUND_BYTES / 2);
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
    free(buffers[0]);
    free(buffers[1]);
}

/* ---- the loop ---- */

enum { N_ITEMS = 500 };

struct squares {
    bool described;
    unsigned n_ahead, n_threads;
    uint64_t fail_at, fail_collect_at, fail_describe_at; /* N_ITEMS: never */
    uint64_t results[N_ITEMS];
    unsigned n_collected[N_ITEMS];
    atomic_uint n_workers_seen;
};

static enum status describe(void *context, uint64_t number, void *bytes)
{
    const struct squares *squares = context;
    if (number == squares->fail_describe_at)
        return status_fail(STATUS_INVALID, "item %d cannot be described", (int)number);
    uint64_t key = number + 1000;
    memcpy(bytes, &key, sizeof key);
    return STATUS_OK;
}

static enum status square(void *context, unsigned worker, struct cluster_loop *loop)
{
    struct squares *squares = context;
    struct cluster_item item;
    (void)worker;
    atomic_fetch_add(&squares->n_workers_seen, 1);
    while (cluster_loop_take(loop, &item)) {
        uint64_t key = item.number + 1000;
        if (squares->described)
            memcpy(&key, item.bytes, sizeof key);
        if (item.number == squares->fail_at) {
            free(item.bytes);
            return status_fail(STATUS_CORRUPT, "item %d is bad", (int)squares->fail_at);
        }
        uint64_t result[40] = {(key - 1000) * (key - 1000)};
        enum status status = cluster_loop_give(loop, &item, result, item.number % 2 ? 8 : sizeof result);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status collect(void *context, uint64_t number, const void *bytes, size_t n_bytes)
{
    struct squares *squares = context;
    if (number == squares->fail_collect_at)
        return status_fail(STATUS_IO, "the disk is full");
    CHECK(n_bytes == (number % 2 ? 8 : 320));
    memcpy(&squares->results[number], bytes, 8);
    squares->n_collected[number]++;
    return STATUS_OK;
}

static enum status run_squares(const struct cluster *cluster, struct squares *squares)
{
    struct cluster_work work = {.n_items = cluster_is_first(cluster) ? N_ITEMS : 0,
                                .n_ahead = squares->n_ahead,
                                .item_bytes = squares->described ? sizeof(uint64_t) : 0,
                                .describe = squares->described ? describe : NULL,
                                .job = square,
                                .collect = collect,
                                .context = squares};
    struct workers *workers;
    CHECK(workers_create(&workers, squares->n_threads) == STATUS_OK);
    enum status status = cluster_loop_run(cluster, workers, &work);
    workers_free(workers);
    return status;
}

static void loop(const struct cluster *cluster, void *context)
{
    struct squares *squares = context;
    for (int again = 0; again < 2; again++) /* nothing of the first loop is left for the second */
        CHECK(run_squares(cluster, squares) == STATUS_OK);
}

static void test_loop(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= 5; size++)
        for (unsigned variant = 0; variant < 4; variant++) {
            struct squares squares = {.described = variant & 1,
                                      .n_ahead = variant & 2 ? 3 : 0,
                                      .n_threads = 1 + size % 3,
                                      .fail_at = N_ITEMS,
                                      .fail_collect_at = N_ITEMS,
                                      .fail_describe_at = N_ITEMS};
            thread_cluster_run(size, loop, &squares);
            assert_int_equal(squares.n_workers_seen, 2 * size * squares.n_threads);
            for (uint64_t i = 0; i < N_ITEMS; i++) {
                assert_int_equal(squares.results[i], i * i);
                assert_int_equal(squares.n_collected[i], 2);
            }
        }
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
}

static void failing_loop(const struct cluster *cluster, void *context)
{
    struct squares *squares = context;
    enum status status = run_squares(cluster, squares);
    const char *expected = squares->fail_at < N_ITEMS           ? "item 77 is bad"
                           : squares->fail_collect_at < N_ITEMS ? "the disk is full"
                                                                : "item 77 cannot be described";
    CHECK(status == (squares->fail_at < N_ITEMS           ? STATUS_CORRUPT
                     : squares->fail_collect_at < N_ITEMS ? STATUS_IO
                                                          : STATUS_INVALID));
    CHECK(strstr(status_message(), expected) != NULL);
    if (cluster_size(cluster) > 1)
        CHECK(strncmp(status_message(), "rank ", 5) == 0 && !strstr(status_message() + 1, "rank"));
}

static void test_loop_failures(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= 4; size++)
        for (unsigned where = 0; where < 3; where++) {
            struct squares squares = {.n_threads = 2,
                                      .described = true,
                                      .fail_at = where == 0 ? 77 : N_ITEMS,
                                      .fail_collect_at = where == 1 ? 77 : N_ITEMS,
                                      .fail_describe_at = where == 2 ? 77 : N_ITEMS};
            thread_cluster_run(size, failing_loop, &squares);
        }
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
}

/* An item that only an interruption ends, which one rank requests. */
static enum status wait_for_stop(void *context, unsigned worker, struct cluster_loop *the_loop)
{
    const struct cluster *cluster = context;
    struct cluster_item item;
    (void)worker;
    while (cluster_loop_take(the_loop, &item)) {
        if (cluster->rank + 1 == cluster->size)
            signals_request_stop();
        while (!cluster_loop_stopped(the_loop))
            usleep(200);
    }
    return STATUS_OK;
}

static void interrupted_loop(const struct cluster *cluster, void *context)
{
    (void)context;
    struct cluster_work work = {.n_items = 1000, .job = wait_for_stop, .context = (void *)cluster};
    struct workers *workers;
    CHECK(workers_create(&workers, 2) == STATUS_OK);
    CHECK(cluster_loop_run(cluster, workers, &work) == STATUS_INTERRUPTED);
    CHECK(cluster_interrupted(cluster));
    workers_free(workers);
}

static void test_loop_interrupted(void **state)
{
    (void)state;
    for (unsigned size = 1; size <= 4; size++) {
        assert_ok(signals_catch_interrupt());
        thread_cluster_run(size, interrupted_loop, NULL);
        signals_restore();
    }
    assert_int_equal(atomic_exchange(&n_wrong, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agree), cmocka_unit_test(test_bytes),         cmocka_unit_test(test_exchange_in_rounds),
        cmocka_unit_test(test_loop),  cmocka_unit_test(test_loop_failures), cmocka_unit_test(test_loop_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
