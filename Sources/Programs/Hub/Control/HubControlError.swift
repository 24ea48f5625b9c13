// SPDX-License-Identifier: Apache-2.0

/// Why a hub's control socket cannot be opened or reached.
package struct HubControlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error; an open set.
  package struct Code: Hashable, Sendable {
    private let name: String

    /// The server cannot listen on the socket.
    package static let cannotListen = Code(name: "cannotListen")
    /// Another hub listens on the socket.
    package static let inUse = Code(name: "inUse")
    /// Others could put a socket of their own into the folder.
    package static let unsafeFolder = Code(name: "unsafeFolder")
    /// No hub listens on the socket.
    package static let noHub = Code(name: "noHub")
    /// The user may not use the socket.
    package static let notAllowed = Code(name: "notAllowed")
    /// Too many programs are connected.
    package static let busy = Code(name: "busy")
    /// The connection ended before the answer was complete.
    package static let disconnected = Code(name: "disconnected")
    /// The answer is not one that this program knows.
    package static let unknownAnswer = Code(name: "unknownAnswer")
    /// The socket cannot be used for another reason.
    package static let unreachable = Code(name: "unreachable")
  }

  /// The kind of error.
  package let code: Code
  /// What is wrong, and what to do.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
