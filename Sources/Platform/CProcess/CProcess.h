// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
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

#if __SIZEOF_POINTER__ == 8
typedef Elf64_Phdr cprocess_segment;
#else
typedef Elf32_Phdr cprocess_segment;
#endif

/// Gives the pages of the program's file back to the system: code and constants, of which the next use maps again what it
/// needs.
static inline void cprocess_return_program(void) {
  const cprocess_segment *segments = (const cprocess_segment *)getauxval(AT_PHDR);
  unsigned long count = getauxval(AT_PHNUM);
  uintptr_t base = 0, page = getauxval(AT_PAGESZ);
  if (!segments || !page) return;
  for (unsigned long i = 0; i < count; i++) {
    if (segments[i].p_type == PT_PHDR) base = (uintptr_t)segments - segments[i].p_vaddr;
  }
  for (unsigned long i = 0; i < count; i++) {
    if (segments[i].p_type != PT_LOAD || segments[i].p_flags & PF_W) continue;
    // Only whole pages: the rest of one may belong to a segment that was written to.
    uintptr_t start = (base + segments[i].p_vaddr + page - 1) & ~(page - 1);
    uintptr_t end = (base + segments[i].p_vaddr + segments[i].p_memsz) & ~(page - 1);
    if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
  }
}
