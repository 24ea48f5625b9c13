// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// SIGHUP, which makes a service read its files again.
///
/// Once this is created, the signal does not end the process.
final class ReloadSignal: @unchecked Sendable {
  // Unchecked for `source`, which is created at the beginning and cancelled at the end.
  private let source: any DispatchSourceSignal

  /// Returns when the signal is caught; `body` is called for each, on a queue of its own.
  init(_ body: @escaping @Sendable () -> Void) async {
    let (caught, registration) = AsyncStream.makeStream(of: Void.self)
    source = DispatchSource.makeSignalSource(
      signal: SIGHUP, queue: DispatchQueue(label: "santorio.reload"))
    source.setEventHandler(handler: body)
    source.setRegistrationHandler { registration.yield() }
    source.resume()
    for await _ in caught { return }
  }

  deinit { source.cancel() }
}
