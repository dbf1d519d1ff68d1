/* game_log: finished games in a CSV file, by which an interrupted evaluation resumes. */
#include "study/game_log.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/parse.h"
#include "game/notation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 256, FIELDS = 6, FIELDS_WITH_ENDS = 8 };

static const char columns_without_ends[] = "index,seed,score,moves,max_tile,seconds\n";
static const char columns_with_ends[] = "index,seed,score,moves,max_tile,seconds,made,board\n";
static const char name_mark[] = " player=";

struct game_log {
    int descriptor;
    uint64_t seed;
    const struct grid *grid;
    bool ends;
    char *path;
};

/* The destination of reading. */
struct log_target {
    const struct game_log_title *title;
    struct game_result *results;
    bool *finished;
    size_t n_games;
    const char *path;
};

static const char *columns_of(const struct game_log_title *title)
{
    return title->ends ? columns_with_ends : columns_without_ends;
}

/* The two lines on top, in *out, which the caller frees. */
static enum status make_head(char **out, const struct game_log_title *title)
{
    size_t bytes = strlen(title->settings) + strlen(title->name) + LINE_BYTES;
    char *head = *out = memory_allocate(bytes, 1);
    if (!head)
        return STATUS_NO_MEMORY;
    int n = snprintf(head, bytes, "# afterstate games 1: board=%ux%u seed=%llu %s%s", title->grid->rows,
                     title->grid->cols, (unsigned long long)title->seed, title->settings, name_mark);
    for (const char *name = title->name; *name; name++) /* a path may hold anything */
        head[n++] = (unsigned char)*name < ' ' ? '?' : *name;
    snprintf(head + n, bytes - (size_t)n, "\n%s", columns_of(title));
    return STATUS_OK;
}

/* The length of the part of a first line that must be the same. */
static size_t fixed_part(const char *line, size_t length)
{
    const char *mark = memmem(line, length, name_mark, strlen(name_mark));
    return mark ? (size_t)(mark - line) : length;
}

static enum status fail_other(const char *path, const char *line, size_t length, const char *head)
{
    static const char ours[] = "# afterstate games ";
    if (length < strlen(ours) || memcmp(line, ours, strlen(ours)) != 0)
        return status_fail(STATUS_USAGE, "%s exists and is no log of games; give another file", path);
    return status_fail(STATUS_USAGE, "%s holds other games ('%.*s'); these are '%.*s'; give another file", path,
                       (int)fixed_part(line, length), line, (int)fixed_part(head, strcspn(head, "\n")), head);
}

/* Checks the two lines on top and returns where the games begin in *at. */
static enum status check_head(const char *text, size_t bytes, const char *head, const char *path, size_t *at)
{
    const char *columns = strchr(head, '\n') + 1;
    const char *end = memchr(text, '\n', bytes);
    size_t length = end ? (size_t)(end - text) : bytes;
    size_t fixed = fixed_part(head, strcspn(head, "\n"));
    if (!end || fixed_part(text, length) != fixed || memcmp(text, head, fixed) != 0)
        return fail_other(path, text, length < LINE_BYTES ? length : LINE_BYTES, head);
    if (bytes - length - 1 < strlen(columns) || memcmp(end + 1, columns, strlen(columns)) != 0)
        return status_fail(STATUS_CORRUPT, "%s: line 2 is damaged; expected '%.*s'", path, (int)strlen(columns) - 1,
                           columns);
    *at = length + 1 + strlen(columns);
    return STATUS_OK;
}

/* The fields of a line; NULL if all is well, else what is wrong. */
static const char *read_game(char *line, const struct game_log_title *title, uint64_t *index,
                             struct game_result *result)
{
    char *field[FIELDS_WITH_ENDS], *rest = line;
    for (unsigned i = 0; i < (title->ends ? FIELDS_WITH_ENDS : FIELDS); i++) {
        field[i] = strsep(&rest, ",");
        if (!field[i])
            return "too few fields";
    }
    if (rest)
        return "too many fields";
    uint64_t seed, n_moves, face;
    if (!parse_unsigned(field[0], index))
        return "the index is no number";
    if (!parse_unsigned(field[1], &seed) || seed != title->seed)
        return "another seed";
    if (!parse_unsigned(field[2], &result->score) || result->score % 4 != 0)
        return "no score of a game";
    if (!parse_unsigned(field[3], &n_moves) || n_moves > UINT32_MAX)
        return "no number of moves";
    if (!parse_unsigned(field[4], &face) || face < 2 || (face & (face - 1)) != 0 ||
        face > notation_face(title->grid->max_value))
        return "no tile of this board";
    if (!parse_real(field[5], &result->seconds) || result->seconds < 0)
        return "no time";
    result->n_moves = (uint32_t)n_moves;
    result->max_value = (uint8_t)__builtin_ctzll(face);
    if (!title->ends)
        return NULL;
    if (!parse_flag(field[6], &result->made))
        return "neither 1 nor 0 for a tile that was made";
    if (notation_parse(title->grid, field[7], &result->last) != STATUS_OK ||
        board_max_value(result->last) != result->max_value)
        return "no last board of this game";
    return NULL;
}

