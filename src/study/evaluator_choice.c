/* evaluator_choice: decides which evaluator is used, and loads it. */
#include "study/evaluator_choice.h"

#include "base/checksum.h"
#include "base/data_file.h"
#include "base/file.h"
#include "base/memory.h"
#include "study/late_value.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char simple[] = "simple", bundled[] = "bundled", neural[] = "neural";
enum { BUNDLED_DOWNGRADE = 15 }; /* 32768 */

/* The network that was named, in the request or else in the environment; NULL: none was. */
static const char *named_network(const char *net)
{
    const char *variable = getenv("AFTERSTATE_NET");
    return net || !variable || !*variable ? net : variable;
}

/* Finds a network that comes along, and calls it `name`; choice->path stays NULL if its file is not there, with the
   places where it was looked for in `why`. */
static void find_ours(struct evaluator_choice *choice, const char *name, const char *file,
                      char why[DATA_FILE_PLACES_BYTES + 64])
{
    char places[DATA_FILE_PLACES_BYTES];
    choice->path = data_file_find(file);
    if (choice->path)
        choice->name = name;
    else
        snprintf(why, DATA_FILE_PLACES_BYTES + 64, "there is no %s network: looked for %s", name,
                 data_file_places(file, places));
}

/* Sets choice->name and, unless the hand-made value is chosen, choice->path. */
static enum status find_network(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    const char *net = named_network(request->net);
    char why[DATA_FILE_PLACES_BYTES + 64];
    if (net && strcmp(net, simple) == 0)
        return STATUS_OK;
    if (net && strcmp(net, neural) == 0) {
        find_ours(choice, neural, "nets/neural.net", why);
        return choice->path ? STATUS_OK : status_fail(STATUS_INVALID, "%s", why);
    }
    if (net && strcmp(net, bundled) != 0) {
        choice->name = choice->path = memory_copy_text(net);
        return choice->path ? STATUS_OK : STATUS_NO_MEMORY;
    }
    find_ours(choice, bundled, "nets/default.net", why);
    if (choice->path) {
        choice->downgrade = BUNDLED_DOWNGRADE;
        return STATUS_OK;
    }
    if (net)
        return status_fail(STATUS_INVALID, "%s", why);
    if (request->notice)
        request->notice(why);
    return STATUS_OK;
}

static enum status set_size(struct evaluator_choice *choice, unsigned rows, unsigned cols)
{
    snprintf(choice->size, sizeof choice->size, "%ux%u", rows, cols);
    return grid_create(&choice->grid, rows, cols);
}

static enum status name_player(struct evaluator_choice *choice)
{
    const char *suffix = choice->chain ? "+lines" : choice->late.endgame ? "+endgame" : choice->late.net ? "+late" : "";
    size_t bytes = strlen(choice->name) + strlen(suffix) + 1;
    free(choice->player);
    choice->player = memory_allocate(bytes, 1);
    if (!choice->player)
        return STATUS_NO_MEMORY;
    snprintf(choice->player, bytes, "%s%s", choice->name, suffix);
    return STATUS_OK;
}

/* Opens the tables of chains in a folder, or with "auto" in the user's own. */
static enum status find_chain(struct chain **chain, const char *endgame)
{
    if (strcmp(endgame, "none") == 0)
        return STATUS_OK;
    if (strcmp(endgame, "auto") != 0)
        return chain_open(chain, endgame);
    char *folder = late_choice_folder();
    enum status status = folder && access(folder, F_OK) == 0 ? chain_open(chain, folder) : STATUS_OK;
    free(folder);
    return status;
}

/* Finds the network and tables of the late game that the request names. */
static enum status find_late(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    if (!request->endgame || strcmp(request->endgame, "off") == 0 ||
        (request->bundled_endgame && choice->name != bundled))
        return STATUS_OK;
    enum status status = request->lines ? find_chain(&choice->chain, request->endgame) : STATUS_OK;
    if (!status && !choice->chain)
        status = late_choice_find(&choice->late, request->endgame, request->late_net);
    if (choice->late.net)
        choice->downgrade = LATE_GOAL;
    return status;
}

