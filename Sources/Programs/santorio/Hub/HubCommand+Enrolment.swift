// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthDevices
import Hub

extension HubCommand {
  func enrolment() async throws(UsageError) -> HubRequest.Enrolment {
    let patient = try await patient()
    var enrolment = HubRequest.Enrolment(
      patient: patient, slot: try arguments.integer("slot", in: 0...Int(UInt32.max)),
      acceptsAll: arguments.has("yes"), takesMemory: arguments.has("with-memory"),
      seconds: try arguments.integer("seconds", in: 1...3600) ?? 120)
    let device = try await device(orAsk: arguments["code"] == "-")
    switch try DeviceChoice(device, for: "hub") {
    case .entry(let model): enrolment.model = model.id
    case .identifier(let identifier): enrolment.device = identifier
    default:
      throw UsageError(
        "\"\(device.printable)\" is no model and no identifier of a device; \"santorio hub "
          + "status\" lists devices that are nobody's, \"santorio devices\" the models.",
        command: "hub")
    }
    if let text = arguments["passkey"] {
      guard let passkey = PairingPrompt.passkey(text) else {
        throw UsageError("--passkey takes six digits.", command: "hub")
      }
      enrolment.passkey = passkey
    }
    return enrolment
  }

  private func patient() async throws(UsageError) -> HubRequest.Patient {
    switch (arguments["patient"], arguments["code"]) {
    case (let alias?, nil): return .alias(alias)
    case (nil, let code?):
      guard !arguments.has("with-memory") else {
        throw UsageError(
          "--with-memory does not go with --code: what it has measured before may be another "
            + "patient's. Enrol it with --patient once a reading was confirmed.", command: "hub")
      }
      return .code(code == "-" ? try await line("The patient's code:") : code)
    case (_?, _?): throw UsageError("name the patient by --patient or by --code.", command: "hub")
    case (nil, nil):
      throw UsageError("--patient or --code is missing: whose is the device?", command: "hub")
    }
  }

  private func device(orAsk asks: Bool) async throws(UsageError) -> String {
    if operands.isEmpty, asks { return try await line("The device, or its model:") }
    guard operands.count == 1 else {
      throw UsageError("name one model or device to enrol.", command: "hub")
    }
    return operands[0]
  }

  /// A line of standard input, as a scanner of barcodes types it.
  private func line(_ question: String) async throws(UsageError) -> String {
    printError(question)
    guard let line = await Terminal.line()?.trimmed, !line.isEmpty else {
      throw UsageError("standard input has ended before it said that.", command: "hub")
    }
    return line
  }

  // MARK: - Confirmation

  /// Asks whether the first reading of a device is the patient's; if not, the device is not either.
  func confirm(_ device: HubAnswer.EnrolledDevice) async throws -> Int32 {
    guard let reading = device.reading else {
      printError(
        "santorio: no reading came in time. Those of the device wait until one is released: \"santorio hub "
          + "status\" shows them")
      return 1
    }
    let time = reading.time.formatted(date: .abbreviated, time: .shortened)
    let slot = reading.slot.map { "slot \($0), " } ?? ""
    let doubt = reading.isTimeUnknown ? " (its clock is not known to be right)" : ""
    print("measured  \(time)\(doubt)  \(slot)\(reading.values.joined(separator: ", "))")
    let release = "\"santorio hub release \(reading.record) --patient ALIAS\""
    guard let isConfirmed = await isConfirmed(of: device.patient) else {
      printError("santorio: it waits, with all of the device, until it is released: \(release)")
      return 1
    }
    let answer = try await answer(
      to: isConfirmed
        ? .release(.records([reading.record], patient: device.patient))
        : .forget(device.identifier, patient: device.patient))
    if case .failed(let fault) = answer {
      printError("santorio: \(fault)")
      return 1
    }
    print("\(isConfirmed ? "confirmed" : "forgotten")  \(device.patient)")
    guard !isConfirmed else { return 0 }
    printError("santorio: the device is not \(device.patient)'s. Its reading waits: \(release)")
    return 1
  }

  /// The answer to the question of whose a reading is; nil where none is given.
  private func isConfirmed(of patient: String) async -> Bool? {
    // What a scanner types is neither.
    for _ in 0..<5 {
      printError("Is this reading \(patient)'s? [y/n]")
      guard let said = await Terminal.line()?.trimmed.lowercased(), !said.isEmpty else {
        return nil
      }
      switch said {
      case "y", "yes": return true
      case "n", "no": return false
      default: printError("santorio: say y or n.")
      }
    }
    return nil
  }
}
