/* Block files: what is written is read again; damage anywhere is found and named. */
#include "scratch.h"

#include "base/blockfile.h"
#include "base/checksum.h"
#include "base/random.h"

#include <signal.h>
#include <sys/resource.h>

#define MAGIC "ASTESTXY"

static const char text[] = "the quick brown fox jumps over the lazy dog";
static char zeros[5000];

/* A file with raw blocks of every padding, a compressed one, an empty one and one that does not compress. */
static void write_sample(const char *name)
{
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path(name), MAGIC, 2));
    for (uint32_t bytes = 0; bytes < 9; bytes++)
        assert_ok(block_writer_append(writer, 10, text, bytes, BLOCK_RAW));
    assert_ok(block_writer_append(writer, 20, zeros, sizeof zeros, BLOCK_ZSTD));
    assert_ok(block_writer_append(writer, 21, NULL, 0, BLOCK_ZSTD));
    assert_ok(block_writer_append(writer, 22, "xyz", 3, BLOCK_ZSTD));
    assert_ok(block_writer_commit(writer));
}

static enum status open_bytes(struct block_reader **reader, const void *data, size_t bytes)
{
    return block_reader_open_memory(reader, data, bytes, "sample", MAGIC, 2);
}

/* Opens and loads everything, as a cautious caller would; the first failure is returned. */
static enum status read_everything(const void *data, size_t bytes)
{
    struct block_reader *reader;
    enum status status = open_bytes(&reader, data, bytes);
    if (status != STATUS_OK) {
        assert_null(reader);
        return status;
    }
    static char room[1 << 16];
    for (size_t i = 0; i < block_reader_count(reader) && status == STATUS_OK; i++) {
        struct block_info info = block_reader_info(reader, i);
        assert_true(info.stored_bytes <= bytes);
        assert_true(info.raw_bytes / BLOCK_MAX_EXPANSION <= info.stored_bytes);
        status = block_reader_load(reader, i, room, sizeof room);
    }
    block_reader_close(reader);
    return status;
}

static void test_round_trip(void **state)
{
    (void)state;
    write_sample("a");
    struct block_reader *reader;
    assert_ok(block_reader_open(&reader, scratch_path("a"), MAGIC, 3));
    assert_int_equal(block_reader_version(reader), 2);
    assert_int_equal(block_reader_count(reader), 12);
    assert_string_equal(block_reader_name(reader), scratch_path("a"));
    char room[sizeof zeros];
    for (size_t i = 0; i < 9; i++) {
        const void *view;
        size_t bytes;
        assert_ok(block_reader_load(reader, i, room, i));
        assert_memory_equal(room, text, i);
        assert_ok(block_reader_view(reader, i, &view, &bytes));
        assert_int_equal(bytes, i);
        assert_memory_equal(view, text, i);
        assert_int_equal((uintptr_t)view % 8, 0);
    }
    struct block_info packed = block_reader_info(reader, 9);
    assert_int_equal(packed.kind, 20);
    assert_int_equal(packed.codec, BLOCK_ZSTD);
    assert_int_equal(packed.raw_bytes, sizeof zeros);
    assert_true(packed.stored_bytes < 100);
    memset(room, 1, sizeof room);
    assert_ok(block_reader_load(reader, 9, room, sizeof room));
    assert_memory_equal(room, zeros, sizeof zeros);
    assert_int_equal(block_reader_info(reader, 10).raw_bytes, 0);
    assert_int_equal(block_reader_info(reader, 11).codec, BLOCK_RAW); /* three bytes do not shrink */
    block_reader_close(reader);
    block_reader_close(NULL);
}

static void test_find(void **state)
{
    (void)state;
    write_sample("a");
    struct block_reader *reader;
    size_t i;
    assert_ok(block_reader_open(&reader, scratch_path("a"), MAGIC, 2));
    assert_ok(block_reader_find(reader, 20, 0, &i));
    assert_int_equal(i, 9);
    assert_ok(block_reader_find(reader, 10, 8, &i));
    assert_int_equal(i, 8);
    assert_int_equal(block_reader_find(reader, 10, 9, &i), STATUS_CORRUPT);
    assert_message("9 blocks of kind 10, number 10 is wanted");
    assert_int_equal(block_reader_find(reader, 99, 0, &i), STATUS_CORRUPT);
    block_reader_close(reader);
}

