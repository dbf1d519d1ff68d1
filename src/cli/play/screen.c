/* screen: draws a game in the whole terminal window, by ncurses, and reads its keys. */
#include "cli/play/screen.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number_text.h"
#include "base/progress.h"
#include "cli/play/screen_layout.h"
#include "cli/play/terminal_guard.h"
#include "game/notation.h"

#include <curses.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum {
    PAIR_TILES = 1, /* first colour pair; one for each value */
    PAIR_BAR = PAIR_TILES + BOARD_MAX_VALUE + 1,
    PAIR_BEST_BAR,
    TEXT_BYTES = 256,
    ESCAPE_MS = 100, /* that the rest of an arrow's sequence may take */
};

struct screen {
    SCREEN *terminal;
    FILE *keys; /* NULL: standard input */
    bool colour;
    bool reverse; /* the terminal can */
    struct screen_layout layout;
};

struct tile_colour {
    short back, text;
};

/* 256 colours: warm and darker as tiles grow, cool beyond 2048. */
static const struct tile_colour tile_colours[BOARD_MAX_VALUE + 1] = {
    {236, 240}, {254, 238}, {230, 238}, {222, 236}, {215, 234}, {209, 234}, {203, 231}, {197, 231}, {227, 236},
    {221, 236}, {220, 236}, {214, 16},  {118, 16},  {48, 16},   {45, 16},   {33, 231},  {129, 231}, {201, 231},
};

/* 8 colours: neighbours in value differ. An empty cell has none. */
static const struct tile_colour few_colours[BOARD_MAX_VALUE + 1] = {
    {-1, -1},
    {COLOR_WHITE, COLOR_BLACK},
    {COLOR_CYAN, COLOR_BLACK},
    {COLOR_YELLOW, COLOR_BLACK},
    {COLOR_MAGENTA, COLOR_WHITE},
    {COLOR_RED, COLOR_WHITE},
    {COLOR_BLUE, COLOR_WHITE},
    {COLOR_GREEN, COLOR_BLACK},
    {COLOR_WHITE, COLOR_BLUE},
    {COLOR_CYAN, COLOR_BLUE},
    {COLOR_YELLOW, COLOR_RED},
    {COLOR_GREEN, COLOR_WHITE},
    {COLOR_MAGENTA, COLOR_YELLOW},
    {COLOR_RED, COLOR_YELLOW},
    {COLOR_BLUE, COLOR_YELLOW},
    {COLOR_GREEN, COLOR_BLUE},
    {COLOR_WHITE, COLOR_RED},
    {COLOR_CYAN, COLOR_RED},
};

bool screen_possible(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDOUT_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

static void make_colours(struct screen *screen)
{
    if (!has_colors() || start_color() == ERR || COLORS < 8 || COLOR_PAIRS <= PAIR_BEST_BAR)
        return;
    bool many = COLORS >= 256;
    short plain = use_default_colors() == OK ? -1 : COLOR_BLACK;
    short plain_text = plain < 0 ? -1 : COLOR_WHITE;
    for (unsigned value = 0; value <= BOARD_MAX_VALUE; value++) {
        struct tile_colour colour = many ? tile_colours[value] : few_colours[value];
        init_pair((short)(PAIR_TILES + value), colour.text < 0 ? plain_text : colour.text,
                  colour.back < 0 ? plain : colour.back);
    }
    init_pair(PAIR_BAR, plain_text, many ? 240 : COLOR_BLUE);
    init_pair(PAIR_BEST_BAR, plain_text, many ? 34 : COLOR_GREEN);
    screen->colour = true;
}

/* tputs() gives its bytes to a function without an argument; they are collected here, once, when a screen opens. */
static struct {
    char bytes[512];
    size_t n_bytes;
} collected;

static int collect(int byte)
{
    if (collected.n_bytes < sizeof collected.bytes)
        collected.bytes[collected.n_bytes++] = (char)byte;
    return byte;
}

/* The bytes with which the terminal leaves ncurses' screen, as endwin() sends them, for a signal handler. */
static void guard_terminal(void)
{
    static const char *const ends[] = {"sgr0", "op", "cnorm", "rmkx", "rmcup"};
    collected.n_bytes = 0;
    for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *text = tigetstr(ends[i]);
        if (text && text != (char *)-1)
            tputs(text, 1, collect);
    }
    collect('\r');
    collect('\n');
    terminal_guard_open(collected.bytes, collected.n_bytes);
}

/* newterm() would fail too, but it leaks memory where the terminal is unknown. */
static bool is_known_terminal(void)
{
    int problem;
    if (setupterm(NULL, STDOUT_FILENO, &problem) != OK)
        return false;
    del_curterm(cur_term); /* newterm() makes its own */
    return true;
}

