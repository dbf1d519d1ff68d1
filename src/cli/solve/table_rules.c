#include "cli/solve/table_rules.h"

#include <stdio.h>

int table_rules_digits(const struct table *table)
{
    return table_summary(table)->goal ? 6 : 4;
}

void table_rules_print(const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    char objective[TABLE_OBJECTIVE_BYTES];
    if (summary->goal)
        printf("objective   %s, the chance that this tile is made\n", table_objective_text(summary->goal, objective));
    if (summary->chance_of_4 != TABLE_USUAL_CHANCE_OF_4)
        printf("four chance %.10g\n", summary->chance_of_4);
}

void table_rules_add_json(struct json *json, const struct table_summary *summary)
{
    char objective[TABLE_OBJECTIVE_BYTES];
    json_add_text(json, "objective", table_objective_text(summary->goal, objective));
    json_add_real(json, "four_chance", summary->chance_of_4);
}
