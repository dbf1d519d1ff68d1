/* traffic_file: a CSV of what each rank of a solve sent for each age, in bytes, beside a model. */
#include "cli/solve/traffic_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * Bytes that all ranks together send for a state: what was measured at age 300 of 4x3 with 2, 4 and 16 ranks (0.05,
 * 0.13, 0.40 forward and 0.7, 1.8, 5.1 backward), as a power of the number of the other ranks.
 */
static double model_of_state(bool backward, unsigned n_ranks)
{
    return backward ? 0.7 * pow(n_ranks - 1, 0.74) : 0.05 * pow(n_ranks - 1, 0.77);
}

static void write_age(void *context, const struct solve_traffic *traffic)
{
    const double model =
        model_of_state(traffic->backward, traffic->n_ranks) * (double)traffic->n_states / traffic->n_ranks;
    for (unsigned r = 0; r < traffic->n_ranks; r++) {
        const struct solve_volume *rank = &traffic->ranks[r];
        char line[256];
        snprintf(line, sizeof line,
                 "%s,%" PRIu32 ",%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.0f\n",
                 traffic->backward ? "backward" : "forward", traffic->age, r, traffic->n_states, rank->sets,
                 rank->requests, rank->values, rank->files, rank->sets + rank->requests + rank->values, model);
        (void)file_writer_append(context, line, strlen(line)); /* a failure stays until it is committed */
    }
}

enum status traffic_file_open(struct file_writer **out, const char *path, struct solve_settings *settings)
{
    static const char head[] = "pass,age,rank,states,boards,requests,values,files,sent,model\n";
    *out = NULL;
    if (!path)
        return STATUS_OK;
    if (cluster_size(settings->cluster) == 1)
        return status_fail(STATUS_USAGE, "--traffic is for several ranks of afterstate-mpi, this is one process");
    enum status status = STATUS_OK;
    if (cluster_is_first(settings->cluster))
        status = file_writer_open(out, path);
    status = cluster_follow(settings->cluster, status);
    if (status)
        return status;
    if (*out)
        (void)file_writer_append(*out, head, sizeof head - 1);
    settings->traffic = write_age;
    settings->traffic_context = *out;
    return STATUS_OK;
}

enum status traffic_file_close(struct file_writer *writer, const struct cluster *cluster, enum status status)
{
    if (status && status != STATUS_INTERRUPTED) {
        file_writer_abort(writer);
        return status;
    }
    enum status ended = writer ? file_writer_commit(writer) : STATUS_OK;
    ended = cluster_follow(cluster, ended);
    return ended ? ended : status;
}
