/* Recipes: reading, setting, including, writing, comparing, and every kind of mistake. */
#include "scratch.h"

#include "base/random.h"
#include "base/recipe.h"

#include <sys/stat.h>

struct sample {
    uint8_t rows, cols;
    const char *shape, *note, *last;
    struct setting_list tuples, levels;
    double rate, checkpoint;
    bool delayed;
    uint64_t actions;
};

enum { CHANGE_LATER = 1, CHANGE_RARELY = 2 };

#define IN(member) SETTING_FIELD(struct sample, member)
enum { ABOUT_LEVELS = 1, ABOUT_OTHERS = 2 };

static const struct setting rows[] = {
    {"board", "rows", "4", IN(rows), "rows of the board", SETTING_LIMITS(1, 6)},
    {"board", "cols", "4", IN(cols), "columns", SETTING_LIMITS(1, 6), .may_change = CHANGE_LATER},
    {"network", "shape", "4x6", IN(shape), "a shape", .may_change = CHANGE_RARELY},
    {"network", "tuple", NULL, IN(tuples), "a tuple"},
    {"network", "level", "7", IN(levels), "a level", .about = ABOUT_LEVELS},
    {"network", "note", NULL, IN(note), "a note"},
    {"learn", "rate", "1.0", IN(rate), "a rate", SETTING_LIMITS(0, 10)},
    {"learn", "delayed", "no", IN(delayed), "a flag"},
    {"train", "actions", "1e10", IN(actions), "actions"},
    {"train", "checkpoint", "5m", SETTING_FIELD_AS(SETTING_DURATION, struct sample, checkpoint), "a time",
     SETTING_LIMITS(1, 86400)},
    {"board", "last", "x", IN(last), "a section may come back in the table"},
};
static const struct setting_table table = SETTING_TABLE(rows);

static struct recipe *make(void)
{
    struct recipe *recipe;
    assert_ok(recipe_create(&recipe, &table));
    return recipe;
}

static struct sample get(const struct recipe *recipe)
{
    struct sample sample;
    recipe_get(recipe, &sample);
    return sample;
}

static struct recipe *load(const char *text)
{
    struct recipe *recipe = make();
    assert_ok(recipe_load_text(recipe, "t.ini", text));
    return recipe;
}

static void refuse(const char *text, const char *message)
{
    struct recipe *recipe = make();
    assert_int_equal(recipe_load_text(recipe, "t.ini", text), STATUS_INVALID);
    assert_message(message);
    recipe_free(recipe);
}

static void test_defaults(void **state)
{
    (void)state;
    struct recipe *r = make();
    struct sample sample = get(r);
    assert_int_equal(sample.rows, 4);
    assert_string_equal(sample.shape, "4x6");
    assert_string_equal(sample.note, "");
    assert_int_equal(sample.tuples.n, 0);
    assert_int_equal(sample.levels.n, 1);
    assert_true(sample.rate == 1);
    assert_false(sample.delayed);
    assert_int_equal(sample.actions, INT64_C(10000000000));
    assert_true(sample.checkpoint == 300);
    assert_string_equal(recipe_origin(r, "board", "rows"), "default");
    recipe_free(r);
    recipe_free(NULL);
}

static void test_reading(void **state)
{
    (void)state;
    struct recipe *r = load("\xef\xbb\xbf# a comment\n\n[board] ; the board\r\n  rows = 3 ; three\n\tcols=5\n"
                            "[network]\ntuple = 0 1 2\n  tuple = 3 4 5\nshape = a;b\n[learn]\ndelayed: yes");
    assert_int_equal(get(r).rows, 3);
    assert_int_equal(get(r).cols, 5);
    assert_string_equal(recipe_origin(r, "board", "rows"), "t.ini:4");
    assert_int_equal(get(r).tuples.n, 2);
    assert_string_equal(get(r).tuples.items[0], "0 1 2");
    assert_string_equal(get(r).tuples.items[1], "3 4 5");
    assert_string_equal(recipe_text(r, "network", "shape"), "a;b");
    assert_true(get(r).delayed);
    recipe_free(r);
}

