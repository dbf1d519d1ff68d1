/* Loading OpenBLAS and LAPACKE: right products, and the settings of the process as before. */
#include "scratch.h"

#include "base/blas.h"

#include <dlfcn.h>
#include <pthread.h>

/* The caller's number of threads, by the library's own words; 0 where it cannot say. */
static int threads_of_library(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
    union {
        void *data;
        int (*count)(void);
    } symbol = {.data = library ? dlsym(library, "openblas_get_num_threads") : NULL};
    return symbol.data ? symbol.count() : 0;
}

static int threads_of_openmp(void)
{
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
    union {
        void *data;
        int (*count)(void);
    } symbol = {.data = library ? dlsym(library, "omp_get_max_threads") : NULL};
    return symbol.data ? symbol.count() : 0;
}

static void multiply(void)
{
    static const double a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
    double c[4] = {0};
    struct blas_scope scope = blas_enter();
    blas_functions()->dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2);
    blas_leave(scope);
    static const double wanted[] = {19, 22, 43, 50};
    assert_memory_equal(c, wanted, sizeof c);
}

static void test_settings_stay(void **state)
{
    (void)state;
    assert_ok(blas_load(BLAS_ONLY));
    int library = threads_of_library(), openmp = threads_of_openmp();
    multiply();
    assert_int_equal(threads_of_library(), library);
    assert_int_equal(threads_of_openmp(), openmp);
}

static void test_lapack(void **state)
{
    (void)state;
    double matrix[] = {3, 0, 0, -4}, singular[2], u[4], vt[4];
    assert_ok(blas_load(BLAS_AND_LAPACK));
    assert_ok(blas_load(BLAS_AND_LAPACK)); /* again is fine */
    struct blas_scope scope = blas_enter();
    assert_int_equal(blas_functions()->dgesdd(LAPACK_ROW_MAJOR, 'S', 2, 2, matrix, 2, singular, u, 2, vt, 2), 0);
    blas_leave(scope);
    assert_true(singular[0] == 4 && singular[1] == 3);
}

static void *load_and_multiply(void *context)
{
    (void)context;
    assert_ok(blas_load(BLAS_ONLY));
    for (unsigned i = 0; i < 100; i++)
        multiply();
    return NULL;
}

static void test_threads_load_at_once(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load_and_multiply, NULL), 0);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_load_at_once),
        cmocka_unit_test(test_settings_stay),
        cmocka_unit_test(test_lapack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
