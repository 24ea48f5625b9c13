// SPDX-License-Identifier: Apache-2.0
#include "Disk.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "FaultVFS.h"

/// A write that was not synced, or a truncation to `offset` if `count` is negative.
typedef struct Change {
  struct Change *next;
  uint64_t number;
  sqlite3_int64 offset;
  int count;
  unsigned char bytes[];
} Change;

struct DiskFile {
  DiskFile *next;
  char *path;
  dev_t device;
  ino_t inode;
  /// Never closed: that would drop the process's locks on the file.
  int descriptor;
  unsigned char *image;
  sqlite3_int64 size;
  Change *first, **end;
  /// Whether the folder's entry of this file is on the disk.
  bool has_entry;
  /// Removed, and the folder was not synced since.
  bool is_deleted;
};

static struct {
  pthread_mutex_t lock;
  bool is_kept, is_lying;
  uint64_t changes, cut, random;
  DiskFile *files;
} disk = {.lock = PTHREAD_MUTEX_INITIALIZER};

enum { sector = 512 };

static uint64_t draw(uint64_t bound) {
  // SplitMix64
  uint64_t mixed = disk.random += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return (mixed ^ (mixed >> 31)) % bound;
}

static void *allocate(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) _exit(70);
  return memory;
}

static void grow(DiskFile *file, sqlite3_int64 size) {
  if (size <= file->size) return;
  unsigned char *image = allocate((size_t)size);
  if (file->size) memcpy(image, file->image, (size_t)file->size);
  free(file->image);
  file->image = image;
  file->size = size;
}

static void put(DiskFile *file, const unsigned char *bytes, sqlite3_int64 count, sqlite3_int64 at) {
  grow(file, at + count);
  memcpy(file->image + at, bytes, (size_t)count);
}

static void apply(DiskFile *file, const Change *change) {
  if (change->count >= 0) {
    put(file, change->bytes, change->count, change->offset);
  } else if (change->offset < file->size) {
    file->size = change->offset;
  } else {
    grow(file, change->offset);
  }
}

static void forget(DiskFile *file) {
  for (Change *change = file->first, *next; change; change = next) {
    next = change->next;
    free(change);
  }
  file->first = NULL;
  file->end = &file->first;
}

// MARK: - The account

void disk_begin(uint64_t change, uint64_t seed, bool lying) {
  pthread_mutex_lock(&disk.lock);
  disk.is_kept = true;
  disk.is_lying = lying;
  disk.changes = 0;
  disk.cut = change;
  disk.random = seed;
  pthread_mutex_unlock(&disk.lock);
}

static void load(DiskFile *file) {
  struct stat status;
  if (fstat(file->descriptor, &status) != 0) _exit(70);
  file->device = status.st_dev;
  file->inode = status.st_ino;
  if (status.st_size == 0) return;
  grow(file, status.st_size);
  if (pread(file->descriptor, file->image, (size_t)status.st_size, 0) != status.st_size) _exit(70);
}

static DiskFile *find(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return NULL;
  for (DiskFile *file = disk.files; file; file = file->next)
    if (file->inode == status.st_ino && file->device == status.st_dev) return file;
  return NULL;
}

DiskFile *disk_open(const char *path, bool is_new) {
  if (!disk.is_kept) return NULL;
  pthread_mutex_lock(&disk.lock);
  DiskFile *file = find(path);
  if (!file) {
    file = allocate(sizeof *file);
    file->path = strdup(path);
    file->descriptor = open(path, O_RDWR | O_CLOEXEC);
    if (!file->path || file->descriptor < 0) _exit(70);
    file->end = &file->first;
    file->has_entry = !is_new;
    load(file);
    file->next = disk.files;
    disk.files = file;
  }
  pthread_mutex_unlock(&disk.lock);
  return file;
}

/// Takes the lock and counts a change.
static void begin_change(void) {
  pthread_mutex_lock(&disk.lock);
  disk.changes += 1;
  if (disk.changes != disk.cut) return;
  pthread_mutex_unlock(&disk.lock);
  disk_cut();
}

static void note(DiskFile *file, const void *bytes, int count, sqlite3_int64 offset) {
  begin_change();
  Change *change = allocate(sizeof *change + (size_t)(count > 0 ? count : 0));
  change->number = disk.changes;
  change->offset = offset;
  change->count = count;
  if (count > 0) memcpy(change->bytes, bytes, (size_t)count);
  *file->end = change;
  file->end = &change->next;
  pthread_mutex_unlock(&disk.lock);
}

