/* named_files: finds recipes and groups that come with the program by their names. */
#include "study/named_files.h"

#include "base/data_file.h"
#include "base/memory.h"
#include "base/nearest.h"

#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define ENDING ".ini"

enum { MAX_FILES = 1024 };

static bool has_ending(const char *name)
{
    size_t length = strlen(name), ending = strlen(ENDING);
    return length > ending && strcmp(name + length - ending, ENDING) == 0;
}

static int compare_entries(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static enum status add_file(struct named_files *files, const FTSENT *entry)
{
    if (files->n == MAX_FILES)
        return status_fail(STATUS_INVALID, "%s: more than %d files", entry->fts_path, MAX_FILES);
    char *name = memory_copy_text(entry->fts_name), *path = memory_copy_text(entry->fts_path);
    if (!name || !path) {
        free(name);
        free(path);
        return STATUS_NO_MEMORY;
    }
    name[strlen(name) - strlen(ENDING)] = '\0';
    size_t at = files->n++; /* folders are visited in order, so this is a few steps */
    for (; at > 0 && strcmp(files->names[at - 1], name) > 0; at--) {
        files->names[at] = files->names[at - 1];
        files->paths[at] = files->paths[at - 1];
    }
    files->names[at] = name;
    files->paths[at] = path;
    return STATUS_OK;
}

static enum status walk_folder(struct named_files *files, char *folder)
{
    char *roots[] = {folder, NULL};
    FTS *tree = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, compare_entries);
    if (!tree)
        return status_fail_errno(STATUS_IO, "cannot read the folder %s", folder);
    enum status status = STATUS_OK;
    for (FTSENT *entry = fts_read(tree); entry && !status; entry = fts_read(tree))
        if (entry->fts_info == FTS_F && has_ending(entry->fts_name))
            status = add_file(files, entry);
    fts_close(tree);
    return status;
}

enum status named_files_list(struct named_files *files, const char *folder)
{
    *files = (struct named_files){.names = memory_allocate(MAX_FILES, sizeof *files->names),
                                  .paths = memory_allocate(MAX_FILES, sizeof *files->paths)};
    if (!files->names || !files->paths)
        return STATUS_NO_MEMORY;
    char *path = data_file_find(folder);
    if (!path)
        return status_fail(STATUS_IO, "the folder '%s' is not beside this program; give the path of a file", folder);
    enum status status = walk_folder(files, path);
    free(path);
    return status;
}

void named_files_free(struct named_files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free(files->names[i]);
        free(files->paths[i]);
    }
    free(files->names);
    free(files->paths);
    *files = (struct named_files){0};
}

enum status named_files_find(char **path, const char *folder, const char *name, const char *what, const char *list_hint)
{
    *path = NULL;
    struct stat info;
    if (strchr(name, '/') || has_ending(name) || (stat(name, &info) == 0 && S_ISREG(info.st_mode))) {
        *path = memory_copy_text(name);
        return *path ? STATUS_OK : STATUS_NO_MEMORY;
    }
    struct named_files files;
    enum status status = named_files_list(&files, folder);
    for (size_t i = 0; i < files.n && !status && !*path; i++)
        if (strcmp(files.names[i], name) == 0) {
            *path = files.paths[i];
            files.paths[i] = NULL;
        }
    if (!status && !*path) {
        const char *near = nearest_name(name, (const char *const *)files.names, files.n);
        status = near ? status_fail(STATUS_USAGE, "unknown %s '%s'; did you mean '%s'?", what, name, near)
                      : status_fail(STATUS_USAGE, "unknown %s '%s'; %s", what, name, list_hint);
    }
    named_files_free(&files);
    return status;
}
