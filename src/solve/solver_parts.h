/* solver_parts: what the passes of a solve and its repair share; private to the solver's files. */
#ifndef AFTERSTATE_SOLVE_SOLVER_PARTS_H
#define AFTERSTATE_SOLVE_SOLVER_PARTS_H

#include "game/grid.h"
#include "solve/age_code.h"
#include "solve/age_file.h"
#include "solve/age_set.h"
#include "solve/age_share.h"
#include "solve/layout.h"
#include "solve/solve_settings.h"
#include "solve/table_index.h"

struct solver {
    const struct solve_settings *settings;
    struct workers *workers;
    struct age_share share;            /* among the ranks; its cluster is NULL while rank 0 repairs files alone */
    uint64_t sent_before[SHARE_KINDS]; /* share.n_sent after the last age that was reported */
    struct solve_report *report;
    struct grid grid;
    struct layout *layout;
    struct table_index index;
    struct solve_rules rules;
    struct age_frame *frame; /* scratch, for sizes */
    int lock;                /* the directory, locked against a second solve; -1: not yet */
    uint32_t forward_to_age;
    uint64_t table_bytes; /* of the layout */
};

/* The ages of all games with the solver's settings. */
uint32_t solver_first_age(const struct solver *solver);
uint32_t solver_last_age(const struct solver *solver);

/* STATUS_NO_MEMORY, with the age and both numbers, if `bytes` are more than allowed. */
enum status solver_check_memory(const struct solver *solver, uint32_t age, uint64_t bytes);

/* Bytes of a set of an age, with ranks or without. */
uint64_t solver_set_bytes(const struct solver *solver, uint32_t age, bool ranked);

/* Whether this rank reads and writes the files. */
bool solver_is_first(const struct solver *solver);

/* The same status on all ranks, after what each did by itself; see cluster_agree(). */
enum status solver_agree(const struct solver *solver, enum status status);

/* Reports what all ranks have sent since the last call, if the settings ask for it. Collective; after each age. */
void solver_report_traffic(struct solver *solver, bool backward, uint32_t age, uint64_t n_states);

/* The stored set of an age: on each rank its own rows, whose bounds are chosen here. Collective, as age_share.h has
   it. */
enum status solver_load_set(struct solver *solver, uint32_t age, struct age_set *set, struct age_bounds *bounds);

/* A writer of files of a kind, none open yet. */
struct age_file_writer solver_file_writer(const struct solver *solver, enum age_file_kind kind);

/* Removes a file of the directory; fine if it is not there. */
enum status solver_remove_file(const struct solver *solver, const char *name);

/*
 * Makes sure that solver->layout has all ages up to max_age, and the two after it, whose states are begun too.
 * STATUS_NO_MEMORY.
 */
enum status solver_prepare_layout(struct solver *solver, uint32_t max_age);

/* The index of a solve that has not begun. */
void solver_reset_index(struct solver *solver);

#endif
