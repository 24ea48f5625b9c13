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
  package func start() throws { try spawning.withLock { try run() } }
}

extension Pipe {
  /// Makes a pipe that no other child inherits; use it in place of `Pipe()`.
  package static func make() -> Pipe { spawning.withLock { Pipe() } }
}
