// SPDX-License-Identifier: Apache-2.0

import HealthRecords

/// One row of the route table: method, path, access and handler.
struct Route: Sendable {
  /// Who may call it.
  enum Access: Sendable {
    case anyone
    /// The server's administrator and those of the organisation in the path.
    case administrator
    /// The server's administrator.
    case serverAdministrator
    /// The user in `{organization}` and `{user}`, with a token that has these scopes.
    case user(Scopes)
    /// The same, and administrators.
    case userOrAdministrator(Scopes)

    /// The scopes that a user's token needs; nil if the route is not for users.
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

  /// What the server does for an admitted request.
  enum Work: Sendable {
    case answer(HTTPResponse)
    /// Long work done step by step, so that others have their turns; nil until it is done.
    case steps(@Sendable () -> Work?)
    case change(Change.Action, @Sendable (Change.Outcome) -> HTTPResponse)
    /// Reads a few rows.
    case query(@Sendable (any RecordStore) throws(IngestError) -> Found)
    /// Reads many records; large work.
    case page(@Sendable (any RecordStore) throws(IngestError) -> Found)
    /// Exports all data of a user; large work.
    case export(UserPath)
    /// Writes images; runs one at a time.
    case media(@Sendable (MediaQueue) throws(IngestError) -> HTTPResponse)
    /// Reads images; large work.
    case image(@Sendable (any RecordStore, MediaQueue) throws(IngestError) -> Found)
    case events(EventStart)
  }

  /// The result of a query and the audit note to write before it is sent.
  struct Found: Sendable {
    let response: HTTPResponse
    let note: AuditNote?

    init(_ response: HTTPResponse, _ note: AuditNote? = nil) {
      self.response = response
      self.note = note
    }
  }

  /// The body that a route accepts.
  struct Body: Hashable, Sendable {
    /// The media types; if there is only one, the request may omit it.
    let types: [String]
    /// The largest size after expansion, in bytes.
    let maximum: Int

    static let json = Body(types: ["application/json"], maximum: 4 << 20)
    static let lines = Body(types: ["application/x-ndjson"], maximum: 4 << 20)
    static let image = Body(types: ImageType.allCases.map(\.rawValue), maximum: 16 << 20)
  }

  typealias Handler = @Sendable (Call) throws(IngestError) -> Work

  let method: String
  let template: String
  let access: Access
  /// The accepted body; nil when the route takes none.
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

  /// The values of the template's parameters; nil when the path does not match.
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
  let principal: Principal
  let body: [UInt8]
  /// The received image, on a route whose body is an image.
  var image: ImageUpload.Received?

  /// The user that sent the request; nil for administrators.
  var account: Account? { principal.account }

  /// The user in the path.
  var user: UserPath {
    UserPath(organization: parameters["organization"] ?? "", id: parameters["user"] ?? "")
  }

  /// The holder of the tokens in the path: a user or an organisation's administrators.
  var holder: TokenHolder {
    parameters["user"] == nil ? .organization(user.organization) : .user(user)
  }
}

/// Finds the route of a request in the route table.
struct Router: Sendable {
  let routes: [Route]

  enum Match {
    case route(Route, parameters: [String: String])
    /// The path exists, with these methods.
    case otherMethods([String])
    case nothing
  }

  /// Finds the route; routes with literal parts precede those with parameters in the table.
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
