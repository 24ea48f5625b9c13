// SPDX-License-Identifier: Apache-2.0

package import Foundation
import SantorioConcurrency
import SantorioCore

/// The file of a hub's facts, in `.hub` in its folder, and its copy in `.hub.copy`.
///
/// The copy is written first. The one that was written last counts; a piece that is damaged or missing in it
/// is read from the other one.
package final class HubStore: Sendable {
  private static let names = [".hub.copy", ".hub"]
  private let files: [StateFile]
  /// The number of changes so far.
  private let version = Locked(0)

  /// Returns true if a folder is a hub's: it holds the file or its copy.
  package static func exists(in folder: URL) -> Bool {
    names.contains {
      FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
    }
  }

  /// Makes the folders.
  init(
    _ configuration: HubConfiguration, _ radio: HubRadio, environment: [String: String]
  ) throws(SessionError) {
    files = try Self.names.map { name throws(SessionError) in
      let setup = HubSessionSetup(ownIn: name, of: configuration, environment: environment)
      return try setup.stateFile(radio)
    }
  }

  /// Closes the files until the next use.
  func close() { for file in files { file.close() } }

  // MARK: - Facts

  /// Reads the facts; a hub that was never started has none.
  ///
  /// - Throws: `SessionError` when they cannot be read.
  func read() throws(SessionError) -> HubFacts {
    let kept = try files.map { file throws(SessionError) in
      Dictionary(
        try file.states(of: Self.source).map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }
    // A kill between the two, or a folder that was restored, leaves an older one.
    let inOrder = kept.sorted { Self.version(of: $0) < Self.version(of: $1) }
    let pieces: [StateName: [UInt8]] = inOrder.reduce(into: [:]) { $0.merge($1) { $1 } }
    guard let facts = Self.facts(pieces) else {
      guard kept.allSatisfy(\.isEmpty), !files.contains(where: \.wasDamaged) else {
        throw damaged
      }
      return HubFacts()
    }
    let last = Self.version(of: pieces)
    version.withLock { $0 = last }
    // The bytes as they are: those of a value may differ each time.
    var all = facts.pieces.merging([Self.versionName: encoded(last)]) { $1 }
    for (name, value) in pieces where all[name] != nil { all[name] = value }
    for (file, known) in zip(files, kept) {
      let missing = all.filter { known[$0.key] != $0.value }
      let surplus = known.keys.filter { all[$0] == nil }
      guard !missing.isEmpty || !surplus.isEmpty else { continue }
      HubLog.warn("a file of the hub was damaged or older, and is made like the other one")
      try file.change(
        missing.map { .fact($0.key, $0.value) } + surplus.map { .fact($0, nil) })
    }
    return facts
  }

  /// Writes the facts that have changed; they are on disk when this returns.
  ///
  /// - Throws: `SessionError` when they cannot be written.
  func write(_ facts: HubFacts, over old: HubFacts) throws(SessionError) {
    let number = version.withLock { version in
      version += 1
      return version
    }
    let changes = facts.changes(from: old) + [.fact(Self.versionName, encoded(number))]
    for file in files { try file.change(changes) }
  }

  private var damaged: SessionError {
    let paths = files.map(\.path)
    return SessionError(
      .storageFailed,
      "neither \(paths[1]) nor its copy \(paths[0]) can be read, which say whose the enrolled devices "
        + "are, and since when; restore one of their folders. Without them, what a device still has of "
        + "an earlier patient is taken for the next one's: remove both folders only where no device "
        + "has changed hands, then enrol them anew")
  }

  // MARK: - Pieces

  private static let source = "hub"
  fileprivate static let general = StateName(source: source, key: "facts")
  private static let versionName = StateName(source: source, key: "version")
  private static func version(of pieces: [StateName: [UInt8]]) -> Int {
    pieces[versionName].flatMap { decoded(Int.self, $0) } ?? 0
  }
  fileprivate static func name(of device: UUID) -> StateName {
    StateName(source: source, device: device.uuidString, key: "facts")
  }

  /// The facts that pieces say; nil without the general one.
  ///
  /// A device of which the piece is lost has unknown owners.
  private static func facts(_ pieces: [StateName: [UInt8]]) -> HubFacts? {
    guard let general = pieces[general].flatMap({ decoded(GeneralFacts.self, $0) }) else {
      return nil
    }
    var facts = general.facts
    for device in general.devices {
      let known = pieces[name(of: device)].flatMap { decoded(DeviceFacts.self, $0) }
      facts.devices[device] = known ?? .lost
    }
    return facts
  }
}

/// The facts that are of no single device.
private struct GeneralFacts: Hashable, Codable {
  var facts: HubFacts
  /// The devices of which there is a piece each.
  let devices: [UUID]

  init(_ facts: HubFacts) {
    self.facts = facts
    self.facts.devices = [:]
    devices = facts.devices.keys.sorted { $0.uuidString < $1.uuidString }
  }
}

extension HubFacts {
  /// All pieces with their values.
  fileprivate var pieces: [StateName: [UInt8]] {
    var pieces = [HubStore.general: encoded(GeneralFacts(self))]
    for (device, known) in devices { pieces[HubStore.name(of: device)] = encoded(known) }
    return pieces
  }

  /// The changes of pieces that make these facts of others.
  fileprivate func changes(from old: HubFacts) -> [StateChange] {
    var changes: [StateChange] = []
    let general = GeneralFacts(self)
    if general != GeneralFacts(old) { changes.append(.fact(HubStore.general, encoded(general))) }
    for (device, known) in devices where known != old.devices[device] {
      changes.append(.fact(HubStore.name(of: device), encoded(known)))
    }
    for device in old.devices.keys where devices[device] == nil {
      changes.append(.fact(HubStore.name(of: device), nil))
    }
    return changes
  }
}

extension DeviceFacts {
  /// The facts of a device of which they are lost.
  fileprivate static var lost: DeviceFacts {
    var facts = DeviceFacts(since: Date())
    facts.owners = .lost
    return facts
  }
}

/// The bytes of a value that is kept.
private func encoded(_ value: some Encodable) -> [UInt8] {
  // Values of texts, numbers and dates can always be encoded.
  (try? JSONEncoder().encode(value)).map(Array.init) ?? []
}

private func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
  try? JSONDecoder().decode(type, from: Data(bytes))
}
