// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioDBus
import Testing

@testable import CoreBluetooth

private let address = "C0:11:22:33:44:55"

/// A device as bluetoothd shows it under an adapter.
private func device(
  _ address: String, under adapter: String = "hci0", isRandom: Bool = true, at path: String? = nil,
  named name: String? = nil
) -> BlueZDevice {
  let folder = path ?? "dev_" + address.replacingOccurrences(of: ":", with: "_")
  var properties: [String: DBusValue] = [
    "Address": .string(address), "AddressType": .string(isRandom ? "random" : "public"),
  ]
  properties["Name"] = name.map { .string($0) }
  return BlueZDevice(path: "/org/bluez/\(adapter)/\(folder)", properties: properties)
}

@Suite struct `Peers of BlueZ` {
  private let files = BlueZFiles(
    folder: FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path)

  /// A device that comes into range and goes again.
  @discardableResult
  private func passBy(_ number: Int, _ peers: BlueZPeers) -> UUID? {
    let device = device(String(format: "D0:00:00:00:%02X:%02X", number >> 8, number & 0xFF))
    defer { peers.forget(path: device.path) }
    return peers.identifier(of: device)
  }

  @Test func `are the same under another adapter`() throws {
    let old = BlueZPeers(files: files)
    let identifier = try #require(old.identifier(of: device(address, under: "hci0")))
    old.keep(identifier)
    defer { try? FileManager.default.removeItem(atPath: files.folder ?? "") }

    let later = BlueZPeers(files: files)
    #expect(later[identifier]?.address.text == address)
    #expect(later.identifier(of: device(address, under: "hci1")) == identifier)
    // Nothing is needed for it but the address.
    let elsewhere = BlueZPeers(files: BlueZFiles(folder: "/nowhere/at/all"))
    #expect(elsewhere.identifier(of: device(address, under: "hci1")) == identifier)
  }

  @Test func `are distinct with the same address, random and public`() {
    let peers = BlueZPeers(files: files)
    let random = peers.identifier(of: device(address))
    let assigned = peers.identifier(of: device(address, isRandom: false, at: "dev_other"))
    #expect(random != nil && assigned != nil && random != assigned)
  }

  @Test func `are forgotten when many have disappeared, except kept ones`() throws {
    let peers = BlueZPeers(files: files)
    defer { try? FileManager.default.removeItem(atPath: files.folder ?? "") }
    let kept = try #require(peers.identifier(of: device(address)))
    peers.keep(kept)
    peers.forget(path: device(address).path)
    let here = device("C0:00:00:00:00:01")
    let present = try #require(peers.identifier(of: here))
    var last: UUID?
    for number in 0..<3 * BlueZPeers.capacity { last = passBy(number, peers) }
    #expect(peers.count == BlueZPeers.capacity + 2)
    #expect(peers[kept] != nil && peers[present] != nil)
    #expect(try peers[#require(last)] != nil)
  }

  @Test func `survive a restart of bluetoothd`() throws {
    let peers = BlueZPeers(files: files)
    let identifier = peers.identifier(of: device(address))
    peers.forgetPaths()
    #expect(peers.identifier(of: device(address)) == identifier)
    #expect(peers.count == 1)
  }

  @Test func `keep their identifier when a private address becomes an identity`() throws {
    let peers = BlueZPeers(files: files)
    defer { try? FileManager.default.removeItem(atPath: files.folder ?? "") }
    let path = "dev_private"
    let first = try #require(peers.identifier(of: device("4A:00:00:00:00:01", at: path)))
    peers.keep(first)
    #expect(peers.identifier(of: device(address, at: path)) == first)
    #expect(BlueZPeers(files: files).identifier(of: device(address)) == first)
  }

  @Test func `are known by the latest name that they said`() throws {
    let peers = BlueZPeers(files: files)
    let peer = try #require(peers.identifier(of: device(address)))
    #expect(peers[peer]?.name == nil)

    #expect(peers.identifier(of: device(address, named: "Cuff")) == peer)
    #expect(peers[peer]?.name == "Cuff")
    #expect(peers.identifier(of: device(address, named: "Cuff of Anna")) == peer)
    #expect(peers[peer]?.name == "Cuff of Anna")
    #expect(peers.identifier(of: device(address)) == peer)
    #expect(peers[peer]?.name == "Cuff of Anna")
  }

