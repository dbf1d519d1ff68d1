/* training_run_open: opens a run directory: a new run, or the one of its checkpoint. */
#include "study/training_run_parts.h"

#include "base/clock.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DAMAGE_BYTES = 512 };

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static enum status make_paths(struct training_run *run, const char *directory)
{
    run->directory = memory_copy_text(directory);
    run->recipe_path = file_path(directory, "recipe.ini");
    run->log_path = file_path(directory, "log.csv");
    run->checkpoint_path = file_path(directory, "checkpoint");
    run->spare_path = file_path(directory, "checkpoint.before");
    run->network_path = file_path(directory, "network.net");
    bool all = run->directory && run->recipe_path && run->log_path && run->checkpoint_path && run->spare_path &&
               run->network_path;
    return all ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Checks that the run in the directory may resume with `recipe`. Its own recipe is `text`, or recipe.ini if that is
   NULL; *was_plan becomes its plan. */
static enum status check_recipe(const struct training_run *run, const char *text, const struct recipe *recipe,
                                struct train_plan *was_plan)
{
    struct recipe *old;
    enum status status = recipe_create(&old, &train_settings);
    if (status)
        return status;
    status = text ? recipe_load_text(old, run->checkpoint_path, text) : recipe_load(old, run->recipe_path);
    if (status)
        goto done;
    status = train_recipe_check_resume(old, recipe, was_plan);
    if (status)
        goto done;
    /* A run makes a few more actions than its plan, so the number in its own recipe is always accepted. */
    if (run->plan.actions < was_plan->actions && run->plan.actions < run->counters.actions)
        status = status_fail(STATUS_INVALID, "%llu actions are done already, more than train.actions = %llu",
                             (unsigned long long)run->counters.actions, (unsigned long long)run->plan.actions);
done:
    recipe_free(old);
    return status ? status_context(status, "%s", run->directory) : STATUS_OK;
}

/* A directory without a checkpoint is new, or its run ended before the first one and starts again. */
static enum status check_new(const struct training_run *run, const struct recipe *recipe)
{
    if (exists(run->recipe_path)) {
        struct train_plan was;
        enum status status = check_recipe(run, NULL, recipe, &was);
        if (status)
            return status;
    } else if (exists(run->log_path)) {
        return status_fail(STATUS_INVALID,
                           "%s has a log.csv but no recipe.ini, so its run cannot resume; choose another directory",
                           run->directory);
    }
    if (exists(run->network_path))
        return status_fail(STATUS_INVALID,
                           "%s has a network.net but no checkpoint, so its run cannot resume; choose another "
                           "directory, or move the network away",
                           run->directory);
    return STATUS_OK;
}

/* Creates the model, the workers and the log. */
static enum status create_parts(struct training_run *run)
{
    enum status status = training_model_create(&run->model, &run->plan);
    if (status)
        return status;
    status = workers_create(&run->workers, run->plan.trainer.threads);
    return status ? status : training_log_begin(&run->log, run->model.grid, run->plan.is_neural);
}

/* Loads log and model from a checkpoint of the plan `was`. */
static enum status load_checkpoint(struct training_run *run, const struct training_checkpoint *checkpoint,
                                   const struct train_plan *was)
{
    enum status status = training_log_restore(&run->log, checkpoint->log);
    if (status)
        return status;
    bool same = train_plan_same_state(was, &run->plan);
    return training_checkpoint_load(checkpoint, &run->model, same ? NULL : was);
}

/* Opens the checkpoint of rank 0 on every rank: the others get its bytes. Collective. */
static enum status open_checkpoint(struct training_run *run, struct training_checkpoint *checkpoint)
{
    const struct cluster *cluster = run->plan.cluster;
    const char *path = run->damage ? run->spare_path : run->checkpoint_path;
    struct file_map map = {0};
    uint64_t bytes;
    if (cluster_size(cluster) == 1)
        return training_checkpoint_open(checkpoint, path);
    bool first = cluster_is_first(cluster);
    enum status status = first ? file_map_open(&map, path) : STATUS_OK;
    bytes = map.bytes;
    cluster_broadcast(cluster, &bytes, sizeof bytes);
    if (!status && !first)
        status = memory_block_allocate(&run->sent_checkpoint, bytes);
    status = cluster_agree(cluster, status);
    if (!status)
        cluster_broadcast(cluster, first ? (void *)map.data : run->sent_checkpoint.data, bytes);
    file_map_close(&map);
    if (status)
        return status;
    return first ? training_checkpoint_open(checkpoint, path)
                 : training_checkpoint_open_memory(checkpoint, run->sent_checkpoint.data, bytes, path);
}

/* Fills the run on this rank: a new one, or that of the checkpoint unless it is NULL. */
static enum status fill_run(struct training_run *run, const struct recipe *recipe,
                            const struct training_checkpoint *checkpoint, const struct training_weights *weights)
{
    struct train_plan was;
    enum status status = recipe_write(recipe, train_plan_kind(&run->plan), &run->recipe_text);
    if (status)
        return status;
    if (checkpoint) {
        run->counters = checkpoint->counters;
        status = check_recipe(run, checkpoint->recipe, recipe, &was);
    }
    if (status)
        return status;
    status = create_parts(run);
    if (status)
        return status;
    if (checkpoint)
        status = load_checkpoint(run, checkpoint, &was);
    if (status || !weights || !weights->path)
        return status;
    return training_model_take_weights(&run->model, weights->path, weights->stage);
}

static enum status open_run(struct training_run *run, const char *directory, const struct recipe *recipe,
                            const struct training_weights *weights)
{
    const struct cluster *cluster = run->plan.cluster;
    struct training_checkpoint checkpoint = {0};
    enum status status = make_paths(run, directory);
    if (!status && cluster_is_first(cluster))
        status = file_lock_directory(run->directory, "training", &run->lock);
    status = cluster_agree(cluster, status);
    if (status)
        return status;
    bool resumes = exists(run->checkpoint_path); /* for rank 0, which alone needs to see the directory */
    cluster_broadcast(cluster, &resumes, sizeof resumes);
    if (resumes)
        status = open_checkpoint(run, &checkpoint);
    else if (cluster_is_first(cluster))
        status = check_new(run, recipe);
    status = cluster_agree(cluster, status);
    if (!status)
        status = cluster_agree(cluster, fill_run(run, recipe, resumes ? &checkpoint : NULL, weights));
    training_checkpoint_close(&checkpoint);
    memory_block_free(&run->sent_checkpoint);
    return status ? status : training_model_join(&run->model, cluster);
}

/* Opens the run; `damage`, if it is not NULL, is what is wrong with its checkpoint, and the spare one is taken. */
static enum status open_with(struct training_run **out, const char *directory, const struct recipe *recipe,
                             const struct train_plan *plan, const struct training_weights *weights, const char *damage)
{
    *out = NULL;
    struct training_run *run = memory_allocate(1, sizeof *run);
    if (!run)
        return STATUS_NO_MEMORY;
    if (damage && !(run->damage = memory_copy_text(damage))) {
        free(run);
        return STATUS_NO_MEMORY;
    }
    run->plan = *plan;
    run->lock = -1;
    run->opened_at = clock_seconds();
    bool is_new = cluster_is_first(plan->cluster) && !exists(directory);
    enum status status = open_run(run, directory, recipe, weights);
    if (!status && cluster_is_first(plan->cluster)) {
        file_discard_temporaries(directory, "kept-"); /* on several threads their names do not come again */
        status = file_write_text(run->recipe_path, run->recipe_text);
        if (!status)
            status = training_log_write(&run->log, run->log_path);
    }
    status = cluster_agree(plan->cluster, status);
    if (status) {
        training_run_free(run);
        if (is_new)
            rmdir(directory); /* if nothing was written */
        return status;
    }
    run->actions_at_open = run->saved_actions = run->counters.actions;
    *out = run;
    return STATUS_OK;
}

static bool has_spare(const char *directory, const struct cluster *cluster)
{
    char *path = file_path(directory, "checkpoint.before");
    bool there = path && exists(path); /* for rank 0, as in open_run() */
    free(path);
    cluster_broadcast(cluster, &there, sizeof there);
    return there;
}

enum status training_run_open(struct training_run **out, const char *directory, const struct recipe *recipe,
                              const struct train_plan *plan, const struct training_weights *weights)
{
    char damage[DAMAGE_BYTES];
    enum status status = open_with(out, directory, recipe, plan, weights, NULL);
    if (status != STATUS_CORRUPT)
        return status;
    snprintf(damage, sizeof damage, "%s", status_message());
    if (!has_spare(directory, plan->cluster))
        return status_fail(status, "%s", damage);
    return open_with(out, directory, recipe, plan, weights, damage);
}

void training_run_free(struct training_run *run)
{
    if (!run)
        return;
    training_model_free(&run->model);
    workers_free(run->workers);
    training_log_free(&run->log);
    file_unlock_directory(run->lock);
    free(run->recipe_text);
    free(run->directory);
    free(run->recipe_path);
    free(run->log_path);
    free(run->checkpoint_path);
    free(run->network_path);
    free(run->spare_path);
    free(run->damage);
    free(run);
}

uint64_t training_run_actions(const struct training_run *run)
{
    return run->actions_at_open;
}
