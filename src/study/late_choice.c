/* late_choice: finds the network for the late game and the endgame tables, and puts them beside an evaluator of 4x4. */
#include "study/late_choice.h"

#include "base/data_file.h"
#include "base/memory.h"
#include "solve/table.h"
#include "study/late_value.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct owned_late {
    struct evaluator early, late;
    struct late_value value;
};

static void free_late(void *owned)
{
    struct owned_late *late = owned;
    evaluator_free(&late->early);
    evaluator_free(&late->late);
    free(late);
}

/* "DIR/REST", if the environment has DIR. */
static char *below_variable(const char *variable, const char *rest)
{
    char path[PATH_MAX];
    const char *folder = getenv(variable);
    if (!folder || !*folder || snprintf(path, sizeof path, "%s%s", folder, rest) >= (int)sizeof path)
        return NULL;
    return memory_copy_text(path);
}

char *late_choice_folder(void)
{
    char *folder = below_variable("AFTERSTATE_ENDGAME", "");
    if (!folder)
        folder = below_variable("XDG_DATA_HOME", "/afterstate/endgame");
    return folder ? folder : below_variable("HOME", "/.local/share/afterstate/endgame");
}

char *late_choice_network(void)
{
    return data_file_find("nets/late.net");
}

void late_choice_close(struct late_choice *choice)
{
    free(choice->net);
    endgame_close(choice->endgame);
    *choice = (struct late_choice){0};
}

/* Notes a table that is still being made: the late network has learned with all of them, and plays badly with some. */
static enum status see_unfinished(void *unfinished, const char *directory)
{
    struct table *table;
    enum status status = table_open(&table, directory);
    if (status)
        return status;
    *(bool *)unfinished |= !table_summary(table)->backward_done;
    table_close(table);
    return STATUS_OK;
}

/* The tables of late_choice_folder(); none are fine, or some that are not finished: *endgame is then NULL. */
static enum status open_own_tables(struct endgame **endgame)
{
    bool unfinished = false;
    char *folder = late_choice_folder();
    enum status status = STATUS_OK;
    if (folder && access(folder, F_OK) == 0) {
        status = endgame_each(folder, see_unfinished, &unfinished);
        if (!status && !unfinished)
            status = endgame_open(endgame, folder);
    }
    free(folder);
    return status == STATUS_INVALID ? STATUS_OK : status;
}

enum status late_choice_find(struct late_choice *choice, const char *endgame, const char *net)
{
    bool automatic = strcmp(endgame, "auto") == 0, none = strcmp(endgame, "none") == 0;
    enum status status = STATUS_OK;
    *choice = (struct late_choice){.net = net ? memory_copy_text(net) : late_choice_network()};
    if (net && !choice->net)
        status = STATUS_NO_MEMORY;
    else if (automatic)
        status = choice->net ? open_own_tables(&choice->endgame) : STATUS_OK;
    else if (!choice->net)
        status = status_fail(STATUS_INVALID, "no network for the late game is there (nets/late.net)");
    else if (none && !net)
        status = status_fail(STATUS_INVALID,
                             "%s plays only with its tables: 'afterstate endgame build' makes them, and "
                             "--endgame auto uses them",
                             choice->net);
    else if (!none)
        status = endgame_open(&choice->endgame, endgame);
    if (status || (automatic && !choice->endgame))
        late_choice_close(choice);
    return status;
}

enum status late_choice_add(const struct late_choice *choice, struct evaluator *evaluator, enum load_form form,
                            FILE *progress)
{
    struct owned_late *late = memory_allocate(1, sizeof *late);
    if (!late)
        return STATUS_NO_MEMORY;
    enum status status = evaluator_load(&late->late, choice->net, form, progress);
    if (!status && !grid_is_4x4(late->late.grid))
        status = status_fail(STATUS_INVALID, "%s: the network for the late game is for 4x4 boards", choice->net);
    if (status) {
        free_late(late);
        return status;
    }
    late->early = *evaluator;
    late->value =
        (struct late_value){.early = late->early.function, .late = late->late.function, .endgame = choice->endgame};
    *evaluator = (struct evaluator){.grid = late->early.grid,
                                    .function = late_value_function(&late->value),
                                    .owned = late,
                                    .free_owned = free_late};
    return STATUS_OK;
}
