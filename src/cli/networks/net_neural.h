/*
 * net_neural: the commands of `net` for neural networks.
 */
#ifndef AFTERSTATE_CLI_NET_NEURAL_H
#define AFTERSTATE_CLI_NET_NEURAL_H

#include "cli/frame/command.h"

/* All about a neural network's file, on stdout. */
enum status net_show_neural(const char *path, const struct common_options *common);

/* The ways of play as an option's words: "keep", then those of enum neural_play. */
extern const char *const net_play_names[];

/* How weights are stored, as an option's words (enum neural_storage). */
extern const char *const net_storage_names[];

/* Writes the network of `in` to `out` with another way of play, 0 (of net_play_names) keeps it, stored as it says. */
enum status net_convert_neural(const char *in, const char *out, int play, int storage,
                               const struct common_options *common);

extern const struct command net_export_command, net_import_command;

#endif
