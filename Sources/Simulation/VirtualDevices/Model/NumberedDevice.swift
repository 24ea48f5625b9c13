// SPDX-License-Identifier: Apache-2.0

import HealthDevices

/// A virtual device with a serial number of its own and, where it has a small memory, one that
/// overwrites its oldest measurement when it is full.
private struct NumberedDevice: VirtualDeviceLogic {
  private static let serialNumber = "2A25"
  private static let pressure = GATTAttribute("1810", "2A35")

  private var inner: any VirtualDeviceLogic
  private let serial: String
  private let capacity: Int?
  private let overwritten: @Sendable ([UInt8]) -> Void
  private var isSending = false

  init(
    _ inner: any VirtualDeviceLogic, serial: String, capacity: Int?,
    overwritten: @escaping @Sendable ([UInt8]) -> Void
  ) {
    self.inner = inner
    self.serial = serial
    self.capacity = capacity
    self.overwritten = overwritten
  }

  var services: [VirtualService] {
    inner.services.map { service in
      VirtualService(
        service.uuid,
        service.characteristics.map {
          $0.uuid == Self.serialNumber && $0.value != nil
            ? VirtualCharacteristic(Self.serialNumber, text: serial) : $0
        })
    }
  }

  var isAdvertising: Bool { inner.isAdvertising }
  var broadcast: VirtualBroadcast? { inner.broadcast }
  var deadline: Duration? { inner.deadline }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    switch input {
    case .subscribed: isSending = true
    case .disconnected: isSending = false
    default: break
    }
    let outputs = inner.handle(input, at: time)
    forget(at: time)
    return outputs
  }

  mutating func measure(
    _ measurement: VirtualMeasurement, at time: DriverTime
  ) -> [VirtualDeviceOutput]? {
    let outputs = inner.measure(measurement, at: time)
    forget(at: time)
    return outputs
  }

  mutating func eraseMeasurements() { inner.eraseMeasurements() }

  /// Overwrites the oldest measurements that have no room; not while they are sent.
  private mutating func forget(at time: DriverTime) {
    guard let capacity, !isSending else { return }
    let memory = memory(at: time)
    guard memory.count > capacity else { return }
    inner.eraseMeasurements()
    _ = inner.handle(.remember(Array(memory.suffix(capacity))), at: time)
    for frame in memory.dropLast(capacity) { overwritten(frame) }
  }

  /// What a copy of the device would send.
  private func memory(at time: DriverTime) -> [[UInt8]] {
    var copy = inner
    return copy.handle(.subscribed(Self.pressure), at: time).compactMap { output in
      guard case .send(Self.pressure, let bytes) = output else { return nil }
      return bytes
    }
  }
}

extension VirtualDeviceModel {
  /// The same with a serial number and a memory of its own, which is empty.
  ///
  /// - Parameters:
  ///   - serial: The serial number.
  ///   - capacity: How many blood pressures the memory holds before it overwrites the oldest; nil for
  ///     as many as are made.
  ///   - overwritten: Called with each frame that was overwritten.
  /// - Returns: The model.
  package func numbered(
    _ serial: String, capacity: Int? = nil,
    overwritten: @escaping @Sendable ([UInt8]) -> Void = { _ in }
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: peripheralID, advertisedName: advertisedName,
      advertisedServices: advertisedServices, readingCount: 0
    ) { [make] clock in
      var logic = make(clock)
      logic.eraseMeasurements()
      return NumberedDevice(logic, serial: serial, capacity: capacity, overwritten: overwritten)
    }
  }
}
