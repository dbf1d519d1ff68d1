/*
 * evaluator_choice: decides which evaluator is used: a network that was named, the bundled one, or the hand-made value.
 *
 * If no network is named, a 4x4 board is evaluated by the one that the environment variable AFTERSTATE_NET names, or
 * else by the bundled one (nets/default.net, see base/data_file.h). If that is missing or does not fit into memory, the
 * hand-made value takes its place, as it does on every other size. The names "simple", "bundled" and
 * "neural" mean the hand-made value, the bundled network and the neural one beside it (nets/neural.net), in a request
 * and in the variable.
 */
#ifndef AFTERSTATE_STUDY_EVALUATOR_CHOICE_H
#define AFTERSTATE_STUDY_EVALUATOR_CHOICE_H

#include "base/status.h"
#include "game/grid.h"
#include "study/evaluator.h"
#include "study/late_choice.h"
#include "study/late_lines.h"

#include <stdbool.h>
#include <stdio.h>

struct evaluator_request {
    const char *net;   /* a network file, "simple", "bundled" or "neural"; NULL: as above */
    const char *board; /* a size such as "3x4"; NULL: the network's, or 4x4 */
    enum load_form form;
    FILE *progress; /* optional: as in evaluator_load() */
    /*
     * Optional: the late game's network and tables beside an evaluator of 4x4, as in late_choice_find(); NULL or "off"
     * for neither. With `bundled_endgame` the bundled network alone gets them, otherwise other sizes are STATUS_USAGE.
     */
    const char *endgame, *late_net;
    bool bundled_endgame;
    /* Optional: the caller's searches take a specialist. If the folder of `endgame` has a table of chains, late games
       are played by it and a search of lines (late_lines.h), in place of the late game's network. */
    bool lines;
    /*
     * Optional: called with the reason when the hand-made value takes the place of the bundled network. Without it a
     * lack of memory is a failure: no figures of another player without a notice.
     */
    void (*notice)(const char *why);
};

/* Must not be moved while it is open: the evaluator may point to the grid. */
struct evaluator_choice {
    struct evaluator evaluator; /* zeroed until it is loaded */
    struct grid grid;
    char size[8];                        /* "4x4"; empty until the network is loaded where only its file says which */
    char *path;                          /* the network's file; NULL: the hand-made value */
    const char *name;                    /* the same, or "bundled", "neural" or "simple" */
    bool named;                          /* in the request or in the environment */
    struct late_choice late;             /* zeroed: the late game has no evaluator of its own */
    struct chain *chain;                 /* the tables of chains; NULL: there are none */
    struct late_lines lines;             /* begun where there are tables of chains */
    const struct specialist *specialist; /* for the search_settings of a player; NULL: there is none */
    /* The name, with "+lines" for tables of chains, "+endgame" for others, or "+late" for a late network alone. */
    char *player;
    /* The exponent from which this evaluator plays better by downgraded boards (search/downgrade.h), unless the user
       says otherwise; 0: never. Measured for the bundled network, which seldom saw such boards: docs/RESULTS.md. */
    unsigned downgrade;
};

/* Finds and loads an evaluator. STATUS_USAGE if the network is for another size; otherwise fails as evaluator_load()
   and late_choice_find(). To be closed in every case. */
enum status evaluator_choice_open(struct evaluator_choice *choice, const struct evaluator_request *request);
void evaluator_choice_close(struct evaluator_choice *choice); /* zeroed is fine */

/*
 * The two halves of evaluator_choice_open(). The first one loads nothing: it sets name, path, downgrade, late, player
 * and, where the size is known, size and grid. The second one may be called again after a failure.
 */
enum status evaluator_choice_find(struct evaluator_choice *choice, const struct evaluator_request *request);
enum status evaluator_choice_load(struct evaluator_choice *choice, const struct evaluator_request *request);

/* A word for logs of games that is the same for the same evaluator, wherever its file lies. STATUS_IO. */
enum { EVALUATOR_IDENTITY_BYTES = 128 };
enum status evaluator_choice_identify(const struct evaluator_choice *choice, char out[EVALUATOR_IDENTITY_BYTES]);

#endif
