// SPDX-License-Identifier: Apache-2.0

internal import SantorioDBus

/// A socket to bluetoothd for the writes without response of one characteristic.
///
/// Each packet is one command, and the socket is writable only while the link has space (BlueZ,
/// doc/gatt-api.txt, AcquireWrite).
final class WritePipe {
  typealias Finish = GattClient.Finish

  private let queue: DispatchQueue
  /// Sends a command without the pipe, which another program may hold.
  private let fallback: (Data, @escaping Finish) -> Void
  private var waiting: [(value: Data, finish: Finish)] = []
  private var state = State.opening
  private var source: (any DispatchSourceWrite)?

  private enum State {
    case opening
    case open(DBusFileDescriptor)
    case refused
    case closed
  }

  init(
    _ path: String, connection: DBusConnection, queue: DispatchQueue,
    fallback: @escaping (Data, @escaping Finish) -> Void
  ) {
    self.queue = queue
    self.fallback = fallback
    let call = BlueZ.call(path, BlueZ.characteristic, "AcquireWrite", .properties([:]))
    connection.call(call) { [weak self] result in
      guard let self, case .opening = state else { return }
      let descriptor = (try? result.get())?.first?.descriptor
      state = descriptor.map(State.open) ?? .refused
      advance()
    }
  }

  func write(_ value: Data, _ finish: @escaping Finish) {
    waiting.append((value, finish))
    advance()
  }

  /// Whether bluetoothd has taken everything, so that later requests cannot overtake it.
  var isDrained: Bool {
    guard waiting.isEmpty, case .open(let descriptor) = state else { return waiting.isEmpty }
    var unread: Int32 = 0
    return ioctl(descriptor.value, UInt(TIOCOUTQ), &unread) < 0 || unread == 0
  }

  func close() {
    state = .closed
    waiting = []
    endWaiting()
  }

  private func advance() {
    while let (value, finish) = waiting.first {
      switch state {
      case .opening, .closed: return
      case .refused: fallback(value, finish)
      case .open(let descriptor):
        guard let result = send(value, to: descriptor) else { return waitForRoom(descriptor) }
        finish(result)
      }
      waiting.removeFirst()
    }
    endWaiting()
  }

  /// Nil when the socket is full.
  private func send(_ value: Data, to descriptor: DBusFileDescriptor)
    -> Result<PeerAnswer, RadioError>?
  {
    let count = value.withUnsafeBytes {
      Glibc.send(descriptor.value, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return .success(.done) }
    switch errno {
    case EAGAIN, EINTR, ENOBUFS: return nil
    default: return .failure(.system(.notConnected))
    }
  }

  private func waitForRoom(_ descriptor: DBusFileDescriptor) {
    guard source == nil else { return }
    let source = DispatchSource.makeWriteSource(
      fileDescriptor: descriptor.value, queue: queue)
    source.setEventHandler { [weak self] in self?.advance() }
    // The descriptor stays open as long as the source uses it.
    source.setCancelHandler { _ = descriptor }
    source.resume()
    self.source = source
  }

  private func endWaiting() {
    source?.cancel()
    source = nil
  }
}