enum status evaluator_choice_find(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    unsigned rows = 4, cols = 4;
    *choice = (struct evaluator_choice){.name = simple, .named = named_network(request->net) != NULL};
    enum status status = request->board ? grid_parse_size(request->board, &rows, &cols) : STATUS_OK;
    if (status)
        return status;
    if (request->net || (rows == 4 && cols == 4)) /* a network that is not in the request is for 4x4 */
        status = find_network(choice, request);
    if (status)
        return status;
    if (request->board || !request->net || !choice->path)
        status = set_size(choice, rows, cols);
    if (status)
        return status;
    status = find_late(choice, request);
    if (status)
        return status;
    return name_player(choice);
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

/* The hand-made value takes the place of the bundled network. */
static enum status fall_back(struct evaluator_choice *choice)
{
    free(choice->path);
    choice->path = NULL;
    choice->name = simple;
    choice->downgrade = 0;
    late_choice_close(&choice->late);
    return name_player(choice);
}

enum status evaluator_choice_load(struct evaluator_choice *choice, const struct evaluator_request *request)
{
    enum status status = choice->path ? load_network(choice, request) : STATUS_OK;
    if (status == STATUS_NO_MEMORY && !choice->named && request->notice) {
        request->notice(status_message());
        status = fall_back(choice);
    }
    if (!status && !choice->path)
        status = evaluator_create_simple(&choice->evaluator, &choice->grid);
    if (status || (!choice->late.net && !choice->chain))
        return status;
    if (!grid_is_4x4(&choice->grid))
        status = status_fail(STATUS_USAGE, "the late game's network and tables are for 4x4, not for %s", choice->size);
    if (!status && choice->chain) {
        late_lines_begin(&choice->lines, &choice->grid, choice->chain);
        choice->specialist = &choice->lines.specialist;
    }
    if (!status && choice->late.net)
        status = late_choice_add(&choice->late, &choice->evaluator, request->form, request->progress);
    if (status)
        evaluator_free(&choice->evaluator);
    return status;
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
    late_choice_close(&choice->late);
    chain_close(choice->chain);
    free(choice->path);
    free(choice->player);
    *choice = (struct evaluator_choice){0};
}

static enum status file_checksum(const char *path, uint64_t *checksum)
{
    struct file_map map;
    enum status status = file_map_open(&map, path);
    if (!status)
        *checksum = checksum_of(map.data, map.bytes);
    file_map_close(&map);
    return status;
}

enum status evaluator_choice_identify(const struct evaluator_choice *choice, char out[EVALUATOR_IDENTITY_BYTES])
{
    uint64_t first = 0, late = 0, tables = 0, chains = 0;
    enum status status = choice->path ? file_checksum(choice->path, &first) : STATUS_OK;
    if (!status && choice->late.net)
        status = file_checksum(choice->late.net, &late);
    if (!status && choice->late.endgame)
        status = endgame_checksum(choice->late.endgame, &tables);
    if (!status && choice->chain)
        status = chain_checksum(choice->chain, &chains);
    if (status)
        return status;
    size_t used = (size_t)(choice->path ? snprintf(out, EVALUATOR_IDENTITY_BYTES, "checksum=%016" PRIx64, first)
                                        : snprintf(out, EVALUATOR_IDENTITY_BYTES, "%s", simple));
    if (choice->chain)
        snprintf(out + used, EVALUATOR_IDENTITY_BYTES - used, " lines=%016" PRIx64, chains);
    else if (choice->late.net)
        snprintf(out + used, EVALUATOR_IDENTITY_BYTES - used, " late=%016" PRIx64 " endgame=%016" PRIx64, late, tables);
    return STATUS_OK;
}
