/* listen: a socket to listen on, with messages that say which address was in the way. */
#include "web/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static unsigned port_of(int handle)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    if (getsockname(handle, (struct sockaddr *)&address, &bytes) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
}

static int open_address(const struct addrinfo *address)
{
    int one = 1;
    int handle = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (handle < 0)
        return -1;
    /* Allows a port that was closed a minute ago, but not one that another socket listens on. */
    setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(handle, address->ai_addr, address->ai_addrlen) == 0 && listen(handle, SOMAXCONN) == 0)
        return handle;
    int error = errno;
    close(handle);
    errno = error;
    return -1;
}

enum status listen_open(const char *host, unsigned port, int *socket_out, unsigned *port_out)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE}, *found;
    char service[16];
    *socket_out = -1;
    snprintf(service, sizeof service, "%u", port);
    int problem = getaddrinfo(host, service, &hints, &found);
    if (problem)
        return status_fail(STATUS_USAGE, "cannot listen on '%s': %s", host, gai_strerror(problem));
    for (const struct addrinfo *address = found; address && *socket_out < 0; address = address->ai_next)
        *socket_out = open_address(address);
    int error = errno;
    freeaddrinfo(found);
    errno = error;
    if (*socket_out < 0 && error == EADDRINUSE)
        return status_fail(
            STATUS_IO, "port %u of %s is taken; another one is given by --port, --port 0 takes a free one", port, host);
    if (*socket_out < 0)
        return status_fail_errno(STATUS_IO, "cannot listen on port %u of %s", port, host);
    *port_out = port_of(*socket_out);
    return STATUS_OK;
}
