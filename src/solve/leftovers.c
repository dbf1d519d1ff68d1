/*
 * What runs leave in a table directory that is no part of the table: temporary files of a killed run, which go when the
 * next run begins, and what only an unfinished solve needs, which goes when it is finished.
 */
#include "solve/leftovers.h"

#include "base/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

/* The age in the name of a file of ages, "sets-00004.table"; false for any other name. */
static bool parse_age(const char *name, uint32_t *age)
{
    for (enum age_file_kind kind = AGE_FILE_SETS; kind <= AGE_FILE_MOVES; kind++) {
        char known[TABLE_FILE_NAME_BYTES];
        const char *digits = strchr(name, '-');
        *age = digits ? (uint32_t)strtoul(digits + 1, NULL, 10) : 0;
        if (strcmp(name, table_file_name((struct age_file){.kind = kind, .first_age = *age}, known)) == 0)
            return true;
    }
    return false;
}

/* Whether the solver writes a file of exactly this name. All other files in the directory are the user's. */
static bool is_ours(const char *name)
{
    uint32_t age;
    return strcmp(name, "index.table") == 0 || strcmp(name, "resume.table") == 0 || parse_age(name, &age);
}

static bool is_temporary(const struct solver *solver, const char *name)
{
    char target[TABLE_FILE_NAME_BYTES];
    const char *end = strstr(name, ".table");
    size_t bytes = end ? (size_t)(end - name) + strlen(".table") : sizeof target;
    (void)solver;
    if (bytes >= sizeof target)
        return false;
    memcpy(target, name, bytes);
    target[bytes] = '\0';
    return is_ours(target) && file_is_temporary_of(name, target);
}

/* Ours, and neither the index nor named by it. */
static bool is_unnamed(const struct solver *solver, const char *name)
{
    if (!is_ours(name) || strcmp(name, "index.table") == 0)
        return false;
    for (size_t i = 0; i < solver->index.n_files; i++) {
        char known[TABLE_FILE_NAME_BYTES];
        if (strcmp(name, table_file_name(solver->index.files[i], known)) == 0)
            return false;
    }
    return true;
}

/* Unnamed, and of an age that the index has: what this solve wrote and no longer needs. */
static bool is_unneeded(const struct solver *solver, const char *name)
{
    uint32_t age;
    return is_unnamed(solver, name) && (!parse_age(name, &age) || table_index_age(&solver->index, age));
}

/* Files of the directory for which `is_wanted` holds: counts them, and with `removes` removes them. */
static enum status visit_files(const struct solver *solver,
                               bool (*is_wanted)(const struct solver *solver, const char *name), bool removes,
                               size_t *n_found)
{
    DIR *directory = opendir(solver->settings->directory);
    if (!directory)
        return status_fail_errno(STATUS_IO, "%s: cannot list", solver->settings->directory);
    enum status status = STATUS_OK;
    *n_found = 0;
    for (struct dirent *entry; !status && (entry = readdir(directory));) {
        if (!is_wanted(solver, entry->d_name))
            continue;
        ++*n_found;
        if (removes)
            status = solver_remove_file(solver, entry->d_name);
    }
    closedir(directory);
    return status;
}

enum status leftovers_remove_temporaries(const struct solver *solver)
{
    size_t n;
    return visit_files(solver, is_temporary, true, &n);
}

enum status leftovers_remove_unneeded(const struct solver *solver)
{
    size_t n;
    return visit_files(solver, is_unneeded, true, &n);
}

enum status leftovers_count_unnamed(const struct solver *solver, size_t *n)
{
    return visit_files(solver, is_unnamed, false, n);
}
