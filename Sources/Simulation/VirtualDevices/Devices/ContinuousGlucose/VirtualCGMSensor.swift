// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
package import HealthDevices
package import HealthGATT

/// A sensor that follows the Continuous Glucose Monitoring Profile.
///
/// It counts minutes from the start of its session, which it knows once it was given the time. It
/// enforces the rules of its two control points: first the subscriptions, then one request at a
/// time. It advertises until its newest record was sent. Another session erases the records of the
/// last one; nothing else does.
package struct VirtualCGMSensor: VirtualDeviceLogic {
  /// What distinguishes one model from another.
  package struct Model: Hashable, Sendable {
    package var model: String
    package var serialNumber: String
    /// Whether its values have an E2E-CRC.
    package var hasCRC = false
    /// Whether it was given the time when its session began.
    package var knowsTime = false
    /// How long the session has lasted when it is switched on.
    package var minutesWorn = 60
    package var runTimeHours: UInt16 = 336
    package var memory: [CGMRecord]

    package init(model: String, serialNumber: String, memory: [CGMRecord]) {
      self.model = model
      self.serialNumber = serialNumber
      self.memory = memory
    }
  }

  private struct Answer {
    var queue: [(attribute: GATTAttribute, bytes: [UInt8], count: Int)]
    var next: Duration
  }

  /// The time from one notification to the next.
  private static let interval = Duration.milliseconds(20)
  /// What a notification holds with the smallest MTU.
  private static let notificationSize = 20

  private let model: Model
  private(set) var session: VirtualCGMSession
  private var memory: [CGMRecord]
  private var operations = VirtualCGMOperations()
  private var subscriptions: Set<GATTAttribute> = []
  private var answer: Answer?
  private var sentCount = 0
  private var hasUnsentRecords = true
  private var isPairing = false

  package init(_ model: Model, clock: VirtualClock) {
    self.model = model
    session = VirtualCGMSession(
      clock, minutesWorn: model.minutesWorn, knowsTime: model.knowsTime)
    memory = model.memory.map { $0.protected(model.hasCRC) }
  }

  package var isAdvertising: Bool { isPairing || hasUnsentRecords }
  package var deadline: Duration? { answer?.next }

  package var services: [VirtualService] {
    let runTime = CGMSessionRunTime(hours: model.runTimeHours, hasCRC: model.hasCRC)
    return [
      VirtualService(
        "181F",
        [
          VirtualCharacteristic("2AA7", .notify, isProtected: true),
          VirtualCharacteristic("2AA8", value: feature.payload),
          VirtualCharacteristic("2AA9", .read, isProtected: true),
          VirtualCharacteristic("2AAA", [.read, .write], isProtected: true),
          VirtualCharacteristic("2AAB", value: runTime.payload),
          VirtualCharacteristic("2A52", [.write, .indicate], isProtected: true),
          VirtualCharacteristic("2AAC", [.write, .indicate], isProtected: true),
        ]),
      .deviceInformation(
        manufacturer: "Santorio", model: model.model, serialNumber: model.serialNumber,
        firmwareRevision: "1.0"),
      .battery(percent: 72),
    ]
  }

  private var feature: CGMFeature {
    var features: CGMFeature.Features = [
      .calibration, .patientHighLowAlerts, .hypoAlerts, .hyperAlerts, .rateAlerts,
      .sensorMalfunctionDetection, .temperatureHighLowDetection, .resultHighLowDetection,
      .lowBatteryDetection, .generalDeviceFault, .multipleSessions, .trendInformation, .quality,
    ]
    if model.hasCRC { features.insert(.e2eCRC) }
    return CGMFeature(features: features)
  }

  package mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    session.begin(at: time)
    switch input {
    case .measure(let number): return measured(Double(82 + number * 13 % 90), at: time)
    case .remember(let frames):
      remember(frames.flatMap { (try? CGMMeasurement(payload: $0))?.records ?? [] })
      return []
    case .pairingMode:
      isPairing = true
      return []
    case .subscribed(let attribute):
      subscriptions.insert(attribute)
      return attribute == .cgmMeasurement ? [.report(.subscribed)] : []
    case .unsubscribed(let attribute):
      subscriptions.remove(attribute)
      return []
    case .read(let attribute): return [read(attribute, at: time)]
    case .written(let attribute, let bytes): return written(attribute, bytes, at: time)
    case .timeReached: return send(at: time)
    case .disconnected(let allArrived): return disconnected(allArrived)
    }
  }

  /// The session of a sensor that has done nothing else begins with its first measurement.
  package mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    guard case .glucose(let milligrams, _) = measurement.values, (20...600).contains(milligrams)
    else { return nil }
    session.begin(at: time)
    return measured(Double(milligrams), at: time)
  }

  package mutating func eraseMeasurements() {
    memory = []
    hasUnsentRecords = false
  }

  private mutating func disconnected(_ allArrived: Bool) -> [VirtualDeviceOutput] {
    let wasRead = allArrived && answer == nil && sentCount > 0
    defer {
      if wasRead { hasUnsentRecords = false }
      isPairing = false
      subscriptions = []
      answer = nil
      sentCount = 0
    }
    return allArrived ? [.report(.transferred(measurements: sentCount))] : []
  }
}

// MARK: - The session

extension VirtualCGMSensor {
  private func offset(at time: DriverTime) -> UInt16 {
    max(session.minutes(at: time), memory.last?.timeOffset ?? 0)
  }

