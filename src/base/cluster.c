/* cluster: several processes, called ranks, that work on one job. */
#include "base/cluster.h"

#include "base/checksum.h"
#include "base/memory.h"
#include "base/signals.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 1024, SUM_FLOATS = 1 << 22 };

unsigned cluster_rank(const struct cluster *cluster)
{
    return cluster ? cluster->rank : 0;
}

unsigned cluster_size(const struct cluster *cluster)
{
    return cluster ? cluster->size : 1;
}

bool cluster_is_first(const struct cluster *cluster)
{
    return cluster_rank(cluster) == 0;
}

/* ---- agreeing: nothing here allocates, because a rank that fails to must still take part ------------------------- */

struct report {
    int64_t status;
    uint64_t message_hash;
};

/* The rank whose failure is reported: the first one, an interrupted one only if no other failed. */
static unsigned find_failed(const struct report *reports, unsigned size)
{
    unsigned interrupted = size;
    for (unsigned r = 0; r < size; r++) {
        if (reports[r].status && reports[r].status != STATUS_INTERRUPTED)
            return r;
        if (reports[r].status == STATUS_INTERRUPTED && interrupted == size)
            interrupted = r;
    }
    return interrupted;
}

static bool all_equal(const struct report *reports, unsigned size)
{
    for (unsigned r = 1; r < size; r++)
        if (reports[r].status != reports[0].status || reports[r].message_hash != reports[0].message_hash)
            return false;
    return true;
}

/* Sends the message of rank `from` to every rank. */
static enum status take_message(const struct cluster *cluster, enum status status, unsigned from)
{
    char text[MESSAGE_BYTES] = "";
    memcpy(text, status_message(), strnlen(status_message(), sizeof text - 1));
    cluster->broadcast(cluster->context, text, sizeof text, from);
    return status_fail(status, "%s", text);
}

enum status cluster_name_rank(const struct cluster *cluster, enum status status)
{
    return cluster_size(cluster) > 1 ? status_context(status, "rank %u (%s)", cluster->rank, cluster->host) : status;
}

enum status cluster_agree(const struct cluster *cluster, enum status status)
{
    unsigned size = cluster_size(cluster);
    if (size == 1)
        return status;
    const char *message = status ? status_message() : "";
    struct report reports[CLUSTER_MAX_RANKS];
    struct report mine = {.status = status, .message_hash = checksum_of(message, strlen(message))};
    cluster->gather(cluster->context, &mine, reports, sizeof mine);
    unsigned failed = find_failed(reports, size);
    if (failed == size || all_equal(reports, size))
        return status;
    if (failed == cluster->rank)
        cluster_name_rank(cluster, status);
    return take_message(cluster, (enum status)reports[failed].status, failed);
}

enum status cluster_follow(const struct cluster *cluster, enum status status)
{
    if (cluster_size(cluster) == 1)
        return status;
    int64_t first = status;
    cluster->broadcast(cluster->context, &first, sizeof first, 0);
    return first ? take_message(cluster, (enum status)first, 0) : STATUS_OK;
}

bool cluster_any(const struct cluster *cluster, bool flag)
{
    unsigned size = cluster_size(cluster);
    if (size == 1)
        return flag;
    uint8_t flags[CLUSTER_MAX_RANKS], mine = flag;
    cluster->gather(cluster->context, &mine, flags, 1);
    return memchr(flags, 1, size) != NULL;
}

bool cluster_interrupted(const struct cluster *cluster)
{
    bool stop = cluster_any(cluster, signals_interrupted());
    if (stop)
        signals_request_stop();
    return stop;
}

/* ---- sums ------------------------------------------------------------------------------------------------------- */

void cluster_sum(const struct cluster *cluster, uint64_t *counts, size_t n)
{
    enum { BLOCK = 4 };
    unsigned size = cluster_size(cluster);
    uint64_t all[BLOCK * CLUSTER_MAX_RANKS];
    for (size_t done = 0; size > 1 && done < n; done += BLOCK) {
        size_t part = n - done < BLOCK ? n - done : BLOCK;
        cluster->gather(cluster->context, counts + done, all, part * sizeof *all);
        for (size_t i = 0; i < part; i++) {
            counts[done + i] = 0;
            for (unsigned r = 0; r < size; r++)
                counts[done + i] += all[r * part + i];
        }
    }
}

