/*
 * The system calls that the writer makes are replaced here: a definition in the program goes before libc's, and each
 * knob makes the next calls fail as a full disk, a signal or a broken network file system would.
 */
#include "scratch.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

static struct {
    int write_errno, fsync_errno, close_errno, rename_errno; /* fail with this from now on */
    int folder_fsync_errno;
    int interruptions; /* so many EINTR first */
    size_t most_bytes; /* a write takes at most so many; 0: all */
    int fsyncs, renames, writes;
} knobs;

static int fail_with(int number)
{
    errno = number;
    return -1;
}

ssize_t write(int descriptor, const void *data, size_t bytes)
{
    if (descriptor > 2) {
        knobs.writes++;
        if (knobs.interruptions > 0 && knobs.interruptions--)
            return fail_with(EINTR);
        if (knobs.most_bytes && bytes > knobs.most_bytes)
            bytes = knobs.most_bytes;
        else if (knobs.write_errno)
            return fail_with(knobs.write_errno);
    }
    return syscall(SYS_write, descriptor, data, bytes);
}

int fsync(int descriptor)
{
    struct stat info;
    knobs.fsyncs++;
    if (fstat(descriptor, &info) == 0 && S_ISDIR(info.st_mode))
        return knobs.folder_fsync_errno ? fail_with(knobs.folder_fsync_errno) : 0;
    return knobs.fsync_errno ? fail_with(knobs.fsync_errno) : 0;
}

int close(int descriptor)
{
    int result = (int)syscall(SYS_close, descriptor);
    return descriptor > 2 && knobs.close_errno ? fail_with(knobs.close_errno) : result;
}

int rename(const char *from, const char *to)
{
    knobs.renames++;
    return knobs.rename_errno ? fail_with(knobs.rename_errno) : (int)syscall(SYS_renameat, -100, from, -100, to);
}

static int setup(void **state)
{
    memset(&knobs, 0, sizeof knobs);
    return scratch_setup(state);
}

static void assert_content(const char *name, const void *expected, size_t bytes)
{
    size_t found;
    char *content = scratch_read(name, &found);
    assert_int_equal(found, bytes);
    if (bytes)
        assert_memory_equal(content, expected, bytes);
    free(content);
}

static void test_commit_replaces(void **state)
{
    (void)state;
    struct file_writer *writer;
    scratch_write("a", "old", 3);
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_string_equal(file_writer_path(writer), scratch_path("a"));
    assert_ok(file_writer_append(writer, "ne", 2));
    assert_ok(file_writer_append(writer, NULL, 0));
    assert_ok(file_writer_append(writer, "w!", 2));
    assert_int_equal(file_writer_bytes(writer), 4);
    assert_content("a", "old", 3);
    assert_ok(file_writer_commit(writer));
    assert_content("a", "new!", 4);
    assert_int_equal(scratch_count_files(), 1);
    assert_int_equal(knobs.fsyncs, 2); /* the file and its folder */
}

static void test_empty_file(void **state)
{
    (void)state;
    struct file_writer *writer;
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_ok(file_writer_commit(writer));
    assert_content("a", "", 0);
}

