/*
 * What runs leave in a table directory that is no part of the table: temporary files of a killed run, which go when the
 * next run begins, and what only an unfinished solve needs, which goes when it is finished.
 */
#include "solve/leftovers.h"

#include <dirent.h>
#include <string.h>

/* Whether the solver writes files that begin like this. The user's own files in the directory are not touched. */
static bool is_ours(const char *name)
{
    static const char *const ours[] = {"index.table", "sets-", "values-", "moves-", "resume.table"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        if (strncmp(name, ours[i], strlen(ours[i])) == 0)
            return true;
    }
    return false;
}

/* file_writer names its temporaries so. */
static bool is_temporary(const struct solver *solver, const char *name)
{
    (void)solver;
    return is_ours(name) && strstr(name, ".table.tmp-");
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

/* Files of the directory for which `is_wanted` holds: counts them, and removes them if asked to. */
static enum status visit_files(const struct solver *solver,
                               bool (*is_wanted)(const struct solver *solver, const char *name), bool removes,
                               size_t *n_found)
{
    DIR *directory = opendir(solver->settings->directory);
    if (!directory)
        return status_fail_errno(STATUS_IO, "%s: cannot list", solver->settings->directory);
    enum status status = STATUS_OK;
    *n_found = 0;
    for (struct dirent *entry; status == STATUS_OK && (entry = readdir(directory));) {
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
    return visit_files(solver, is_unnamed, true, &n);
}

enum status leftovers_count_unnamed(const struct solver *solver, size_t *n)
{
    return visit_files(solver, is_unnamed, false, n);
}