/*
 * Each rank adds up its own range of the floats, all ranks' summands in the order of ranks, and shares the sums. So
 * each number crosses the network twice whatever the number of ranks, and there is one order of adding.
 */
static void sum_block(const struct cluster *cluster, float *values, size_t n, float *buffer)
{
    unsigned size = cluster->size;
    uint64_t send_offset[CLUSTER_MAX_RANKS], send_bytes[CLUSTER_MAX_RANKS];
    uint64_t own_offset[CLUSTER_MAX_RANKS], own_bytes[CLUSTER_MAX_RANKS];
    uint64_t begin, end;
    for (unsigned r = 0; r < size; r++) {
        cluster_range(cluster, r, n, &begin, &end);
        send_offset[r] = begin * sizeof *values;
        send_bytes[r] = (end - begin) * sizeof *values;
    }
    cluster_range(cluster, cluster->rank, n, &begin, &end);
    size_t n_own = end - begin;
    for (unsigned r = 0; r < size; r++) {
        own_offset[r] = r * n_own * sizeof *values;
        own_bytes[r] = n_own * sizeof *values;
    }
    cluster_exchange(cluster, values, &(struct cluster_parts){send_offset, send_bytes}, buffer,
                     &(struct cluster_parts){own_offset, own_bytes}, NULL);
    for (size_t i = 0; i < n_own; i++) {
        float sum = buffer[i];
        for (unsigned r = 1; r < size; r++)
            sum += buffer[r * n_own + i];
        values[begin + i] = sum;
    }
    cluster_share_ranges(cluster, values, n, sizeof *values);
}

enum status cluster_sum_floats(const struct cluster *cluster, float *values, size_t n)
{
    unsigned size = cluster_size(cluster);
    if (size == 1)
        return STATUS_OK;
    size_t block = n < SUM_FLOATS ? n : SUM_FLOATS;
    float *buffer = memory_allocate(block + size, sizeof *buffer);
    enum status status = cluster_agree(cluster, buffer ? STATUS_OK : STATUS_NO_MEMORY);
    for (size_t done = 0; !status && done < n; done += block)
        sum_block(cluster, values + done, n - done < block ? n - done : block, buffer);
    free(buffer);
    return status;
}

/* ---- moving bytes ----------------------------------------------------------------------------------------------- */

void cluster_broadcast(const struct cluster *cluster, void *data, uint64_t n_bytes)
{
    if (cluster_size(cluster) == 1)
        return;
    for (uint64_t done = 0; done < n_bytes;) {
        uint64_t part = n_bytes - done < CLUSTER_ROUND_BYTES ? n_bytes - done : CLUSTER_ROUND_BYTES;
        cluster->broadcast(cluster->context, (uint8_t *)data + done, part, 0);
        done += part;
    }
}

void cluster_gather(const struct cluster *cluster, const void *mine, void *all, size_t n_bytes)
{
    if (cluster_size(cluster) == 1)
        memcpy(all, mine, n_bytes);
    else
        cluster->gather(cluster->context, mine, all, n_bytes);
}

void cluster_swap_counts(const struct cluster *cluster, const uint64_t *send, uint64_t *receive)
{
    unsigned size = cluster_size(cluster);
    uint64_t offset[CLUSTER_MAX_RANKS], n_bytes[CLUSTER_MAX_RANKS];
    for (unsigned r = 0; r < size; r++) {
        offset[r] = r * sizeof *send;
        n_bytes[r] = sizeof *send;
    }
    struct cluster_parts parts = {offset, n_bytes};
    if (size == 1)
        receive[0] = send[0];
    else
        cluster->exchange(cluster->context, send, &parts, receive, &parts);
}

