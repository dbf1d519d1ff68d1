/*
 * search_options: the options of a search (depth, time, transposition table, pruning, downgrading) that play, eval and
 * hint share.
 *
 * A verb puts OPTION_GROUP_OF(search_option_rows, ..) into its table of options and turns what was read into settings
 * with search_options_resolve().
 */
#ifndef AFTERSTATE_CLI_SEARCH_OPTIONS_H
#define AFTERSTATE_CLI_SEARCH_OPTIONS_H

#include "base/json.h"
#include "base/status.h"
#include "cli/frame/options.h"
#include "search/searcher.h"

enum search_option { SEARCH_DEPTH, SEARCH_TIME, SEARCH_TABLE, SEARCH_PRUNE, SEARCH_MARGIN, SEARCH_DOWNGRADE };
enum { SEARCH_OPTIONS = SEARCH_DOWNGRADE + 1 };

struct search_options {
    int64_t depth, downgrade;
    double table_mib;
    double milliseconds, prune, margin;
    bool given[SEARCH_OPTIONS]; /* which were given */
};
#define SEARCH_OPTIONS_DEFAULT(plies)                                                                                  \
    {                                                                                                                  \
        .depth = (plies), .table_mib = SEARCH_TABLE_MIB                                                                \
    }

extern const struct option_spec search_option_rows[SEARCH_OPTIONS];

/*
 * The settings of a search with n_threads threads. With a time and no depth the time alone limits the search. Without
 * --tt the table is that of search_default_table_bytes(). STATUS_USAGE if something is out of range.
 */
enum status search_options_resolve(const struct search_options *options, unsigned n_threads,
                                   struct search_settings *settings);

/* For people: "3-ply", "100 ms a move", "100 ms a move, at most 3-ply", and what else differs from plain search. */
enum { SEARCH_TEXT_BYTES = 160 };
char *search_settings_text(const struct search_settings *settings, char out[SEARCH_TEXT_BYTES]);

/* Adds depth (null: by time alone), time_ms (null: no limit), prune, margin, downgrade (null: never) and table_mib. */
void search_settings_add_json(const struct search_settings *settings, struct json *json);

#endif
