/*
 * training_checkpoint: the file from which a run resumes: its recipe, log, counters, weights and the state of its
 * trainer. It is replaced as a whole, so weights and accumulators always belong together. docs/FORMATS.md,
 * "Checkpoints", has the blocks.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_CHECKPOINT_H
#define AFTERSTATE_STUDY_TRAINING_CHECKPOINT_H

#include "base/blockfile.h"
#include "base/status.h"
#include "study/training_model.h"

#include <stdint.h>

/* Counters of a run besides those of its trainer. */
struct training_counters {
    uint64_t actions;      /* of the trainer */
    uint64_t evaluated_at; /* actions at the last measurement, 0 before the first */
    double seconds;        /* spent learning */
    /* The trainer's totals at the last measurement. */
    double line_seconds, line_score_sum;
    uint64_t line_new_plays;
    /* That measurement; 0 games if there was none. */
    uint64_t eval_depth, eval_games;
    double eval_mean, eval_ci95;
};

struct training_checkpoint {
    struct training_counters counters;
    char *recipe, *log; /* texts, owned, as the reader */
    struct block_reader *reader;
};

/*
 * Writes a checkpoint; not to be called while the model trains. STATUS_IO, STATUS_NO_MEMORY; STATUS_INVALID if learning
 * diverged. On failure an earlier file is unchanged.
 */
enum status training_checkpoint_save(const char *path, const struct training_counters *counters, const char *recipe,
                                     const char *log, const struct training_model *model);

/* Keeps the checkpoint that is about to be replaced as `spare`, where the file system has hard links. */
void training_checkpoint_keep(const char *path, const char *spare);

/*
 * Opens a checkpoint and reads all but the model; to be closed by training_checkpoint_close(). STATUS_IO if there is
 * none, STATUS_CORRUPT, with the reason, if it is damaged; *checkpoint is then zeroed.
 */
enum status training_checkpoint_open(struct training_checkpoint *checkpoint, const char *path);

/* The same from data[0 .. bytes-1], which is borrowed until the checkpoint is closed; messages call it `path`. */
enum status training_checkpoint_open_memory(struct training_checkpoint *checkpoint, const void *data, size_t bytes,
                                            const char *path);

/* Loads a model that was created by the checkpoint's recipe (`was` is NULL) or by another one (`was` is the plan of the
   checkpoint's), as training_model_load(). A model that failed to load is only good to be freed. */
enum status training_checkpoint_load(const struct training_checkpoint *checkpoint, struct training_model *model,
                                     const struct train_plan *was);

void training_checkpoint_close(struct training_checkpoint *checkpoint); /* zeroed is fine */

#endif