static void test_room_and_codec_are_checked(void **state)
{
    (void)state;
    write_sample("a");
    struct block_reader *reader;
    const void *view;
    size_t bytes;
    char room[sizeof zeros];
    assert_ok(block_reader_open(&reader, scratch_path("a"), MAGIC, 2));
    assert_int_equal(block_reader_load(reader, 8, room, 7), STATUS_USAGE);
    assert_int_equal(block_reader_load(reader, 9, room, sizeof zeros - 1), STATUS_USAGE);
    assert_message("room for 4999");
    assert_int_equal(block_reader_view(reader, 9, &view, &bytes), STATUS_CORRUPT);
    assert_message("compressed");
    block_reader_close(reader);
}

/* The bytes go to an exactly fitting allocation, so that a sanitizer sees every read beyond them. */
static enum status read_copy(const char *data, size_t bytes)
{
    char *exact = malloc(bytes ? bytes : 1);
    memcpy(exact, data, bytes);
    enum status status = read_everything(exact, bytes);
    free(exact);
    return status;
}

static void test_every_truncation_is_found(void **state)
{
    (void)state;
    write_sample("a");
    size_t bytes;
    char *data = scratch_read("a", &bytes);
    assert_ok(read_copy(data, bytes));
    for (size_t cut = 0; cut < bytes; cut++) {
        assert_int_equal(read_copy(data, cut), STATUS_CORRUPT);
        assert_message("sample: ");
    }
    data[bytes] = 0;
    assert_int_equal(read_copy(data, bytes + 1), STATUS_CORRUPT);
    assert_message("after its end");
    free(data);
}

static void test_every_flipped_bit_is_found(void **state)
{
    (void)state;
    write_sample("a");
    size_t bytes;
    char *data = scratch_read("a", &bytes);
    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        data[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
        data[bit / 8] ^= (char)(1 << bit % 8);
    }
    assert_ok(read_copy(data, bytes));
    free(data);
}

static void test_random_damage_never_crashes(void **state)
{
    (void)state;
    write_sample("a");
    size_t bytes;
    char *data = scratch_read("a", &bytes), *damaged = malloc(bytes);
    struct rng rng = random_stream(5, 0);
    for (int i = 0; i < 20000; i++) {
        memcpy(damaged, data, bytes);
        for (uint64_t n = random_below(&rng, 6) + 1; n > 0; n--)
            damaged[random_below(&rng, bytes)] = (char)random_bits(&rng);
        if (memcmp(damaged, data, bytes) != 0)
            assert_int_equal(read_copy(damaged, random_below(&rng, 4) ? bytes : random_below(&rng, bytes)),
                             STATUS_CORRUPT);
    }
    free(damaged);
    free(data);
}

static void put_u64(char *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (char)(value >> 8 * i);
}

static void repair_block(char *block, size_t stored_bytes, uint64_t number)
{
    struct checksum sum;
    checksum_begin(&sum, number);
    checksum_add(&sum, block, 24);
    checksum_add(&sum, block + 32, stored_bytes);
    put_u64(block + 24, checksum_value(&sum));
}

/* Lies with correct checksums, which only a forger or a bug writes: still no crash and a precise reason. */
static void test_lies_with_good_checksums(void **state)
{
    (void)state;
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 1));
    assert_ok(block_writer_append(writer, 1, zeros, sizeof zeros, BLOCK_ZSTD));
    assert_ok(block_writer_commit(writer));
    size_t bytes;
    char *data = scratch_read("a", &bytes), *block = data + 24;
    size_t stored = (unsigned char)block[16];

    put_u64(block + 8, UINT64_C(1) << 50); /* promises a petabyte */
    repair_block(block, stored, 0);
    assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
    assert_message("cannot hold");

    put_u64(block + 8, sizeof zeros);
    block[4] = 7;
    repair_block(block, stored, 0);
    assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
    assert_message("codec 7");

    block[4] = 0;
    repair_block(block, stored, 0);
    assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
    assert_message("is raw but claims");

    block[4] = 1;
    put_u64(block + 16, UINT64_MAX - 3);
    assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
    assert_message("promises 18446744073709551612 bytes");

    put_u64(block + 16, stored);
    memset(block + 32 + stored - 5, 0xff, 5); /* a frame whose end is rubbish */
    repair_block(block, stored, 0);
    assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
    free(data);
}

