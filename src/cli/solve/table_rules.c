/* table_rules: what the values of a solved table are and how often a new tile is a 4, as the verbs show it. */
#include "cli/solve/table_rules.h"

#include <stdio.h>

int table_rules_digits(const struct table *table)
{
    return table_summary(table)->goal ? 6 : 4;
}

static void print_walls(struct walls walls)
{
    char text[WALLS_TEXT_BYTES];
    const char *name = walls_name(walls.cells);
    printf("walls       %s%s%s\n", walls_text(walls.cells, text), name ? ", " : "", name ? name : "");
    if (walls.at)
        printf("target at   %s\n", walls_text(walls.at, text));
    char caps[WALLS_CAPS_TEXT_BYTES];
    if (walls.caps)
        printf("caps        %s\n", walls_caps_text(walls.caps, caps));
}

void table_rules_print(const struct table *table)
{
    const struct table_summary *summary = table_summary(table);
    char objective[TABLE_OBJECTIVE_BYTES];
    if (summary->goal)
        printf("objective   %s, the chance that this tile is made\n", table_objective_text(summary->goal, objective));
    if (summary->walls.cells)
        print_walls(summary->walls);
    if (summary->chance_of_4 != TABLE_USUAL_CHANCE_OF_4)
        printf("four chance %.10g\n", summary->chance_of_4);
}