void disk_write(DiskFile *file, const void *bytes, int count, sqlite3_int64 offset) {
  note(file, bytes, count, offset);
}

void disk_truncate(DiskFile *file, sqlite3_int64 size) { note(file, NULL, -1, size); }

static bool is_beside(const DiskFile *file, const char *path) {
  const char *own = strrchr(file->path, '/'), *other = strrchr(path, '/');
  return own && other && own - file->path == other - path
    && strncmp(file->path, path, (size_t)(own - file->path)) == 0;
}

static void sync_folder(const char *path) {
  for (DiskFile *file = disk.files; file; file = file->next) {
    if (!is_beside(file, path)) continue;
    // What was removed stays removed: no change of it matters any more.
    if (file->is_deleted) forget(file);
    file->has_entry = !file->is_deleted;
  }
}

void disk_sync(DiskFile *file) {
  begin_change();
  if (!disk.is_lying) {
    for (const Change *change = file->first; change; change = change->next) apply(file, change);
    forget(file);
    // SQLite's own layer syncs the folder with the first sync of a journal or log that it made.
    if (!file->has_entry) sync_folder(file->path);
  }
  pthread_mutex_unlock(&disk.lock);
}

void disk_delete(const char *path, bool synced) {
  if (!disk.is_kept) return;
  begin_change();
  DiskFile *file = find(path);
  if (file) file->is_deleted = true;
  if (synced && !disk.is_lying) sync_folder(path);
  pthread_mutex_unlock(&disk.lock);
}

// MARK: - The cut

/// What becomes of the changes that were not synced.
typedef enum { none, all, beginning, some_changes, some_sectors, fates } Fate;

/// Each sector of a write is new, old or, as happens to one that is being written, nonsense.
static void tear(DiskFile *file, Change *change) {
  grow(file, change->offset + change->count);
  for (int at = 0; at < change->count;) {
    int length = sector - (int)((change->offset + at) % sector);
    if (length > change->count - at) length = change->count - at;
    uint64_t outcome = draw(8);
    if (outcome == 0)
      for (int index = at; index < at + length; index++)
        change->bytes[index] = (unsigned char)draw(256);
    if (outcome < 5) put(file, change->bytes + at, length, change->offset + at);
    at += length;
  }
}

static void decide(DiskFile *file, Fate fate, uint64_t last) {
  for (Change *change = file->first; change; change = change->next) {
    switch (fate) {
      case all: apply(file, change); break;
      case beginning:
        if (change->number < last) apply(file, change);
        else if (change->number == last && change->count > 0) tear(file, change);
        break;
      case some_changes:
        if (draw(2)) apply(file, change);
        break;
      case some_sectors:
        if (change->count > 0) tear(file, change);
        else if (draw(2)) apply(file, change);
        break;
      default: break;
    }
  }
}

static void store(const DiskFile *file, int descriptor) {
  if (ftruncate(descriptor, file->size) != 0) _exit(70);
  if (pwrite(descriptor, file->image, (size_t)file->size, 0) != file->size) _exit(70);
}

/// A file that was removed comes back if the folder was not synced and nothing took its place.
static void settle_entry(const DiskFile *file) {
  if (!file->is_deleted) {
    if (!file->has_entry && draw(2)) unlink(file->path);
  } else if (file->has_entry && draw(2)) {
    int descriptor = open(file->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor >= 0) store(file, descriptor);
  }
}

_Noreturn void disk_cut(void) {
  // Never given back: no other thread changes a file any more.
  pthread_mutex_lock(&disk.lock);
  Fate fate = (Fate)draw(fates);
  uint64_t earliest = disk.changes;
  for (DiskFile *file = disk.files; file; file = file->next)
    if (file->first && file->first->number < earliest) earliest = file->first->number;
  uint64_t last = earliest + draw(disk.changes - earliest + 1);
  for (DiskFile *file = disk.files; file; file = file->next) {
    decide(file, fate, last);
    if (!file->is_deleted) store(file, file->descriptor);
    settle_entry(file);
  }
  _exit(FAULT_VFS_POWER_CUT);
}
