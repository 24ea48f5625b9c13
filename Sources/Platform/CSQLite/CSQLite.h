// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

/// sqlite3_config takes a variable number of arguments, which Swift cannot pass.
static inline int santorio_sqlite_allocate_pages_singly(void) {
  return sqlite3_config(SQLITE_CONFIG_PAGECACHE, (void *)0, 0, 0);
}