  private func read(_ attribute: GATTAttribute, at time: DriverTime) -> VirtualDeviceOutput {
    switch attribute {
    case .cgmStatus:
      let status = CGMStatus(
        timeOffset: offset(at: time), sensorStatus: session.status, hasCRC: model.hasCRC)
      return .answer(status.payload)
    case .cgmSessionStartTime: return .answer(session.startTime(hasCRC: model.hasCRC))
    default: return .refuse(0x06)
    }
  }

  private mutating func written(
    _ attribute: GATTAttribute, _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch attribute {
    case .cgmSessionStartTime: return timeWritten(bytes, at: time)
    case .cgmRecordAccess: return requested(bytes, at: time)
    case .cgmSpecificOps: return operated(bytes, at: time)
    default: return [.refuse(0x06)]
    }
  }

  private mutating func timeWritten(
    _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    do throws(PayloadError) {
      let present = try CGMSessionStartTime(payload: bytes)
      guard present.hasCRC || !model.hasCRC else { return [.refuse(0x80)] }
      guard session.take(present, offset: offset(at: time)) else { return [.refuse(0x0E)] }
      return [.accept, .report(.clockSet)]
    } catch {
      return [.refuse(error.code == .checksumMismatch ? 0x81 : 0x0E)]
    }
  }

  /// A measurement of a moment; sent to who is connected.
  private mutating func measured(
    _ milligrams: Double, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard !session.isStopped, let concentration = try? MedicalFloat16(milligrams, exponent: 0)
    else { return [] }
    let next = memory.last.map { $0.timeOffset &+ 1 } ?? 0
    let record = CGMRecord(
      concentration: concentration, timeOffset: max(session.minutes(at: time), next))
    remember([record])
    guard subscriptions.contains(.cgmMeasurement) else { return [] }
    return [.send(.cgmMeasurement, CGMMeasurement(record.protected(model.hasCRC)).payload)]
  }

  private mutating func remember(_ records: [CGMRecord]) {
    memory += records.map { $0.protected(model.hasCRC) }
    hasUnsentRecords = true
  }

  private mutating func operated(
    _ bytes: [UInt8], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard subscriptions.contains(.cgmSpecificOps) else { return [.refuse(0xFD)] }
    let outcome = operations.handle(bytes, hasCRC: model.hasCRC, session: &session, at: time)
    if outcome.beginsSession {
      memory = []
      hasUnsentRecords = false
    }
    return outcome.outputs
  }
}

// MARK: - Record access

extension VirtualCGMSensor {
  private mutating func requested(_ bytes: [UInt8], at time: DriverTime) -> [VirtualDeviceOutput] {
    guard subscriptions.isSuperset(of: [.cgmMeasurement, .cgmRecordAccess]) else {
      return [.refuse(0xFD)]
    }
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
        return respond(.numberOfRecords(UInt16(clamping: records.count)))
      }
      return report(records, at: time)
    default: return respond(.response(to: request.opCode, .opCodeNotSupported))
    }
  }

  private mutating func report(
    _ records: [CGMRecord], at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard !records.isEmpty else {
      return respond(.response(to: .reportStoredRecords, .noRecordsFound))
    }
    let end = RecordAccessControlPoint.response(to: .reportStoredRecords, .success)
    answer = Answer(
      queue: notifications(of: records) + [(.cgmRecordAccess, end.payload, 0)],
      next: time.elapsed + Self.interval)
    return []
  }

  /// As many records in each notification as it holds.
  private func notifications(
    of records: [CGMRecord]
  ) -> [(attribute: GATTAttribute, bytes: [UInt8], count: Int)] {
    var notifications: [(attribute: GATTAttribute, bytes: [UInt8], count: Int)] = []
    for record in records {
      let bytes = CGMMeasurement(record).payload
      let last = notifications.indices.last
      if let last, notifications[last].bytes.count + bytes.count <= Self.notificationSize {
        notifications[last].bytes += bytes
        notifications[last].count += 1
      } else {
        notifications.append((.cgmMeasurement, bytes, 1))
      }
    }
    return notifications
  }

  private mutating func send(at time: DriverTime) -> [VirtualDeviceOutput] {
    guard var answer, time.elapsed >= answer.next, !answer.queue.isEmpty else { return [] }
    let (attribute, bytes, count) = answer.queue.removeFirst()
    sentCount += count
    answer.next = time.elapsed + Self.interval
    self.answer = answer.queue.isEmpty ? nil : answer
    return [.send(attribute, bytes)]
  }

  private func respond(_ response: RecordAccessControlPoint) -> [VirtualDeviceOutput] {
    [.send(.cgmRecordAccess, response.payload)]
  }

  private func select(
    _ request: RecordAccessControlPoint
  ) -> (records: [CGMRecord]?, refusal: RecordAccessControlPoint.ResponseCode) {
    switch request.selection {
    case .all: (memory, .success)
    case .first: (Array(memory.prefix(1)), .success)
    case .last: (Array(memory.suffix(1)), .success)
    case .sequenceNumbers(let range):
      (
        memory.filter {
          (range.minimum ?? .min) <= $0.timeOffset && $0.timeOffset <= (range.maximum ?? .max)
        }, .success
      )
    case .userFacingTimes: (nil, .operandNotSupported)
    case nil: (nil, request.recordOperator == .null ? .invalidOperator : .operatorNotSupported)
    }
  }
}

extension CGMRecord {
  /// The same record with its check, or without.
  fileprivate func protected(_ hasCRC: Bool) -> CGMRecord {
    var record = self
    record.hasCRC = hasCRC
    return record
  }
}
