/* backward_parts: what backward.c and backward_resume.c share. */
#ifndef AFTERSTATE_SOLVE_BACKWARD_PARTS_H
#define AFTERSTATE_SOLVE_BACKWARD_PARTS_H

#include "solve/age_file.h"
#include "solve/backward.h"

struct backward {
    struct age_set after[3];             /* afterstates of ages t, t-2, t-4, in turn: backward_after_of() */
    struct memory_block after_values[3]; /* by position, in the form of the rules */
    struct age_bounds bounds[3];         /* of the afterstates and states of these ages */
    struct share_requests after_requests, state_requests;
    struct age_set states[2]; /* of t and t+2 */
    struct memory_block state_values[2];
    struct memory_block moves;     /* of the states of t */
    struct memory_block spare;     /* takes the place of values that are spread */
    struct age_file_writer writer; /* of values or moves */
    bool stores;                   /* something is written */
    uint32_t segment_age;          /* with checkpoints: first age of the segment in codes, 0 if none */
    struct code_bytes *codes;      /* checkpoint_every of them */
    double resumed_at;             /* when exact values were last saved */
};

static inline unsigned backward_slot_of(uint32_t age)
{
    return age / 2 % 3;
}

static inline struct age_set *backward_after_of(struct backward *backward, uint32_t age)
{
    return &backward->after[backward_slot_of(age)];
}

static inline struct age_bounds *backward_bounds_of(struct backward *backward, uint32_t age)
{
    return &backward->bounds[backward_slot_of(age)];
}

static inline unsigned backward_state_slot(uint32_t age)
{
    return age / 2 % 2;
}

/* The afterstates of an age, with ranks; the empty set beyond the ends. */
enum status backward_load_after(struct solver *solver, struct backward *backward, uint32_t age);

/* The values of the rank's own afterstates of an age, and how many they are. */
void *backward_own_values(const struct solver *solver, struct backward *backward, uint32_t age, uint64_t *n);

/* Finds the states of an age (step 1) and their values (step 2). */
enum status backward_value_states(struct solver *solver, struct backward *backward, uint32_t age, bool with_moves);

/* ---- backward_resume.c ------------------------------------------------------------------------------------------- */

/* Saves what a pass needs to begin at state age t. */
enum status backward_save(struct solver *solver, struct backward *backward, uint32_t age);

/* Where to resume: *age, with all that its iteration needs, from resume.table or from the top. */
enum status backward_begin(struct solver *solver, struct backward *backward, uint32_t *age);

#endif
