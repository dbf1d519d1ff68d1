/* net_open: where verbs that load networks show progress and notices. */
#ifndef AFTERSTATE_CLI_NET_OPEN_H
#define AFTERSTATE_CLI_NET_OPEN_H

#include "cli/frame/options.h"
#include "study/evaluator_choice.h"

/* The request of a verb, with notices and progress on stderr unless --quiet or --json. */
struct evaluator_request net_request(const char *net, const char *board, enum load_form form,
                                     const struct common_options *common);

#endif
