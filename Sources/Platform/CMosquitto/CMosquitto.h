// SPDX-License-Identifier: Apache-2.0
#include <mosquitto.h>
// Swift's module of the C library lacks this one, which wakes the thread of a client.
#include <sys/eventfd.h>
