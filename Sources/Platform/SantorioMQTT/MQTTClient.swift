// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency

/// A client of an MQTT 3.1.1 broker, by libmosquitto: it connects, and connects again when the
/// connection is lost.
///
/// One thread of its own does all the work. Each connection starts afresh (a clean session): what
/// was not acknowledged is reported as such and never sent by itself later, when it may be outdated.
package final class MQTTClient: Sendable {
  private let loop: MQTTLoop
  private let isStarted = Locked(false)

  /// Makes a client that does not connect before ``start()``.
  package init(_ settings: MQTTSettings) { loop = MQTTLoop(settings) }

  /// Starts to connect, once; the client disconnects when it is closed or released.
  ///
  /// The broker may hand out retained messages at once: ask for ``events()`` before.
  package func start() {
    guard begin() else { return }
    let thread = Thread { [loop] in loop.run() }
    thread.name = "santorio.mqtt"
    thread.start()
  }

  deinit { loop.close(nil) }

  /// Whether this is the first call.
  private func begin() -> Bool {
    isStarted.withLock { isStarted in
      defer { isStarted = true }
      return !isStarted
    }
  }

  /// The events from now on, after the present state of the connection.
  ///
  /// The stream ends when the client is closed. If 4096 events wait, the oldest is dropped.
  package func events() -> AsyncStream<MQTTEvent> { loop.events.stream() }

  /// Publishes a message with QoS 1 and waits until the broker has acknowledged it.
  ///
  /// - Parameter message: The message.
  /// - Throws: ``MQTTError``: `notConnected` and `invalidMessage` when it was not sent; `lost`,
  ///   `closed` and `cancelled` when it may have arrived or not.
  package func publish(_ message: MQTTMessage) async throws(MQTTError) {
    let publication = MQTTPublication(message)
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        publication.wait(continuation)
        loop.publish(publication)
      }
    } onCancel: {
      publication.finish(.failure(MQTTError(.cancelled, "the task was cancelled")))
    }
    return try result.get()
  }

  /// Ends the connection in good order.
  ///
  /// It waits a few seconds for acknowledgements that are due, says that the client is offline, and
  /// disconnects. Without a connection it returns at once.
  package func close() async {
    if begin() { loop.events.finish() }
    await withCheckedContinuation { loop.close($0) }
  }
}
