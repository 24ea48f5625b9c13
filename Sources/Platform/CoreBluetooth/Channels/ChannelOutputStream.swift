// SPDX-License-Identifier: Apache-2.0

/// The bytes sent on a channel.
final class ChannelOutputStream: OutputStream {
  private let transport: ChannelTransport
  private let events: StreamEvents

  init(_ transport: ChannelTransport) {
    self.transport = transport
    events = transport.makeOutputEvents()
    super.init(toMemory: ())
    events.setStream(self)
  }

  #if !canImport(ObjectiveC)
    /// Required by the superclass: a stream of a channel that has ended.
    required convenience init(toMemory: ()) {
      self.init(ChannelTransport(EndedChannel()))
    }
  #endif

  override var delegate: (any StreamDelegate)? {
    get { events.delegate }
    set { events.delegate = newValue }
  }

  override func open() {
    events.open()
  }

  override func close() {
    if events.close() { transport.streamClosed() }
  }

  override var streamStatus: Stream.Status { events.status }

  override var streamError: (any Error)? { events.error }

  override var hasSpaceAvailable: Bool {
    events.isOpen && transport.status.room > 0
  }

  /// Blocks until there is room and takes what fits; -1 when the channel has ended or is not open.
  override func write(_ buffer: UnsafePointer<UInt8>, maxLength len: Int) -> Int {
    guard len > 0 else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: buffer, count: len)
    let count = transport.transfer(for: events) { $0.write(bytes) }
    guard let count, count > 0 else { return -1 }
    events.arm()
    return count
  }

  override func property(forKey key: Stream.PropertyKey) -> StreamProperty? { nil }

  override func setProperty(_ property: StreamProperty?, forKey key: Stream.PropertyKey) -> Bool {
    false
  }

  override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.schedule(in: aRunLoop, mode: mode)
  }

  override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {
    events.remove(from: aRunLoop, mode: mode)
  }
}

#if !canImport(ObjectiveC)
  /// A channel that has already ended.
  private final class EndedChannel: RadioChannel {
    var psm: CBL2CAPPSM { 0 }
    var status: RadioChannelStatus {
      RadioChannelStatus(bytesAvailable: 0, room: 0, end: .closed)
    }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    func write(_ bytes: UnsafeRawBufferPointer) -> Int { 0 }
    func setListener(_ listener: (any RadioChannelListener)?) {}
    func close() {}
  }
#endif
