// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport

/// A line to the server that breaks as a test says, between libcurl and the server's sockets.
package final class FaultProxy: Sendable {
  /// Draws what goes wrong with a request, which is the `number`-th from 1.
  package typealias Choice = @Sendable (_ request: HTTPMessage, _ number: Int) -> LineFault

  package let port: UInt16
  private let listener: Int32
  private let upstream: Locked<UInt16>
  private let choice: Choice
  private let isHealed = Locked(false)
  private let requests = Locked(0)

  /// Opens a line to a server's port.
  package init?(to port: UInt16, _ choice: @escaping Choice) {
    guard let (listener, ownPort) = LoopbackSocket.listen() else { return nil }
    (self.listener, self.port) = (listener, ownPort)
    upstream = Locked(port)
    self.choice = choice
    Thread { [weak self] in
      while case let descriptor = accept(listener, nil, nil), descriptor >= 0 {
        guard let self else {
          close(descriptor)
          break
        }
        Thread { self.serve(descriptor) }.start()
      }
      // By who accepts: a number that is free again may become another socket's.
      close(listener)
    }.start()
  }

  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  /// How many requests came.
  package var requestCount: Int { requests.withLock { $0 } }

  /// From now on nothing goes wrong.
  package func heal() { isHealed.withLock { $0 = true } }

  private func serve(_ client: Int32) {
    defer { close(client) }
    while let request = HTTPMessage(from: client) {
      let number = requests.withLock { requests in
        requests += 1
        return requests
      }
      let fault: LineFault = isHealed.withLock { $0 } ? .none : choice(request, number)
      guard carryOut(fault, request, client) else { return }
    }
  }

  /// Whether the connection goes on.
  private func carryOut(_ fault: LineFault, _ request: HTTPMessage, _ client: Int32) -> Bool {
    switch fault {
    case .close: return false
    case .reset: return reset(client)
    case .stall: return waitForEnd(client)
    case .answer(let answer): return write(answer.utf8, client)
    default: break
    }
    guard let response = forward(request) else { return false }
    // A server that refuses the request's form has not carried it out.
    guard response.head.hasPrefix("HTTP/1.1 2") else { return write(response.bytes, client) }
    switch fault {
    case .resetAfter: return reset(client)
    case .stallAfter: return waitForEnd(client)
    case .answerAfter(let answer): return write(answer.utf8, client)
    case .halfHead: return !write(response.bytes.prefix(20), client)
    case .halfBody: return !write(response.bytes.dropLast(response.body.count / 2 + 1), client)
    case .none: return write(response.bytes, client)
    default: return false
    }
  }

  private func forward(_ request: HTTPMessage) -> HTTPMessage? {
    guard let server = LoopbackSocket.connect(to: upstream.withLock { $0 }) else { return nil }
    defer { close(server) }
    LoopbackSocket.write(request.bytes, to: server)
    return HTTPMessage(from: server)
  }

  private func write(_ bytes: some Sequence<UInt8>, _ client: Int32) -> Bool {
    LoopbackSocket.write(bytes, to: client)
    return true
  }

  /// Ends the connection with a reset instead of an orderly end.
  private func reset(_ client: Int32) -> Bool {
    var option = linger(l_onoff: 1, l_linger: 0)
    unsafe setsockopt(
      client, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    return false
  }

  private func waitForEnd(_ client: Int32) -> Bool {
    var byte: UInt8 = 0
    while unsafe recv(client, &byte, 1, 0) > 0 {}
    return false
  }
}
