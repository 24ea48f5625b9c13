// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A transport whose uploads the system carries out, also while the program is suspended or ended.
///
/// The session names each upload and keeps in its file what the upload carries. So an answer counts
/// whenever it comes, in this launch or in a later one, and what is under way is not sent twice.
public protocol BackgroundTransport: HTTPTransport {
  /// The name of all uploads of this transport, the same at every launch.
  var identifier: String { get }

  /// Has the system take over an upload; returns once it has.
  ///
  /// - Parameters:
  ///   - request: The request, without its body.
  ///   - body: The file with the body; it stays until the upload is settled or cancelled.
  ///   - id: The upload's name.
  /// - Throws: ``TransportError`` when the system does not take it over.
  func start(
    _ request: TransportRequest, body: URL, as id: String
  ) async throws(TransportError)

  /// Waits for the answer of an upload, which an earlier launch may have started.
  ///
  /// - Parameter id: The upload's name.
  /// - Returns: The answer, whatever its status; it is forgotten then.
  /// - Throws: ``TransportError``, of code `cancelled` when the upload or the task was cancelled, and of
  ///   code `unknownUpload` when the system does not know it.
  func answer(of id: String) async throws(TransportError) -> TransportResponse

  /// The uploads that are under way, or whose answers have come and were not asked for.
  ///
  /// - Returns: Each upload's name, and whether its answer has come.
  func uploads() async -> [String: Bool]

  /// Ends uploads, whether they are known or not; their answers are dropped.
  ///
  /// - Parameter ids: The names of the uploads.
  func cancel(_ ids: Set<String>) async

  /// Waits until the system has delivered the events for which it has launched or woken the program,
  /// or until the task is cancelled: the system may not say that it has.
  func eventsDelivered() async
}
