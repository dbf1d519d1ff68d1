/*
 * Run directories: stopping, killing and resuming must not change what is learned, and no failure may cost a file that
 * was there. The board is 2x3, where a game takes microseconds.
 */
#include "scratch.h"

#include "base/clock.h"
#include "base/recipe.h"
#include "base/signals.h"
#include "learn/train_recipe.h"
#include "study/log_table.h"
#include "study/training_run.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

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

static struct recipe *made(const char *more)
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
    char text[8192];  /* all notices */
    int interrupt_at; /* raise SIGINT at this line; 0 never */
    int lines;
    void (*on_line)(const char *line);
};

static void listen(void *context, bool warning, const char *text)
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
static enum status run_once(const char *name, const char *more, double budget, struct story *story,
                            struct training_result *result)
{
    struct recipe *recipe = made(more);
    struct train_plan plan;
    struct training_run *run;
    struct training_report report = {.mode = PROGRESS_QUIET, .notify = story ? listen : NULL, .context = story};
    assert_ok(train_recipe_resolve(&plan, recipe));
    enum status status = training_run_open(&run, scratch_path(name), recipe, &plan, NULL);
    if (!status)
        status = training_run_train(run, budget, &report, result);
    if (status == STATUS_OK || run)
        training_run_free(run);
    recipe_free(recipe);
    return status;
}

static void run_to_the_end(const char *name, const char *more)
{
    struct training_result result;
    assert_ok(run_once(name, more, 0, NULL, &result));
    assert_int_equal(result.end, TRAINING_DONE);
}

static void assert_same_file(const char *a, const char *b)
{
    size_t bytes_a, bytes_b;
    char *data_a = scratch_read(a, &bytes_a), *data_b = scratch_read(b, &bytes_b);
    assert_int_equal(bytes_a, bytes_b);
    assert_memory_equal(data_a, data_b, bytes_a);
    free(data_a), free(data_b);
}

