/*
 * .npz files: written ones read back, and bytes as NumPy 1.24 writes them (put together here field by field, from its
 * documentation and the zip standard): stored with 64-bit sizes in the local header, deflated, of doubles, in Fortran
 * order. Damage at every byte is found.
 */
#include "scratch.h"

#include "neural/npz.h"

#include <math.h>
#include <zlib.h>

/* ---- an archive by hand ------------------------------------------------------------------------------------------ */

struct bytes {
    uint8_t data[8192];
    size_t n;
};

static void put(struct bytes *to, const void *data, size_t n)
{
    assert_true(to->n + n <= sizeof to->data);
    if (n)
        memcpy(to->data + to->n, data, n);
    to->n += n;
}

static void put_number(struct bytes *to, unsigned width, uint64_t value)
{
    for (unsigned i = 0; i < width; i++)
        put(to, &(uint8_t){(uint8_t)(value >> 8 * i)}, 1);
}

/* NAME.npy with this header text; `version` 1 or 2. */
static struct bytes make_npy(unsigned version, const char *header, const void *data, size_t data_bytes)
{
    struct bytes npy = {.n = 0};
    put(&npy, "\x93NUMPY", 6);
    put_number(&npy, 2, version);
    put_number(&npy, version == 1 ? 2 : 4, strlen(header));
    put(&npy, header, strlen(header));
    put(&npy, data, data_bytes);
    return npy;
}

struct zip {
    struct bytes file, directory;
    unsigned n_members, flags;
};

/* As Python's zipfile does it for np.savez(): sizes in the local header are all ones, the real ones in an extra. */
static void zip_add(struct zip *zip, const char *name, const struct bytes *npy, unsigned method)
{
    static uint8_t packed[16384];
    size_t stored = npy->n;
    uint64_t local = zip->file.n;
    uint32_t crc = (uint32_t)crc32_z(0, npy->data, npy->n);
    memcpy(packed, npy->data, npy->n);
    if (method == 8) {
        z_stream stream = {.next_in = (Bytef *)(uintptr_t)npy->data,
                           .avail_in = (uInt)npy->n,
                           .next_out = packed,
                           .avail_out = sizeof packed};
        assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
        assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
        stored = stream.total_out;
        deflateEnd(&stream);
    }
    for (unsigned central = 0; central <= 1; central++) {
        struct bytes *to = central ? &zip->directory : &zip->file;
        put(to, central ? "PK\1\2" : "PK\3\4", 4);
        if (central)
            put_number(to, 2, 0x314);
        put_number(to, 2, 45);
        put_number(to, 2, zip->flags);
        put_number(to, 2, method);
        put_number(to, 4, 0x210000);
        put_number(to, 4, crc);
        put_number(to, 4, central ? stored : 0xffffffff);
        put_number(to, 4, central ? npy->n : 0xffffffff);
        put_number(to, 2, strlen(name));
        put_number(to, 2, central ? 0 : 20);
        if (central) {
            put_number(to, 8, 0); /* comment, disk, attributes */
            put_number(to, 2, 0x180);
            put_number(to, 4, local);
        }
        put(to, name, strlen(name));
        if (!central) {
            put_number(to, 2, 1);
            put_number(to, 2, 16);
            put_number(to, 8, npy->n);
            put_number(to, 8, stored);
            put(to, packed, stored);
        }
    }
    zip->n_members++;
}

static void zip_end(struct zip *zip, const char *comment)
{
    size_t directory = zip->file.n;
    put(&zip->file, zip->directory.data, zip->directory.n);
    put(&zip->file, "PK\5\6\0\0\0\0", 8);
    put_number(&zip->file, 2, zip->n_members);
    put_number(&zip->file, 2, zip->n_members);
    put_number(&zip->file, 4, zip->directory.n);
    put_number(&zip->file, 4, directory);
    put_number(&zip->file, 2, strlen(comment));
    put(&zip->file, comment, strlen(comment));
}

