// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import SantorioCore
import SantorioJSON

extension HubConfiguration.Patient {
  /// The patients of the file that can be read, checked against each other.
  static func all(_ file: ConfigurationObject) -> [Self] {
    let objects = file.objects("patients", known: Members.patient)
    if objects.isEmpty, file.value("patients") == .array([]) {
      file.warning("patients", "there are none, so no device is read")
    }
    if objects.count > HubConfiguration.maximumPatients {
      file.error("patients", "more than \(HubConfiguration.maximumPatients); use several hubs")
      return []
    }
    let server = ServerFacts(file)
    var distinct = DistinctValues()
    var shares = DeviceShares()
    let patients = objects.compactMap { object in
      Self(object, server, &distinct, &shares)
    }
    shares.check(file.findings)
    return patients
  }

  private init?(
    _ object: ConfigurationObject, _ server: ServerFacts, _ distinct: inout DistinctValues,
    _ shares: inout DeviceShares
  ) {
    let alias = object.alias("alias")
    if object.value("alias") == nil {
      object.missing("alias", "what this hub calls the patient, such as \"bed-2\"; not a name")
    }
    let folder = object.value("folder") == nil ? alias : object.alias("folder")
    if let alias { distinct.alias(alias, object) }
    if let folder { distinct.folder(folder, object) }
    let code = object.code("code")
    if let code { distinct.code(code, object) }
    let account = HubConfiguration.Account(object, server, &distinct)
    for (name, fits, needed) in [
      ("subject", server.isFHIR, "\"to\": \"fhir\""),
      ("encounter", server.isEHR, "\"fhir_profile\": \"ehr\""),
    ] where object.value(name) != nil && !fits {
      object.error(name, "this requires \(needed)")
    }
    let (subject, encounter) = (object.reference("subject"), object.reference("encounter"))
    let devices = Self.devices(object, &shares)
    let exports = HubConfiguration.HealthExports(object)
    if let exports { distinct.exports(exports.folder, object) }
    guard let alias, let folder else { return nil }
    self.init(
      alias: alias, code: code, folder: folder, account: account, subject: subject,
      encounter: encounter,
      devices: devices, healthExports: exports)
  }

  private static func devices(
    _ object: ConfigurationObject, _ shares: inout DeviceShares
  ) -> [HubConfiguration.Device] {
    let objects = object.objects("devices", known: Members.device)
    guard objects.count <= HubConfiguration.maximumDevices else {
      object.error("devices", "more than \(HubConfiguration.maximumDevices) of one patient")
      return []
    }
    var devices: [HubConfiguration.Device] = []
    for entry in objects {
      guard let device = HubConfiguration.Device(entry) else { continue }
      if devices.contains(where: { $0.identifier == device.identifier }) {
        entry.error("device", "this patient has the device twice; remove one")
        continue
      }
      shares.add(device, at: entry)
      devices.append(device)
    }
    return devices
  }
}

extension HubConfiguration.HealthExports {
  /// Whether two folders are the same, or one is inside the other.
  static func share(_ first: String, _ second: String) -> Bool {
    (first + "/").hasPrefix(second + "/") || (second + "/").hasPrefix(first + "/")
  }

  /// What is wrong with a folder that is shared.
  static func conflict(with path: String) -> String {
    "\(path) has this folder, too, or one inside it or around it; an export does not say whose it is"
  }

  fileprivate init?(_ patient: ConfigurationObject) {
    guard let object = patient.object("health_exports", known: Members.healthExports) else {
      return nil
    }
    if object.value("folder") == nil {
      object.missing("folder", "where exports of the patient's iPhone are put")
    }
    var zone: TimeZone?
    if let name = object.string("time_zone") {
      zone = TimeZone(identifier: name)
      if zone == nil {
        object.error("time_zone", "\"\(name.shown)\" is unknown; write one such as \"Europe/Rome\"")
      }
    }
    let days = object.integer("days_back", in: 0...Self.mostDaysBack) ?? Self.usualDaysBack
    guard let folder = object.absolutePath("folder") else { return nil }
    self.init(folder: folder, timeZone: zone, daysBack: days)
  }
}

extension ConfigurationObject {
  /// A name that is a folder, too.
  fileprivate func alias(_ name: String) -> String? {
    guard let text = identifier(name, atMost: 64) else { return nil }
    guard !text.hasPrefix("."), !text.hasPrefix("-") else {
      error(name, "begin it with a letter or a digit")
      return nil
    }
    return text
  }

