// SPDX-License-Identifier: Apache-2.0

/// One row of the table of routes: what is served where, and to whom.
struct Route: Sendable {
  /// Who may call it.
  enum Access: Sendable {
    case anyone, administrator
    /// The user named by `{organization}` and `{user}`.
    case user
  }

  /// What the server is to do for an admitted request.
  enum Work: Sendable {
    case answer(HTTPResponse)
    case change(Change, @Sendable (Change.Outcome) -> HTTPResponse)
    case query(@Sendable (any RecordStore) throws(IngestError) -> HTTPResponse)
    /// What writes images; runs one at a time.
    case media(@Sendable (MediaQueue) throws(IngestError) -> HTTPResponse)
    /// What reads images.
    case image(@Sendable (any RecordStore, MediaQueue) throws(IngestError) -> HTTPResponse)
    case events(EventStart)
  }

  /// The body that a route takes.
  struct Body: Sendable {
    /// The media types; where there is one only, the request need not name it.
    let types: [String]
    /// The most octets, expanded.
    let maximum: Int

    static let json = Body(types: ["application/json"], maximum: 4 << 20)
    static let lines = Body(types: ["application/x-ndjson"], maximum: 4 << 20)
    static let image = Body(types: ImageType.allCases.map(\.rawValue), maximum: 16 << 20)
  }

  typealias Handler = @Sendable (Call) throws(IngestError) -> Work

  let method: String
  let template: String
  let access: Access
  /// What the body may be; nil when the route takes none.
  let body: Body?
  let handler: Handler
  private let parts: [Part]

  private enum Part {
    case literal(String)
    case parameter(String)
  }

  init(
    _ method: String, _ template: String, _ access: Access, body: Body? = nil,
    _ handler: @escaping Handler
  ) {
    self.method = method
    self.template = template
    self.access = access
    self.body = body
    self.handler = handler
    parts = template.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      $0.hasPrefix("{") ? .parameter(String($0.dropFirst().dropLast())) : .literal(String($0))
    }
  }

  /// The values of the template's parameters; nil when the path is another.
  func match(_ segments: [String]) -> [String: String]? {
    guard segments.count == parts.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, segment) in zip(parts, segments) {
      switch part {
      case .literal(let text): guard text == segment else { return nil }
      case .parameter(let name):
        guard !segment.isEmpty else { return nil }
        parameters[name] = segment
      }
    }
    return parameters
  }
}

/// A request that was admitted, with its body.
struct Call: Sendable {
  let head: RequestHead
  let parameters: [String: String]
  /// The user that called; nil on routes for others.
  let account: Account?
  let body: [UInt8]
}

/// The table of routes, searched for a request.
struct Router: Sendable {
  let routes: [Route]

  enum Match {
    case route(Route, parameters: [String: String])
    /// The path exists, with these methods.
    case otherMethods([String])
    case nothing
  }

  /// Finds the route; a literal part wins over a parameter by standing first in the table.
  func find(_ method: String, _ segments: [String]) -> Match {
    let wanted = method == "HEAD" ? "GET" : method
    var methods: [String] = []
    for route in routes {
      guard let parameters = route.match(segments) else { continue }
      if route.method == wanted { return .route(route, parameters: parameters) }
      methods += route.method == "GET" ? ["GET", "HEAD"] : [route.method]
    }
    return methods.isEmpty ? .nothing : .otherMethods(methods)
  }
}
