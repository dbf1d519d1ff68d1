/*
 * The time is spent waiting for memory, twice for each look-up in a large table: for its entry, then for its value. So
 * boards are evaluated in small groups in three steps, and each step prefetches what the next one reads.
 *
 * Tried: gathering eight entries, values and words by one instruction each. At 1 ply it made 0.35 of the moves a second
 * of fast_network.h, where plain loads made 0.57 (three and one pair of runs on a noisy virtual machine).
 */
#include "packed/compact_network.h"

#include "packed/packed_network_parts.h"

enum { GROUP_BOARDS = 8 };

/* The state of one board between the steps. */
struct board_lookup {
    unsigned stage, n_seen;
    int32_t words;                      /* the sum of those of small tables */
    uint32_t index[PACKED_MAX_LOOKUPS]; /* in large tables: of weights in their stage, then of values */
};

/* Step 1: the sum of the words of small tables, which are in the cache. */
static int32_t sum_words(const struct packed_network *compact, unsigned stage, const uint64_t image[8])
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

/* Step 1: indices of entries. */
static void find_entries(const struct packed_network *compact, struct board after, struct board_lookup *lookup)
{
    uint64_t image[8];
    lookup_plane_images(compact->network, after.cells, image);
    lookup->stage = stages_of(&compact->network->spec.stages, after);
    const struct compact_entry *entries = compact_stage_entries(compact, lookup->stage);
    uint32_t *index = lookup->index;
    for (const struct compact_table *table = compact->large, *end = table + compact->n_large; table < end; table++) {
        uint64_t mask = table->mask;
        uint32_t first = table->first;
        for (unsigned s = 0; s < 8; s++) {
            uint32_t at = first + (uint32_t)bits_extract(image[s], mask);
            *index++ = at;
            __builtin_prefetch(entries + at / COMPACT_GROUP);
        }
    }
    lookup->words = sum_words(compact, lookup->stage, image);
}

#if LOOKUP_VECTORS
/* Counts the bits of each of eight numbers, by a table of half bytes. */
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

static inline __m256 load_four(const long long *entries, const uint32_t *index)
{
    return _mm256_castsi256_ps(_mm256_set_epi64x(entries[index[3] / COMPACT_GROUP], entries[index[2] / COMPACT_GROUP],
                                                 entries[index[1] / COMPACT_GROUP], entries[index[0] / COMPACT_GROUP]));
}

static inline void prefetch_two(const int16_t *values, uint64_t indices)
{
    __builtin_prefetch(values + (uint32_t)indices);
    __builtin_prefetch(values + (indices >> 32));
}

static inline void prefetch_four(const int16_t *values, __m128i indices)
{
    prefetch_two(values, (uint64_t)_mm_cvtsi128_si64(indices));
    prefetch_two(values, (uint64_t)_mm_extract_epi64(indices, 1));
}

/* Step 2: from entries to indices of values. All images of a table at once, in another order: the shuffles separate the
   two halves of the entries by pairs. */
static void find_values(const struct packed_network *compact, struct board_lookup *lookup)
{
    const long long *entries = (const long long *)compact_stage_entries(compact, lookup->stage);
    const int16_t *values = compact->values.data;
    __m256i n_seen = _mm256_setzero_si256();
    for (uint32_t *index = lookup->index, *end = index + 8 * compact->n_large; index < end; index += 8) {
        __m256 low = load_four(entries, index), high = load_four(entries, index + 4);
        __m256i touched = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
        __m256i first = _mm256_castps_si256(_mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1)));
        __m256i at = _mm256_permute4x64_epi64(_mm256_loadu_si256((const __m256i *)index), _MM_SHUFFLE(3, 1, 2, 0));
        __m256i up_to = _mm256_sllv_epi32(touched, _mm256_andnot_si256(at, _mm256_set1_epi32(COMPACT_GROUP - 1)));
        __m256i seen = _mm256_srai_epi32(up_to, 31);
        at = _mm256_and_si256(seen, _mm256_add_epi32(first, count_bits(up_to)));
        n_seen = _mm256_sub_epi32(n_seen, seen);
        _mm256_storeu_si256((__m256i *)index, at);
        prefetch_four(values, _mm256_castsi256_si128(at));
        prefetch_four(values, _mm256_extracti128_si256(at, 1));
    }
    lookup->n_seen = lookup_count_vector(n_seen);
}
#else
/* Step 2: from entries to indices of values. The weight's bit, shifted to the top, tells whether it has a value, and
   the popcount where. Value 0 is 0. */
static void find_values(const struct packed_network *compact, struct board_lookup *lookup)
{
    const struct compact_entry *entries = compact_stage_entries(compact, lookup->stage);
    const int16_t *values = compact->values.data;
    lookup->n_seen = 0;
    for (uint32_t *index = lookup->index, *end = index + 8 * compact->n_large; index < end; index++) {
        const struct compact_entry *entry = &entries[*index / COMPACT_GROUP];
        uint32_t up_to = entry->touched << (COMPACT_GROUP - 1 - *index % COMPACT_GROUP), seen = up_to >> 31;
        *index = (entry->before + (uint32_t)__builtin_popcount(up_to)) & (0 - seen);
        lookup->n_seen += seen;
        __builtin_prefetch(values + *index);
    }
}
#endif

/* Step 3. */
static float sum_values(const struct packed_network *compact, const struct board_lookup *lookup)
{
    const int16_t *values = compact->values.data;
    int32_t sum = word_weight(lookup->words);
    for (const uint32_t *index = lookup->index, *end = index + 8 * compact->n_large; index < end; index++)
        sum += values[*index];
    return packed_value(compact, sum * compact->step, lookup->n_seen + word_count(lookup->words));
}

void compact_network_evaluate(const void *context, const struct board *after, size_t n, float *out)
{
    const struct packed_network *compact = context;
    struct board_lookup lookups[GROUP_BOARDS];
    for (size_t done = 0; done < n;) {
        unsigned group = n - done < GROUP_BOARDS ? (unsigned)(n - done) : GROUP_BOARDS;
        for (unsigned i = 0; i < group; i++)
            find_entries(compact, after[done + i], &lookups[i]);
        for (unsigned i = 0; i < group; i++)
            find_values(compact, &lookups[i]);
        for (unsigned i = 0; i < group; i++)
            out[done + i] = sum_values(compact, &lookups[i]);
        done += group;
    }
}
