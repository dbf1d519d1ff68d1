/*
 * net_show: prints networks and shapes, as text and as JSON.
 */
#ifndef AFTERSTATE_CLI_NET_SHOW_H
#define AFTERSTATE_CLI_NET_SHOW_H

#include "base/json.h"
#include "base/status.h"
#include "game/grid.h"
#include "packed/network_file.h"

/* All about a network file, on stdout. */
enum status net_show_info(const char *path, const struct network_info *info, const struct network_history *history,
                          uint64_t file_bytes);
enum status net_show_info_json(const char *path, const struct network_info *info, const struct network_history *history,
                               uint64_t file_bytes);

/* How a network was made, for both kinds of networks. */
void net_show_history(const struct network_history *history);
void net_add_history(struct json *json, const struct network_history *history);

/* The named shapes with drawings and numbers of weights. */
enum status net_show_names(void);
enum status net_show_names_json(void);

#endif
