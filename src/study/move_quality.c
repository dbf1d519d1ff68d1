/* move_quality: how good the moves of a game were, in figures that do not grow with its length. */
#include "study/move_quality.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

const double move_quality_blunder_share = 0.01;
const double move_quality_mistake_share = 0.001;

/* What is smaller is the rounding of exact values. */
static const double smallest_loss = 1e-9;

double move_quality_loss_share(double loss, double best)
{
    if (!(loss > smallest_loss))
        return 0;
    return best > loss ? loss / best : 1;
}

double move_quality_accuracy(double loss_share)
{
    return exp2(-loss_share / move_quality_blunder_share);
}

static enum status keep_loss(struct move_quality *quality, double loss)
{
    double *losses = memory_grow(quality->losses, quality->n_losses + 1, &quality->capacity, 256, sizeof *losses);
    if (!losses)
        return STATUS_NO_MEMORY;
    quality->losses = losses;
    quality->losses[quality->n_losses++] = loss;
    return STATUS_OK;
}

enum status move_quality_add(struct move_quality *quality, double loss, double best)
{
    double share = move_quality_loss_share(loss, best);
    if (loss > smallest_loss) {
        enum status status = keep_loss(quality, loss);
        if (status)
            return status;
    } else
        quality->n_best++;
    quality->n_moves++;
    quality->accuracy += move_quality_accuracy(share);
    if (share >= move_quality_blunder_share)
        quality->n_blunders++;
    else if (share >= move_quality_mistake_share)
        quality->n_mistakes++;
    if (loss > quality->worst)
        quality->worst = loss;
    if (share > quality->worst_share)
        quality->worst_share = share;
    return STATUS_OK;
}

void move_quality_free(struct move_quality *quality)
{
    free(quality->losses);
    *quality = (struct move_quality){0};
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double move_quality_median_loss(struct move_quality *quality)
{
    size_t n = quality->n_losses;
    if (n == 0)
        return 0;
    qsort(quality->losses, n, sizeof *quality->losses, compare_reals);
    return (quality->losses[(n - 1) / 2] + quality->losses[n / 2]) / 2;
}

void move_quality_add_json(struct move_quality *quality, struct json *json)
{
    double n = (double)quality->n_moves;
    json_add_unsigned(json, "best_moves", quality->n_best);
    json_add_real(json, "best_share", n > 0 ? (double)quality->n_best / n : (double)NAN);
    json_add_real(json, "accuracy", n > 0 ? quality->accuracy / n : (double)NAN);
    json_add_real(json, "median_loss", move_quality_median_loss(quality));
    json_add_real(json, "worst_loss", quality->worst);
    json_add_real(json, "worst_share", quality->worst_share);
    json_add_unsigned(json, "mistakes", quality->n_mistakes);
    json_add_unsigned(json, "blunders", quality->n_blunders);
    json_add_real(json, "mistake_limit", move_quality_mistake_share);
    json_add_real(json, "blunder_limit", move_quality_blunder_share);
}
