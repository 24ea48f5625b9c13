// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency
import SantorioCore

/// Keys and passwords of devices: in the credential store and nowhere else.
final class DeviceSecrets: Sendable {
  private let credentials: (any CredentialStoring)?
  private let memory = Locked<[UUID: [String: String]]>([:])

  /// - Parameter credentials: Where secrets are; nil keeps them in memory.
  init(credentials: (any CredentialStoring)?) { self.credentials = credentials }

  /// The secrets of a device; none where they are damaged, which another pairing mends.
  ///
  /// - Throws: ``SessionError`` of code `storageLocked`: they are there, and cannot be read now.
  func secrets(of device: UUID) throws(SessionError) -> [DeviceSecret: [UInt8]] {
    let stored: [String: String]
    do throws(SessionError) {
      stored = try memory.withLock { memory throws(SessionError) in
        try storedSecrets(of: device, memory)
      }
    } catch {
      guard error.code != .storageLocked else { throw error }
      stored = [:]
    }
    return stored.reduce(into: [:]) { secrets, entry in
      secrets[DeviceSecret(rawValue: entry.key)] = [UInt8](hexadecimal: entry.value)
    }
  }

  /// Whether a secret of a device is kept.
  func has(_ secret: DeviceSecret, of device: UUID) throws(SessionError) -> Bool {
    try secrets(of: device)[secret] != nil
  }

  /// Keeps a secret of a device; nil removes it.
  func keep(_ bytes: [UInt8]?, as secret: DeviceSecret, of device: UUID) throws(SessionError) {
    try memory.withLock { memory throws(SessionError) in
      var secrets = try storedSecrets(of: device, memory)
      secrets[secret.rawValue] = bytes?.hexadecimal
      memory[device] = secrets
      guard let credentials else { return }
      guard !secrets.isEmpty else { return try credentials.removeToken(for: Self.name(device)) }
      let text = secrets.sorted { $0.key < $1.key }.map { "\(Self.encoded($0.key))=\($0.value)" }
      try credentials.save(text.joined(separator: " "), for: Self.name(device))
    }
  }

  /// A secret's name, which a driver may choose, without blanks and equals signs.
  private static func encoded(_ name: String) -> String {
    name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
  }

  private static func decoded(_ name: Substring) -> String {
    name.removingPercentEncoding ?? String(name)
  }

  private static func name(_ device: UUID) -> String { "device-\(device.uuidString)" }

  private func storedSecrets(
    of device: UUID, _ memory: [UUID: [String: String]]
  ) throws(SessionError) -> [String: String] {
    guard let credentials else { return memory[device] ?? [:] }
    do throws(SessionError) {
      let entries = try credentials.token(for: Self.name(device)).split(separator: " ")
        .map { $0.split(separator: "=", maxSplits: 1) }.filter { $0.count == 2 }
      return Dictionary(
        entries.map { (Self.decoded($0[0]), String($0[1])) },
        uniquingKeysWith: { first, _ in first })
    } catch {
      guard error.code == .credentialsMissing else { throw error }
      return [:]
    }
  }
}
