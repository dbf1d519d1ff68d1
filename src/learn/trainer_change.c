/*
 * A run goes on with other stages or other starts: what was learned is taken over, stage by stage, and the games in
 * flight are given up, since what is remembered of them may be another.
 *
 * A new stage takes the cells of the old one that it begins in: accumulators as well, for a weight that has settled
 * must not move at the full rate again. A stage that begins in the middle of an old one stays untouched where the
 * network promotes: it takes each weight of the stage before when it first meets it, and learns from there afresh.
 */
#include "learn/trainer_parts.h"

/* Only what is not zero already: pages that hold nothing else stay untaken. */
static void copy_cells(float *to, const float *from, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        if (to[i] != from[i])
            to[i] = from[i];
}

static void take_stages(struct network *network, const struct network *old)
{
    uint8_t part_of[STAGES_MAX];
    const struct network_spec *spec = &network->spec;
    stages_map(&old->spec.stages, &spec->stages, part_of);
    uint64_t n = network->n_stage_weights * network->stride;
    for (unsigned stage = 0; stage < spec->stages.n_stages; stage++)
        if (!spec->promote || stage == 0 || part_of[stage] != part_of[stage - 1])
            copy_cells(network_stage_cells(network, stage), network_stage_cells(old, part_of[stage]), n);
}

static void take_worker(struct trainer *trainer, const struct trainer *old, unsigned number)
{
    bool more = number < trainer->settings.threads;
    struct trainer_worker *worker = &trainer->workers[more ? number : 0];
    const struct trainer_worker *was = &old->workers[number];
    trainer_add_totals(worker, was);
    for (unsigned i = 0; i < trainer->settings.interleave && more; i++) {
        worker->learners[i].rng = was->learners[i].rng;
        learner_begin(&worker->learners[i], &trainer->target, &worker->starts);
    }
}

enum status trainer_change(struct trainer *trainer, const struct trainer *old)
{
    struct network *network = trainer->target.network;
    const struct network *was = old->target.network;
    if (network->n_stage_weights != was->n_stage_weights || network->stride != was->stride ||
        trainer->settings.interleave != old->settings.interleave)
        return status_fail(STATUS_INVALID, "tuples, encoding, rule and interleave stay as they are in a run");
    take_stages(network, was);
    atomic_store(&trainer->actions, atomic_load(&old->actions));
    trainer->n_resets = old->n_resets;
    trainer_restart_average(trainer);
    for (unsigned w = 0; w < old->settings.threads; w++)
        take_worker(trainer, old, w);
    return STATUS_OK;
}