enum status screen_open(struct screen **out, bool colours)
{
    *out = NULL;
    struct screen *screen = memory_allocate(1, sizeof *screen);
    if (!screen)
        return STATUS_NO_MEMORY;
    setlocale(LC_CTYPE, ""); /* for names that are not ASCII; numbers keep their dot */
    bool with_keys = isatty(STDIN_FILENO);
    if (!with_keys) {
        screen->keys = fopen("/dev/tty", "r");
        with_keys = screen->keys != NULL;
    }
    fflush(stdout);
    terminal_guard_remember(STDOUT_FILENO);
    if (with_keys && is_known_terminal())
        screen->terminal = newterm(NULL, stdout, screen->keys ? screen->keys : stdin);
    if (!screen->terminal) {
        if (screen->keys)
            fclose(screen->keys);
        free(screen);
        return STATUS_OK;
    }
    guard_terminal();
    if (colours)
        make_colours(screen);
    screen->reverse = (termattrs() & A_REVERSE) != 0;
    cbreak(); /* keys without Enter; Ctrl-C stays a signal */
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(ESCAPE_MS);
    curs_set(0); /* where the terminal can */
    *out = screen;
    return STATUS_OK;
}

void screen_close(struct screen *screen)
{
    if (!screen)
        return;
    endwin();
    terminal_guard_close();
    delscreen(screen->terminal);
    if (screen->keys)
        fclose(screen->keys);
    free(screen);
}

static void put_centred(unsigned line, unsigned column, unsigned width, const char *text)
{
    unsigned length = (unsigned)strlen(text);
    mvaddstr((int)line, (int)(column + (width > length ? (width - length + 1) / 2 : 0)), text);
}

static void draw_box(unsigned line, unsigned column, unsigned width, unsigned height)
{
    int top = (int)line, left = (int)column, bottom = top + (int)height - 1, right = left + (int)width - 1;
    mvhline(top, left + 1, ACS_HLINE, (int)width - 2);
    mvhline(bottom, left + 1, ACS_HLINE, (int)width - 2);
    mvvline(top + 1, left, ACS_VLINE, (int)height - 2);
    mvvline(top + 1, right, ACS_VLINE, (int)height - 2);
    mvaddch(top, left, ACS_ULCORNER);
    mvaddch(top, right, ACS_URCORNER);
    mvaddch(bottom, left, ACS_LLCORNER);
    /* The last cell of a window must not be written like that: the terminal would scroll. */
    if (bottom == LINES - 1 && right == COLS - 1)
        mvinsch(bottom, right, ACS_LRCORNER);
    else
        mvaddch(bottom, right, ACS_LRCORNER);
}

static void draw_tile(const struct screen *screen, unsigned value, unsigned line, unsigned column)
{
    const struct screen_layout *layout = &screen->layout;
    char face[FACE_BYTES];
    unsigned width = layout->tile_width, height = layout->tile_height;
    screen_face(value, width, face);
    if (screen->colour) {
        attrset(COLOR_PAIR(PAIR_TILES + (int)value) | (value ? A_BOLD : 0));
        for (unsigned i = 0; i < height; i++)
            mvhline((int)(line + i), (int)column, ' ', (int)width);
    } else if (layout->tile == TILE_LARGE && value) {
        draw_box(line, column, width, height);
        attrset(A_BOLD);
    }
    put_centred(line + (height - 1) / 2, column, width, face);
    attrset(A_NORMAL);
}

/* A line of the panel, cut to its width. */
static void put_line(const struct screen_layout *layout, unsigned line, const char *text)
{
    mvaddnstr((int)(layout->panel_line + line), (int)layout->panel_column, text, (int)layout->panel_columns);
}

/* The first of two texts that fits. */
static void put_fitting(const struct screen_layout *layout, unsigned line, const char *text, const char *shorter)
{
    put_line(layout, line, strlen(text) <= layout->panel_columns ? text : shorter);
}

static void put_score(const struct screen_layout *layout, unsigned line, const struct screen_view *view)
{
    char text[TEXT_BYTES], shorter[TEXT_BYTES];
    unsigned tile = notation_face(board_max_value(view->board));
    snprintf(text, sizeof text, "score %s   best tile %u", TEXT_OF_COUNT(view->score), tile);
    snprintf(shorter, sizeof shorter, "%s, tile %u", TEXT_OF_COUNT(view->score), tile);
    attrset(A_BOLD);
    put_fitting(layout, line, text, shorter);
    attrset(A_NORMAL);
}

