// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a bootloader decides of secure DFU: two kinds of objects, made, filled, checked and executed.
///
/// The rules are those of Nordic's nRF5 SDK 17, "DFU protocol" and "BLE transport": a command
/// object with the init packet comes first, then the firmware as data objects; an object is
/// executed when it is complete, which changes nothing the second time; the checksum covers all
/// bytes of its kind so far.
struct Bootloader {
  /// What a client hears, and what the device does then.
  struct Answer: Equatable {
    var bytes: Data?
    var resets = false
  }

  enum Result: UInt8 {
    case success = 0x01
    case notSupported = 0x02
    case invalidParameter = 0x03
    case insufficientResources = 0x04
    case invalidObject = 0x05
    case notPermitted = 0x08
    case extended = 0x0B
  }

  private enum Kind: UInt8 { case command = 1, data = 2 }

  private struct Transfer {
    let maximum: Int
    var bytes = Data()
    /// How many of the bytes belong to executed objects.
    var executed = 0
    /// The size of the object that is being filled; 0 while there is none.
    var size = 0

    var received: Int { bytes.count - executed }
  }

  /// The first bytes of an init packet that this device accepts.
  ///
  /// The firmware's size and checksum follow. A real init packet is signed.
  static let signature = Data("INIT".utf8)

  private var transfers: [Kind: Transfer] = [
    .command: Transfer(maximum: 256), .data: Transfer(maximum: 4096),
  ]
  private var kind = Kind.command
  private var expected: (size: Int, checksum: UInt32)?
  private var receiptInterval = 0
  private var packetsSinceReceipt = 0
  /// The firmware that runs after the last reset.
  private(set) var installed: Data?
  /// What a client did against the protocol.
  private(set) var violations: [String] = []
  /// The objects that were made and executed, in order.
  private(set) var history: [String] = []

  /// How many bytes of firmware have arrived.
  var received: Int { transfers[.data]?.bytes.count ?? 0 }

  // MARK: - The control point

  mutating func control(_ request: Data) -> Answer {
    let bytes = [UInt8](request)
    guard let code = bytes.first else { return Answer() }
    switch (code, bytes.count) {
    case (0x01, 6): return answer(code, create(bytes[1], size: Int(bytes.number(at: 2))))
    case (0x02, 3):
      receiptInterval = Int(bytes[1]) | Int(bytes[2]) << 8
      packetsSinceReceipt = 0
      return answer(code, .success)
    case (0x03, 1): return answer(code, .success, offsetAndChecksum)
    case (0x04, 1): return execute(code)
    case (0x06, 2):
      guard let wanted = Kind(rawValue: bytes[1]) else { return answer(code, .invalidParameter) }
      kind = wanted
      let maximum = UInt32(transfers[kind]?.maximum ?? 0)
      return answer(code, .success, maximum.bytes + offsetAndChecksum)
    case (0x0C, 1): return Answer(bytes: nil, resets: true)
    default: return answer(code, .notSupported)
    }
  }

  private func answer(_ code: UInt8, _ result: Result, _ more: Data = Data()) -> Answer {
    Answer(bytes: Data([0x60, code, result.rawValue]) + more)
  }

  private var offsetAndChecksum: Data {
    let bytes = transfers[kind]?.bytes ?? Data()
    return UInt32(bytes.count).bytes + checksum(bytes).bytes
  }

  private mutating func create(_ number: UInt8, size: Int) -> Result {
    guard let wanted = Kind(rawValue: number), var transfer = transfers[wanted], size > 0 else {
      return .invalidParameter
    }
    guard size <= transfer.maximum else { return .insufficientResources }
    guard wanted == .command || expected != nil else { return .notPermitted }
    kind = wanted
    if wanted == .command {
      transfers[.data] = Transfer(maximum: 4096)
      transfer.executed = 0
      expected = nil
    }
    // What was not executed is forgotten.
    transfer.bytes = transfer.bytes.prefix(transfer.executed)
    transfer.size = size
    transfers[wanted] = transfer
    packetsSinceReceipt = 0
    history.append("\(wanted) \(size)")
    return .success
  }

  private mutating func execute(_ code: UInt8) -> Answer {
    guard var transfer = transfers[kind] else { return answer(code, .notPermitted) }
    guard transfer.received == transfer.size else {
      violations.append("executed \(transfer.received) of \(transfer.size) bytes")
      return answer(code, .notPermitted)
    }
    transfer.executed = transfer.bytes.count
    transfer.size = 0
    if kind == .command {
      guard transfer.bytes.starts(with: Self.signature), transfer.bytes.count >= 12 else {
        // Init command invalid.
        return answer(code, .extended, Data([0x04]))
      }
      let bytes = [UInt8](transfer.bytes)
      expected = (Int(bytes.number(at: 4)), bytes.number(at: 8))
    }
    transfers[kind] = transfer
    history.append("executed \(kind)")
    guard kind == .data, transfer.bytes.count == expected?.size else {
      return answer(code, .success)
    }
    guard checksum(transfer.bytes) == expected?.checksum else {
      return answer(code, .invalidObject)
    }
    installed = Data(transfer.bytes)
    return Answer(bytes: answer(code, .success).bytes, resets: true)
  }

  // MARK: - Packets

  /// Takes bytes of the object; returns a receipt when one is due.
  mutating func packet(_ bytes: Data) -> Data? {
    guard var transfer = transfers[kind], transfer.received + bytes.count <= transfer.size else {
      violations.append("\(bytes.count) bytes for which there is no object")
      return nil
    }
    transfer.bytes += bytes
    transfers[kind] = transfer
    guard receiptInterval > 0 else { return nil }
    packetsSinceReceipt += 1
    guard packetsSinceReceipt == receiptInterval else { return nil }
    packetsSinceReceipt = 0
    return Data([0x60, 0x03, 0x01]) + offsetAndChecksum
  }

  /// The client has gone; objects stay as they are.
  mutating func disconnected() {
    receiptInterval = 0
    kind = .command
  }
}

/// CRC-32 as of IEEE 802.3.
func checksum(_ data: Data) -> UInt32 {
  var sum: UInt32 = 0xFFFF_FFFF
  for byte in data {
    sum ^= UInt32(byte)
    for _ in 0..<8 {
      let isOdd = sum & 1 == 1
      sum >>= 1
      if isOdd { sum ^= 0xEDB8_8320 }
    }
  }
  return ~sum
}

extension UInt32 {
  /// Little-endian.
  var bytes: Data { withUnsafeBytes(of: littleEndian) { Data($0) } }
}

extension [UInt8] {
  /// Four bytes, little-endian.
  fileprivate func number(at offset: Int) -> UInt32 {
    self[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}
