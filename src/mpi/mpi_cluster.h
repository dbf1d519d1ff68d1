/*
 * mpi_cluster: a cluster (base/cluster.h) whose ranks are the processes that mpirun or srun started.
 *
 * MPI is used from the main thread only (MPI_THREAD_FUNNELED), two-sided, and a failure inside MPI ends the whole job
 * (MPI's own default). Waiting ranks sleep between looks instead of spinning where a wait may be long.
 */
#ifndef AFTERSTATE_MPI_MPI_CLUSTER_H
#define AFTERSTATE_MPI_MPI_CLUSTER_H

#include "base/cluster.h"

#include <stdbool.h>

struct mpi_cluster;

/*
 * Starts MPI; once in a process, from its main thread. The command line is left to the caller: MPI gets its arguments
 * through the environment. STATUS_IO where MPI cannot give what is needed, STATUS_USAGE beyond CLUSTER_MAX_RANKS.
 */
enum status mpi_cluster_create(struct mpi_cluster **out);

/* The cluster; valid until mpi_cluster_finish(). */
const struct cluster *mpi_cluster_get(const struct mpi_cluster *mpi);

/*
 * Waits until every rank has called this: without limit, or only two seconds if `failed`, since the others may be
 * waiting for this one in the middle of the job. Returns whether all came. After false only mpi_cluster_abort() may
 * follow.
 */
bool mpi_cluster_meet(struct mpi_cluster *mpi, bool failed);

/* Ends MPI and frees; collective. */
void mpi_cluster_finish(struct mpi_cluster *mpi);

/* Ends all processes of the job with this exit code. Does not return. */
_Noreturn void mpi_cluster_abort(int exit_code);

#endif
