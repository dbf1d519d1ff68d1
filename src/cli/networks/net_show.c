/* net_show: prints networks and shapes, as text and as JSON. */
#include "cli/networks/net_show.h"

#include "base/number_text.h"
#include "cli/frame/command.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_COLUMNS = 80, GAP = 2, TEXT_BYTES = 256 };

/* Draws the tuples on stdout as small grids side by side, wrapped at 80 columns, `indent` blanks before each line. */
static void draw_shape(const struct grid *grid, const struct shape *shape, int indent)
{
    unsigned on_line = (unsigned)(PAGE_COLUMNS - indent) / (unsigned)(grid->cols + GAP);
    for (unsigned first = 0; first < shape->n_tuples; first += on_line) {
        unsigned end = first + on_line < shape->n_tuples ? first + on_line : shape->n_tuples;
        if (first > 0)
            putchar('\n');
        for (unsigned row = 0; row < grid->rows; row++) {
            printf("%*s", indent, "");
            for (unsigned i = first; i < end; i++) {
                char drawing[24];
                tuple_draw(grid, &shape->tuples[i], drawing);
                printf("%*s%.*s", i > first ? GAP : 0, "", grid->cols, drawing + row * (grid->cols + 1U));
            }
            putchar('\n');
        }
    }
}

static void print_encoding(const struct encoding *encoding, const struct grid *grid)
{
    char text[TEXT_BYTES];
    printf("encoding   %s", encoding_text(encoding, text));
    if (encoding_is_plain(encoding)) {
        printf(": empty to %u", 1U << encoding->ranges[0].last);
        puts(encoding->ranges[0].last < grid->max_value ? ", larger tiles count as that" : "");
        return;
    }
    puts(": vertical split");
    for (unsigned r = 0; r < encoding->n_ranges; r++) {
        const struct value_range *range = &encoding->ranges[r];
        bool larger = range->digit[range->last] + 1 < range->n_digits;
        printf("           %u to %u, %d labels: E%s, the values%s\n", 1U << range->first, 1U << range->last,
               range->n_digits, range->first > 1 ? ", S" : "", larger ? ", L" : "");
    }
}

/* What a stage is called: the tiles that make it. */
static const char *name_stage(const struct stages *stages, unsigned stage, char *out)
{
    if (stage == 0)
        return strcpy(out, stages->kind == STAGES_BITS ? "none of the tiles" : "from the start");
    char *to = out;
    struct board tiles = stages_first_tiles(stages, stage);
    if (stages->kind != STAGES_BITS)
        to += sprintf(to, "from ");
    for (unsigned cell = 0; board_get(tiles, cell) > 0; cell++)
        to += sprintf(to, cell ? " + %u" : "%u", 1U << board_get(tiles, cell));
    return out;
}

static void print_touched(const struct network_info *info)
{
    const struct stages *stages = &info->spec.stages;
    double stage_weights = (double)info->n_weights / stages->n_stages;
    uint64_t touched = 0;
    char count[32], name[TEXT_BYTES];
    for (unsigned i = 0; i < stages->n_stages; i++)
        touched += info->touched[i];
    printf("touched    %s weights, %.4g%%\n", number_text_count(count, touched),
           100 * (double)touched / (double)info->n_weights);
    for (unsigned i = 0; stages->n_stages > 1 && i < stages->n_stages; i++)
        printf("           stage %2u: %8.4g%%  (%s)\n", i, 100 * (double)info->touched[i] / stage_weights,
               name_stage(stages, i, name));
}

