// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON

// Administration of users.
extension Routes {
  func createUser(_ call: Call) throws(IngestError) -> Route.Work {
    guard Self.isName(call.user.organization) else { return Self.invalidOrganization }
    let uid: String
    let revokesOthers: Bool
    let terms: TokenTerms
    do throws(RecordError) {
      let json = try JSONReader(parsing: call.body)
      uid = try Self.uid(json)
      revokesOthers = try json.optional("revoke_others")?.bool() ?? false
      terms = try TokenTerms(json, beside: ["uid", "revoke_others"])
    } catch {
      return .answer(.failure(400, Fault(error)))
    }
    let token = try AccessToken.random()
    let user = NewUser(
      organization: call.user.organization, uid: uid, id: try AccessToken.randomHex(bytes: 16))
    let new = try terms.token(token, at: now())
    return .change(.provision(user, new, revokesOthers: revokesOthers)) { outcome in
      guard case .provisioned(let account, let issued) = outcome else { return .internalError }
      return .json(201) { json in
        json.optional("id", account.id)
        json.optional("uid", account.uid)
        json.key("mobile")
        json.object { issued.writeMembers(to: &$0, text: token.text) }
      }
    }
  }

  static let invalidOrganization = Route.Work.invalid(
    "organization", "must have 1...128 of the characters A-Z a-z 0-9 . _ -")

  static func isName(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func uid(_ json: JSONReader) throws(RecordError) -> String {
    let member = try json.member("uid")
    let uid = try member.string()
    guard isUID(uid) else { throw member.invalid("must have 1...128 characters") }
    return uid
  }

  static func isUID(_ text: String) -> Bool { (1...128).contains(text.unicodeScalars.count) }

  func showUser(_ call: Call) -> Route.Work {
    .query { store throws(IngestError) in
      let own = call.account
      guard let account = try own == nil ? store.account(call.user) : own else {
        return Route.Found(.unknownUser)
      }
      let count = try store.recordCount(of: account)
      return Route.Found(
        .json(200) { json in
          json.optional("id", account.id)
          json.optional("uid", account.uid)
          json.optional("records", count)
        })
    }
  }

  func listUsers(_ call: Call) -> Route.Work {
    guard let limit = Self.number(call, "limit", 1...1_000, default: 100) else {
      return .invalid("limit", "must be a whole number, 1...1000")
    }
    let organization = call.user.organization
    let after = call.head.query("after")
    return .page { store throws(IngestError) in
      let users = try store.users(of: organization, after: after, limit: Int(limit))
      let response = HTTPResponse.json(200) { json in
        json.list("users", users) { json, user in
          json.object { json in
            json.optional("id", user.id)
            json.optional("uid", user.uid)
            json.optional("created_at", user.created)
          }
        }
        if users.count == limit { json.optional("next", users.last?.id) }
      }
      return Route.Found(
        response,
        AuditNote("users.list", organization: organization) { $0.optional("count", users.count) })
    }
  }

  func eraseUser(_ call: Call) -> Route.Work {
    .change(.erase(call.user)) { outcome in
      guard case .erased = outcome else { return .unknownUser }
      return HTTPResponse(204)
    }
  }

  func exportUser(_ call: Call) -> Route.Work { .export(call.user) }

  // MARK: - Rejected items

  func listRejections(_ call: Call) -> Route.Work {
    let user = call.user
    switch Self.page(call) {
    case .failure(let fault): return fault.work
    case .success((let after, let limit)):
      return .page { store throws(IngestError) in
        guard let account = try store.account(user) else { return Route.Found(.unknownUser) }
        let page = try store.rejections(of: account, after: after, limit: limit)
        let response = HTTPResponse.json(200) { json in
          json.list("rejections", page.elements) { json, item in
            json.object { item.writeMembers(to: &$0) }
          }
          if page.isCut { json.optional("next", page.elements.last.map { String($0.number) }) }
        }
        return Route.Found(
          response, AuditNote("rejections.read", user) { $0.optional("count", page.elements.count) }
        )
      }
    }
  }

  func wipeRejections(_ call: Call) -> Route.Work {
    .change(.wipeRejections(of: call.user)) { outcome in
      guard case .wiped = outcome else { return .unknownUser }
      return HTTPResponse(204)
    }
  }
}

extension StoredRejection {
  /// Writes the members of a rejected item, as named in the API description.
  func writeMembers(to json: inout JSONWriter) {
    json.optional("id", String(number))
    json.optional("received_at", received)
    json.optional("size", size)
    json.key("error")
    fault.write(to: &json)
    // The body may not be text at all.
    json.optional("body", body.isEmpty ? nil : String(decoding: body, as: UTF8.self))
  }
}
