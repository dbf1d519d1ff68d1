/*
 * Any bytes as the checkpoint of a training run or of a trial, as they are and with right checksums: refused, or
 * opened, its recipe resolved, its log restored, its model loaded and trained for some moves.
 */
#include "fuzz_files.h"
#include "study/training_checkpoint.h"
#include "study/training_log.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { MAX_BYTES = 8 << 20, MORE_ACTIONS = 40 };

/* Trains what was loaded: the games and generators of the file are in use now. */
static void train(struct training_model *model, const struct train_plan *plan)
{
    struct workers *workers;
    uint64_t actions = training_model_totals(model).actions;
    if (plan->trainer.threads > 1 || actions > UINT64_MAX / 2)
        return;
    if (workers_create(&workers, 1) != STATUS_OK)
        abort();
    (void)training_model_run(model, workers, actions + MORE_ACTIONS, NULL, NULL);
    workers_free(workers);
}

static void load_model(const struct training_checkpoint *checkpoint, const struct recipe *recipe)
{
    struct train_plan plan;
    struct training_model model;
    struct training_log log = {0};
    if (train_recipe_resolve(&plan, recipe) != STATUS_OK || plan.network_bytes + plan.trainer_bytes > MAX_BYTES ||
        plan.trainer.threads > 4 || training_model_create(&model, &plan) != STATUS_OK)
        return;
    if (training_log_begin(&log, model.grid, plan.is_neural) != STATUS_OK)
        abort();
    (void)training_log_restore(&log, checkpoint->log);
    if (training_checkpoint_load(checkpoint, &model, NULL) == STATUS_OK)
        train(&model, &plan);
    training_log_free(&log);
    training_model_free(&model);
}

static void read_checkpoint(const uint8_t *data, size_t n_bytes)
{
    struct training_checkpoint checkpoint;
    struct recipe *recipe;
    if (training_checkpoint_open_memory(&checkpoint, data, n_bytes, "fuzz") != STATUS_OK)
        return;
    if (recipe_create(&recipe, &train_settings) != STATUS_OK)
        abort();
    if (recipe_load_text(recipe, "fuzz", checkpoint.recipe) == STATUS_OK)
        load_model(&checkpoint, recipe);
    recipe_free(recipe);
    training_checkpoint_close(&checkpoint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    uint8_t *copy = fuzz_copy(data, n_bytes);
    read_checkpoint(copy, n_bytes);
    mend_checksums(copy, n_bytes);
    read_checkpoint(copy, n_bytes);
    free(copy);
    return 0;
}
