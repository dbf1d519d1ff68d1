/*
 * afterstate-mpi: the same program on all ranks of an MPI job. Rank 0 alone prints. A failure that all ranks know of
 * (they agreed on it) ends them all in order; a rank that failed alone says so and ends the others, which wait for it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/frame/command.h"
#include "cli/frame/level.h"
#include "mpi/mpi_cluster.h"

/* Both streams of a rank that does not print lead nowhere; returns the former stderr, -1 if there is none. */
static int silence(void)
{
    int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    return saved;
}

/* Says what went wrong on this rank alone. */
static void report_failure(const struct cluster *cluster, int saved_stderr)
{
    if (cluster->rank == 0)
        return; /* it has said so already */
    if (saved_stderr >= 0)
        dup2(saved_stderr, STDERR_FILENO);
    cli_fail(cluster_name_rank(cluster, STATUS_IO));
}

/* The exit code of the job: that of the first rank that failed. */
static int finish(struct mpi_cluster *mpi, int exit_code, int saved_stderr)
{
    const struct cluster *cluster = mpi_cluster_get(mpi);
    int codes[CLUSTER_MAX_RANKS];
    if (!mpi_cluster_meet(mpi, exit_code != EXIT_SUCCESS)) {
        report_failure(cluster, saved_stderr);
        mpi_cluster_abort(exit_code);
    }
    cluster_gather(cluster, &exit_code, codes, sizeof exit_code);
    unsigned failed = 0;
    while (failed + 1 < cluster->size && codes[failed] == EXIT_SUCCESS)
        failed++;
    if (failed == cluster->rank && exit_code != EXIT_SUCCESS)
        report_failure(cluster, saved_stderr);
    mpi_cluster_finish(mpi);
    return codes[failed];
}

int main(int argc, char **argv)
{
    struct mpi_cluster *mpi;
    enum status status = mpi_cluster_create(&mpi);
    if (status)
        return cli_fail(status);
    const struct cluster *cluster = mpi_cluster_get(mpi);
    int saved_stderr = cluster_is_first(cluster) ? -1 : silence();
    return finish(mpi, level_main(argc, argv, cluster), saved_stderr);
}
