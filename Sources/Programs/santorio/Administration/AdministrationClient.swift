// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import SantorioJSON

/// A client of a server's administration interface.
struct AdministrationClient: Sendable {
  /// The maximum size of a streamed response: 32 GiB.
  private static let longestDownload = 32 << 30

  private let transport: CurlTransport
  private let base: String
  private let token: String?

  /// Uses a server's address, with an administrator's token.
  init(server: URL, token: String, by transport: CurlTransport) {
    let address = server.absoluteString
    base = address.hasSuffix("/") ? String(address.dropLast()) : address
    (self.transport, self.token) = (transport, token)
  }

  /// Uses a server's own socket, which needs no token.
  init(socket: String) {
    transport = CurlTransport(unixSocket: socket)
    (base, token) = ("http://localhost", nil)
  }

  /// Whether a server answers.
  ///
  /// - Throws: ``CommandError`` when a server is there but does not answer.
  func isAnswered() async throws(CommandError) -> Bool {
    do throws(TransportError) {
      _ = try await transport.send(request("GET", "/healthz", nil))
      return true
    } catch {
      guard error.code == .unreachable else { throw Self.failure(error) }
      return false
    }
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - path: The path, with its escapes.
  ///   - body: A JSON object; nil for none.
  /// - Returns: The body of the response; null where it has none.
  /// - Throws: ``CommandError`` when the server refuses it, or cannot be reached.
  @discardableResult
  func send(
    _ method: String, _ path: String, _ body: [UInt8]? = nil
  ) async throws(CommandError) -> JSONReader {
    let answer: TransportResponse
    do throws(TransportError) {
      answer = try await transport.send(request(method, path, body))
    } catch {
      throw Self.failure(error)
    }
    guard (200...299).contains(answer.status) else { throw Self.refusal(answer) }
    guard !answer.body.isEmpty else { return JSONReader(.null) }
    return try Self.parse(answer.body)
  }

  /// All elements of a paged list.
  ///
  /// - Parameters:
  ///   - path: The path of the list.
  ///   - name: The list's name in the response.
  /// - Returns: The elements.
  /// - Throws: ``CommandError`` when the server refuses it, or cannot be reached.
  func list(_ path: String, _ name: String) async throws -> [JSONReader] {
    var elements: [JSONReader] = []
    var query = "?limit=1000"
    while true {
      let page = try await send("GET", path + query)
      elements += try page.member(name).elements()
      guard let next = try page.optionalString("next") else { return elements }
      query = "?limit=1000&after=\(next.escaped)"
    }
  }

  /// Sends a request whose response is streamed as it arrives.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - take: Takes the next part; what it throws ends the transfer.
  /// - Throws: ``CommandError`` when the server refuses it, or the response is incomplete.
  func download(
    _ path: String, to take: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws(CommandError) {
    let answer: TransportResponse
    do throws(TransportError) {
      var request = try request("GET", path, nil)
      request.maximumResponseBytes = Self.longestDownload
      answer = try await transport.download(request, to: take)
    } catch {
      throw Self.failure(error)
    }
    guard answer.status == 200 else { throw Self.refusal(answer) }
  }

  private func request(
    _ method: String, _ path: String, _ body: [UInt8]?
  ) throws(TransportError) -> TransportRequest {
    guard let url = URL(string: base + path) else {
      throw TransportError(.invalidRequest, "\(base) is not a valid address")
    }
    var headers = token.map { [TransportHeader("Authorization", "Bearer \($0)")] } ?? []
    if body != nil { headers.append(TransportHeader("Content-Type", "application/json")) }
    return TransportRequest(
      method: method, url: url, headers: headers, body: body, timeout: .seconds(60),
      maximumResponseBytes: 16 << 20)
  }

  private static func parse(_ body: [UInt8]) throws(CommandError) -> JSONReader {
    do throws(RecordError) {
      return try JSONReader(parsing: body)
    } catch {
      throw CommandError("the response is not from a Santorio server: \(error)")
    }
  }

  private static func failure(_ error: TransportError) -> CommandError {
    CommandError("the request to the server failed: \(error)")
  }

  /// The error that a refusal states; a body in another format is not from the server.
  private static func refusal(_ answer: TransportResponse) -> CommandError {
    guard let fault = try? JSONReader(parsing: answer.body).member("error"),
      let code = try? fault.member("code").string(),
      let message = try? fault.member("message").string()
    else {
      return CommandError(
        "status \(answer.status) is not from the server, but perhaps from a proxy in front of it"
      )
    }
    let place = (try? fault.optionalString("path")).flatMap { $0 }.map { " (\($0))" } ?? ""
    return CommandError("the server answers \(answer.status) \(code): \(message)\(place)".printable)
  }
}

extension String {
  /// The text as one part of a path or query, percent-encoded.
  ///
  /// All characters but the unreserved ones of RFC 3986 are escaped.
  var escaped: String {
    let allowed = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }
}
