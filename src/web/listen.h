/* listen: a socket to listen on, with messages that say which address was in the way. */
#ifndef AFTERSTATE_WEB_LISTEN_H
#define AFTERSTATE_WEB_LISTEN_H

#include "base/status.h"

/*
 * Opens a listening socket on a host name or address and port; port 0 takes a free one. *port_out is the port it has.
 * STATUS_USAGE if the host means nothing, STATUS_IO if the port is taken or not allowed. The caller closes *socket_out.
 */
enum status listen_open(const char *host, unsigned port, int *socket_out, unsigned *port_out);

#endif
