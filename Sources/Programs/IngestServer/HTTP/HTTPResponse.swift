// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

/// The server's response to one request.
struct HTTPResponse: Sendable {
  var status: Int
  var headers: [(name: String, value: String)]
  var body: Body

  /// The bytes of a response, available at once or over time.
  enum Body: Sendable {
    case bytes([UInt8])
    /// The content of a file, which is read as it is sent.
    case image(OpenImage)
    case stream(@Sendable (SuspendableConnection) -> any ResponseStream)
  }

  init(
    _ status: Int, type: String? = nil, headers: [(name: String, value: String)] = [],
    body: Body = .bytes([])
  ) {
    self.status = status
    self.headers = headers
    if let type { self.headers.insert((name: "Content-Type", value: type), at: 0) }
    self.body = body
    self.headers += [
      (name: "Cache-Control", value: "no-store"),
      (name: "X-Content-Type-Options", value: "nosniff"),
    ]
  }

  /// The size of the body in bytes; nil for a stream.
  var size: Int? {
    switch body {
    case .bytes(let bytes): bytes.count
    case .image(let image): image.size
    case .stream: nil
    }
  }

  /// The memory that the body holds until it is sent, in bytes.
  var memory: Int {
    guard case .bytes(let bytes) = body else { return 0 }
    return bytes.count
  }

  /// A response whose body is a JSON object.
  static func json(
    _ status: Int, headers: [(name: String, value: String)] = [],
    _ members: (inout JSONWriter) -> Void
  ) -> HTTPResponse {
    var json = JSONWriter()
    json.object(members)
    return HTTPResponse(
      status, type: "application/json", headers: headers, body: .bytes(json.bytes))
  }

  /// A response that reports what is wrong with the request.
  static func failure(
    _ status: Int, _ fault: Fault, headers: [(name: String, value: String)] = []
  ) -> HTTPResponse {
    json(status, headers: headers) { json in
      json.key("error")
      fault.write(to: &json)
    }
  }

  /// The response to a body that is larger than the path accepts.
  static func tooLarge(_ maximum: Int) -> HTTPResponse {
    let message =
      maximum == 0
      ? "this request takes no body" : "the body has more than \(maximum) bytes; send less"
    return .failure(413, Fault("too_large", message))
  }

  /// The response while the storage cannot be written: nothing is lost, the client can retry.
  static func unavailable(_ message: String) -> HTTPResponse {
    failure(
      503, Fault("unavailable", message), headers: [(name: "Retry-After", value: "5")])
  }

  /// The response to a request whose end is ambiguous.
  static var ambiguous: HTTPResponse {
    failure(
      400, Fault("ambiguous_length", "the request states the length of its body more than once"),
      headers: [(name: "Connection", value: "close")])
  }

  /// The response to a request that arrives while the server is stopping.
  static var stopping: HTTPResponse {
    var response = unavailable("the server is stopping; try again later")
    response.headers.append((name: "Connection", value: "close"))
    return response
  }
}

/// What is wrong with a request or an item, as sent to the client; contains no health values.
struct Fault: Hashable, Sendable {
  var code: String
  var message: String
  /// The place in the record or the request.
  var path: String?
  /// The offset of the first unusable byte of the item.
  var offset: Int?
  /// The line of the item in a batch, counted from 1.
  var line: Int?

  init(_ code: String, _ message: String, path: String? = nil) {
    self.code = code
    self.message = message
    self.path = path
  }

  init(_ error: RecordError, line: Int? = nil) {
    code = error.code.rawValue
    message = error.message
    path = error.path.isEmpty ? nil : Self.known(error.path)
    offset = error.offset
    self.line = line
  }

  // The names of extras and of sensors are the sender's own; a path ends before them.
  private static func known(_ path: String) -> String {
    let open = ["extras", "source.devices"].first { path.hasPrefix($0 + ".") }
    return open ?? path
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.optional("code", code)
      json.optional("message", message)
      json.optional("path", path)
      json.optional("offset", offset)
      json.optional("line", line)
    }
  }
}
