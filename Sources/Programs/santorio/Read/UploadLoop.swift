// SPDX-License-Identifier: Apache-2.0

import SantorioCore

/// Sends what is in a session's queue for as long as a command runs.
struct UploadLoop: Sendable {
  let session: SantorioSession
  /// Waits after the upload could not continue, for example because another process uploads.
  var pause: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(30)) }
  var report: @Sendable (String) -> Void = { printError($0) }

  /// Works until the task is cancelled; readings are taken and kept independently of it.
  func run() async {
    var last: SessionError?
    while !Task.isCancelled {
      do throws(SessionError) {
        try await session.run()
        last = nil
      } catch {
        guard !Task.isCancelled else { return }
        if error != last { report("santorio: this process cannot send: \(error)") }
        last = error
        await pause()
      }
    }
  }
}

/// The messages about the state of an upload: each change once.
struct UploadStateLines {
  private var error: SessionError?

  mutating func line(for state: UploadState) -> String? {
    switch state {
    case .waiting(let error) where error != self.error:
      self.error = error
      return "santorio: not sent now: \(error)"
    case .idle where error != nil:
      error = nil
      return "santorio: sending again"
    default: return nil
    }
  }
}
