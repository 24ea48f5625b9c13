// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// The state shared by the two streams of a channel: the radio's end, and the blocked calls.
final class ChannelTransport: RadioChannelListener, @unchecked Sendable {
  private struct Streams {
    weak var input: StreamEvents?
    weak var output: StreamEvents?
    var closed = 0

    var events: [StreamEvents] { [input, output].compactMap { $0 } }
  }

  private let channel: any RadioChannel
  private let streams = Locked(Streams())
  // Everything below is accessed with the condition's lock held.
  private let condition = NSCondition()
  private var changes = 0
  private var sleeping = 0
  private var woken = 0

  init(_ channel: any RadioChannel) {
    self.channel = channel
    channel.setListener(self)
  }

  var psm: CBL2CAPPSM { channel.psm }

  var status: RadioChannelStatus { channel.status }

  /// The events of the stream that reads.
  func makeInputEvents() -> StreamEvents {
    let events = StreamEvents(.hasBytesAvailable) { [channel] in
      let status = channel.status
      let isReady = status.bytesAvailable > 0
      return StreamEvents.Readiness(isReady: isReady, end: isReady ? nil : status.end)
    }
    streams.withLock { $0.input = events }
    return events
  }

  /// The events of the stream that writes.
  func makeOutputEvents() -> StreamEvents {
    let events = StreamEvents(.hasSpaceAvailable) { [channel] in
      let status = channel.status
      return StreamEvents.Readiness(isReady: status.room > 0, end: status.end)
    }
    streams.withLock { $0.output = events }
    return events
  }

  // MARK: - The listener

  func channelChanged() {
    wake()
    for events in streams.withLock({ $0.events }) { events.signal() }
  }

  var isBusy: Bool {
    let (sleeping, woken) = withCondition { (self.sleeping, self.woken) }
    if woken > 0 { return true }
    // A run loop cannot run while its delegate blocks in a call.
    let awaited = streams.withLock { $0.events }.filter(\.isAwaited)
    return sleeping == 0 && !awaited.isEmpty
  }

  // MARK: - Bytes

  /// Repeats the attempt until it moves bytes, the channel has ended or the stream is closed.
  ///
  /// - Returns: The number of bytes; zero at the channel's end, nil when the stream is not open.
  func transfer(for events: StreamEvents, _ attempt: (any RadioChannel) -> Int) -> Int? {
    while events.isOpen {
      let seen = withCondition { changes }
      let count = attempt(channel)
      if count > 0 { return count }
      // The last bytes may have arrived with the end.
      if channel.status.end != nil { return attempt(channel) }
      sleep(after: seen)
    }
    return nil
  }

  private func sleep(after seen: Int) {
    withCondition {
      guard changes == seen else { return }
      sleeping += 1
      while changes == seen { condition.wait() }
      woken -= 1
    }
  }

  private func wake() {
    withCondition {
      changes += 1
      woken += sleeping
      sleeping = 0
      condition.broadcast()
    }
  }

  private func withCondition<Result>(_ body: () -> Result) -> Result {
    condition.lock()
    defer { condition.unlock() }
    return body()
  }

  // MARK: - The end

  /// One of the streams is closed; when both are, the channel is closed.
  func streamClosed() {
    let isLast = streams.withLock { streams in
      streams.closed += 1
      return streams.closed == 2
    }
    wake()
    if isLast { close() }
  }

  func close() {
    channel.close()
  }
}
