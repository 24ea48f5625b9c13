// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthRecords

/// Calls Santorio's own server directly, without a queue: each call is one try.
///
/// For programs that wait for the answer. Records that must not be lost belong in a
/// ``SantorioSession``, whose queue survives crashes and missing connections. Calls may be
/// repeated: the server recognises a record by its `logID`.
///
/// ```swift
/// let client = try IngestClient(endpoint: server, user: user)
/// let receipt = try await client.post(record)
/// ```
public struct IngestClient: Sendable {
  /// The maximum size of an image, in bytes.
  public static let maximumImageBytes = 16 << 20

  let api: IngestAPI
  let user: SantorioUser
  /// How long one request may take.
  public var timeout = Duration.seconds(30)
  private let transport: any HTTPTransport
  private let now: @Sendable () -> Date

  /// Makes a client for one user.
  ///
  /// - Parameters:
  ///   - endpoint: The server's address.
  ///   - user: The user whose records these are, and the token.
  ///   - transport: Carries the requests; nil for the platform's own.
  ///   - allowsPlainHTTP: Whether requests may be sent unencrypted to another machine.
  /// - Throws: ``IngestClientError`` of code `invalidEndpoint`, `insecureEndpoint` or
  ///   `credentialsRefused`, when the address, the identifiers or the token have a form that no
  ///   server accepts; of code `defaultUser` for ``SantorioUser/default``.
  public init(
    endpoint: URL, user: SantorioUser, transport: (any HTTPTransport)? = nil,
    allowsPlainHTTP: Bool = false
  ) throws(IngestClientError) {
    try self.init(
      endpoint: endpoint, user: user, transport: transport, allowsPlainHTTP: allowsPlainHTTP,
      now: { Date() })
  }

  init(
    endpoint: URL, user: SantorioUser, transport: (any HTTPTransport)?,
    allowsPlainHTTP: Bool = false,
    now: @escaping @Sendable () -> Date
  ) throws(IngestClientError) {
    api = IngestAPI(endpoint)
    self.user = user
    self.now = now
    do throws(SessionError) {
      try api.checkEndpoint(allowsPlainHTTP: allowsPlainHTTP)
    } catch {
      throw IngestClientError(
        error.code == .insecureEndpoint ? .insecureEndpoint : .invalidEndpoint)
    }
    guard !user.isDefault else {
      SantorioLogging.shared.log(
        .session, level: .warning,
        "no server knows the default user; a client needs a user of the server")
      throw IngestClientError(.defaultUser)
    }
    do { try user.validate() } catch { throw IngestClientError(.credentialsRefused) }
    #if canImport(Darwin)
      self.transport = transport ?? URLSessionTransport()
    #else
      self.transport = transport ?? CurlTransport()
    #endif
  }

  // MARK: - Records

  /// Stores a record.
  ///
  /// - Parameter record: The record.
  /// - Returns: The result.
  /// - Throws: ``IngestClientError``.
  public func post(_ record: HealthRecord) async throws(IngestClientError) -> RecordReceipt {
    try await store("POST", "/records", record)
  }

  /// Corrects a record that is on the server.
  ///
  /// The correction stays current when the device that produced the record is read again.
  ///
  /// - Parameters:
  ///   - record: The record with its new content.
  ///   - revision: The revision that the correction is based on, see ``RecordReceipt/revision``;
  ///     the server then refuses it when the record was changed since. Nil corrects any revision.
  /// - Returns: The result.
  /// - Throws: ``IngestClientError``, of code `unknownRecord` when the server has no record of its
  ///   `logID`, and of code `revisionMismatch` when it has another revision.
  public func update(
    _ record: HealthRecord, ifRevision revision: Int? = nil
  ) async throws(IngestClientError) -> RecordReceipt {
    let tag = revision.map { "\"\($0)\"" } ?? "*"
    return try await store(
      "PUT", api.recordPath(record.logID), record, headers: [TransportHeader("If-Match", tag)])
  }

  /// Stores a record or replaces its content, even if it was deleted.
  ///
  /// - Parameter record: The record.
  /// - Returns: The result.
  /// - Throws: ``IngestClientError``.
  public func upsert(_ record: HealthRecord) async throws(IngestClientError) -> RecordReceipt {
    try await store("PUT", api.recordPath(record.logID), record)
  }

