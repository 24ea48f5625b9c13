// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore

/// The options of commands that send to a FHIR server.
struct FHIROptions: Sendable {
  static let all = [
    CommandOption(
      "subject", "REFERENCE",
      help: "With --to fhir: the patient; Patient/ID with the ID of --user if not given."),
    CommandOption(
      "fhir-profile", "PROFILE",
      help: "With --to fhir: standard, phd for HL7's guide for devices, or ehr for health records."),
    CommandOption(
      "gateway", "NAME",
      help: "With phd: the name of this gateway; that of the machine if not given."),
    CommandOption(
      "performer", "REFERENCE", help: "With ehr: who answers for the readings (Practitioner/123)."),
    CommandOption(
      "encounter", "REFERENCE", help: "With ehr: the encounter of the readings (Encounter/123)."),
  ]

  private let subject: FHIRServer.Subject
  private let profile: FHIRProfile
  private let gateway: FHIRGateway
  private let chart: FHIRChart

  /// Takes the options from the arguments.
  ///
  /// - Throws: ``UsageError`` when one needs another that is missing, or is no reference.
  init(_ arguments: Arguments, isFHIR: Bool) throws(UsageError) {
    profile = try arguments.choice("fhir-profile", of: FHIRProfile.self) ?? .standard
    for (option, fits, needed) in [
      ("subject", isFHIR, "--to fhir"), ("fhir-profile", isFHIR, "--to fhir"),
      ("gateway", isFHIR && profile == .phd, "--fhir-profile phd"),
      ("performer", isFHIR && profile == .ehr, "--fhir-profile ehr"),
      ("encounter", isFHIR && profile == .ehr, "--fhir-profile ehr"),
    ] where arguments.has(option) && !fits {
      throw UsageError("--\(option) requires \(needed).", command: arguments.command)
    }
    for option in ["subject", "performer", "encounter"] {
      guard let text = arguments[option] else { continue }
      guard Self.isReference(text) else {
        throw UsageError(
          "--\(option) takes a reference such as Patient/123.", command: arguments.command)
      }
    }
    subject = arguments["subject"].map(FHIRServer.Subject.reference) ?? .user
    gateway = FHIRGateway(
      identifier: arguments["gateway"] ?? ProcessInfo.processInfo.hostName)
    chart = FHIRChart(performer: arguments["performer"], encounter: arguments["encounter"])
  }

  /// Whether it is a type and an identifier, or an address that ends so.
  static func isReference(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      && text.split(separator: "/", omittingEmptySubsequences: false).suffix(2)
        .count { !$0.isEmpty } == 2
  }

  func destination(_ server: URL) -> FHIRServer {
    FHIRServer(server, subject: subject, profile: profile, gateway: gateway, chart: chart)
  }
}
