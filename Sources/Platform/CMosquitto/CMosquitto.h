// SPDX-License-Identifier: Apache-2.0
#include <mosquitto.h>
// Swift's module of the C library lacks this one, which wakes the thread of a client.
#include <sys/eventfd.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

// The beginning of tcp_info in linux/tcp.h, which the C library's own structure does not have in full.
struct santorio_tcp_info {
  unsigned char state[8];
  unsigned int counts[24];
  unsigned long long pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
};

// How many bytes a program has read from a TCP connection; -1 where that is not known.
static inline long long santorio_bytes_read(int socket) {
  struct santorio_tcp_info info = {0};
  socklen_t size = sizeof info;
  int waiting = 0;
  if (getsockopt(socket, IPPROTO_TCP, 11 /* TCP_INFO */, &info, &size) != 0) return -1;
  if (size < sizeof info || ioctl(socket, FIONREAD, &waiting) != 0) return -1;
  return (long long)info.bytes_received - waiting;
}
