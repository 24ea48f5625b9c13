// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// The identifiers of peers: derived from this machine and the peer's address, and kept.
///
/// Another adapter of the machine finds the same peers, though their bonds stay with the adapter.
///
/// Other peers are remembered while bluetoothd shows them. Of those that it no longer shows only
/// the latest are remembered, up to ``capacity``, because anyone can make up addresses.
///
/// A peer with a private address gets its identifier before it reveals its identity, and keeps it
/// when bluetoothd replaces the private address by the identity address. The path of bluetoothd's
/// object does not show this: it keeps the private address until the next start.
final class BlueZPeers {
  /// The permanent data about a peer.
  struct Record: Hashable, Sendable {
    var address: BlueZAddress
    var name: String?
    /// Whether it was first seen with an address that changes.
    var isPrivate = false
  }

  /// How many peers are remembered that bluetoothd no longer shows and that are not kept.
  static let capacity = 1024
  private static let subfolder = "peers"

  private let files: BlueZFiles
  private var records: [PeerIdentifier: Record] = [:]
  private var kept: Set<PeerIdentifier> = []
  private var identifiers: [BlueZAddress: PeerIdentifier] = [:]
  private var identifiersOfPaths: [String: PeerIdentifier] = [:]
  /// By what the device of a path was known when its identifier was last asked for.
  private var identities: [String: Identity] = [:]
  /// The same the other way round: a peer with a new address can have two objects for a while.
  private var pathsOfIdentifiers: [PeerIdentifier: Set<String>] = [:]
  /// The peers that bluetoothd no longer shows, numbered in the order of their removal.
  private var gone: [PeerIdentifier: Int] = [:]
  private var departureCount = 0

  init(files: BlueZFiles) {
    self.files = files
    for name in files.names(in: Self.subfolder) {
      guard let identifier = UUID(uuidString: name),
        let record = files.read(fileName(of: identifier)).flatMap(Record.init)
      else { continue }
      records[identifier] = record
      kept.insert(identifier)
      identifiers[record.address] = identifier
    }
  }

  /// How many peers are remembered.
  var count: Int { records.count }

  // MARK: - Objects of bluetoothd

  /// The properties of a device from which its record is made.
  private struct Identity: Equatable {
    let address, kind, name: String?

    init(_ device: BlueZDevice) {
      (address, kind) = (
        device.properties["Address"]?.string, device.properties["AddressType"]?.string
      )
      name = device.name
    }
  }

  /// The identifier of a device; the same as long as its object lives.
  func identifier(of device: BlueZDevice) -> PeerIdentifier? {
    let identity = Identity(device)
    if identities[device.path] == identity { return identifiersOfPaths[device.path] }
    guard let address = device.address else { return nil }
    identities[device.path] = identity
    let identifier =
      identifiersOfPaths[device.path] ?? identifiers[address] ?? Self.make(address)
    identifiersOfPaths[device.path] = identifier
    pathsOfIdentifiers[identifier, default: []].insert(device.path)
    gone[identifier] = nil
    var record = records[identifier] ?? Record(address: address)
    if address.isResolvable { record.isPrivate = true }
    record.address = address
    record.name = device.name ?? record.name
    store(record, of: identifier)
    return identifier
  }

  /// The objects of a peer of which ``identifier(of:)`` has been told, the first one first.
  func paths(of identifier: PeerIdentifier) -> [String] {
    pathsOfIdentifiers[identifier].map { $0.sorted() } ?? []
  }

  /// An object was removed; returns whose it was.
  @discardableResult
  func forget(path: String) -> PeerIdentifier? {
    identities[path] = nil
    guard let identifier = identifiersOfPaths.removeValue(forKey: path) else { return nil }
    pathsOfIdentifiers[identifier]?.remove(path)
    if pathsOfIdentifiers[identifier]?.isEmpty == true {
      pathsOfIdentifiers[identifier] = nil
      depart(identifier)
    }
    return identifier
  }

  /// All objects were removed.
  func forgetPaths() {
    let left = pathsOfIdentifiers.keys
    (identifiersOfPaths, pathsOfIdentifiers, identities) = ([:], [:], [:])
    left.forEach(depart)
  }

  private func depart(_ identifier: PeerIdentifier) {
    guard !kept.contains(identifier) else { return }
    departureCount += 1
    gone[identifier] = departureCount
    guard gone.count > Self.capacity, let oldest = gone.min(by: { $0.value < $1.value }) else {
      return
    }
    gone[oldest.key] = nil
    remove(oldest.key)
  }

  // MARK: - Peers

  subscript(_ identifier: PeerIdentifier) -> Record? { records[identifier] }

  /// Keeps a peer for later processes.
  func keep(_ identifier: PeerIdentifier) {
    guard kept.insert(identifier).inserted else { return }
    gone[identifier] = nil
    files.write(records[identifier]?.bytes, fileName(of: identifier))
  }

  private func store(_ record: Record, of identifier: PeerIdentifier) {
    guard records[identifier] != record else { return }
    let old = records.updateValue(record, forKey: identifier)
    if let old, old.address != record.address { identifiers[old.address] = nil }
    // The latest peer with this identity address gets it: it may have been paired again under a
    // new private address.
    if let other = identifiers.updateValue(identifier, forKey: record.address),
      other != identifier
    {
      remove(other)
    }
    if kept.contains(identifier) { files.write(record.bytes, fileName(of: identifier)) }
  }

  private func remove(_ identifier: PeerIdentifier) {
    for path in pathsOfIdentifiers[identifier] ?? [] { identities[path] = nil }
    let record = records.removeValue(forKey: identifier)
    if let record, identifiers[record.address] == identifier { identifiers[record.address] = nil }
    if kept.remove(identifier) != nil { files.write(nil, fileName(of: identifier)) }
  }

  private func fileName(of identifier: PeerIdentifier) -> String {
    "\(Self.subfolder)/\(identifier.uuidString)"
  }

  /// An identifier specific to this machine that does not reveal the address (sd-id128(3)).
  ///
  /// Two peers may have the same six bytes as address, one public and the other random.
  private static func make(_ peer: BlueZAddress) -> PeerIdentifier {
    let seed: [UInt8] = peer.bytes + [peer.isRandom ? 1 : 0, 0, 0, 0, 0, 0, 0, 0xCB, 0x1D, 0x01]
    var application = sd_id128_t()
    var result = sd_id128_t()
    withUnsafeMutableBytes(of: &application) { $0.copyBytes(from: seed) }
    guard sd_id128_get_machine_app_specific(application, &result) >= 0 else { return UUID() }
    return withUnsafeBytes(of: &result) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension BlueZPeers.Record {
  /// Reads four lines: the address, its type, whether it changes, and the optional name.
  init?(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count >= 3,
      let address = BlueZAddress(String(lines[0]), isRandom: lines[1] == "random")
    else { return nil }
    self.init(
      address: address, name: lines.count > 3 ? String(lines[3]) : nil,
      isPrivate: lines[2] == "private")
  }

  var bytes: [UInt8] {
    let fields = [
      address.text, address.isRandom ? "random" : "public", isPrivate ? "private" : "stable", name,
    ]
    return Array(fields.compactMap(\.self).joined(separator: "\n").utf8)
  }
}
