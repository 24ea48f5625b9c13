// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A meter that follows the Glucose Profile, with the additions of some manufacturers.
///
/// It is read through the Record Access Control Point and enforces its rules: first the
/// subscriptions, then one request at a time. It advertises until its newest record was sent, as
/// meters do that send automatically after a test. It never deletes anything.
package struct VirtualGlucoseMeter: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Hashable, Sendable {
    package var manufacturer: String
    package var model: String
    package var serialNumber: String
    package var firmwareRevision: String
    /// Per cent, 0...100.
    package var batteryPercent: UInt8 = 80
    package var clock = Clock.none
    /// How long after a subscription it ignores requests.
    package var setupTime = Duration.zero
    /// Whether it measures in mmol/L.
    package var isMetric = false
    package var memory: GlucoseFrames

    package init(
      manufacturer: String, model: String, serialNumber: String, firmwareRevision: String,
      memory: GlucoseFrames
    ) {
      self.manufacturer = manufacturer
      self.model = model
      self.serialNumber = serialNumber
      self.firmwareRevision = firmwareRevision
      self.memory = memory
    }
  }

  /// The clocks that a meter may have.
  package enum Clock: Hashable, Sendable {
    /// One that only its user can set.
    case none
    /// Date Time (2A08) within the Glucose Service.
    case dateTime
    /// Current Time (2A2B).
    case currentTime
    /// Ascensia's.
    case contour
    /// i-SENS's.
    case careSens
  }

  private struct Answer {
    var queue: [(attribute: GATTAttribute, bytes: [UInt8])]
    var next: Duration
  }

  /// The time from one notification to the next.
  private static let interval = Duration.milliseconds(20)

  private let model: Model
  private var memory: [GlucoseRecord]
  private var clock: VirtualMeterClock
  private var subscriptions: Set<GATTAttribute> = []
  private var acceptsRequestsFrom = Duration.zero
  private var answer: Answer?
  private var sentCount = 0
  /// How many records there were when the last request was made.
  private var countAtRequest = 0
  private var hasUnsentRecords = true
  private var isPairing = false

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    self.clock = VirtualMeterClock(model.clock, clock)
    memory = Self.records(model.memory.measurements, model.memory.contexts)
  }

  private static func records(
    _ measurements: [[UInt8]], _ contexts: [[UInt8]] = []
  ) -> [GlucoseRecord] {
    GlucoseRecord.joined(
      measurements.compactMap { try? GlucoseMeasurement(payload: $0) },
      with: contexts.compactMap { try? GlucoseMeasurementContext(payload: $0) })
  }

  package var isAdvertising: Bool { isPairing || hasUnsentRecords }
  package var deadline: Duration? { answer?.next }

  package var services: [VirtualService] {
    [
      VirtualService(
        "1808",
        [
          VirtualCharacteristic("2A18", .notify, isProtected: true),
          VirtualCharacteristic("2A34", .notify, isProtected: true),
          VirtualCharacteristic("2A51", value: [0xFF, 0x03]),
          VirtualCharacteristic("2A52", [.write, .indicate], isProtected: true),
        ] + clock.glucoseCharacteristics)
    ] + clock.services + [
      .deviceInformation(
        manufacturer: model.manufacturer, model: model.model, serialNumber: model.serialNumber,
        firmwareRevision: model.firmwareRevision),
      .battery(percent: model.batteryPercent),
    ]
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .measure(let number):
      return test(Double(82 + number * 13 % 90), nil, at: time)
    case .remember(let frames):
      memory += Self.records(frames)
      hasUnsentRecords = true
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(let attribute): return subscribed(attribute, at: time)
    case .unsubscribed(let attribute):
      subscriptions.remove(attribute)
      return []
    case .written(.glucoseRecordAccess, let bytes): return requested(bytes, at: time)
    case .read(let attribute), .written(let attribute, _):
      return clock.handle(input, at: time)
        ?? [.refuse(attribute == .glucoseRecordAccess ? 0x02 : 0x06)]
    case .timeReached: return send(at: time)
    case .disconnected(let allArrived): return disconnected(allArrived)
    }
  }

  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard case .glucose(let milligrams, let meal) = measurement.values,
      (20...600).contains(milligrams)
    else { return nil }
    return test(Double(milligrams), meal, at: time)
  }

  package mutating func eraseMeasurements() {
    memory = []
    hasUnsentRecords = false
  }

  private mutating func subscribed(
    _ attribute: GATTAttribute, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    subscriptions.insert(attribute)
    acceptsRequestsFrom = time.elapsed + model.setupTime
    return attribute == .glucoseMeasurement ? [.report(.subscribed)] : []
  }

  private mutating func disconnected(_ allArrived: Bool) -> [VirtualDeviceOutput] {
    let wasRead = allArrived && answer == nil && sentCount > 0
    defer {
      if wasRead { hasUnsentRecords = memory.count > countAtRequest }
      isPairing = false
      subscriptions = []
      answer = nil
      sentCount = 0
    }
    return allArrived ? [.report(.transferred(measurements: sentCount))] : []
  }
}

// MARK: - Record access

