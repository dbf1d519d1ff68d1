/*
 * `afterstate play` in a pseudo-terminal: keys go in, what comes out is drawn on a small model of a terminal, and the
 * test looks at that. Waiting is for what must be seen, never for a time; a wait that is not met within a minute fails.
 *
 * The model knows what ncurses sends to the terminals used here: moving the cursor, erasing, repeating, inserting.
 * Colours are counted and not drawn.
 */
#include "scratch.h"

#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <utmp.h>

enum { MAX_LINES = 60, MAX_COLUMNS = 120, MAX_PARAMETERS = 16, WAIT_SECONDS = 60 };

static const char *program;

struct terminal {
    int master, slave;
    pid_t child;
    struct termios before;
    unsigned lines, columns;
    char text[MAX_LINES][MAX_COLUMNS + 1];
    unsigned line, column;
    char last;         /* printed character, for repeating */
    char sequence[64]; /* an escape sequence that is not complete yet */
    size_t n_sequence;
    bool alternate; /* the screen that is left at the end */
    unsigned n_alternate, n_colours, n_escapes;
};

/* ---- the model --------------------------------------------------------------------------------------------------- */

static void blank(struct terminal *terminal, unsigned line, unsigned from, unsigned to)
{
    for (unsigned column = from; column < to && column < MAX_COLUMNS; column++)
        terminal->text[line][column] = ' ';
}

static void erase_all(struct terminal *terminal)
{
    for (unsigned line = 0; line < MAX_LINES; line++)
        blank(terminal, line, 0, MAX_COLUMNS);
}

static void next_line(struct terminal *terminal)
{
    if (terminal->line + 1 < terminal->lines) {
        terminal->line++;
        return;
    }
    memmove(terminal->text[0], terminal->text[1], (terminal->lines - 1) * sizeof terminal->text[0]);
    blank(terminal, terminal->line, 0, MAX_COLUMNS);
}

static void put(struct terminal *terminal, char byte)
{
    if (terminal->column >= terminal->columns) {
        terminal->column = 0;
        next_line(terminal);
    }
    terminal->text[terminal->line][terminal->column++] = byte;
    terminal->last = byte;
}

static void insert_blanks(struct terminal *terminal, unsigned n)
{
    char *line = terminal->text[terminal->line];
    for (unsigned column = terminal->columns; column-- > terminal->column + n;)
        line[column] = line[column - n];
    blank(terminal, terminal->line, terminal->column, terminal->column + n);
}

/* ESC [ parameters letter. */
static void control(struct terminal *terminal, const char *text, char letter)
{
    unsigned parameters[MAX_PARAMETERS] = {0}, n = 0;
    for (const char *at = text; *at && n < MAX_PARAMETERS; at += *at == ';') {
        parameters[n++] = (unsigned)strtoul(*at == '?' ? at + 1 : at, NULL, 10);
        at += strcspn(at, ";");
    }
    unsigned first = parameters[0], one = first ? first : 1, second = parameters[1];
    switch (letter) {
    case 'H':
        terminal->line = one - 1;
        terminal->column = second ? second - 1 : 0;
        break;
    case 'A':
        terminal->line -= one < terminal->line ? one : terminal->line;
        break;
    case 'B':
        terminal->line += one;
        break;
    case 'C':
        terminal->column += one;
        break;
    case 'D':
        terminal->column -= one < terminal->column ? one : terminal->column;
        break;
    case 'G':
        terminal->column = one - 1;
        break;
    case 'd':
        terminal->line = one - 1;
        break;
    case 'J':
        if (first == 2)
            erase_all(terminal);
        else {
            blank(terminal, terminal->line, terminal->column, MAX_COLUMNS);
            for (unsigned line = terminal->line + 1; line < MAX_LINES; line++)
                blank(terminal, line, 0, MAX_COLUMNS);
        }
        break;
    case 'K':
        if (first == 1)
            blank(terminal, terminal->line, 0, terminal->column + 1);
        else
            blank(terminal, terminal->line, terminal->column, MAX_COLUMNS);
        break;
    case 'X':
        blank(terminal, terminal->line, terminal->column, terminal->column + one);
        break;
    case '@':
        insert_blanks(terminal, one);
        break;
    case 'b':
        for (unsigned i = 0; i < one; i++)
            put(terminal, terminal->last);
        break;
    case 'm':
        for (unsigned i = 0; i < n; i++)
            terminal->n_colours +=
                (parameters[i] >= 30 && parameters[i] <= 38) || (parameters[i] >= 40 && parameters[i] <= 48);
        break;
    case 'h':
    case 'l':
        if (text[0] == '?' && first == 1049) {
            terminal->alternate = letter == 'h';
            terminal->n_alternate += letter == 'h';
        }
        break;
    default: /* scrolling regions, modes: nothing that is seen */
        break;
    }
    if (terminal->line >= terminal->lines)
        terminal->line = terminal->lines - 1;
}

