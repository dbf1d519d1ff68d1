/* Compact networks against the plain ones whose files they are made of: every value to the last bit. */
#include "network_sample.h"

#include "base/blockfile.h"
#include "ntuple/compact_network.h"
#include "ntuple/network_file.h"

#include <float.h>
#include <math.h>

struct kind {
    struct sample sample;
    bool unseen_mean;
    unsigned n_touched_of_64; /* weights */
};

/* Tables of five cells and more are large. */
static const struct kind kinds[] = {
    {{4, 4, "0 1 2 4 5/0 1 2/5 6 9 10/0 1 4 5/2 6", "plain 16", "1", false, 0}, true, 40},
    {{4, 4, "0 1 2 4 5/0 1 2/2 6/5", "plain 16", "0 64 1024", true, 0}, true, 3},
    {{4, 4, "0 1 2 3 7/1 2", "plain 16", "0 4096 4096+2048", true, 0}, false, 9},
    {{4, 4, "0 1 2 3/0 1 4 5/1 2/5", "plain 16", "bits 3", true, 0}, true, 30},
    {{4, 4, "0 1 2 4 5 6", "plain 16", "0 512", false, 0}, true, 1},
    {{4, 4, "0 1 2 3 4/4 5 6 7 8/0 1 2/3", "plain 16", "0 256 2048", false, 0}, false, 8},
    {{3, 3, "0 1 2 3 4/0 3 6/4", "plain 16", "0 64", true, 0}, true, 60},
};

static const struct network_packing fours = {.precision = NETWORK_STEPS, .step = 4};

/* Multiples of 4, each stage touched in places of its own; one touched weight in 16 is nothing but touched, as files
   may bring it. Whole groups stay untouched in some stages; of the largest network most, or packing it would be most of
   the test. */
static struct network *make_network(const struct kind *kind)
{
    struct network *network = sample_network(&kind->sample, 1 << 30);
    struct rng rng = random_stream(3, kind->n_touched_of_64);
    network->spec.unseen_mean = kind->unseen_mean;
    bool empty = false;
    for (uint64_t i = 0; i < network->n_weights; i++) {
        if (i % 32 == 0)
            empty = random_below(&rng, 3) == 0 || (network->n_weights > 1 << 24 && (i >> 18) % 8 != 0);
        if (empty || random_below(&rng, 64) >= kind->n_touched_of_64)
            continue;
        float weight = 4 * ((float)random_below(&rng, 10000) - 3000);
        network->weights[i] = weight == 0 || random_below(&rng, 16) == 0 ? nextafterf(0, INFINITY) : weight;
    }
    return network;
}

static void save(const struct network *network, const struct network_packing *packing)
{
    assert_ok(network_save_measured(network, scratch_path("net"), NULL, packing, NULL, NULL));
}

static struct compact_network *load(void)
{
    struct compact_network *compact;
    assert_ok(compact_network_load(&compact, scratch_path("net"), NULL));
    return compact;
}

/* Half of the boards are sparse, so that tables meet the same places again. */
static struct board random_board(const struct grid *grid, struct rng *rng)
{
    struct board board = {0};
    unsigned n_values = random_below(rng, 2) ? 3 : grid->max_value + 1U;
    for (unsigned cell = 0; cell < grid->n_cells; cell++)
        board = board_set(board, cell, (unsigned)random_below(rng, n_values));
    if (random_below(rng, 2)) /* some stage of a sparse board */
        board = board_set(board, 0, (unsigned)random_below(rng, grid->max_value + 1U));
    return board;
}

static void check_values(const struct network *plain, const struct compact_network *compact, struct rng *rng)
{
    enum { BATCH = 37 };
    struct value_function function = compact_network_function(compact);
    for (unsigned round = 0; round < 200; round++) {
        struct board boards[BATCH];
        float values[BATCH];
        for (unsigned i = 0; i < BATCH; i++)
            boards[i] = random_board(&plain->grid, rng);
        value_of_batch(&function, boards, BATCH, values);
        for (unsigned i = 0; i < BATCH; i++) {
            float value = network_value_plain(plain, boards[i]);
            if (fabsf(value) < FLT_MIN) /* nothing but faint weights */
                value = 0;
            assert_true(values[i] == value && value_of(&function, boards[i]) == value);
        }
    }
}

static void test_same_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct network *plain = make_network(&kinds[k]);
        struct rng rng = random_stream(4, k);
        save(plain, &fours);
        struct compact_network *compact = load();
        assert_non_null(compact);
        assert_int_equal(compact_network_grid(compact)->n_cells, plain->grid.n_cells);
        check_values(plain, compact, &rng);
        compact_network_free(compact);
        network_free(plain);
    }
}

static void check_left(struct network *network, const struct network_packing *packing)
{
    save(network, packing);
    assert_null(load());
    network_free(network);
}

static struct network *with_weight(uint64_t place, float weight)
{
    struct network *network = make_network(&kinds[3]);
    network->weights[place] = weight;
    return network;
}

