/*
 * Play as lines of text: on a pipe, a file, a dumb terminal. Watching lists moves with --moves, and otherwise prints
 * nothing until the end; playing yourself prints the board after each key, and every character of standard input is a
 * key, so a game can be scripted.
 */
#include "cli/play/play_modes.h"

#include "base/number_text.h"
#include "base/signals.h"
#include "cli/play/play_history.h"
#include "game/notation.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { KEY_END = -1 };

/* The next character of standard input; KEY_END at its end, or when a signal ends the wait. */
static int read_key(void)
{
    unsigned char byte;
    fflush(stdout);
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : KEY_END;
}

/* ---- boards ----------------------------------------------------------------------------------------------------- */

static void print_rule(unsigned cols)
{
    for (unsigned col = 0; col < cols; col++)
        printf("+--------");
    printf("+\n");
}

void play_print_board(const struct grid *grid, struct board board)
{
    enum { WIDTH = 8 };
    for (unsigned row = 0; row < grid->rows; row++) {
        print_rule(grid->cols);
        for (unsigned col = 0; col < grid->cols; col++) {
            char face[16] = "";
            unsigned value = board_get(board, row * grid->cols + col);
            if (value)
                snprintf(face, sizeof face, "%u", notation_face(value));
            int length = (int)strlen(face), left = (WIDTH - length + 1) / 2;
            printf("|%*s%s%*s", left, "", face, WIDTH - length - left, "");
        }
        printf("|\n");
    }
    print_rule(grid->cols);
}

/* ---- watching --------------------------------------------------------------------------------------------------- */

/* Prints the present move if --moves was given. False if the user leaves. */
static bool list_move(const struct play_settings *settings, const struct play_history *history)
{
    const struct played_move *move = play_history_present(history);
    char digits[NOTATION_DIGITS_BYTES];
    if (settings->every_move)
        printf("%u %s %s %llu\n", move->game.n_moves,
               move->direction == DIRECTION_COUNT ? "start" : direction_name(move->direction),
               notation_digits(move->game.grid, move->game.board, digits), (unsigned long long)move->game.score);
    if (settings->step) {
        int key = read_key();
        if (key == 'q' || key == KEY_END)
            return false;
    }
    return !signals_interrupted();
}

static enum status watch(const struct play_settings *settings, struct searcher *searcher, struct play_history *history)
{
    const struct player *player = settings->player;
    struct rng choices = random_stream(~settings->seed, 0); /* as match_play_game() draws them: the same game */
    bool staying = list_move(settings, history), legal = true;
    enum status status = STATUS_OK;
    while (staying && legal && !status) {
        enum direction direction = player_choose(player, searcher, play_history_present(history)->game.board, &choices);
        if (direction == DIRECTION_COUNT)
            break;
        status = play_history_play(history, direction, &legal);
        if (!status)
            staying = list_move(settings, history);
    }
    return status;
}

enum status replay_plainly(const struct play_settings *settings, struct play_history *history)
{
    while (list_move(settings, history) && play_history_forward(history))
        continue;
    return STATUS_OK;
}

/* ---- playing yourself ------------------------------------------------------------------------------------------- */

enum { MESSAGE_BYTES = 200 };

static enum direction direction_of_key(int key)
{
    static const char keys[] = "wdsa"; /* in the order of directions */
    const char *at = key > 0 ? strchr(keys, key) : NULL;
    return at ? (enum direction)(at - keys) : DIRECTION_COUNT;
}

/* All legal moves with their values, best first. */
static void give_hint(struct searcher *searcher, struct board board, char message[MESSAGE_BYTES])
{
    struct search_result result = searcher_search(searcher, board);
    int n = snprintf(message, MESSAGE_BYTES, "hint:");
    for (unsigned left = result.cancelled ? 0 : result.legal; left;) {
        unsigned best = (unsigned)__builtin_ctz(left);
        for (unsigned d = best; d < DIRECTION_COUNT; d++)
            if (left >> d & 1 && result.value[d] > result.value[best])
                best = d;
        n += snprintf(message + n, MESSAGE_BYTES - (size_t)n, "%s%s %.0f", left == result.legal ? " " : "   ",
                      direction_name(best), (double)result.value[best]);
        left &= ~(1u << best);
    }
}

static void print_position(const struct game *game, char message[MESSAGE_BYTES])
{
    play_print_board(game->grid, game->board);
    printf("move %s  score %s\nw a s d: move   h: hint   u: undo   q: leave\n%s\n", TEXT_OF_COUNT(game->n_moves),
           TEXT_OF_COUNT(game->score), message);
    message[0] = 0;
}

static enum status play_yourself(struct searcher *searcher, struct play_history *history)
{
    char message[MESSAGE_BYTES] = "";
    enum status status = STATUS_OK;
    print_position(&play_history_present(history)->game, message);
    while (!status && !game_is_over(&play_history_present(history)->game)) {
        int key = read_key();
        enum direction direction = direction_of_key(key);
        bool legal = true;
        if (key == '\n' || key == ' ')
            continue;
        if (key == 'q' || key == KEY_END || signals_interrupted())
            break;
        if (direction != DIRECTION_COUNT)
            status = play_history_play(history, direction, &legal);
        else if (key == 'h')
            give_hint(searcher, play_history_present(history)->game.board, message);
        else if (key != 'u')
            snprintf(message, sizeof message, "that key does nothing here");
        else if (!play_history_back(history))
            snprintf(message, sizeof message, "this is the beginning");
        if (!legal)
            snprintf(message, sizeof message, "%s moves nothing; h gives a hint", direction_name(direction));
        if (!status)
            print_position(&play_history_present(history)->game, message);
    }
    return status;
}

enum status play_plainly(const struct play_settings *settings, struct play_history *history)
{
    struct searcher *searcher;
    enum status status = player_create_searcher(&searcher, settings->player);
    if (status)
        return status;
    status = settings->me ? play_yourself(searcher, history) : watch(settings, searcher, history);
    searcher_free(searcher);
    return status;
}
