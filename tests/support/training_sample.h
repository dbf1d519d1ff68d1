/* training_sample: small run directories for tests: their recipes, a run, and how two of them are compared. */
#ifndef AFTERSTATE_TESTS_TRAINING_SAMPLE_H
#define AFTERSTATE_TESTS_TRAINING_SAMPLE_H

#include "scratch.h"

#include "base/recipe.h"
#include "learn/train_recipe.h"
#include "study/training_run.h"

#include <signal.h>

static const char base_text[] = "[board]\nrows = 2\ncols = 3\n"
                                "[network]\ntuple = 0 1 2 3 4\ntuple = 0 1 3 4 5\nstages = 0 32\npromote = yes\n"
                                "[learn]\nrule = td\nrate = 0.5\nswitch = 125000 tc 1.0\noptimistic = 300\n"
                                "reset = 150000\n"
                                "[start]\nkind = mix\nmix = new 1 restart 1 carousel 1 jump 1\n"
                                "jump = own\nlist = 32 initial\nlist = 64 16\n"
                                "[train]\nactions = 250000\nthreads = 1\nseed = 7\n"
                                "[eval]\nevery = 50000\ngames = 50\ngames3 = 5\n";

/* A neural network instead, if what is set begins with it; its board is 3x3, the smallest for two convolutions. */
static const char neural_text[] = "[board]\nrows = 3\ncols = 3\n"
                                  "[neural]\nmodel = 2x2 8 8 fc 8\nbatch = 32\ngames = 8\nscale = 100\n"
                                  "[start]\nkind = restart\nrestart_from = jump\njump = own\nlist = 64 initial\n"
                                  "[train]\nactions = 30000\nthreads = 1\nseed = 7\n"
                                  "[eval]\nevery = 10000\ngames = 20\n";

static inline struct recipe *made(const char *more)
{
    bool neural = strncmp(more, "neural.", 7) == 0;
    struct recipe *recipe;
    assert_ok(recipe_create(&recipe, &train_settings));
    assert_ok(recipe_load_text(recipe, "base", neural ? neural_text : base_text));
    char *copy = strdup(more);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
        assert_ok(recipe_set(recipe, line, "test"));
    free(copy);
    return recipe;
}

struct story {
    char text[8192];  /* all lines of the report */
    int interrupt_at; /* raise SIGINT at this line; 0 never */
    int lines;
    void (*on_line)(const char *line);
};

static inline void listen(void *context, bool warning, const char *text)
{
    struct story *story = context;
    assert_int_equal(warning, strncmp(text, "warning: ", 9) == 0);
    size_t used = strlen(story->text);
    snprintf(story->text + used, sizeof story->text - used, "%s\n", text);
    if (++story->lines == story->interrupt_at)
        raise(SIGINT);
    if (story->on_line)
        story->on_line(text);
}

/* Opens and runs once; the directory is in the scratch folder. */
static inline enum status run_once(const char *name, const char *more, double budget, struct story *story,
                                   struct training_result *result)
{
    struct recipe *recipe = made(more);
    struct train_plan plan;
    struct training_run *run;
    struct training_report report = {.mode = PROGRESS_QUIET, .notify = story ? listen : NULL, .context = story};
    assert_ok(train_recipe_resolve(&plan, recipe));
    enum status status = training_run_open(&run, scratch_path(name), recipe, &plan, NULL);
    if (!status)
        status = training_run_go(run, budget, &report, result);
    if (status == STATUS_OK || run)
        training_run_free(run);
    recipe_free(recipe);
    return status;
}

static inline void run_to_the_end(const char *name, const char *more)
{
    struct training_result result;
    assert_ok(run_once(name, more, 0, NULL, &result));
    assert_int_equal(result.end, TRAINING_DONE);
}

static inline void assert_same_file(const char *a, const char *b)
{
    size_t bytes_a, bytes_b;
    char *data_a = scratch_read(a, &bytes_a), *data_b = scratch_read(b, &bytes_b);
    assert_int_equal(bytes_a, bytes_b);
    assert_memory_equal(data_a, data_b, bytes_a);
    free(data_a), free(data_b);
}

/* The log without the columns of times; those of a neural network are the last two of 21. */
static inline char *timeless_log(const char *name)
{
    size_t bytes;
    char *log = scratch_read(name, &bytes), *out = calloc(1, bytes + 1), *write = out;
    int column = 0;
    for (char *c = log; *c; c++) {
        if (*c == ',' || *c == '\n')
            column = *c == ',' ? column + 1 : 0;
        if (column < 2 || (column > 3 && column < 19))
            *write++ = *c;
    }
    free(log);
    return out;
}

/* Takes the lines of stops, whose last field is empty, out of a log. */
static inline void drop_stops(char *log)
{
    char *write = log;
    for (char *line = log, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (end == line || end[-1] != ',') {
            memmove(write, line, (size_t)(end - line) + 1);
            write += end - line + 1;
        }
    *write = '\0';
}

static inline void assert_same_run(const char *a, const char *b)
{
    char path_a[64], path_b[64];
    snprintf(path_a, sizeof path_a, "%s/network.net", a);
    snprintf(path_b, sizeof path_b, "%s/network.net", b);
    assert_same_file(path_a, path_b);
    snprintf(path_a, sizeof path_a, "%s/log.csv", a);
    snprintf(path_b, sizeof path_b, "%s/log.csv", b);
    char *log_a = timeless_log(path_a), *log_b = timeless_log(path_b);
    drop_stops(log_a), drop_stops(log_b);
    assert_string_equal(log_a, log_b);
    free(log_a), free(log_b);
}

static inline int count_lines(const char *name)
{
    size_t bytes;
    char *text = scratch_read(name, &bytes);
    int n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += text[i] == '\n';
    free(text);
    return n;
}

#endif
