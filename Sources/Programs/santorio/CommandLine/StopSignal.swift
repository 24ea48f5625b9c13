// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc

/// Ctrl-C and SIGTERM, as something to wait for.
enum StopSignal {
  /// Returns at the first of the signals, or when the task is cancelled.
  static func wait() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in stream { break }
    for source in sources { source.cancel() }
  }
}
