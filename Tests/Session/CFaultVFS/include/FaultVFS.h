// SPDX-License-Identifier: Apache-2.0
#ifndef FAULT_VFS_H
#define FAULT_VFS_H

#include <stdbool.h>
#include <stdint.h>

/// A kind of call that can be made to fail.
typedef enum __attribute__((enum_extensibility(closed))) FaultKind {
  FaultKindOpen,
  FaultKindRead,
  /// Half of what is read is zero; SQLite is told so.
  FaultKindShortRead,
  /// Half of what is to be written is on the disk.
  FaultKindWrite,
  /// The same for want of room.
  FaultKindFull,
  FaultKindSync,
  FaultKindTruncate,
  FaultKindSize,
  FaultKindLock,
  FaultKindSharedMemory,
  /// SQLite asks for memory.
  FaultKindMemory,
} FaultKind;

/// The status with which a process ends whose power was cut.
#define FAULT_VFS_POWER_CUT 77

/// Makes every SQLite file of this process subject to the faults below.
///
/// To be called before anything else uses SQLite. Syncs are not passed on to the disk: what is on
/// the disk after a power cut is decided here, and no other end of the process needs them.
///
/// @return A result code of SQLite.
int fault_vfs_install(void);

/// The `call`-th call of a kind from now on fails, counted from 1; if `persistent`, the later ones too.
void fault_vfs_fail(FaultKind kind, uint64_t call, bool persistent);

/// All calls succeed again.
///
/// @return How many failed.
uint64_t fault_vfs_heal(void);

/// The power fails at the `change`-th change of the disk from now on: the process ends, and of what
/// was not synced a part that depends on `seed` is on the disk.
///
/// To be called before a database is opened. If `lying`, the disk confirms syncs without carrying
/// them out.
void fault_vfs_cut_power(uint64_t change, uint64_t seed, bool lying);

/// The power fails now.
_Noreturn void fault_vfs_cut_power_now(void);

#endif
