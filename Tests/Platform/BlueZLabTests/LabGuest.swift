// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The guest in which these tests run; elsewhere they are passed over.
enum LabGuest {
  static let isHere = ProcessInfo.processInfo.environment["SANTORIO_BLUEZ_LAB"] != nil

  /// What could not be done in the guest.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Has the guest's `lab` do something; gives what it prints.
  @discardableResult
  static func lab(_ words: String...) async throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["lab"] + words
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    let status = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Int32, any Error>) in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do { try process.run() } catch { continuation.resume(throwing: error) }
    }
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard status == 0 else {
      throw Failure(description: "lab \(words.joined(separator: " ")) failed: \(text)")
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
