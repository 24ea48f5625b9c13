// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A device of another Bluetooth stack in the guest, steered by lines to its control socket.
struct LabPeer {
  let name: String
  /// Its static random address; empty for what runs already.
  let address: String

  private static let lastByte = Counter()

  /// Starts a device of a kind, with options; it advertises when this returns.
  ///
  /// Each has an address of its own, for bluetoothd keeps the bonds of those that are gone.
  init(_ name: String, _ kind: String, _ options: String...) async throws {
    try await self.init(name, [kind] + options)
  }

  /// The same, with the kind as the first of the words.
  init(_ name: String, _ words: [String]) async throws {
    self.name = name
    address = "F0:F1:F2:F3:F4:" + Self.lastByte.next()
    try await LabGuest.run(["lab", "peer", name] + words + ["--address", address])
  }

  /// Something that runs already and listens under a name.
  init(running name: String) {
    self.name = name
    address = ""
  }

  /// Takes the batteries out.
  func stop() async throws {
    try await LabGuest.lab("stop", name)
  }

  /// Says something to the device, and gives its answer.
  @discardableResult
  func ask(_ words: String...) async throws -> [String: Any] {
    let line = words.joined(separator: " ")
    let answer = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<Data, any Error>) in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try Self.exchange(line, at: "/run/lab/\(name)") })
      }
    }
    let fields = try JSONSerialization.jsonObject(with: answer) as? [String: Any] ?? [:]
    guard fields["ok"] as? Bool == true else {
      throw LabGuest.Failure(
        description: "\(name), \(line): \(String(decoding: answer, as: UTF8.self))")
    }
    return fields
  }

  /// How often the device has seen an event since its last reset.
  func count(_ event: String) async throws -> Int {
    (try await ask("stats")["counts"] as? [String: Int])?[event] ?? 0
  }

  private static func exchange(_ line: String, at path: String) throws -> Data {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isConnected else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    try handle.write(contentsOf: Data((line + "\n").utf8))
    // FileHandle would wait for more than the one line.
    var answer = Data()
    var part = [UInt8](repeating: 0, count: 65_536)
    while answer.last != UInt8(ascii: "\n") {
      let count = read(socket, &part, part.count)
      guard count > 0 else { break }
      answer += part.prefix(count)
    }
    return answer
  }
}

/// Gives bytes in two hexadecimal digits, from 10 on.
private final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var last: UInt8 = 0x0F

  func next() -> String {
    lock.lock()
    defer { lock.unlock() }
    last &+= 1
    return String(last, radix: 16, uppercase: true)
  }
}