static void test_unknown_names(void **state)
{
    (void)state;
    refuse("[board]\nrwos = 3", "t.ini:2: unknown key 'rwos' in [board]; did you mean 'rows'?");
    refuse("\n[bord]\nrows = 3", "t.ini:2: unknown section [bord]; did you mean [board]?");
    refuse("[bord]", "t.ini:1: unknown section [bord]");
    refuse("[xyzzy]", "t.ini:1: unknown section [xyzzy]");
    refuse("[]\nrows = 1", "unknown section []");
    refuse("[board]\nrate = 3", "unknown key 'rate' in [board]; it belongs to [learn]");
    refuse("[board]\nbanana = 3", "unknown key 'banana' in [board]");
    refuse("rows = 3", "t.ini:1: 'rows' stands before any [section]");
}

static void test_bad_values(void **state)
{
    (void)state;
    refuse("[board]\nrows = many", "t.ini:2: board.rows = 'many': expected a whole number");
    refuse("[board]\nrows = 7", "board.rows = '7': expected a whole number such as 42, 1_000_000 or 1e10 from 1 to 6");
    refuse("[board]\nrows = 2.5", "board.rows = '2.5'");
    refuse("[board]\nrows =", "board.rows = ''");
    refuse("[learn]\nrate = -1", "from 0 to 10");
    refuse("[learn]\nrate = nan", "learn.rate = 'nan': expected a number");
    refuse("[learn]\ndelayed = maybe", "expected yes or no");
    refuse("[train]\ncheckpoint = 0s", "expected a duration");
    refuse("[network]\nnote =;x", "would be cut at its ';'");
    refuse("[network]\nnote = a\001b", "control character");
}

static void test_bad_lines(void **state)
{
    (void)state;
    refuse("[board]\nrows 3\n", "t.ini:2: expected 'key = value'");
    refuse("[board]\nrows 3\nrows = x\n", "t.ini:2: expected 'key = value'");
    refuse("[board]\nrows = x\nrows 3\n", "t.ini:2: board.rows = 'x'");
    refuse("[board\nrows = 3", "t.ini:1: a section's name must end with ']'");
    refuse("[board] rows = 3", "t.ini:1: put 'rows = 3' after [board] on a line of its own");
    refuse("[board]\nrows = 3\nrows = 4", "t.ini:3: board.rows stands twice in one file, first at t.ini:2");
    refuse("include = x.ini", "include is only possible in a file");
}

/* A line at the limit is read whole, one beyond it is refused: nothing is ever cut. */
static void test_line_limit(void **state)
{
    (void)state;
    for (size_t length = 180; length < 230; length++) {
        char text[400] = "[network]\nnote = ";
        size_t start = strlen(text), value = length - strlen("note = ");
        memset(text + start, 'x', value);
        strcpy(text + start + value, "\n[board]\nrows = 2\n");
        struct recipe *r = make();
        enum status status = recipe_load_text(r, "t.ini", text);
        assert_int_equal(status, length <= RECIPE_MAX_LINE ? STATUS_OK : STATUS_INVALID);
        if (status == STATUS_OK)
            assert_int_equal(strlen(recipe_text(r, "network", "note")), value);
        else
            assert_message("t.ini:2: the line has");
        recipe_free(r);
    }
    char comment[2000];
    memset(comment, 'c', sizeof comment);
    comment[0] = ';';
    strcpy(comment + 1900, "\n[board]\nrows = 2\n");
    struct recipe *r = load(comment);
    assert_int_equal(get(r).rows, 2);
    assert_string_equal(recipe_origin(r, "board", "rows"), "t.ini:3");
    recipe_free(r);
}

