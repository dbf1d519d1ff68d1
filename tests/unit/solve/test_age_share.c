/* Solving on several ranks (threads here): the codes that travel, the bounds, and whole tables, byte for byte. */
#include "table_files.h"
#include "thread_cluster.h"

#include "base/random.h"
#include "solve/age_share.h"
#include "solve/layout_create.h"
#include "solve/sparse_words.h"

/* ---- codes of pieces --------------------------------------------------------------------------------------------- */

static void fill(struct rng *rng, uint64_t *words, size_t n, unsigned density)
{
    for (size_t i = 0; i < n; i++) {
        words[i] = 0;
        for (unsigned bit = 0; bit < 64 && density; bit++)
            words[i] |= (uint64_t)(random_below(rng, 1000) < density) << bit;
    }
}

/* What is read is what was written, in as many bytes as were measured, beside what is there already. */
static void sparse_words_travel(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000, SPARSE_PIECE_WORDS};
    static const unsigned densities[] = {0, 1, 20, 400, 1000}; /* of 1000 */
    struct rng rng = random_stream(5, 1);
    static uint64_t words[SPARSE_PIECE_WORDS], other[SPARSE_PIECE_WORDS], read[SPARSE_PIECE_WORDS];
    static uint8_t code[SPARSE_MAX_BYTES];
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (size_t d = 0; d < sizeof densities / sizeof *densities; d++) {
            uint32_t n_bits, expected = 0;
            fill(&rng, words, sizes[s], densities[d]);
            fill(&rng, other, sizes[s], 10);
            memcpy(read, other, sizeof read);
            size_t bytes = sparse_words_measure(words, sizes[s], &n_bits);
            assert_in_range(bytes, 8, SPARSE_MAX_BYTES);
            assert_ptr_equal(sparse_words_write(words, sizes[s], code), code + bytes);
            sparse_words_add(code, read);
            for (size_t i = 0; i < sizes[s]; i++) {
                expected += (uint32_t)__builtin_popcountll(words[i]);
                assert_int_equal(read[i], words[i] | other[i]);
            }
            assert_int_equal(n_bits, expected);
        }
    }
}

/* ---- bounds ------------------------------------------------------------------------------------------------------ */

/* Ascending, at borders of rows, everything owned once, and even where that is possible. */
static void bounds_are_even(void **state)
{
    (void)state;
    enum { AGE = 60, BUCKET = 8 };
    struct grid grid;
    struct layout *layout;
    struct workers *workers;
    assert_ok(grid_create(&grid, 3, 3));
    assert_ok(layout_create(&layout, &grid, AGE, 0, (struct walls){0}));
    assert_ok(workers_create(&workers, 1));
    struct age_set set = {0};
    assert_ok(age_set_begin(&set, layout, AGE, workers));
    const uint64_t n_words = set.frame->n_words, n = (n_words + BUCKET - 1) / BUCKET;
    uint64_t *counts = calloc(n, sizeof *counts);
    assert_non_null(counts);
    static struct age_bounds bounds;
    for (unsigned round = 0; round < 3; round++) { /* no members; evenly many; all at the end */
        for (uint64_t i = 0; i < n; i++)
            counts[i] = round == 0 ? 0 : round == 1 ? 1000 : i + 1 == n;
        for (unsigned ranks = 1; ranks <= 7; ranks++) {
            age_bounds_cut(&bounds, set.frame, ranks, counts, n, BUCKET);
            assert_int_equal(bounds.word[0], 0);
            assert_int_equal(bounds.word[ranks], n_words);
            uint64_t covered = 0;
            for (unsigned r = 0; r < ranks; r++) {
                assert_true(bounds.word[r] <= bounds.word[r + 1]);
                assert_ok(age_set_restrict(&set, bounds.word[r], bounds.word[r + 1]));
                for (size_t i = 0; i < set.n_spans; i++) {
                    struct row_span span = set.spans[i];
                    struct age_row row = set.frame->rows[span.sum];
                    /* in order, and none cut in two */
                    assert_int_equal(row.base + (uint64_t)span.first_row * row.stride, covered);
                    covered += (uint64_t)span.n_rows * row.stride;
                }
                assert_int_equal(covered, bounds.word[r + 1]);
                if (round < 2) {
                    double even = (double)n_words / ranks;
                    assert_in_range((uint64_t)((double)(bounds.word[r + 1] - bounds.word[r]) + 64 - even), 0, 128);
                }
            }
        }
    }
    free(counts);
    age_set_free(&set);
    workers_free(workers);
    layout_free(layout);
    grid_free(&grid);
}

/* ---- whole tables ------------------------------------------------------------------------------------------------ */

struct shared_solve {
    struct solve_settings settings;
    unsigned n_threads, failing_rank; /* that has little memory; THREAD_CLUSTER_MAX: none */
    uint64_t failing_bytes;
    uint64_t sent;
    enum status status[THREAD_CLUSTER_MAX];
    char message[THREAD_CLUSTER_MAX][256];
};

