// SPDX-License-Identifier: Apache-2.0

@testable import CoreBluetooth
import Glibc
import Testing

/// Two ends that the kernel joins, with messages as an L2CAP channel has them.
private func makeSockets() throws -> (near: Socket, far: Socket) {
  var descriptors: [Int32] = [-1, -1]
  try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &descriptors) == 0)
  return (Socket(owning: descriptors[0]), Socket(owning: descriptors[1]))
}

/// Hears of changes, and lets tests wait for what comes of them.
private final class Listener: RadioChannelListener {
  private let changes: AsyncStream<Void>
  private let heard: AsyncStream<Void>.Continuation

  init(_ channel: any RadioChannel) {
    (changes, heard) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    channel.setListener(self)
  }

  var isBusy: Bool { false }

  func channelChanged() { heard.yield() }

  /// Waits until the condition holds; it is looked at when something has changed.
  func until(_ condition: () -> Bool) async {
    if condition() { return }
    for await _ in changes where condition() { return }
  }
}

extension RadioChannel {
  fileprivate func put(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBytes(write) }

  fileprivate func take(_ maximum: Int = 1 << 20) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maximum)
    let count = bytes.withUnsafeMutableBytes(read)
    return Array(bytes.prefix(count))
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Channel over a socket` {
  private func channel(_ socket: Socket, buffer: Int = 1_000) -> SocketChannel {
    SocketChannel(
      socket, psm: 0x80, limits: SocketStream.Limits(send: 100, receive: 200, buffer: buffer))
  }

  /// A channel, and the socket at the other end of it.
  private func makeNear() throws -> (near: SocketChannel, far: Socket) {
    let sockets = try makeSockets()
    return (channel(sockets.near), sockets.far)
  }

  /// A channel whose other end nobody keeps when the closure has ended.
  private func makeNear(_ body: (SocketChannel) -> Void) throws -> SocketChannel {
    let channels = try makeChannels()
    body(channels.far)
    return channels.near
  }

  private func makeChannels(
    near: Int = 1_000, far: Int = 1_000
  ) throws -> (near: SocketChannel, far: SocketChannel) {
    let sockets = try makeSockets()
    return (channel(sockets.near, buffer: near), channel(sockets.far, buffer: far))
  }

  /// Bytes of which no two parts look alike.
  private func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
  }

  /// All that comes, until the end or until there are so many bytes.
  private func collect(_ channel: SocketChannel, _ count: Int) async -> [UInt8] {
    let listener = Listener(channel)
    var result: [UInt8] = []
    while result.count < count {
      await listener.until { channel.status.bytesAvailable > 0 || channel.status.end != nil }
      let new = channel.take()
      if new.isEmpty { break }
      result += new
    }
    return result
  }

  @Test func `a new channel is empty and writable`() throws {
    let (near, far) = try makeNear()

    #expect(near.psm == 0x80)
    #expect(near.status == RadioChannelStatus(bytesAvailable: 0, room: 1_000, end: nil))
    #expect(near.take() == [])
    withExtendedLifetime(far) {}
  }

  @Test func `written bytes are sent in data units of the peer's size`() throws {
    let (near, far) = try makeNear()

    #expect(near.put(bytes(250)) == 250)

    #expect(try far.receive(1_000) == Array(bytes(250)[..<100]))
    #expect(try far.receive(1_000) == Array(bytes(250)[100..<200]))
    #expect(try far.receive(1_000) == Array(bytes(250)[200...]))
    #expect(near.status.room == 1_000)
  }

  @Test func `data units become a stream`() async throws {
    let (socket, far) = try makeSockets()
    for unit in [[1, 2, 3], [4], [5, 6]] as [[UInt8]] { _ = try far.send(unit[...]) }

    let near = channel(socket)
    await Listener(near).until { near.status.bytesAvailable == 6 }

    #expect(near.take(2) == [1, 2])
    #expect(near.take() == [3, 4, 5, 6])
    #expect(near.take() == [])
    #expect(near.status.end == nil)
    withExtendedLifetime(far) {}
  }

  @Test func `an empty data unit is not the end`() async throws {
    let (near, far) = try makeNear()

    _ = try far.send([])
    _ = try far.send([7])

    #expect(await collect(near, 1) == [7])
    #expect(near.status.end == nil)
    withExtendedLifetime(far) {}
  }

  @Test func `a writer waits for a reader that does not read`() async throws {
    let (near, far) = try makeChannels()
    let sent = bytes(2_000_000)
    var written = 0
    let listener = Listener(near)

    // The kernel takes some, the buffers take some, then there is no room.
    while near.status.room > 0, written < sent.count {
      written += near.put(Array(sent[written...].prefix(10_000)))
    }
    #expect(written < sent.count)
    #expect(near.put([1]) == 0)
    let received = await collect(far, written)
    await listener.until { near.status.room >= 500 }

    #expect(received.elementsEqual(sent[..<written]))
    #expect(near.put([1]) == 1)
  }

  @Test func `bytes go both ways at once`() async throws {
    let (near, far) = try makeChannels()
    let sent = bytes(300_000)

    async let up = collect(far, sent.count)
    async let down = collect(near, sent.count)
    async let first: Void = Writer(near).write(sent)
    async let second: Void = Writer(far).write(sent)

    let both = await (up, down)
    #expect(both.0.elementsEqual(sent))
    #expect(both.1.elementsEqual(sent))
    _ = await (first, second)
  }

  /// Writes from another thread than the one that reads.
  private struct Writer {
    let channel: SocketChannel

    init(_ channel: SocketChannel) {
      self.channel = channel
    }

    func write(_ bytes: [UInt8]) async {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = channel.put(Array(rest.prefix(5_000)))
        rest = rest.dropFirst(count)
        // The one listener of the channel is the reader's.
        if count == 0 { await Task.yield() }
      }
    }
  }

  @Test func `bytes written before the end arrive before it`() async throws {
    let (near, far) = try makeChannels(near: 100_000)
    let sent = bytes(100_000)

    #expect(near.put(sent) == sent.count)
    near.close()
    #expect(near.status.end == .closed)
    #expect(near.status.room == 0)
    #expect(near.put([1]) == 0)

    #expect(await collect(far, .max).elementsEqual(sent))
    #expect(far.status == RadioChannelStatus(bytesAvailable: 0, room: 0, end: .closed))
  }

  @Test func `bytes received before the end can be read after it`() async throws {
    let (near, far) = try makeChannels()
    let listener = Listener(near)

    #expect(far.put([1, 2, 3]) == 3)
    far.close()
    await listener.until { near.status.end != nil }

    #expect(near.status == RadioChannelStatus(bytesAvailable: 3, room: 0, end: .closed))
    #expect(near.take() == [1, 2, 3])
    #expect(near.take() == [])
  }

  @Test func `a full buffer does not hide the end`() async throws {
    let (near, far) = try makeChannels(near: 100, far: 10_000)
    let listener = Listener(near)

    #expect(far.put(bytes(5_000)) == 5_000)
    far.close()
    await listener.until { near.status.bytesAvailable >= 100 }
    #expect(near.status.end == nil)

    #expect(await collect(near, .max).elementsEqual(bytes(5_000)))
    #expect(near.status.end == .closed)
  }

  @Test func `a released channel closes`() async throws {
    let near = try makeNear { far in #expect(far.put([9]) == 1) }
    let listener = Listener(near)

    await listener.until { near.status.end != nil }

    #expect(near.status.end == .closed)
    #expect(near.take() == [9])
  }

  @Test func `the writer is notified of the end`() async throws {
    let (near, far) = try makeChannels()
    let listener = Listener(near)
    while near.put(bytes(1_000)) > 0 {}

    far.close()
    await listener.until { near.status.end != nil }

    #expect(near.status.room == 0)
    #expect(near.put([1]) == 0)
  }

  @Test func `a listener is called without a lock`() async throws {
    /// Uses the channel from within the call.
    final class Echo: RadioChannelListener {
      let channel: SocketChannel

      init(_ channel: SocketChannel) {
        self.channel = channel
        channel.setListener(self)
      }

      var isBusy: Bool { false }

      func channelChanged() {
        _ = channel.put(channel.take())
        if channel.status.end != nil { channel.close() }
      }
    }
    let (near, far) = try makeChannels()
    let echo = Echo(near)

    #expect(far.put([1, 2, 3]) == 3)

    #expect(await collect(far, 3) == [1, 2, 3])
    withExtendedLifetime(echo) {}
  }

  @Test(
    arguments: [
      (nil, true, .closed), (ECONNRESET, true, .closed), (ECONNABORTED, false, .closed),
      (ECONNRESET, false, .failed(.system(.peripheralDisconnected))),
      (ETIMEDOUT, false, .failed(.system(.connectionTimeout))),
      (ENOSYS, false, .failed(.system(.peripheralDisconnected))),
    ] as [(Int32?, Bool, RadioChannelEnd)])
  func `a closed channel is distinguished from a lost link`(
    code: Int32?, isShutDown: Bool, end: RadioChannelEnd
  ) {
    #expect(RadioChannelEnd(code.map(SocketError.init), isShutDown: isShutDown) == end)
  }
}

