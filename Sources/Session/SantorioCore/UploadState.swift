// SPDX-License-Identifier: Apache-2.0

/// What a session's upload is doing.
public enum UploadState: Hashable, Sendable {
  /// Nobody calls ``Session/run()``.
  case stopped
  /// There is nothing to send, or no session.
  case idle
  /// A request is on its way.
  case uploading
  /// Records wait, for the reason told; nothing of them is lost.
  case waiting(SessionError)
}
