// SPDX-License-Identifier: Apache-2.0

/// The address of a characteristic: its UUID and that of its service, in short form and upper case.
struct Attribute: Hashable, Sendable {
  let service: String
  let characteristic: String

  init(_ service: String, _ characteristic: String) {
    self.service = service
    self.characteristic = characteristic
  }
}

/// What to do with a connected device: which attributes, in which order.
struct DeviceProfile: Hashable, Sendable {
  /// One step before the measurements come.
  enum Step: Hashable, Sendable {
    /// Read a fact about the device; a device without the characteristic is as good.
    case read(Attribute)
    /// Set the device's clock; a refusal does no harm.
    case writeClock(Attribute)
    /// Ask for measurements; without them there is nothing to read.
    case subscribe(Attribute)
  }

  /// Where a device of the Blood Pressure Service keeps a clock that can be set.
  enum Clock: Hashable, Sendable {
    /// As Date Time (2A08) within the Blood Pressure Service, as A&D's monitors do.
    case dateTime
  }

  /// The characteristic that measurements come from.
  let measurement: Attribute
  /// What to do, in order.
  let steps: [Step]
  /// How long a device must be quiet after a measurement to be taken for done.
  let quietTime: Duration

  /// The services in use, each once.
  var services: [String] {
    steps.reduce(into: []) { services, step in
      if !services.contains(step.attribute.service) { services.append(step.attribute.service) }
    }
  }

  /// The characteristics in use of one service.
  func characteristics(of service: String) -> [String] {
    steps.reduce(into: []) { found, step in
      let attribute = step.attribute
      if attribute.service == service, !found.contains(attribute.characteristic) {
        found.append(attribute.characteristic)
      }
    }
  }
}

extension DeviceProfile.Step {
  var attribute: Attribute {
    switch self {
    case .read(let attribute), .writeClock(let attribute), .subscribe(let attribute): attribute
    }
  }
}

extension DeviceProfile {
  /// The Blood Pressure Profile.
  ///
  /// The clock comes first: A&D's monitors want it within seconds of the encryption. The device's
  /// identity comes before the measurements, since a record's identifier is made of it. Measurements
  /// come last: many a monitor forgets one as soon as it was indicated.
  static func bloodPressure(clock: Clock) -> DeviceProfile {
    let measurement = Attribute("1810", "2A35")
    let dateTime = Attribute("1810", "2A08")
    let clockSteps: [Step] =
      switch clock {
      case .dateTime: [.read(dateTime), .writeClock(dateTime)]
      }
    return DeviceProfile(
      measurement: measurement,
      steps: clockSteps + DeviceFacts.attributes.map(Step.read) + [.subscribe(measurement)],
      quietTime: .seconds(4))
  }
}
