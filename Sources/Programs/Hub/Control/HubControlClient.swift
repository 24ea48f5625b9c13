// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HealthRecords
import SantorioConcurrency
import SantorioSockets

/// Asks a running hub on this machine.
package struct HubControlClient: Sendable {
  private static let maximumAnswer = 16 << 20

  private let path: String

  /// Makes a client of a hub.
  ///
  /// - Parameter path: The hub's control socket.
  package init(socket path: String = HubConfiguration.Control.socket) { self.path = path }

  /// Sends a request, and waits for its answer as long as the hub needs.
  ///
  /// When the task is cancelled, the hub is told by the end of the connection, and stops what it is
  /// doing.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - progress: Called for what the hub says meanwhile, on a queue of the client's own.
  /// - Returns: The answer, which may be that the request failed.
  /// - Throws: ``HubControlError`` when there is no hub, the user is not allowed, the hub is busy,
  ///   or its answer is incomplete.
  package func send(
    _ request: HubRequest, progress: @escaping @Sendable (HubProgress) -> Void = { _ in }
  ) async throws(HubControlError) -> HubAnswer {
    let connection = Connection(try ControlSocket.connect(to: path))
    let result: Result<HubAnswer, HubControlError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        DispatchQueue(label: "santorio.hub.client").async {
          continuation.resume(returning: connection.ask(request, progress))
        }
      }
    } onCancel: {
      connection.cancel()
    }
    return try result.get()
  }

  /// A connection, which is closed with its last reference.
  private final class Connection: Sendable {
    private let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func cancel() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func ask(
      _ request: HubRequest, _ progress: (HubProgress) -> Void
    ) -> Result<HubAnswer, HubControlError> {
      // A hub that refuses has closed its end: its reason is there to be read all the same.
      _ = ControlSocket.send(
        request.json + [UInt8(ascii: "\n")], on: descriptor, milliseconds: 10_000)
      do throws(HubControlError) {
        return .success(try answer(progress))
      } catch {
        return .failure(error)
      }
    }

    private func answer(
      _ progress: (HubProgress) -> Void
    ) throws(HubControlError) -> HubAnswer {
      var received: [UInt8] = []
      while true {
        switch try line(&received) {
        case .progress(let step): progress(step)
        case .final(.failed(let fault)) where fault.code == .notAllowed:
          throw HubControlError(.notAllowed, fault.message)
        case .final(.failed(let fault)) where fault.code == .busy:
          throw HubControlError(.busy, fault.message)
        case .final(let answer): return answer
        }
      }
    }

    private func line(_ received: inout [UInt8]) throws(HubControlError) -> HubAnswerLine {
      var searched = 0
      while true {
        if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { received.removeSubrange(...end) }
          do throws(RecordError) {
            return try HubAnswerLine(parsing: received[..<end])
          } catch {
            throw HubControlError(
              .unknownAnswer,
              "the hub's answer is not understood (\(error.message)); it may be of another version: "
                + "restart it after an update")
          }
        }
        searched = received.count
        guard searched <= HubControlClient.maximumAnswer else {
          throw HubControlError(.unknownAnswer, "the hub's answer has no end")
        }
        try receive(&received)
      }
    }

    private func receive(_ received: inout [UInt8]) throws(HubControlError) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      var count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      while count < 0, errno == EINTR {
        count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      }
      guard count > 0 else { throw Self.cut(after: received.count, count < 0 ? errno : nil) }
      received += buffer.prefix(count)
    }

    /// Why there is no answer: nothing came, or a part of it.
    private static func cut(after count: Int, _ number: Int32?) -> HubControlError {
      let place = count == 0 ? "before its answer" : "within its answer, after \(count) bytes"
      return HubControlError(
        .disconnected,
        "the hub has ended the connection \(place)"
          + (number.map { " (\(ControlSocket.reason($0)))" } ?? "")
          + "; whether it has done what it was asked is not known. Ask \"santorio hub status\", and see "
          + "the hub's log")
    }
  }
}
