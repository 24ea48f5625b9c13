// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthRecords
import SantorioConcurrency
import SantorioCore

/// The domain of errors of ``VLDAPIClient``; the codes below 100 are those of
/// ``VLDAPIErrorCode``, the others HTTP statuses, and -1 stands for a server that did not answer.
public let kVLDAPIErrorDomain = "VLDAPIErrorDomain"

/// What ``VLDAPIClient`` finds wrong before it asks the server.
#if canImport(ObjectiveC)
  @objc(VLDAPIErrorCode)
#endif
public enum VLDAPIErrorCode: Int, Sendable {
  /// Some records were refused; `errorRecords` of `userInfo` are these.
  case invalidRecords = 0
  /// The record has no class.
  case invalidRecordType = 1
  /// The record has no ``VLDRecord/recordID``.
  case missingRecordID = 2
  /// The record has no ``VLDRecord/activityID``.
  case missingActivityID = 3
  /// There is no record.
  case missingRecord = 4
  /// The records are of several classes.
  case mismatchedRecordTypes = 5
}

/// Writes records to a server of Santorio's at once, past the queue: nothing is repeated, and what
/// fails is the app's matter.
///
/// ``VLDSession/submitRecord(_:)`` is the safe way.
///
/// All completions are called on the main thread.
#if canImport(ObjectiveC)
  @objc(VLDAPIClient) @objcMembers
#endif
public final class VLDAPIClient: NSObject, Sendable {
  /// Gets records, and an error if not all of them were stored.
  public typealias MultiRecordResponse =
    @Sendable (_ records: [Any]?, _ error: (any Error)?) -> Void
  /// Gets the record as the server has it, or an error.
  public typealias RecordResponse = @Sendable (_ record: VLDRecord?, _ error: (any Error)?) -> Void
  /// Gets the server's answer, or an error.
  public typealias DeleteResponse =
    @Sendable (
      _ response: VLDServerResponse?, _ error: (any Error)?
    ) -> Void
  /// Gets the image as the server has it, or an error.
  public typealias ImageResponse = @Sendable (_ media: VLDMedia?, _ error: (any Error)?) -> Void

  private let client: Result<IngestClient, ClientFailure>

  /// Makes a client of the session's server for a user.
  ///
  /// - Parameter user: Whose records are written.
  public init(user: VLDUser) {
    client = Self.client(of: user.user)
    super.init()
  }

  private static func client(of user: SantorioUser) -> Result<IngestClient, ClientFailure> {
    let session = VLDSession.sharedInstance()
    guard let server = session.destination as? IngestAPI else { return .failure(.noServer) }
    do throws(IngestClientError) {
      return .success(
        try IngestClient(
          endpoint: server.endpoint, user: user, transport: session.session.transport,
          allowsPlainHTTP: session.session.allowsPlainHTTP))
    } catch {
      return .failure(.client(error))
    }
  }

  // MARK: - Records

  /// Writes a new record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - completion: Gets the record with its ``VLDRecord/recordID``, or an error.
  public func postRecord(_ record: VLDRecord!, completion: RecordResponse?) {
    send(record, needing: [], completion) { client, content throws(IngestClientError) in
      try await client.post(content)
    }
  }

  /// Writes new records of one class.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - completion: Gets the records that were stored, and an error with `errorRecords` if others
  ///     were refused.
  public func postMultipleRecords(_ records: [VLDRecord]!, completion: MultiRecordResponse?) {
    let records = records ?? []
    if let fault = Self.fault(of: records) { return Self.finish { completion?(nil, fault) } }
    let contents = records.map(\.content)
    perform { client throws(ClientFailure) in
      try await client.stored(contents)
    } then: { result in
      switch result {
      case .success(let outcome):
        let refused = outcome.refused.map(VLDRecord.record)
        let error =
          refused.isEmpty
          ? nil
          : NSError(
            .invalidRecords, "the server refused some records", ["errorRecords": refused])
        completion?(outcome.stored.map(VLDRecord.record), error)
      case .failure(let error): completion?(nil, error.error)
      }
    }
  }

