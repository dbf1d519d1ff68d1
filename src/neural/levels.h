/*
 * levels: the different rows of each layer for a batch of boards (compute.h says what a row is), and how each tap of a
 * layer is multiplied. Private to compute.c, which fills and reads the values.
 */
#ifndef AFTERSTATE_NEURAL_LEVELS_H
#define AFTERSTATE_NEURAL_LEVELS_H

#include "base/status.h"
#include "game/board.h"
#include "neural/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a tap of a filter is multiplied. */
struct tap_plan {
    bool shared;         /* different input rows once each, then added; otherwise gathered for each output row */
    bool in_order;       /* shared: the different rows are the first ones of the level below; no copy is needed */
    size_t n_different;  /* shared */
    uint32_t *different; /* shared: [n_different] rows of the level below */
    uint32_t *local;     /* shared: [output row of the filter]: place in `different` */
};

/* The output of one layer for a batch. */
struct level {
    const struct neural_layer *layer;
    bool copies;            /* one slab from one slab: its rows are those of the level below */
    size_t n_rows;          /* different ones in this batch */
    size_t *begin;          /* [filter]: its first row; [n_filters] is n_rows */
    size_t *max_rows;       /* [filter]: slabs * boards */
    uint32_t *inputs;       /* [row * taps + tap]: rows below; planes for the first layer */
    uint32_t *row_of;       /* [slab * boards + board] */
    struct tap_plan *plans; /* [filter * taps + tap] */
    uint32_t *lists;        /* storage of the plans */
    neural_real *values, *errors;
    bool half;        /* its product is one of 16-bit numbers (half_weights.h) */
    uint16_t *halves; /* the values in 16 bits, if the next level's product needs them */
};

struct levels {
    const struct neural *neural;
    size_t max_boards, n_boards;
    struct level level[NEURAL_MAX_LAYERS];
    uint32_t *planes; /* [cell * boards + board] */
    uint32_t *table;  /* hash table of rows: row + 1, or 0 */
    uint64_t *seen;   /* [row below]: stamp of the tap that saw it last, and its place there */
    size_t n_seen;
    uint32_t stamp;
};

/* Allocates the lists for batches of up to max_boards boards. STATUS_NO_MEMORY. To be freed in every case. */
enum status levels_create(struct levels *levels, const struct neural *neural, size_t max_boards);
void levels_free(struct levels *levels); /* zeroed is fine */

/* Finds the rows of all levels for n boards, 1 <= n <= max_boards, and plans the products. */
void levels_find_rows(struct levels *levels, const struct board *boards, size_t n);

#endif
