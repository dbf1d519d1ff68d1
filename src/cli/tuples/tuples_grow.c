/* tuples grow: a network tuple by tuple, each the one that was measured to help most. */
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/signals.h"
#include "base/workers.h"
#include "cli/frame/report.h"
#include "cli/tuples/tuples_parts.h"
#include "study/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEEP_SECONDS = 10 };

struct grow_options {
    const char *directory, *board;
    struct option_texts start;
    int64_t threads;
};

static enum status load_recipe(struct recipe *recipe, const struct cli_call *call)
{
    const struct grow_options *options = call->options;
    char *path = file_path(options->directory, "grow.ini");
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = access(path, F_OK) == 0 ? recipe_load(recipe, path) : STATUS_OK;
    free(path);
    if (status)
        return status;
    status = options_put_settings(&call->settings, recipe);
    if (status)
        return status;
    status = tuples_set_board(recipe, "grow", options->board);
    if (status)
        return status;
    for (size_t i = 0; i < options->start.n_items && !status; i++)
        status = recipe_set_text(recipe, "grow", "start", options->start.items[i], "--start");
    return status;
}

static enum status print_json(const struct grow_result *result, const char *directory)
{
    struct json json;
    json_begin(&json);
    json_add_text(&json, "end", result->interrupted ? "interrupted" : "done");
    json_add_text(&json, "directory", directory);
    json_add_unsigned(&json, "count", result->shape.n_tuples);
    json_add_unsigned(&json, "trials_now", result->n_trials);
    json_open_array(&json, "steps");
    for (unsigned i = 0; i < result->n_steps; i++) {
        const struct grow_step *step = &result->steps[i];
        char text[TUPLE_SET_LIST_BYTES];
        json_open_object(&json, NULL);
        json_add_text(&json, "cells", tuple_set_list(step->set, text));
        json_add_text(&json, "drawing", tuple_set_draw(&result->grid, step->set, text));
        json_add_unsigned(&json, "candidates", step->n_candidates);
        json_add_unsigned(&json, "games", step->games);
        json_add_real(&json, "score", step->score);
        json_add_real(&json, "score_without", step->score_without);
        json_close(&json);
    }
    json_close(&json);
    return cli_print_json(&json);
}

static void print_result(const struct grow_result *result, const char *directory)
{
    printf("; grown by: afterstate tuples grow --out %s\n", directory);
    for (unsigned i = 0; i < result->n_steps; i++) {
        const struct grow_step *step = &result->steps[i];
        char drawing[TUPLE_SET_DRAW_BYTES];
        printf("; %s  score %.1f", tuple_set_draw(&result->grid, step->set, drawing), step->score);
        if (isfinite(step->score_without))
            printf(", %.1f without it", step->score_without);
        printf(", %llu games\n", (unsigned long long)step->games);
    }
    tuples_print_recipe(stdout, &result->grid, &result->shape, result->n_values, result->vse);
    if (result->interrupted)
        fprintf(stderr, "stopped; saved in %s\nresume with: afterstate tuples grow --out %s\n", directory, directory);
}

static enum status run_grow(const struct cli_call *call)
{
    const struct grow_options *options = call->options;
    const struct common_options *common = &call->common;
    struct recipe *recipe = NULL;
    struct training_report report = cli_report(common);
    struct grow_result result = {0};
    if (!cluster_is_first(common->cluster))
        return trial_pool_serve(common->cluster, (unsigned)options->threads);
    enum status status = recipe_create(&recipe, &grow_table);
    if (status)
        goto done;
    status = load_recipe(recipe, call);
    if (status)
        goto done;
    status = grow_run(recipe, options->directory, common->cluster, (unsigned)options->threads, KEEP_SECONDS, &report,
                      &result);
    if (status)
        goto done;
    if (common->json)
        status = print_json(&result, options->directory);
    else
        print_result(&result, options->directory);
done:
    grow_result_free(&result);
    recipe_free(recipe);
    return trial_pool_dismiss(common->cluster, status);
}

#define IN(member) OPTION_FIELD(struct grow_options, member)
static const struct option_spec grow_option_rows[] = {
    {"out", 'o', "DIR", IN(directory), "the directory of the trials; a job in it is resumed"},
    {"board", 0, "RxC", IN(board), "the board; default 4x4"},
    {"start", 0, "CELLS", IN(start), "a tuple chosen beforehand: \"0 1 2 3\""},
    {"threads", 't', "T", IN(threads), "trials at a time, one thread each; 0 is all cores",
     OPTION_RANGE(0, WORKERS_MAX)},
};
#undef IN

static const struct command_example grow_examples[] = {
    {"--cells 4 --board 3x3 --tuples 3 --out grown > network.ini", "three 4-tuples for 3x3"},
    {"--cells 6 --tuples 8 --start \"0 1 2 3 4 5\" --games 2000 --out grown6", "from <6-01> on"},
};

static enum status run_grow_command(struct cli_call *call)
{
    const struct grow_options *options = call->options;
    enum status status = options->directory && *options->directory
                             ? run_grow(call)
                             : status_fail(STATUS_USAGE, "give a directory for the trials: --out DIR");
    return status;
}

const struct command tuples_grow_command = {
    .name = "tuples grow",
    .summary = "choose tuple by tuple, by measured gain",
    .description = "Adds the tuple with the largest gain, again and again. Every tuple that is left is tried beside "
                   "the chosen ones for a few games; the worse half is dropped and the rest learns anew from twice as "
                   "many, until one is left. Prints a recipe of the network.",
    COMMAND_OPTIONS(grow_option_rows, struct grow_options),
    .settings = &grow_table,
    .settings_defaults = true,
    COMMAND_EXAMPLES(grow_examples),
    .interruptible = true,
    .clustered = true,
    .run = run_grow_command,
};