/* The log but for the columns that tell time; those of a neural network are the last two of 21. */
static char *timeless_log(const char *name)
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
static void drop_stops(char *log)
{
    char *write = log;
    for (char *line = log, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        if (end == line || end[-1] != ',') {
            memmove(write, line, (size_t)(end - line) + 1);
            write += end - line + 1;
        }
    *write = '\0';
}

static void assert_same_run(const char *a, const char *b)
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

static int count_lines(const char *name)
{
    size_t bytes;
    char *text = scratch_read(name, &bytes);
    int n = 0;
    for (size_t i = 0; i < bytes; i++)
        n += text[i] == '\n';
    free(text);
    return n;
}

/* ---- resuming ---------------------------------------------------------------------------------------------------- */

static void a_run_leaves_its_files(void **state)
{
    (void)state;
    struct training_result result;
    struct story story = {0};
    assert_ok(run_once("whole", "", 0, &story, &result));
    assert_int_equal(result.end, TRAINING_DONE);
    assert_true(result.totals.actions >= 250000 && result.totals.actions < 251000);
    assert_true(result.eval.n_games == 50 && result.eval3.n_games == 5);
    assert_true(result.eval.mean > 100 && result.eval.mean < 700);
    assert_non_null(strstr(story.text, "1-ply mean"));
    assert_int_equal(count_lines("whole/log.csv"), 1 + 5);
    struct stat info;
    assert_int_equal(stat(scratch_path("whole/checkpoint"), &info), 0);
    size_t bytes;
    char *recipe = scratch_read("whole/recipe.ini", &bytes);
    assert_non_null(strstr(recipe, "restart_min_turns = 10\n")); /* a default, written out */
    free(recipe);
    char *log = scratch_read("whole/log.csv", &bytes);
    assert_int_equal(strncmp(log, "actions,games,seconds,moves_per_second,training_mean,eval_mean,", 63), 0);
    assert_non_null(strstr(log, ",tile_4,tile_8,tile_16,tile_32,tile_64,tile_128,touched\n"));
    free(log);
}

static void the_same_recipe_gives_the_same_bits(void **state)
{
    (void)state;
    run_to_the_end("again", "");
    assert_same_run("whole", "again");
    struct training_result result;
    assert_ok(run_once("other", "train.seed=8", 0, NULL, &result));
    size_t bytes_a, bytes_b;
    char *a = scratch_read("whole/network.net", &bytes_a), *b = scratch_read("other/network.net", &bytes_b);
    assert_true(bytes_a != bytes_b || memcmp(a, b, bytes_a) != 0);
    free(a), free(b);
}

static void stopping_changes_nothing(void **state)
{
    (void)state;
    struct training_result result;
    int sittings = 0;
    do {
        /* Growing, so that a measurement fits in at last: it counts whole or not at all. */
        assert_ok(run_once("stopped", "", 0.02 + 0.005 * sittings, NULL, &result));
        sittings++;
        assert_true(sittings < 1000);
    } while (result.end == TRAINING_BUDGET);
    assert_int_equal(result.end, TRAINING_DONE);
    assert_true(sittings > 1);
    assert_same_run("whole", "stopped");
}

static void signals_save_and_stop(void **state)
{
    (void)state;
    struct training_result result;
    struct story story = {.interrupt_at = 2};
    assert_ok(signals_catch_interrupt());
    assert_ok(run_once("signalled", "", 0, &story, &result));
    assert_int_equal(result.end, TRAINING_INTERRUPTED);
    assert_true(result.totals.actions < 250000);
    struct stat info;
    assert_int_equal(stat(scratch_path("signalled/network.net"), &info), 0);
    struct log_table log; /* its last line is that of the stop: a mean, and no measurement */
    assert_ok(log_table_read(&log, scratch_path("signalled/log.csv")));
    assert_true(log.n_rows == 3);
    assert_true(log_table_column(&log, "actions")[2] == (double)result.totals.actions);
    assert_true(log_table_column(&log, "training_mean")[2] > 0);
    assert_true(isnan(log_table_column(&log, "eval_mean")[2]));
    log_table_free(&log);
    /* The flag still stands: a measurement or a turn is cancelled at once, and nothing is lost. */
    assert_ok(run_once("signalled", "", 0, NULL, &result));
    assert_int_equal(result.end, TRAINING_INTERRUPTED);
    signals_restore();
    run_to_the_end("signalled", "");
    assert_same_run("whole", "signalled");
}

/* A child that trains with a checkpoint every 20 ms and is killed after `milliseconds`. */
static void train_and_kill(const char *name, int milliseconds)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(120); /* a child never outlives its test */
        struct training_result result;
        run_once(name, "train.checkpoint=20ms", 0, NULL, &result);
        _exit(0);
    }
    usleep((useconds_t)milliseconds * 1000);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

static void killing_changes_nothing(void **state)
{
    (void)state;
    train_and_kill("killed", 1); /* perhaps before there is anything */
    for (int i = 0; i < 6; i++)
        train_and_kill("killed", 60 + 30 * i);
    run_to_the_end("killed", "");
    assert_int_equal(count_lines("killed/log.csv"), 1 + 5);
    /* The recipe in the network says 20 ms or 5 minutes; all else is the same. */
    char *a = timeless_log("whole/log.csv"), *b = timeless_log("killed/log.csv");
    assert_string_equal(a, b);
    free(a), free(b);
    assert_same_run("whole", "killed");
}

static void checkpoints_come_in_time(void **state)
{
    (void)state;
    struct stat info;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(120); /* a child never outlives its test */
        struct training_result result;
        run_once("timely", "train.checkpoint=20ms\neval.every=0\ntrain.actions=1e15", 0, NULL, &result);
        _exit(0);
    }
    double start = clock_seconds();
    while (stat(scratch_path("timely/checkpoint"), &info) != 0 && clock_seconds() < start + 60)
        usleep(5000);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(stat(scratch_path("timely/checkpoint"), &info), 0);
}

