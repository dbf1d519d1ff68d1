/* ranking: fits partial scores of tuples to the scores of a campaign, by least squares. */
#include "study/ranking.h"

#include "base/memory.h"
#include "base/random.h"
#include "study/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct numbered {
    double number;
    size_t place;
};

/* Larger first; equal ones by their place, so that an order is always the same. */
static int compare_larger_first(const void *a, const void *b)
{
    const struct numbered *x = a, *y = b;
    if (x->number != y->number)
        return x->number > y->number ? -1 : 1;
    return x->place < y->place ? -1 : 1;
}

/* Sorts n numbers into `order`, larger first. */
static void sort_numbers(struct numbered *order, const double *numbers, size_t n)
{
    for (size_t i = 0; i < n; i++)
        order[i] = (struct numbered){.number = numbers[i], .place = i};
    qsort(order, n, sizeof *order, compare_larger_first);
}

/* The rank of each of n numbers, 1 for the largest; equal ones share their mean. */
static enum status fill_ranks(double *ranks, const double *numbers, size_t n)
{
    struct numbered *order = memory_allocate(n, sizeof *order);
    if (!order)
        return STATUS_NO_MEMORY;
    sort_numbers(order, numbers, n);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && order[end].number == order[first].number;)
            end++;
        for (size_t i = first; i < end; i++)
            ranks[order[i].place] = (double)(first + end + 1) / 2;
    }
    free(order);
    return STATUS_OK;
}

double ranking_spearman(const double *a, const double *b, size_t n)
{
    double *rank_a = memory_allocate(n, sizeof *rank_a), *rank_b = memory_allocate(n, sizeof *rank_b);
    double mean = (double)(n + 1) / 2, both = 0, square_a = 0, square_b = 0;
    bool ranked = rank_a && rank_b && !fill_ranks(rank_a, a, n) && !fill_ranks(rank_b, b, n);
    for (size_t i = 0; ranked && i < n; i++) {
        both += (rank_a[i] - mean) * (rank_b[i] - mean);
        square_a += (rank_a[i] - mean) * (rank_a[i] - mean);
        square_b += (rank_b[i] - mean) * (rank_b[i] - mean);
    }
    free(rank_a);
    free(rank_b);
    return square_a > 0 && square_b > 0 ? both / sqrt(square_a * square_b) : NAN;
}

/* Every step-th done experiment from the first-th on as a linear system. */
static enum status solve_experiments(struct least_squares *squares, const struct campaign *campaign, size_t first,
                                     size_t step)
{
    size_t n_tuples = campaign->list.n_tuples, n_done = campaign_count_done(campaign, false), n = 0, nth = 0;
    double *matrix = memory_allocate((n_done + 1) * n_tuples, sizeof *matrix);
    double *right = memory_allocate(n_done + 1, sizeof *right);
    enum status status = matrix && right ? STATUS_OK : STATUS_NO_MEMORY;
    if (status)
        goto done;
    for (uint64_t i = 0; i < campaign->settings.n_experiments && !status; i++) {
        const struct campaign_experiment *experiment = &campaign->experiments[i];
        if (!experiment->done || nth++ % step != first)
            continue;
        for (unsigned k = 0; k < campaign->settings.per_network; k++)
            matrix[n * n_tuples + experiment->tuples[k]] = 1;
        right[n++] = experiment->result.score;
    }
    if (status)
        goto done;
    if (n == 0)
        status = status_fail(STATUS_INVALID, "no experiment is done yet");
    if (status)
        goto done;
    status = least_squares_solve(squares, matrix, right, n, n_tuples);
done:
    free(matrix);
    free(right);
    return status;
}

static enum status check_determined(const struct least_squares *squares)
{
    if (squares->rank == squares->n_unknowns)
        return STATUS_OK;
    return status_fail(STATUS_INVALID,
                       "%zu experiments determine %zu of %zu partial scores%s; run more of them, or ask for the "
                       "smallest solution that fits (--minimum-norm)",
                       squares->n_rows, squares->rank, squares->n_unknowns,
                       squares->n_rows < squares->n_unknowns ? ", fewer than there are tuples"
                                                             : ": the system is singular");
}

/* NaN where a half does not determine all. */
static enum status compare_halves(const struct campaign *campaign, double *correlation)
{
    struct least_squares even = {0}, odd = {0};
    *correlation = NAN;
    if (campaign_count_done(campaign, false) < 2 * campaign->list.n_tuples)
        return STATUS_OK;
    enum status status = solve_experiments(&even, campaign, 0, 2);
    if (status)
        goto done;
    status = solve_experiments(&odd, campaign, 1, 2);
    if (status)
        goto done;
    if (even.rank == even.n_unknowns && odd.rank == odd.n_unknowns)
        *correlation = ranking_spearman(even.solution, odd.solution, even.n_unknowns);
done:
    least_squares_free(&even);
    least_squares_free(&odd);
    return status;
}

