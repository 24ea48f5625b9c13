// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioConcurrency

/// What outlives the process beside the session's folder: the bonds of the phone, what the devices
/// have erased, and what the app was told is kept.
///
/// Each fact is a line of a file, written before anything follows from it.
struct World: Sendable {
  private let file: FileHandle?
  private let old: [String]
  private let new = Locked<Set<String>>([])

  init(_ url: URL) {
    old = ((try? String(contentsOf: url, encoding: .utf8)) ?? "")
      .split(separator: "\n").map(String.init)
    let descriptor = unsafe open(url.path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    file = descriptor < 0 ? nil : FileHandle(fileDescriptor: descriptor)
  }

  /// Whether an earlier process has noted it.
  func notes(_ fact: String) -> Bool { old.contains(fact) }

  /// Notes something, once.
  func note(_ fact: String) {
    guard !notes(fact), new.withLock({ $0.insert(fact).inserted }) else { return }
    add(fact)
  }

  /// How many measurements a device has erased before this process.
  func erased(by model: DeviceModel) -> Int { old.count { $0 == "erased \(model.id)" } }

  func noteErased(_ count: Int, by model: DeviceModel) {
    for _ in 0..<count { add("erased \(model.id)") }
  }

  private func add(_ line: String) { file?.write(Data((line + "\n").utf8)) }
}
