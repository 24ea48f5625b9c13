// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// One child process is started at a time.
///
/// Foundation closes the files in a child that were open when it looked, and not those that another
/// thread opens before the child begins. A child that inherits the pipe of another keeps it open,
/// and the end of the other is never noticed.
private let spawning = NSLock()

extension Process {
  /// Runs the process; use it in place of `run()`.
  ///
  /// It counts no lines: what a process that is killed, or may write no more, leaves of its profile
  /// cannot be read, and then nor can those of the tests.
  package func start() throws {
    let variables = environment ?? ProcessInfo.processInfo.environment
    environment = variables.merging(["LLVM_PROFILE_FILE": "/dev/null"]) { $1 }
    try spawning.withLock { try run() }
  }
}

extension Pipe {
  /// Makes a pipe that no other child inherits; use it in place of `Pipe()`.
  package static func make() -> Pipe { spawning.withLock { Pipe() } }
}
