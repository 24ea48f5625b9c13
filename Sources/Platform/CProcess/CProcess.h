// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/prctl.h>

// What Swift's module of glibc leaves out: variadic functions, and the settings of malloc.

/// Says whether other processes of the user may look into this one, and whether it leaves a core dump.
static inline int cprocess_set_dumpable(int is_dumpable) {
  return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}

/// Has blocks of so many bytes and more mapped one by one, so that each is the system's again when it
/// is freed; by default malloc keeps ever larger ones for later.
static inline int cprocess_map_blocks_from(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }
