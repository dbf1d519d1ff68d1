/* Network files: saved and loaded, rounded, of other versions; every truncation and flipped byte is found. */
#include "network_sample.h"

#include <math.h>

#include "base/blockfile.h"
#include "packed/network_file.h"

static const struct sample samples[] = {
    {2, 2, "0 1/0 1 2", "plain 6", "1", false, 0},
    {2, 3, "0 1 2/0 1 3 4", "1-3 4-7", "0 16", true, 2.5f},
    {3, 3, "mnt6", "plain 11", "1", false, 100},
    {3, 3, "mnt4", "1-5 6-10", "0 128 512", false, -1},
    {4, 4, "0 1 2 3/0 1 4 5", "plain 16", "bits 4", true, 0},
    {4, 4, "0 1 2 3 4/1 2 5 6", "plain 18", "bits 2", true, 5000},
};

static struct network_history sample_history(void)
{
    return (struct network_history){.program = "9.8.7",
                                    .recipe = "[learn]\nrule = tc ; \"quoted\"\n",
                                    .measured = "1-ply, 1000 games, seed 1",
                                    .notes = "a\nb\n",
                                    .actions = 12345678901,
                                    .plays = 77,
                                    .seed = UINT64_MAX - 1,
                                    .score = 250393.25,
                                    .score_ci95 = 1234.5};
}

static void check_history(const struct network_history *got)
{
    struct network_history expected = sample_history();
    assert_string_equal(got->program, expected.program);
    assert_string_equal(got->recipe, expected.recipe);
    assert_string_equal(got->measured, expected.measured);
    assert_string_equal(got->notes, expected.notes);
    assert_int_equal(got->actions, expected.actions);
    assert_int_equal(got->plays, expected.plays);
    assert_true(got->seed == expected.seed);
    assert_true(got->score == expected.score && got->score_ci95 == expected.score_ci95);
}

static void check_spec(const struct network_spec *a, const struct network_spec *b)
{
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->cols, b->cols);
    assert_int_equal(a->promote, b->promote);
    assert_int_equal(a->unseen_mean, b->unseen_mean);
    assert_true(a->initial == b->initial);
    assert_memory_equal(&a->shape, &b->shape, sizeof a->shape);
    assert_memory_equal(&a->encoding, &b->encoding, sizeof a->encoding);
    assert_memory_equal(&a->stages, &b->stages, sizeof a->stages);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct network *network = sample_network(&samples[i], 3), *back;
        network->spec.unseen_mean = samples[i].initial == 0 && samples[i].promote;
        struct network_history history = sample_history(), got;
        struct network_info info;
        uint64_t file_bytes;
        assert_ok(network_save(network, scratch_path("net"), &history, NETWORK_FLOAT32, NULL));
        assert_ok(network_load(&back, scratch_path("net"), &got, NULL));
        check_spec(&network->spec, &back->spec);
        check_history(&got);
        network_history_free(&got);
        assert_memory_equal(network->weights, back->weights, network->n_weights * sizeof(float));
        assert_ok(network_read_info(scratch_path("net"), &info, &got, &file_bytes));
        check_spec(&network->spec, &info.spec);
        check_history(&got);
        network_history_free(&got);
        assert_int_equal(info.n_weights, network->n_weights);
        uint64_t touched = 0;
        for (unsigned s = 0; s < info.spec.stages.n_stages; s++)
            touched += info.touched[s];
        assert_int_equal(touched, network_count_touched(network));
        assert_true(file_bytes > 100);
        network_free(network);
        network_free(back);
    }
}

static void check_rounded(const struct network_packing *packing, double limit)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct network *network = sample_network(&samples[i], 3), *back;
        struct network_info info;
        double worst = 0;
        assert_ok(network_save_packed(network, scratch_path("net"), NULL, packing, NULL));
        assert_ok(network_load(&back, scratch_path("net"), NULL, NULL));
        assert_ok(network_read_info(scratch_path("net"), &info, NULL, NULL));
        assert_int_equal(info.precision, packing->precision);
        for (uint64_t k = 0; k < network->n_weights; k++)
            worst = fmax(worst, fabs((double)network->weights[k] - (double)back->weights[k]));
        assert_true(worst > 0 && worst < limit);
        assert_int_equal(network_count_touched(network), network_count_touched(back));
        network_free(network);
        network_free(back);
    }
}

