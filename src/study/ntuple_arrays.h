/*
 * ntuple_arrays: the weights of n-tuple networks as plain arrays, for code that does not know their order in memory.
 *
 * The array of a table has one axis for each cell of its tuple, in ascending order of cells, and one place for each
 * digit along it; in C order, so the digit of the last cell runs fastest. docs/PYTHON.md has the names of the arrays in
 * a .npz file.
 */
#ifndef AFTERSTATE_STUDY_NTUPLE_ARRAYS_H
#define AFTERSTATE_STUDY_NTUPLE_ARRAYS_H

#include "base/status.h"
#include "ntuple/network.h"
#include "study/evaluator.h"

/*
 * Fills *spec: the size, the encoding ("plain 16", "1-7 8-13 14-17") and the stages ("1", "0 16384") from their texts,
 * no tuple yet. STATUS_INVALID where one makes no sense.
 */
enum status ntuple_spec_begin(struct network_spec *spec, unsigned rows, unsigned cols, const char *encoding,
                              const char *stages);
/* Adds a tuple; STATUS_INVALID as shape_add_tuple(). */
enum status ntuple_spec_add_tuple(struct network_spec *spec, const uint8_t *cells, unsigned n_cells);

/* Copies the weights of a table (table->n_weights) of a stage out of a network, or into it. */
void ntuple_get_table(const struct network *network, unsigned stage, const struct network_table *table, float *out);
void ntuple_put_table(struct network *network, unsigned stage, const struct network_table *table, const float *weights);

/* Network files of either kind to .npz and back; all but the weights come from the network file `like`. */
enum status network_file_to_npz(const char *network_path, const char *npz_path);
enum status network_file_from_npz(const char *npz_path, const char *like, const char *network_path);

/* Loads an n-tuple network as network_load(); *out is NULL, without a failure, if the file is a neural one. */
enum status ntuple_load(struct network **out, const char *path);
/* Saves one of which nothing is known but this note. */
enum status ntuple_save(const struct network *network, const char *path, const char *note);
/* An evaluator that owns the network, in the form in which it learns. */
struct evaluator ntuple_evaluator(struct network *network);

#endif