/* A text of several lines, all indented alike. */
static void print_lines(const char *title, const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        printf("%-10s %.*s\n", line == text ? title : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
}

void net_show_history(const struct network_history *history)
{
    char actions[32], plays[32];
    if (history->actions > 0)
        printf("trained    %s actions, %s plays, seed %" PRIu64 "\n", number_text_count(actions, history->actions),
               number_text_count(plays, history->plays), history->seed);
    else
        puts("trained    never");
    if (history->measured)
        printf("score      %s +- %s (%s)\n", TEXT_OF_REAL(history->score, 1), TEXT_OF_REAL(history->score_ci95, 1),
               history->measured);
    if (history->program)
        printf("program    afterstate %s\n", history->program);
    if (history->notes)
        print_lines("notes", history->notes);
    if (history->recipe)
        print_lines("recipe", history->recipe);
}

enum status net_show_info(const char *path, const struct network_info *info, const struct network_history *history,
                          uint64_t file_bytes)
{
    const struct network_spec *spec = &info->spec;
    struct grid grid;
    enum status status = grid_create(&grid, spec->rows, spec->cols);
    if (status)
        return status;
    char size[32], memory[32], count[32], text[TEXT_BYTES];
    unsigned n_tables = (unsigned)spec->shape.n_tuples * spec->encoding.n_ranges;
    printf("file       %s, %s, weights as %s\n", path, number_text_bytes(size, (double)(file_bytes)),
           network_precision_name(info->precision));
    printf("board      %dx%d\n", spec->rows, spec->cols);
    printf("tuples     %d, each in %d images: %u look-ups a board\n\n", spec->shape.n_tuples, grid.n_symmetries,
           n_tables * grid.n_symmetries);
    draw_shape(&grid, &spec->shape, 11);
    putchar('\n');
    print_encoding(&spec->encoding, &grid);
    grid_free(&grid);
    printf("stages     %s%s\n", stages_text(&spec->stages, text), spec->promote ? ", with promotion" : "");
    if (spec->unseen_mean)
        printf("unseen     weights count as the mean of their board's others\n");
    printf("weights    %s, %s in memory\n", number_text_count(count, info->n_weights),
           number_text_bytes(memory, (double)(info->n_weights * sizeof(float))));
    printf("initial    %g: an untouched board is worth %g\n", (double)spec->initial,
           (double)spec->initial * n_tables * (spec->rows == spec->cols ? 8 : 4));
    print_touched(info);
    net_show_history(history);
    return STATUS_OK;
}

static void add_tuples(struct json *json, const struct grid *grid, const struct shape *shape)
{
    json_open_array(json, "tuples");
    for (unsigned i = 0; i < shape->n_tuples; i++) {
        char text[32];
        json_open_object(json, NULL);
        json_add_text(json, "cells", tuple_list(&shape->tuples[i], text));
        json_add_text(json, "drawing", tuple_draw(grid, &shape->tuples[i], text));
        json_close(json);
    }
    json_close(json);
}

void net_add_history(struct json *json, const struct network_history *history)
{
    json_open_object(json, "history");
    json_add_text(json, "program", history->program);
    json_add_unsigned(json, "actions", history->actions);
    json_add_unsigned(json, "plays", history->plays);
    json_add_unsigned(json, "seed", history->seed);
    if (history->measured) {
        json_add_real(json, "score", history->score);
        json_add_real(json, "ci95", history->score_ci95);
    }
    json_add_text(json, "measured", history->measured);
    json_add_text(json, "recipe", history->recipe);
    json_add_text(json, "notes", history->notes);
    json_close(json);
}

enum status net_show_info_json(const char *path, const struct network_info *info, const struct network_history *history,
                               uint64_t file_bytes)
{
    const struct network_spec *spec = &info->spec;
    struct grid grid;
    enum status status = grid_create(&grid, spec->rows, spec->cols);
    if (status)
        return status;
    char text[TEXT_BYTES];
    struct json json;
    json_begin(&json);
    json_add_text(&json, "file", path);
    json_add_unsigned(&json, "file_bytes", file_bytes);
    json_add_text(&json, "kind", "n-tuple");
    json_add_text(&json, "precision", network_precision_name(info->precision));
    json_add_unsigned(&json, "rows", spec->rows);
    json_add_unsigned(&json, "cols", spec->cols);
    json_add_unsigned(&json, "count", spec->shape.n_tuples);
    add_tuples(&json, &grid, &spec->shape);
    json_add_unsigned(&json, "lookups", (uint64_t)spec->shape.n_tuples * spec->encoding.n_ranges * grid.n_symmetries);
    grid_free(&grid);
    json_add_text(&json, "encoding", encoding_text(&spec->encoding, text));
    json_add_text(&json, "stages", stages_text(&spec->stages, text));
    json_add_unsigned(&json, "n_stages", spec->stages.n_stages);
    json_add_flag(&json, "promote", spec->promote);
    json_add_text(&json, "unseen", spec->unseen_mean ? "mean" : "initial");
    json_add_real(&json, "initial", (double)spec->initial);
    json_add_unsigned(&json, "weights", info->n_weights);
    json_add_unsigned(&json, "memory_bytes", info->n_weights * sizeof(float));
    json_open_array(&json, "touched");
    for (unsigned i = 0; i < spec->stages.n_stages; i++)
        json_add_unsigned(&json, NULL, info->touched[i]);
    json_close(&json);
    net_add_history(&json, history);
    return cli_print_json(&json);
}

/* Shape, and weights of one stage with the encoding of its authors. */
static enum status measure_named(const struct named_shape *named, struct grid *grid, struct network_spec *spec,
                                 uint64_t *n_weights)
{
    uint64_t bytes;
    *spec = (struct network_spec){.rows = named->rows, .cols = named->cols};
    enum status status = grid_create(grid, named->rows, named->cols);
    if (status)
        return status;
    status = shape_from_name(&spec->shape, grid, named->name);
    if (status)
        return status;
    status = encoding_parse(&spec->encoding, grid, named->encoding);
    if (status)
        return status;
    status = stages_parse(&spec->stages, "1");
    if (status)
        return status;
    return network_measure(spec, n_weights, &bytes);
}

enum status net_show_names(void)
{
    size_t n_names;
    const struct named_shape *names = shape_names(&n_names);
    for (size_t i = 0; i < n_names; i++) {
        struct grid grid;
        struct network_spec spec;
        uint64_t n_weights;
        char count[32];
        enum status status = measure_named(&names[i], &grid, &spec, &n_weights);
        if (status)
            return status;
        printf("%s%s  (%s)\n", i ? "\n" : "", names[i].name, names[i].what);
        printf("  %dx%d, %s weights a stage with %s\n\n", names[i].rows, names[i].cols,
               number_text_count(count, n_weights), names[i].encoding);
        draw_shape(&grid, &spec.shape, 2);
        grid_free(&grid);
    }
    return STATUS_OK;
}

enum status net_show_names_json(void)
{
    size_t n_names;
    const struct named_shape *names = shape_names(&n_names);
    struct json json;
    json_begin(&json);
    json_add_unsigned(&json, "count", n_names);
    json_open_array(&json, "shapes");
    for (size_t i = 0; i < n_names; i++) {
        struct grid grid;
        struct network_spec spec;
        uint64_t n_weights;
        enum status status = measure_named(&names[i], &grid, &spec, &n_weights);
        if (status) {
            json_free(&json);
            return status;
        }
        json_open_object(&json, NULL);
        json_add_text(&json, "name", names[i].name);
        json_add_text(&json, "what", names[i].what);
        json_add_unsigned(&json, "rows", names[i].rows);
        json_add_unsigned(&json, "cols", names[i].cols);
        json_add_text(&json, "encoding", names[i].encoding);
        json_add_unsigned(&json, "weights", n_weights);
        add_tuples(&json, &grid, &spec.shape);
        json_close(&json);
        grid_free(&grid);
    }
    json_close(&json);
    return cli_print_json(&json);
}
