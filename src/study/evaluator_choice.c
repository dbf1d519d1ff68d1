#include "study/evaluator_choice.h"

#include "base/checksum.h"
#include "base/data_file.h"
#include "base/file.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const char simple[] = "simple", bundled[] = "bundled";
enum { BUNDLED_DOWNGRADE = 15 }; /* 32768 */

/* The network that was named, in the request or else in the environment; NULL: none was. */
static const char *named_network(const char *net)
{
    const char *variable = getenv("AFTERSTATE_NET");
    return net || !variable || !*variable ? net : variable;
}

/* Sets choice->name and, unless the hand-made value is chosen, choice->path. */
static enum status find_network(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    const char *net = named_network(request->net);
    if (net && strcmp(net, simple) == 0)
        return STATUS_OK;
    if (net && strcmp(net, bundled) != 0) {
        choice->name = choice->path = memory_copy_text(net);
        return choice->path ? STATUS_OK : STATUS_NO_MEMORY;
    }
    choice->path = data_file_find("nets/default.net");
    if (choice->path) {
        choice->name = bundled;
        choice->downgrade = BUNDLED_DOWNGRADE;
    } else if (net)
        return status_fail(STATUS_INVALID, "this build has no bundled network (nets/default.net)");
    else if (request->notice)
        request->notice("no bundled network is there (nets/default.net)");
    return STATUS_OK;
}

static enum status set_size(struct evaluator_choice *choice, unsigned rows, unsigned cols)
{
    snprintf(choice->size, sizeof choice->size, "%ux%u", rows, cols);
    return grid_create(&choice->grid, rows, cols);
}

enum status evaluator_choice_find(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    unsigned rows = 4, cols = 4;
    *choice = (struct evaluator_choice){.name = simple, .named = named_network(request->net) != NULL};
    enum status status = request->board ? grid_parse_size(request->board, &rows, &cols) : STATUS_OK;
    if (!status && (request->net || (rows == 4 && cols == 4))) /* a network that is not in the request is for 4x4 */
        status = find_network(choice, request);
    if (!status && (request->board || !request->net || !choice->path))
        status = set_size(choice, rows, cols);
    return status;
}

static enum status load_network(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    enum status status = evaluator_load(&choice->evaluator, choice->path, request->form, request->progress);
    const struct grid *grid = choice->evaluator.grid;
    if (status)
        return status;
    if (!choice->size[0])
        status = set_size(choice, grid->rows, grid->cols);
    else if (grid->rows != choice->grid.rows || grid->cols != choice->grid.cols)
        status = status_fail(STATUS_USAGE, "%s is a network for %ux%u boards, not for %s", choice->path, grid->rows,
                             grid->cols, choice->size);
    if (status)
        evaluator_free(&choice->evaluator);
    return status;
}

enum status evaluator_choice_load(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    enum status status = choice->path ? load_network(choice, request) : STATUS_OK;
    if (status == STATUS_NO_MEMORY && !choice->named && request->notice) {
        request->notice(status_message());
        free(choice->path);
        choice->path = NULL;
        choice->name = simple;
        choice->downgrade = 0;
        status = STATUS_OK;
    }
    return status || choice->path ? status : evaluator_create_simple(&choice->evaluator, &choice->grid);
}

enum status evaluator_choice_open(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    enum status status = evaluator_choice_find(choice, request);
    return status ? status : evaluator_choice_load(choice, request);
}

void evaluator_choice_close(struct evaluator_choice *choice)
{
    evaluator_free(&choice->evaluator);
    grid_free(&choice->grid);
    free(choice->path);
    *choice = (struct evaluator_choice){0};
}

enum status evaluator_choice_identify(const struct evaluator_choice *choice, char out[EVALUATOR_IDENTITY_BYTES])
{
    struct file_map map;
    snprintf(out, EVALUATOR_IDENTITY_BYTES, "%s", simple);
    if (!choice->path)
        return STATUS_OK;
    enum status status = file_map_open(&map, choice->path);
    if (!status)
        snprintf(out, EVALUATOR_IDENTITY_BYTES, "checksum=%016llx",
                 (unsigned long long)checksum_of(map.data, map.bytes));
    file_map_close(&map);
    return status;
}