static void test_permissions_follow_the_umask(void **state)
{
    (void)state;
    struct file_writer *writer;
    struct stat info;
    mode_t before = umask(027);
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_ok(file_writer_commit(writer));
    umask(before);
    assert_int_equal(stat(scratch_path("a"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
}

static void test_sizes_around_the_buffer(void **state)
{
    (void)state;
    enum { MOST = 1 << 20 };
    unsigned char *data = malloc(MOST);
    for (size_t i = 0; i < MOST; i++)
        data[i] = (unsigned char)(i * 31 + i / 251);
    static const size_t pieces[] = {1000, 262143, 262144, 262145, 700000};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        struct file_writer *writer;
        assert_ok(file_writer_open(&writer, scratch_path("a")));
        for (size_t at = 0; at < MOST; at += pieces[k])
            assert_ok(file_writer_append(writer, data + at, pieces[k] < MOST - at ? pieces[k] : MOST - at));
        assert_ok(file_writer_commit(writer));
        assert_content("a", data, MOST);
    }
    free(data);
}

static void test_short_and_interrupted_writes(void **state)
{
    (void)state;
    struct file_writer *writer;
    knobs.most_bytes = 7;
    knobs.interruptions = 3;
    char data[1000];
    memset(data, 'x', sizeof data);
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_ok(file_writer_append(writer, data, sizeof data));
    assert_ok(file_writer_commit(writer));
    assert_content("a", data, sizeof data);
    assert_true(knobs.writes > 140);
}

static void test_abort_leaves_no_trace(void **state)
{
    (void)state;
    struct file_writer *writer;
    scratch_write("a", "old", 3);
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_ok(file_writer_append(writer, "new", 3));
    file_writer_abort(writer);
    file_writer_abort(NULL);
    assert_content("a", "old", 3);
    assert_int_equal(scratch_count_files(), 1);
}

/* Writes with the present knobs; the commit must fail, the old file stay and the temporary be gone. */
static void expect_failed_commit(const char *message)
{
    struct file_writer *writer;
    scratch_write("a", "old", 3);
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_ok(file_writer_append(writer, "new", 3));
    assert_int_equal(file_writer_commit(writer), STATUS_IO);
    memset(&knobs, 0, sizeof knobs);
    assert_message(scratch_path("a"));
    assert_message(message);
    assert_content("a", "old", 3);
    assert_int_equal(scratch_count_files(), 1);
}

static void test_every_step_of_commit_may_fail(void **state)
{
    (void)state;
    knobs.write_errno = ENOSPC;
    expect_failed_commit("disk is full");
    knobs.write_errno = EDQUOT;
    expect_failed_commit("quota");
    knobs.write_errno = EIO;
    expect_failed_commit("Input/output error");
    knobs.fsync_errno = ENOSPC;
    expect_failed_commit("disk is full");
    knobs.close_errno = EIO;
    expect_failed_commit("Input/output error");
    knobs.rename_errno = EACCES;
    expect_failed_commit("Permission denied");
}

static void test_folder_sync(void **state)
{
    (void)state;
    struct file_writer *writer;
    knobs.folder_fsync_errno = EIO;
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_int_equal(file_writer_commit(writer), STATUS_IO);
    assert_message("written, but");
    assert_content("a", "", 0);
    knobs.folder_fsync_errno = EINVAL; /* a file system that cannot: not an error */
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    assert_ok(file_writer_commit(writer));
}

static void test_failure_sticks(void **state)
{
    (void)state;
    struct file_writer *writer;
    static char big[600000];
    assert_ok(file_writer_open(&writer, scratch_path("a")));
    knobs.write_errno = ENOSPC;
    assert_int_equal(file_writer_append(writer, big, sizeof big), STATUS_IO);
    assert_message("disk is full");
    knobs.write_errno = 0; /* space again, but there is a hole now */
    assert_int_equal(file_writer_append(writer, "x", 1), STATUS_IO);
    assert_int_equal(file_writer_commit(writer), STATUS_IO);
    assert_message("earlier write failed");
    assert_int_equal(scratch_count_files(), 0);
}

/* The real limit of the kernel, not a knob. */
static void test_size_limit(void **state)
{
    (void)state;
    struct rlimit before, limited;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limited = before;
    limited.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
    struct file_writer *writer;
    static char big[300000];
    enum status opened = file_writer_open(&writer, scratch_path("a"));
    enum status appended = file_writer_append(writer, big, sizeof big);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_DFL);
    assert_ok(opened);
    assert_int_equal(appended, STATUS_IO);
    assert_message("ulimit");
    file_writer_abort(writer);
    assert_int_equal(scratch_count_files(), 0);
}

static void test_bad_targets(void **state)
{
    (void)state;
    struct file_writer *writer;
    assert_int_equal(file_writer_open(&writer, scratch_path("none/a")), STATUS_IO);
    assert_null(writer);
    assert_message("none/a");
    assert_message("No such file");
    assert_int_equal(file_writer_open(&writer, scratch_folder), STATUS_IO);
    assert_message("a folder");
    assert_int_equal(file_writer_open(&writer, "/dev/null"), STATUS_IO);
    assert_message("not a regular file");
}

static void test_temporary_names_do_not_clash(void **state)
{
    (void)state;
    struct file_writer *first, *second;
    assert_ok(file_writer_open(&first, scratch_path("a")));
    assert_ok(file_writer_open(&second, scratch_path("a")));
    assert_ok(file_writer_append(first, "1", 1));
    assert_ok(file_writer_append(second, "2", 1));
    assert_ok(file_writer_commit(second));
    assert_ok(file_writer_commit(first));
    assert_content("a", "1", 1);
    assert_int_equal(scratch_count_files(), 1);
}

static void test_map(void **state)
{
    (void)state;
    struct file_map map;
    scratch_write("a", "hello", 5);
    assert_ok(file_map_open(&map, scratch_path("a")));
    assert_int_equal(map.bytes, 5);
    assert_memory_equal(map.data, "hello", 5);
    file_map_close(&map);
    assert_null(map.data);
    file_map_close(&map);
    file_map_close(NULL);
    scratch_write("empty", "", 0);
    assert_ok(file_map_open(&map, scratch_path("empty")));
    assert_null(map.data);
    assert_int_equal(map.bytes, 0);
    file_map_close(&map);
}

static void test_map_refuses(void **state)
{
    (void)state;
    struct file_map map = {(const uint8_t *)"x", 1};
    assert_int_equal(file_map_open(&map, scratch_path("none")), STATUS_IO);
    assert_null(map.data);
    assert_message("none");
    assert_int_equal(file_map_open(&map, scratch_folder), STATUS_IO);
    assert_message("a folder");
    assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
    assert_int_equal(file_map_open(&map, scratch_path("pipe")), STATUS_IO); /* and does not wait */
    assert_message("expected a regular file");
}

static void test_read_text(void **state)
{
    (void)state;
    char *text;
    scratch_write("a", "one\ntwo", 7);
    assert_ok(file_read_text(scratch_path("a"), &text));
    assert_string_equal(text, "one\ntwo");
    free(text);
    scratch_write("a", "", 0);
    assert_ok(file_read_text(scratch_path("a"), &text));
    assert_string_equal(text, "");
    free(text);
    size_t n = 100000;
    char *big = malloc(n);
    memset(big, 'y', n);
    scratch_write("a", big, n);
    assert_ok(file_read_text(scratch_path("a"), &text));
    assert_int_equal(strlen(text), n);
    free(text);
    free(big);
    scratch_write("a", "on\0e", 4);
    assert_int_equal(file_read_text(scratch_path("a"), &text), STATUS_INVALID);
    assert_null(text);
    assert_message("byte 2 is zero");
    assert_int_equal(file_read_text(scratch_folder, &text), STATUS_IO);
    assert_int_equal(file_read_text(scratch_path("none"), &text), STATUS_IO);
    assert_int_equal(file_read_text_or_pipe("/dev/zero", &text), STATUS_INVALID);
    assert_message("longer than");
}

/* Descriptors 0 to 2 are for messages: a file that got one of them would have progress lines in it. */
static void test_data_avoids_standard_streams(void **state)
{
    (void)state;
    struct file_writer *writer;
    int kept = dup(STDIN_FILENO);
    assert_int_equal(close(STDIN_FILENO), 0);
    int descriptor = file_open(scratch_path("a"), O_WRONLY | O_CREAT);
    assert_true(descriptor > 2);
    assert_ok(file_writer_open(&writer, scratch_path("b")));
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    if (kept >= 0)
        assert_int_equal(dup2(kept, STDIN_FILENO), STDIN_FILENO);
    assert_ok(file_writer_commit(writer));
    close(descriptor);
    close(kept);
}

static void test_pipes_are_not_waited_for(void **state)
{
    (void)state;
    char *text;
    size_t bytes;
    assert_int_equal(mkfifo(scratch_path("pipe"), 0600), 0);
    assert_int_equal(file_read_text(scratch_path("pipe"), &text), STATUS_IO);
    assert_message("expected a regular file");
    assert_false(file_begins_with(scratch_path("pipe"), "x", 1));
    assert_int_equal(file_read_below(scratch_folder, "pipe", 100, &text, &bytes), STATUS_IO);
    assert_int_equal(file_read_text_or_pipe(scratch_path("pipe"), &text), STATUS_IO);
    assert_message("without a writer");
    int writer = open(scratch_path("pipe"), O_RDWR);
    assert_int_equal(write(writer, "text", 4), 4);
    int reader = open(scratch_path("pipe"), O_RDONLY);
    char path[64];
    snprintf(path, sizeof path, "/dev/fd/%d", reader);
    close(writer);
    assert_ok(file_read_text_or_pipe(path, &text));
    assert_string_equal(text, "text");
    free(text);
    close(reader);
    scratch_write("a", "begin and end", 13);
    assert_true(file_begins_with(scratch_path("a"), "begin", 5));
    assert_false(file_begins_with(scratch_path("a"), "begun", 5));
    assert_false(file_begins_with(scratch_path("a"), "begin and end.", 14));
}

static void test_read_below(void **state)
{
    (void)state;
    char *data, folder[PATH_MAX], link[PATH_MAX];
    size_t bytes;
    scratch_write("secret", "outside", 7);
    snprintf(folder, sizeof folder, "%s", scratch_path("tree"));
    assert_ok(file_make_directory(scratch_path("tree/sub")));
    scratch_write("tree/sub/a", "in\0side", 7);
    assert_ok(file_read_below(folder, "sub/a", 7, &data, &bytes));
    assert_int_equal(bytes, 7);
    assert_memory_equal(data, "in\0side", 8);
    free(data);
    assert_int_equal(file_read_below(folder, "sub/a", 6, &data, &bytes), STATUS_INVALID);
    assert_null(data);
    snprintf(link, sizeof link, "%s", scratch_path("tree/link"));
    assert_int_equal(symlink("../secret", link), 0);
    snprintf(link, sizeof link, "%s", scratch_path("tree/up"));
    assert_int_equal(symlink("..", link), 0);
    static const char *const outside[] = {"link", "up/secret", "../secret", "sub/../../secret", "/etc/passwd",
                                          "",     "sub/",      "sub",       "./sub/a",          "none"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        assert_int_equal(file_read_below(folder, outside[i], 100, &data, &bytes), STATUS_IO);
        assert_null(data);
        if (strstr(status_message(), scratch_folder))
            fail_msg("reveals where the folder is: %s", status_message());
    }
}

static void test_links_stay(void **state)
{
    (void)state;
    char link[PATH_MAX];
    struct stat info;
    snprintf(link, sizeof link, "%s", scratch_path("link"));
    scratch_write("target", "old", 3);
    assert_int_equal(symlink("target", link), 0);
    assert_ok(file_write_text(link, "new"));
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    size_t bytes;
    char *text = scratch_read("target", &bytes);
    assert_string_equal(text, "new");
    free(text);
    assert_int_equal(unlink(scratch_path("target")), 0);
    assert_int_equal(file_write_text(link, "lost"), STATUS_IO);
    assert_message("leads to no file");
    assert_int_equal(scratch_count_files(), 1);
}

/* What killed writers left goes with the next writer of the same file; what a living one has, and all else, stays. */
static void test_orphans_are_removed(void **state)
{
    (void)state;
    static const char *const kept[] = {"a.tmp-1",     "a.tmp-1-",  "a.tmp--1",   "a.tmp-1-x", "a.tmp-x-1",
                                       "a.tmp-1-2.c", "b.tmp-1-2", "aa.tmp-1-2", "a.tmp"};
    struct file_writer *living;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        scratch_write(kept[i], "", 0);
    assert_ok(file_writer_open(&living, scratch_path("a")));
    scratch_write("a.tmp-1-2", "", 0);
    scratch_write("a.tmp-99999999-0", "", 0);
    assert_ok(file_write_text(scratch_path("a"), "first"));
    assert_int_equal(scratch_count_files(), 2 + sizeof kept / sizeof *kept);
    assert_ok(file_writer_append(living, "second", 6));
    assert_ok(file_writer_commit(living));
    assert_int_equal(scratch_count_files(), 1 + sizeof kept / sizeof *kept);
    char *text;
    assert_ok(file_read_text(scratch_path("a"), &text));
    assert_string_equal(text, "second");
    free(text);
    scratch_write("a.tmp-1-2", "", 0); /* they go with the file itself, too */
    file_discard(scratch_path("a"));
    file_discard(scratch_path("a"));
    assert_int_equal(scratch_count_files(), sizeof kept / sizeof *kept);
    scratch_write("aaa.tmp-1-2", "", 0);
    file_discard_temporaries(scratch_path("."), "aa"); /* this one and one of `kept` */
    assert_int_equal(scratch_count_files(), sizeof kept / sizeof *kept - 1);
}

static void test_make_directory(void **state)
{
    (void)state;
    struct stat info;
    assert_ok(file_make_directory(scratch_path("x/y//z/")));
    assert_int_equal(stat(scratch_path("x/y/z"), &info), 0);
    assert_true(S_ISDIR(info.st_mode));
    assert_ok(file_make_directory(scratch_path("x/y/z")));
    assert_ok(file_make_directory("/"));
    scratch_write("file", "", 0);
    assert_int_equal(file_make_directory(scratch_path("file")), STATUS_IO);
    assert_message("a file of that name");
    assert_int_equal(file_make_directory(scratch_path("file/below")), STATUS_IO);
    assert_int_equal(file_make_directory(""), STATUS_IO);
}

#define IN_SCRATCH(test) cmocka_unit_test_setup_teardown(test, setup, scratch_teardown)

static void test_write_text(void **state)
{
    (void)state;
    char *text;
    assert_ok(file_write_text(scratch_path("text"), "one\ntwo\n"));
    assert_ok(file_write_text(scratch_path("text"), "three"));
    assert_ok(file_read_text(scratch_path("text"), &text));
    assert_string_equal(text, "three");
    free(text);
    assert_int_equal(file_write_text(scratch_path("no/such/folder"), "x"), STATUS_IO);
}

static void test_lock_directory(void **state)
{
    (void)state;
    char path[PATH_MAX];
    int lock, other;
    snprintf(path, sizeof path, "%s", scratch_path("locked/here"));
    assert_ok(file_lock_directory(path, "working", &lock));
    assert_int_equal(file_lock_directory(path, "working", &other), STATUS_USAGE);
    assert_message("another process is working there");
    assert_int_equal(other, -1);
    file_unlock_directory(lock);
    assert_ok(file_lock_directory(path, "working", &lock));
    file_unlock_directory(lock);
    file_unlock_directory(-1);
    scratch_write("plain", "x", 1);
    assert_int_equal(file_lock_directory(scratch_path("plain"), "working", &lock), STATUS_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_SCRATCH(test_commit_replaces),
        IN_SCRATCH(test_write_text),
        IN_SCRATCH(test_lock_directory),
        IN_SCRATCH(test_empty_file),
        IN_SCRATCH(test_permissions_follow_the_umask),
        IN_SCRATCH(test_sizes_around_the_buffer),
        IN_SCRATCH(test_short_and_interrupted_writes),
        IN_SCRATCH(test_abort_leaves_no_trace),
        IN_SCRATCH(test_every_step_of_commit_may_fail),
        IN_SCRATCH(test_folder_sync),
        IN_SCRATCH(test_failure_sticks),
        IN_SCRATCH(test_size_limit),
        IN_SCRATCH(test_bad_targets),
        IN_SCRATCH(test_temporary_names_do_not_clash),
        IN_SCRATCH(test_map),
        IN_SCRATCH(test_map_refuses),
        IN_SCRATCH(test_read_text),
        IN_SCRATCH(test_data_avoids_standard_streams),
        IN_SCRATCH(test_pipes_are_not_waited_for),
        IN_SCRATCH(test_read_below),
        IN_SCRATCH(test_links_stay),
        IN_SCRATCH(test_orphans_are_removed),
        IN_SCRATCH(test_make_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
