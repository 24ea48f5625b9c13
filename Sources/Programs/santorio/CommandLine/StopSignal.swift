// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Ctrl-C and SIGTERM, to wait for; once this is created, neither ends the process.
final class StopSignal: @unchecked Sendable {
  // Unchecked for `sources`, which are created at the beginning and cancelled at the end.
  private let sources: [any DispatchSourceSignal]
  private let signals: AsyncStream<Void>

  /// Returns when both signals are caught: Dispatch installs its handlers some time after `resume`.
  init() async {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    let (caught, registration) = AsyncStream.makeStream(of: Void.self)
    self.signals = signals
    sources = [SIGINT, SIGTERM].map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.setRegistrationHandler { registration.yield() }
      source.resume()
      return source
    }
    for await _ in caught.prefix(sources.count) {}
  }

  deinit { for source in sources { source.cancel() } }

  /// Returns at the first of the signals, at once if there was one, or when the task is cancelled.
  func wait() async {
    for await _ in signals { return }
  }
}
