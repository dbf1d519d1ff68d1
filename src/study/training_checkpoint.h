/*
 * training_checkpoint: everything that going on with a run needs, in one block file: the recipe, the log, the counters,
 * the weights, and what the trainer keeps. One file, replaced whole, so weights and accumulators always belong
 * together. docs/FORMATS.md, "Checkpoints", has the blocks.
 */
#ifndef AFTERSTATE_STUDY_TRAINING_CHECKPOINT_H
#define AFTERSTATE_STUDY_TRAINING_CHECKPOINT_H

#include "base/blockfile.h"
#include "base/status.h"
#include "study/training_model.h"

#include <stdint.h>

/* What a run knows about itself besides its trainer. */
struct training_counters {
    uint64_t actions;      /* of the trainer at this point */
    uint64_t evaluated_at; /* actions at the last line of the log, 0 before the first */
    double seconds;        /* spent learning */
    /* The trainer's totals at the last line of the log. */
    double line_seconds, line_score_sum;
    uint64_t line_new_plays;
    /* The measurement of that line; 0 games if there was none. */
    uint64_t eval_depth, eval_games;
    double eval_mean, eval_ci95;
};

struct training_checkpoint {
    struct training_counters counters;
    char *recipe, *log; /* texts */
    struct block_reader *reader;
};

/*
 * Writes a checkpoint. On failure (STATUS_IO, STATUS_NO_MEMORY; STATUS_INVALID if learning diverged) the file that was
 * there is as it was. Nobody may train meanwhile.
 */
enum status training_checkpoint_save(const char *path, const struct training_counters *counters, const char *recipe,
                                     const char *log, const struct training_model *model);

/*
 * Opens a checkpoint and reads its small parts; end it with training_checkpoint_close(). STATUS_IO if there is none,
 * STATUS_CORRUPT, with the reason, if it is damaged. On failure everything in *checkpoint is zero.
 */
enum status training_checkpoint_open(struct training_checkpoint *checkpoint, const char *path);

/* The same of a file in memory, which stays until the checkpoint is closed; `path` stands in messages. */
enum status training_checkpoint_open_memory(struct training_checkpoint *checkpoint, const void *data, size_t bytes,
                                            const char *path);

/* Fills the weights and the trainer, which were made with the checkpoint's recipe. On failure they are a mixture. */
enum status training_checkpoint_load(const struct training_checkpoint *checkpoint, struct training_model *model);
/* The same where they were made with another one and the checkpoint's comes to `was` (training_model_load_changed()).
 */
enum status training_checkpoint_load_changed(const struct training_checkpoint *checkpoint, struct training_model *model,
                                             const struct train_plan *was);

void training_checkpoint_close(struct training_checkpoint *checkpoint); /* a zeroed struct is fine */

#endif
