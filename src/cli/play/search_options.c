/* search_options: the options of a search that play, eval and hint share. */
#include "cli/play/search_options.h"

#include "base/number_text.h"
#include "game/notation.h"

#include <math.h>
#include <stdio.h>

enum { TABLE_MAX_MIB = 1 << 20, TIME_MAX_MS = 3600 * 1000 };

#define IN(member)    OPTION_FIELD(struct search_options, member)
#define GIVEN(option) .given = offsetof(struct search_options, given[option])
const struct option_spec search_option_rows[SEARCH_OPTIONS] = {
    {"depth", 'd', "PLIES", IN(depth), "search depth; with --time the largest", OPTION_RANGE(1, SEARCH_MAX_DEPTH),
     GIVEN(SEARCH_DEPTH)},
    {"time", 0, "MS", OPTION_MS_FIELD(struct search_options, milliseconds),
     "time of a move, in milliseconds or as 20ms, 1s: deepens until it is over; 0 for no limit",
     OPTION_RANGE(0, TIME_MAX_MS), GIVEN(SEARCH_TIME)},
    {"tt", 0, "MB", OPTION_BYTES_FIELD(struct search_options, table_mib),
     "memory of each search's transposition table, in MiB or as 64MB; the default is 1 at 3 plies, 16 from 4 plies on "
     "and with --time, else 0",
     OPTION_RANGE(0, TABLE_MAX_MIB), .unit_bytes = 1 << 20, GIVEN(SEARCH_TABLE)},
    {"prune", 0, "P", IN(prune), "do not expand spawns that are reached with a smaller probability; 0 expands all",
     OPTION_RANGE(0, 1), GIVEN(SEARCH_PRUNE)},
    {"margin", 0, "POINTS", IN(margin),
     "do not expand moves that a shallow search finds worse by more points; 0 expands all",
     OPTION_RANGE(0, SEARCH_MAX_MARGIN), GIVEN(SEARCH_MARGIN)},
    {"downgrade", 0, "TILE", IN(downgrade),
     "from this tile on, evaluate boards with their large tiles halved; 0 for never, the default; play and hint with "
     "the bundled network do so from 32768",
     OPTION_RANGE(0, 1 << BOARD_MAX_VALUE), GIVEN(SEARCH_DOWNGRADE)},
};

enum status search_options_resolve(const struct search_options *options, unsigned n_threads,
                                   struct search_settings *settings)
{
    bool timed = options->milliseconds > 0;
    int64_t tile = options->downgrade;
    *settings = (struct search_settings){.depth = timed && !options->given[SEARCH_DEPTH] ? 0 : (unsigned)options->depth,
                                         .milliseconds = options->milliseconds,
                                         .prune = options->prune,
                                         .margin = options->margin,
                                         .n_threads = n_threads};
    if (tile != 0 && ((tile & (tile - 1)) != 0 || tile < notation_face(SEARCH_MIN_DOWNGRADE)))
        return status_fail(STATUS_USAGE, "option '--downgrade' is %lld, expected 0 or a tile of %u to %u",
                           (long long)tile, notation_face(SEARCH_MIN_DOWNGRADE), notation_face(BOARD_MAX_VALUE));
    if (tile != 0)
        settings->downgrade = (unsigned)__builtin_ctzll((unsigned long long)tile);
    settings->table_bytes = options->given[SEARCH_TABLE]
                                ? (size_t)(options->table_mib * (1 << 20))
                                : search_default_table_bytes((unsigned)options->depth, options->milliseconds);
    return search_settings_check(settings);
}

char *search_settings_text(const struct search_settings *settings, char out[SEARCH_TEXT_BYTES])
{
    int n = 0;
    if (settings->milliseconds > 0)
        n = snprintf(out, SEARCH_TEXT_BYTES, "%s a move%s", TEXT_OF_DURATION(settings->milliseconds * 1e-3),
                     settings->depth ? ", at most " : "");
    if (settings->depth)
        n += snprintf(out + n, SEARCH_TEXT_BYTES - (size_t)n, "%u-ply", settings->depth);
    if (settings->prune > 0)
        n += snprintf(out + n, SEARCH_TEXT_BYTES - (size_t)n, ", pruned below %g", settings->prune);
    if (settings->margin > 0)
        n += snprintf(out + n, SEARCH_TEXT_BYTES - (size_t)n, ", margin %g", settings->margin);
    if (settings->downgrade)
        snprintf(out + n, SEARCH_TEXT_BYTES - (size_t)n, ", downgraded from %u", notation_face(settings->downgrade));
    return out;
}

void search_settings_add_json(const struct search_settings *settings, struct json *json)
{
    if (settings->depth)
        json_add_unsigned(json, "depth", settings->depth);
    else
        json_add_null(json, "depth");
    json_add_real(json, "time_ms", settings->milliseconds > 0 ? settings->milliseconds : (double)NAN);
    json_add_real(json, "prune", settings->prune);
    json_add_real(json, "margin", settings->margin);
    if (settings->downgrade)
        json_add_unsigned(json, "downgrade", notation_face(settings->downgrade));
    else
        json_add_null(json, "downgrade");
    json_add_unsigned(json, "table_mib", settings->table_bytes >> 20);
}
