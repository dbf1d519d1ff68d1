#include "cli/judge.h"

#include "base/checksum.h"
#include "base/data_file.h"
#include "base/file.h"
#include "base/memory.h"
#include "cli/net_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char simple[] = "simple", bundled[] = "bundled";
enum { BUNDLED_DOWNGRADE = 15 }; /* 32768 */

static void tell(const struct common_options *common, const char *why)
{
    if (!common->json && !common->quiet)
        fprintf(stderr, "%s: the simple value judges\n", why);
}

/* The network that was named, on the command line or else in the environment; NULL: none was. */
static const char *asked_for(const char *net)
{
    const char *wish = getenv("AFTERSTATE_NET");
    return net || !wish || !*wish ? net : wish;
}

/* Sets judge->path, if a network is to judge, and judge->name. */
static enum status find_network(struct judge *judge, const char *net, const struct common_options *common)
{
    net = asked_for(net);
    judge->name = simple;
    if (net && strcmp(net, simple) == 0)
        return STATUS_OK;
    if (net && strcmp(net, bundled) != 0) {
        judge->name = judge->path = memory_copy_text(net);
        return judge->path ? STATUS_OK : STATUS_NO_MEMORY;
    }
    judge->path = data_file_find("nets/default.net");
    if (judge->path) {
        judge->name = bundled;
        judge->downgrade = BUNDLED_DOWNGRADE;
    } else if (net)
        return status_fail(STATUS_INVALID, "this build has no bundled network (nets/default.net)");
    else
        tell(common, "no bundled network is there (nets/default.net)");
    return STATUS_OK;
}

/* A network that nobody asked for and that is too large for this machine's memory is no reason not to play. */
static void give_up_bundled(struct judge *judge, const struct common_options *common)
{
    tell(common, status_message());
    free(judge->path);
    judge->path = NULL;
    judge->name = simple;
    judge->downgrade = 0;
}

static enum status set_size(struct judge *judge, unsigned rows, unsigned cols)
{
    snprintf(judge->size, sizeof judge->size, "%ux%u", rows, cols);
    return grid_create(&judge->grid, rows, cols);
}

enum status judge_choose(struct judge *judge, const char *net, const char *board, const struct common_options *common)
{
    unsigned rows = 4, cols = 4;
    *judge = (struct judge){.name = simple, .named = asked_for(net) != NULL};
    enum status status = board ? grid_parse_size(board, &rows, &cols) : STATUS_OK;
    if (!status && (net || (rows == 4 && cols == 4))) /* the network that nobody named is for 4x4 */
        status = find_network(judge, net, common);
    if (!status && (board || !net || !judge->path))
        status = set_size(judge, rows, cols);
    return status;
}

static enum status load_network(struct judge *judge, enum load_form form, const struct common_options *common)
{
    enum status status = net_open_any(&judge->file, judge->path, form, common);
    const struct grid *grid = judge->file.grid;
    if (status)
        return status;
    if (!judge->size[0])
        status = set_size(judge, grid->rows, grid->cols);
    else if (grid->rows != judge->grid.rows || grid->cols != judge->grid.cols)
        status = status_fail(STATUS_USAGE, "%s is a network for %ux%u boards, not for %s", judge->path, grid->rows,
                             grid->cols, judge->size);
    judge->function = judge->file.function;
    if (status)
        value_file_close(&judge->file);
    return status;
}

enum status judge_load(struct judge *judge, enum load_form form, const struct common_options *common)
{
    enum status status = judge->path ? load_network(judge, form, common) : STATUS_OK;
    /* Only where the note is seen: a machine that reads --json must not get another player's figures. */
    if (status == STATUS_NO_MEMORY && !judge->named && !common->json && !common->quiet) {
        give_up_bundled(judge, common);
        status = STATUS_OK;
    }
    if (!status && !judge->path) {
        status = simple_value_create(&judge->simple, &judge->grid);
        if (!status)
            judge->function = simple_value_function(judge->simple);
    }
    return status;
}

enum status judge_open(struct judge *judge, const char *net, const char *board, enum load_form form,
                       const struct common_options *common)
{
    enum status status = judge_choose(judge, net, board, common);
    return status ? status : judge_load(judge, form, common);
}

void judge_close(struct judge *judge)
{
    simple_value_free(judge->simple);
    value_file_close(&judge->file);
    grid_free(&judge->grid);
    free(judge->path);
    *judge = (struct judge){0};
}

enum status judge_identify(const struct judge *judge, char out[JUDGE_IDENTITY_BYTES])
{
    struct file_map map;
    snprintf(out, JUDGE_IDENTITY_BYTES, "%s", simple);
    if (!judge->path)
        return STATUS_OK;
    enum status status = file_map_open(&map, judge->path);
    if (!status)
        snprintf(out, JUDGE_IDENTITY_BYTES, "checksum=%016llx", (unsigned long long)checksum_of(map.data, map.bytes));
    file_map_close(&map);
    return status;
}
