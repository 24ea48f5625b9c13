// SPDX-License-Identifier: Apache-2.0

/// One end of a channel as seen by a manager.
final class SimulatedChannel: RadioChannel, @unchecked Sendable {
  let psm: CBL2CAPPSM
  private let channel: Channel
  private let half: ChannelHalf
  private let air: SimulatedRadioEnvironment

  /// Retains the channel, as the link does.
  init(_ channel: Channel, _ half: ChannelHalf, air: SimulatedRadioEnvironment) {
    psm = channel.psm
    self.channel = channel
    self.half = half
    self.air = air
  }

  deinit {
    // Later, because the last reference may be released while the lock is held.
    air.environment.channelNotifier.queue.async {
      [channel = Unguarded(channel), half = Unguarded(half), air] in
      air.environment.locked { channel.value.close(half.value) }
    }
  }

  private struct Unguarded<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
      self.value = value
    }
  }

  var status: RadioChannelStatus {
    air.environment.locked {
      // A process that has ended must not see the channel's end, even if its run loop runs again.
      guard half.owner.isRunning else {
        return RadioChannelStatus(bytesAvailable: 0, room: 0, end: nil)
      }
      return RadioChannelStatus(
        bytesAvailable: channel.other(of: half).outgoing.bytesAvailable,
        room: half.end == nil ? half.outgoing.room : 0, end: half.end)
    }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let bytes = air.environment.locked { channel.read(buffer.count, at: half) }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    air.environment.locked {
      guard half.end == nil else { return 0 }
      let count = half.outgoing.write(bytes)
      channel.pump(half)
      return count
    }
  }

  func setListener(_ listener: (any RadioChannelListener)?) {
    air.environment.locked { half.setListener(listener) }
  }

  func close() {
    air.environment.locked { channel.close(half) }
  }
}
