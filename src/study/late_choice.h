/*
 * late_choice: finds the network for the late game and the endgame tables, and puts them beside an evaluator of 4x4.
 *
 * Tables are made by `afterstate endgame build`, in the folder that the environment variable AFTERSTATE_ENDGAME names
 * or else in the user's data folder ($XDG_DATA_HOME/afterstate/endgame, by default below ~/.local/share).
 */
#ifndef AFTERSTATE_STUDY_LATE_CHOICE_H
#define AFTERSTATE_STUDY_LATE_CHOICE_H

#include "base/status.h"
#include "solve/endgame.h"
#include "study/evaluator.h"

#include <stdbool.h>

/* The folder of the user's tables, which need not be there; the caller frees it. NULL if neither the environment nor a
   home says where. */
char *late_choice_folder(void);

/* Where the program's own network for the late game lies; the caller frees it. NULL if there is none. */
char *late_choice_network(void);

/* What the late game is played with. Zeroed: nothing of its own. */
struct late_choice {
    char *net;               /* the late network's file; NULL: there is none */
    struct endgame *endgame; /* NULL: no tables */
};

/*
 * Finds the network `net` (NULL: late_choice_network()) and opens the tables: `endgame` is a folder of them, or "none"
 * for the network alone (a `net` that was trained so), or "auto" for those in late_choice_folder(). With "auto" *choice
 * is zeroed unless network and tables are there and all tables finished. STATUS_INVALID if there is no network;
 * otherwise as endgame_open(). *choice is zeroed on failure.
 */
enum status late_choice_find(struct late_choice *choice, const char *endgame, const char *net);
void late_choice_close(struct late_choice *choice); /* and zeroes it; zeroed is fine */

/*
 * Loads the network and puts it and the tables beside *evaluator, an evaluator of 4x4, which then owns the network and
 * borrows the tables. Fails as evaluator_load(), and with STATUS_INVALID for a network of another size; the evaluator
 * is then as before.
 */
enum status late_choice_add(const struct late_choice *choice, struct evaluator *evaluator, enum load_form form,
                            FILE *progress);

#endif
