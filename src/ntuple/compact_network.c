/*
 * What costs time is waiting for memory, twice for each look-up in a large table: for its entry, then for its value. So
 * a few boards at a time go through in three steps, and each step asks the memory for what the next one reads.
 *
 * Tried: to gather entries, values and words by one instruction for eight each. At 1 ply it made 0.35 of the moves a
 * second of play_network.h, where plain loads made 0.57 (three and one pair of runs on a noisy virtual machine).
 */
#include "ntuple/compact_network.h"

#include "ntuple/compact_form.h"
#include "ntuple/lookup.h"

enum { BOARDS = 8, LOOKUPS = 8 * COMPACT_MAX_TABLES };

/* A board on its way. */
struct passage {
    unsigned stage, n_seen;
    int32_t words;           /* the sum of those of small tables */
    uint32_t place[LOOKUPS]; /* in large tables: of weights in their stage, then of values */
};

/* ---- step 1: places of entries, and the words at once, since they are in the cache --------------------------------
 */

static int32_t sum_words(const struct compact_network *compact, unsigned stage, const uint64_t image[8])
{
    const int32_t *words = compact_stage_words(compact, stage);
    int32_t sum = 0;
    for (const struct compact_table *table = compact->small, *end = table + compact->n_small; table < end; table++) {
        const int32_t *of_table = words + table->first;
        uint64_t mask = table->mask;
        for (unsigned s = 0; s < 8; s++)
            sum += of_table[bits_extract(image[s], mask)];
    }
    return sum;
}

static void find_entries(const struct compact_network *compact, struct board after, struct passage *passage)
{
    uint64_t image[8];
    lookup_plane_images(compact->plan, after.cells, image);
    passage->stage = stages_of(&compact->plan->spec.stages, after);
    const struct compact_entry *entries = compact_stage_entries(compact, passage->stage);
    uint32_t *place = passage->place;
    for (const struct compact_table *table = compact->large, *end = table + compact->n_large; table < end; table++) {
        uint64_t mask = table->mask;
        uint32_t first = table->first;
        for (unsigned s = 0; s < 8; s++) {
            uint32_t at = first + (uint32_t)bits_extract(image[s], mask);
            *place++ = at;
            __builtin_prefetch(entries + at / COMPACT_GROUP);
        }
    }
    passage->words = sum_words(compact, passage->stage, image);
}

/* ---- step 2: from entries to places of values ---------------------------------------------------------------------
 */

#if LOOKUP_GATHERS
/* How many bits of each of eight numbers are set: by a table of half bytes, then added up. */
static inline __m256i count_bits(__m256i x)
{
    const __m256i of_half =
        _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, /* and for the other lane */
                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i half = _mm256_set1_epi8(15);
    __m256i low = _mm256_shuffle_epi8(of_half, _mm256_and_si256(x, half));
    __m256i high = _mm256_shuffle_epi8(of_half, _mm256_and_si256(_mm256_srli_epi32(x, 4), half));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), _mm256_set1_epi8(1));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
}

static inline __m256 load_four(const long long *entries, const uint32_t *place)
{
    return _mm256_castsi256_ps(_mm256_set_epi64x(entries[place[3] / COMPACT_GROUP], entries[place[2] / COMPACT_GROUP],
                                                 entries[place[1] / COMPACT_GROUP], entries[place[0] / COMPACT_GROUP]));
}

static inline void prefetch_two(const int16_t *values, uint64_t places)
{
    __builtin_prefetch(values + (uint32_t)places);
    __builtin_prefetch(values + (places >> 32));
}

static inline void prefetch_four(const int16_t *values, __m128i places)
{
    prefetch_two(values, (uint64_t)_mm_cvtsi128_si64(places));
    prefetch_two(values, (uint64_t)_mm_extract_epi64(places, 1));
}

/* The images of a table at once, in another order: touched bits and first places come out of the entries by pairs. */
static void find_values(const struct compact_network *compact, struct passage *passage)
{
    const long long *entries = (const long long *)compact_stage_entries(compact, passage->stage);
    const int16_t *values = compact->values.data;
    __m256i n_seen = _mm256_setzero_si256();
    for (uint32_t *place = passage->place, *end = place + 8 * compact->n_large; place < end; place += 8) {
        __m256 low = load_four(entries, place), high = load_four(entries, place + 4);
        __m256i touched = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
        __m256i first = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
        __m256i at = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)place), _MM_SHUFFLE(3, 1, 2, 0));
        __m256i up_to = _mm256_sllv_epi32(touched, _mm256_andnot_si256(at, _mm256_set1_epi32(COMPACT_GROUP - 1)));
        __m256i seen = _mm256_srai_epi32(up_to, 31);
        at = _mm256_and_si256(seen, _mm256_add_epi32(first, count_bits(up_to)));
        n_seen = _mm256_sub_epi32(n_seen, seen);
        _mm256_storeu_si256((__m256i *)place, at);
        prefetch_four(values, _mm256_castsi256_si128(at));
        prefetch_four(values, _mm256_extracti128_si256(at, 1));
    }
    passage->n_seen = lookup_count_vector(n_seen);
}
#else
/* The touched bits up to the weight's own, which comes to the top: it says whether there is a value, and how many of
   them are counted says where. Place 0 has a 0. */
static void find_values(const struct compact_network *compact, struct passage *passage)
{
    const struct compact_entry *entries = compact_stage_entries(compact, passage->stage);
    const int16_t *values = compact->values.data;
    passage->n_seen = 0;
    for (uint32_t *place = passage->place, *end = place + 8 * compact->n_large; place < end; place++) {
        const struct compact_entry *entry = &entries[*place / COMPACT_GROUP];
        uint32_t up_to = entry->touched << (COMPACT_GROUP - 1 - *place % COMPACT_GROUP), seen = up_to >> 31;
        *place = (entry->before + (uint32_t)__builtin_popcount(up_to)) & (0 - seen);
        passage->n_seen += seen;
        __builtin_prefetch(values + *place);
    }
}
#endif

/* ---- step 3: sums -------------------------------------------------------------------------------------------------
 */

static float sum_values(const struct compact_network *compact, const struct passage *passage)
{
    const int16_t *values = compact->values.data;
    unsigned n_small = (unsigned)passage->words & ((1 << COMPACT_COUNT_BITS) - 1);
    int32_t sum = (passage->words - (int32_t)n_small) / (1 << COMPACT_COUNT_BITS);
    for (const uint32_t *place = passage->place, *end = place + 8 * compact->n_large; place < end; place++)
        sum += values[*place];
    float value = (float)(sum * compact->step);
    if (!compact->plan->spec.unseen_mean)
        return value;
    return lookup_without_unseen(value, passage->n_seen + n_small, compact->plan->n_lookups);
}

static void face_values(const void *context, const struct board *after, size_t n, float *out)
{
    const struct compact_network *compact = context;
    struct passage passages[BOARDS];
    for (size_t done = 0; done < n;) {
        unsigned n_boards = n - done < BOARDS ? (unsigned)(n - done) : BOARDS;
        for (unsigned i = 0; i < n_boards; i++)
            find_entries(compact, after[done + i], &passages[i]);
        for (unsigned i = 0; i < n_boards; i++)
            find_values(compact, &passages[i]);
        for (unsigned i = 0; i < n_boards; i++)
            out[done + i] = sum_values(compact, &passages[i]);
        done += n_boards;
    }
}

struct value_function compact_network_function(const struct compact_network *compact)
{
    return (struct value_function){.context = compact, .values = face_values, .symmetric = true};
}

const struct grid *compact_network_grid(const struct compact_network *compact)
{
    return &compact->plan->grid;
}
