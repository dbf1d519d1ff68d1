/*
 * api_training: the public functions over run directories.
 */
#include <afterstate/afterstate.h>

#include "api/api_parts.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/recipe.h"
#include "study/training_run.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

_Static_assert((int)AS_TRAINING_DONE == TRAINING_DONE && (int)AS_TRAINING_BUDGET == TRAINING_BUDGET &&
                   (int)AS_TRAINING_STOPPED == TRAINING_INTERRUPTED,
               "the public ends are the inner ones");

struct as_training {
    struct training_run *run;
    double opened_at;
    uint64_t planned_actions;
};

/* One call of as_training_advance(). */
struct session {
    as_training_callback callback;
    void *context;
    uint64_t actions, planned_actions;
    bool stop;
};

static enum status load_recipe(struct recipe *recipe, const struct as_training_settings *settings)
{
    enum status status;
    if (settings->recipe) {
        status = recipe_load(recipe, settings->recipe);
    } else {
        char *path = file_path(settings->directory, "recipe.ini");
        status = path ? recipe_load(recipe, path) : STATUS_NO_MEMORY;
        free(path);
    }
    for (size_t i = 0; i < settings->n_overrides && !status; i++)
        status = settings->overrides[i] ? recipe_set(recipe, settings->overrides[i], "as_training_open")
                                        : status_fail(STATUS_USAGE, "as_training_open: override %zu is NULL", i);
    return status;
}

static enum status open_training(struct as_training *training, const struct as_training_settings *settings)
{
    struct recipe *recipe = NULL;
    struct train_plan plan;
    enum status status = recipe_create(&recipe, &train_settings);
    if (status)
        goto done;
    status = load_recipe(recipe, settings);
    if (status)
        goto done;
    status = train_recipe_resolve(&plan, recipe);
    if (status)
        goto done;
    status = train_plan_check_memory(&plan, memory_available_bytes());
    if (status)
        goto done;
    training->planned_actions = plan.actions;
    training->opened_at = clock_seconds();
    status = training_run_open(&training->run, settings->directory, recipe, &plan, NULL);
done:
    recipe_free(recipe);
    return status;
}

enum as_status as_training_open(struct as_training **out, const struct as_training_settings *settings)
{
    static const char function[] = "as_training_open";
    struct as_training_settings taken;
    if (out)
        *out = NULL;
    if (!out || !settings)
        return api_fail_null(function);
    enum status status = api_take_settings(&taken, sizeof taken, settings, function);
    if (status)
        return (enum as_status)status;
    if (!taken.directory || !*taken.directory || (taken.n_overrides && !taken.overrides))
        return (enum as_status)status_fail(STATUS_USAGE, "%s: expected the name of a directory%s", function,
                                           taken.directory ? " and overrides that are not NULL" : "");
    struct as_training *training = memory_allocate(1, sizeof *training);
    if (!training)
        return AS_NO_MEMORY;
    status = open_training(training, &taken);
    if (status) {
        free(training);
        return (enum as_status)status;
    }
    *out = training;
    return AS_OK;
}

void as_training_free(struct as_training *training)
{
    if (!training)
        return;
    training_run_free(training->run);
    free(training);
}

static void call_back(struct session *session, const char *message)
{
    if (session->callback && !session->stop)
        session->stop = session->callback(session->context, session->actions, session->planned_actions, message) != 0;
}

static void notify_line(void *context, bool warning, const char *text)
{
    (void)warning;
    call_back(context, text);
}

static bool poll_stop(void *context, uint64_t actions)
{
    struct session *session = context;
    session->actions = actions;
    call_back(session, NULL);
    return session->stop;
}

enum as_status as_training_advance(struct as_training *training, double budget_seconds, as_training_callback callback,
                                   void *context, struct as_training_state *state)
{
    if (!training)
        return api_fail_null("as_training_advance");
    if (!isfinite(budget_seconds) || budget_seconds < 0)
        return (enum as_status)status_fail(
            STATUS_USAGE, "as_training_advance: a budget of %g seconds; expected 0 or more", budget_seconds);
    struct session session = {.callback = callback,
                              .context = context,
                              .actions = training_run_actions(training->run),
                              .planned_actions = training->planned_actions};
    struct training_report report = {
        .mode = PROGRESS_QUIET, .notify = notify_line, .stop = poll_stop, .context = &session};
    struct training_result result;
    /* The run counts its budget from its opening. */
    double budget = budget_seconds > 0 ? clock_seconds() - training->opened_at + budget_seconds : 0;
    enum status status = training_run_train(training->run, budget, &report, &result);
    if (!status && state)
        *state = (struct as_training_state){.end = (enum as_training_end)result.end,
                                            .actions = result.totals.actions,
                                            .planned_actions = training->planned_actions,
                                            .games = result.totals.plays,
                                            .seconds = result.seconds,
                                            .moves_per_second = result.moves_per_second};
    return (enum as_status)status;
}
