/*
 * Any bytes as the set, the values and the moves of one age, which a table directory keeps in its blocks. The first
 * byte says which of the three. What opens is asked everything; what is read whole must be what single questions say.
 */
#include "fuzz_files.h"
#include "solve/age_code.h"
#include "solve/layout_create.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes);

enum { MAX_QUESTIONS = 200 };

static void ask_set(const uint8_t *data, size_t n_bytes)
{
    struct piece_code code;
    if (set_code_open(&code, data, n_bytes) != STATUS_OK)
        return;
    for (uint64_t i = 0; i < MAX_QUESTIONS && i < code.n_members; i++) {
        uint64_t number, position;
        bool found;
        if (set_code_select(&code, i, &number) != STATUS_OK || set_code_find(&code, number, &found, &position))
            continue; /* a piece that is no set is refused by both */
        (void)found;
    }
    bool found;
    uint64_t position;
    for (uint64_t number = 0; number < MAX_QUESTIONS; number++)
        (void)set_code_find(&code, number * 7919, &found, &position);
}

static void ask_values(const uint8_t *data, size_t n_bytes)
{
    struct value_code code;
    if (value_code_open(&code, data, n_bytes) != STATUS_OK)
        return;
    for (uint64_t i = 0; i < MAX_QUESTIONS && i < code.n_values; i++) {
        volatile double value = value_code_get(&code, i) + value_code_get(&code, code.n_values - 1 - i);
        (void)value;
    }
}

static void ask_moves(const uint8_t *data, size_t n_bytes)
{
    struct piece_code code;
    unsigned move;
    if (move_code_open(&code, data, n_bytes) != STATUS_OK)
        return;
    for (uint64_t number = 0; number < MAX_QUESTIONS; number++)
        if (move_code_find(&code, number * 7919, &move) == STATUS_OK && move > 3)
            abort();
}

/* Reads a whole set and whole moves of an age of 2x3, as the passes of the solver do. */
static void read_whole(const uint8_t *data, size_t n_bytes, bool is_set)
{
    static struct grid grid;
    static struct layout *layout;
    static struct workers *workers;
    if (!layout && (grid_create(&grid, 2, 3) || workers_create(&workers, 1) ||
                    layout_create(&layout, &grid, 0, 0, (struct walls){0})))
        abort();
    struct piece_code code;
    struct age_set set = {0};
    enum status status = is_set ? set_code_open(&code, data, n_bytes) : move_code_open(&code, data, n_bytes);
    if (status || code.age < 4 || code.age > 100 || code.age % 2)
        return;
    if (age_set_begin(&set, layout, code.age, workers) != STATUS_OK)
        abort();
    if (is_set && set_code_read(&code, workers, &set) == STATUS_OK &&
        (age_set_rank(&set, workers) != STATUS_OK || set.count != code.n_members))
        abort();
    if (!is_set && age_set_rank(&set, workers) == STATUS_OK) { /* no states: whatever it says, nothing is written */
        uint8_t move;
        (void)move_code_read(&code, workers, &set, &move);
    }
    age_set_free(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (n_bytes == 0)
        return 0;
    uint8_t *code = fuzz_copy(data + 1, n_bytes - 1);
    switch (data[0] % 3) {
    case 0:
        ask_set(code, n_bytes - 1);
        read_whole(code, n_bytes - 1, true);
        break;
    case 1:
        ask_values(code, n_bytes - 1);
        break;
    case 2:
        ask_moves(code, n_bytes - 1);
        read_whole(code, n_bytes - 1, false);
    }
    free(code);
    return 0;
}