static void test_set(void **state)
{
    (void)state;
    struct recipe *r = load("[network]\ntuple = a\ntuple = b\n[board]\nrows = 2\n");
    assert_ok(recipe_set(r, "board.rows=3", "--set"));
    assert_ok(recipe_set(r, " board . rows = 5 ", "--set"));
    assert_int_equal(get(r).rows, 5);
    assert_string_equal(recipe_origin(r, "board", "rows"), "--set");
    assert_ok(recipe_set(r, "network.tuple=c", "--set"));
    assert_ok(recipe_set(r, "network.tuple=d.e=f", "--set"));
    assert_int_equal(get(r).tuples.n, 2);
    assert_string_equal(get(r).tuples.items[1], "d.e=f");
    assert_ok(recipe_set(r, "network.tuple=", "--set"));
    assert_int_equal(get(r).tuples.n, 0);
    static const char *const bad[][2] = {
        {"board.rows", "expected section.key=value"},
        {"rows=3", "expected section.key=value"},
        {"", "expected section.key=value"},
        {"board.rosw=3", "did you mean 'rows'?"},
        {"baord.rows=3", "did you mean [board]?"},
        {"board.rows=9", "from 1 to 6"},
        {"network.note=a ;b", "comment"},
        {"network.note=a\nb", "control character"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(recipe_set(r, bad[i][0], "--set"), STATUS_INVALID);
        assert_message("--set: ");
        assert_message(bad[i][1]);
    }
    assert_int_equal(get(r).rows, 5);
    char longer[400];
    snprintf(longer, sizeof longer, "network.note=%0300d", 0);
    assert_int_equal(recipe_set(r, longer, "--set"), STATUS_INVALID);
    recipe_free(r);
}

static void put(const char *name, const char *text)
{
    scratch_write(name, text, strlen(text));
}

static void test_includes(void **state)
{
    (void)state;
    assert_int_equal(mkdir(scratch_path("sub"), 0700), 0);
    put("sub/deep.ini", "[board]\nrows = 2\ncols = 2\nlast = deep\n[network]\ntuple = x\ntuple = y\nlevel = 1\n");
    put("sub/base.ini", "include = deep.ini ; relative to sub\n[board]\ncols = 3\n[network]\ntuple = z\n");
    put("main.ini", "include = sub/base.ini\n[board]\nrows = 6\n");
    struct recipe *r = make();
    assert_ok(recipe_load(r, scratch_path("main.ini")));
    assert_int_equal(get(r).rows, 6);
    assert_int_equal(get(r).cols, 3);
    assert_string_equal(recipe_text(r, "board", "last"), "deep");
    assert_int_equal(get(r).tuples.n, 1);
    assert_string_equal(get(r).tuples.items[0], "z");
    assert_string_equal(get(r).levels.items[0], "1");
    assert_non_null(strstr(recipe_origin(r, "board", "cols"), "sub/base.ini:3"));
    recipe_free(r);
}

static void refuse_file(const char *name, enum status expected, const char *message)
{
    struct recipe *r = make();
    assert_int_equal(recipe_load(r, scratch_path(name)), expected);
    assert_message(message);
    recipe_free(r);
}

static void test_bad_includes(void **state)
{
    (void)state;
    put("self.ini", "include = self.ini\n");
    refuse_file("self.ini", STATUS_INVALID, "self.ini: includes itself (included at");
    put("a.ini", "include = b.ini\n");
    put("b.ini", "include = ./a.ini\n");
    refuse_file("a.ini", STATUS_INVALID, "includes itself");
    put("missing.ini", "\ninclude = none.ini\n");
    refuse_file("missing.ini", STATUS_IO, "missing.ini:2)");
    refuse_file("none.ini", STATUS_IO, "none.ini: cannot open");
    put("empty.ini", "include =\n");
    refuse_file("empty.ini", STATUS_INVALID, "needs the name of a file");
    put("late.ini", "[board]\ninclude = a.ini\n");
    refuse_file("late.ini", STATUS_INVALID, "unknown key 'include' in [board]");
    put("wrong.ini", "[board]\nrows = 77\n");
    put("outer.ini", "include = wrong.ini\n");
    refuse_file("outer.ini", STATUS_INVALID, "wrong.ini:2: board.rows = '77'");
    for (int i = 0; i < 20; i++) {
        char name[20], text[40];
        snprintf(name, sizeof name, "d%d.ini", i);
        snprintf(text, sizeof text, "include = d%d.ini\n", i + 1);
        put(name, text);
    }
    put("d20.ini", "");
    refuse_file("d0.ini", STATUS_INVALID, "deep");
    struct recipe *r = make();
    assert_ok(recipe_load(r, scratch_path("d13.ini"))); /* the deepest that is allowed */
    recipe_free(r);
}

static void assert_same(const struct recipe *a, const struct recipe *b)
{
    char list[400];
    if (recipe_list_differences(a, b, 0, list, sizeof list))
        fail_msg("%s", list);
    char *first, *second;
    assert_ok(recipe_write(a, 0, &first));
    assert_ok(recipe_write(b, 0, &second));
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void test_write_reads_back(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "[network]\ntuple = 1 2\ntuple = 3 4\nlevel =\nnote = a = b: c;d #e\n[board]\nlast =\n",
        "[train]\nactions = 1_000\ncheckpoint = 1h30m\n[learn]\ndelayed = ON\nrate = .5",
    };
    for (size_t i = 0; i < 3; i++) {
        struct recipe *first = load(texts[i]);
        char *text, *again;
        assert_ok(recipe_write(first, 0, &text));
        struct recipe *second = load(text);
        assert_same(first, second);
        assert_ok(recipe_write(second, 0, &again));
        assert_string_equal(text, again);
        free(again);
        free(text);
        recipe_free(second);
        recipe_free(first);
    }
    struct recipe *r = make();
    char *text;
    assert_ok(recipe_write(r, 0, &text));
    assert_string_equal(text, "[board]\nrows = 4\ncols = 4\nlast = x\n\n[network]\nshape = 4x6\ntuple =\nlevel = 7\n"
                              "note =\n\n[learn]\nrate = 1.0\ndelayed = no\n\n[train]\nactions = 1e10\n"
                              "checkpoint = 5m\n");
    free(text);
    recipe_free(r);
}

/* Random texts of the pieces that matter: no crash, and whatever is read is written and read again alike. */
static void test_random_texts(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "[board]", "[network]", "[", "]",   "\n",  "\n",      "\n",           "rows", "tuple",
        "note",    "=",         "=", " = ", ":",   ";",       " ;",           "#",    " ",
        "\t",      "\r",        "3", "x",   "1e1", "include", "\xef\xbb\xbf", "\"",   "level"};
    struct rng rng = random_stream(11, 0);
    int n_good = 0;
    for (int i = 0; i < 30000; i++) {
        char text[400] = "[network]\n";
        for (uint64_t n = random_below(&rng, 14); n > 0; n--)
            strcat(text, pieces[random_below(&rng, sizeof pieces / sizeof *pieces)]);
        struct recipe *r = make();
        if (recipe_load_text(r, "t", text) == STATUS_OK) {
            char *written;
            assert_ok(recipe_write(r, 0, &written));
            struct recipe *again = load(written);
            assert_same(r, again);
            recipe_free(again);
            free(written);
            n_good++;
        }
        recipe_free(r);
    }
    assert_true(n_good > 500);
}

