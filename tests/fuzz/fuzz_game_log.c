/*
 * Any bytes as a log of games, alone and after a valid title. A refused file is unchanged; an accepted one is accepted
 * again, with the same games, and a game that is added is there the next time.
 */
#include "study/game_log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { GAMES = 16, HEAD_BYTES = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

struct games {
    struct game_result results[GAMES];
    bool finished[GAMES];
};

static enum status open_log(struct game_log **log, int file, struct games *games)
{
    static struct grid grid;
    char path[64];
    if (!grid.rows && grid_create(&grid, 4, 4))
        abort();
    const struct game_log_title title = {.grid = &grid, .seed = 1, .settings = "depth=1 simple", .name = "fuzz"};
    *games = (struct games){0};
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return game_log_open(log, path, &title, games->results, games->finished, GAMES);
}

static off_t file_bytes(int file)
{
    struct stat info;
    if (fstat(file, &info) != 0)
        abort();
    return info.st_size;
}

static int make_file(const void *head, size_t n_head, const uint8_t *data, size_t n_bytes)
{
    int file = memfd_create("log", MFD_CLOEXEC);
    if (file < 0 || write(file, head, n_head) != (ssize_t)n_head || write(file, data, n_bytes) != (ssize_t)n_bytes)
        abort();
    return file;
}

static void read_twice(int file)
{
    struct games first, again;
    struct game_log *log;
    off_t before = file_bytes(file);
    if (open_log(&log, file, &first)) {
        if (log || file_bytes(file) != before)
            abort();
        return;
    }
    const struct game_result added = {.score = 64, .n_moves = 9, .max_value = 5};
    size_t free_place = 0;
    while (free_place < GAMES && first.finished[free_place])
        free_place++;
    if (free_place < GAMES && game_log_add(log, free_place, &added))
        abort();
    if (game_log_close(log) || open_log(&log, file, &again) || game_log_close(log))
        abort();
    for (size_t i = 0; i < GAMES; i++) {
        const struct game_result *wanted = i == free_place ? &added : &first.results[i];
        if (again.finished[i] != (first.finished[i] || i == free_place) || again.results[i].score != wanted->score)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char head[HEAD_BYTES];
    struct games none;
    struct game_log *log;
    int file = make_file("", 0, data, n_bytes);
    read_twice(file);
    close(file);
    file = make_file("", 0, data, 0); /* the head is what an empty file gets */
    if (open_log(&log, file, &none) || game_log_close(log))
        abort();
    ssize_t n_head = pread(file, head, sizeof head, 0);
    close(file);
    if (n_head <= 0 || n_head == sizeof head)
        abort();
    file = make_file(head, (size_t)n_head, data, n_bytes);
    read_twice(file);
    close(file);
    return 0;
}
