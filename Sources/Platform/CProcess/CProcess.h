// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/prctl.h>

// Functions missing from Swift's module of glibc: variadic functions, and the settings of malloc.

/// Sets whether other processes of the user may inspect this one, and whether it can dump core.
static inline int cprocess_set_dumpable(int is_dumpable) {
  return prctl(PR_SET_DUMPABLE, is_dumpable, 0, 0, 0);
}

/// Maps blocks of at least `bytes` bytes separately, so that each is returned to the system when it is
/// freed; by default malloc keeps ever larger ones for reuse.
static inline int cprocess_map_blocks_from(int bytes) { return mallopt(M_MMAP_THRESHOLD, bytes); }

/// Lets all threads use the same free memory; by default up to eight times the processors have their own.
static inline int cprocess_share_free_memory(void) { return mallopt(M_ARENA_MAX, 1); }

/// Gives the free memory of malloc back to the system.
static inline void cprocess_return_free_memory(void) { malloc_trim(0); }
