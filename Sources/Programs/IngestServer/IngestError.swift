// SPDX-License-Identifier: Apache-2.0

/// Why the server cannot start or cannot carry out a request.
///
/// The description never contains health values, user names or tokens.
public struct IngestError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let code: Code
  /// What happened and what to do.
  public let message: String
  /// What the layer below reported, if there is one.
  public let cause: String?

  init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The code, the message and the cause.
  public var description: String {
    "\(code.name): \(message)" + (cause.map { " (\($0))" } ?? "")
  }

  /// The kind of error; an open set.
  public struct Code: Hashable, Sendable {
    /// The name on the wire.
    let name: String

    /// The server cannot listen on the address.
    public static let cannotListen = Code(name: "cannot_listen")
    /// A configuration value is out of bounds.
    public static let invalidConfiguration = Code(name: "invalid_configuration")
    /// The file was written by a newer version of the server.
    public static let newerStorage = Code(name: "newer_storage")
    /// The file is not a storage of this server.
    public static let foreignStorage = Code(name: "foreign_storage")
    /// Another server is using the storage.
    public static let storageInUse = Code(name: "storage_in_use")
    /// The storage cannot be read or written at the moment.
    public static let unavailable = Code(name: "unavailable")
    /// The storage refused one change, for example because the user no longer exists.
    static let refusedChange = Code(name: "refused_change")
    /// The disk is full.
    public static let storageFull = Code(name: "storage_full")
  }
}
