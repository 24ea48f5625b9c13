// SPDX-License-Identifier: Apache-2.0

/// What a session's upload is doing.
///
/// Cases are added over time, in minor versions too: give each `switch` a `default`.
public enum UploadState: Hashable, Sendable {
  /// ``SantorioSession/run()`` is not running.
  case stopped
  /// There is nothing to send, or no session.
  case idle
  /// A request is on its way.
  case uploading
  /// Records wait, for the given reason; none of them are lost.
  case waiting(SessionError)
}
