// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

// zlib's initialisers are macros, which Swift cannot call. 31 = the largest window and a gzip header.

static inline int czlib_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_init(z_stream *stream) { return inflateInit2(stream, 31); }