/* Files of another kind are left to network_load(). */
static void test_others_are_left(void **state)
{
    (void)state;
    static const struct sample others[] = {
        {4, 4, "0 1 2/0 1", "plain 18", "1", false, 0},
        {4, 4, "0 1 2/0 1", "1-7 8-17", "1", false, 0},
        {2, 3, "0 1 2/0 1", "plain 16", "1", false, 0},
        {4, 4, "0 1 2/0 1", "plain 16", "1", false, 2},
        {4, 4, "0/1/5/0 1/0 2/0 3/0 4/0 5/0 6/0 7/0 8/0 9/0 10/0 11/0 12/0 13", "plain 16", "1", false, 0},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        check_left(sample_network(&others[i], 1 << 30), &fours);
    check_left(make_network(&kinds[3]), &(struct network_packing){.precision = NETWORK_FLOAT32});
    check_left(make_network(&kinds[3]), &(struct network_packing){.precision = NETWORK_16BIT});
    check_left(make_network(&kinds[3]), &(struct network_packing){.precision = NETWORK_STEPS, .step = 0.5f});
    check_left(with_weight(0, 1e6f), &fours);          /* this run takes larger steps */
    check_left(with_weight(0, -4 * 32769.0f), &fours); /* more than 16 bits of steps, perhaps not from the mean */
    check_left(with_weight(0, 3e6f), &(struct network_packing){.precision = NETWORK_STEPS, .step = 1000});
    struct network *suits = with_weight(0, 0);
    save(suits, &fours);
    network_free(suits);
    struct compact_network *compact = load();
    assert_non_null(compact);
    compact_network_free(compact);
}

/* A copy of exactly the bytes, so that a sanitizer sees every read beyond them; both ways to load agree on it. */
static void check_bytes(const char *data, size_t bytes)
{
    char *exact = malloc(bytes ? bytes : 1), message[1000] = "";
    memcpy(exact, data, bytes);
    struct network *network;
    struct compact_network *compact;
    enum status status = network_load_memory(&network, exact, bytes, "sample", NULL, NULL);
    if (status)
        snprintf(message, sizeof message, "%s", status_message());
    assert_int_equal(compact_network_load_memory(&compact, exact, bytes, "sample", NULL), status);
    if (status) {
        assert_null(compact);
        assert_string_equal(status_message(), message);
    }
    network_free(network);
    compact_network_free(compact);
    free(exact);
}

static void test_damaged(void **state)
{
    (void)state;
    static const struct sample sample = {4, 4, "0 1 2/0 1/5", "plain 16", "0 64", true, 0};
    struct network *network = make_network(&(struct kind){sample, true, 40});
    struct rng rng = random_stream(5, 0);
    size_t bytes;
    save(network, &fours);
    network_free(network);
    char *data = scratch_read("net", &bytes);
    check_bytes(data, bytes);
    for (size_t length = 0; length < bytes; length += 1 + length / 20)
        check_bytes(data, length);
    for (unsigned i = 0; i < 500; i++) {
        size_t at = (size_t)random_below(&rng, bytes);
        char was = data[at];
        data[at] = (char)(was ^ 1 << random_below(&rng, 8));
        check_bytes(data, bytes);
        data[at] = was;
    }
    free(data);
}

/* Whole blocks that lie: a run that is no run, and a header that knows of too few touched weights. */
static void write_file(const struct network *network, uint64_t touched, bool whole)
{
    static const struct network_history nothing;
    struct network_info info = {
        .spec = network->spec, .precision = NETWORK_STEPS, .n_weights = network->n_weights, .touched = {touched}};
    uint32_t n = (uint32_t)network->n_weights;
    size_t packed_bytes;
    uint8_t *packed = malloc(weight_pack_bytes(NETWORK_STEPS, n));
    char *text;
    struct block_writer *writer;
    assert_ok(network_header_write(&info, &nothing, &text));
    assert_ok(weight_pack_steps(4, 0, network->weights, n, packed, &packed_bytes, NULL));
    assert_ok(block_writer_open(&writer, scratch_path("net"), "ASNETWRK", 2));
    assert_ok(block_writer_append(writer, 1, text, strlen(text), BLOCK_RAW));
    assert_ok(block_writer_append(writer, 2, packed, whole ? packed_bytes : packed_bytes - 1, BLOCK_ZSTD));
    assert_ok(block_writer_commit(writer));
    free(text);
    free(packed);
}

static void test_lies(void **state)
{
    (void)state;
    static const struct sample sample = {4, 4, "0 1 2 3 4", "plain 16", "1", false, 0};
    struct network *network = make_network(&(struct kind){sample, true, 10});
    struct compact_network *compact;
    size_t bytes;
    write_file(network, network_count_touched(network), true);
    compact = load();
    assert_non_null(compact);
    compact_network_free(compact);
    write_file(network, 5, true);
    assert_null(load());
    write_file(network, UINT64_C(1) << 60, true);
    (void)compact_network_load(&compact, scratch_path("net"), NULL);
    assert_null(compact);
    write_file(network, network_count_touched(network), false);
    char *data = scratch_read("net", &bytes);
    check_bytes(data, bytes);
    free(data);
    network_free(network);
}

static void test_no_file(void **state)
{
    (void)state;
    struct compact_network *compact;
    assert_int_equal(compact_network_load(&compact, scratch_path("none"), NULL), STATUS_IO);
    assert_null(compact);
    compact_network_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_values), cmocka_unit_test(test_others_are_left), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_lies),        cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests_name("compact_network", tests, scratch_setup, scratch_teardown);
}
