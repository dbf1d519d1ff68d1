/* Compact networks against the plain ones whose files they are made of: every value to the last bit. */
#include "packed_sample.h"

#include "base/blockfile.h"
#include "packed/compact_network.h"
#include "packed/network_file.h"

static const struct network_packing fours = {.precision = NETWORK_STEPS, .step = 4};

static void save(const struct network *network, const struct network_packing *packing)
{
    assert_ok(network_save_packed(network, scratch_path("net"), NULL, packing, NULL));
}

static struct packed_network *load(void)
{
    struct packed_network *compact;
    assert_ok(compact_network_load(&compact, scratch_path("net"), NULL));
    return compact;
}

static void test_same_values(void **state)
{
    (void)state;
    for (size_t k = 0; k < PACKED_KINDS; k++) {
        struct network *plain = packed_sample(&packed_kinds[k]);
        save(plain, &fours);
        struct packed_network *compact = load();
        assert_non_null(compact);
        packed_check_values(plain, compact, k);
        packed_network_free(compact);
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
    struct network *network = packed_sample(&packed_kinds[PACKED_SMALL_KIND]);
    network->weights[place] = weight;
    return network;
}

/* Files of another kind are left to network_load(). */
static void test_others_are_left(void **state)
{
    (void)state;
    const struct packed_kind *kind = &packed_kinds[PACKED_SMALL_KIND];
    for (size_t i = 0; i < PACKED_OTHERS; i++)
        check_left(sample_network(&packed_others[i], 1 << 30), &fours);
    check_left(packed_sample(kind), &(struct network_packing){.precision = NETWORK_FLOAT32});
    check_left(packed_sample(kind), &(struct network_packing){.precision = NETWORK_16BIT});
    check_left(packed_sample(kind), &(struct network_packing){.precision = NETWORK_STEPS, .step = 0.5f});
    check_left(with_weight(0, 1e6f), &fours);          /* this run takes larger steps */
    check_left(with_weight(0, -4 * 32769.0f), &fours); /* more than 16 bits of steps, perhaps not from the mean */
    check_left(with_weight(0, 3e6f), &(struct network_packing){.precision = NETWORK_STEPS, .step = 1000});
    struct network *suits = with_weight(0, 0);
    save(suits, &fours);
    network_free(suits);
    struct packed_network *compact = load();
    assert_non_null(compact);
    packed_network_free(compact);
}

/* A copy of exactly the bytes, so that a sanitizer sees every read beyond them; both ways to load agree on it. */
static void check_bytes(const char *data, size_t bytes)
{
    char *exact = malloc(bytes ? bytes : 1), message[1000] = "";
    memcpy(exact, data, bytes);
    struct network *network;
    struct packed_network *compact;
    enum status status = network_load_memory(&network, exact, bytes, "sample", NULL);
    if (status)
        snprintf(message, sizeof message, "%s", status_message());
    assert_int_equal(compact_network_load_memory(&compact, exact, bytes, "sample"), status);
    if (status) {
        assert_null(compact);
        assert_string_equal(status_message(), message);
    }
    network_free(network);
    packed_network_free(compact);
    free(exact);
}

static void test_damaged(void **state)
{
    (void)state;
    static const struct sample sample = {4, 4, "0 1 2/0 1/5", "plain 16", "0 64", true, 0};
    struct network *network = packed_sample(&(struct packed_kind){sample, true, 40});
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
    struct network *network = packed_sample(&(struct packed_kind){sample, true, 10});
    struct packed_network *compact;
    size_t bytes;
    write_file(network, network_count_touched(network), true);
    compact = load();
    assert_non_null(compact);
    packed_network_free(compact);
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
    struct packed_network *compact;
    assert_int_equal(compact_network_load(&compact, scratch_path("none"), NULL), STATUS_IO);
    assert_null(compact);
    packed_network_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_values), cmocka_unit_test(test_others_are_left), cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_lies),        cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests_name("compact_network", tests, scratch_setup, scratch_teardown);
}
