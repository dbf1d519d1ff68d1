/* shrink: writes a network as a smaller file, and measures what that costs. */
#include "packed/shrink.h"

#include "base/workers.h"
#include "packed/stale.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { COMPARED_BOARDS = 30000 };

static enum status drop_stale(struct network *network, const struct shrink_settings *settings, FILE *progress,
                              uint64_t *n_dropped)
{
    struct network *since = NULL, *keep = NULL;
    enum status status = network_load(&since, settings->since, NULL, progress);
    if (status)
        goto done;
    if (settings->keep)
        status = network_load(&keep, settings->keep, NULL, progress);
    if (status)
        goto done;
    status = stale_drop(network, since, keep, n_dropped);
    if (status)
        status_context(status, "--since %s", settings->since);
done:
    network_free(since);
    network_free(keep);
    return status;
}

/* Drops and rounds by how often the games read each weight. */
static enum status use_visits(struct network *network, const struct shrink_settings *settings, FILE *progress,
                              uint64_t *n_dropped)
{
    struct workers *workers = NULL;
    struct memory_block counts; /* most of its pages are never written and take no memory */
    enum status status = memory_block_allocate(&counts, network->n_weights * sizeof(uint16_t));
    if (status)
        return status;
    status = workers_create(&workers, settings->threads);
    if (status)
        goto done;
    status = visits_count(network, &settings->where, settings->games, settings->seed, workers, progress, counts.data);
    if (status)
        goto done;
    *n_dropped = visits_drop(network, counts.data, settings->visits);
    if (settings->packing.precision == NETWORK_STEPS)
        visits_round(network, counts.data, settings->packing.step);
done:
    workers_free(workers);
    memory_block_free(&counts);
    return status;
}

static enum status add_notes(struct network_history *history, const struct shrink_settings *settings, uint64_t n_stale,
                             uint64_t n_rare)
{
    enum status status = STATUS_OK;
    if (settings->since)
        status = network_history_note(history, "dropped %" PRIu64 " weights that the run left as they were", n_stale);
    if (!status && settings->visits > 0)
        status =
            network_history_note(history, "dropped %" PRIu64 " weights seen less than %u times in %" PRIu64 " games",
                                 n_rare, settings->visits, settings->games);
    if (status)
        return status;
    if (settings->packing.precision != NETWORK_STEPS)
        return network_history_note(history, "stored as %s", network_precision_name(settings->packing.precision));
    return network_history_note(history, "stored in steps of %g%s", (double)settings->packing.step,
                                settings->games ? ", larger ones for weights seen rarely" : "");
}

/* Over the weights that are still touched. */
static struct weight_error compare_weights(const struct network *before, const struct network *after)
{
    struct weight_error error = {0};
    float initial = before->spec.initial;
    for (uint64_t i = 0; i < before->n_weights; i++) {
        if (before->weights[i] == initial || after->weights[i] == initial)
            continue;
        double wrong = fabs((double)before->weights[i] - after->weights[i]);
        error.worst = fmax(error.worst, wrong);
        error.sum_squares += wrong * wrong;
        error.n_touched++;
    }
    return error;
}

/* A copy of the network without the dropped weights, the others rounded by their visits. */
static enum status thin_out(struct network **out, const struct network *network, const struct shrink_settings *settings,
                            FILE *progress, uint64_t *n_stale, uint64_t *n_rare)
{
    enum status status = network_create(out, &network->spec);
    if (status)
        return status;
    memcpy((*out)->weights, network->weights, network->n_weights * sizeof(float));
    if (settings->since)
        status = drop_stale(*out, settings, progress, n_stale);
    if (!status && settings->games > 0)
        status = use_visits(*out, settings, progress, n_rare);
    return status;
}

enum status shrink_network(const struct network *network, const char *path, struct network_history *history,
                           const struct shrink_settings *settings, FILE *progress, struct shrink_result *result)
{
    const bool thins = settings->games > 0 || settings->since;
    const uint64_t n_copies = (uint64_t)1 + thins + (settings->since != NULL) + (settings->keep != NULL);
    struct network *thinned = NULL, *stored = NULL;
    uint64_t n_stale = 0, n_rare = 0;
    *result = (struct shrink_result){.n_touched = network_count_touched(network)};
    enum status status = memory_check(n_copies * network->n_weights * sizeof(float), "comparing the result");
    if (status)
        return status;
    if (thins)
        status = thin_out(&thinned, network, settings, progress, &n_stale, &n_rare);
    if (status)
        goto done;
    status = add_notes(history, settings, n_stale, n_rare);
    if (status)
        goto done;
    status = network_save_packed(thinned ? thinned : network, path, history, &settings->packing, progress);
    if (status)
        goto done;
    status = network_load(&stored, path, NULL, progress);
    if (status)
        goto done;
    result->n_dropped = n_stale + n_rare;
    result->error = compare_weights(network, stored);
    status = network_compare(network, stored, COMPARED_BOARDS, 1, &result->difference);
done:
    network_free(thinned);
    network_free(stored);
    return status;
}
