/* solve_rules: what a solve computes, how it keeps values in memory, and what it learns of an age on the way. */
#include "solve/solve_rules.h"

const char *const solve_variant_names[VARIANT_COUNT + 1] = {"normal", "optimistic", "pessimistic", NULL};
const char *const value_form_names[] = {"double", "fixed", NULL};
