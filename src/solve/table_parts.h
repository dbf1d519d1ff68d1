/* table_parts: what the files of a table's reader share among themselves. */
#ifndef AFTERSTATE_SOLVE_TABLE_PARTS_H
#define AFTERSTATE_SOLVE_TABLE_PARTS_H

#include "solve/table.h"

/* Checks all there is of one age: checksums, every piece of its set, what the index says of them. `set` is working
   memory, which the caller ends. */
enum status table_check_age(const struct table *table, struct workers *workers, const struct table_age *known,
                            struct age_set *set);

#endif