static enum status read_line(const struct log_target *target, const char *text, size_t length, uint64_t number)
{
    char line[LINE_BYTES];
    struct game_result result = {0};
    uint64_t index = 0;
    const char *wrong = "no line of a log";
    if (length < sizeof line && !memchr(text, 0, length)) {
        memcpy(line, text, length);
        line[length] = 0;
        wrong = read_game(line, target->title, &index, &result);
    }
    if (!wrong && index < target->n_games && target->finished[index])
        wrong = "a game that stands there already";
    if (wrong)
        return status_fail(STATUS_CORRUPT, "%s: line %llu is damaged: %s; mend or delete the line, or the file",
                           target->path, (unsigned long long)number, wrong);
    if (index < target->n_games) {
        target->results[index] = result;
        target->finished[index] = true;
    }
    return STATUS_OK;
}

/* Reads what is there; *kept is the number of bytes up to the last whole line. After a power cut, zeros may stand where
   lines were written. */
static enum status read_games(const struct log_target *target, const char *text, size_t bytes, const char *head,
                              size_t *kept)
{
    *kept = 0;
    while (bytes > 0 && text[bytes - 1] == '\0')
        bytes--;
    if (bytes < strlen(head) && memcmp(text, head, bytes) == 0)
        return STATUS_OK; /* empty, or the first line is incomplete */
    size_t at = 0;
    enum status status = check_head(text, bytes, head, target->path, &at);
    for (uint64_t number = 3; !status; number++) {
        const char *end = at < bytes ? memchr(text + at, '\n', bytes - at) : NULL;
        *kept = at;
        if (!end)
            break;
        size_t length = (size_t)(end - text) - at;
        status = read_line(target, text + at, length, number);
        at += length + 1;
    }
    return status;
}

static enum status write_text(const struct game_log *log, const char *text)
{
    for (size_t left = strlen(text); left;) {
        ssize_t n = write(log->descriptor, text, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return status_fail_errno(STATUS_IO, "%s: cannot write", log->path);
        text += n;
        left -= (size_t)n;
    }
    return STATUS_OK;
}

/* Opens the file for this process alone. */
static enum status open_alone(struct game_log *log)
{
    log->descriptor = file_open(log->path, O_RDWR | O_CREAT | O_APPEND | O_NONBLOCK);
    if (log->descriptor < 0)
        return status_fail_errno(STATUS_IO, "%s: cannot open", log->path);
    if (flock(log->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return status_fail(STATUS_IO, "%s: another process is writing it", log->path);
    return STATUS_OK; /* the file system has no locks */
}

static enum status load(struct game_log *log, const struct log_target *target)
{
    char *head;
    struct file_map map = {0};
    enum status status = make_head(&head, target->title);
    if (!status)
        status = file_map_open(&map, log->path);
    size_t kept = 0, bytes = map.bytes;
    if (!status)
        status = read_games(target, bytes ? (const char *)map.data : "", bytes, head, &kept);
    file_map_close(&map);
    if (!status && kept == 0)
        status = file_sync_name(log->path);
    if (!status && kept < bytes && ftruncate(log->descriptor, (off_t)kept) != 0)
        status = status_fail_errno(STATUS_IO, "%s: cannot cut off the line that is not complete", log->path);
    if (!status && kept == 0)
        status = write_text(log, head);
    free(head);
    return status;
}

static void discard(struct game_log *log)
{
    if (log->descriptor >= 0)
        close(log->descriptor);
    free(log->path);
    free(log);
}

enum status game_log_open(struct game_log **out, const char *path, const struct game_log_title *title,
                          struct game_result *results, bool *finished, size_t n_games)
{
    *out = NULL;
    struct game_log *log = memory_allocate(1, sizeof *log);
    if (!log)
        return STATUS_NO_MEMORY;
    struct log_target target = {
        .title = title, .results = results, .finished = finished, .n_games = n_games, .path = path};
    log->descriptor = -1;
    log->seed = title->seed;
    log->grid = title->grid;
    log->ends = title->ends;
    log->path = memory_copy_text(path);
    enum status status = log->path ? open_alone(log) : STATUS_NO_MEMORY;
    if (!status)
        status = load(log, &target);
    if (status)
        discard(log);
    else
        *out = log;
    return status;
}

enum status game_log_add(struct game_log *log, uint64_t index, const struct game_result *result)
{
    char line[LINE_BYTES];
    char ends[NOTATION_DIGITS_BYTES + 8] = "", board[NOTATION_DIGITS_BYTES];
    if (log->ends)
        snprintf(ends, sizeof ends, ",%d,%s", result->made, notation_digits(log->grid, result->last, board));
    snprintf(line, sizeof line, "%llu,%llu,%llu,%u,%u,%.6f%s\n", (unsigned long long)index,
             (unsigned long long)log->seed, (unsigned long long)result->score, result->n_moves,
             notation_face(result->max_value), result->seconds, ends);
    return write_text(log, line);
}

enum status game_log_close(struct game_log *log)
{
    if (!log)
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (fsync(log->descriptor) != 0 && errno != EINVAL)
        status = status_fail_errno(STATUS_IO, "%s: cannot sync", log->path);
    discard(log);
    return status;
}
