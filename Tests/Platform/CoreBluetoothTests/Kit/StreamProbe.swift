// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

/// A stream's delegate that writes down everything it is told, reads and writes.
final class StreamProbe: StreamDelegate, @unchecked Sendable {
  let log = EventLog()
  private let lock = NSLock()
  private var arrived: [UInt8] = []
  private var unsent: ArraySlice<UInt8>
  private let readLimit: Int

  /// Reads at most so many bytes at an event, and writes these bytes.
  init(reading readLimit: Int = .max, writing bytes: [UInt8] = []) {
    self.readLimit = readLimit
    unsent = bytes[...]
  }

  /// What was read so far.
  var received: [UInt8] {
    lock.lock()
    defer { lock.unlock() }
    return arrived
  }

  func stream(_ aStream: Stream, handle eventCode: Stream.Event) {
    log.note(eventCode.name)
    if eventCode == .hasBytesAvailable, let input = aStream as? InputStream {
      let bytes = input.take(readLimit)
      lock.lock()
      arrived += bytes
      lock.unlock()
    }
    if eventCode == .hasSpaceAvailable, let output = aStream as? OutputStream, !unsent.isEmpty {
      unsent = unsent.dropFirst(output.put(Array(unsent)))
    }
  }
}

extension Stream.Event {
  var name: String {
    switch self {
    case .openCompleted: "open"
    case .hasBytesAvailable: "bytes"
    case .hasSpaceAvailable: "space"
    case .errorOccurred: "error"
    case .endEncountered: "end"
    default: "none"
    }
  }
}

extension InputStream {
  /// Reads what is there, at most so many bytes, without waiting.
  func take(_ maximum: Int = .max) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while hasBytesAvailable, result.count < maximum {
      let count = read(&buffer, maxLength: min(buffer.count, maximum - result.count))
      guard count > 0 else { break }
      result += buffer.prefix(count)
    }
    return result
  }
}

extension OutputStream {
  /// Writes what there is room for, without waiting; returns how much that was.
  func put(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while hasSpaceAvailable, sent < bytes.count {
      let count = bytes.withUnsafeBufferPointer { buffer -> Int in
        guard let start = buffer.baseAddress else { return 0 }
        return write(start + sent, maxLength: bytes.count - sent)
      }
      guard count > 0 else { break }
      sent += count
    }
    return sent
  }
}

/// Both ends of an open channel, with open streams.
struct ChannelPair {
  /// The end of the central.
  let near: CBL2CAPChannel
  /// The end of the device.
  let far: CBL2CAPChannel

  func openStreams() {
    for stream in [near.inputStream, near.outputStream, far.inputStream, far.outputStream] {
      stream?.open()
    }
  }
}

extension Lab {
  /// Has the device publish a channel.
  func publishChannel(encrypted: Bool = false) async throws -> CBL2CAPPSM {
    let count = device.publishedNumbers.count
    device.manager.publishL2CAPChannel(withEncryption: encrypted)
    await air.advance(by: .seconds(1)) { device.publishedNumbers.count > count }
    return try #require(device.publishedNumbers.dropFirst(count).first)
  }

  /// Opens a channel and the streams of both of its ends.
  func openChannel(_ psm: CBL2CAPPSM, to peripheral: CBPeripheral) async throws -> ChannelPair {
    let count = central.channels.count
    peripheral.openL2CAPChannel(psm)
    await air.advance(by: .seconds(40)) { central.channels.count > count }
    let pair = ChannelPair(
      near: try #require(central.channels.dropFirst(count).first),
      far: try #require(device.channels.last))
    pair.openStreams()
    return pair
  }

  /// Connects, publishes and opens a channel and its streams.
  func openChannel() async throws -> ChannelPair {
    let link = try await open()
    return try await openChannel(try await publishChannel(), to: link.peripheral)
  }

  /// The same without opening the streams.
  func openSilentChannel() async throws -> ChannelPair {
    let link = try await open()
    link.peripheral.openL2CAPChannel(try await publishChannel())
    await wait(for: "channel")
    return ChannelPair(
      near: try #require(central.channels.last), far: try #require(device.channels.last))
  }
}
