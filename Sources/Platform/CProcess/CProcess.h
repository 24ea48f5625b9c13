// SPDX-License-Identifier: Apache-2.0
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

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

static inline int cprocess_return_segments(struct dl_phdr_info *program, size_t size, void *unused) {
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < program->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || segment->p_flags & PF_W) continue;
    // Only whole pages: the rest of one may belong to a segment that was written to.
    uintptr_t start = (program->dlpi_addr + segment->p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (program->dlpi_addr + segment->p_vaddr + segment->p_memsz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 1;  // the first is the program; its libraries follow
}

/// Gives the pages of the program's file back to the system: code and constants, of which the next use maps again what it
/// needs.
static inline void cprocess_return_program(void) { dl_iterate_phdr(cprocess_return_segments, 0); }
