/*
 * named_files: the INI files that come with the program, found by their names: `train quick-4x6` reads
 * recipes/quick-4x6.ini, `reproduce jaskowski-2` reads reproduce/jaskowski-2.ini. Files of subfolders are found by
 * their own names too: names are unique within a data folder.
 */
#ifndef AFTERSTATE_STUDY_NAMED_FILES_H
#define AFTERSTATE_STUDY_NAMED_FILES_H

#include "base/status.h"

#include <stddef.h>

/* The files of a data folder, in the order of their names. */
struct named_files {
    char **names; /* without folder and ending */
    char **paths;
    size_t n;
};

/*
 * Lists a data folder (data_file.h) and its subfolders. STATUS_IO if it is not found or cannot be read. To be freed in
 * every case.
 */
enum status named_files_list(struct named_files *files, const char *folder);
void named_files_free(struct named_files *files); /* zeroed is fine */

/*
 * The path of a file, which the caller frees: `name` itself if it is a path (a file that is there, or it has a '/' or
 * ends with .ini), else that of the file of this name in the data folder. STATUS_USAGE, naming the nearest, if there is
 * none; `what` ("recipe") and `list_hint` ("'afterstate reproduce --list' lists them") are for that message. *path is
 * NULL after a failure.
 */
enum status named_files_find(char **path, const char *folder, const char *name, const char *what,
                             const char *list_hint);

#endif
