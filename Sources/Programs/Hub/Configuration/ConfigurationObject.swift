// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// One object of the configuration; reading it collects findings instead of stopping at the first.
struct ConfigurationObject {
  /// The place of the object; empty for the whole file.
  let path: String
  let findings: FindingCollector
  private let members: JSONValue

  /// Takes an object; nil for another value, which is a finding.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: Its place.
  ///   - known: The names of the members that it may have.
  ///   - findings: Collects what is wrong.
  init?(_ value: JSONValue, at path: String, known: [String], _ findings: FindingCollector) {
    guard case .object(let members) = value else {
      findings.error(path, "expected an object, found \(value.typeName)")
      return nil
    }
    self.path = path
    self.findings = findings
    self.members = value
    for name in members.map(\.name) where !known.contains(name) {
      let advice =
        known.nearest(to: name).map { "did you mean \"\($0)\"?" }
        ?? "the members here are \(known.joined(separator: ", "))"
      findings.error(path, "the member \"\(name.shown)\" is unknown; \(advice)")
    }
  }

  /// The place of a member.
  func place(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// A member's value; null counts as missing.
  func value(_ name: String) -> JSONValue? {
    guard let value = members[name], value != .null else { return nil }
    return value
  }

  func error(_ name: String, _ message: String) { findings.error(place(name), message) }

  func warning(_ name: String, _ message: String) { findings.warning(place(name), message) }

  /// Notes that a member is missing.
  func missing(_ name: String, _ advice: String) {
    error(name, "this member is required: \(advice)")
  }

  // MARK: - Types

  func string(_ name: String) -> String? {
    guard let value = value(name) else { return nil }
    guard case .string(let text) = value else {
      error(name, "expected a string, found \(value.typeName)")
      return nil
    }
    guard !text.isEmpty else {
      error(name, "this is empty; leave the member out or give it a value")
      return nil
    }
    return text
  }

  func bool(_ name: String) -> Bool? {
    guard let value = value(name) else { return nil }
    guard case .bool(let flag) = value else {
      error(name, "expected true or false, found \(value.typeName)")
      return nil
    }
    return flag
  }

  func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
    value(name).flatMap { integer($0, at: name, in: range) }
  }

  private func integer(_ value: JSONValue, at name: String, in range: ClosedRange<Int>) -> Int? {
    guard case .number(let number) = value else {
      error(name, "expected a whole number, found \(value.typeName)")
      return nil
    }
    guard let integer = Int(exactly: number), range.contains(integer) else {
      error(name, "expected a whole number from \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return integer
  }

  func integers(_ name: String, in range: ClosedRange<Int>) -> [Int] {
    elements(name).enumerated().compactMap { index, value in
      integer(value, at: "\(name)[\(index)]", in: range)
    }
  }

  func strings(_ name: String) -> [String] {
    elements(name).enumerated().compactMap { index, value in
      guard case .string(let text) = value else {
        error("\(name)[\(index)]", "expected a string, found \(value.typeName)")
        return nil
      }
      return text
    }
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, of values: Value.Type
  ) -> Value? {
    guard let text = string(name) else { return nil }
    guard let value = Value(rawValue: text) else {
      error(
        name,
        "expected \(values.allCases.map(\.rawValue).alternatives), found \"\(text.shown)\"")
      return nil
    }
    return value
  }

  /// The elements of an array; none when it is missing or something else.
  func elements(_ name: String) -> [JSONValue] {
    guard let value = value(name) else { return [] }
    guard case .array(let values) = value else {
      error(name, "expected an array, found \(value.typeName)")
      return []
    }
    return values
  }

  /// The objects of an array.
  func objects(_ name: String, known: [String]) -> [ConfigurationObject] {
    elements(name).enumerated().compactMap { index, value in
      ConfigurationObject(value, at: "\(place(name))[\(index)]", known: known, findings)
    }
  }

  func object(_ name: String, known: [String]) -> ConfigurationObject? {
    value(name).flatMap { ConfigurationObject($0, at: place(name), known: known, findings) }
  }

  // MARK: - Meanings

  /// A name of the characters that folders, topics and labels have in common.
  func identifier(_ name: String, atMost count: Int) -> String? {
    guard let text = string(name) else { return nil }
    guard text.isIdentifier(atMost: count) else {
      error(name, "use 1 to \(count) of the characters A-Z, a-z, 0-9, \".\", \"_\" and \"-\"")
      return nil
    }
    return text
  }

  /// A path of the file system, which says the same wherever the hub is started.
  func absolutePath(_ name: String) -> String? {
    guard let text = string(name) else { return nil }
    guard text.hasPrefix("/") else {
      error(name, "\"\(text.shown)\" is relative; write the whole path, from / on")
      return nil
    }
    let parts = text.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard !text.utf8.contains(0), parts.dropLast().allSatisfy({ !$0.isEmpty }),
      !parts.contains("."), !parts.contains("..")
    else {
      error(name, "write the path without \"//\", \"/./\" and \"/../\"")
      return nil
    }
    return parts.last == "" && text.count > 1 ? String(text.dropLast()) : text
  }

  /// Where a secret is; the secret itself is refused, and not repeated in the message.
  func secret(_ name: String) -> HubSecret? {
    guard let value = value(name) else { return nil }
    guard case .object = value else {
      error(
        name,
        "a secret must not be in this file; encrypt it (systemd-creds encrypt --name=NAME - FILE) and "
          + "write {\"credential\": \"NAME\"}, or put it into a file of mode 600 and write "
          + "{\"file\": \"/PATH\"}")
      return nil
    }
    guard let place = object(name, known: Members.secret) else { return nil }
    let (credential, file) = (place.credential("credential"), place.absolutePath("file"))
    switch (place.value("credential"), place.value("file")) {
    case (.some, nil): return credential.map(HubSecret.credential)
    case (nil, .some): return file.map(HubSecret.file)
    default:
      error(name, "name either a \"credential\" or a \"file\"")
      return nil
    }
  }

  /// The name of a credential, which is the name of its file.
  private func credential(_ name: String) -> String? { identifier(name, atMost: 255) }
}

/// The members of the file's objects.
enum Members {
  static let file =
    [
      "name", "folder", "radio", "clock", "silent_after", "queue_key", "patients", "allow",
      "metrics",
      "control", "mqtt",
    ] + server
  static let server = ["server", "to", "ca", "pin", "insecure", "refusal_grace"] + fhir
  static let fhir = ["fhir_profile", "gateway", "performer"]
  static let patient = [
    "alias", "code", "folder", "user", "organization", "token", "subject", "encounter", "devices",
    "health_exports",
  ]
  static let healthExports = ["folder", "time_zone", "days_back"]
  static let device = ["device", "model", "slot", "with_memory", "bind_key", "encryption_key"]
  static let secret = ["credential", "file"]
  static let allow = ["enrolment", "unknown_devices"]
  static let metrics = ["listen", "insecure"]
  static let control = ["socket", "uids", "assign", "look"]
  static let mqtt = [
    "server", "ca", "insecure", "user", "password", "topic", "discovery", "expires_after",
  ]
}
