/* table_rules: what the values of a solved table are and how often a new tile is a 4, as the verbs show it. */
#ifndef AFTERSTATE_CLI_TABLE_RULES_H
#define AFTERSTATE_CLI_TABLE_RULES_H

#include "solve/table.h"

/* Digits after the point of a value: chances need more than points. */
int table_rules_digits(const struct table *table);

/* A line for the objective and one for the chance of a 4 to stdout, each only where it is not the game's own. */
void table_rules_print(const struct table *table);

#endif
