// SPDX-License-Identifier: Apache-2.0

internal import CSystemd

/// The identifiers of peers: made of this machine, its adapter and the peer's address, and kept.
///
/// A peer with a private address gets its identifier before it shows its identity, and keeps it
/// when bluetoothd puts the identity in place of the private address. The path of bluetoothd's
/// object says nothing: it keeps the private address until the next start.
final class BlueZPeers {
  /// What is known of a peer for good.
  struct Record: Hashable, Sendable {
    var address: BlueZAddress
    var name: String?
    /// Whether it was met under an address that changes.
    var isPrivate = false
  }

  private let files: BlueZFiles
  private let adapter: BlueZAddress
  private var records: [PeerIdentifier: Record] = [:]
  private var kept: Set<PeerIdentifier> = []
  private var identifiers: [BlueZAddress: PeerIdentifier] = [:]
  private var identifiersOfPaths: [String: PeerIdentifier] = [:]

  init(files: BlueZFiles, adapter: BlueZAddress) {
    self.files = files
    self.adapter = adapter
    for name in files.names(in: subfolder) {
      guard let identifier = UUID(uuidString: name),
        let record = files.read(fileName(of: identifier)).flatMap(Record.init)
      else { continue }
      records[identifier] = record
      kept.insert(identifier)
      identifiers[record.address] = identifier
    }
  }

  private var subfolder: String {
    "peers-" + adapter.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  // MARK: - Objects of bluetoothd

  /// The identifier of a device; the same as long as its object lives.
  func identifier(of device: BlueZDevice) -> PeerIdentifier? {
    guard let address = device.address else { return nil }
    let identifier =
      identifiersOfPaths[device.path] ?? identifiers[address] ?? Self.make(adapter, address)
    identifiersOfPaths[device.path] = identifier
    var record = records[identifier] ?? Record(address: address)
    if address.isResolvable { record.isPrivate = true }
    record.address = address
    record.name = device.name ?? record.name
    store(record, of: identifier)
    return identifier
  }

  /// An object is gone.
  func forget(path: String) {
    identifiersOfPaths[path] = nil
  }

  /// All objects are gone.
  func forgetPaths() {
    identifiersOfPaths = [:]
  }

  // MARK: - Peers

  subscript(_ identifier: PeerIdentifier) -> Record? { records[identifier] }

  /// Keeps a peer for later processes.
  func keep(_ identifier: PeerIdentifier) {
    guard kept.insert(identifier).inserted else { return }
    files.write(records[identifier]?.bytes, fileName(of: identifier))
  }

  private func store(_ record: Record, of identifier: PeerIdentifier) {
    guard records[identifier] != record else { return }
    records[identifier] = record
    identifiers[record.address] = identifier
    if kept.contains(identifier) { files.write(record.bytes, fileName(of: identifier)) }
  }

  private func fileName(of identifier: PeerIdentifier) -> String {
    "\(subfolder)/\(identifier.uuidString)"
  }

  /// An identifier that only this machine gives, without the addresses in it (sd-id128(3)).
  private static func make(_ adapter: BlueZAddress, _ peer: BlueZAddress) -> PeerIdentifier {
    let seed: [UInt8] = adapter.bytes + peer.bytes + [peer.isRandom ? 1 : 0, 0xCB, 0x1D, 0x01]
    var application = sd_id128_t()
    var result = sd_id128_t()
    withUnsafeMutableBytes(of: &application) { $0.copyBytes(from: seed) }
    guard sd_id128_get_machine_app_specific(application, &result) >= 0 else { return UUID() }
    return withUnsafeBytes(of: &result) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension BlueZPeers.Record {
  /// Reads four lines: the address, its type, whether it changes, and the name, which may be absent.
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
