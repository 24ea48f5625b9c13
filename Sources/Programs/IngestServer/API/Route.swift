// SPDX-License-Identifier: Apache-2.0

/// One row of the table of routes: what is served where, and to whom.
struct Route: Sendable {
  /// Who may call it.
  enum Access: Sendable {
    case anyone
    /// The server's administrator, and those of the organisation that the path names.
    case administrator
    /// The server's administrator.
    case serverAdministrator
    /// The user named by `{organization}` and `{user}`, by a token with these scopes.
    case user(Scopes)
    /// The same, and administrators.
    case userOrAdministrator(Scopes)

    /// The scopes that a user's token needs; nil where it does not matter what it may do.
    var scope: Scopes? {
      switch self {
      case .user(let scope), .userOrAdministrator(let scope): scope
      case .anyone, .administrator, .serverAdministrator: nil
      }
    }

    var admitsAdministrators: Bool {
      switch self {
      case .administrator, .serverAdministrator, .userOrAdministrator: true
      case .anyone, .user: false
      }
    }

    var isForServerAdministrator: Bool {
      if case .serverAdministrator = self { true } else { false }
    }
  }

  /// What the server is to do for an admitted request.
  enum Work: Sendable {
    case answer(HTTPResponse)
    /// What takes long is done step by step, so that others have their turns; nil until it is done.
    case steps(@Sendable () -> Work?)
    case change(Change.Action, @Sendable (Change.Outcome) -> HTTPResponse)
    /// A look at a few rows.
    case query(@Sendable (any RecordStore) throws(IngestError) -> Found)
    /// What reads many records; large work.
    case page(@Sendable (any RecordStore) throws(IngestError) -> Found)
    /// All that is known of a user; large work.
    case export(UserPath)
    /// What writes images; runs one at a time.
    case media(@Sendable (MediaQueue) throws(IngestError) -> HTTPResponse)
    /// What reads images; large work.
    case image(@Sendable (any RecordStore, MediaQueue) throws(IngestError) -> Found)
    case events(EventStart)
  }

  /// What a query has found, and what the audit log is to say of it before it is answered.
  struct Found: Sendable {
    let response: HTTPResponse
    let note: AuditNote?

    init(_ response: HTTPResponse, _ note: AuditNote? = nil) {
      self.response = response
      self.note = note
    }
  }

  /// The body that a route takes.
  struct Body: Hashable, Sendable {
    /// The media types; where there is one only, the request need not name it.
    let types: [String]
    /// The most bytes, expanded.
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
  let visitor: Visitor
  let body: [UInt8]
  /// The image that was received, on a route whose body is one.
  var image: ImageUpload.Received?

  /// The user that called; nil on routes for others.
  var account: Account? { visitor.account }

  /// The user that the path names.
  var user: UserPath {
    UserPath(organization: parameters["organization"] ?? "", id: parameters["user"] ?? "")
  }

  /// Whose tokens the path is about: a user's, or those of an organisation's administrators.
  var holder: TokenHolder {
    parameters["user"] == nil ? .organization(user.organization) : .user(user)
  }
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
