/* lookup: the hot path of a network: from a board to the indices of its weights, and from these to its value. */
#include "ntuple/lookup.h"

void lookup_indices_exact(const struct network *network, struct board board, uint32_t *index)
{
    for (unsigned s = 0; s < network->n_symmetries; s++) {
        struct board image = grid_image(&network->grid, board, s);
        for (unsigned t = 0; t < network->n_tables; t++) {
            const struct network_table *table = &network->tables[t];
            const struct tuple *tuple = &network->spec.shape.tuples[table->tuple];
            const struct value_range *range = &network->spec.encoding.ranges[table->range];
            uint32_t sum = table->offset;
            for (unsigned k = 0; k < tuple->n_cells; k++)
                sum += network_cell_part(network, table, k, range->digit[board_get(image, tuple->cells[k])]);
            index[t * network->n_symmetries + s] = sum;
        }
    }
}
