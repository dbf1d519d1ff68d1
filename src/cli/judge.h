/*
 * judge: who says what a board is worth: a network of any kind from a file, or the hand-made value on the board
 * asked for.
 *
 * Where nobody names a network, a 4x4 board is judged by that of the variable AFTERSTATE_NET, or else by the bundled
 * one (nets/default.net, see base/data_file.h). If there is none, or no memory for it, a note on stderr says so and the
 * hand-made value judges, as it does on every other size (--json and --quiet, which show no note, fail without the
 * memory). The names "simple" and "bundled" mean the hand-made value and the bundled network, on the command line and
 * in the variable.
 */
#ifndef AFTERSTATE_CLI_JUDGE_H
#define AFTERSTATE_CLI_JUDGE_H

#include "base/status.h"
#include "cli/options.h"
#include "game/grid.h"
#include "game/simple_value.h"
#include "game/value.h"
#include "study/value_file.h"

/* Must not be moved while it is open: the hand-made value points to the grid. */
struct judge {
    struct value_file file; /* zeroed: the hand-made value judges */
    struct simple_value *simple;
    struct grid grid;
    struct value_function function;
    char size[8];     /* "4x4"; empty until the network is loaded where its file says which */
    char *path;       /* the network's file; NULL: none */
    const char *name; /* the same, or "bundled", or "simple" */
    bool named;       /* on the command line or in the environment */
    /* The exponent from which this judge plays better by downgraded boards (search/downgrade.h), where nobody says
       otherwise; 0: never. Measured for the bundled network, which seldom saw such boards: docs/RESULTS.md. */
    unsigned downgrade;
};

/*
 * Opens a judge. `net` is a network file, one of the two names, or NULL for whatever there is; `board` is a size such
 * as "3x4", or NULL for the network's or 4x4; `form` as in value_file.h. STATUS_USAGE if the network is for another
 * size. To be closed in every case.
 */
enum status judge_open(struct judge *judge, const char *net, const char *board, enum load_form form,
                       const struct common_options *common);
void judge_close(struct judge *judge); /* zeroed is fine */

/*
 * The two halves of judge_open(). judge_choose() finds the network but does not load it: name, path, downgrade and,
 * where the size is known, size and grid are set. judge_load() does the rest; after a failure it may be called again.
 */
enum status judge_choose(struct judge *judge, const char *net, const char *board, const struct common_options *common);
enum status judge_load(struct judge *judge, enum load_form form, const struct common_options *common);

/* A word for logs of games that is the same for the same judge, wherever its file lies. STATUS_IO. */
enum { JUDGE_IDENTITY_BYTES = 64 };
enum status judge_identify(const struct judge *judge, char out[JUDGE_IDENTITY_BYTES]);

#endif