  @Test func `are found by their objects, of which one with a new address has two`() throws {
    let peers = BlueZPeers(files: files)
    let (old, new) = (device(address, at: "dev_old"), device(address, at: "dev_new"))
    let peer = try #require(peers.identifier(of: old))
    let other = try #require(peers.identifier(of: device("C0:00:00:00:00:02")))
    #expect(peers.paths(of: peer) == [old.path])

    #expect(peers.identifier(of: new) == peer)
    #expect(peers.paths(of: peer) == [new.path, old.path])

    #expect(peers.forget(path: old.path) == peer)
    #expect(peers.paths(of: peer) == [new.path])
    #expect(peers.forget(path: old.path) == nil)

    #expect(peers.forget(path: new.path) == peer)
    #expect(peers.paths(of: peer) == [] && peers.paths(of: other).count == 1)
    peers.forgetPaths()
    #expect(peers.paths(of: other) == [])
  }

  @Test func `are remembered while one of their objects is left`() throws {
    let peers = BlueZPeers(files: files)
    let (old, new) = (device(address, at: "dev_old"), device(address, at: "dev_new"))
    let peer = try #require(peers.identifier(of: old))
    _ = peers.identifier(of: new)
    peers.forget(path: old.path)

    for number in 0...BlueZPeers.capacity { passBy(number, peers) }

    #expect(peers[peer] != nil)
  }
}

@Suite struct `Folder of BlueZ's files` {
  @Test(arguments: [
    (["STATE_DIRECTORY": "/var/lib/santorio:/x", "HOME": "/root"], "/var/lib/santorio"),
    (["XDG_STATE_HOME": "/home/u/state", "HOME": "/home/u"], "/home/u/state"),
    (["XDG_STATE_HOME": "relative", "HOME": "/home/u"], "/home/u/.local/state"),
  ])
  func `is that of the service, or of the user`(environment: [String: String], base: String) {
    #expect(BlueZFiles(in: { environment[$0] }).folder == base + "/corebluetooth")
  }

  @Test(arguments: [[:], ["HOME": ""], ["HOME": "relative"]] as [[String: String]])
  func `is missing when the environment names none, and nothing is stored`(
    environment: [String: String]
  ) {
    let files = BlueZFiles(in: { environment[$0] })
    #expect(files.folder == nil)
    files.write([1], "restore/x")
    #expect(files.read("restore/x") == nil)
    #expect(files.names(in: "peers") == [])
  }

  // Two processes would restore the same, and each overwrite what the other has.
  @Test func `has restoration files that one process uses at a time`() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? manager.removeItem(at: folder) }
    let files = BlueZFiles(folder: folder.path)
    files.write(Array("[1]".utf8), "restore/central-x.json")
    let path = folder.path + "/restore/central-x.json.lock"
    let other = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)

    let second = RestorationFile(files, "central-x", empty: [Int]())
    #expect(second.take() == nil)
    second.value = [2]
    second.remove()
    #expect(files.read("restore/central-x.json") == Array("[1]".utf8))

    close(other)
    let first = RestorationFile(files, "central-x", empty: [Int]())
    #expect(first.take() == [1])
    #expect(flock(open(path, O_RDWR | O_CLOEXEC), LOCK_EX | LOCK_NB) != 0)
    let again = RestorationFile(files, "central-x", empty: [Int]())
    again.value = [3]
    #expect(first.take() == [3])
  }

  @Test func `is accessed without following links`() throws {
    let manager = FileManager.default
    let folder = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? manager.removeItem(at: folder) }
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    let target = folder.appendingPathComponent("target")
    try Data([7]).write(to: target)
    try manager.createSymbolicLink(
      at: folder.appendingPathComponent("link"), withDestinationURL: target)
    let files = BlueZFiles(folder: folder.path)
    #expect(files.read("target") == [7])
    #expect(files.read("link") == nil)
    files.write([8], "link")
    #expect(files.read("link") == [8])
    #expect(files.read("target") == [7])
  }
}
