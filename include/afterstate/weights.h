/*
 * afterstate/weights.h: the weights of networks, to read and to set. Included by afterstate.h, whose conventions hold.
 *
 * The value of a board by an n-tuple network is the sum of one weight of each table for each symmetric image of the
 * board (8 on square boards, else 4). A table belongs to a tuple, a range of values and a stage. Its weight is found
 * by the digits of the tuple's cells: digit(value) of cell 0 of the tuple, then of cell 1, and so on, as the indices of
 * an array in C order (the last one runs fastest) with n_digits along each of n_cells axes.
 */
#ifndef AFTERSTATE_WEIGHTS_H
#define AFTERSTATE_WEIGHTS_H

#include <afterstate/core.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AS_MAX_TUPLES = 64,
    AS_MAX_TUPLE_CELLS = 9,
    AS_ENCODING_BYTES = 64, /* room for any encoding as text, the final 0 included */
    AS_STAGES_BYTES = 256,  /* room for any stages as text, the final 0 included */
};

/* In which form as_network_load() keeps an n-tuple network; its values are the same in all. */
enum as_network_form {
    AS_NETWORK_COMPACT = 0, /* little memory, quick to load; what as_network_open() does */
    AS_NETWORK_FAST = 1,    /* twice as long to load, for many boards */
    AS_NETWORK_WEIGHTS = 2, /* 4 bytes a weight, as it was trained: its weights can be read and changed */
};

/* What an n-tuple network is, without its weights. */
struct as_ntuple_spec {
    size_t size; /* sizeof(struct as_ntuple_spec) */
    unsigned rows, cols;
    unsigned n_tuples;                                /* 1 .. AS_MAX_TUPLES */
    uint8_t n_cells[AS_MAX_TUPLES];                   /* of each tuple, 1 .. AS_MAX_TUPLE_CELLS */
    uint8_t cells[AS_MAX_TUPLES][AS_MAX_TUPLE_CELLS]; /* row * cols + column, ascending, no cell twice */
    char encoding[AS_ENCODING_BYTES];                 /* "plain 16", or ranges of values such as "1-7 8-13 14-17" */
    char stages[AS_STAGES_BYTES];                     /* "1", or tiles with which stages begin, "0 16384 32768" */
    int promote;     /* 1: a weight that is `initial` still takes that of the stage before */
    int unseen_mean; /* 1: a weight that is 0 counts as the mean of the others of its board; initial must be 0 */
    float initial;   /* every weight of a new network */
};

/* The tables of one stage; all stages have the same. */
struct as_ntuple_table {
    unsigned tuple;    /* number of its tuple */
    unsigned range;    /* number of its range of values */
    unsigned n_cells;  /* of the tuple */
    unsigned n_digits; /* n_weights = n_digits to the power of n_cells */
    uint64_t n_weights;
    uint8_t cells[AS_MAX_TUPLE_CELLS];
    uint8_t digit[AS_MAX_VALUE + 1]; /* of each value */
};

/* Loads a network in a form; neural ones have one only. Fails as as_network_open(). */
AS_API enum as_status as_network_load(struct as_network **out, const char *path, enum as_network_form form);

/*
 * A new n-tuple network, every weight `initial`, in the form AS_NETWORK_WEIGHTS. AS_INVALID if the spec makes no sense
 * or has more than 512 look-ups or 2^32 weights a stage, AS_USAGE for NULL, AS_NO_MEMORY; *out is then NULL.
 */
AS_API enum as_status as_network_create(struct as_network **out, const struct as_ntuple_spec *spec);

/*
 * What a network in the form AS_NETWORK_WEIGHTS is: spec->size says how much of it is filled. *n_stages and *n_tables
 * (of a stage) may be NULL. AS_USAGE for a network in another form, as in all functions below.
 */
AS_API enum as_status as_network_get_spec(const struct as_network *network, struct as_ntuple_spec *spec,
                                          unsigned *n_stages, unsigned *n_tables);
AS_API enum as_status as_network_get_table(const struct as_network *network, unsigned table,
                                           struct as_ntuple_table *about);

/*
 * Copies the n_weights weights of a table, out, or in. AS_USAGE if there is no such stage or table, AS_INVALID (and
 * nothing changed) for a weight that is not finite. No other thread may use the network while weights are put in.
 */
AS_API enum as_status as_network_get_weights(const struct as_network *network, unsigned stage, unsigned table,
                                             float *weights);
AS_API enum as_status as_network_set_weights(struct as_network *network, unsigned stage, unsigned table,
                                             const float *weights);

/* Writes the network to a file; an old one stays until the new one is complete. AS_IO. */
AS_API enum as_status as_network_save(const struct as_network *network, const char *path);

/*
 * Network files to and from NumPy's .npz, as `afterstate net export` and `net import` (docs/PYTHON.md has the names of
 * the arrays). Import takes all but the weights from the network file `like`.
 */
AS_API enum as_status as_network_export(const char *network_path, const char *npz_path);
AS_API enum as_status as_network_import(const char *npz_path, const char *like_path, const char *network_path);

#ifdef __cplusplus
}
#endif

#endif