static void test_rounded(void **state)
{
    (void)state;
    check_rounded(&(struct network_packing){.precision = NETWORK_16BIT},
                  0.02); /* up to 700 in 65535 steps, or 11 bits */
    check_rounded(&(struct network_packing){.precision = NETWORK_STEPS, .step = 0.5f}, 0.2501);
}

/* Runs of several blocks in one table, loaded by several threads; untouched ones take next to no room. */
static void test_many_blocks(void **state)
{
    (void)state;
    static const struct sample large = {4, 4, "0 1 2 4 5 6", "plain 16", "1", false, 1};
    struct network *network = sample_network(&large, 2), *back;
    for (uint64_t i = 3 << 20; i < network->n_weights; i++)
        network->weights[i] = 1;
    assert_ok(network_save(network, scratch_path("net"), NULL, NETWORK_FLOAT32, NULL));
    assert_ok(network_load(&back, scratch_path("net"), NULL, NULL));
    assert_memory_equal(network->weights, back->weights, network->n_weights * sizeof(float));
    struct network_info info;
    uint64_t file_bytes;
    assert_ok(network_read_info(scratch_path("net"), &info, NULL, &file_bytes));
    assert_true(file_bytes < 13 << 20);
    network_free(network);
    network_free(back);
}

/* Loads a copy of exactly the bytes, so that a sanitizer sees every read beyond them. */
static enum status load_bytes(const char *data, size_t bytes)
{
    char *exact = malloc(bytes ? bytes : 1);
    memcpy(exact, data, bytes);
    struct network *network;
    struct network_history history;
    enum status status = network_load_memory(&network, exact, bytes, "sample", &history);
    if (status) {
        assert_null(network);
        assert_null(history.recipe);
        assert_non_null(strstr(status_message(), "sample"));
        assert_int_equal(status, STATUS_CORRUPT);
    }
    network_free(network);
    network_history_free(&history);
    free(exact);
    return status;
}

static char *small_file(size_t *bytes)
{
    struct network *network = sample_network(&samples[1], 5);
    struct network_history history = sample_history();
    assert_ok(network_save(network, scratch_path("small"), &history, NETWORK_FLOAT32, NULL));
    network_free(network);
    return scratch_read("small", bytes);
}

static void test_every_truncation_and_flip_is_found(void **state)
{
    (void)state;
    size_t bytes;
    char *data = small_file(&bytes);
    assert_ok(load_bytes(data, bytes));
    for (size_t cut = 0; cut < bytes; cut++)
        assert_int_equal(load_bytes(data, cut), STATUS_CORRUPT);
    for (size_t at = 0; at < bytes; at++) {
        data[at] ^= (char)(1 << at % 8);
        assert_int_equal(load_bytes(data, bytes), STATUS_CORRUPT);
        data[at] ^= (char)(1 << at % 8);
    }
    free(data);
}

/* Files whose checksums are right but whose content is not: what a forger or another program could write. */
static enum status load_forged(const char *header, size_t n_blocks, size_t block_bytes)
{
    struct block_writer *writer;
    static uint8_t zeros[1 << 16];
    assert_ok(block_writer_open(&writer, scratch_path("forged"), "ASNETWRK", 1));
    if (header)
        assert_ok(block_writer_append(writer, 1, header, strlen(header), BLOCK_RAW));
    for (size_t i = 0; i < n_blocks; i++)
        assert_ok(block_writer_append(writer, 2, zeros, block_bytes, BLOCK_ZSTD));
    assert_ok(block_writer_commit(writer));
    size_t bytes;
    char *data = scratch_read("forged", &bytes);
    struct network *network;
    enum status status = network_load_memory(&network, data, bytes, "forged", NULL);
    network_free(network);
    free(data);
    return status;
}