/* How many rounds of `limit` bytes a part all pairs of ranks need. */
static uint64_t count_rounds(const struct cluster *cluster, const struct cluster_parts *send, uint64_t limit)
{
    uint64_t rounds[CLUSTER_MAX_RANKS], most = 0;
    for (unsigned r = 0; r < cluster->size; r++) {
        uint64_t n = (send->n_bytes[r] + limit - 1) / limit;
        most = n > most ? n : most;
    }
    cluster->gather(cluster->context, &most, rounds, sizeof most);
    for (unsigned r = 0; r < cluster->size; r++)
        most = rounds[r] > most ? rounds[r] : most;
    return most;
}

/* What of each part goes in the round that begins at byte `done` of the parts. */
static void cut_parts(const struct cluster_parts *parts, unsigned size, uint64_t done, uint64_t limit, uint64_t *offset,
                      uint64_t *n_bytes)
{
    for (unsigned r = 0; r < size; r++) {
        uint64_t left = parts->n_bytes[r] > done ? parts->n_bytes[r] - done : 0;
        offset[r] = parts->offset[r] + done;
        n_bytes[r] = left < limit ? left : limit;
    }
}

void cluster_exchange(const struct cluster *cluster, const void *out, const struct cluster_parts *send, void *in,
                      const struct cluster_parts *receive, uint64_t *n_sent)
{
    unsigned size = cluster_size(cluster);
    if (size == 1) {
        if (send->n_bytes[0])
            memcpy((uint8_t *)in + receive->offset[0], (const uint8_t *)out + send->offset[0], send->n_bytes[0]);
        return;
    }
    uint64_t limit = CLUSTER_ROUND_BYTES / size;
    uint64_t n_rounds = count_rounds(cluster, send, limit);
    for (uint64_t round = 0; round < n_rounds; round++) {
        uint64_t send_offset[CLUSTER_MAX_RANKS], send_bytes[CLUSTER_MAX_RANKS];
        uint64_t receive_offset[CLUSTER_MAX_RANKS], receive_bytes[CLUSTER_MAX_RANKS];
        cut_parts(send, size, round * limit, limit, send_offset, send_bytes);
        cut_parts(receive, size, round * limit, limit, receive_offset, receive_bytes);
        cluster->exchange(cluster->context, out, &(struct cluster_parts){send_offset, send_bytes}, in,
                          &(struct cluster_parts){receive_offset, receive_bytes});
    }
    for (unsigned r = 0; n_sent && r < size; r++)
        *n_sent += r != cluster->rank ? send->n_bytes[r] : 0;
}

void cluster_range(const struct cluster *cluster, unsigned rank, uint64_t n, uint64_t *begin, uint64_t *end)
{
    unsigned size = cluster_size(cluster);
    uint64_t share = n / size, rest = n % size;
    *begin = rank * share + (rank < rest ? rank : rest);
    *end = *begin + share + (rank < rest);
}

void cluster_share_parts(const struct cluster *cluster, void *data, const uint64_t *bounds)
{
    unsigned size = cluster_size(cluster), rank = cluster_rank(cluster);
    if (size == 1)
        return;
    uint64_t send_offset[CLUSTER_MAX_RANKS], send_bytes[CLUSTER_MAX_RANKS], receive_bytes[CLUSTER_MAX_RANKS];
    for (unsigned r = 0; r < size; r++) {
        bool own = r == rank; /* already in place */
        send_offset[r] = bounds[rank];
        send_bytes[r] = own ? 0 : bounds[rank + 1] - bounds[rank];
        receive_bytes[r] = own ? 0 : bounds[r + 1] - bounds[r];
    }
    cluster_exchange(cluster, data, &(struct cluster_parts){send_offset, send_bytes}, data,
                     &(struct cluster_parts){bounds, receive_bytes}, NULL);
}

void cluster_share_ranges(const struct cluster *cluster, void *data, uint64_t n, size_t item_bytes)
{
    uint64_t bounds[CLUSTER_MAX_RANKS + 1] = {0}, begin, end;
    for (unsigned r = 0; r < cluster_size(cluster); r++) {
        cluster_range(cluster, r, n, &begin, &end);
        bounds[r + 1] = end * item_bytes;
    }
    cluster_share_parts(cluster, data, bounds);
}
