// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthGATT
import SantorioConcurrency
import SantorioCore

/// What is kept about devices from one connection to the next.
///
/// How far transfers came is a hint in a file: one that is missing or damaged costs a transfer of what the
/// server has already. Keys and passwords are in the credential store and nowhere else.
final class DeviceDossiers: Sendable {
  static let fileName = "device-transfers.json"

  private let file: URL?
  private let credentials: (any CredentialStoring)?
  private let memory = Locked(Memory())

  private struct Memory {
    var marks: [UUID: [TransferMark]] = [:]
    var secrets: [UUID: [String: String]] = [:]
  }

  /// - Parameters:
  ///   - folder: Where the file is; nil keeps the marks in memory.
  ///   - credentials: Where secrets are; nil keeps them in memory.
  init(folder: URL?, credentials: (any CredentialStoring)?) {
    file = folder?.appendingPathComponent(Self.fileName)
    self.credentials = credentials
  }

  func dossier(of device: UUID, user: DeviceUser?) -> DeviceDossier {
    memory.withLock { memory in
      let secrets = (try? storedSecrets(of: device, memory)) ?? [:]
      return DeviceDossier(
        marks: (savedMarks ?? memory.marks)[device] ?? [],
        secrets: secrets.reduce(into: [:]) { secrets, entry in
          secrets[DeviceSecret(rawValue: entry.key)] = [UInt8](hexadecimal: entry.value)
        }, user: user)
    }
  }

  /// Remembers how far a transfer came.
  func advance(_ mark: TransferMark, of device: UUID) {
    memory.withLock { memory in
      var marks = savedMarks ?? memory.marks
      marks[device] = (marks[device] ?? []).filter { $0.memory != mark.memory } + [mark]
      memory.marks = marks
      guard let file else { return }
      let saved = marks.sorted { $0.key.uuidString < $1.key.uuidString }
        .map { SavedMarks(device: $0.key, marks: $0.value) }
      try? JSONEncoder().encode(saved).write(to: file, options: .atomic)
    }
  }

  /// Keeps a secret of a device; nil removes it.
  func keep(_ octets: [UInt8]?, as secret: DeviceSecret, of device: UUID) throws(SessionError) {
    try memory.withLock { memory throws(SessionError) in
      var secrets = try storedSecrets(of: device, memory)
      secrets[secret.rawValue] = octets?.hexadecimal
      memory.secrets[device] = secrets
      guard let credentials else { return }
      guard !secrets.isEmpty else { return try credentials.removeToken(for: Self.name(device)) }
      let text = secrets.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      try credentials.save(text.joined(separator: " "), for: Self.name(device))
    }
  }

  private static func name(_ device: UUID) -> String { "device-\(device.uuidString)" }

  private func storedSecrets(
    of device: UUID, _ memory: Memory
  ) throws(SessionError) -> [String: String] {
    guard let credentials else { return memory.secrets[device] ?? [:] }
    do throws(SessionError) {
      let entries = try credentials.token(for: Self.name(device)).split(separator: " ")
        .map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
      return Dictionary(
        entries.map { (String($0[0]), String($0[1])) }, uniquingKeysWith: { first, _ in first })
    } catch {
      guard error.code == .credentialsMissing else { throw error }
      return [:]
    }
  }

  private struct SavedMarks: Codable {
    let device: UUID
    let marks: [TransferMark]
  }

  private var savedMarks: [UUID: [TransferMark]]? {
    guard let file, let octets = try? Data(contentsOf: file),
      let saved = try? JSONDecoder().decode([SavedMarks].self, from: octets)
    else { return nil }
    return Dictionary(saved.map { ($0.device, $0.marks) }, uniquingKeysWith: { first, _ in first })
  }
}
