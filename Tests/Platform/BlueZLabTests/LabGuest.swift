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
  static func run(_ words: [String]) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = words
    process.standardInput = FileHandle.nullDevice
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    guard status == 0 else {
      throw Failure(description: "\(words.joined(separator: " ")): exit status \(status)")
    }
  }
}
