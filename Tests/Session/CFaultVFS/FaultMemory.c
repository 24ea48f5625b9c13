// SPDX-License-Identifier: Apache-2.0
#include "FaultMemory.h"

#include <sqlite3.h>
#include <stddef.h>

static sqlite3_mem_methods own;

static void *allocate(int size) { return fault_is_due(FaultKindMemory) ? NULL : own.xMalloc(size); }

static void *reallocate(void *memory, int size) {
  return fault_is_due(FaultKindMemory) ? NULL : own.xRealloc(memory, size);
}

int fault_memory_install(void) {
  int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &own);
  if (code != SQLITE_OK) return code;
  sqlite3_mem_methods faulty = own;
  faulty.xMalloc = allocate;
  faulty.xRealloc = reallocate;
  return sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty);
}
