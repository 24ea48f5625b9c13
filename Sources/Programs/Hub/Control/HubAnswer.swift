// SPDX-License-Identifier: Apache-2.0

package import Foundation
import HealthRecords
import SantorioJSON

/// What a hub answers at the end of a request.
package enum HubAnswer: Hashable, Sendable {
  /// How everything is.
  case status(HubStatus)
  /// The device is paired, and its readings are the patient's from now on.
  case enrolled(EnrolledDevice)
  /// So many readings were released; others were left, since they may be another patient's.
  case released(Int, left: Int = 0)
  /// The device is read no more for the patients of these aliases.
  case forgotten(patients: [String])
  /// No device is read until then; nil for until further notice.
  case paused(until: Date?)
  /// Devices are read again.
  case resumed
  /// The configuration was read again.
  case reloaded(Reload)
  /// The hub ends.
  case stopping
  /// The request was not carried out.
  case failed(HubFault)

  /// A device that was paired.
  package struct EnrolledDevice: Hashable, Sendable {
    /// The identifier that the machine assigned to it.
    package var identifier: UUID
    /// The number of its model.
    package var model: Int
    /// The name of its model.
    package var name: String
    /// The alias of the patient.
    package var patient: String
    /// True where all its readings wait until one was confirmed to be the patient's.
    package var waitsForConfirmation = false
    /// The reading to be confirmed; nil where it has not sent one.
    package var reading: HubStatus.Decision?

    package init(identifier: UUID, model: Int, name: String, patient: String) {
      self.identifier = identifier
      self.model = model
      self.name = name
      self.patient = patient
    }
  }

  /// What reading the configuration again has led to.
  package struct Reload: Hashable, Sendable {
    /// Whether the new configuration is in use; else the one before still is.
    package var isInUse: Bool
    /// What was done, each as a sentence.
    package var changes: [String]
    /// The places in the file of what changes only when the hub is restarted.
    package var restart: [String]
    /// The errors and warnings.
    package var findings: [HubFinding]

    package init(
      isInUse: Bool, changes: [String] = [], restart: [String] = [], findings: [HubFinding] = []
    ) {
      self.isInUse = isInUse
      self.changes = changes
      self.restart = restart
      self.findings = findings
    }
  }
}

/// What a hub says while it works on a request.
package struct HubProgress: Hashable, Sendable {
  /// How far it is.
  package enum Stage: String, CaseIterable, Hashable, Sendable {
    /// It looks for a device.
    case searching
    /// It has found one.
    case found
    /// It pairs it.
    case pairing
    /// It reads it.
    case reading
  }

  /// How far it is.
  package let stage: Stage
  /// The same for a person, with what to do on the device.
  package let message: String

  package init(_ stage: Stage, _ message: String) {
    self.stage = stage
    self.message = message
  }
}

/// Why a hub has not carried out a request; without health values, tokens and names.
package struct HubFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault; an open set.
  package struct Code: Hashable, Sendable {
    /// The name on the wire.
    package let name: String

    package init(name: String) { self.name = name }

    /// The request is not one.
    package static let malformed = Code(name: "malformed")
    /// The request has too many bytes.
    package static let tooLarge = Code(name: "too_large")
    /// The user may not use the hub's socket.
    package static let notAllowed = Code(name: "not_allowed")
    /// Too many programs are connected.
    package static let busy = Code(name: "busy")
    /// The program did not ask anything for too long.
    package static let idle = Code(name: "idle")
    /// The hub is stopping.
    package static let stopping = Code(name: "stopping")
    /// The configuration has no such patient, or does not allow the request.
    package static let refused = Code(name: "refused")
    /// The request was tried in vain.
    package static let failed = Code(name: "failed")
  }

  /// The kind of fault.
  package let code: Code
  /// What is wrong, and what to do.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  package var description: String { message }
}

// MARK: - JSON

/// One line that a hub sends: something on the way, or the answer.
enum HubAnswerLine: Hashable, Sendable {
  case progress(HubProgress)
  case final(HubAnswer)

