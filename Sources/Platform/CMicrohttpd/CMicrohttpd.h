// SPDX-License-Identifier: Apache-2.0
#include <microhttpd.h>
#include <sys/socket.h>

// Declarations that Swift does not import properly: variadic functions, and the kinds of values,
// which are imported without their names.

/// The first value of a request's header; NULL when it has none.
static inline const char *cmicrohttpd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// Calls a function for each header of a request, in the order sent.
static inline void cmicrohttpd_headers(
    struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, iterator, context);
}

/// Calls a function for each argument of a request's query.
static inline void cmicrohttpd_query(
    struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, iterator, context);
}

/// The socket of a connection; -1 when it has none.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

/// The pointer that the program has stored for a connection.
static inline void *cmicrohttpd_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// glibc declares it under _GNU_SOURCE only, which Swift's module of it does not define.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *size, int flags);

/// Accepts a connection with a non-blocking socket that child processes do not inherit.
static inline int cmicrohttpd_accept(
    int listener, struct sockaddr *address, socklen_t *size) {
  return accept4(listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
