// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hub
import SantorioConcurrency
import SantorioSockets
import TestSupport
import Testing

@testable import santorio

@Suite struct `An enrolment by the code of a wristband` {
  private static let device = UUID()

  /// Answers as a hub, and notes what it was asked.
  private final class Ward: HubControlHandler {
    let asked = Locked<[HubRequest]>([])
    let hasReading: Bool
    let slot: Int?

    init(hasReading: Bool, slot: Int?) { (self.hasReading, self.slot) = (hasReading, slot) }

    func answer(
      _ request: HubRequest, from peer: PeerCredentials,
      progress: @escaping @Sendable (HubProgress) -> Void
    ) async -> HubAnswer {
      asked.withLock { $0.append(request) }
      switch request {
      case .enroll:
        progress(HubProgress(.reading, "Measure, to confirm it."))
        var enrolled = HubAnswer.EnrolledDevice(
          identifier: device, model: 2, name: "UA-651BLE", patient: "bed-2")
        enrolled.waitsForConfirmation = true
        if hasReading {
          enrolled.reading = HubStatus.Decision(
            record: "r1", device: "UA-651BLE", slot: slot, time: Date(), reason: .unconfirmed)
          enrolled.reading?.isTimeUnknown = slot != nil
          enrolled.reading?.values = ["systolic blood pressure 128 mmHg"]
        }
        return .enrolled(enrolled)
      case .release: return .released(1)
      case .forget: return .forgotten(patients: ["bed-2"])
      default: return .failed(HubFault(.malformed, "not expected"))
      }
    }
  }

  /// Runs the command with the lines that a scanner and a nurse type.
  private func enroll(
    _ options: String..., typing lines: [String], hasReading: Bool = true, slot: Int? = nil
  ) async throws -> (process: CommandProcess, asked: [HubRequest]) {
    let folder = try TemporaryFolder()
    let ward = Ward(hasReading: hasReading, slot: slot)
    let server = try HubControlServer(socket: folder.path("hub.sock"), users: [:], handler: ward)
    let process = try await CommandProcess(
      ["hub", "enroll", "--socket", folder.path("hub.sock")] + options,
      input: lines.map { "\($0)\n" }.joined())
    await server.stop()
    return (process, ward.asked.withLock { $0 })
  }

  private static let enrolment = HubRequest.enroll(
    .init(patient: .code("4711 0815"), device: device))

  @Test func `asks for patient, device and confirmation`() async throws {
    let (process, asked) = try await enroll(
      "--code", "-", typing: ["4711 0815", Self.device.uuidString, "y"])
    #expect(process.status == 0, "\(process.error)")
    #expect(asked == [Self.enrolment, .release(.records(["r1"], patient: "bed-2"))])
    #expect(process.output.contains("systolic blood pressure 128 mmHg"))
    #expect(process.output.hasSuffix("confirmed  bed-2\n"))
    #expect(process.error.contains("Is this reading bed-2's? [y/n]"))
  }

  @Test func `takes the device off the patient whose reading it is not`() async throws {
    let (process, asked) = try await enroll(
      Self.device.uuidString, "--code", "4711 0815", typing: ["n"])
    #expect(process.status == 1)
    #expect(asked == [Self.enrolment, .forget(Self.device, patient: "bed-2")])
    #expect(process.error.contains("\"santorio hub release r1 --patient ALIAS\""))
  }

  @Test func `asks again when a scanner types`() async throws {
    let (process, asked) = try await enroll(
      Self.device.uuidString, "--code", "4711 0815", typing: ["4711 0815", "y"])
    #expect(process.status == 0, "\(process.error)")
    #expect(asked == [Self.enrolment, .release(.records(["r1"], patient: "bed-2"))])
    #expect(process.error.contains("say y or n"))
  }

  @Test func `shows the slot, and a time that is not known`() async throws {
    let (process, _) = try await enroll(
      Self.device.uuidString, "--code", "4711 0815", typing: ["y"], slot: 2)
    #expect(process.output.contains("(its clock is not known to be right)  slot 2, systolic"))
  }

  @Test(arguments: [true, false])
  func `leaves what was not answered to be decided`(hasReading: Bool) async throws {
    let (process, asked) = try await enroll(
      Self.device.uuidString, "--code", "4711 0815", typing: [], hasReading: hasReading)
    #expect(process.status == 1)
    #expect(asked == [Self.enrolment])
    #expect(process.error.contains(hasReading ? "santorio hub release r1" : "no reading came"))
  }

  @Test(arguments: [
    (["2"], "--patient or --code is missing"),
    (["2", "--patient", "bed-1", "--code", "1"], "by --patient or by --code"),
    (["2", "--code", "1", "--with-memory"], "--with-memory does not go with --code"),
    (["--code", "1"], "name one model or device"),
    (["--code", "-"], "standard input has ended"),
  ])
  func `names one patient and one device`(options: [String], fault: String) async throws {
    let process = try await CommandProcess(["hub", "enroll"] + options)
    #expect(process.status == 64)
    #expect(process.error.contains(fault), "\(process.error)")
  }
}
