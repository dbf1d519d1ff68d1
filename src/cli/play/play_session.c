/*
 * A game in the terminal's window. Watching, replaying and playing yourself are one session with three roles: the
 * program moves, a person moves, or a record is replayed. Keys change the role.
 *
 * The loop has four steps: 1. think about the present position if a move or a hint needs it (on another thread, so
 * that nothing below waits for it); 2. draw, at most 30 times a second; 3. make the move that is due; 4. wait for a
 * key, the answer or the time of the next move, whichever is first.
 */
#include "cli/play/play_modes.h"

#include "base/clock.h"
#include "base/signals.h"

#include <stdio.h>
#include <string.h>

enum role { ROLE_PROGRAM, ROLE_PERSON, ROLE_REPLAY };

enum {
    MAX_DELAY_MS = 60000,
    IDLE_WAIT_MS = 500,
    THINKING_WAIT_MS = 15, /* a key is answered within this */
    MESSAGE_BYTES = 160,
    TITLE_BYTES = 400,
};

static const double frame_seconds = 1.0 / 30;
static const double thinking_frame_seconds = 0.1; /* how often the progress of a long thought is shown */
static const double long_thought_seconds = 0.2;   /* from here on it is */
static const double patience_seconds = 0.015;     /* that a drawing waits for a thought */
static const double rate_seconds = 0.5;           /* moves per second are measured over this */

static const char *const role_keys[] = {
    [ROLE_PROGRAM] = "space: pause  s: step  + -: speed  h: hints  t: take over  u: back  r: new game  q: leave",
    [ROLE_PERSON] = "arrows, wasd, HJKL: move  h: hints  u: undo  p: program plays on  r: new game  q: leave",
    [ROLE_REPLAY] = "space: pause  s: step  u: back  + -: speed  h: hints  q: leave",
};

struct session {
    struct play_settings *settings;
    struct screen *screen;
    struct play_history *history;
    struct thinker *thinker; /* NULL: there is no search for this board */
    struct rng choices;      /* of a player that draws its moves */
    enum role role;
    bool paused, step, hints, leaving, dirty;
    unsigned delay_ms;
    double now, next_move_at, drawn_at;

    bool asked, answered; /* about the present position */
    bool has_thought;     /* about this or an earlier one */
    double asked_at;
    struct thought thought;

    double rate, rate_from;
    unsigned rate_moves;

    char title[TITLE_BYTES], message[MESSAGE_BYTES];
};

static const struct game *present_game(const struct session *session)
{
    return &play_history_present(session->history)->game;
}

static bool is_over(const struct session *session)
{
    return session->role == ROLE_REPLAY ? session->history->present + 1 == session->history->n_moves
                                        : game_is_over(present_game(session));
}

static bool has_next(const struct session *session)
{
    return session->history->present + 1 < session->history->n_moves;
}

static bool is_thinking(const struct session *session)
{
    return session->asked && !session->answered;
}

static void think(struct session *session)
{
    bool wanted = session->hints || (session->role == ROLE_PROGRAM && !has_next(session));
    if (!session->thinker)
        return;
    if (wanted && !session->asked && !game_is_over(present_game(session))) {
        thinker_start(session->thinker, present_game(session)->board);
        session->asked = true;
        session->asked_at = session->now;
    }
    if (is_thinking(session) && thinker_answer(session->thinker, 0, &session->thought))
        session->answered = session->has_thought = session->dirty = true;
}

/* The present position is another one. */
static void position_changed(struct session *session)
{
    if (is_thinking(session))
        thinker_drop(session->thinker);
    session->asked = session->answered = false;
    session->dirty = true;
    session->message[0] = 0;
}

static bool is_moving(const struct session *session)
{
    return session->role != ROLE_PERSON && (!session->paused || session->step);
}

static const char *state_message(const struct session *session)
{
    if (session->message[0])
        return session->message;
    if (is_over(session))
        return session->role == ROLE_REPLAY ? "end of the record" : "game over";
    return session->role != ROLE_PERSON && session->paused ? "paused" : "";
}

/* A position waits a little for its search result, so that both appear together. */
static bool is_drawing_due(const struct session *session)
{
    double since = session->now - session->drawn_at;
    if (is_thinking(session) && session->now - session->asked_at < patience_seconds)
        return false;
    return session->dirty ? since >= frame_seconds : is_thinking(session) && since >= thinking_frame_seconds;
}

