/*
 * net_neural: what the verb `net` does with neural networks.
 */
#ifndef AFTERSTATE_CLI_NET_NEURAL_H
#define AFTERSTATE_CLI_NET_NEURAL_H

#include "cli/frame/command.h"

/* All about a neural network's file, on stdout. */
enum status net_show_neural(const char *path, const struct common_options *common);

/* The ways of play as an option's words: "keep", then those of enum neural_play. */
extern const char *const net_play_names[];

/* Writes the network of `in` to `out` with another way of play; 0 (of net_play_names) keeps it. */
enum status net_convert_neural(const char *in, const char *out, int play, const struct common_options *common);

extern const struct command net_export_command, net_import_command;

#endif
