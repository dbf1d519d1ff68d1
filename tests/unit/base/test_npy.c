/* Arrays as np.save() writes them, and those that it does not. */
#include "scratch.h"

#include "base/npy.h"

enum { ROOM = 512 };

/* The bytes of a file: version, a header of this text, and `n_data` bytes of data. */
static size_t make(uint8_t out[ROOM], unsigned version, const char *header, const void *data, size_t n_data)
{
    const size_t bytes = strlen(header), width = version == 1 ? 2 : 4;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (uint8_t)version;
    out[7] = 0;
    for (size_t i = 0; i < width; i++)
        out[8 + i] = (uint8_t)(bytes >> 8 * i);
    assert_true(8 + width + bytes + n_data <= ROOM);
    memcpy(out + 8 + width, header, bytes);
    memcpy(out + 8 + width + bytes, data, n_data);
    return 8 + width + bytes + n_data;
}

static const float floats[6] = {0, 1, 2, 3, 4, 5};
static const double doubles[6] = {0, 1, 2, 3, 4, 5};

static void check_read(unsigned version, const char *header, const void *data, size_t n_data, unsigned n_dims,
                       const float wanted[6])
{
    uint8_t bytes[ROOM];
    struct npy_array array;
    size_t n = make(bytes, version, header, data, n_data);
    if (npy_read(&array, bytes, n, "a.npy"))
        fail_msg("%s: %s", header, status_message());
    assert_int_equal(array.n_dims, n_dims);
    assert_int_equal(array.n_values, 6);
    assert_memory_equal(array.data, wanted, 6 * sizeof *wanted);
    free(array.data);
}

static void test_good(void **state)
{
    (void)state;
    static const float turned[6] = {0, 2, 4, 1, 3, 5};
    check_read(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n", floats, sizeof floats, 2, floats);
    check_read(2, "{\"shape\":(6,),\"fortran_order\":False,\"descr\":\"<f4\"}", floats, sizeof floats, 1, floats);
    check_read(3, "{'descr':'<f8','fortran_order':False,'shape':(1,6,1)}\n", doubles, sizeof doubles, 3, floats);
    check_read(1, "{'descr':'<f4','fortran_order':True,'shape':(2,3)}", floats, sizeof floats, 2, turned);
    check_read(1, "{'descr':'<f8','fortran_order':True,'shape':(6)}", doubles, sizeof doubles, 1, floats);
}

static void check_refused(const uint8_t *bytes, size_t n, enum status wanted, const char *what)
{
    struct npy_array array;
    uint8_t *exact = malloc(n ? n : 1); /* so that AddressSanitizer sees a byte too many */
    assert_non_null(exact);
    memcpy(exact, bytes, n);
    enum status status = npy_read(&array, exact, n, "a.npy");
    free(exact);
    if (status != wanted)
        fail_msg("%s: status %d, expected %d", what, (int)status, (int)wanted);
    assert_null(array.data);
    assert_int_equal(array.n_values, 0);
    assert_memory_equal(status_message(), "a.npy", 5);
}

static void test_refused_headers(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "",
        "[]",
        "{",
        "{}",
        "{'descr'",
        "{'descr' '<f4'}",
        "{'descr': <f4, 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4\", 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4", /* the quote never ends */
        "{'descr': '<f\\4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4<f4<f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'shape': (2, 3)}",
        "{'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 6}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-6,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), 'more': 'x'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)} x",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}",
    };
    static const char *const unread[] = {
        "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (2, 3)}",
    };
    uint8_t bytes[ROOM];
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        check_refused(bytes, make(bytes, 1, broken[i], floats, sizeof floats), STATUS_CORRUPT, broken[i]);
    for (size_t i = 0; i < sizeof unread / sizeof *unread; i++)
        check_refused(bytes, make(bytes, 1, unread[i], floats, sizeof floats), STATUS_INVALID, unread[i]);
}

/* Every beginning of a good file, and other magics and versions. */
static void test_refused_files(void **state)
{
    (void)state;
    static const char header[] = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
    for (unsigned version = 1; version <= 2; version++) {
        uint8_t bytes[ROOM];
        size_t n = make(bytes, version, header, floats, sizeof floats);
        for (size_t cut = 0; cut < n; cut++)
            check_refused(bytes, cut, STATUS_CORRUPT, "a file that is cut");
        check_refused(bytes, n + 1, STATUS_CORRUPT, "a byte more");
        bytes[0] ^= 1;
        check_refused(bytes, n, STATUS_CORRUPT, "another magic");
    }
}

static void test_written(void **state)
{
    (void)state;
    static const uint64_t shape[] = {2, 3};
    uint8_t bytes[NPY_HEADER_BYTES + sizeof floats];
    struct npy_array array;
    size_t n = npy_write_header(bytes, NPY_FLOAT32, 2, shape);
    assert_int_equal(n % 64, 0);
    memcpy(bytes + n, floats, sizeof floats);
    assert_ok(npy_read(&array, bytes, n + sizeof floats, "a.npy"));
    assert_int_equal(array.n_dims, 2);
    assert_int_equal(array.shape[1], 3);
    assert_memory_equal(array.data, floats, sizeof floats);
    free(array.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_refused_headers),
        cmocka_unit_test(test_refused_files),
        cmocka_unit_test(test_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
