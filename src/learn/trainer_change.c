/*
 * trainer_change: a run resumes with other stages or other starts. Stage by stage it keeps what was learned; the games
 * are discarded, because their records may have another form.
 *
 * A new stage takes the cells of the old one that it begins in, accumulators included: a weight that has settled must
 * not move at the full rate again. If the network promotes, a stage that begins in the middle of an old one stays
 * untouched: its weights are promoted when they are first met, and learn from there.
 */
#include "learn/trainer_parts.h"

/* Writes only what differs, so that pages of zeros take no memory. */
static void copy_cells(float *to, const float *from, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (to[i] != from[i])
            to[i] = from[i];
}

static void copy_stages(struct network *network, const struct network *old)
{
    uint8_t old_stage[STAGES_MAX];
    const struct network_spec *spec = &network->spec;
    stages_map(&old->spec.stages, &spec->stages, old_stage);
    uint64_t n = network->n_stage_weights * network->stride;
    for (unsigned stage = 0; stage < spec->stages.n_stages; stage++)
        if (!spec->promote || stage == 0 || old_stage[stage] != old_stage[stage - 1])
            copy_cells(network_stage_cells(network, stage), network_stage_cells(old, old_stage[stage]), n);
}

static void take_over_worker(struct trainer *trainer, const struct trainer *old, unsigned number)
{
    bool exists = number < trainer->settings.threads;
    struct trainer_worker *worker = &trainer->workers[exists ? number : 0];
    const struct trainer_worker *was = &old->workers[number];
    trainer_add_totals(worker, was);
    for (unsigned i = 0; i < trainer->settings.interleave && exists; i++) {
        worker->learners[i].game.rng = was->learners[i].game.rng;
        learner_begin(&worker->learners[i], &trainer->target, &worker->starts);
    }
}

enum status trainer_change(struct trainer *trainer, const struct trainer *old)
{
    struct network *network = trainer->target.network;
    const struct network *was = old->target.network;
    if (network->n_stage_weights != was->n_stage_weights || network->stride != was->stride ||
        trainer->settings.interleave != old->settings.interleave)
        return status_fail(STATUS_INVALID, "a run cannot change its tuples, encoding, rule or interleave");
    copy_stages(network, was);
    atomic_store(&trainer->actions, atomic_load(&old->actions));
    trainer->n_resets = old->n_resets;
    trainer_restart_average(trainer);
    for (unsigned w = 0; w < old->settings.threads; w++)
        take_over_worker(trainer, old, w);
    return STATUS_OK;
}