/* Weights and accumulators of several blocks: each must come back to its place. */
static void large_networks_go_on_too(void **state)
{
    (void)state;
    static const char large[] = "board.rows=3\nnetwork.tuple=0 1 2 3 4 5 6\nnetwork.values=10\nnetwork.stages=1\n"
                                "network.promote=no\nstart.kind=new\nstart.mix=\nlearn.reset=0\nlearn.switch=\n"
                                "learn.rule=td\neval.every=0\neval.games3=0\ntrain.actions=";
    char first[512], whole[512];
    snprintf(first, sizeof first, "%s20000", large);
    snprintf(whole, sizeof whole, "%s40000", large);
    run_to_the_end("large", whole);
    run_to_the_end("large2", first);
    run_to_the_end("large2", whole);
    assert_same_file("large/network.net", "large2/network.net");
}

static void a_finished_run_can_be_extended(void **state)
{
    (void)state;
    run_to_the_end("extended", "train.actions=150000");
    assert_int_equal(count_lines("extended/log.csv"), 1 + 3);
    run_to_the_end("extended", "train.actions=150000"); /* nothing to do is fine */
    assert_int_equal(count_lines("extended/log.csv"), 1 + 3);
    run_to_the_end("extended", "");
    assert_same_run("whole", "extended");
    struct training_result result;
    assert_int_equal(run_once("extended", "train.actions=50000", 0, NULL, &result), STATUS_INVALID);
    assert_message("more than train.actions");
}

/* Other stages and starts from here on: what was learned and logged stays, and the run can be stopped again. */
static void stages_and_starts_may_change(void **state)
{
    (void)state;
    static const char then[] = "network.stages=0 16 32\nstart.kind=new\nstart.mix=";
    struct training_result result;
    struct story story = {.interrupt_at = 1};
    run_to_the_end("changed", "train.actions=100000");
    run_to_the_end("changed", then);
    run_to_the_end("changed and stopped", "train.actions=100000");
    assert_ok(signals_catch_interrupt());
    assert_ok(run_once("changed and stopped", then, 0, &story, &result));
    assert_int_equal(result.end, TRAINING_INTERRUPTED);
    signals_restore();
    run_to_the_end("changed and stopped", then);
    assert_same_run("changed", "changed and stopped");
    char *log = timeless_log("changed/log.csv");
    assert_non_null(strstr(log, "\n50"));  /* the line of the first part */
    assert_non_null(strstr(log, "\n250")); /* and the last */
    free(log);
}

/* A long run is measured at a million moves already, by the cheap games only. */
static void early_measurements(void **state)
{
    (void)state;
    struct log_table log;
    run_to_the_end("early", "train.actions=1200000\neval.every=1100000\neval.games=5\neval.games3=1");
    assert_ok(log_table_read(&log, scratch_path("early/log.csv")));
    const double *actions = log_table_column(&log, "actions");
    assert_int_equal(log.n_rows, 3);
    assert_true(actions[0] >= 1e6 && actions[0] < 1.1e6 && actions[1] >= 1.1e6);
    assert_true(log_table_column(&log, "eval_mean")[0] > 0);
    assert_true(isnan(log_table_column(&log, "eval3_mean")[0]));
    assert_true(log_table_column(&log, "eval3_mean")[1] > 0);
    log_table_free(&log);
}

static void measuring_changes_nothing(void **state)
{
    (void)state;
    struct training_result result;
    assert_ok(run_once("measured", "eval.every=0\neval.games3=0", 0, NULL, &result));
    assert_ok(run_once("measured", "", 0, NULL, &result)); /* the end was measured already: no line is added */
    assert_int_equal(count_lines("measured/log.csv"), 1 + 1);
    char *a = timeless_log("whole/log.csv"), *b = timeless_log("measured/log.csv");
    char *last_a = strrchr(a, '\n'), *last_b = strrchr(b, '\n');
    *last_a = *last_b = '\0';
    last_a = strrchr(a, '\n'), last_b = strrchr(b, '\n');
    assert_int_equal(strncmp(last_a, last_b, 8), 0);                 /* actions */
    assert_string_equal(strrchr(last_a, ','), strrchr(last_b, ',')); /* touched weights */
    free(a), free(b);
}

