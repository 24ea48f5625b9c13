// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The guest in which these tests run; elsewhere they are passed over.
enum LabGuest {
  static let isHere = ProcessInfo.processInfo.environment["SANTORIO_BLUEZ_LAB"] != nil

  /// What could not be done in the guest.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Has the guest's `lab` do something; Tests/BlueZLab/guest/lab says what there is.
  static func lab(_ words: String...) async throws {
    try await run(["lab"] + words)
  }

  /// Runs a command, which has to succeed.
  ///
  /// Foundation's `Process` takes a command for unfinished as long as a daemon lives that it has
  /// started, and starts all of them with the signals blocked that Dispatch blocks in its threads.
  static func run(_ words: [String]) async throws {
    let status: Int32 = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(returning: Self.status(of: ["env", "--default-signal"] + words))
      }
    }
    guard status == 0 else {
      throw Failure(description: "\(words.joined(separator: " ")): status \(status)")
    }
  }

  private static func status(of words: [String]) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var (child, status) = (pid_t(), Int32())
    let failure = posix_spawnp(&child, words[0], nil, &attributes, &arguments, environ)
    guard failure == 0 else { return failure }
    while waitpid(child, &status, 0) < 0 {
      if errno != EINTR { return errno }
    }
    return status
  }
}
