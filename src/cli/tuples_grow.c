/* tuples grow: a network tuple by tuple, each the one that was measured to help most. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/signals.h"
#include "base/workers.h"
#include "cli/tuples_parts.h"
#include "study/grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEEP_SECONDS = 10, SETTING_BYTES = 256 };
enum { KEY_CELLS, KEY_TUPLES, KEY_GAMES, KEY_LAST, KEY_VALUES, KEY_RATE, KEY_SEED, KEY_CONNECTED, N_KEYS };

struct grow_options {
    const char *directory, *board;
    struct key_option keys[N_KEYS];
    struct option_texts start;
    int64_t threads;
};

static enum status load_recipe(struct recipe *recipe, const struct grow_options *options)
{
    char *path = training_run_path(options->directory, "grow.ini");
    if (!path)
        return STATUS_NO_MEMORY;
    enum status status = access(path, F_OK) == 0 ? recipe_load(recipe, path) : STATUS_OK;
    free(path);
    if (!status)
        status = tuples_set_keys(recipe, options->keys, N_KEYS, "grow", options->board);
    for (size_t i = 0; i < options->start.n_items && !status; i++) {
        char setting[SETTING_BYTES];
        snprintf(setting, sizeof setting, "grow.start=%s", options->start.items[i]);
        status = recipe_set(recipe, setting, "--start");
    }
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

static void print_result(const struct grow_result *result, const char *directory, unsigned n_values)
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
    tuples_print_recipe(stdout, &result->grid, &result->shape, n_values);
    if (result->interrupted)
        fprintf(stderr, "stopped; saved in %s\ngo on with: afterstate tuples grow --out %s\n", directory, directory);
}

static enum status run_grow(const struct grow_options *options, const struct common_options *common)
{
    size_t n_keys;
    const struct recipe_key *schema = grow_schema(&n_keys);
    struct recipe *recipe = NULL;
    struct training_report report = tuples_report(common);
    struct grow_result result = {0};
    enum status status = recipe_create(&recipe, schema, n_keys);
    if (!status)
        status = load_recipe(recipe, options);
    if (!status)
        status = signals_catch_interrupt();
    if (!status)
        status = grow_run(recipe, options->directory, (unsigned)options->threads, KEEP_SECONDS, &report, &result);
    if (!status && common->json)
        status = print_json(&result, options->directory);
    else if (!status)
        print_result(&result, options->directory, (unsigned)recipe_integer(recipe, "grow", "values"));
    grow_result_free(&result);
    recipe_free(recipe);
    return status;
}

int tuples_grow_run(const struct cli_context *context, int argc, char **argv)
{
    struct grow_options options = {
        .keys = {[KEY_CELLS] = {"grow.cells", NULL},
                 [KEY_TUPLES] = {"grow.tuples", NULL},
                 [KEY_GAMES] = {"grow.games", NULL},
                 [KEY_LAST] = {"grow.last", NULL},
                 [KEY_VALUES] = {"grow.values", NULL},
                 [KEY_RATE] = {"grow.rate", NULL},
                 [KEY_SEED] = {"grow.seed", NULL},
                 [KEY_CONNECTED] = {"grow.connected", NULL}},
    };
    struct key_option *keys = options.keys;
    const struct option_spec specs[] = {
        option_text("out", 'o', "DIR", &options.directory, "where the trials are kept; a job that is there goes on"),
        option_text("cells", 'n', "N", &keys[KEY_CELLS].text, "cells of a tuple; 6 if not given"),
        option_text("board", 0, "RxC", &options.board, "the board; 4x4 if not given"),
        option_text("connected", 'c', "WHETHER", &keys[KEY_CONNECTED].text,
                    "only tuples whose cells hang together, yes or no; yes if not given"),
        option_text("tuples", 'm', "M", &keys[KEY_TUPLES].text, "tuples of the network; 4 if not given"),
        option_texts("start", 0, "CELLS", &options.start, "a tuple chosen beforehand: \"0 1 2 3\""),
        option_text("games", 'g', "G", &keys[KEY_GAMES].text,
                    "games of a candidate in the first round; doubled in each; 1000 if not given"),
        option_text("last", 'l', "PERCENT", &keys[KEY_LAST].text,
                    "the score is the mean of this last part of the games; 10 if not given"),
        option_text("values", 'v', "K", &keys[KEY_VALUES].text,
                    "values a cell can have; if not given all of the board, at most 16"),
        option_text("rate", 'r', "ALPHA", &keys[KEY_RATE].text,
                    "what one weight takes of an error; 2^-10 if not given"),
        option_text("seed", 's', "S", &keys[KEY_SEED].text, "of the games; 1 if not given"),
        option_integer("threads", 't', "T", &options.threads, 0, WORKERS_MAX,
                       "trials at a time, one thread each; 0 is all cores"),
    };
    static const struct command_example examples[] = {
        {"--cells 4 --board 3x3 --tuples 3 --out grown > network.ini", "three 4-tuples for 3x3"},
        {"--cells 6 --tuples 8 --start \"0 1 2 3 4 5\" --games 2000 --out grown6", "from <6-01> on"},
    };
    const struct command_spec command = {
        .operands = "",
        .description = "Adds to a network the tuple that helps it most, again and again. Every tuple that is left is "
                       "tried beside the chosen ones for a few games; the worse half is dropped and the rest learns "
                       "anew from twice as many, until one is left. Prints a recipe of the network.",
        .options = specs,
        .n_options = sizeof specs / sizeof *specs,
        .examples = examples,
        .n_examples = sizeof examples / sizeof *examples,
    };
    struct common_options common = context->common;
    int exit_code;
    if (!cli_begin(context, &command, &common, argc, argv, NULL, &exit_code))
        return exit_code;
    enum status status = options.directory && *options.directory
                             ? run_grow(&options, &common)
                             : status_fail(STATUS_USAGE, "give a directory for the trials: --out DIR");
    return status ? cli_fail(status) : EXIT_SUCCESS;
}