  /// Changes a record on the server.
  ///
  /// - Parameters:
  ///   - record: The record, with its ``VLDRecord/recordID`` and ``VLDRecord/activityID``.
  ///   - completion: Gets the record, or an error.
  public func updateRecord(_ record: VLDRecord!, completion: RecordResponse?) {
    send(record, needing: [.recordID, .activityID], completion) {
      client, content throws(IngestClientError) in try await client.update(content)
    }
  }

  /// Writes a record, or changes it if the server has it.
  ///
  /// - Parameters:
  ///   - record: The record, with its ``VLDRecord/activityID``.
  ///   - completion: Gets the record, or an error.
  public func upsertRecord(_ record: VLDRecord!, completion: RecordResponse?) {
    send(record, needing: [.activityID], completion) {
      client, content throws(IngestClientError) in try await client.upsert(content)
    }
  }

  /// Removes a record from the server.
  ///
  /// - Parameters:
  ///   - record: The record, with its ``VLDRecord/recordID`` and ``VLDRecord/activityID``.
  ///   - completion: Gets the server's answer, or an error.
  public func deleteRecord(_ record: VLDRecord!, completion: DeleteResponse?) {
    if let fault = Self.fault(of: record, needing: [.recordID, .activityID]) {
      return Self.finish { completion?(nil, fault) }
    }
    let logID = record.activityID
    perform { client throws(ClientFailure) in
      try await ClientFailure.wrapping { () throws(IngestClientError) in
        try await client.delete(logID)
      }
    } then: { result in
      switch result {
      case .success:
        let response = VLDServerResponse()
        (response.code, response.activityID) = (200, logID)
        completion?(response, nil)
      case .failure(let error): completion?(nil, error.error)
      }
    }
  }

  /// Adds an image to a record that the server has.
  ///
  /// - Parameters:
  ///   - imageData: JPEG, PNG or HEIC, at most 16 MiB.
  ///   - record: The record, with its ``VLDRecord/recordID`` and ``VLDRecord/activityID``.
  ///   - completion: Gets the image's identifier and address, or an error.
  public func uploadImageData(
    _ imageData: Data, forRecord record: VLDRecord!, completion: ImageResponse?
  ) {
    if let fault = Self.fault(of: record, needing: [.recordID, .activityID]) {
      return Self.finish { completion?(nil, fault) }
    }
    let (logID, bytes) = (record.activityID, [UInt8](imageData))
    guard let type = ImageType(of: bytes) else {
      let fault = NSError(.invalidRecords, "the image is not a JPEG, PNG or HEIC file")
      return Self.finish { completion?(nil, fault) }
    }
    perform { client throws(ClientFailure) in
      try await ClientFailure.wrapping { () throws(IngestClientError) in
        try await client.uploadImage(bytes, contentType: type.rawValue, for: logID)
      }
    } then: { result in
      switch result {
      case .success(let media): completion?(VLDMedia(media), nil)
      case .failure(let error): completion?(nil, error.error)
      }
    }
  }

  // MARK: - Requests

  private func send(
    _ record: VLDRecord?, needing identifiers: [Identifier], _ completion: RecordResponse?,
    _ request:
      @escaping @Sendable (IngestClient, HealthRecord) async throws(IngestClientError) ->
      RecordReceipt
  ) {
    if let fault = Self.fault(of: record, needing: identifiers) {
      return Self.finish { completion?(nil, fault) }
    }
    guard let content = record?.content else { return }
    perform { client throws(ClientFailure) in
      let receipt = try await ClientFailure.wrapping { () throws(IngestClientError) in
        try await request(client, content)
      }
      var stored = content
      stored.serverID = receipt.serverID
      return stored
    } then: { (result: Result<HealthRecord, ClientFailure>) in
      switch result {
      case .success(let stored): completion?(VLDRecord.record(of: stored), nil)
      case .failure(let error): completion?(nil, error.error)
      }
    }
  }