#define HEADER(tuples, weights) HEADER_UNSEEN(tuples, weights, "\"initial\":0")
#define HEADER_UNSEEN(tuples, weights, initial)                                                                        \
    "{\"format\":\"afterstate n-tuple network\",\"rows\":4,\"cols\":4,\"tuples\":[" tuples                             \
    "],\"encoding\":\"plain 16\",\"stages\":\"1\",\"promote\":false," initial ",\"precision\":\"float32\","            \
    "\"weights\":" weights ",\"touched\":[0],\"history\":{\"actions\":0,\"plays\":0,\"seed\":\"1\"}}"

static void test_forged_files_are_refused(void **state)
{
    (void)state;
    assert_int_equal(load_forged(NULL, 0, 0), STATUS_CORRUPT);
    assert_int_equal(load_forged("not json", 1, 16), STATUS_CORRUPT);
    assert_message("JSON");
    assert_int_equal(load_forged("{}", 1, 16), STATUS_CORRUPT);
    assert_message("'format'");
    assert_int_equal(load_forged(HEADER("\"0 1\"", "256"), 0, 0), STATUS_CORRUPT);
    assert_message("0 blocks of weights, its network has 1");
    assert_int_equal(load_forged(HEADER("\"0 1\"", "256"), 2, 16 + 4 * 256), STATUS_CORRUPT);
    assert_message("beyond the 1 runs");
    assert_int_equal(load_forged(HEADER("\"0 1\"", "256"), 1, 17), STATUS_CORRUPT);
    assert_message("17 bytes for 256 weights");
    assert_int_equal(load_forged(HEADER("\"0 1\"", "256"), 1, 16 + 4 * 256), STATUS_CORRUPT); /* n of zeros is 0 */
    assert_message("0 weights, expected 256");
    assert_int_equal(load_forged(HEADER("\"0 1\"", "255"), 1, 16 + 4 * 255), STATUS_CORRUPT);
    assert_message("255 weights, but tuples, encoding and stages make 256");
    assert_int_equal(load_forged(HEADER("\"0 1\",\"0 1\"", "512"), 1, 16), STATUS_CORRUPT);
    assert_message("is the same as number 1");
    assert_int_equal(load_forged(HEADER("\"0 1 2 3 4 5 6 7\"", "4294967296"), 1, 16), STATUS_CORRUPT);
    assert_message("weights in a stage");
    /* A gigabyte of weights that the blocks do not account for is refused before it is allocated. */
    assert_int_equal(load_forged(HEADER("\"0 1 2 3 4 5 6\"", "268435456"), 1, 16 + 4 * 256), STATUS_CORRUPT);
    assert_int_equal(load_forged(HEADER("", "0"), 1, 16), STATUS_CORRUPT);
    assert_int_equal(load_forged(HEADER("7", "0"), 1, 16), STATUS_CORRUPT);
    static const char *const unseen[] = {HEADER_UNSEEN("\"0 1\"", "256", "\"initial\":0,\"unseen\":\"median\""),
                                         HEADER_UNSEEN("\"0 1\"", "256", "\"initial\":1,\"unseen\":\"mean\"")};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(load_forged(unseen[i], 1, 16 + 4 * 256), STATUS_CORRUPT);
        assert_message("'unseen'");
    }
}

static void test_other_files(void **state)
{
    (void)state;
    struct network *network;
    struct network_info info;
    assert_int_equal(network_load(&network, scratch_path("nothing"), NULL, NULL), STATUS_IO);
    assert_null(network);
    assert_int_equal(network_read_info(scratch_path("nothing"), &info, NULL, NULL), STATUS_IO);
    scratch_write("text", "hello, world", 12);
    assert_int_equal(network_load(&network, scratch_path("text"), NULL, NULL), STATUS_CORRUPT);
    assert_message("not a ASNETWRK file");
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path("newer"), "ASNETWRK", 3));
    assert_ok(block_writer_commit(writer));
    assert_int_equal(network_load(&network, scratch_path("newer"), NULL, NULL), STATUS_CORRUPT);
    assert_message("version 3 is newer");
}

