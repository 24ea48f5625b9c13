// SPDX-License-Identifier: Apache-2.0

public import HealthRecords
import Foundation
import SantorioSQLite

/// Why the session could not do what was asked of it.
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

  init(
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
    let name: String

    /// The code's name.
    public var description: String { name }

    /// There is no session; start one.
    public static let noSession = Code(name: "no_session")
    /// The session for which this was meant has ended; it is not stored for the one after it.
    public static let sessionEnded = Code(name: "session_ended")
    /// The user's identifiers or token have a form that no server accepts.
    public static let invalidUser = Code(name: "invalid_user")
    /// The server's address is no http or https URL.
    public static let invalidEndpoint = Code(name: "invalid_endpoint")
    /// The server is another machine and its address is http: readings would go unencrypted.
    public static let insecureEndpoint = Code(name: "insecure_endpoint")
    /// A record cannot be encoded; nothing of the call was stored.
    public static let invalidRecord = Code(name: "invalid_record")
    /// The records waiting have reached the configured size; nothing of the call was stored.
    public static let outboxFull = Code(name: "outbox_full")
    /// The disk is full; nothing of the call was stored.
    public static let diskFull = Code(name: "disk_full")
    /// The files of the session cannot be read or written.
    public static let storageFailed = Code(name: "storage_failed")
    /// The file of the session is damaged.
    public static let storageDamaged = Code(name: "storage_damaged")
    /// The file of the session was written by a newer version of this library.
    public static let storageIsNewer = Code(name: "storage_is_newer")
    /// Other users of the machine may read the token; it is not used.
    public static let credentialsExposed = Code(name: "credentials_exposed")
    /// The token cannot be read now.
    public static let credentialsUnavailable = Code(name: "credentials_unavailable")
    /// There is no such token or key; it was never stored, or was removed.
    public static let credentialsMissing = Code(name: "credentials_missing")
    /// The records were encrypted with another key than the one in the credential store.
    public static let keyMismatch = Code(name: "key_mismatch")
    /// The key of the records has encrypted as much as one key may; it has to be changed.
    public static let keyUsedUp = Code(name: "key_used_up")
    /// The server does not know the user or the token.
    public static let credentialsRefused = Code(name: "credentials_refused")
    /// The records are another user's than the session's.
    public static let otherUser = Code(name: "other_user")
    /// Another session of this process uses the folder.
    public static let folderInUse = Code(name: "folder_in_use")
    /// There is no such record, image or archive.
    public static let notFound = Code(name: "not_found")
    /// Somebody else uploads from the same folder.
    public static let uploaderIsRunning = Code(name: "uploader_is_running")
    /// The server gave no answer, or none that can be understood.
    public static let serverUnreachable = Code(name: "server_unreachable")
    /// The server asks to wait.
    public static let serverBusy = Code(name: "server_busy")
    /// Something has answered that is not the server; nothing is given up for it.
    ///
    /// A proxy, a firewall or a captive portal on the way, or the address leads elsewhere.
    public static let foreignAnswer = Code(name: "foreign_answer")
    /// The server's address leads to something that takes no records.
    public static let endpointRefused = Code(name: "endpoint_refused")
  }
}

extension SessionError {
  static let otherSession = SessionError(
    .sessionEnded, "the session for which this was read has ended, and another one has begun")
  static let displaced = SessionError(
    .storageFailed,
    "the file of the records was removed or replaced while it is open; it is not known whether this was "
      + "stored; try again")
  static func noArchive(_ name: String) -> SessionError {
    SessionError(.notFound, "there is no archive \(name) in this folder")
  }
  static let needsSession = SessionError(.noSession, "records need a session; start one first")

  init(_ error: SQLiteError) {
    let code = Int(error.extendedCode)
    if error.isFull {
      self.init(.diskFull, "no room is left on the disk; free some", systemCode: code)
    } else if error.isCorrupt {
      self.init(.storageDamaged, "the file is damaged or no database", systemCode: code)
    } else {
      self.init(.storageFailed, "the file cannot be used: \(error)", systemCode: code)
    }
  }

  /// An answer that is not in the server's own form.
  static func foreign(_ response: TransportResponse) -> SessionError {
    SessionError(
      .foreignAnswer,
      "an answer with status \(response.status) did not come from the server; something on the way "
        + "gave it, or the address is wrong", status: response.status)
  }

  /// What a closure threw that may throw either.
  init(any error: any Error) {
    switch error {
    case let error as SessionError: self = error
    case let error as SQLiteError: self.init(error)
    default: self.init(.storageFailed, "an unknown error")
    }
  }

  init(_ error: RecordError, index: Int) {
    self.init(
      .invalidRecord, "record \(index) of the call cannot be encoded", recordError: error)
  }

  /// A failed system call on one of the session's own files.
  init(errno code: Int32, doing verb: String, _ path: String) {
    let name = (path as NSString).lastPathComponent
    let reason = unsafe String(cString: strerror(code))
    self.init(
      code == ENOSPC ? .diskFull : .storageFailed, "cannot \(verb) \(name): \(reason)",
      systemCode: Int(code))
  }
}
