// SPDX-License-Identifier: Apache-2.0

/// One end of a channel: reads whatever comes, and writes its bytes as far as there is room.
final class ChannelSide: RadioChannelListener, @unchecked Sendable {
  private let channel: any RadioChannel
  private let lock = NSLock()
  private var unsent: ArraySlice<UInt8>
  private var closesAfterwards: Bool
  private var arrived: [UInt8] = []
  private var seenEnd: RadioChannelEnd?

  init(_ channel: any RadioChannel, writing bytes: [UInt8] = [], thenCloses: Bool = false) {
    self.channel = channel
    unsent = bytes[...]
    closesAfterwards = thenCloses
    channel.setListener(self)
    channelChanged()
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }

  /// What was read so far.
  var received: [UInt8] { locked { arrived } }

  /// The end of the channel, once everything that came before it has been read.
  var end: RadioChannelEnd? { locked { seenEnd } }

  var isBusy: Bool { false }

  func channelChanged() {
    locked {
      let end = channel.status.end
      arrived += channel.takeAll()
      write()
      seenEnd = seenEnd ?? end
    }
  }

  private func write() {
    while !unsent.isEmpty {
      let count = unsent.withUnsafeBytes(channel.write)
      guard count > 0 else { return }
      unsent = unsent.dropFirst(count)
    }
    guard closesAfterwards else { return }
    closesAfterwards = false
    channel.close()
  }
}

extension RadioChannel {
  /// Reads what is there.
  func takeAll() -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = buffer.withUnsafeMutableBytes(read)
      guard count > 0 else { return result }
      result += buffer.prefix(count)
    }
  }

  /// Writes what there is room for; returns the number of bytes.
  func put(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes(write)
  }
}
