/*
 * data_file: where the files that come with the program lie: the bundled network, recipes, lists of experiments.
 *
 * They are looked for from the program's own place, so that a build tree and an installed tree may both be moved:
 *
 *   PREFIX/bin/afterstate      ->  PREFIX/share/afterstate/NAME
 *   SOURCE/build/x/afterstate  ->  SOURCE/NAME
 *   BUILD/afterstate           ->  BUILD/source/NAME, a link that CMake makes where the build lies outside the source
 */
#ifndef AFTERSTATE_BASE_DATA_FILE_H
#define AFTERSTATE_BASE_DATA_FILE_H

/*
 * The path of `name` ("nets/default.net"), a file or folder that is there; the caller frees it. NULL, without a
 * message, if it is in none of these places (or there is no memory). Any thread may call it.
 */
char *data_file_find(const char *name);

/* The places where data_file_find() looks for `name`, for a message: "A, B or C". Returns `out`. */
enum { DATA_FILE_PLACES_BYTES = 1024 };
char *data_file_places(const char *name, char out[DATA_FILE_PLACES_BYTES]);

#endif