@Suite(.timeLimit(.minutes(15))) struct `L2CAP without Bluetooth` {
  /// Whether the kernel of this machine knows L2CAP.
  static var isThere: Bool {
    let descriptor = socket(31, Int32(SOCK_SEQPACKET.rawValue), 0)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  @Test(.disabled(if: Self.isThere, "This kernel knows L2CAP."))
  func `a channel cannot be opened`() async throws {
    let address = try #require(BlueZAddress("00:11:22:33:44:55", isRandom: false))
    let queue = DispatchQueue(label: "test")

    let error = await withCheckedContinuation { continuation in
      L2CAPConnector.open(0x80, from: address, to: address, queue: queue) { result in
        dispatchPrecondition(condition: .onQueue(queue))
        if case .failure(let error) = result { continuation.resume(returning: error) }
      }
    }

    #expect(error == .system(.operationNotSupported))
  }

  @Test(.disabled(if: Self.isThere, "This kernel knows L2CAP."))
  func `a channel cannot be published`() throws {
    let address = try #require(BlueZAddress("00:11:22:33:44:55", isRandom: false))

    let error = #expect(throws: SocketError.self) {
      _ = try L2CAPListener(at: address, encrypted: true, queue: .main) { _, _ in }
    }

    #expect(error.map(RadioError.init) == .system(.operationNotSupported))
  }
}
