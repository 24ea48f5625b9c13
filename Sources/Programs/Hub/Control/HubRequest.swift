// SPDX-License-Identifier: Apache-2.0

package import Foundation
import HealthRecords
import SantorioJSON

/// What the command line asks of a running hub.
package enum HubRequest: Hashable, Sendable {
  /// How everything is.
  case status
  /// Pair a device, and take its readings for a patient.
  case enroll(Enrolment)
  /// Take readings for a patient's that were held back.
  case release(Release)
  /// Read a device that was enrolled no more: for the patient of that alias, or for anybody.
  case forget(UUID, patient: String?)
  /// Read no device for some seconds, or until further notice.
  case pause(seconds: Int?)
  /// Read devices again.
  case resume
  /// Read the configuration again.
  case reload
  /// End.
  case stop

  /// A patient as a request names them.
  package enum Patient: Hashable, Sendable {
    /// The name on this hub.
    case alias(String)
    /// The code of the wristband: a reading of the device has to be confirmed then.
    case code(String)
  }

  /// A device to be paired.
  package struct Enrolment: Hashable, Sendable {
    /// The patient.
    package var patient: Patient
    /// The number of the model; nil for the first device that is found.
    package var model: Int?
    /// The device, one that the status offers; nil for any of the model.
    package var device: UUID?
    /// What the device calls the patient.
    package var slot: Int?
    /// The passkey that the device shows, or its fixed one.
    package var passkey: Int?
    /// Whether all questions of the device are answered by yes.
    package var acceptsAll: Bool
    /// True where the patient's are also the readings that the device has measured before.
    package var takesMemory: Bool
    /// How long to look for the device.
    package var seconds: Int

    /// Describes a device to be paired.
    ///
    /// - Parameters:
    ///   - patient: The patient.
    ///   - model: The number of the model; nil for the first device that is found.
    ///   - device: The device; nil for any of the model.
    ///   - slot: What the device calls the patient.
    ///   - passkey: The passkey of the device.
    ///   - acceptsAll: Whether all questions of the device are answered by yes.
    ///   - takesMemory: True where the patient's are also the readings that it has measured before.
    ///   - seconds: How long to look for the device, 1 to 3600.
    package init(
      patient: Patient, model: Int? = nil, device: UUID? = nil, slot: Int? = nil,
      passkey: Int? = nil, acceptsAll: Bool = false, takesMemory: Bool = false, seconds: Int = 120
    ) {
      self.patient = patient
      self.model = model
      self.device = device
      self.slot = slot
      self.passkey = passkey
      self.acceptsAll = acceptsAll
      self.takesMemory = takesMemory
      self.seconds = seconds
    }
  }

  /// Readings that were held back.
  package enum Release: Hashable, Sendable {
    /// Single ones, by their identifiers: for the patient of that alias, or for the one in whose queue
    /// they are held.
    case records([String], patient: String?)
    /// All of one patient, by the alias.
    case patient(String)
  }

  /// The name on the wire, which says nothing of a patient.
  package var name: String {
    switch self {
    case .status: "status"
    case .enroll: "enroll"
    case .release: "release"
    case .forget: "forget"
    case .pause: "pause"
    case .resume: "resume"
    case .reload: "reload"
    case .stop: "stop"
    }
  }

  static let names = [
    "status", "enroll", "release", "forget", "pause", "resume", "reload", "stop",
  ]
}

// MARK: - JSON

extension HubRequest {
  private static let enrolment = [
    "request", "patient", "code", "model", "device", "slot", "passkey", "yes", "with_memory",
    "seconds",
  ]

