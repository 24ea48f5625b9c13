// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import HealthRecords

extension DriverModel {
  /// The Bioland G-500 glucose meter.
  package static let bioland = DriverModel(
    id: "bioland", name: "Bioland G-500", required: [.biolandRequest, .biolandReply],
    confidence: .single, sources: ["sivulich/AppiaGlucometers"], readsMemory: true
  ) { BiolandDriver($0) }
}

extension GATTAttribute {
  /// Where a G-500 is written to.
  package static let biolandRequest = GATTAttribute("1000", "1001")
  /// Where a G-500 answers.
  package static let biolandReply = GATTAttribute("1000", "1002")
}

/// Reads a Bioland G-500: it gives one result after the other, and then says that there are no
/// more.
///
/// Results have no numbers, so all are read each time. The time that each request carries sets the
/// meter's clock.
package struct BiolandDriver: RequestResponseDriver {
  enum Question: Sendable {
    case handshake, information, result
  }

  var exchange: Exchange<Question>

  package init(_ context: DriverContext) {
    exchange = Exchange(
      with: "The meter", requests: .biolandRequest, replies: .biolandReply,
      rule: .init(answerTime: .seconds(2)), context: context)
  }

  mutating func begin(at time: DriverTime) -> [DriverAction] { proceed(to: .handshake, at: time) }

  func put(_ question: Question, at time: DriverTime) -> [DriverAction] {
    guard let local = time.local, let frame = try? question.frame(at: local) else { return [] }
    return [.write(.biolandRequest, frame.payload)]
  }

  mutating func unanswered(_ question: Question, at time: DriverTime) -> [DriverAction] {
    // Some meters know no greeting.
    question == .handshake
      ? proceed(to: .information, at: time)
      : fail(.timeout, "The meter does not answer. Try again.")
  }

  /// A damaged frame is ignored; the request is repeated after its timeout.
  mutating func received(_ bytes: [UInt8], at time: DriverTime) -> [DriverAction] {
    guard let question = questions.awaited, let frame = try? BiolandFrame(payload: bytes),
      frame.direction == .reply
    else { return [] }
    switch (question, frame.kind) {
    case (.handshake, _): return proceed(to: .information, at: time)
    case (.information, .information): return takeInformation(frame.body, at: time)
    case (.result, .result): return takeResult(frame.body, at: time)
    case (.result, .end): return finish()
    case (_, .countdown):
      questions.extend(at: time.elapsed)
      return []
    default: return []
    }
  }

  /// Version, client, battery, model, type, and nine bytes of a serial number.
  private mutating func takeInformation(
    _ body: [UInt8], at time: DriverTime
  ) -> [DriverAction] {
    var facts: [DriverAction] = []
    if body.count >= 14 {
      let serialNumber = body[5..<14].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      facts.append(.fact(.serialNumber(serialNumber)))
      if body[2] <= 100 { facts.append(.fact(.batteryPercent(Int(body[2])))) }
    }
    guard context.purpose == .read else { return facts + finish() }
    return facts + proceed(to: .result, at: time)
  }

  private mutating func takeResult(_ body: [UInt8], at time: DriverTime) -> [DriverAction] {
    [.deliver(DeviceReading(bioland: body))] + proceed(to: .result, at: time)
  }
}

extension BiolandDriver.Question {
  fileprivate func frame(at time: LocalDateTime) throws(PayloadError) -> BiolandFrame {
    switch self {
    case .handshake: try BiolandFrame(.request, .handshake, body: [])
    case .information: try .informationRequest(at: time)
    case .result: try .resultRequest(at: time)
    }
  }
}

extension DeviceReading {
  /// A result of a G-500.
  init(bioland body: [UInt8]) {
    do throws(PayloadError) {
      let result = try BiolandResult(payload: body)
      if result.milligramsPerDeciliter > 0 {
        self.init(
          [Metric(.bloodGlucose, Double(result.milligramsPerDeciliter))], payload: body)
      } else {
        self.init(
          rejected: .failedMeasurement, "The meter has no value for this test. Test again.",
          payload: body)
      }
      clock = result.dateTime?.localDateTime.map { .local($0) }
    } catch {
      self.init(error, payload: body)
    }
  }
}