/* Of each tuple how often it had each rank: counts[tuple * n_tuples + rank], rank from 0. */
static enum status draw_ranks(const struct least_squares *squares, const struct ranking_options *options,
                              uint32_t *counts)
{
    size_t n_rows = squares->n_rows, n = squares->n_unknowns;
    double *noise = memory_allocate(n_rows, sizeof *noise), *drawn = memory_allocate(n, sizeof *drawn);
    struct numbered *order = memory_allocate(n, sizeof *order);
    struct rng rng = random_stream(options->seed, 0);
    enum status status = noise && drawn && order ? STATUS_OK : STATUS_NO_MEMORY;
    for (unsigned draw = 0; draw < options->n_bootstrap && !status; draw++) {
        for (size_t j = 0; j < n_rows; j++) {
            double pull = 1 - squares->leverage[j];
            double residual = pull > 1e-9 ? squares->residual[j] / sqrt(pull) : 0;
            noise[j] = random_bits(&rng) >> 63 ? residual : -residual;
        }
        least_squares_apply(squares, noise, drawn);
        for (size_t i = 0; i < n; i++)
            drawn[i] += squares->solution[i];
        sort_numbers(order, drawn, n);
        for (size_t rank = 0; rank < n; rank++)
            counts[order[rank].place * n + rank]++;
        if (options->progress)
            progress_update(options->progress, draw + 1, NULL);
    }
    free(noise);
    free(drawn);
    free(order);
    return status;
}

/* The lowest and highest rank after 2.5% of the draws are left out on each side. */
static void find_interval(struct ranked_tuple *tuple, const uint32_t *counts, size_t n, unsigned n_draws)
{
    double left_out = 0.025 * n_draws, below = 0;
    size_t low = 0, high = n - 1;
    while (below + counts[low] <= left_out && low + 1 < n)
        below += counts[low++];
    for (below = 0; below + counts[high] <= left_out && high > 0;)
        below += counts[high--];
    tuple->lowest_rank = low + 1;
    tuple->highest_rank = high + 1;
}

static enum status bootstrap(struct ranking *ranking, const struct least_squares *squares,
                             const struct ranking_options *options)
{
    size_t n = ranking->n_tuples;
    if (options->n_bootstrap == 0 || squares->n_rows <= squares->rank)
        return STATUS_OK;
    uint32_t *counts = memory_allocate(n * n, sizeof *counts);
    enum status status = counts ? draw_ranks(squares, options, counts) : STATUS_NO_MEMORY;
    for (size_t i = 0; i < n && !status; i++)
        find_interval(&ranking->tuples[i], counts + ranking->tuples[i].tuple * n, n, options->n_bootstrap);
    free(counts);
    return status;
}

static enum status fill(struct ranking *ranking, const struct campaign *campaign, const struct least_squares *squares)
{
    size_t n = squares->n_unknowns;
    struct numbered *order = memory_allocate(n, sizeof *order);
    uint64_t *times = memory_allocate(n, sizeof *times);
    ranking->tuples = memory_allocate(n, sizeof *ranking->tuples);
    enum status status = order && times && ranking->tuples ? STATUS_OK : STATUS_NO_MEMORY;
    if (status)
        goto done;
    for (uint64_t i = 0; i < campaign->settings.n_experiments && !status; i++)
        for (unsigned k = 0; campaign->experiments[i].done && k < campaign->settings.per_network; k++)
            times[campaign->experiments[i].tuples[k]]++;
    if (status)
        goto done;
    sort_numbers(order, squares->solution, n);
    for (size_t rank = 0; rank < n && !status; rank++) {
        size_t tuple = order[rank].place;
        ranking->tuples[rank] = (struct ranked_tuple){
            .tuple = tuple, .times = times[tuple], .score = squares->solution[tuple], .error = squares->error[tuple]};
    }
    if (status)
        goto done;
    ranking->median = (ranking->tuples[(n - 1) / 2].score + ranking->tuples[n / 2].score) / 2;
done:
    ranking->n_tuples = n;
    ranking->n_experiments = squares->n_rows;
    ranking->determined = squares->rank;
    ranking->deviation = squares->deviation;
    free(order);
    free(times);
    return status;
}

enum status ranking_compute(struct ranking *ranking, const struct campaign *campaign,
                            const struct ranking_options *options)
{
    struct least_squares squares = {0};
    *ranking = (struct ranking){0};
    enum status status = solve_experiments(&squares, campaign, 0, 1);
    if (status)
        goto done;
    if (!options->minimum_norm)
        status = check_determined(&squares);
    if (status)
        goto done;
    status = fill(ranking, campaign, &squares);
    if (status)
        goto done;
    status = bootstrap(ranking, &squares, options);
    if (status)
        goto done;
    status = compare_halves(campaign, &ranking->halves);
done:
    least_squares_free(&squares);
    if (status)
        ranking_free(ranking);
    return status;
}

void ranking_free(struct ranking *ranking)
{
    free(ranking->tuples);
    *ranking = (struct ranking){0};
}
