/* Writes row_table.c, the constant of row_table.h. Runs while the program is built: generate_row_table OUTPUT.c */
#include "../line.h"

#include <inttypes.h>
#include <stdio.h>

/* The line in `row`, moved to its start, packed again; values are clamped to 15 as in a board's `cells`. */
static uint64_t move_row(unsigned row, bool reversed, uint32_t *reward)
{
    uint8_t line[4];
    for (unsigned i = 0; i < 4; i++)
        line[reversed ? 3 - i : i] = row >> 4 * i & 15;
    *reward = line_move_to_start(line, 4);
    uint64_t moved = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t value = line[reversed ? 3 - i : i];
        moved |= (value < 15 ? value : 15) << 4 * i;
    }
    return moved;
}

int main(int argc, char **argv)
{
    FILE *out = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!out) {
        fprintf(stderr, "usage: generate_row_table OUTPUT.c (a path that can be written)\n");
        return 1;
    }
    fprintf(out, "/* Made by generate_row_table; see src/game/row_table.h. */\n#include \"game/row_table.h\"\n\n"
                 "const uint64_t row_table[65536] = {\n");
    for (unsigned row = 0; row < 65536; row++) {
        uint32_t reward, reward_end;
        uint64_t start = move_row(row, false, &reward);
        uint64_t end = move_row(row, true, &reward_end);
        if (reward != reward_end) {
            fprintf(stderr, "generate_row_table: row %04x is worth %u one way and %u the other\n", row, reward,
                    reward_end);
            return 1;
        }
        fprintf(out, "0x%" PRIx64 "u,%c", (uint64_t)reward << 32 | end << 16 | start, row % 8 == 7 ? '\n' : ' ');
    }
    fprintf(out, "};\n");
    return ferror(out) || fclose(out) ? 1 : 0;
}