static void test_a_failed_save_leaves_the_old_file(void **state)
{
    (void)state;
    struct network *network = sample_network(&samples[0], 2), *back;
    assert_ok(network_save(network, scratch_path("net"), NULL, NETWORK_FLOAT32, NULL));
    network->weights[3] = 1.0f / 0.0f;
    assert_int_equal(network_save(network, scratch_path("net"), NULL, NETWORK_16BIT, NULL), STATUS_INVALID);
    assert_message("net: ");
    assert_ok(network_load(&back, scratch_path("net"), NULL, NULL));
    network_free(back);
    struct network_history bad = {.measured = "never", .score = 0.0 / 0.0};
    assert_int_equal(network_save(network, scratch_path("net"), &bad, NETWORK_FLOAT32, NULL), STATUS_INVALID);
    assert_int_equal(network_save(network, "/nowhere/at/all", NULL, NETWORK_FLOAT32, NULL), STATUS_IO);
    network_free(network);
}

/* A network in training, whose cells hold more than weights, has the same file and the same values. */
static void test_wide_cells(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof samples / sizeof *samples; s++) {
        size_t stride = 3 + s % 2, bytes, wide_bytes;
        struct network *network = sample_network(&samples[s], 2), *wide = sample_network(&samples[s], 2);
        struct value_function function = network_value_function(wide);
        struct rng rng = random_stream(s, stride);
        assert_ok(network_set_stride(wide, stride));
        assert_null(wide->weights);
        for (uint64_t i = 0; i < wide->n_weights; i++)
            wide->cells[stride * i + 1] = wide->cells[stride * i + stride - 1] = 1e6f;
        assert_int_equal(network_count_touched(wide), network_count_touched(network));
        for (unsigned i = 0; i < 300; i++) {
            struct board board = {0};
            for (unsigned cell = 0; cell < network->grid.n_cells; cell++)
                board = board_set(board, cell, (unsigned)random_below(&rng, network->grid.max_value + 1U));
            float value = network_value(network, board), batch;
            value_of_batch(&function, &board, 1, &batch);
            assert_true(batch == value && network_value(wide, board) == value);
            assert_true(network_value_plain(wide, board) == value);
        }
        assert_ok(network_save(network, scratch_path("net"), NULL, NETWORK_FLOAT32, NULL));
        assert_ok(network_save(wide, scratch_path("wide"), NULL, NETWORK_FLOAT32, NULL));
        char *data = scratch_read("net", &bytes), *wide_data = scratch_read("wide", &wide_bytes);
        assert_int_equal(bytes, wide_bytes);
        assert_memory_equal(data, wide_data, bytes);
        assert_ok(network_set_stride(wide, 1));
        assert_memory_equal(wide->weights, network->weights, network->n_weights * sizeof(float));
        free(data), free(wide_data);
        network_free(network), network_free(wide);
    }
}

static void test_memory_is_checked(void **state)
{
    (void)state;
    assert_ok(memory_check(1000, "it"));
    assert_int_equal(memory_check(UINT64_C(1) << 60, "it"), STATUS_NO_MEMORY);
    assert_message("it needs 1.15 EB of memory");
}

static void test_notes(void **state)
{
    (void)state;
    struct network_history history = {0};
    assert_ok(network_history_note(&history, "folded %d tuples", 3));
    assert_ok(network_history_note(&history, "and more"));
    assert_string_equal(history.notes, "folded 3 tuples\nand more\n");
    network_history_free(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_rounded),
        cmocka_unit_test(test_many_blocks),
        cmocka_unit_test(test_every_truncation_and_flip_is_found),
        cmocka_unit_test(test_forged_files_are_refused),
        cmocka_unit_test(test_other_files),
        cmocka_unit_test(test_a_failed_save_leaves_the_old_file),
        cmocka_unit_test(test_wide_cells),
        cmocka_unit_test(test_memory_is_checked),
        cmocka_unit_test(test_notes),
    };
#ifdef __SANITIZE_THREAD__ /* the one network that is large enough to be loaded by threads */
    cmocka_set_test_filter("test_many_blocks");
#endif
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