static enum status zip_read(const struct zip *zip, struct npz *npz)
{
    return npz_read_memory(npz, zip->file.data, zip->file.n, "it.npz");
}

static const float six[6] = {1, -2, 3.5F, 4, 5e-9F, 6};
static const double six_doubles[6] = {1, -2, 3.5, 4, 5e-9, 6};
static const char f4_header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }             \n";

static void check_six(const struct npy_array *array)
{
    assert_non_null(array);
    assert_int_equal(array->n_dims, 2);
    assert_true(array->shape[0] == 2 && array->shape[1] == 3 && array->n_values == 6);
    assert_memory_equal(array->data, six, sizeof six);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static void test_numpy(void **state)
{
    (void)state;
    static struct zip zip;
    const float turned[6] = {1, 4, -2, 5e-9F, 3.5F, 6}; /* the same, the first index fastest */
    const float one = 7;
    struct bytes plain = make_npy(1, f4_header, six, sizeof six);
    struct bytes doubles =
        make_npy(2, "{'fortran_order':False,\"descr\":'<f8','shape':(2,3)}", six_doubles, sizeof six_doubles);
    struct bytes fortran =
        make_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n", turned, sizeof turned);
    struct bytes scalar = make_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }\n", &one, sizeof one);
    struct bytes nothing = make_npy(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 0, 2), }\n", NULL, 0);
    zip = (struct zip){0};
    zip_add(&zip, "plain.npy", &plain, 0);
    zip_add(&zip, "packed.npy", &plain, 8);
    zip_add(&zip, "doubles.npy", &doubles, 8);
    zip_add(&zip, "a/fortran.npy", &fortran, 0);
    zip_add(&zip, "scalar.npy", &scalar, 0);
    zip_add(&zip, "nothing.npy", &nothing, 0);
    zip_end(&zip, "PK\5\6 in a comment, which is no end record");
    struct npz npz;
    assert_ok(zip_read(&zip, &npz));
    assert_int_equal(npz.n_members, 6);
    check_six(npz_find(&npz, "plain"));
    check_six(npz_find(&npz, "packed"));
    check_six(npz_find(&npz, "doubles"));
    check_six(npz_find(&npz, "a/fortran"));
    assert_int_equal(npz_find(&npz, "scalar")->n_dims, 0);
    assert_true(npz_find(&npz, "scalar")->n_values == 1 && npz_find(&npz, "scalar")->data[0] == 7);
    assert_int_equal(npz_find(&npz, "nothing")->n_values, 0);
    assert_null(npz_find(&npz, "other"));
    npz_free(&npz);
    npz_free(&npz);
    npz_free(NULL);
}

/* Three sides, both orders: place (i, j, k) of shape (2, 3, 4). */
static void test_fortran_order(void **state)
{
    (void)state;
    float data[24];
    for (unsigned k = 0, at = 0; k < 4; k++)
        for (unsigned j = 0; j < 3; j++)
            for (unsigned i = 0; i < 2; i++)
                data[at++] = (float)(100 * i + 10 * j + k);
    struct bytes npy =
        make_npy(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 4), }\n", data, sizeof data);
    struct npy_array array;
    assert_ok(npy_read(&array, npy.data, npy.n, "it"));
    for (unsigned i = 0, at = 0; i < 2; i++)
        for (unsigned j = 0; j < 3; j++)
            for (unsigned k = 0; k < 4; k++)
                assert_true(array.data[at++] == (float)(100 * i + 10 * j + k));
    free(array.data);
}

static struct npz sample(struct npz_member members[3], float *large)
{
    static float numbers[6];
    memcpy(numbers, six, sizeof six);
    members[0] =
        (struct npz_member){.name = "matrix", .array = {.n_dims = 2, .shape = {2, 3}, .n_values = 6, .data = numbers}};
    members[1] = (struct npz_member){.name = "single", .array = {.n_values = 1, .data = numbers}};
    members[2] = (struct npz_member){.name = "large",
                                     .array = {.n_dims = 4, .shape = {10, 10, 3, 7}, .n_values = 2100, .data = large}};
    for (unsigned i = 0; i < 2100; i++)
        large[i] = i % 100 == 99 ? -INFINITY : 1.0F / (1 + (float)i);
    return (struct npz){.n_members = 3, .members = members};
}

