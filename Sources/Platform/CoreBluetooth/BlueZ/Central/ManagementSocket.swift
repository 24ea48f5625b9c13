// SPDX-License-Identifier: Apache-2.0

/// The kernel's management interface, for data that bluetoothd lacks (BlueZ, doc/mgmt-api.txt).
enum ManagementSocket {
  private static let readConnectionInformation: UInt16 = 0x0031
  private static let commandComplete: UInt16 = 0x0001
  private static let timeout = Duration.seconds(2)

  /// Reads the signal strength of a link in dBm; requires the capability CAP_NET_ADMIN.
  static func readRSSI(
    of peer: BlueZAddress?, on adapter: String?, queue: DispatchQueue,
    finish: @escaping (Result<Int, RadioError>) -> Void
  ) {
    guard let peer, let index = adapter.flatMap(index), let socket = open() else {
      return finish(.failure(.system(.operationNotSupported)))
    }
    let address = peer.bytes.reversed() + [peer.isRandom ? 2 : 1]
    let packet = words(readConnectionInformation, index, UInt16(address.count)) + address
    guard packet.withUnsafeBytes({ write(socket, $0.baseAddress, $0.count) }) == packet.count else {
      Glibc.close(socket)
      return finish(.failure(.system(.operationNotSupported)))
    }
    listen(to: socket, queue: queue, finish: finish)
  }

  private static func listen(
    to socket: Int32, queue: DispatchQueue, finish: @escaping (Result<Int, RadioError>) -> Void
  ) {
    let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    let end = { (result: Result<Int, RadioError>) in
      guard !source.isCancelled else { return }
      source.cancel()
      finish(result)
    }
    source.setEventHandler {
      var buffer = [UInt8](repeating: 0, count: 512)
      let count = buffer.withUnsafeMutableBytes { read(socket, $0.baseAddress, $0.count) }
      if let answer = answer(in: Array(buffer.prefix(max(count, 0)))) { end(answer) }
    }
    source.setCancelHandler { Glibc.close(socket) }
    source.resume()
    queue.asyncAfter(deadline: .now() + timeout.dispatchInterval) {
      end(.failure(.system(.operationNotSupported)))
    }
  }

  /// The answer in a packet; nil when the packet is not about this request.
  static func answer(in packet: [UInt8]) -> Result<Int, RadioError>? {
    guard packet.count >= 9, word(packet, 6) == readConnectionInformation else { return nil }
    // Event, index, length; command, status; address and its type; signal strength.
    guard word(packet, 0) == commandComplete, packet[8] == 0, packet.count >= 17 else {
      return .failure(.system(packet[8] == 2 ? .notConnected : .operationNotSupported))
    }
    let rssi = Int(Int8(bitPattern: packet[16]))
    return .success(rssi)
  }

  private static func open() -> Int32? {
    let (family, hci, controlChannel) = (Int32(31), Int32(1), UInt16(3))
    let kind = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let socket = Glibc.socket(family, kind, hci)
    guard socket >= 0 else { return nil }
    let address = words(UInt16(family), 0xFFFF, controlChannel)
    let isBound = address.withUnsafeBytes {
      bind(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t($0.count)) == 0
    }
    if isBound { return socket }
    Glibc.close(socket)
    return nil
  }

  private static func index(of adapter: String) -> UInt16? {
    adapter.split(separator: "/").last.flatMap { UInt16($0.drop { !$0.isNumber }) }
  }

  private static func words(_ values: UInt16...) -> [UInt8] {
    values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }
}