/* Values of a struct become the recipe's texts, and come back the same. */
static void test_put(void **state)
{
    (void)state;
    struct recipe *r = load("[network]\ntuple = 1 2\n"), *again = make();
    struct sample sample = get(r), back;
    sample.rows = 3;
    sample.rate = 1.0 / 3;
    sample.actions = 12345678901;
    sample.delayed = true;
    sample.note = "a note";
    assert_ok(recipe_put(again, &sample));
    back = get(again);
    assert_true(back.rows == 3 && back.rate == 1.0 / 3 && back.actions == 12345678901 && back.delayed);
    assert_string_equal(back.note, "a note");
    assert_string_equal(recipe_text(again, "train", "actions"), "12345678901");
    assert_int_equal(back.tuples.n, 0); /* lists stay as they are */
    sample.rows = 9;
    assert_int_equal(recipe_put(again, &sample), STATUS_INVALID);
    assert_message("board.rows = '9': expected a whole number");
    recipe_free(again);
    recipe_free(r);
}

static void test_files(void **state)
{
    (void)state;
    struct recipe *r = load("[board]\nrows = 3\n"), *again;
    assert_ok(recipe_save(r, scratch_path("saved.ini")));
    assert_ok(recipe_open(&again, &table, scratch_path("saved.ini")));
    assert_same(r, again);
    recipe_free(again);
    recipe_free(r);
    assert_int_equal(recipe_open(&again, &table, scratch_path("none.ini")), STATUS_IO);
    assert_null(again);
}