static void test_write(void **state)
{
    (void)state;
    struct npz_member members[3];
    float large[2100];
    struct npz out = sample(members, large), in;
    assert_ok(npz_write(&out, scratch_path("a.npz")));
    assert_ok(npz_write(&out, scratch_path("b.npz")));
    assert_ok(npz_read(&in, scratch_path("a.npz")));
    assert_int_equal(in.n_members, 3);
    check_six(npz_find(&in, "matrix"));
    assert_true(npz_find(&in, "single")->n_dims == 0 && npz_find(&in, "single")->data[0] == 1);
    const struct npy_array *array = npz_find(&in, "large");
    assert_true(array->n_dims == 4 && array->shape[3] == 7 && array->n_values == 2100);
    assert_memory_equal(array->data, large, sizeof large);
    npz_free(&in);
    size_t bytes, other_bytes;
    char *a = scratch_read("a.npz", &bytes), *b = scratch_read("b.npz", &other_bytes);
    assert_true(bytes == other_bytes && memcmp(a, b, bytes) == 0);
    free(a);
    free(b);
    assert_int_equal(npz_write(&out, scratch_path("no/folder.npz")), STATUS_IO);
    out.n_members = 0;
    assert_ok(npz_write(&out, scratch_path("empty.npz")));
    assert_ok(npz_read(&in, scratch_path("empty.npz")));
    assert_int_equal(in.n_members, 0);
    npz_free(&in);
    assert_int_equal(npz_read(&in, scratch_path("none.npz")), STATUS_IO);
}

/* Cut anywhere, or any byte changed: an error, or the same arrays (dates and versions do not count). */
static void test_damage(void **state)
{
    (void)state;
    struct npz_member members[3];
    float large[2100];
    struct npz out = sample(members, large), in;
    size_t bytes;
    members[2].array.shape[0] = 1;
    members[2].array.n_values = 210;
    assert_ok(npz_write(&out, scratch_path("damage.npz")));
    uint8_t *data = (uint8_t *)scratch_read("damage.npz", &bytes);
    for (size_t n = 0; n < bytes; n++)
        assert_int_not_equal(npz_read_memory(&in, data, n, "cut"), STATUS_OK);
    unsigned n_harmless = 0;
    for (size_t i = 0; i < bytes; i++) {
        data[i] ^= 0x41;
        if (npz_read_memory(&in, data, bytes, "damaged") == STATUS_OK) {
            n_harmless++;
            assert_int_equal(in.n_members, 3);
            for (unsigned m = 0; m < 3; m++)
                assert_memory_equal(in.members[m].array.data, members[m].array.data,
                                    members[m].array.n_values * sizeof(float));
        } else {
            assert_int_equal(in.n_members, 0);
            assert_null(in.members);
        }
        npz_free(&in);
        data[i] ^= 0x41;
    }
    assert_true(n_harmless > 0 && n_harmless < 250);
    free(data);
}

static void check_wrong(const struct zip *zip, enum status status, const char *message)
{
    struct npz npz;
    assert_int_equal(zip_read(zip, &npz), status);
    assert_message("it.npz");
    assert_message(message);
}

static void check_wrong_array(const char *header, size_t data_bytes, enum status status, const char *message)
{
    static struct zip zip;
    static const uint8_t data[64];
    struct bytes npy = make_npy(1, header, data, data_bytes);
    zip = (struct zip){0};
    zip_add(&zip, "weights.npy", &npy, 0);
    zip_end(&zip, "");
    check_wrong(&zip, status, message);
    check_wrong(&zip, status, "weights");
}