/* A forged zstd header may promise a petabyte as well: only the bound on expansion stops the caller's allocation. */
static void test_forged_frame_is_refused(void **state)
{
    (void)state;
    static const char frame[] = "\x28\xb5\x2f\xfd\xe0\0\0\0\0\0\0\4\0\1\0\0"; /* content size 2^50, an empty block */
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 1));
    assert_ok(block_writer_append(writer, 1, frame, 16, BLOCK_RAW));
    assert_ok(block_writer_commit(writer));
    size_t bytes;
    char *data = scratch_read("a", &bytes), *block = data + 24;
    block[4] = BLOCK_ZSTD;
    put_u64(block + 8, UINT64_C(1) << 50);
    repair_block(block, 16, 0);
    struct block_reader *reader;
    assert_int_equal(open_bytes(&reader, data, bytes), STATUS_CORRUPT);
    assert_message("cannot hold the 1125899906842624 bytes it promises");
    free(data);
}

/* The best case of compression must not run into that bound. */
static void test_zeros_shrink_and_come_back(void **state)
{
    (void)state;
    enum { BYTES = 32 << 20 };
    char *data = calloc(1, BYTES), *back = malloc(BYTES);
    struct block_writer *writer;
    struct block_reader *reader;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 1));
    assert_ok(block_writer_append(writer, 1, data, BYTES, BLOCK_ZSTD));
    assert_ok(block_writer_commit(writer));
    assert_ok(block_reader_open(&reader, scratch_path("a"), MAGIC, 1));
    assert_true(block_reader_info(reader, 0).stored_bytes < BYTES / 1000);
    assert_ok(block_reader_load(reader, 0, back, BYTES));
    assert_int_equal(memcmp(data, back, BYTES), 0);
    block_reader_close(reader);
    free(back);
    free(data);
}

static void test_swapped_blocks_are_found(void **state)
{
    (void)state;
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 1));
    assert_ok(block_writer_append(writer, 1, "aaaaaaaa", 8, BLOCK_RAW));
    assert_ok(block_writer_append(writer, 1, "bbbbbbbb", 8, BLOCK_RAW));
    assert_ok(block_writer_commit(writer));
    size_t bytes;
    char *data = scratch_read("a", &bytes), first[40];
    memcpy(first, data + 24, 40);
    memcpy(data + 24, data + 64, 40);
    memcpy(data + 64, first, 40);
    assert_int_equal(read_copy(data, bytes), STATUS_CORRUPT);
    assert_message("checksum of block 0");
    free(data);
}

static void test_layout_is_as_documented(void **state)
{
    (void)state;
    struct block_writer *writer;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 0x01020304));
    assert_ok(block_writer_append(writer, 5, "abc", 3, BLOCK_RAW));
    assert_ok(block_writer_commit(writer));
    size_t bytes;
    char *data = scratch_read("a", &bytes);
    assert_int_equal(bytes, 24 + 32 + 8 + 32 + 16);
    assert_memory_equal(data, MAGIC "\x04\x03\x02\x01\0\0\0\0", 16);
    assert_memory_equal(data + 24, "\5\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0", 24);
    assert_memory_equal(data + 56, "abc\0\0\0\0\0", 8);
    assert_memory_equal(data + 64, "\xff\xff\xff\xff\0\0\0\0\x10\0\0\0\0\0\0\0\x10\0\0\0\0\0\0\0", 24);
    assert_memory_equal(data + 96, "\1\0\0\0\0\0\0\0\x70\0\0\0\0\0\0\0", 16);
    free(data);
}

