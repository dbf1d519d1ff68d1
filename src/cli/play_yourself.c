/* Playing yourself: arrow keys or w a s d, a hint when asked, undo as far back as the game goes. */
#include "cli/play_modes.h"

#include "base/memory.h"
#include "base/signals.h"
#include "cli/keyboard.h"
#include "cli/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 400 };

/* One game and the way back. */
struct session {
    struct searcher *searcher; /* for hints */
    struct game game;
    struct game *past; /* the game before each move */
    uint32_t n_past, room;
    char message[TEXT_BYTES / 2];
};

static enum direction direction_of_key(int key)
{
    switch (key) {
    case KEY_UP:
    case 'w':
        return DIRECTION_UP;
    case KEY_RIGHT:
    case 'd':
        return DIRECTION_RIGHT;
    case KEY_DOWN:
    case 's':
        return DIRECTION_DOWN;
    case KEY_LEFT:
    case 'a':
        return DIRECTION_LEFT;
    default:
        return DIRECTION_COUNT;
    }
}

static enum status remember(struct session *session)
{
    if (session->n_past == session->room) {
        uint32_t room = session->room ? 2 * session->room : 256;
        struct game *past = memory_resize(session->past, room, sizeof *past);
        if (!past)
            return STATUS_NO_MEMORY;
        session->past = past;
        session->room = room;
    }
    session->past[session->n_past++] = session->game;
    return STATUS_OK;
}

static enum status move_or_say(struct session *session, enum direction direction, struct game_record *record)
{
    struct game before = session->game;
    struct spawn spawned;
    if (!game_play(&session->game, direction, &spawned)) {
        snprintf(session->message, sizeof session->message, "%s moves nothing; h gives a hint",
                 direction_name(direction));
        return STATUS_OK;
    }
    struct game after = session->game;
    session->game = before;
    enum status status = remember(session);
    session->game = after;
    if (!status && record)
        status = game_record_add(record, &session->game, direction, spawned);
    return status;
}

static void undo(struct session *session, struct game_record *record)
{
    if (session->n_past == 0) {
        snprintf(session->message, sizeof session->message, "this is the beginning");
        return;
    }
    session->game = session->past[--session->n_past];
    if (record) {
        record->n_moves--;
        record->score = session->game.score;
    }
}

/* All legal moves with what the search thinks of them, best first. */
static void give_hint(struct session *session)
{
    struct search_result result = searcher_search(session->searcher, session->game.board);
    char *at = session->message;
    size_t left = sizeof session->message;
    for (unsigned legal = result.legal; legal;) {
        unsigned best = DIRECTION_COUNT;
        for (unsigned d = 0; d < DIRECTION_COUNT; d++)
            if (legal >> d & 1 && (best == DIRECTION_COUNT || result.value[d] > result.value[best]))
                best = d;
        int n = snprintf(at, left, "%s%s %.0f", at == session->message ? "hint: " : "   ", direction_name(best),
                         (double)result.value[best]);
        at += n;
        left -= (size_t)n;
        legal &= ~(1u << best);
    }
}

static void draw(struct session *session, struct screen *screen)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "move %u  score %llu\narrows or w a s d: move   h: hint   u: undo   q: leave\n%s",
             session->game.n_moves, (unsigned long long)session->game.score, session->message);
    screen_draw(screen, session->game.grid, session->game.board, text);
    session->message[0] = 0;
}

enum status play_yourself(const struct play_settings *settings, struct game_result *result, struct game_record *record)
{
    struct session session = {.game = game_begin(settings->player->grid, settings->seed, 0)};
    enum status status = player_create_searcher(&session.searcher, settings->player);
    if (status)
        return status;
    struct screen screen = screen_for(stdout);
    struct keyboard keyboard = keyboard_open();
    bool leaving = false;
    if (record)
        game_record_begin(record, &session.game, settings->seed, 0);
    draw(&session, &screen);
    while (!status && !leaving && !game_is_over(&session.game)) {
        int key = keyboard_read();
        enum direction direction = direction_of_key(key);
        if (key == '\n' || key == ' ')
            continue;
        if (key == 'q' || key == KEY_END || signals_interrupted())
            leaving = true;
        else if (direction != DIRECTION_COUNT)
            status = move_or_say(&session, direction, record);
        else if (key == 'u')
            undo(&session, record);
        else if (key == 'h')
            give_hint(&session);
        else
            snprintf(session.message, sizeof session.message, "that key does nothing here");
        if (!status && !leaving)
            draw(&session, &screen);
    }
    keyboard_close(&keyboard);
    *result = (struct game_result){.score = session.game.score,
                                   .n_moves = session.game.n_moves,
                                   .max_value = (uint8_t)board_max_value(session.game.board)};
    free(session.past);
    searcher_free(session.searcher);
    return status ? status : leaving ? status_fail(STATUS_INTERRUPTED, "left before the game's end") : STATUS_OK;
}