/* While the program plays, the last result stays until the next one is there. */
static void draw(struct session *session)
{
    const struct game *game = present_game(session);
    struct screen_view view = {
        .grid = game->grid,
        .board = game->board,
        .score = game->score,
        .n_moves = game->n_moves,
        .moves_per_second = is_moving(session) ? session->rate : 0,
        .title = session->title,
        .message = state_message(session),
        .keys = role_keys[session->role],
        .hints = session->hints,
        .thought = session->answered || (session->has_thought && is_moving(session)) ? &session->thought : NULL,
    };
    if (is_thinking(session) && session->now - session->asked_at > long_thought_seconds)
        view.thinking = thinker_progress(session->thinker);
    screen_draw(session->screen, &view);
    session->drawn_at = session->now;
    session->dirty = false;
}

/* Whether the next move is known. */
static bool is_decided(const struct session *session)
{
    return has_next(session) || is_over(session) || !session->thinker || session->answered;
}

static void count_move(struct session *session)
{
    session->rate_moves++;
    if (session->now - session->rate_from < rate_seconds)
        return;
    session->rate = session->rate_moves / (session->now - session->rate_from);
    session->rate_moves = 0;
    session->rate_from = session->now;
}

static enum status move_if_due(struct session *session)
{
    if (!is_moving(session) || !is_decided(session) || (!session->step && session->now < session->next_move_at))
        return STATUS_OK;
    enum status status = STATUS_OK;
    if (is_over(session)) {
        session->leaving = true;
        return STATUS_OK;
    }
    if (!play_history_forward(session->history)) {
        bool legal;
        enum direction direction = session->thinker ? session->thought.result.best
                                                    : player_choose(session->settings->player, NULL,
                                                                    present_game(session)->board, &session->choices);
        status = play_history_play(session->history, direction, &legal);
    }
    session->step = false;
    session->next_move_at = session->now + session->delay_ms * 1e-3;
    count_move(session);
    position_changed(session);
    return status;
}

static void show_message(struct session *session, const char *text)
{
    snprintf(session->message, sizeof session->message, "%s", text);
}

static void make_title(struct session *session)
{
    const struct play_settings *settings = session->settings;
    const struct grid *grid = settings->player->grid;
    snprintf(session->title, sizeof session->title, "%s on %ux%u, seed %llu", settings->player_name, grid->rows,
             grid->cols, (unsigned long long)settings->seed);
}

/* Starts the game of settings->seed; the program's draws are those of match_play_game(): the same game. */
static enum status begin_new_game(struct session *session)
{
    session->settings->seed++;
    struct game game = game_begin(session->settings->player->grid, session->settings->seed, 0);
    session->choices = random_stream(~session->settings->seed, 0);
    make_title(session);
    position_changed(session);
    show_message(session, "a new game");
    return play_history_begin(session->history, &game);
}

static void change_role(struct session *session, enum role role)
{
    session->role = role;
    session->paused = false;
    session->rate = 0;
    session->rate_moves = 0;
    session->rate_from = session->now;
    session->next_move_at = session->now;
    show_message(session, role == ROLE_PERSON ? "your move" : "the program plays on");
}

static void change_delay(struct session *session, bool slower)
{
    unsigned delay = session->delay_ms;
    delay = slower ? (delay ? 2 * delay : 1) : delay / 2;
    session->delay_ms = delay < MAX_DELAY_MS ? delay : MAX_DELAY_MS;
    session->next_move_at = session->now + session->delay_ms * 1e-3;
    snprintf(session->message, sizeof session->message, "%u ms between moves", session->delay_ms);
}

static enum direction direction_of_key(int key)
{
    static const char keys[DIRECTION_COUNT][2] = {{'w', 'K'}, {'d', 'L'}, {'s', 'J'}, {'a', 'H'}};
    if (key >= SCREEN_KEY_UP && key <= SCREEN_KEY_LEFT)
        return (enum direction)(key - SCREEN_KEY_UP);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++)
        if (key == keys[d][0] || key == keys[d][1])
            return d;
    return DIRECTION_COUNT;
}

static enum status person_moves(struct session *session, enum direction direction)
{
    bool legal;
    enum status status = play_history_play(session->history, direction, &legal);
    if (legal)
        position_changed(session);
    else
        snprintf(session->message, sizeof session->message, "%s moves nothing", direction_name(direction));
    return status;
}

static void go_back(struct session *session)
{
    session->paused = session->role != ROLE_PERSON;
    if (play_history_back(session->history))
        position_changed(session);
    else
        show_message(session, "this is the beginning");
}

static void toggle_hints(struct session *session)
{
    if (session->thinker)
        session->hints = !session->hints;
    else
        show_message(session, "there are no hints for this board");
}

