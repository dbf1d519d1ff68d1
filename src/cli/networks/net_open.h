/*
 * net_open: network files for the verbs: loading and saving with a bar on stderr.
 */
#ifndef AFTERSTATE_CLI_NET_OPEN_H
#define AFTERSTATE_CLI_NET_OPEN_H

#include "base/progress.h"
#include "base/status.h"
#include "cli/frame/options.h"
#include "packed/network_file.h"
#include "study/evaluator_choice.h"

/* network_load(), of an n-tuple network, with progress, unless --quiet or --json. `history` may be NULL. */
enum status net_open(struct network **out, const char *path, struct network_history *history,
                     const struct common_options *common);

/* The request of a verb, with notices and progress on stderr unless --quiet or --json. */
struct evaluator_request net_request(const char *net, const char *board, enum load_form form,
                                     const struct common_options *common);

/* network_save_measured() with progress. `error` may be NULL. */
enum status net_store(const struct network *network, const char *path, const struct network_history *history,
                      const struct network_packing *packing, const struct common_options *common,
                      struct weight_error *error);

/* Starts a bar over the weights of `spec`. */
enum status net_begin_progress(struct progress *progress, const char *title, const struct network_spec *spec,
                               const struct common_options *common);

#endif