static void lines_after_the_checkpoint_are_cut(void **state)
{
    (void)state;
    struct training_result result;
    struct story story = {.interrupt_at = 2};
    assert_ok(signals_catch_interrupt());
    assert_ok(run_once("cut", "", 0, &story, &result));
    signals_restore();
    FILE *log = fopen(scratch_path("cut/log.csv"), "a");
    fputs("900000,1,2,3,4\nhalf a li", log);
    fclose(log);
    run_to_the_end("cut", "");
    assert_same_run("whole", "cut");
}

/* ---- refusing ---------------------------------------------------------------------------------------------------- */

static void another_recipe_is_refused_by_name(void **state)
{
    (void)state;
    struct training_result result;
    assert_int_equal(run_once("whole", "learn.order=backward\nlearn.reset=5", 0, NULL, &result), STATUS_INVALID);
    assert_message("/whole: the recipe is not that of the run: learn.order was 'forward' and is 'backward'; "
                   "learn.reset was '150000'");
    assert_ok(run_once("whole", "train.checkpoint=9m\neval.seed=3", 0, NULL, &result));
    assert_ok(run_once("whole", "", 0, NULL, &result)); /* the network as the other tests compare it */
}

static void flip_byte(const char *name, long at)
{
    FILE *file = fopen(scratch_path(name), "r+b");
    assert_non_null(file);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte ^ 0x10, file);
    assert_int_equal(fclose(file), 0);
}

static void damaged_checkpoints_are_told(void **state)
{
    (void)state;
    struct training_result result;
    struct stat info;
    run_to_the_end("damaged", "train.actions=50000");
    assert_int_equal(stat(scratch_path("damaged/checkpoint"), &info), 0);
    for (int i = 0; i < 24; i++) {
        long at = (long)(info.st_size * i / 24);
        flip_byte("damaged/checkpoint", at);
        assert_int_equal(run_once("damaged", "", 0, NULL, &result), STATUS_CORRUPT);
        assert_message("damaged/checkpoint");
        flip_byte("damaged/checkpoint", at);
    }
    char *before = timeless_log("damaged/log.csv");
    assert_int_equal(truncate(scratch_path("damaged/checkpoint"), info.st_size / 2), 0);
    assert_int_equal(run_once("damaged", "", 0, NULL, &result), STATUS_CORRUPT);
    assert_message("damaged/checkpoint");
    char *after = timeless_log("damaged/log.csv"); /* nothing else was touched */
    assert_string_equal(before, after);
    free(before), free(after);
}

/* With train.spare a damaged checkpoint costs the work since the one before it, and nothing else. */
static void a_spare_checkpoint_is_taken(void **state)
{
    (void)state;
    struct training_result result;
    size_t bytes;
    run_to_the_end("unspoilt", "train.spare=yes");
    for (int session = 0; session < 2; session++) {
        struct story stopped = {.interrupt_at = 2};
        assert_ok(signals_catch_interrupt());
        assert_ok(run_once("spared", "train.spare=yes", 0, &stopped, &result));
        signals_restore();
        assert_int_equal(result.end, TRAINING_INTERRUPTED);
    }
    free(scratch_read("spared/checkpoint.before", &bytes));
    scratch_write("spared/checkpoint", "not a checkpoint at all", 23);
    struct story story = {0};
    assert_ok(run_once("spared", "train.spare=yes", 0, &story, &result));
    assert_non_null(strstr(story.text, "warning: "));
    assert_non_null(strstr(story.text, "; resumed from the checkpoint before it, at "));
    assert_same_file("spared/network.net", "unspoilt/network.net");
    scratch_write("spared/checkpoint", "not a checkpoint at all", 23);
    scratch_write("spared/checkpoint.before", "nor this", 8);
    assert_int_equal(run_once("spared", "train.spare=yes", 0, NULL, &result), STATUS_CORRUPT);
    assert_message("checkpoint.before");
}