/* Takes a byte that belongs to an escape sequence; acts when it is the last one. */
static void escape(struct terminal *terminal, char byte)
{
    assert_true(terminal->n_sequence + 1 < sizeof terminal->sequence);
    terminal->sequence[terminal->n_sequence++] = byte;
    terminal->sequence[terminal->n_sequence] = 0;
    char kind = terminal->n_sequence > 1 ? terminal->sequence[1] : 0;
    bool done = false;
    if (kind == '[' && terminal->n_sequence > 2 && byte >= '@') {
        char text[sizeof terminal->sequence];
        snprintf(text, sizeof text, "%.*s", (int)(terminal->n_sequence - 3), terminal->sequence + 2);
        control(terminal, text, byte);
        done = true;
    } else if (kind == '(' || kind == ')') {
        done = terminal->n_sequence == 3;
    } else if (kind && kind != '[') {
        done = true;
    }
    if (done)
        terminal->n_sequence = 0;
}

static void draw(struct terminal *terminal, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char byte = bytes[i];
        if (terminal->n_sequence || byte == 27) {
            terminal->n_escapes += byte == 27;
            escape(terminal, byte);
        } else if (byte == '\r') {
            terminal->column = 0;
        } else if (byte == '\n') {
            next_line(terminal);
        } else if (byte == '\b') {
            terminal->column -= terminal->column > 0;
        } else if (byte == '\t') {
            terminal->column = (terminal->column / 8 + 1) * 8;
        } else if ((unsigned char)byte >= ' ') {
            put(terminal, byte);
        }
    }
}

/* ---- the program in it ------------------------------------------------------------------------------------------- */

static void start(struct terminal *terminal, const char *kind, unsigned lines, unsigned columns, char **arguments)
{
    struct winsize size = {.ws_row = (unsigned short)lines, .ws_col = (unsigned short)columns};
    *terminal = (struct terminal){.lines = lines, .columns = columns};
    erase_all(terminal);
    assert_int_equal(openpty(&terminal->master, &terminal->slave, NULL, NULL, &size), 0);
    assert_int_equal(tcgetattr(terminal->slave, &terminal->before), 0);
    terminal->child = fork();
    assert_true(terminal->child >= 0);
    if (terminal->child == 0) {
        close(terminal->master);
        login_tty(dup(terminal->slave));
        setenv("TERM", kind, 1);
        setenv("LC_ALL", "C", 1);
        unsetenv("LINES");
        unsetenv("COLUMNS");
        execv(program, arguments);
        _exit(127);
    }
}

/* Takes what comes within 50 ms; false if the program has ended. */
static bool listen(struct terminal *terminal, int *result)
{
    char bytes[4096];
    struct pollfd input = {.fd = terminal->master, .events = POLLIN};
    if (poll(&input, 1, 50) > 0) {
        ssize_t n = read(terminal->master, bytes, sizeof bytes);
        draw(terminal, bytes, n > 0 ? (size_t)n : 0);
        return true;
    }
    return waitpid(terminal->child, result, WNOHANG) == 0;
}

static bool is_seen(const struct terminal *terminal, const char *text)
{
    for (unsigned line = 0; line < terminal->lines; line++)
        if (strstr(terminal->text[line], text))
            return true;
    return false;
}

static void fail_with_screen(const struct terminal *terminal, const char *text)
{
    for (unsigned line = 0; line < terminal->lines; line++)
        print_error("|%.*s|\n", (int)terminal->columns, terminal->text[line]);
    fail_msg("'%s' was not seen", text);
}

static void wait_for(struct terminal *terminal, const char *text)
{
    time_t end = time(NULL) + WAIT_SECONDS;
    int result;
    while (!is_seen(terminal, text))
        if (!listen(terminal, &result) || time(NULL) > end)
            fail_with_screen(terminal, text);
}

static void press(struct terminal *terminal, const char *keys)
{
    assert_int_equal(write(terminal->master, keys, strlen(keys)), (ssize_t)strlen(keys));
}

static void resize(struct terminal *terminal, unsigned lines, unsigned columns)
{
    struct winsize size = {.ws_row = (unsigned short)lines, .ws_col = (unsigned short)columns};
    terminal->lines = lines;
    terminal->columns = columns;
    erase_all(terminal); /* so that what is seen afterwards was drawn anew */
    assert_int_equal(ioctl(terminal->master, TIOCSWINSZ, &size), 0);
}

