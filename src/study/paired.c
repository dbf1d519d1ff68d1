/* paired: two players on the same spawns. */
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
        paired.n_only_second += second[i].made && !first[i].made;
        paired.n_only_first += first[i].made && !second[i].made;
    }
    if (n == 0)
        return paired;
    paired.difference = sum / (double)n;
    /* Each pair adds -1, 0 or 1: the squares sum up to the number of pairs that differ. */
    double n_apart = (double)paired.n_only_second + (double)paired.n_only_first;
    paired.made_difference = ((double)paired.n_only_second - (double)paired.n_only_first) / (double)n;
    for (size_t i = 0; i < n; i++) {
        double off = difference_of(first, second, i) - paired.difference;
        squares += off * off;
    }
    if (n > 1) {
        double made_squares = n_apart - (double)n * paired.made_difference * paired.made_difference;
        paired.ci95 = summary_normal95 * sqrt(squares / (double)(n - 1) / (double)n);
        paired.made_ci95 = summary_normal95 * sqrt(made_squares / (double)(n - 1) / (double)n);
    }
    return paired;
}