static void foreign_directories_are_left_alone(void **state)
{
    (void)state;
    struct training_result result;
    assert_int_equal(mkdir(scratch_path("foreign"), 0777), 0);
    scratch_write("foreign/log.csv", "precious\n", 9);
    assert_int_equal(run_once("foreign", "", 0, NULL, &result), STATUS_INVALID);
    assert_message("has a log.csv but no recipe.ini");
    size_t bytes;
    char *log = scratch_read("foreign/log.csv", &bytes);
    assert_string_equal(log, "precious\n");
    free(log);
    assert_int_equal(mkdir(scratch_path("foreign2"), 0777), 0);
    scratch_write("foreign2/network.net", "precious\n", 9);
    assert_int_equal(run_once("foreign2", "", 0, NULL, &result), STATUS_INVALID);
    assert_message("has a network.net but no checkpoint");
    scratch_write("file", "x", 1);
    assert_int_equal(run_once("file", "", 0, NULL, &result), STATUS_IO);
}

static void two_cannot_train_in_one_place(void **state)
{
    (void)state;
    struct recipe *recipe = made("");
    struct train_plan plan;
    struct training_run *first, *second;
    assert_ok(train_recipe_resolve(&plan, recipe));
    assert_ok(training_run_open(&first, scratch_path("shared"), recipe, &plan, NULL));
    assert_int_equal(training_run_open(&second, scratch_path("shared"), recipe, &plan, NULL), STATUS_USAGE);
    assert_null(second);
    assert_message("another process is training there");
    training_run_free(first);
    assert_ok(training_run_open(&second, scratch_path("shared"), recipe, &plan, NULL));
    training_run_free(second);
    recipe_free(recipe);
}

/* ---- failing disks ----------------------------------------------------------------------------------------------- */

static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* The first measurement fills the disk, the first warning empties it. */
static void fill_until_warned(const char *line)
{
    static int lines;
    if (strncmp(line, "warning", 7) == 0)
        limit_files(RLIM_INFINITY);
    else if (lines++ == 0)
        limit_files(4096);
}

static void a_full_disk_is_told_and_tried_again(void **state)
{
    (void)state;
    struct training_result result;
    struct story story = {.on_line = fill_until_warned};
    signal(SIGXFSZ, SIG_IGN);
    assert_ok(run_once("full", "train.checkpoint=10ms", 0, &story, &result));
    limit_files(RLIM_INFINITY);
    assert_int_equal(result.end, TRAINING_DONE);
    assert_non_null(strstr(story.text, "warning: no checkpoint written: "));
    assert_non_null(strstr(story.text, "training continues"));
    run_to_the_end("full", ""); /* for the recipe in the network */
    assert_same_run("whole", "full");
}

static void fill_disk(const char *line)
{
    (void)line;
    limit_files(4096);
}

static void a_disk_that_stays_full_is_an_error(void **state)
{
    (void)state;
    struct training_result result;
    run_to_the_end("lost", "train.actions=50000");
    struct story story = {.on_line = fill_disk};
    assert_int_equal(run_once("lost", "", 0, &story, &result), STATUS_IO);
    limit_files(RLIM_INFINITY);
    assert_message("lost/checkpoint");
    run_to_the_end("lost", ""); /* from the old checkpoint, which is as it was */
    assert_same_run("whole", "lost");
}

/* ---- time and threads -------------------------------------------------------------------------------------------- */

static void the_budget_is_kept(void **state)
{
    (void)state;
    struct training_result result;
    double start = clock_seconds();
    assert_ok(run_once("budget", "train.actions=1e12\neval.every=1e6\neval.games=1e6", 0.3, NULL, &result));
    double seconds = clock_seconds() - start;
    assert_int_equal(result.end, TRAINING_BUDGET);
    assert_true(seconds < 5); /* generous: the machine may be busy, and games under way end first */
}

static void threads_share_a_run(void **state)
{
    (void)state;
    struct training_result result;
    assert_ok(run_once("threads", "train.threads=3\ntrain.actions=200000", 0, NULL, &result));
    assert_int_equal(result.end, TRAINING_DONE);
    assert_ok(run_once("threads", "train.threads=3\ntrain.actions=300000", 0, NULL, &result));
    assert_true(result.totals.actions >= 300000);
}

