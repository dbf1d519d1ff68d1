/* Run directories that are refused, damaged or on a full disk: no failure may cost a file that was there. */
#include "scratch.h"
#include "training_sample.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* ---- refusing ---------------------------------------------------------------------------------------------------- */

static void another_recipe_is_refused_by_name(void **state)
{
    (void)state;
    struct training_result result;
    run_to_the_end("whole", "");
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

static void damaged_checkpoints_are_reported(void **state)
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

static void foreign_directories_are_not_touched(void **state)
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

static void a_full_disk_is_reported_and_tried_again(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_recipe_is_refused_by_name),       cmocka_unit_test(damaged_checkpoints_are_reported),
        cmocka_unit_test(foreign_directories_are_not_touched),     cmocka_unit_test(two_cannot_train_in_one_place),
        cmocka_unit_test(a_full_disk_is_reported_and_tried_again), cmocka_unit_test(a_disk_that_stays_full_is_an_error),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