static void check_differences(const char *text, unsigned may_change, const char *expected)
{
    struct recipe *old = make(), *now = load(text);
    char list[400];
    assert_int_equal(recipe_list_differences(old, now, may_change, list, sizeof list), *expected != '\0');
    assert_string_equal(list, expected);
    recipe_free(old);
    recipe_free(now);
}

static void test_differences(void **state)
{
    (void)state;
    check_differences("[learn]\nrate = 1e0\ndelayed = OFF\n[train]\nactions = 10_000_000_000\ncheckpoint = 300\n", 0,
                      "");
    check_differences("[learn]\nrate = 2\n[network]\nnote = y\ntuple = 1\ntuple = 2\n", 0,
                      "network.tuple was '0 lines' and is '2 lines'; network.note was '' and is 'y'; "
                      "learn.rate was '1.0' and is '2'");
    static const char both[] = "[board]\ncols = 5\n[network]\nshape = nt8\n";
    check_differences(both, 0, "board.cols was '4' and is '5'; network.shape was '4x6' and is 'nt8'");
    check_differences(both, CHANGE_LATER, "network.shape was '4x6' and is 'nt8'");
    check_differences(both, CHANGE_LATER | CHANGE_RARELY, "");
}

static void test_changes_from_defaults(void **state)
{
    (void)state;
    struct recipe *r = load("[board]\nrows = 04\nlast = y\n[network]\nlevel = 7\n");
    assert_null(recipe_find_foreign(r, ABOUT_LEVELS)); /* level = 7 is about them, and `last` about every kind */
    assert_null(recipe_find_foreign(r, ABOUT_OTHERS)); /* 7 is the default */
    assert_ok(recipe_set_text(r, "network", "level", "", "test"));
    assert_null(recipe_find_foreign(r, ABOUT_LEVELS));
    assert_string_equal(recipe_find_foreign(r, ABOUT_OTHERS)->name, "level");
    assert_int_equal(recipe_context(status_fail(STATUS_INVALID, "wrong"), r, "board", "last"), STATUS_INVALID);
    assert_message("t.ini:3: board.last: wrong");
    recipe_free(r);
}

static void test_bad_tables(void **state)
{
    (void)state;
    static const struct setting bad[][2] = {
        {{"a", "x", "one", IN(rows), ""}, {"a", "y", "", IN(shape), ""}},
        {{"a", "x", "9", IN(rows), "", SETTING_LIMITS(1, 5)}, {"a", "y", "", IN(shape), ""}},
        {{"a", "x", NULL, IN(rows), ""}, {"a", "y", "", IN(shape), ""}},
        {{"a", "x", "", IN(note), ""}, {"a", "x", "", IN(shape), ""}},
        {{"", "x", "", IN(note), ""}, {"a", "x", "", IN(shape), ""}},
        {{"a", "x=", "", IN(note), ""}, {"a", "x", "", IN(shape), ""}},
        {{"a", "x", "3", IN(rate), "", SETTING_LIMITS(5, 1)}, {"a", "y", "", IN(shape), ""}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct recipe *r;
        assert_int_equal(recipe_create(&r, &(struct setting_table){bad[i], 2}), STATUS_USAGE);
        assert_null(r);
    }
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, scratch_setup, scratch_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_reading),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_line_limit),
        cmocka_unit_test(test_set),
        IN_SCRATCH(test_includes),
        IN_SCRATCH(test_bad_includes),
        cmocka_unit_test(test_write_reads_back),
        cmocka_unit_test(test_random_texts),
        cmocka_unit_test(test_put),
        IN_SCRATCH(test_files),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_changes_from_defaults),
        cmocka_unit_test(test_bad_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
