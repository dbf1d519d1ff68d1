#include "cli/play/search_options.h"

#include "game/notation.h"

#include <math.h>
#include <stdio.h>

enum { TABLE_MAX_MIB = 1 << 20, TIME_MAX_MS = 3600 * 1000, TABLE_FROM_DEPTH = 3 };

struct search_options search_options_default(unsigned depth)
{
    return (struct search_options){.depth = depth, .table_mib = SEARCH_TABLE_MIB};
}

#define IN(member) SETTING_FIELD(struct search_options, member)
static const struct setting rows[SEARCH_OPTIONS] = {
    [SEARCH_DEPTH] = {"search", "depth", NULL, IN(depth), "how far to look ahead; beside --time how far at most",
                      SETTING_LIMITS(1, SEARCH_MAX_DEPTH), SETTING_OPTION("depth", 'd', "PLIES")},
    [SEARCH_TIME] = {"search", "time", NULL, IN(milliseconds),
                     "milliseconds for a move, deeper and deeper until they are over; 0 for no limit",
                     SETTING_LIMITS(0, TIME_MAX_MS), SETTING_OPTION("time", 0, "MS")},
    [SEARCH_TABLE] = {"search", "table", NULL, IN(table_mib),
                      "MiB for the transposition table of each search; unless given, 1 at 3 plies, 16 from 4 plies on "
                      "and with --time, else none",
                      SETTING_LIMITS(0, TABLE_MAX_MIB), SETTING_OPTION("tt", 0, "MB")},
    [SEARCH_PRUNE] = {"search", "prune", NULL, IN(prune),
                      "do not look behind new tiles that are reached with a smaller probability; 0 looks at all",
                      SETTING_LIMITS(0, 1), SETTING_OPTION("prune", 0, "P")},
    [SEARCH_MARGIN] = {"search", "margin", NULL, IN(margin),
                       "do not look behind moves that are worse by more points at first sight; 0 looks at all",
                       SETTING_LIMITS(0, SEARCH_MAX_MARGIN), SETTING_OPTION("margin", 0, "POINTS")},
    [SEARCH_DOWNGRADE] = {"search", "downgrade", NULL, IN(downgrade),
                          "from this tile on, judge boards with their large tiles halved; 0 for never; unless given, "
                          "play and hint do so from 32768 with the bundled network",
                          SETTING_LIMITS(0, 1 << BOARD_MAX_VALUE), SETTING_OPTION("downgrade", 0, "TILE")},
};

struct option_spec search_option(struct search_options *options, enum search_option option)
{
    struct option_spec spec = option_setting(&rows[option], options);
    spec.given = &options->given[option];
    return spec;
}

enum status search_options_settle(const struct search_options *options, unsigned n_threads,
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
    if (options->given[SEARCH_TABLE] || timed || options->depth > TABLE_FROM_DEPTH)
        settings->table_bytes = (size_t)options->table_mib << 20;
    else if (options->depth == TABLE_FROM_DEPTH)
        settings->table_bytes = (size_t)SEARCH_TABLE_3_MIB << 20;
    return search_settings_check(settings);
}

char *search_settings_text(const struct search_settings *settings, char out[SEARCH_TEXT_BYTES])
{
    int n = 0;
    if (settings->milliseconds > 0)
        n = snprintf(out, SEARCH_TEXT_BYTES, "%g ms a move%s", settings->milliseconds,
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
