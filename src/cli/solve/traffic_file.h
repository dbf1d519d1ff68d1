/*
 * traffic_file: a CSV of what each rank of a solve sent for each age, in bytes, beside a model.
 *
 * pass,age,rank,states,boards,requests,values,files,sent,model: `sent` is boards, requests and values together, and
 * `model` what a rank would send of these were the age like age 300 of 4x3 (docs/CLUSTER.md).
 */
#ifndef AFTERSTATE_CLI_TRAFFIC_FILE_H
#define AFTERSTATE_CLI_TRAFFIC_FILE_H

#include "base/cluster.h"
#include "base/file.h"
#include "base/status.h"
#include "solve/solve_settings.h"

/*
 * Makes the solve write its traffic to `path`, or nothing if that is NULL. Collective. STATUS_USAGE without other
 * ranks, STATUS_IO, STATUS_NO_MEMORY. *out is NULL then, without a path, and on all ranks but 0.
 */
enum status traffic_file_open(struct file_writer **out, const char *path, struct solve_settings *settings);

/*
 * Commits the file, if there is one, after a solve that ended with `status`: a failed solve leaves none, an interrupted
 * one what it did. Collective. Returns the failure to write, else `status`.
 */
enum status traffic_file_close(struct file_writer *writer, const struct cluster *cluster, enum status status);

#endif
