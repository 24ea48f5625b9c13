// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON

// The tokens of users and of an organisation's administrators.
extension Routes {
  func listTokens(_ call: Call) -> Route.Work {
    let (holder, date) = (call.holder, now())
    return .query { store throws(IngestError) in
      guard let tokens = try store.tokens(of: holder) else { return Route.Found(.unknownUser) }
      return Route.Found(
        .json(200) { json in
          json.list("tokens", tokens) { json, token in
            json.object { json in
              token.writeMembers(to: &json)
              json.optional("state", token.state(at: date).rawValue)
            }
          }
        })
    }
  }

  func issueToken(_ call: Call) throws(IngestError) -> Route.Work {
    guard Self.isName(call.user.organization) else { return Self.invalidOrganization }
    let terms: TokenTerms
    do throws(RecordError) {
      terms = try TokenTerms(JSONReader(parsing: call.body))
    } catch {
      return .answer(.failure(400, Fault(error)))
    }
    let token = try AccessToken.random()
    return .change(.issue(try terms.token(token, at: now()), call.holder)) { outcome in
      guard case .issued(let issued) = outcome else { return .unknownUser }
      return .json(201) { issued.writeMembers(to: &$0, text: token.text) }
    }
  }

  func revokeToken(_ call: Call) -> Route.Work {
    .change(.revoke(id: call.parameters["token"], call.holder)) { outcome in
      guard case .revoked = outcome else { return .unknownToken }
      return HTTPResponse(204)
    }
  }

  func rotateToken(_ call: Call) throws(IngestError) -> Route.Work {
    let terms: TokenTerms
    let overlap: Int
    do throws(RecordError) {
      let json = try JSONReader(parsing: call.body)
      // The new token keeps the scopes and label of the old one.
      terms = try TokenTerms(json, beside: ["overlap"])
      for name in ["scopes", "label"] {
        if let member = try json.optional(name) {
          throw member.invalid("cannot be changed by a rotation; omit it")
        }
      }
      overlap = try json.seconds("overlap", 0...TokenTerms.longestOverlap) ?? 3_600
    } catch {
      return .answer(.failure(400, Fault(error)))
    }
    let token = try AccessToken.random()
    let change = Change.Action.rotate(
      id: call.parameters["token"] ?? "", try terms.token(token, at: now()),
      overlap: TimeInterval(overlap), call.holder)
    return .change(change) { outcome in
      guard case .issued(let issued) = outcome else { return .unknownToken }
      return .json(201) { issued.writeMembers(to: &$0, text: token.text) }
    }
  }
}

/// The terms of a new token in a request.
struct TokenTerms: Sendable {
  /// Ten years, in seconds.
  static let longestLife = 315_360_000
  /// Thirty days, in seconds.
  static let longestOverlap = 2_592_000

  private let scopes: Scopes
  private let label: String
  private let life: Int?

  /// Reads the members of a request; unknown ones, perhaps a mistyped limit, are refused.
  init(_ json: JSONReader, beside others: [String] = []) throws(RecordError) {
    for member in try json.members()
    where !(others + ["scopes", "label", "expires_in"]).contains(member.name) {
      throw json.invalid("has an unknown member \"\(member.name.prefix(64))\"")
    }
    scopes = try Self.scopes(json)
    label = try Self.label(json)
    life = try json.seconds("expires_in", 60...Self.longestLife)
  }

  private static func scopes(_ json: JSONReader) throws(RecordError) -> Scopes {
    guard let member = try json.optional("scopes") else { return .all }
    var names: [String] = []
    for element in try member.elements() { names.append(try element.string()) }
    guard let scopes = Scopes(names: names) else {
      throw member.invalid(
        "must list one or more of " + Scopes.knownNames.joined(separator: ", "))
    }
    return scopes
  }

  private static func label(_ json: JSONReader) throws(RecordError) -> String {
    guard let member = try json.optional("label") else { return "" }
    let label = try member.string()
    guard label.unicodeScalars.count <= 128 else {
      throw member.invalid("must have at most 128 characters")
    }
    return label
  }

  func token(_ token: AccessToken, at date: Date) throws(IngestError) -> NewToken {
    NewToken(
      id: try AccessToken.randomHex(bytes: 8), digest: token.digest, scopes: scopes, label: label,
      expiry: life.map { date + TimeInterval($0) })
  }
}

extension JSONReader {
  /// A whole number of seconds within a range; nil when the member is absent or null.
  fileprivate func seconds(
    _ name: String, _ range: ClosedRange<Int>
  ) throws(RecordError) -> Int? {
    guard let member = try optional(name) else { return nil }
    let seconds = try member.integer()
    guard range.contains(seconds) else {
      throw member.invalid("must be a number of seconds, \(range.lowerBound)...\(range.upperBound)")
    }
    return seconds
  }
}

extension StoredToken {
  /// Writes the members of a token, as named in the API description; its text, if any, first.
  func writeMembers(to json: inout JSONWriter, text: String? = nil) {
    json.optional("token", text)
    json.optional("id", id)
    json.list("scopes", scopes.names) { $0.string($1) }
    json.optional("label", label.isEmpty ? nil : label)
    json.optional("created_at", created)
    json.optional("expires_at", expiry)
    json.optional("revoked_at", revoked)
  }
}

extension HTTPResponse {
  /// The response when the token or the user does not exist.
  fileprivate static let unknownToken = failure(
    404, Fault("unknown_token_id", "no live token has this id", path: "token"))
}