  /// The request as one line without its end.
  var json: [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.key("request")
      json.string(name)
      switch self {
      case .status, .resume, .reload, .stop: break
      case .pause(let seconds): json.optional("seconds", seconds)
      case .release(.patient(let alias)): json.optional("patient", alias)
      case .release(.records(let records, let alias)):
        json.optional("patient", alias)
        json.list("records", records) { json, record in json.string(record) }
      case .forget(let device, let alias):
        json.optional("device", device.uuidString)
        json.optional("patient", alias)
      case .enroll(let enrolment): enrolment.write(to: &json)
      }
    }
    return json.bytes
  }

  /// Reads a request.
  ///
  /// - Throws: ``HubFault`` that says what is wrong with it.
  init(parsing line: some Collection<UInt8>) throws(HubFault) {
    do throws(RecordError) {
      try self.init(JSONReader(parsing: line))
    } catch {
      let place = error.path.isEmpty ? "" : "\(error.path): "
      throw HubFault(.malformed, "the request is not understood: \(place)\(error.message)")
    }
  }

  private init(_ reader: JSONReader) throws(RecordError) {
    let name = try reader.member("request")
    switch try name.string() {
    case "status":
      try reader.check(["request"])
      self = .status
    case "resume":
      try reader.check(["request"])
      self = .resume
    case "reload":
      try reader.check(["request"])
      self = .reload
    case "stop":
      try reader.check(["request"])
      self = .stop
    case "pause":
      try reader.check(["request", "seconds"])
      self = .pause(seconds: try reader.integer("seconds", in: 1...7 * 86_400))
    case "release":
      try reader.check(["request", "patient", "records"])
      self = .release(try Release(reader))
    case "forget":
      try reader.check(["request", "device", "patient"])
      self = .forget(
        try reader.member("device").identifier(), patient: try reader.alias("patient"))
    case "enroll":
      try reader.check(Self.enrolment)
      self = .enroll(try Enrolment(reader))
    default: throw name.invalid("expected \(Self.names.alternatives)")
    }
  }
}

extension HubRequest.Release {
  private static let maximumRecords = 1000

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    let patient = try reader.alias("patient")
    let records = try reader.optional("records")?.elements()
    switch (patient, records) {
    case (let alias?, nil): self = .patient(alias)
    case (_, let records?):
      guard (1...Self.maximumRecords).contains(records.count) else {
        throw reader.invalid("name 1 to \(Self.maximumRecords) records")
      }
      var names: [String] = []
      for record in records {
        let name = try record.string()
        guard (1...256).contains(name.utf8.count) else {
          throw record.invalid("expected the identifier of a record")
        }
        names.append(name)
      }
      self = .records(names, patient: patient)
    default: throw reader.invalid("name a \"patient\", or \"records\", or both")
    }
  }
}

extension HubRequest.Enrolment {
  fileprivate func write(to json: inout JSONWriter) {
    switch patient {
    case .alias(let alias): json.optional("patient", alias)
    case .code(let code): json.optional("code", code)
    }
    json.optional("model", model)
    json.optional("device", device?.uuidString)
    json.optional("slot", slot)
    json.optional("passkey", passkey)
    if acceptsAll { json.optional("yes", true) }
    if takesMemory { json.optional("with_memory", true) }
    json.optional("seconds", seconds)
  }

  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    self.init(
      patient: try HubRequest.Patient(reader),
      model: try reader.integer("model", in: 0...Int(UInt32.max)),
      device: try reader.optional("device") { reader throws(RecordError) in
        try reader.identifier()
      },
      slot: try reader.integer("slot", in: 0...Int(UInt32.max)),
      passkey: try reader.integer("passkey", in: 0...999_999),
      acceptsAll: try reader.optional("yes")?.bool() ?? false,
      takesMemory: try reader.optional("with_memory")?.bool() ?? false,
      seconds: try reader.integer("seconds", in: 1...3600) ?? 120)
  }
}

extension HubRequest.Patient {
  fileprivate init(_ reader: JSONReader) throws(RecordError) {
    switch (try reader.alias("patient"), try reader.optional("code")?.string()) {
    case (let alias?, nil): self = .alias(alias)
    case (nil, let code?): self = .code(code)
    default: throw reader.invalid("name a \"patient\" or the \"code\" of one")
    }
  }
}

extension JSONReader {
  /// Refuses members other than the known ones.
  fileprivate func check(_ known: [String]) throws(RecordError) {
    for member in try members() where !known.contains(member.name) {
      throw invalid("it has a member that is unknown; known are \(known.joined(separator: ", "))")
    }
  }

  fileprivate func integer(
    _ name: String, in range: ClosedRange<Int>
  ) throws(RecordError) -> Int? {
    guard let reader = try optional(name) else { return nil }
    let number = try reader.integer()
    guard range.contains(number) else {
      throw reader.invalid("expected \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  fileprivate func alias(_ name: String) throws(RecordError) -> String? {
    guard let reader = try optional(name) else { return nil }
    let alias = try reader.string()
    guard alias.isIdentifier(atMost: 64) else {
      throw reader.invalid("expected the alias of a patient")
    }
    return alias
  }
}