  private func perform<Value: Sendable>(
    _ request: @escaping @Sendable (IngestClient) async throws(ClientFailure) -> Value,
    then completion: @escaping @MainActor @Sendable (Result<Value, ClientFailure>) -> Void
  ) {
    Task { [client] in
      var result: Result<Value, ClientFailure>
      do throws(ClientFailure) {
        result = .success(try await request(try client.value()))
      } catch {
        result = .failure(error)
      }
      await completion(result)
    }
  }

  private static func finish(_ body: @escaping @MainActor @Sendable () -> Void) {
    Task { @MainActor in body() }
  }

  // MARK: - Faults

  private enum Identifier {
    case recordID, activityID
  }

  private static func fault(
    of record: VLDRecord?, needing identifiers: [Identifier]
  ) -> NSError? {
    guard let record else { return NSError(.missingRecord, "there is no record") }
    if record.recordType() == .none {
      return NSError(.invalidRecordType, "the record is of no class")
    }
    if identifiers.contains(.recordID), record.recordID?.isEmpty ?? true {
      return NSError(.missingRecordID, "the record has no recordID: the server does not have it")
    }
    if identifiers.contains(.activityID), record.activityID.isEmpty {
      return NSError(.missingActivityID, "the record has no activityID")
    }
    return nil
  }

  private static func fault(of records: [VLDRecord]) -> NSError? {
    guard let first = records.first else { return NSError(.missingRecord, "there is no record") }
    guard records.allSatisfy({ $0.recordType() == first.recordType() }) else {
      return NSError(.mismatchedRecordTypes, "the records are of several classes")
    }
    return fault(of: first, needing: [])
  }
}

/// Why a request could not be made, or failed.
private enum ClientFailure: Error {
  case noServer
  case client(IngestClientError)

  static func wrapping<Value>(
    _ request: () async throws(IngestClientError) -> Value
  ) async throws(ClientFailure) -> Value {
    do throws(IngestClientError) {
      return try await request()
    } catch {
      throw .client(error)
    }
  }

  var error: NSError {
    switch self {
    case .noServer:
      NSError(
        domain: kVLDAPIErrorDomain, code: -1,
        userInfo: [
          NSLocalizedDescriptionKey:
            "no server of Santorio's is configured, see VLDSession.configure"
        ])
    case .client(let error):
      NSError(
        domain: kVLDAPIErrorDomain,
        code: error.status ?? (error.code == .invalidRecord ? 0 : -1),
        userInfo: [
          NSLocalizedDescriptionKey: error.description, NSUnderlyingErrorKey: error,
        ])
    }
  }
}

extension IngestClient {
  /// Writes records; returns those that the server has, and those that it refused.
  fileprivate func stored(
    _ records: [HealthRecord]
  ) async throws(ClientFailure) -> (stored: [HealthRecord], refused: [HealthRecord]) {
    let results = try await ClientFailure.wrapping { () throws(IngestClientError) in
      try await post(records)
    }
    var outcome: (stored: [HealthRecord], refused: [HealthRecord]) = ([], [])
    for (var record, result) in zip(records, results) {
      switch result {
      case .success(let receipt):
        record.serverID = receipt.serverID
        outcome.stored.append(record)
      case .failure: outcome.refused.append(record)
      }
    }
    return outcome
  }
}

extension NSError {
  fileprivate convenience init(
    _ code: VLDAPIErrorCode, _ message: String, _ information: [String: Any] = [:]
  ) {
    var information = information
    information[NSLocalizedDescriptionKey] = message
    self.init(domain: kVLDAPIErrorDomain, code: code.rawValue, userInfo: information)
  }
}
