/* report: progress and notices of long jobs (training_run.h) on stderr, as the common options want them. */
#include "cli/frame/report.h"

#include <unistd.h>

static void print_line(const char *text)
{
    fprintf(stderr, "%s%s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", text); /* a bar may be on the line */
}

static void print_notice(void *context, bool warning, const char *text)
{
    (void)context;
    (void)warning;
    print_line(text);
}

static void print_warning(void *context, bool warning, const char *text)
{
    (void)context;
    if (warning)
        print_line(text);
}

struct training_report cli_report(const struct common_options *common)
{
    return (struct training_report){
        .stream = stderr, .mode = common->progress, .notify = common->quiet ? print_warning : print_notice};
}