/* Waits for the end, checks that the terminal is as it was before, and gives the result of the process. */
static int finish(struct terminal *terminal)
{
    struct termios after;
    int result = 0;
    time_t end = time(NULL) + WAIT_SECONDS;
    while (listen(terminal, &result))
        if (time(NULL) > end)
            fail_with_screen(terminal, "the end");
    assert_int_equal(tcgetattr(terminal->slave, &after), 0);
    assert_int_equal(after.c_lflag, terminal->before.c_lflag);
    assert_int_equal(after.c_iflag, terminal->before.c_iflag);
    assert_int_equal(after.c_oflag, terminal->before.c_oflag);
    assert_false(terminal->alternate);
    close(terminal->slave);
    close(terminal->master);
    return result;
}

/* What a command line prints, its last line break cut off. */
static void output_of(const char *arguments, char *out, size_t n)
{
    char command[PATH_MAX + 300];
    snprintf(command, sizeof command, "'%s' %s", program, arguments);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(out, 1, n - 1, pipe);
    out[length] = 0;
    out[length - (length > 0)] = 0;
    assert_int_equal(pclose(pipe), 0);
}

/* ---- tests ------------------------------------------------------------------------------------------------------- */

#define ARGUMENTS(...)                                                                                                 \
    (char *[])                                                                                                         \
    {                                                                                                                  \
        "afterstate", "play", __VA_ARGS__, NULL                                                                        \
    }

/* Keys pressed before the window is there count as pressed in it, and those with a sequence that ncurses does not know
   are one key, whatever letter it ends with. */
static void test_keys_while_loading(void **state)
{
    (void)state;
    struct terminal terminal;
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--me", "--board", "3x3", "--seed", "7"));
    press(&terminal, "\033[B"); /* down, as the terminal sends it until ncurses switches its keys over */
    wait_for(&terminal, "move 1");
    wait_for(&terminal, "arrows, wasd, HJKL: move");        /* the person still plays */
    press(&terminal, "\033[H\033[1;5H\033[15~\033OP\033x"); /* Home, Ctrl-Home, F5, F1, Alt-x */
    press(&terminal, "\033[C");
    wait_for(&terminal, "move 2");
    press(&terminal, "A"); /* no key, since it is the end of an arrow's sequence */
    wait_for(&terminal, "that key does nothing here");
    wait_for(&terminal, "arrows, wasd, HJKL: move");
    press(&terminal, "q");
    assert_int_equal(finish(&terminal), 0);
}

/* Played by keys, taken back, resized, left; the record holds what was played. */
static void test_play_by_keys(void **state)
{
    (void)state;
    struct terminal terminal;
    char record[PATH_MAX], text[4096], command[PATH_MAX + 100];
    snprintf(record, sizeof record, "%s", scratch_path("keys.rec"));
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--me", "--board", "3x3", "--seed", "7", "--record", record));
    wait_for(&terminal, "score 0");
    assert_true(terminal.alternate);
    wait_for(&terminal, "you on 3x3, seed 7");
    static const char *const keys[] = {"\033OB", "\033OC", "s", "d", "J", "L"};
    unsigned n_keys = sizeof keys / sizeof *keys;
    for (unsigned i = 0; i < n_keys; i++) { /* down and right in turn are legal here */
        char seen[32];
        press(&terminal, keys[i]);
        snprintf(seen, sizeof seen, "move %u", i + 1);
        wait_for(&terminal, seen);
    }
    press(&terminal, "h");
    wait_for(&terminal, "value ");
    wait_for(&terminal, "2 plies");
    wait_for(&terminal, ">");
    press(&terminal, "u");
    wait_for(&terminal, "move 5");
    resize(&terminal, 12, 20); /* narrow: small tiles, short lines */
    wait_for(&terminal, ", tile ");
    resize(&terminal, 3, 5);
    wait_for(&terminal, "too s");
    resize(&terminal, 24, 80);
    wait_for(&terminal, "best tile");
    press(&terminal, "q");
    assert_int_equal(finish(&terminal), 0);
    assert_true(terminal.n_colours > 0);
    assert_true(is_seen(&terminal, "stopped early"));
    snprintf(command, sizeof command, "play --replay '%s' --moves", record);
    output_of(command, text, sizeof text);
    const char *last = strrchr(text, '\n');
    assert_non_null(last);
    assert_true(strncmp(last + 1, "5 down ", 7) == 0);
}

/* `hint` alone reads boards, and says so. */
static void test_hint_reads_boards(void **state)
{
    (void)state;
    struct terminal terminal;
    char *arguments[] = {"afterstate", "hint", "--board", "3x3", "--depth", "1", NULL};
    start(&terminal, "xterm-256color", 24, 100, arguments);
    wait_for(&terminal, "reading 3x3 boards, one a line, such as 000000321; Ctrl-D ends");
    press(&terminal, "100000001\n");
    wait_for(&terminal, "; depth 1");
    press(&terminal, "\004");
    assert_int_equal(finish(&terminal), 0);
}

