// SPDX-License-Identifier: Apache-2.0

import CProcess
import Glibc

/// Settings of the whole process.
enum ProcessSettings {
  /// Opens what the caller has closed of standard input, output and error.
  ///
  /// Otherwise a file of the program would get one of these numbers, and all that is printed.
  /// Writing to them fails.
  static func openStandardFiles() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      // It gets the lowest free number.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Keeps the process's memory, with its tokens, keys and readings, out of files.
  ///
  /// Core dumps are off; in release builds other processes of the same user cannot read the
  /// memory either. In other builds debuggers and leak detection need that access.
  static func protectMemory() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #if !DEBUG
      _ = cprocess_set_dumpable(0)
    #endif
  }

  /// Makes the memory of large bodies return to the system as soon as they are freed.
  static func returnFreedMemory() { _ = cprocess_map_blocks_from(128 << 10) }

  /// Lets all threads use the same free memory, in a program of many threads that work little.
  static func shareFreeMemory() { _ = cprocess_share_free_memory() }

  /// Gives back the pages of the program that were used so far; what is used again is mapped again.
  ///
  /// The start of a program uses most of its pages, nearly all of them once: relocations, options,
  /// configuration. They count as resident until the machine is short of memory.
  static func returnProgram() { cprocess_return_program() }

  /// Lets the process open as many files as allowed, up to a bound: a connection is a file.
  static func raiseOpenFiles(upTo bound: UInt = 8_192) {
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(kind, &limit) == 0 else { return }
    let wanted = min(bound, limit.rlim_max)
    guard limit.rlim_cur < wanted else { return }
    limit.rlim_cur = wanted
    unsafe setrlimit(kind, &limit)
  }
}