  /// The line without its end.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("answer")
      switch self {
      case .progress(let progress):
        json.string("progress")
        json.optional("stage", progress.stage.rawValue)
        json.optional("message", progress.message)
      case .final(let answer): answer.write(to: &json)
      }
    }
    return json.bytes
  }

  /// Reads a line.
  init(parsing line: some Collection<UInt8>) throws(RecordError) {
    let reader = try JSONReader(parsing: line)
    guard try reader.member("answer").string() == "progress" else {
      self = .final(try HubAnswer(reader))
      return
    }
    self = .progress(
      HubProgress(try reader.member("stage").choice(), try reader.member("message").string()))
  }
}

extension HubAnswer {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .status(let status):
      json.string("status")
      json.key("status")
      json.object { status.write(to: &$0) }
    case .enrolled(let device):
      json.string("enrolled")
      device.write(to: &json)
    case .released(let count, let left):
      json.string("released")
      json.optional("count", count)
      if left > 0 { json.optional("left", left) }
    case .forgotten(let patients):
      json.string("forgotten")
      json.list("patients", patients) { json, alias in json.string(alias) }
    case .paused(let end):
      json.string("paused")
      json.optional("until", end?.formatted(.iso8601))
    case .resumed: json.string("resumed")
    case .reloaded(let reload):
      json.string("reloaded")
      reload.write(to: &json)
    case .stopping: json.string("stopping")
    case .failed(let fault):
      json.string("failed")
      json.optional("code", fault.code.name)
      json.optional("message", fault.message)
    }
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    let name = try reader.member("answer")
    switch try name.string() {
    case "status": self = .status(try HubStatus(reader.member("status")))
    case "enrolled": self = .enrolled(try EnrolledDevice(reader))
    case "released":
      self = .released(
        try reader.member("count").integer(), left: try reader.optional("left")?.integer() ?? 0)
    case "forgotten":
      self = .forgotten(
        patients: try reader.member("patients").elements { reader throws(RecordError) in
          try reader.string()
        })
    case "paused": self = .paused(until: try reader.optional("until")?.date())
    case "resumed": self = .resumed
    case "reloaded": self = .reloaded(try Reload(reader))
    case "stopping": self = .stopping
    case "failed":
      self = .failed(
        HubFault(
          HubFault.Code(name: try reader.member("code").string()),
          try reader.member("message").string()))
    default: throw name.invalid("this answer is unknown")
    }
  }
}

extension HubAnswer.EnrolledDevice {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("device", identifier.uuidString)
    json.optional("model", model)
    json.optional("name", name)
    json.optional("patient", patient)
    if waitsForConfirmation { json.optional("unconfirmed", true) }
    if let reading {
      json.key("reading")
      json.object { reading.write(to: &$0) }
    }
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      identifier: try reader.member("device").identifier(),
      model: try reader.member("model").integer(), name: try reader.member("name").string(),
      patient: try reader.member("patient").string())
    waitsForConfirmation = try reader.optional("unconfirmed")?.bool() ?? false
    reading = try reader.optional("reading") { reader throws(RecordError) in
      try HubStatus.Decision(reader)
    }
  }
}

extension HubAnswer.Reload {
  fileprivate func write(to json: inout JSONWriter) {
    json.optional("in_use", isInUse)
    json.list("changes", changes) { json, change in json.string(change) }
    json.list("restart", restart) { json, place in json.string(place) }
    json.list("findings", findings) { json, finding in finding.write(to: &json) }
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    let text = { (reader: JSONReader) throws(RecordError) in try reader.string() }
    self.init(
      isInUse: try reader.member("in_use").bool(),
      changes: try reader.member("changes").elements(text),
      restart: try reader.member("restart").elements(text),
      findings: try reader.member("findings").elements { reader throws(RecordError) in
        HubFinding(
          try reader.member("severity").choice(), at: try reader.member("path").string(),
          try reader.member("message").string())
      })
  }
}

extension JSONReader {
  /// One of a closed set of names.
  func choice<Value: RawRepresentable<String>>() throws(RecordError) -> Value {
    guard let value = Value(rawValue: try string()) else { throw invalid("this is unknown") }
    return value
  }

  func identifier() throws(RecordError) -> UUID {
    guard let identifier = UUID(uuidString: try string()) else {
      throw invalid("expected the identifier of a device")
    }
    return identifier
  }

  /// A time as `2026-07-01T08:00:00Z`.
  func date() throws(RecordError) -> Date {
    guard let date = try? Date(string(), strategy: .iso8601) else {
      throw invalid("expected a time such as 2026-07-01T08:00:00Z")
    }
    return date
  }
}