  /// The text of a barcode; it names a patient, so no message repeats it.
  fileprivate func code(_ name: String) -> String? {
    guard let text = string(name) else { return nil }
    guard !text.isEmpty, text.shown(atMost: HubConfiguration.longestCode) == text,
      !text.hasPrefix(" "), !text.hasSuffix(" ")
    else {
      error(
        name,
        "write the text of the wristband's barcode as a scanner reads it, up to "
          + "\(HubConfiguration.longestCode) characters")
      return nil
    }
    return text
  }
}

/// What the file says of the server, as far as patients depend on it.
private struct ServerFacts {
  let exists: Bool
  let isFHIR: Bool
  let isEHR: Bool

  init(_ file: ConfigurationObject) {
    exists = file.value("server") != nil
    isFHIR = file.value("to") == .string(HubConfiguration.ServerForm.fhir.rawValue)
    isEHR = isFHIR && file.value("fhir_profile") == .string("ehr")
  }
}

/// What may be in the file once only.
private struct DistinctValues {
  private var aliases: [String: String] = [:]
  private var codes: [String: String] = [:]
  private var folders: [String: String] = [:]
  private var users: [String: String] = [:]
  private var tokens: [HubSecret: String] = [:]
  private var exports: [(folder: String, path: String)] = []

  mutating func alias(_ alias: String, _ object: ConfigurationObject) {
    guard let first = aliases.updateValue(object.path, forKey: alias) else { return }
    object.error("alias", "\(first) has this alias, too; give each patient its own")
  }

  mutating func code(_ code: String, _ object: ConfigurationObject) {
    guard let first = codes.updateValue(object.path, forKey: code) else { return }
    object.error("code", "\(first) has this code, too; give each patient its own")
  }

  mutating func folder(_ folder: String, _ object: ConfigurationObject) {
    // Two of the same alias have been reported.
    guard let first = folders.updateValue(object.path, forKey: folder),
      object.value("folder") != nil || aliases[folder] != object.path
    else { return }
    object.error(
      object.value("folder") == nil ? "alias" : "folder",
      "\(first) has this folder, too; give each patient its own")
  }

  mutating func user(_ user: String, _ organization: String, _ object: ConfigurationObject) {
    let key = "\(organization)/\(user)"
    guard let first = users.updateValue(object.path, forKey: key) else { return }
    object.error("user", "\(first) is the same user of the server; a user is one patient")
  }

  // Of two patients the one whose folder is around the other's would get the exports of both.
  mutating func exports(_ folder: String, _ object: ConfigurationObject) {
    let shared = exports.first { HubConfiguration.HealthExports.share($0.folder, folder) }
    exports.append((folder, object.path))
    guard let shared else { return }
    object.error(
      "health_exports.folder", HubConfiguration.HealthExports.conflict(with: shared.path))
  }

  mutating func token(_ token: HubSecret, _ object: ConfigurationObject) {
    guard let first = tokens.updateValue(object.path, forKey: token) else { return }
    object.error("token", "\(first) has this token, too; the server gives each user its own")
  }
}

// MARK: - Accounts

extension HubConfiguration.Account {
  /// The user of the server; nil without a server, and for one that is wrong.
  fileprivate init?(
    _ object: ConfigurationObject, _ server: ServerFacts, _ distinct: inout DistinctValues
  ) {
    let names = ["user", "organization", "token"]
    guard server.exists else {
      for name in names where object.value(name) != nil {
        object.error(name, "this requires \"server\"")
      }
      return nil
    }
    for (name, advice) in [
      ("user", "the \"id\" that the server gave when the user was provisioned"),
      ("organization", "the organisation of the user on the server"),
      ("token", "where the user's token is, {\"credential\": \"NAME\"}"),
    ] where object.value(name) == nil {
      object.missing(name, advice)
    }
    let user = object.identifier("user", atMost: 128)
    let organization = object.identifier("organization", atMost: 128)
    let token = object.secret("token")
    if let token { distinct.token(token, object) }
    guard let user, let organization else { return nil }
    distinct.user(user, organization, object)
    let nobody = SantorioUser.default
    if user == nobody.userID, organization == nobody.organizationID {
      object.error(
        "user", "\"default\" of \"default\" is a placeholder whose records are not sent")
    }
    guard let token else { return nil }
    self.init(user: user, organization: organization, token: token)
  }
}