/* Watching: pause, step, speed, take over, hand back, to the end of the game. */
static void test_watch(void **state)
{
    (void)state;
    struct terminal terminal;
    char expected[1024], seen[64];
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--board", "2x2", "--seed", "1", "--step"));
    wait_for(&terminal, "paused");
    wait_for(&terminal, "value ");
    press(&terminal, "s");
    wait_for(&terminal, "move 1");
    press(&terminal, ".");
    wait_for(&terminal, "move 2");
    press(&terminal, "u");
    wait_for(&terminal, "move 1");
    press(&terminal, "+");
    wait_for(&terminal, "15 ms between moves");
    press(&terminal, "-");
    wait_for(&terminal, "30 ms between moves");
    press(&terminal, "t");
    wait_for(&terminal, "your move");
    press(&terminal, "p");
    assert_int_equal(finish(&terminal), 0); /* the game ends, and with it the program */
    /* The same game as without a window, whatever was done to it on the way. */
    output_of("play --board 2x2 --seed 1 --games 1", expected, sizeof expected);
    unsigned score;
    assert_int_equal(sscanf(expected, "score %u", &score), 1);
    snprintf(seen, sizeof seen, "score %u, largest tile", score);
    assert_true(is_seen(&terminal, seen));
}

/* Ctrl-C, also in the middle of a search that would take minutes. */
static void test_interrupt(void **state)
{
    (void)state;
    struct terminal terminal;
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--time", "3600000"));
    wait_for(&terminal, "thinking");
    press(&terminal, "\003");
    assert_int_equal(finish(&terminal), 0);
    assert_true(is_seen(&terminal, "stopped early"));
}

/* A process that dies gives the terminal back first. */
static void check_death(int number)
{
    struct terminal terminal;
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--me"));
    wait_for(&terminal, "score 0");
    kill(terminal.child, number);
    assert_int_not_equal(finish(&terminal), 0);
    assert_int_equal(terminal.n_alternate, 1);
}

static void test_death(void **state)
{
    (void)state;
    check_death(SIGSEGV);
    check_death(SIGABRT);
    check_death(SIGHUP);
    check_death(SIGQUIT);
    /* Two interrupts at once: the first would be a polite stop, the second does not wait for it. */
    struct terminal terminal;
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--me"));
    wait_for(&terminal, "score 0");
    kill(terminal.child, SIGSTOP);
    kill(terminal.child, SIGINT);
    kill(terminal.child, SIGTERM);
    kill(terminal.child, SIGCONT);
    int result = finish(&terminal);
    assert_true(WIFSIGNALED(result) && (WTERMSIG(result) == SIGINT || WTERMSIG(result) == SIGTERM));
}

static void test_without_colours(void **state)
{
    (void)state;
    struct terminal terminal;
    start(&terminal, "vt100", 24, 80, ARGUMENTS("--me", "--seed", "7"));
    wait_for(&terminal, "score 0");
    press(&terminal, "q");
    assert_int_equal(finish(&terminal), 0);
    assert_int_equal(terminal.n_colours, 0);
    setenv("NO_COLOR", "1", 1);
    start(&terminal, "xterm-256color", 24, 80, ARGUMENTS("--me", "--seed", "7"));
    unsetenv("NO_COLOR");
    wait_for(&terminal, "score 0");
    press(&terminal, "q");
    assert_int_equal(finish(&terminal), 0);
    assert_int_equal(terminal.n_colours, 0);
    start(&terminal, "xterm", 24, 80, ARGUMENTS("--me", "--seed", "7")); /* eight colours */
    wait_for(&terminal, "score 0");
    press(&terminal, "q");
    assert_int_equal(finish(&terminal), 0);
    assert_true(terminal.n_colours > 0);
}

/* A dumb terminal, and an unknown one, get lines of text without a single escape. */
static void test_plain(void **state)
{
    (void)state;
    static const char *const kinds[] = {"dumb", "no-such-terminal", ""};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct terminal terminal;
        start(&terminal, kinds[i], 24, 80, ARGUMENTS("--me", "--board", "2x2", "--seed", "1"));
        wait_for(&terminal, "move 0  score 0");
        press(&terminal, "h\n");
        wait_for(&terminal, "hint: ");
        press(&terminal, "q\n");
        assert_int_equal(finish(&terminal), 0);
        assert_int_equal(terminal.n_escapes, 0);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: test_terminal PROGRAM\n");
        return 2;
    }
    program = argv[1];
    setenv("AFTERSTATE_NET", "simple", 1); /* the bundled network takes a second and 2 GiB at every start */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_play_by_keys, scratch_setup, scratch_teardown),
        cmocka_unit_test(test_keys_while_loading),
        cmocka_unit_test(test_hint_reads_boards),
        cmocka_unit_test(test_watch),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_death),
        cmocka_unit_test(test_without_colours),
        cmocka_unit_test(test_plain),
    };
    return cmocka_run_group_tests_name("terminal", tests, NULL, NULL);
}
