#include "solve/solve_rules.h"

const char *const solve_variant_names[VARIANT_COUNT + 1] = {"normal", "optimistic", "pessimistic", NULL};
const char *const value_form_names[] = {"double", "fixed", NULL};