static void put_moves(const struct screen_layout *layout, unsigned line, const struct screen_view *view)
{
    char text[TEXT_BYTES], shorter[TEXT_BYTES], rate[32];
    number_text_rate(rate, view->moves_per_second, "moves");
    if (view->moves_per_second > 0) {
        snprintf(text, sizeof text, "move %s   %s", TEXT_OF_COUNT(view->n_moves), rate);
        snprintf(shorter, sizeof shorter, "move %s, %s", TEXT_OF_COUNT(view->n_moves), rate);
    } else {
        snprintf(text, sizeof text, "move %s", TEXT_OF_COUNT(view->n_moves));
        strcpy(shorter, text);
    }
    put_fitting(layout, line, text, shorter);
}

static void put_value(const struct screen_layout *layout, unsigned line, const struct screen_view *view)
{
    char text[TEXT_BYTES] = "", shorter[TEXT_BYTES] = "";
    if (view->hints && view->thinking.depth) {
        snprintf(text, sizeof text, "thinking: %u plies, %.0f%%", view->thinking.depth, 100 * view->thinking.fraction);
        snprintf(shorter, sizeof shorter, "%u plies, %.0f%%", view->thinking.depth, 100 * view->thinking.fraction);
    } else if (view->hints && view->thought && view->thought->result.best < DIRECTION_COUNT) {
        const struct search_result *result = &view->thought->result;
        double value = (double)result->value[result->best];
        unsigned depth = result->depth[result->best];
        snprintf(text, sizeof text, "value %s   %u %s, %s", TEXT_OF_REAL(value, 0), depth, depth == 1 ? "ply" : "plies",
                 TEXT_OF_DURATION(view->thought->milliseconds * 1e-3));
        snprintf(shorter, sizeof shorter, "%s, depth %u", TEXT_OF_REAL(value, 0), depth);
    }
    put_fitting(layout, line, text, shorter);
}

/* "up     [######      ]  123.4": the name, a bar, the value and how much less that is than the best. */
static void put_bars(const struct screen *screen, unsigned line, const struct screen_view *view)
{
    enum { NAME_WIDTH = 6, NUMBER_WIDTH = 9, LOSS_WIDTH = 11 };
    const struct screen_layout *layout = &screen->layout;
    const struct search_result *result = &view->thought->result;
    unsigned filled[DIRECTION_COUNT], width = layout->panel_columns;
    bool number = width >= NAME_WIDTH + NUMBER_WIDTH + 4;
    bool loss = width >= NAME_WIDTH + NUMBER_WIDTH + LOSS_WIDTH + 10;
    unsigned texts = NAME_WIDTH + (number ? NUMBER_WIDTH : 0) + (loss ? LOSS_WIDTH : 0);
    unsigned room = width > texts ? width - texts : 0;
    screen_bars(result, room, filled);
    for (unsigned d = 0; d < DIRECTION_COUNT; d++) {
        char text[TEXT_BYTES];
        bool best = d == result->best;
        int at = (int)(layout->panel_line + line + d), column = (int)layout->panel_column + NAME_WIDTH;
        attrset(best ? A_BOLD : A_NORMAL);
        snprintf(text, sizeof text, "%c%-5s", best ? '>' : ' ', direction_name(d));
        put_line(layout, line + d, text);
        attrset(screen->colour ? COLOR_PAIR(best ? PAIR_BEST_BAR : PAIR_BAR) : screen->reverse ? A_REVERSE : A_NORMAL);
        mvhline(at, column, screen->colour || screen->reverse ? ' ' : '#', (int)filled[d]);
        attrset(best ? A_BOLD : A_NORMAL);
        if (!(result->legal >> d & 1))
            snprintf(text, sizeof text, "%*s", NUMBER_WIDTH, "-");
        else if (result->depth[d] == 0)
            snprintf(text, sizeof text, "%*s", NUMBER_WIDTH, "?");
        else
            snprintf(text, sizeof text, "%*s", NUMBER_WIDTH, TEXT_OF_REAL((double)result->value[d], 0));
        if (number)
            mvaddstr(at, column + (int)room, text);
        snprintf(text, sizeof text, "%*s", LOSS_WIDTH,
                 TEXT_OF_REAL((double)(result->value[d] - result->value[result->best]), 1));
        if (loss && !best && result->depth[d])
            mvaddstr(at, column + (int)room + NUMBER_WIDTH, text);
        attrset(A_NORMAL);
    }
}