static void test_reasons(void **state)
{
    (void)state;
    struct block_reader *reader;
    write_sample("a");
    assert_int_equal(block_reader_open(&reader, scratch_path("a"), MAGIC, 1), STATUS_CORRUPT);
    assert_null(reader);
    assert_message("version 2 is newer than this program reads (1)");
    assert_int_equal(block_reader_open(&reader, scratch_path("a"), "OTHER\1XY", 2), STATUS_CORRUPT);
    assert_message("not a OTHER\\x01XY file (magic ASTESTXY)");
    assert_int_equal(block_reader_open(&reader, scratch_path("none"), MAGIC, 1), STATUS_IO);
    scratch_write("b", "", 0);
    assert_int_equal(block_reader_open(&reader, scratch_path("b"), MAGIC, 1), STATUS_CORRUPT);
    assert_message("only 0 bytes long");
    size_t bytes;
    char *data = scratch_read("a", &bytes);
    assert_int_equal(open_bytes(&reader, data, 24), STATUS_CORRUPT);
    assert_message("truncated at byte 24: the end block is missing after 0 blocks");
    assert_int_equal(open_bytes(&reader, data, 24 + 32 + 10), STATUS_CORRUPT);
    assert_message("truncated at byte 66: no room for the header of block 1");
    assert_int_equal(open_bytes(&reader, data, 24 + 32 + 32 + 4), STATUS_CORRUPT);
    assert_message("truncated at byte 92: block 1 promises 1 bytes");
    free(data);
}

static void test_version_zero_and_reserved(void **state)
{
    (void)state;
    struct block_writer *writer;
    struct block_reader *reader;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 0));
    assert_ok(block_writer_commit(writer));
    assert_int_equal(block_reader_open(&reader, scratch_path("a"), MAGIC, 1), STATUS_CORRUPT);
    assert_message("expected a version from 1");
}

static void test_big_blocks(void **state)
{
    (void)state;
    enum { BYTES = 3 << 20 };
    struct rng rng = random_stream(6, 0);
    unsigned char *data = malloc(BYTES), *back = malloc(BYTES);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(random_bits(&rng) & 15); /* shrinks to about a half */
    struct block_writer *writer;
    struct block_reader *reader;
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 1));
    assert_ok(block_writer_append(writer, 1, data, BYTES, BLOCK_ZSTD));
    assert_ok(block_writer_append(writer, 2, data, BYTES, BLOCK_RAW));
    assert_ok(block_writer_commit(writer));
    assert_ok(block_reader_open(&reader, scratch_path("a"), MAGIC, 1));
    assert_true(block_reader_info(reader, 0).stored_bytes < BYTES * 6 / 10);
    for (size_t i = 0; i < 2; i++) {
        assert_ok(block_reader_load(reader, i, back, BYTES));
        assert_memory_equal(back, data, BYTES);
    }
    block_reader_close(reader);
    free(back);
    free(data);
}

static void test_abort_and_failed_writes(void **state)
{
    (void)state;
    struct block_writer *writer;
    write_sample("a");
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 9));
    block_writer_abort(writer);
    block_writer_abort(NULL);
    assert_int_equal(block_writer_open(&writer, scratch_path("none/a"), MAGIC, 1), STATUS_IO);
    assert_null(writer);

    static char big[600000];
    struct rlimit before, limited;
    getrlimit(RLIMIT_FSIZE, &before);
    limited = before;
    limited.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_ok(block_writer_open(&writer, scratch_path("a"), MAGIC, 9));
    setrlimit(RLIMIT_FSIZE, &limited);
    enum status appended = block_writer_append(writer, 1, big, sizeof big, BLOCK_RAW);
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(appended, STATUS_IO);
    assert_int_equal(block_writer_commit(writer), STATUS_IO);
    assert_message("not replaced");
    struct block_reader *reader;
    assert_ok(block_reader_open(&reader, scratch_path("a"), MAGIC, 2));
    block_reader_close(reader);
    assert_int_equal(scratch_count_files(), 1);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_round_trip),
        IN_SCRATCH(test_find),
        IN_SCRATCH(test_room_and_codec_are_checked),
        IN_SCRATCH(test_every_truncation_is_found),
        IN_SCRATCH(test_every_flipped_bit_is_found),
        IN_SCRATCH(test_random_damage_never_crashes),
        IN_SCRATCH(test_lies_with_good_checksums),
        IN_SCRATCH(test_forged_frame_is_refused),
        IN_SCRATCH(test_zeros_shrink_and_come_back),
        IN_SCRATCH(test_swapped_blocks_are_found),
        IN_SCRATCH(test_layout_is_as_documented),
        IN_SCRATCH(test_reasons),
        IN_SCRATCH(test_version_zero_and_reserved),
        IN_SCRATCH(test_big_blocks),
        IN_SCRATCH(test_abort_and_failed_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