/* Keys that mean the same in all roles; false if this is none. */
static bool common_key(struct session *session, int key)
{
    switch (key) {
    case 'q':
    case SCREEN_KEY_END:
        session->leaving = true;
        return true;
    case 'h':
        toggle_hints(session);
        return true;
    case 'u':
        go_back(session);
        return true;
    case SCREEN_KEY_RESIZE:
        return true;
    default:
        return false;
    }
}

static void watching_key(struct session *session, int key)
{
    switch (key) {
    case ' ':
        session->paused = !session->paused;
        break;
    case '+':
    case '=': /* + without Shift on many keyboards */
        change_delay(session, false);
        break;
    case '-':
        change_delay(session, true);
        break;
    case 't':
        if (session->role == ROLE_REPLAY)
            show_message(session, "a record cannot be played on");
        else
            change_role(session, ROLE_PERSON);
        break;
    default:
        if (key == 's' || key == '.' || session->settings->step)
            session->paused = session->step = true;
        else
            show_message(session, "that key does nothing here");
    }
}

static enum status handle_key(struct session *session, int key)
{
    enum direction direction = direction_of_key(key);
    session->dirty = true;
    session->message[0] = 0;
    if (common_key(session, key))
        return STATUS_OK;
    if (key == 'r' && session->role != ROLE_REPLAY)
        return begin_new_game(session);
    if (session->role != ROLE_PERSON)
        watching_key(session, key);
    else if (direction != DIRECTION_COUNT)
        return person_moves(session, direction);
    else if (key == 'p')
        change_role(session, ROLE_PROGRAM);
    else
        show_message(session, "that key does nothing here");
    return STATUS_OK;
}

/* Time until something is due; waits here for a search result if that comes first. */
static unsigned wait_ms(struct session *session)
{
    double until_move = session->next_move_at - session->now;
    if (is_moving(session) && is_decided(session) && until_move <= 0)
        return 0;
    if (is_thinking(session)) {
        struct thought thought;
        thinker_answer(session->thinker, THINKING_WAIT_MS, &thought); /* taken in step 1 */
        return 0;
    }
    if (is_moving(session) && until_move < IDLE_WAIT_MS * 1e-3)
        return (unsigned)(until_move * 1e3) + 1;
    return IDLE_WAIT_MS;
}

static enum status run(struct session *session)
{
    enum status status = STATUS_OK;
    session->dirty = true;
    session->rate_from = clock_seconds();
    session->next_move_at = session->rate_from + session->delay_ms * 1e-3;
    while (!status && !session->leaving && !signals_interrupted()) {
        session->now = clock_seconds();
        think(session);
        if (is_drawing_due(session))
            draw(session);
        status = move_if_due(session);
        think(session);
        unsigned wait = session->leaving ? 0 : wait_ms(session);
        if (session->dirty && wait > frame_seconds * 1e3)
            wait = (unsigned)(frame_seconds * 1e3);
        int key = screen_read_key(session->screen, wait);
        if (key != SCREEN_KEY_NONE && !status)
            status = handle_key(session, key);
    }
    return status;
}

enum status play_in_window(struct play_settings *settings, struct screen *screen, struct play_history *history)
{
    struct session session = {.settings = settings,
                              .screen = screen,
                              .history = history,
                              .choices = random_stream(~settings->seed, 0),
                              .role = settings->me ? ROLE_PERSON : ROLE_PROGRAM,
                              .paused = settings->step,
                              .hints = !settings->me && settings->player->kind == PLAYER_SEARCH,
                              .delay_ms = settings->delay_ms};
    enum status status = STATUS_OK;
    if (settings->player->kind == PLAYER_SEARCH)
        status = thinker_create(&session.thinker, settings->player);
    make_title(&session);
    if (!status)
        status = run(&session);
    thinker_free(session.thinker);
    return status;
}

enum status replay_in_window(struct play_settings *settings, struct screen *screen, struct play_history *history,
                             const char *title)
{
    struct session session = {.settings = settings,
                              .screen = screen,
                              .history = history,
                              .role = ROLE_REPLAY,
                              .paused = settings->step,
                              .delay_ms = settings->delay_ms};
    const struct grid *grid = present_game(&session)->grid, *known = settings->player->grid;
    enum status status = STATUS_OK;
    snprintf(session.title, sizeof session.title, "%s", title);
    if (settings->player->kind == PLAYER_SEARCH && grid->rows == known->rows && grid->cols == known->cols)
        status = thinker_create(&session.thinker, settings->player);
    if (!status)
        status = run(&session);
    thinker_free(session.thinker);
    return status;
}
