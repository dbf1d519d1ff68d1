#include "base/data_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *data_file_find(const char *name)
{
    static const char *const places[] = {"../share/afterstate", "../.."};
    char program[PATH_MAX], path[PATH_MAX + 64];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return NULL;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        int n = snprintf(path, sizeof path, "%s/%s/%s", program, places[i], name);
        if (n < (int)sizeof path && access(path, R_OK) == 0)
            return realpath(path, NULL);
    }
    return NULL;
}
