/* mpi_cluster: a cluster (base/cluster.h) whose ranks are the processes that mpirun or srun started. */
#include "mpi/mpi_cluster.h"

#include "base/clock.h"
#include "base/memory.h"

#include <assert.h>
#include <limits.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(CLUSTER_ROUND_BYTES <= INT_MAX, "MPI counts in int");

static const double patience_seconds = 2;

/* A message being sent; MPI reads it until the request is done. */
struct outgoing {
    struct outgoing *next;
    MPI_Request request;
    uint8_t bytes[];
};

struct mpi_cluster {
    struct cluster cluster;
    /* Collectives, messages and the final meeting do not see each other. */
    MPI_Comm collectives, messages, meetings;
    struct outgoing *outgoing;
    MPI_Request *requests; /* room for an exchange: two for each rank */
};

static void rest(long nanoseconds)
{
    nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* ---- collectives ------------------------------------------------------------------------------------------------ */

/*
 * Blocking calls of MPI spin, and a rank may wait for minutes while another works. So the calls are started, and tested
 * with longer and longer pauses: at first none, later a millisecond.
 */
static void wait_for(MPI_Request *requests, int n)
{
    int done = 0;
    for (unsigned look = 0; !done; look++) {
        MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE);
        if (!done && look > 200)
            rest(look < 2000 ? 20000 : 1000000);
    }
}

static void gather(void *context, const void *mine, void *all, size_t n_bytes)
{
    struct mpi_cluster *mpi = context;
    MPI_Request request;
    assert(n_bytes * mpi->cluster.size <= CLUSTER_ROUND_BYTES);
    MPI_Iallgather(mine, (int)n_bytes, MPI_BYTE, all, (int)n_bytes, MPI_BYTE, mpi->collectives, &request);
    wait_for(&request, 1);
}

static void broadcast(void *context, void *data, size_t n_bytes, unsigned from)
{
    struct mpi_cluster *mpi = context;
    MPI_Request request;
    assert(n_bytes <= CLUSTER_ROUND_BYTES);
    MPI_Ibcast(data, (int)n_bytes, MPI_BYTE, (int)from, mpi->collectives, &request);
    wait_for(&request, 1);
}

/* Not MPI_Ialltoallv: its offsets are int, and buffers here are larger. */
static void exchange(void *context, const void *out, const struct cluster_parts *send, void *in,
                     const struct cluster_parts *receive)
{
    struct mpi_cluster *mpi = context;
    unsigned size = mpi->cluster.size, rank = mpi->cluster.rank;
    int n = 0;
    for (unsigned step = 1; step < size; step++) { /* each rank begins with another partner */
        unsigned from = (rank + size - step) % size, to = (rank + step) % size;
        if (receive->n_bytes[from])
            MPI_Irecv((uint8_t *)in + receive->offset[from], (int)receive->n_bytes[from], MPI_BYTE, (int)from, 0,
                      mpi->collectives, &mpi->requests[n++]);
        if (send->n_bytes[to])
            MPI_Isend((const uint8_t *)out + send->offset[to], (int)send->n_bytes[to], MPI_BYTE, (int)to, 0,
                      mpi->collectives, &mpi->requests[n++]);
    }
    assert(send->n_bytes[rank] == receive->n_bytes[rank]);
    if (send->n_bytes[rank])
        memmove((uint8_t *)in + receive->offset[rank], (const uint8_t *)out + send->offset[rank], send->n_bytes[rank]);
    wait_for(mpi->requests, n);
}

/* ---- messages --------------------------------------------------------------------------------------------------- */

/* Frees what has been sent. */
static void clear_outgoing(struct mpi_cluster *mpi)
{
    for (struct outgoing **link = &mpi->outgoing; *link;) {
        struct outgoing *entry = *link;
        int done;
        MPI_Test(&entry->request, &done, MPI_STATUS_IGNORE);
        if (done) {
            *link = entry->next;
            free(entry);
        } else {
            link = &entry->next;
        }
    }
}

