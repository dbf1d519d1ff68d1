/*
 * data_file: where the files that come with the program lie: the bundled network, recipes, lists of experiments.
 *
 * They are looked for from the program's own place, so that a build tree and an installed tree may both be moved:
 *
 *   PREFIX/bin/afterstate      ->  PREFIX/share/afterstate/NAME
 *   SOURCE/build/x/afterstate  ->  SOURCE/NAME
 */
#ifndef AFTERSTATE_BASE_DATA_FILE_H
#define AFTERSTATE_BASE_DATA_FILE_H

/*
 * The path of `name` ("nets/default.net"), a file or folder that is there; the caller frees it. NULL, without a
 * message, if it is in neither place (or there is no memory). Any thread may call it.
 */
char *data_file_find(const char *name);

#endif
