// SPDX-License-Identifier: Apache-2.0

public import HealthRecords
import Foundation
import SantorioSQLite

/// Why the session could not carry out a request.
///
/// The description holds no health values, names or tokens.
public struct SessionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong.
  public let code: Code
  /// What happened and what to do about it.
  public let message: String
  /// The server's HTTP status, where a server's answer is the cause.
  public let status: Int?
  /// The fault in a record, where a record is the cause.
  public let recordError: RecordError?
  /// The result code of SQLite or the operating system, where one of them is the cause.
  public let systemCode: Int?

  package init(
    _ code: Code, _ message: String, status: Int? = nil, recordError: RecordError? = nil,
    systemCode: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.status = status
    self.recordError = recordError
    self.systemCode = systemCode
  }

  /// The code and the message.
  public var description: String {
    let cause = recordError.map { " (\($0))" } ?? systemCode.map { " (\($0))" } ?? ""
    return "\(code.name): \(message)\(cause)"
  }

  /// What can go wrong; an open set.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    package let name: String

    /// The code's name.
    public var description: String { name }

    /// There is no session; start one.
    public static let noSession = Code(name: "no_session")
    /// The session that this was meant for has ended; nothing is stored in the next session.
    public static let sessionEnded = Code(name: "session_ended")
    /// The user's identifiers or token have a form that no server accepts.
    public static let invalidUser = Code(name: "invalid_user")
    /// The server's address is not an http or https URL.
    public static let invalidEndpoint = Code(name: "invalid_endpoint")
    /// The server is another machine and its address is http: readings would be sent unencrypted.
    public static let insecureEndpoint = Code(name: "insecure_endpoint")
    /// A record cannot be encoded; nothing of the call was stored.
    public static let invalidRecord = Code(name: "invalid_record")
    /// The waiting records have reached the configured size; nothing of the call was stored.
    public static let outboxFull = Code(name: "outbox_full")
    /// The disk is full; nothing of the call was stored.
    public static let diskFull = Code(name: "disk_full")
    /// The files of the session cannot be read or written.
    public static let storageFailed = Code(name: "storage_failed")
    /// The device has not been unlocked since it was started; nothing can be read before that.
    ///
    /// A running session opens by itself when the device is unlocked.
    public static let storageLocked = Code(name: "storage_locked")
    /// The file of the session is damaged.
    public static let storageDamaged = Code(name: "storage_damaged")
    /// The file of the session, or an export, was written by a newer version of this library.
    public static let storageIsNewer = Code(name: "storage_is_newer")
    /// Other users of the machine may read the token; it is not used.
    public static let credentialsExposed = Code(name: "credentials_exposed")
    /// The token currently cannot be read.
    public static let credentialsUnavailable = Code(name: "credentials_unavailable")
    /// The token or key does not exist; it was never stored, or was removed.
    public static let credentialsMissing = Code(name: "credentials_missing")
    /// The records were encrypted with another key than the one in the credential store.
    public static let keyMismatch = Code(name: "key_mismatch")
    /// The key of the records has encrypted as much as one key may; change it.
    public static let keyUsedUp = Code(name: "key_used_up")
    /// The server does not know the user or the token.
    public static let credentialsRefused = Code(name: "credentials_refused")
    /// The records belong to another user than the session's.
    public static let otherUser = Code(name: "other_user")
    /// The default user may not do this; start a session for a user of the server.
    public static let defaultUser = Code(name: "default_user")
    /// Another session of this process uses the folder.
    public static let folderInUse = Code(name: "folder_in_use")
    /// There is no such record, image or archive.
    public static let notFound = Code(name: "not_found")
    /// Another call or process uploads from the same folder.
    public static let uploaderIsRunning = Code(name: "uploader_is_running")
    /// The server gave no answer, or one that cannot be understood.
    public static let serverUnreachable = Code(name: "server_unreachable")
    /// The server asks the client to wait.
    public static let serverBusy = Code(name: "server_busy")
    /// Something other than the server has answered; no record is dropped because of it.
    ///
    /// A proxy, a firewall or a captive portal is on the path, or the address is wrong.
    public static let foreignAnswer = Code(name: "foreign_answer")
    /// The server's address does not accept records.
    public static let endpointRefused = Code(name: "endpoint_refused")
    /// The passphrase is too short for an export.
    public static let weakPassphrase = Code(name: "weak_passphrase")
    /// The passphrase is not that of the export.
    public static let wrongPassphrase = Code(name: "wrong_passphrase")
    /// The file is not an export, or it is damaged or incomplete; nothing was imported.
    public static let exportDamaged = Code(name: "export_damaged")
  }
}

extension SessionError {
  package static let otherSession = SessionError(
    .sessionEnded, "the session that this was read for has ended, and another one has started")
  static let displaced = SessionError(
    .storageFailed,
    "the record file was removed or replaced while open; it is not known whether this was stored; "
      + "try again")
  /// Nothing can be read before the first unlock.
  package static func locked(systemCode: Int? = nil) -> SessionError {
    SessionError(
      .storageLocked,
      "the device has not been unlocked since it was started; a running session opens by itself then",
      systemCode: systemCode)
  }
  static func noArchive(_ name: String) -> SessionError {
    SessionError(.notFound, "there is no archive \(name) in this folder")
  }
  static let defaultUser = SessionError(
    .defaultUser,
    "the default user may only take readings of devices; start a session for a user of the server")
  static let needsSession = SessionError(.noSession, "records need a session; start one first")

  init(_ error: SQLiteError) {
    let code = Int(error.extendedCode)
    if FileProtection.isLocked(sqlite: error.code) {
      self = .locked(systemCode: code)
    } else if error.isFull {
      self.init(.diskFull, "the disk is full; free some space", systemCode: code)
    } else if error.isCorrupt {
      self.init(.storageDamaged, "the file is damaged or not a database", systemCode: code)
    } else if error.isBusy {
      self.init(
        .storageFailed, "another process has been using the folder for seconds; try again",
        systemCode: code)
    } else {
      self.init(.storageFailed, "the file cannot be used: \(error)", systemCode: code)
    }
  }

  /// An answer that is not in the server's format.
  static func foreign(_ response: TransportResponse) -> SessionError {
    SessionError(
      .foreignAnswer,
      "an answer with status \(response.status) did not come from the server; a proxy or portal "
        + "sent it, or the address is wrong", status: response.status)
  }

  /// Converts an error thrown by a closure that may throw any of these types.
  init(any error: any Error) {
    switch error {
    case let error as SessionError: self = error
    case let error as SQLiteError: self.init(error)
    default: self.init(.storageFailed, "an unknown error occurred")
    }
  }

  init(_ error: RecordError, index: Int, of what: String = "record") {
    self.init(
      .invalidRecord, "\(what) \(index) of the call cannot be encoded", recordError: error)
  }

  /// A failed system call on one of the session's own files.
  init(errno code: Int32, doing verb: String, _ path: String) {
    guard !FileProtection.isLocked(errno: code) else {
      self = .locked(systemCode: Int(code))
      return
    }
    self.init(errno: code, verb, path)
  }

  /// A failed system call on a file that is not the session's own.
  init(errno code: Int32, _ verb: String, _ path: String) {
    let name = (path as NSString).lastPathComponent
    let reason = unsafe String(cString: strerror(code))
    self.init(
      code == ENOSPC ? .diskFull : .storageFailed, "cannot \(verb) \(name): \(reason)",
      systemCode: Int(code))
  }
}
