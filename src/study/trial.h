/*
 * trial: measures a set of tuples as Oka and Matsuzaki (2016) do: a network of them is trained from scratch for a
 * number of games by TD with a constant rate (or, beyond the paper, by TC, and with split encodings), and the mean
 * score of its last games is the result.
 *
 * A trial runs on one thread and depends on its seed alone, so its result is the same bit for bit on any machine and
 * beside any other work. It allocates and frees its own memory. A network of ten 6-tuples is 640 MiB, which the kernel
 * zeroes page by page as it is touched: 0.07 to 0.5 seconds of system time a trial on our busy machine. A thread that
 * kept the block and cleared it for its next trial was tried and gained nothing (four trials of 1000 games, user and
 * system time 3.7 to 5.8 s before, 3.7 to 5.7 s after): it clears every page, touched or not.
 */
#ifndef AFTERSTATE_STUDY_TRIAL_H
#define AFTERSTATE_STUDY_TRIAL_H

#include "base/status.h"
#include "ntuple/network.h"

#include <stdbool.h>
#include <stdint.h>

enum { TRIAL_VSE_BYTES = 64 };

struct trial {
    uint8_t rows, cols;
    struct shape shape;
    unsigned n_values;         /* of a cell: K of the paper; 0 is all of the board, at most 16 */
    char vse[TRIAL_VSE_BYTES]; /* ranges of a vertical split encoding (encoding.h), instead of n_values; "": none */
    bool tc;                   /* temporal coherence instead of TD */
    double rate;               /* TD: of each weight, alpha of the paper, 2^-10; TC: shared by the look-ups */
    uint64_t games;            /* training games, at least 1 */
    double last_percent;       /* of the games, from the end, whose scores count; at least one game */
    uint64_t seed;
};

struct trial_result {
    uint64_t games;        /* training games; on tiny boards a few more than planned */
    uint64_t scored_games; /* the last ones */
    double score;          /* their mean */
    uint64_t actions;
    double seconds; /* of training, over all calls */
};

/* A result in a CSV: the names of its columns, and the columns of a line; out has room for TRIAL_COLUMNS_BYTES. */
#define TRIAL_COLUMNS "games,scored_games,score,actions,seconds"
enum { TRIAL_N_COLUMNS = 5, TRIAL_COLUMNS_BYTES = 160 };
char *trial_write_columns(const struct trial_result *result, char *out);
bool trial_read_columns(char *const fields[TRIAL_N_COLUMNS], struct trial_result *result);

/*
 * Calls `read` with each line of a CSV after its header; a missing file has no lines. STATUS_IO, STATUS_CORRUPT if the
 * header is another, and what `read` says, with file and line before its message.
 */
typedef enum status (*trial_line_reader)(void *context, char *line);
enum status trial_read_lines(const char *path, const char *header, trial_line_reader read, void *context);

/* Callback and checkpoint of a trial. */
struct trial_hooks {
    /* Optional: called about every 50 ms with the number of finished games; false stops the trial. */
    bool (*watch)(void *context, uint64_t n_games);
    void *context;
    /* File of the checkpoint; NULL: none. */
    const char *checkpoint_path;
    double checkpoint_seconds; /* save this often */
    double keep_seconds;       /* when stopped, save only if this much work would be lost */
};

/* The network of a trial and its memory; STATUS_INVALID if there is no such network. */
enum status trial_spec(const struct trial *trial, struct network_spec *spec, uint64_t *bytes);

/*
 * Runs a trial, or resumes it from its checkpoint, whose file is removed at the end. STATUS_INTERRUPTED if the watch
 * stopped it; *result then has what was done. STATUS_CORRUPT if the checkpoint is damaged or of another trial. `hooks`
 * may be NULL.
 */
enum status trial_run(const struct trial *trial, const struct trial_hooks *hooks, struct trial_result *result);

#endif
