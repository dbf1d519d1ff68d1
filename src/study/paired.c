#include "study/paired.h"

#include <math.h>

static double difference_of(const struct game_result *first, const struct game_result *second, size_t i)
{
    return (double)second[i].score - (double)first[i].score;
}

struct paired paired_compute(const struct game_result *first, const struct game_result *second, size_t n)
{
    struct paired paired = {.n_games = n};
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += difference_of(first, second, i);
        paired.n_better += second[i].score > first[i].score;
        paired.n_worse += second[i].score < first[i].score;
    }
    if (n == 0)
        return paired;
    paired.difference = sum / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = difference_of(first, second, i) - paired.difference;
        squares += off * off;
    }
    if (n > 1)
        paired.ci95 = summary_normal95 * sqrt(squares / (double)(n - 1) / (double)n);
    return paired;
}
