/* The transposition table finds what was stored under exactly that key, or nothing, whatever threads do to it. */
#include "scratch.h"

#include "base/random.h"
#include "base/workers.h"
#include "search/transposition.h"

/* A key from few numbers, so that keys meet, and the one value that belongs to it. */
static struct transposition_key key_of(uint64_t n)
{
    return (struct transposition_key){
        .board = {.cells = n / 24 * UINT64_C(0x0123456789abcdef), .high = (uint32_t)(n / 12 % 2)},
        .plies = 1 + (uint32_t)(n % 6),
        .chance = n / 6 % 2 ? 1 : 0.045F};
}

static float value_of_key(uint64_t n)
{
    return (float)(n * 3 + 1);
}

static void test_exact(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 64, 4096, 1 << 20};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        struct transposition table;
        assert_ok(transposition_create(&table, sizes[s]));
        struct rng rng = random_stream(2, s);
        unsigned n_found = 0;
        float value;
        for (unsigned i = 0; i < 100000; i++) {
            uint64_t n = random_below(&rng, 20000);
            struct transposition_key key = key_of(n);
            if (transposition_find(&table, &key, &value)) {
                assert_true(value == value_of_key(n));
                n_found++;
            } else {
                transposition_store(&table, &key, value_of_key(n));
            }
        }
        if (sizes[s] == 1 << 20)
            assert_true(n_found > 50000); /* room for all */
        transposition_clear(&table);
        for (uint64_t n = 0; n < 20000; n++) {
            struct transposition_key key = key_of(n);
            assert_false(transposition_find(&table, &key, &value));
        }
        transposition_free(&table);
    }
    transposition_free(NULL);
}

/* What costs more stays: many shallow stores do not drive out a deep one. */
static void test_depth(void **state)
{
    (void)state;
    struct transposition table;
    assert_ok(transposition_create(&table, 64)); /* one bucket */
    struct transposition_key deep = {.board = {.cells = 77}, .plies = 5, .chance = 1};
    transposition_store(&table, &deep, 8);
    float value;
    for (uint64_t i = 0; i < 100; i++) {
        struct transposition_key shallow = {.board = {.cells = i}, .plies = 1, .chance = 1};
        transposition_store(&table, &shallow, (float)i);
        assert_true(transposition_find(&table, &shallow, &value) && value == (float)i);
    }
    assert_true(transposition_find(&table, &deep, &value) && value == 8);
    deep.plies = 4; /* another depth is another key */
    assert_false(transposition_find(&table, &deep, &value));
    transposition_free(&table);
}

struct shared {
    struct transposition table;
    _Atomic unsigned n_wrong, n_found;
};

static enum status hammer(void *context, unsigned worker)
{
    struct shared *shared = context;
    struct rng rng = random_stream(3, worker);
    for (unsigned i = 0; i < 200000; i++) {
        uint64_t n = random_below(&rng, 3000);
        struct transposition_key key = key_of(n);
        float value;
        if (transposition_find(&shared->table, &key, &value)) {
            shared->n_found++;
            shared->n_wrong += value != value_of_key(n);
        } else {
            transposition_store(&shared->table, &key, value_of_key(n));
        }
    }
    return STATUS_OK;
}

static void test_threads(void **state)
{
    (void)state;
    struct shared shared = {.n_wrong = 0};
    struct workers *workers;
    assert_ok(transposition_create(&shared.table, 8192)); /* 256 entries for 3000 keys: written over all the time */
    assert_ok(workers_create(&workers, 4));
    assert_ok(workers_run(workers, hammer, &shared));
    workers_free(workers);
    assert_int_equal(shared.n_wrong, 0);
    assert_true(shared.n_found > 0);
    transposition_free(&shared.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_exact), cmocka_unit_test(test_depth),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests_name("transposition", tests, NULL, NULL);
}
