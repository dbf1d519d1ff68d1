/*
 * main: handles the options before the verb, runs the verb, and checks that its output was written.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "base/plain_text.h"
#include "base/status.h"
#include "cli/frame/colour.h"
#include "cli/frame/program.h"
#include "cli/frame/verbs.h"

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(word)     #word

#if defined(__clang__) /* __clang_version__ has a vendor's remarks in it */
#define COMPILER "clang " TEXT_OF(__clang_major__) "." TEXT_OF(__clang_minor__) "." TEXT_OF(__clang_patchlevel__)
#elif defined(__GNUC__)
#define COMPILER "gcc " TEXT_OF(__GNUC__) "." TEXT_OF(__GNUC_MINOR__) "." TEXT_OF(__GNUC_PATCHLEVEL__)
#else
#define COMPILER "unknown compiler"
#endif

#ifdef AFTERSTATE_NATIVE_BUILD
#define BUILD_KIND "native"
#else
#define BUILD_KIND "portable"
#endif

#ifdef __BMI2__
#define WITH_BMI2 "with BMI2"
#else
#define WITH_BMI2 "without BMI2"
#endif

#ifdef __AVX2__
#define WITH_AVX2 "with AVX2"
#else
#define WITH_AVX2 "without AVX2"
#endif

#ifdef __AVX512VBMI2__
#define WITH_AVX512 "with AVX-512"
#else
#define WITH_AVX512 "without AVX-512"
#endif

const char *program_build(void)
{
    return COMPILER ", " BUILD_KIND ", " WITH_BMI2 ", " WITH_AVX2 ", " WITH_AVX512;
}

static void print_version(void)
{
    puts("afterstate " AFTERSTATE_VERSION);
    puts(program_build());
}

static int fail_unknown_option(const char *word)
{
    static const char *const names[] = {"--help", "--version", "--json", "--quiet", "--color"};
    const char *near = nearest_name(word, names, sizeof names / sizeof *names);
    if (near != NULL)
        return cli_fail(status_fail(STATUS_USAGE, "unknown option '%s'; did you mean '%s'?", word, near));
    return cli_fail(status_fail(STATUS_USAGE, "unknown option '%s' before the verb", word));
}

static int run_verb(const struct common_options *common, int argc, char **argv)
{
    const struct command *verb = verbs_find(argv[0]);
    return verb != NULL ? cli_run(verb, common, argc, argv) : cli_fail(STATUS_USAGE);
}

/* `help` lists the verbs, `help VERB` is `VERB --help`. */
static int run_help(const struct common_options *common, int argc, char **argv)
{
    if (argc > 2)
        return cli_fail(status_fail(STATUS_USAGE, "help: unexpected operand '%s', expected [VERB]", argv[2]));
    if (argc < 2 || strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        verbs_print_list(stdout);
        return EXIT_SUCCESS;
    }
    char ask[] = "--help";
    char *line[] = {argv[1], ask, NULL};
    return run_verb(common, 2, line);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* File names that a shell put in for `*` are printed, and may be somebody else's. */
static enum status check_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (plain_text_has_controls(argv[i], "\t\n"))
            return status_fail(STATUS_USAGE, "argument %d, '%s', has a control character; rename the file", i, argv[i]);
    return STATUS_OK;
}

static int run(int argc, char **argv, const struct cluster *cluster)
{
    struct common_options common = {.cluster = cluster};
    if (check_arguments(argc, argv))
        return cli_fail(STATUS_USAGE);
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--json") == 0) {
            common.json = true;
        } else if (strcmp(word, "--quiet") == 0 || strcmp(word, "-q") == 0) {
            common.quiet = true;
        } else if (strcmp(word, "--color") == 0 || strncmp(word, "--color=", 8) == 0) {
            const char *when = word[7] ? word + 8 : i + 1 < argc ? argv[++i] : "";
            if (!colour_parse(when, &common.colour))
                return cli_fail(
                    status_fail(STATUS_USAGE, "option '--color' is '%s', expected one of auto, always, never", when));
        } else if (is_one_of(word, "--version", "-V", "version")) {
            print_version();
            return EXIT_SUCCESS;
        } else if (is_one_of(word, "--help", "-h", "help")) {
            return run_help(&common, word[0] == '-' ? 1 : argc - i, argv + i);
        } else if (word[0] == '-') {
            return fail_unknown_option(word);
        } else {
            return run_verb(&common, argc - i, argv + i);
        }
    }
    verbs_print_list(stdout);
    return EXIT_SUCCESS;
}

/* True if stdout is a pipe whose reader has closed it. */
static bool reader_is_gone(void)
{
    struct pollfd end = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&end, 1, 0) == 1 && (end.revents & POLLERR) != 0;
}

/* A full disk must not look like success. `afterstate .. | head` is no mistake and gets no message. */
static int finish_output(int exit_code)
{
    bool failed_before = ferror(stdout) != 0;
    errno = 0;
    bool failed_now = fflush(stdout) != 0;
    if (!failed_before && !failed_now)
        return exit_code;
    if (!reader_is_gone()) {
        if (errno != 0)
            status_fail_errno(STATUS_IO, "cannot write to standard output");
        else
            status_fail(STATUS_IO, "cannot write to standard output: part of it is lost");
        cli_fail(STATUS_IO);
    }
    return exit_code == EXIT_SUCCESS ? EXIT_FAILURE : exit_code;
}

/*
 * A closed standard stream would give its number to the next file that is opened, and messages would be written into
 * that file. Opened the wrong way round, /dev/null takes its place: using the stream fails as it did while it was
 * closed. False, before anything is done, if that is impossible.
 */
static bool open_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) != -1 || errno != EBADF)
            continue;
        if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    }
    return true;
}

int program_main(int argc, char **argv, const struct cluster *cluster)
{
    if (!open_standard_streams())
        return EXIT_FAILURE;
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* threads are ours; see base/blas.h. Before any thread starts. */
    /* A reader that leaves shows as a failed write: training continues and saves, the server drops that one client. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes (ulimit -f) is a failed write too, with a message */
    return finish_output(run(argc, argv, cluster));
}