static void solve_on_rank(const struct cluster *cluster, void *context)
{
    struct shared_solve *shared = context;
    struct solve_settings settings = shared->settings;
    struct solve_report report;
    settings.cluster = cluster;
    if (cluster->rank == shared->failing_rank)
        settings.memory_bytes = shared->failing_bytes;
    enum status status = solve(&settings, shared->n_threads, &report);
    shared->status[cluster->rank] = status;
    snprintf(shared->message[cluster->rank], sizeof *shared->message, "%s", status ? status_message() : "");
    if (cluster->rank == 0)
        shared->sent = report.sent.sets + report.sent.requests + report.sent.values;
}

static void solve_shared(struct shared_solve *shared, unsigned n_ranks)
{
    thread_cluster_run(n_ranks, solve_on_rank, shared);
    for (unsigned r = 0; r < n_ranks; r++)
        if (shared->status[r] != STATUS_OK)
            fail_msg("rank %u of %u: %s", r, n_ranks, shared->message[r]);
}

static struct walls walls_of(const char *cells, const char *at)
{
    struct walls walls = {0};
    struct grid grid;
    assert_ok(grid_create(&grid, 4, 4));
    assert_ok(walls_parse(cells, &grid, &walls.cells));
    assert_ok(walls_parse(at, &grid, &walls.at));
    grid_free(&grid);
    return walls;
}

static void tables_are_alike(void **state)
{
    (void)state;
    struct solve_settings kinds[] = {
        settings_of(2, 3, NULL), settings_of(2, 3, NULL), settings_of(2, 2, NULL), settings_of(2, 2, NULL),
        settings_of(2, 2, NULL), settings_of(2, 2, NULL), settings_of(4, 4, NULL),
    };
    kinds[1].store = STORE_MOVES;
    kinds[1].checkpoint_every = 7;
    kinds[2].variant = VARIANT_PESSIMISTIC;
    kinds[2].precision = VALUES_FIXED;
    kinds[3].goal = 4;
    kinds[3].chance_of_4 = 0;
    kinds[4].chance_of_4 = 1;
    kinds[5].store = STORE_NONE;
    kinds[6].walls = walls_of("0-9", "10-15");
    kinds[6].goal = 6;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        char name[32];
        snprintf(name, sizeof name, "alone-%zu", k);
        char *alone = path_of(name);
        struct solve_report report;
        kinds[k].directory = alone;
        assert_ok(solve(&kinds[k], 1, &report));
        const unsigned n_ranks = 2 + k % 3;
        snprintf(name, sizeof name, "shared-%zu", k);
        char *other = path_of(name);
        struct shared_solve shared = {.settings = kinds[k], .n_threads = n_ranks == 3 ? 2 : 1};
        shared.settings.directory = other;
        shared.failing_rank = THREAD_CLUSTER_MAX;
        solve_shared(&shared, n_ranks);
        assert_same_directories(alone, other);
        assert_true(shared.sent > 0);
        free(other);
        free(alone);
    }
}

/* Started with some ranks, resumed with others, in both passes. */
static void other_ranks_resume(void **state)
{
    (void)state;
    char *alone = path_of("resume-alone"), *other = path_of("resume-shared");
    struct solve_report report;
    struct solve_settings settings = settings_of(2, 3, alone);
    assert_ok(solve(&settings, 1, &report));
    struct shared_solve shared = {.settings = settings, .n_threads = 1, .failing_rank = THREAD_CLUSTER_MAX};
    shared.settings.directory = other;
    for (uint32_t age = 20; age < 252; age += 60) {
        shared.settings.to_age = age;
        solve_shared(&shared, 1 + age / 20 % 4);
    }
    shared.settings.to_age = 0;
    solve_shared(&shared, 3);
    assert_same_directories(alone, other);
    free(alone);
    free(other);
}

/* One rank without memory ends all, with one message that names it; the same command resumes. */
static void a_failing_rank_ends_all(void **state)
{
    (void)state;
    char *alone = path_of("failing-alone"), *other = path_of("failing-shared");
    struct solve_report report;
    struct solve_settings settings = settings_of(2, 3, alone);
    assert_ok(solve(&settings, 1, &report));
    struct shared_solve shared = {.settings = settings, .n_threads = 1, .failing_rank = 2, .failing_bytes = 4096};
    shared.settings.directory = other;
    thread_cluster_run(4, solve_on_rank, &shared);
    for (unsigned r = 0; r < 4; r++) {
        assert_int_equal(shared.status[r], STATUS_NO_MEMORY);
        assert_non_null(strstr(shared.message[r], "rank 2 (host2): age"));
    }
    shared.failing_rank = THREAD_CLUSTER_MAX;
    solve_shared(&shared, 2);
    assert_same_directories(alone, other);
    free(alone);
    free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_words_travel),     cmocka_unit_test(bounds_are_even),
        cmocka_unit_test(tables_are_alike),        cmocka_unit_test(other_ranks_resume),
        cmocka_unit_test(a_failing_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
