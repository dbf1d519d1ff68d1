/*
 * replay_main: runs a fuzz target on every file of the given directories, without libFuzzer, so that each compiler and
 * sanitizer meets the corpus in the normal tests. An empty or missing directory is a failure: a test that found nothing
 * to test would otherwise look like one that passed.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

/* Some targets have one; libFuzzer calls it before the first input. */
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static int fail(const char *what, const char *path)
{
    fprintf(stderr, "replay: %s '%s'\n", what, path);
    return EXIT_FAILURE;
}

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return fail("cannot open", path);
    long n_bytes = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (n_bytes < 0 || fseek(file, 0, SEEK_SET) != 0) {
        fclose(file);
        return fail("cannot measure", path);
    }
    /* Exactly the size of the input (1 for an empty one), so that a sanitizer sees a read after its end. */
    uint8_t *data = malloc(n_bytes > 0 ? (size_t)n_bytes : 1);
    size_t n_read = data != NULL ? fread(data, 1, (size_t)n_bytes, file) : 0;
    fclose(file);
    if (data == NULL || n_read != (size_t)n_bytes) {
        free(data);
        return fail("cannot read", path);
    }
    LLVMFuzzerTestOneInput(data, n_read);
    free(data);
    return EXIT_SUCCESS;
}

static int replay_directory(const char *path)
{
    struct dirent **entries;
    int n_entries = scandir(path, &entries, NULL, alphasort); /* sorted: the same order on every machine */
    if (n_entries < 0)
        return fail("no directory", path);
    int result = EXIT_SUCCESS;
    int n_replayed = 0;
    for (int i = 0; i < n_entries; i++) {
        char name[4096];
        int length = snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && result == EXIT_SUCCESS) {
            result = length < (int)sizeof name ? replay_file(name) : fail("name too long in", path);
            n_replayed++;
        }
        free(entries[i]);
    }
    free(entries);
    if (result == EXIT_SUCCESS && n_replayed == 0)
        return fail("nothing to replay in", path);
    printf("%d inputs of %s replayed\n", n_replayed, path);
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s DIRECTORY ..\n", argv[0]);
        return 2;
    }
    if (LLVMFuzzerInitialize != NULL)
        LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++)
        if (replay_directory(argv[i]) != EXIT_SUCCESS)
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
