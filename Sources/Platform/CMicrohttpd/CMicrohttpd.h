// SPDX-License-Identifier: Apache-2.0
#include <microhttpd.h>

// What Swift does not import as it should: variadic functions, and the kinds of values, which
// arrive without their names.

/// The port that a daemon listens on; 0 when it cannot be told.
static inline uint16_t cmicrohttpd_bound_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// The first value of a request's header; NULL when it has none.
static inline const char *cmicrohttpd_header(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// Calls a function for each argument of a request's query.
static inline void cmicrohttpd_query(
    struct MHD_Connection *connection, MHD_KeyValueIterator iterator, void *context) {
  MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, iterator, context);
}
