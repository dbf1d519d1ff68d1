/* data_file: where the files that come with the program lie: the bundled network, recipes, lists of experiments. */
#include "base/data_file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_PLACES = 3, PLACE_BYTES = PATH_MAX + 64 };

/* From the folder of the program. */
static const char *const places[N_PLACES] = {"../share/afterstate", "../..", "source"};

static bool program_folder(char folder[PATH_MAX])
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

char *data_file_find(const char *name)
{
    char folder[PATH_MAX], path[PLACE_BYTES];
    if (!program_folder(folder))
        return NULL;
    for (unsigned i = 0; i < N_PLACES; i++) {
        int n = snprintf(path, sizeof path, "%s/%s/%s", folder, places[i], name);
        if (n < (int)sizeof path && access(path, R_OK) == 0)
            return realpath(path, NULL);
    }
    return NULL;
}

/* A path without its "..", each of which takes away the folder before it: it need not exist. */
static void shorten(char *path)
{
    for (char *up; (up = strstr(path, "/../")) != NULL;) {
        char *before = up;
        while (before > path && *--before != '/')
            ;
        memmove(before, up + 3, strlen(up + 3) + 1);
    }
}

char *data_file_places(const char *name, char out[DATA_FILE_PLACES_BYTES])
{
    char folder[PATH_MAX], path[PLACE_BYTES];
    size_t used = 0;
    snprintf(out, DATA_FILE_PLACES_BYTES, "%s", name);
    if (!program_folder(folder))
        return out;
    for (unsigned i = 0; i < N_PLACES && used < DATA_FILE_PLACES_BYTES; i++) {
        snprintf(path, sizeof path, "%s/%s/%s", folder, places[i], name);
        shorten(path);
        used += (size_t)snprintf(out + used, DATA_FILE_PLACES_BYTES - used, "%s%s",
                                 i == 0             ? ""
                                 : i + 1 < N_PLACES ? ", "
                                                    : " or ",
                                 path);
    }
    return out;
}