  /// Deletes a record and its images.
  ///
  /// The server remembers the identifier: reading the meter again does not restore the record.
  ///
  /// - Parameter logID: The record's identifier.
  /// - Throws: ``IngestClientError``, of code `unknownRecord` when the server has no such record.
  public func delete(_ logID: String) async throws(IngestClientError) {
    let response = try await send("DELETE", api.recordPath(logID))
    guard response.status == 204 || response.status == 200 else {
      throw IngestClientError(.notUnderstood, status: response.status)
    }
  }

  private func store(
    _ method: String, _ path: String, _ record: HealthRecord, headers: [TransportHeader] = []
  ) async throws(IngestClientError) -> RecordReceipt {
    let response = try await send(
      method, path, headers: headers + [.contentType("application/json")],
      body: try Self.encode(record))
    guard let json = try? JSONReader(parsing: response.body),
      (try? json.member("log_id").string()) == record.logID,
      let receipt = RecordReceipt(json, logID: record.logID)
    else { throw IngestClientError(.notUnderstood, status: response.status) }
    return receipt
  }

  /// The record's JSON; `place` is its position among others.
  static func encode(
    _ record: HealthRecord, at place: @autoclosure () -> String = ""
  ) throws(IngestClientError) -> [UInt8] {
    do throws(RecordError) {
      return try record.informJSON()
    } catch {
      throw IngestClientError(.invalidRecord, failure: RecordFailure(error, at: place()))
    }
  }

  // MARK: - Images

  /// Adds an image to a record that is on the server.
  ///
  /// - Parameters:
  ///   - bytes: The image file, at most ``maximumImageBytes``.
  ///   - contentType: Its media type: `image/jpeg`, `image/png` or `image/heic`.
  ///   - logID: The record's identifier.
  /// - Returns: The image as the server has it.
  /// - Throws: ``IngestClientError``, of code `unknownRecord` when the server has no such record.
  public func uploadImage(
    _ bytes: [UInt8], contentType: String, for logID: String
  ) async throws(IngestClientError) -> RecordMedia {
    guard (1...Self.maximumImageBytes).contains(bytes.count) else {
      throw IngestClientError(
        .invalidRecord,
        failure: RecordFailure(code: "image_size", message: "an image has 1 byte to 16 MiB"))
    }
    let mark = RecordMedia(of: bytes, contentType: contentType)
    let image = OutgoingImage(
      logID: logID, sha256: mark.sha256, contentType: contentType, bytes: bytes)
    guard let request = api.imageSubmission(image, of: user) else {
      throw IngestClientError(.invalidRecord)
    }
    let response = try await send(request)
    guard let media = api.media(in: response, for: mark) else {
      throw IngestClientError(.notUnderstood, status: response.status)
    }
    return media
  }

  // MARK: - Exchange

  func send(
    _ method: String, _ path: String, headers: [TransportHeader] = [], body: [UInt8]? = nil
  ) async throws(IngestClientError) -> TransportResponse {
    try await send(
      TransportRequest(
        method: method, url: api.url(user, path), headers: [.bearer(user.accessToken)] + headers,
        body: body))
  }

  /// Sends a request; a returned response has a status of 200...299.
  func send(_ request: TransportRequest) async throws(IngestClientError) -> TransportResponse {
    var request = request
    request.timeout = timeout
    let response: TransportResponse
    do throws(TransportError) {
      response = try await transport.send(request)
    } catch {
      throw IngestClientError(.noAnswer, transportError: error)
    }
    guard !(200...299).contains(response.status) else { return response }
    let failure = api.failure(in: response)
    throw IngestClientError(
      Self.code(response.status, failure), status: response.status, failure: failure,
      retryAfter: RetryAfter.wait(response, now: now()))
  }

  private static func code(_ status: Int, _ failure: RecordFailure?) -> IngestClientError.Code {
    switch status {
    case 408, 425, 429, 500...599: return .unavailable
    default: break
    }
    guard let failure else { return .notUnderstood }
    return switch status {
    case 401, 403: .credentialsRefused
    case 412 where failure.code == "revision_mismatch": .revisionMismatch
    case 404 where failure.code == "unknown_record", 412: .unknownRecord
    case 400, 409, 413, 415, 422: .refused
    default: .notUnderstood
    }
  }
}