/* The keys, group by group, as many lines as there may be. */
static void put_keys(const struct screen_layout *layout, unsigned line, const char *keys)
{
    unsigned used = 0, n_lines = 1;
    for (const char *at = keys; *at;) {
        const char *end = strstr(at, "  ");
        unsigned length = end ? (unsigned)(end - at) : (unsigned)strlen(at);
        if (used && used + 2 + length > layout->panel_columns) {
            if (n_lines++ == layout->help_lines)
                return;
            used = 0;
            line++;
        }
        used += used ? 2 : 0;
        if (used < layout->panel_columns)
            mvaddnstr((int)(layout->panel_line + line), (int)(layout->panel_column + used), at,
                      (int)(length < layout->panel_columns - used ? length : layout->panel_columns - used));
        used += length;
        at += length + (end ? 2 : 0);
    }
}

static void draw_panel(const struct screen *screen, const struct screen_view *view)
{
    const struct screen_layout *layout = &screen->layout;
    unsigned line = 0;
    for (unsigned part = 0; part < PANEL_COUNT; part++) {
        if (!(layout->shown >> part & 1))
            continue;
        switch ((enum panel_part)part) {
        case PANEL_TITLE:
            put_line(layout, line, view->title);
            break;
        case PANEL_SCORE:
            put_score(layout, line, view);
            break;
        case PANEL_MOVES:
            put_moves(layout, line, view);
            break;
        case PANEL_VALUE:
            put_value(layout, line, view);
            break;
        case PANEL_BARS:
            if (view->hints && view->thought && view->thought->result.best < DIRECTION_COUNT)
                put_bars(screen, line, view);
            line += DIRECTION_COUNT - 1;
            break;
        case PANEL_MESSAGE:
            attrset(A_BOLD);
            put_line(layout, line, view->message);
            attrset(A_NORMAL);
            break;
        case PANEL_HELP:
            put_keys(layout, line, view->keys);
            break;
        case PANEL_COUNT:
            break;
        }
        line++;
    }
}

void screen_draw(struct screen *screen, const struct screen_view *view)
{
    const struct grid *grid = view->grid;
    screen->layout =
        screen_layout_choose(grid->rows, grid->cols, (unsigned)LINES, (unsigned)COLS, (unsigned)strlen(view->keys));
    const struct screen_layout *layout = &screen->layout;
    erase();
    if (layout->too_small) {
        char text[TEXT_BYTES];
        snprintf(text, sizeof text, "too small: %ux%u needed", layout->least_columns, layout->least_lines);
        mvaddnstr(0, 0, text, LINES * COLS - 1); /* continues in the next line */
        refresh();
        return;
    }
    for (unsigned row = 0; row < grid->rows; row++)
        for (unsigned col = 0; col < grid->cols; col++)
            draw_tile(screen, board_get(view->board, row * grid->cols + col), row * layout->tile_height,
                      col * layout->tile_width);
    draw_panel(screen, view);
    refresh();
}

/*
 * The rest of an escape sequence that ncurses does not know, read as a whole: its last letter is no key of its own. An
 * arrow is one of these when it was pressed before keypad() switched the terminal's keys over, while a network loaded.
 */
static int read_sequence(void)
{
    static const enum screen_key arrows[] = {SCREEN_KEY_UP, SCREEN_KEY_DOWN, SCREEN_KEY_RIGHT, SCREEN_KEY_LEFT};
    timeout(ESCAPE_MS);
    int key = getch();
    if (key == ERR)
        return '\033'; /* the key Esc */
    if (key != '[' && key != 'O')
        return SCREEN_KEY_OTHER; /* Alt and a letter */
    do
        key = getch();
    while (key >= ' ' && key < '@'); /* parameters */
    return key >= 'A' && key <= 'D' ? (int)arrows[key - 'A'] : SCREEN_KEY_OTHER;
}

int screen_read_key(struct screen *screen, unsigned wait_ms)
{
    timeout((int)wait_ms);
    int key = getch();
    switch (key) {
    case '\033':
        return read_sequence();
    case ERR: {
        /* No key in time, a signal, or the end of the input: only the last one is for good. */
        struct pollfd input = {.fd = fileno(screen->keys ? screen->keys : stdin), .events = POLLIN};
        bool gone = poll(&input, 1, 0) > 0 && (input.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
        return gone ? SCREEN_KEY_END : SCREEN_KEY_NONE;
    }
    case KEY_UP:
        return SCREEN_KEY_UP;
    case KEY_RIGHT:
        return SCREEN_KEY_RIGHT;
    case KEY_DOWN:
        return SCREEN_KEY_DOWN;
    case KEY_LEFT:
        return SCREEN_KEY_LEFT;
    case KEY_RESIZE:
        clear(); /* terminals treat their old contents differently: draw all again */
        return SCREEN_KEY_RESIZE;
    case '\r':
    case KEY_ENTER:
        return '\n';
    default:
        return key < 0x100 ? key : SCREEN_KEY_OTHER;
    }
}
