// SPDX-License-Identifier: Apache-2.0
#include "FaultVFS.h"

#include <pthread.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "Disk.h"
#include "FaultMemory.h"

/// SQLite's own file follows in memory.
typedef struct FaultFile {
  sqlite3_file base;
  DiskFile *disk;
} FaultFile;

static sqlite3_vfs fault_vfs;
static sqlite3_vfs *own(void) { return fault_vfs.pAppData; }
static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((FaultFile *)file + 1); }
static DiskFile *account(sqlite3_file *file) { return ((FaultFile *)file)->disk; }

// MARK: - Failing calls

static struct {
  pthread_mutex_t lock;
  bool is_armed, is_persistent;
  FaultKind kind;
  uint64_t call, calls, failures;
} plan = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Counts a call of a kind; whether it is to fail.
bool fault_is_due(FaultKind kind) {
  pthread_mutex_lock(&plan.lock);
  bool fails = false;
  if (plan.is_armed && plan.kind == kind) {
    plan.calls += 1;
    fails = plan.is_persistent ? plan.calls >= plan.call : plan.calls == plan.call;
    plan.failures += fails;
  }
  pthread_mutex_unlock(&plan.lock);
  return fails;
}

void fault_vfs_fail(FaultKind kind, uint64_t call, bool persistent) {
  pthread_mutex_lock(&plan.lock);
  plan.is_armed = true;
  plan.is_persistent = persistent;
  plan.kind = kind;
  plan.call = call;
  plan.calls = plan.failures = 0;
  pthread_mutex_unlock(&plan.lock);
}

uint64_t fault_vfs_heal(void) {
  pthread_mutex_lock(&plan.lock);
  plan.is_armed = false;
  uint64_t failures = plan.failures;
  pthread_mutex_unlock(&plan.lock);
  return failures;
}

// MARK: - Files

static int file_close(sqlite3_file *file) { return real(file)->pMethods->xClose(real(file)); }

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  if (fault_is_due(FaultKindRead)) return SQLITE_IOERR_READ;
  int code = real(file)->pMethods->xRead(real(file), bytes, count, offset);
  if (code != SQLITE_OK || !fault_is_due(FaultKindShortRead)) return code;
  memset((char *)bytes + count / 2, 0, (size_t)(count - count / 2));
  return SQLITE_IOERR_SHORT_READ;
}

static int write_through(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  if (account(file)) disk_write(account(file), bytes, count, offset);
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int code = fault_is_due(FaultKindWrite) ? SQLITE_IOERR_WRITE
    : fault_is_due(FaultKindFull)         ? SQLITE_FULL
                                          : SQLITE_OK;
  if (code == SQLITE_OK) return write_through(file, bytes, count, offset);
  write_through(file, bytes, count / 2, offset);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  if (fault_is_due(FaultKindTruncate)) return SQLITE_IOERR_TRUNCATE;
  if (account(file)) disk_truncate(account(file), size);
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  (void)flags;
  if (fault_is_due(FaultKindSync)) return SQLITE_IOERR_FSYNC;
  if (account(file)) disk_sync(account(file));
  return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  if (fault_is_due(FaultKindSize)) return SQLITE_IOERR_FSTAT;
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int file_lock(sqlite3_file *file, int level) {
  if (fault_is_due(FaultKindLock)) return SQLITE_IOERR_LOCK;
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_is_reserved(sqlite3_file *file, int *result) {
  return real(file)->pMethods->xCheckReservedLock(real(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int file_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **memory) {
  if (fault_is_due(FaultKindSharedMemory)) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  if (!(flags & SQLITE_SHM_UNLOCK) && fault_is_due(FaultKindLock)) return SQLITE_IOERR_SHMLOCK;
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int file_shm_unmap(sqlite3_file *file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

// Version 2: without memory-mapped reads, which would pass the faults by.
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_is_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector_size,
  .xDeviceCharacteristics = file_characteristics,
  .xShmMap = file_shm_map,
  .xShmLock = file_shm_lock,
  .xShmBarrier = file_shm_barrier,
  .xShmUnmap = file_shm_unmap,
};

// MARK: - The file system

static int vfs_open(
  sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *out_flags
) {
  (void)vfs;
  FaultFile *opened = (FaultFile *)file;
  opened->base.pMethods = NULL;
  opened->disk = NULL;
  if (fault_is_due(FaultKindOpen)) return SQLITE_CANTOPEN;
  bool is_new = path && access(path, F_OK) != 0;
  int code = own()->xOpen(own(), path, real(file), flags, out_flags);
  if (real(file)->pMethods) opened->base.pMethods = &methods;
  bool is_lasting = flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL);
  if (code == SQLITE_OK && path && is_lasting) opened->disk = disk_open(path, is_new);
  return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int sync_folder) {
  (void)vfs;
  disk_delete(path, sync_folder != 0);
  return own()->xDelete(own(), path, sync_folder);
}

int fault_vfs_install(void) {
  int code = fault_memory_install();
  if (code != SQLITE_OK) return code;
  code = sqlite3_initialize();
  sqlite3_vfs *default_vfs = sqlite3_vfs_find(NULL);
  if (code != SQLITE_OK || !default_vfs) return SQLITE_ERROR;
  fault_vfs = *default_vfs;
  fault_vfs.zName = "fault";
  fault_vfs.pNext = NULL;
  fault_vfs.szOsFile += (int)sizeof(FaultFile);
  fault_vfs.pAppData = default_vfs;
  fault_vfs.xOpen = vfs_open;
  fault_vfs.xDelete = vfs_delete;
  return sqlite3_vfs_register(&fault_vfs, 1);
}

void fault_vfs_cut_power(uint64_t change, uint64_t seed, bool lying) {
  disk_begin(change, seed, lying);
}

_Noreturn void fault_vfs_cut_power_now(void) { disk_cut(); }
