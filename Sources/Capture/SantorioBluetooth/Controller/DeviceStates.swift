// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import HealthGATT
import SantorioConcurrency
import SantorioCore

/// What is kept about devices from one connection to the next.
///
/// How far transfers came is a hint: a checkpoint that is lost costs a transfer of what the server
/// has already. An identity is decided once: it cannot be used before it is kept. Keys and
/// passwords are in the credential store and nowhere else.
final class DeviceStates: Sendable {
  /// The name of the state in a session's folder.
  static let stateName = "device-deviceStates"

  private let store: (any DeviceStateStoring)?
  private let lock: StateLock?
  private let credentials: (any CredentialStoring)?
  private let memory = Locked(Memory())

  private struct Memory {
    var state = SavedState()
    var secrets: [UUID: [String: String]] = [:]
  }

  /// - Parameters:
  ///   - store: Where checkpoints and identities are kept; nil keeps them in memory.
  ///   - lock: Keeps other processes from changing the store meanwhile.
  ///   - credentials: Where secrets are; nil keeps them in memory.
  init(
    store: (any DeviceStateStoring)?, lock: StateLock? = nil,
    credentials: (any CredentialStoring)?
  ) {
    self.store = store
    self.lock = lock
    self.credentials = credentials
  }

  func deviceState(of device: UUID, user: DeviceUser?) -> DeviceState {
    memory.withLock { memory in
      let secrets = (try? storedSecrets(of: device, memory)) ?? [:]
      memory.state = (try? saved) ?? memory.state
      let kept = memory.state.devices[device]
      return DeviceState(
        checkpoints: kept?.checkpoints(for: store?.reader ?? .unclaimed, store?.generation) ?? [],
        checkpointKey: memory.state.checkpointKey,
        secrets: secrets.reduce(into: [:]) { secrets, entry in
          secrets[DeviceSecret(rawValue: entry.key)] = [UInt8](hexadecimal: entry.value)
        }, user: user, isIdentified: kept?.identity != nil)
    }
  }

  /// Remembers how far a transfer came.
  ///
  /// - Parameters:
  ///   - checkpoint: How far.
  ///   - device: The receiver's own identifier of the device.
  ///   - reader: For whom it was read.
  func advance(_ checkpoint: SyncCheckpoint, of device: UUID, by reader: KnownPeripheral.Enrolment)
  {
    let generation = store?.generation
    do {
      try store?.noteRecords()
      try change(device) { kept in
        kept.checkpoints = kept.checkpoints(for: reader, generation)
        if kept.reader != reader {
          (kept.reader, kept.othersCheckpoints) = (reader, kept.checkpoints)
        }
        kept.generation = generation
        kept.checkpoints = kept.checkpoints.filter { $0.memory != checkpoint.memory } + [checkpoint]
      }
    } catch {
      // A checkpoint that is lost costs a transfer of what the server has already.
    }
  }

  /// The identity by which a device's measurements are recognised: the one that is kept, or else
  /// the one proposed, which is kept from now on.
  ///
  /// - Parameters:
  ///   - device: The receiver's own identifier of the device.
  ///   - proposed: What the device says now of who it is.
  /// - Returns: The identity, which stays the same whatever the device says later.
  /// - Throws: ``BluetoothError`` when the identity cannot be looked up or kept.
  func identity(
    of device: UUID, proposing proposed: DeviceIdentity
  ) throws(BluetoothError) -> DeviceIdentity {
    var identity = proposed
    do {
      try change(device) { kept in
        identity = kept.identity ?? proposed
        kept.identity = identity
      }
    } catch let error as SessionError {
      throw BluetoothError(storing: error)
    } catch {
      throw BluetoothError(.submissionFailure, "Who the device is cannot be kept: \(error)")
    }
    return identity
  }

  /// Changes what is kept of a device; in memory even when it cannot be written.
  ///
  /// The body may run twice, with the same result.
  private func change(_ device: UUID, _ body: (inout SavedDevice) -> Void) throws {
    try memory.withLock { memory in
      do {
        try exclusively {
          let old = try saved
          memory.state = old ?? memory.state
          body(&memory.state.devices[device, default: SavedDevice()])
          guard memory.state != old else { return }
          try store?.write(Array(JSONEncoder().encode(memory.state)))
        }
      } catch {
        body(&memory.state.devices[device, default: SavedDevice()])
        throw error
      }
    }
  }

  private func exclusively(_ body: () throws -> Void) throws {
    guard let lock else { return try body() }
    try lock.exclusively(body)
  }

  /// Keeps a secret of a device; nil removes it.
  func keep(_ bytes: [UInt8]?, as secret: DeviceSecret, of device: UUID) throws(SessionError) {
    try memory.withLock { memory throws(SessionError) in
      var secrets = try storedSecrets(of: device, memory)
      secrets[secret.rawValue] = bytes?.hexadecimal
      memory.secrets[device] = secrets
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
    of device: UUID, _ memory: Memory
  ) throws(SessionError) -> [String: String] {
    guard let credentials else { return memory.secrets[device] ?? [:] }
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

  private struct SavedState: Codable, Equatable {
    var checkpointKey = CheckpointKey.random()
    var devices: [UUID: SavedDevice] = [:]
  }

  private struct SavedDevice: Codable, Equatable {
    var checkpoints: [SyncCheckpoint] = []
    /// For whom it was read last, into which queue, and how far others had read it before.
    var reader: KnownPeripheral.Enrolment?
    var generation: [UInt8]?
    var othersCheckpoints: [SyncCheckpoint] = []
    var identity: DeviceIdentity?

    /// How far a user need not read it again: no further than this queue has the user's records.
    ///
    /// What others had read stays read: it is not this user's.
    func checkpoints(
      for reader: KnownPeripheral.Enrolment, _ generation: [UInt8]?
    ) -> [SyncCheckpoint] {
      reader == self.reader && generation != self.generation ? othersCheckpoints : checkpoints
    }
  }

  /// What the store has; nil when it has nothing that can be used.
  private var saved: SavedState? {
    get throws {
      guard let bytes = try store?.read() else { return nil }
      return try? JSONDecoder().decode(SavedState.self, from: Data(bytes))
    }
  }
}
