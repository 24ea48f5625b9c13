// SPDX-License-Identifier: Apache-2.0
// The Glibc module of the toolchain leaves this header out.
#include <getopt.h>