static void test_wrong_arrays(void **state)
{
    (void)state;
    check_wrong_array("{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }\n", 12, STATUS_INVALID, "'>f4'");
    check_wrong_array("{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }\n", 24, STATUS_INVALID, "'<i8'");
    check_wrong_array("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }\n", 16, STATUS_CORRUPT, "16 bytes");
    check_wrong_array("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }\n", 14, STATUS_CORRUPT, "14 bytes");
    check_wrong_array("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n", 0,
                      STATUS_CORRUPT, "0 bytes");
    check_wrong_array("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }\n", 0,
                      STATUS_CORRUPT, "dictionary");
    check_wrong_array("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1), }\n", 4,
                      STATUS_CORRUPT, "8 sides");
    check_wrong_array("{'descr': '<f4', 'shape': (1,), }\n", 4, STATUS_CORRUPT, "dictionary");
    check_wrong_array("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }", 4, STATUS_CORRUPT,
                      "dictionary");
    check_wrong_array("", 60, STATUS_CORRUPT, "dictionary");
    struct npy_array array;
    assert_int_equal(npy_read(&array, (const uint8_t *)"\x93NUMPY\4\0\0\0\0\0\0", 13, "it"), STATUS_CORRUPT);
    assert_message("version 4.0");
    assert_int_equal(npy_read(&array, (const uint8_t *)"\x93NUMPY\1\0\xff\xff{}", 12, "it"), STATUS_CORRUPT);
    assert_message("cut off");
    assert_int_equal(npy_read(&array, (const uint8_t *)"P5 4 4 255 junk", 15, "it"), STATUS_CORRUPT);
    assert_message("no NumPy array");
}

static void test_wrong_archives(void **state)
{
    (void)state;
    static struct zip zip;
    struct bytes npy = make_npy(1, f4_header, six, sizeof six);
    struct npz npz;
    zip = (struct zip){0};
    zip_add(&zip, "twice.npy", &npy, 0);
    zip_add(&zip, "twice.npy", &npy, 0);
    zip_end(&zip, "");
    check_wrong(&zip, STATUS_CORRUPT, "twice occurs twice");
    zip = (struct zip){0};
    zip_add(&zip, "readme.txt", &npy, 0);
    zip_end(&zip, "");
    check_wrong(&zip, STATUS_INVALID, "'readme.txt'");
    zip = (struct zip){0};
    zip_add(&zip, "odd.npy", &npy, 12);
    zip_end(&zip, "");
    check_wrong(&zip, STATUS_INVALID, "method 12");
    zip = (struct zip){.flags = 1};
    zip_add(&zip, "secret.npy", &npy, 0);
    zip_end(&zip, "");
    check_wrong(&zip, STATUS_INVALID, "encrypted");
    zip = (struct zip){0};
    zip_add(&zip, "cut.npy", &npy, 8);
    zip.directory.data[20]--; /* one deflated byte less */
    zip_end(&zip, "");
    check_wrong(&zip, STATUS_CORRUPT, "cut: the deflated bytes are damaged");
    zip = (struct zip){0};
    zip_add(&zip, "bomb.npy", &npy, 8);
    zip.directory.data[27] = 0x7f; /* 2 GiB from a few bytes */
    zip_end(&zip, "");
    check_wrong(&zip, STATUS_CORRUPT, "bomb cannot be");
    assert_int_equal(npz_read_memory(&npz, (const uint8_t *)"PK", 2, "it.npz"), STATUS_CORRUPT);
    assert_message("too few");
    assert_int_equal(npz_read_memory(&npz, (const uint8_t *)six_doubles, sizeof six_doubles, "it.npz"), STATUS_CORRUPT);
    assert_message("no .npz file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numpy),  cmocka_unit_test(test_fortran_order), cmocka_unit_test(test_write),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_wrong_arrays),  cmocka_unit_test(test_wrong_archives),
    };
    return cmocka_run_group_tests_name("npz", tests, scratch_setup, scratch_teardown);
}
