// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import IngestServer
import ReadingsAppModel
import Santorio
import Testing

/// A server of this package with one person, as `santorio serve` and `santorio user add` make it.
final class TestServer: Sendable {
  private let server: IngestServer
  /// The person whom the server knows.
  let user: SantorioUser

  init(in folder: URL) async throws {
    server = try IngestServer(
      configuration: .init(
        storagePath: folder.appendingPathComponent("server.sqlite").path, port: 0,
        adminToken: Self.administrator))
    user = try await Self.add("bed-12", at: "http://127.0.0.1:\(server.port)")
  }

  /// Adds another person.
  func addPerson(_ name: String) async throws -> SantorioUser {
    try await Self.add(name, at: address)
  }

  private static func add(_ name: String, at address: String) async throws -> SantorioUser {
    let place = "\(address)/v1/organizations/clinic/users"
    var request = URLRequest(url: try #require(URL(string: place)))
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(["uid": name])
    let answer: Created = try await Self.answer(to: request, token: Self.administrator)
    return SantorioUser(
      userID: answer.id, organizationID: "clinic", accessToken: answer.mobile.token)
  }

  deinit { server.stop() }

  /// Ends it: nobody answers any more.
  func stop() { server.stop() }

  private static let administrator = "the-administrator"

  /// Revokes the person's tokens.
  func revoke() async throws {
    let place = "\(address)/v1/organizations/clinic/users/\(user.userID)/tokens"
    var request = URLRequest(url: try #require(URL(string: place)))
    request.httpMethod = "DELETE"
    _ = try await Self.send(request, token: Self.administrator)
  }

  /// What a person enters as the server's address.
  var address: String { "http://127.0.0.1:\(server.port)" }

  /// The values of the records that the server has of the person, as the API gives them.
  func metrics() async throws -> [[String: Double]] { try await metrics(of: user) }

  /// The same of another person.
  func metrics(of user: SantorioUser) async throws -> [[String: Double]] {
    let place = "\(address)/v1/organizations/clinic/users/\(user.userID)/records"
    let request = URLRequest(url: try #require(URL(string: place)))
    let page: Page = try await Self.answer(to: request, token: user.accessToken)
    return page.records.map { record in
      Dictionary(record.metrics.map { ($0.type, $0.value) }) { first, _ in first }
    }
  }

  private struct Created: Decodable {
    struct Token: Decodable { let token: String }
    let id: String
    let mobile: Token
  }

  private struct Page: Decodable {
    struct Record: Decodable { let metrics: [Value] }
    struct Value: Decodable {
      let type: String
      let value: Double
    }
    let records: [Record]
  }

  private static func answer<Answer: Decodable>(
    to request: URLRequest, token: String
  ) async throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: try await send(request, token: token))
  }

  private static func send(_ request: URLRequest, token: String) async throws -> Data {
    var request = request
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    return try await URLSession.shared.data(for: request).0
  }
}