extension VirtualGlucoseMeter {
  private mutating func requested(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard
      subscriptions.isSuperset(of: [.glucoseMeasurement, .glucoseContext, .glucoseRecordAccess])
    else { return [.refuse(0xFD)] }
    guard time.elapsed >= acceptsRequestsFrom else { return [.accept] }
    let opCode = RecordAccessControlPoint.OpCode(rawValue: bytes.first ?? 0)
    guard answer == nil || opCode == .abortOperation else { return [.refuse(0xFE)] }
    guard let request = try? RecordAccessControlPoint(payload: bytes) else {
      return [.accept] + respond(.response(to: opCode, .invalidOperand))
    }
    return [.accept] + perform(request, at: time)
  }

  private mutating func perform(
    _ request: RecordAccessControlPoint, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch request.opCode {
    case .abortOperation:
      answer = nil
      return respond(.response(to: .abortOperation, .success))
    case .reportStoredRecords, .reportNumberOfStoredRecords:
      let selected = select(request)
      guard let records = selected.records else {
        return respond(.response(to: request.opCode, selected.refusal))
      }
      guard request.opCode == .reportStoredRecords else {
        return respond(.numberOfRecords(UInt16(truncatingIfNeeded: records.count)))
      }
      return report(records, at: time)
    default: return respond(.response(to: request.opCode, .opCodeNotSupported))
    }
  }

  private mutating func report(
    _ records: [GlucoseRecord], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    countAtRequest = memory.count
    guard !records.isEmpty else {
      return respond(.response(to: .reportStoredRecords, .noRecordsFound))
    }
    let queue = records.flatMap { record in
      [(GATTAttribute.glucoseMeasurement, record.measurement.payload)]
        + (record.context.map { [(GATTAttribute.glucoseContext, $0.payload)] } ?? [])
    }
    let end = RecordAccessControlPoint.response(to: .reportStoredRecords, .success)
    answer = Answer(
      queue: queue + [(.glucoseRecordAccess, end.payload)], next: time.elapsed + Self.interval)
    return []
  }

  private mutating func send(at time: DriverTime) -> [VirtualDeviceOutput] {
    guard var answer, time.elapsed >= answer.next, !answer.queue.isEmpty else { return [] }
    let (attribute, bytes) = answer.queue.removeFirst()
    if attribute == .glucoseMeasurement { sentCount += 1 }
    answer.next = time.elapsed + Self.interval
    self.answer = answer.queue.isEmpty ? nil : answer
    return [.send(attribute, bytes)]
  }

  private func respond(_ response: RecordAccessControlPoint) -> [VirtualDeviceOutput] {
    [.send(.glucoseRecordAccess, response.payload)]
  }

  private func select(
    _ request: RecordAccessControlPoint
  ) -> (records: [GlucoseRecord]?, refusal: RecordAccessControlPoint.ResponseCode) {
    switch request.selection {
    case .all: (memory, .success)
    case .first: (Array(memory.prefix(1)), .success)
    case .last: (Array(memory.suffix(1)), .success)
    case .sequenceNumbers(let range):
      (memory.filter { range.contains($0.measurement.sequenceNumber) }, .success)
    case .userFacingTimes: (nil, .operandNotSupported)
    case nil: (nil, request.recordOperator == .null ? .invalidOperator : .operatorNotSupported)
    }
  }

  /// A test of a moment.
  private mutating func test(
    _ milligrams: Double, _ meal: VirtualMeasurement.Meal?, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard var measurement = measurement(milligrams, at: time) else { return [] }
    measurement.contextFollows = meal != nil
    let context = meal.map {
      GlucoseMeasurementContext(
        sequenceNumber: measurement.sequenceNumber,
        meal: $0 == .before ? .preprandial : .postprandial)
    }
    memory.append(GlucoseRecord(measurement: measurement, context: context))
    hasUnsentRecords = true
    return []
  }

  private func measurement(_ milligrams: Double, at time: DriverTime) -> GlucoseMeasurement? {
    let concentration =
      model.isMetric
      ? try? MedicalFloat16(milligrams / 18.0156 / 1000, exponent: -4)
      : try? MedicalFloat16(milligrams / 100_000, exponent: -5)
    let stamp = clock.stamp(at: time)
    guard let baseTime = stamp.base else { return nil }
    return GlucoseMeasurement(
      sequenceNumber: (memory.last?.measurement.sequenceNumber ?? 0) &+ 1,
      baseTime: baseTime, timeOffset: stamp.offset,
      unit: model.isMetric ? .molePerLiter : .kilogramPerLiter,
      sample: concentration.map { GlucoseSample(concentration: $0, fluid: .capillaryWholeBlood) })
  }
}

extension RecordRange where Bound == UInt16 {
  fileprivate func contains(_ number: UInt16) -> Bool {
    (minimum ?? .min) <= number && number <= (maximum ?? .max)
  }
}

extension VirtualGlucoseMeter: DatedMemory {
  var measurementTimes: [Int] {
    memory.compactMap { $0.measurement.userFacingTime?.secondsSince1970 }
  }

  mutating func moveMeasurements(bySeconds seconds: Int) {
    for index in memory.indices {
      let time = memory[index].measurement.baseTime
      memory[index].measurement.baseTime = time.moved(bySeconds: seconds)
    }
  }
}
