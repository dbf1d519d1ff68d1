/* summary: statistics of many games. */
#include "study/summary.h"

#include "base/memory.h"
#include "game/notation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TILES_SHOWN = 8 };

const double summary_normal95 = 1.959963984540054;

static int compare_scores(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

struct share summary_share(uint64_t k, uint64_t n)
{
    double p = (double)k / (double)n, z2 = summary_normal95 * summary_normal95 / (double)n;
    double centre = (p + z2 / 2) / (1 + z2);
    double half = summary_normal95 / (1 + z2) * sqrt(p * (1 - p) / (double)n + z2 / (4 * (double)n));
    return (struct share){
        .rate = p,
        .low = k == 0 ? 0 : centre - half, /* the formula gives these two exactly, its rounding does not */
        .high = k == n ? 1 : centre + half,
    };
}

static void compute_spread(struct summary *summary, const uint64_t *sorted, size_t n)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)sorted[i];
    summary->mean = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = (double)sorted[i] - summary->mean;
        squares += off * off;
    }
    if (n > 1) {
        summary->deviation = sqrt(squares / (double)(n - 1));
        summary->ci95 = summary_normal95 * summary->deviation / sqrt((double)n);
    }
    summary->median = ((double)sorted[(n - 1) / 2] + (double)sorted[n / 2]) / 2;
    summary->min = sorted[0];
    summary->max = sorted[n - 1];
}

static void find_tiles(struct summary *summary)
{
    for (unsigned value = 1; value <= BOARD_MAX_VALUE; value++)
        if (summary->reached[value].rate > 0)
            summary->last_tile = value;
    if (summary->last_tile > TILES_SHOWN)
        summary->first_tile = summary->last_tile - TILES_SHOWN + 1;
}

enum status summary_compute(struct summary *summary, const struct game_result *results, size_t n)
{
    *summary = (struct summary){.n_games = n, .first_tile = 1, .last_tile = 1};
    if (n == 0)
        return STATUS_OK;
    uint64_t *scores = memory_allocate(n, sizeof *scores);
    if (!scores)
        return STATUS_NO_MEMORY;
    uint64_t reached[BOARD_MAX_VALUE + 1] = {0};
    for (size_t i = 0; i < n; i++) {
        scores[i] = results[i].score;
        summary->n_moves += results[i].n_moves;
        summary->n_made += results[i].made;
        for (unsigned value = 0; value <= results[i].max_value; value++)
            reached[value]++;
    }
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++)
        summary->reached[value] = summary_share(reached[value], n);
    summary->made = summary_share(summary->n_made, n);
    find_tiles(summary);
    /* Sorted before summing: the same digits whatever order the games ended in. */
    qsort(scores, n, sizeof *scores, compare_scores);
    compute_spread(summary, scores, n);
    free(scores);
    return STATUS_OK;
}

void summary_show_tiles(struct summary *summary, unsigned first, unsigned last)
{
    if (summary->last_tile < first)
        return;
    summary->first_tile = first;
    if (summary->last_tile < last)
        summary->last_tile = last;
}

void summary_add_json(const struct summary *summary, struct json *json)
{
    json_add_unsigned(json, "games", summary->n_games);
    json_add_unsigned(json, "moves", summary->n_moves);
    json_add_real(json, "mean", summary->mean);
    json_add_real(json, "ci95", summary->n_games > 1 ? summary->ci95 : (double)NAN);
    json_add_real(json, "median", summary->median);
    json_add_unsigned(json, "min", summary->min);
    json_add_unsigned(json, "max", summary->max);
    char face[16];
    json_open_object(json, "tiles");
    for (unsigned value = summary->first_tile; value <= summary->last_tile; value++) {
        snprintf(face, sizeof face, "%u", notation_face(value));
        json_add_real(json, face, summary->reached[value].rate);
    }
    json_close(json);
    json_open_object(json, "tiles_ci95");
    for (unsigned value = summary->first_tile; value <= summary->last_tile; value++) {
        snprintf(face, sizeof face, "%u", notation_face(value));
        json_open_array(json, face);
        json_add_real(json, NULL, summary->reached[value].low);
        json_add_real(json, NULL, summary->reached[value].high);
        json_close(json);
    }
    json_close(json);
}