static enum status send_message(void *context, unsigned to, const void *bytes, size_t n_bytes)
{
    struct mpi_cluster *mpi = context;
    struct outgoing *entry = memory_allocate(1, sizeof *entry + n_bytes);
    if (!entry)
        return STATUS_NO_MEMORY;
    assert(n_bytes <= INT_MAX);
    memcpy(entry->bytes, bytes, n_bytes);
    MPI_Isend(entry->bytes, (int)n_bytes, MPI_BYTE, (int)to, 0, mpi->messages, &entry->request);
    entry->next = mpi->outgoing;
    mpi->outgoing = entry;
    return STATUS_OK;
}

static enum status receive_message(void *context, struct cluster_message *message, bool *arrived)
{
    struct mpi_cluster *mpi = context;
    MPI_Message handle;
    MPI_Status status;
    int there, n_bytes;
    clear_outgoing(mpi);
    MPI_Improbe(MPI_ANY_SOURCE, 0, mpi->messages, &there, &handle, &status);
    *arrived = there;
    if (!there)
        return STATUS_OK;
    MPI_Get_count(&status, MPI_BYTE, &n_bytes);
    *message = (struct cluster_message){.from = (unsigned)status.MPI_SOURCE, .n_bytes = (size_t)n_bytes};
    message->bytes = memory_allocate(1, (size_t)n_bytes);
    if (!message->bytes) /* the message is lost, and the others would wait for ever */
        mpi_cluster_abort(EXIT_FAILURE);
    MPI_Mrecv(message->bytes, n_bytes, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
    return STATUS_OK;
}

/* ---- beginning and end ------------------------------------------------------------------------------------------ */

static enum status describe_cluster(struct mpi_cluster *mpi, int level)
{
    int rank, size, length;
    char host[MPI_MAX_PROCESSOR_NAME];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(host, &length);
    if (level < MPI_THREAD_FUNNELED)
        return status_fail(STATUS_IO, "this MPI cannot be used by a program with threads");
    if (size > CLUSTER_MAX_RANKS)
        return status_fail(STATUS_USAGE, "%d ranks are too many, expected at most %d: one for each machine", size,
                           CLUSTER_MAX_RANKS);
    mpi->cluster = (struct cluster){.rank = (unsigned)rank,
                                    .size = (unsigned)size,
                                    .context = mpi,
                                    .gather = gather,
                                    .broadcast = broadcast,
                                    .exchange = exchange,
                                    .send = send_message,
                                    .receive = receive_message};
    memcpy(mpi->cluster.host, host, strnlen(host, CLUSTER_HOST_BYTES - 1));
    mpi->requests = memory_allocate(2 * (size_t)size, sizeof *mpi->requests);
    return mpi->requests ? STATUS_OK : STATUS_NO_MEMORY;
}

enum status mpi_cluster_create(struct mpi_cluster **out)
{
    int level;
    struct mpi_cluster *mpi = *out = memory_allocate(1, sizeof *mpi);
    if (!mpi)
        return STATUS_NO_MEMORY;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) {
        free(mpi);
        *out = NULL;
        return status_fail(STATUS_IO, "cannot start MPI");
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->collectives);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->messages);
    MPI_Comm_dup(MPI_COMM_WORLD, &mpi->meetings);
    enum status status = describe_cluster(mpi, level);
    if (status) {
        mpi_cluster_finish(mpi);
        *out = NULL;
    }
    return status;
}

const struct cluster *mpi_cluster_get(const struct mpi_cluster *mpi)
{
    return &mpi->cluster;
}

bool mpi_cluster_meet(struct mpi_cluster *mpi, bool failed)
{
    MPI_Request request;
    int met = 0;
    double deadline = clock_seconds() + patience_seconds;
    MPI_Ibarrier(mpi->meetings, &request);
    for (;;) {
        MPI_Test(&request, &met, MPI_STATUS_IGNORE);
        if (met || (failed && clock_seconds() > deadline))
            return met;
        rest(1000000);
    }
}

void mpi_cluster_finish(struct mpi_cluster *mpi)
{
    while (mpi->outgoing) {
        clear_outgoing(mpi);
        rest(100000);
    }
    MPI_Comm_free(&mpi->collectives);
    MPI_Comm_free(&mpi->messages);
    MPI_Comm_free(&mpi->meetings);
    MPI_Finalize();
    free(mpi->requests);
    free(mpi);
}

_Noreturn void mpi_cluster_abort(int exit_code)
{
    MPI_Abort(MPI_COMM_WORLD, exit_code);
    abort(); /* not reached */
}
