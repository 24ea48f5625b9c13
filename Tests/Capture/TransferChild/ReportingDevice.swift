// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import VirtualDevices

/// A device that reports each measurement that it sends, and those that it erases.
struct ReportingDevice: VirtualDeviceLogic {
  /// When a device erases a measurement.
  enum Erasing {
    case nothing
    /// When a central has accepted it by writing to the device.
    case whenAccepted
    /// When all have arrived, and the central has left.
    case whenTransferred
  }

  private var logic: any VirtualDeviceLogic
  private let measurement: GATTAttribute
  private let erasing: Erasing
  private let sent: @Sendable () -> Void
  private let erased: @Sendable (_ count: Int) -> Void
  /// Whether the last measurement was not accepted yet.
  private var isWaiting = false

  init(
    _ logic: any VirtualDeviceLogic, measurement: GATTAttribute, erases erasing: Erasing,
    sent: @escaping @Sendable () -> Void, erased: @escaping @Sendable (_ count: Int) -> Void
  ) {
    self.logic = logic
    self.measurement = measurement
    self.erasing = erasing
    self.sent = sent
    self.erased = erased
  }

  var services: [VirtualService] { logic.services }
  var isAdvertising: Bool { logic.isAdvertising }
  var deadline: Duration? { logic.deadline }

  mutating func handle(_ input: VirtualDeviceInput, at time: DriverTime) -> [VirtualDeviceOutput] {
    let outputs = logic.handle(input, at: time)
    let count = erasedCount(after: input, outputs)
    // Before anybody learns that it was accepted.
    if count > 0 { erased(count) }
    for case .send(measurement, _) in outputs {
      isWaiting = true
      sent()
    }
    return outputs
  }

  private mutating func erasedCount(
    after input: VirtualDeviceInput, _ outputs: [VirtualDeviceOutput]
  ) -> Int {
    switch (erasing, input) {
    case (.whenAccepted, .written) where isWaiting && !outputs.contains(where: \.isRefusal):
      isWaiting = false
      return 1
    case (.whenTransferred, .disconnected):
      for case .report(.transferred(let count)) in outputs { return count }
      return 0
    case (.whenAccepted, .disconnected):
      isWaiting = false
      return 0
    default: return 0
    }
  }
}

extension VirtualDeviceOutput {
  fileprivate var isRefusal: Bool { if case .refuse = self { true } else { false } }
}

extension VirtualDeviceModel {
  /// The same device, which reports what it sends, and may begin with another memory.
  func reporting(
    _ measurement: GATTAttribute, erases erasing: ReportingDevice.Erasing,
    erased: @escaping @Sendable (_ count: Int) -> Void = { _ in },
    made make: (@Sendable (VirtualClock) -> any VirtualDeviceLogic)? = nil
  ) -> VirtualDeviceModel {
    let (id, make) = (peripheralID, make ?? self.make)
    return VirtualDeviceModel(
      id: self.id, summary: summary, peripheralID: peripheralID, advertisedName: advertisedName,
      advertisedServices: advertisedServices, readingCount: readingCount
    ) { clock in
      ReportingDevice(
        make(clock), measurement: measurement, erases: erasing, sent: { report("SENT \(id)") },
        erased: erased)
    }
  }
}
