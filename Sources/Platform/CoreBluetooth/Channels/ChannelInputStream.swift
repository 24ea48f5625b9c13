// SPDX-License-Identifier: Apache-2.0

/// The bytes received on a channel.
final class ChannelInputStream: InputStream {
  private let transport: ChannelTransport
  private let events: StreamEvents

  init(_ transport: ChannelTransport) {
    self.transport = transport
    events = transport.makeInputEvents()
    super.init(data: Data())
    events.setStream(self)
  }

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

  override var hasBytesAvailable: Bool {
    events.isOpen && transport.status.bytesAvailable > 0
  }

  /// Blocks until there is at least one byte; zero at the end, -1 after an error or when not open.
  override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
    guard len > 0 else { return 0 }
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: len)
    guard let count = transport.transfer(for: events, { $0.read(into: room) }) else { return -1 }
    events.arm()
    return count == 0 && events.error != nil ? -1 : count
  }

  override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    length len: UnsafeMutablePointer<Int>
  ) -> Bool {
    false
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
