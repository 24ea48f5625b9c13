// SPDX-License-Identifier: Apache-2.0
#ifndef DISK_H
#define DISK_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/// A file as a disk without power would show it: what was synced last, and the changes since then.
///
/// The file itself always has all changes, so that reads need no help.
typedef struct DiskFile DiskFile;

/// Begins to keep account of all files that are opened from now on.
void disk_begin(uint64_t change, uint64_t seed, bool lying);

/// The account of a file that was just opened; NULL when none is kept.
///
/// `is_new` says that the open made the file; what it holds otherwise counts as synced.
DiskFile *disk_open(const char *path, bool is_new);

// Each of these is called before the change is made; it may be that the power fails and it is not.
void disk_write(DiskFile *file, const void *bytes, int count, sqlite3_int64 offset);
void disk_truncate(DiskFile *file, sqlite3_int64 size);
void disk_sync(DiskFile *file);
void disk_delete(const char *path, bool synced);

_Noreturn void disk_cut(void);

#endif