static void threads_may_change_on_the_way(void **state)
{
    (void)state;
    struct training_result three, one, two;
    assert_ok(run_once("changing", "train.threads=3\ntrain.actions=200000", 0, NULL, &three));
    assert_ok(run_once("changing", "train.threads=1\ntrain.actions=200000", 0, NULL, &one));
    assert_int_equal(one.totals.actions, three.totals.actions); /* nothing to learn, and no total is lost */
    assert_int_equal(one.totals.plays, three.totals.plays);
    assert_int_equal(one.totals.new_plays, three.totals.new_plays);
    assert_float_equal(one.totals.score_sum, three.totals.score_sum, 0);
    assert_memory_equal(one.totals.reached, three.totals.reached, sizeof one.totals.reached);
    assert_ok(run_once("changing", "train.threads=2\ntrain.actions=400000", 0, NULL, &two));
    assert_true(two.totals.actions >= 400000 && two.totals.plays > one.totals.plays);
}

/* ---- neural networks --------------------------------------------------------------------------------------------- */

static void neural_runs_go_on_bit_for_bit(void **state)
{
    (void)state;
    struct training_result result;
    struct story story = {0};
    int sittings = 0;
    assert_ok(run_once("neural", "neural.rate=0.002", 0, &story, &result));
    assert_int_equal(result.end, TRAINING_DONE);
    assert_non_null(strstr(story.text, "1-ply mean"));
    assert_int_equal(count_lines("neural/log.csv"), 1 + 3);
    do {
        assert_ok(run_once("neural-stopped", "neural.rate=0.002", 0.02 + 0.005 * sittings, NULL, &result));
        sittings++;
        assert_true(sittings < 1000);
    } while (result.end == TRAINING_BUDGET);
    assert_true(sittings > 1);
    assert_same_run("neural", "neural-stopped");
    assert_ok(run_once("neural", "neural.rate=0.001", 0, NULL, &result)); /* may change */
    assert_int_equal(run_once("neural", "neural.beta1=0.8", 0, NULL, &result), STATUS_INVALID);
    assert_message("neural.beta1 was '0.9' and is '0.8'");
}

/* Targets beyond all numbers: the first batch stops the run, and the checkpoint is the one of before. */
static void divergence_keeps_the_last_checkpoint(void **state)
{
    (void)state;
    struct training_result result;
    size_t bytes_before, bytes_after;
    assert_ok(run_once("wild", "neural.scale=1e-200\ntrain.actions=16", 0, NULL, &result));
    char *before = scratch_read("wild/checkpoint", &bytes_before);
    assert_int_equal(run_once("wild", "neural.scale=1e-200\ntrain.actions=30000", 0, NULL, &result), STATUS_INVALID);
    assert_message("learning diverged: the mean squared error of batch");
    char *after = scratch_read("wild/checkpoint", &bytes_after);
    assert_int_equal(bytes_before, bytes_after);
    assert_memory_equal(before, after, bytes_before);
    free(before), free(after);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_leaves_its_files),
        cmocka_unit_test(the_same_recipe_gives_the_same_bits),
        cmocka_unit_test(stopping_changes_nothing),
        cmocka_unit_test(signals_save_and_stop),
        cmocka_unit_test(killing_changes_nothing),
        cmocka_unit_test(checkpoints_come_in_time),
        cmocka_unit_test(large_networks_go_on_too),
        cmocka_unit_test(a_finished_run_can_be_extended),
        cmocka_unit_test(stages_and_starts_may_change),
        cmocka_unit_test(early_measurements),
        cmocka_unit_test(measuring_changes_nothing),
        cmocka_unit_test(lines_after_the_checkpoint_are_cut),
        cmocka_unit_test(another_recipe_is_refused_by_name),
        cmocka_unit_test(damaged_checkpoints_are_told),
        cmocka_unit_test(a_spare_checkpoint_is_taken),
        cmocka_unit_test(foreign_directories_are_left_alone),
        cmocka_unit_test(two_cannot_train_in_one_place),
        cmocka_unit_test(a_full_disk_is_told_and_tried_again),
        cmocka_unit_test(a_disk_that_stays_full_is_an_error),
        cmocka_unit_test(the_budget_is_kept),
        cmocka_unit_test(threads_share_a_run),
        cmocka_unit_test(threads_may_change_on_the_way),
        cmocka_unit_test(neural_runs_go_on_bit_for_bit),
        cmocka_unit_test(divergence_keeps_the_last_checkpoint),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
