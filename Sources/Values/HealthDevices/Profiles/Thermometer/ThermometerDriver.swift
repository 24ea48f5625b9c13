// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

extension DriverModel {
  /// The Health Thermometer Profile, with the clock that A&D's thermometers have within the
  /// service.
  public static let thermometerProfile = DriverModel(
    id: "thermometer-profile", name: "Health Thermometer Profile",
    required: [.temperatureMeasurement],
    optional: [.temperatureType, .temperatureDateTime, .currentTime],
    confidence: .captured,
    sources: [
      "Bluetooth SIG, Health Thermometer Profile 1.0", "gebogebogebo/BLEThermometer@4c3c0d7e",
    ]
  ) { ThermometerDriver($0) }
}

extension GATTAttribute {
  package static let temperatureMeasurement = GATTAttribute("1809", "2A1C")
  package static let temperatureType = GATTAttribute("1809", "2A1D")
  package static let temperatureDateTime = GATTAttribute("1809", "2A08")
}

/// Drives a thermometer of the Health Thermometer Profile.
///
/// It takes what is indicated as a measurement (2A1C). The intermediate temperature (2A1E) is what
/// the display shows on the way to it; it is not asked for.
package struct ThermometerDriver: DeviceDriver {
  private var push: PushDriver
  private var place: TemperatureType?

  package init(_ context: DriverContext) {
    push = PushDriver(
      context,
      steps: [
        .setClock(.temperatureDateTime, tolerance: 0), .setClock(.currentTime, tolerance: 1),
      ] + .facts + [.read(.temperatureType), .subscribe(.temperatureMeasurement)],
      measurements: [.temperatureMeasurement]
    ) { _, bytes, _ in DeviceReading(temperatureMeasurement: bytes) }
  }

  package var deadline: Duration? { push.deadline }

  package mutating func handle(_ event: DriverEvent, at time: DriverTime) -> [DriverAction] {
    if case .value(.temperatureType, let bytes) = event {
      place = try? TemperatureType(payload: bytes)
    }
    return push.handle(event, at: time).map(placed)
  }

  /// A measurement without a place of its own is taken where the thermometer always measures.
  private func placed(_ action: DriverAction) -> DriverAction {
    guard case .deliver(var reading) = action, reading.rejection == nil, reading.findings.isEmpty,
      let name = place?.name
    else { return action }
    reading.findings = [.init(TemperatureType.findingName, name)]
    return .deliver(reading)
  }
}

extension DeviceReading {
  /// A Temperature Measurement (2A1C).
  package init(temperatureMeasurement bytes: [UInt8]) {
    do throws(PayloadError) {
      self.init(try TemperatureMeasurement(payload: bytes))
    } catch {
      self.init(error, payload: bytes)
    }
  }

  /// A measurement.
  package init(_ measurement: TemperatureMeasurement) {
    let payload = measurement.payload
    switch measurement.value.number {
    case .decimal:
      let celsius = measurement.temperature?.celsius.roundedToHundredths
      let shown = ShownValue(measurement.value.number, unit: measurement.unit.rawValue)
      self.init(
        celsius.map { [Metric(.bodyTemperature, $0).showing(shown)] } ?? [], payload: payload)
    case .positiveInfinity:
      self.init([Metric(.bodyTemperature, absent: .aboveRange)], payload: payload)
    case .negativeInfinity:
      self.init([Metric(.bodyTemperature, absent: .belowRange)], payload: payload)
    case .notANumber, .notAtThisResolution, .reserved:
      self.init(
        rejected: .failedMeasurement,
        "The thermometer reports that the measurement failed. Measure again.", payload: payload)
    }
    clock = measurement.timestamp?.localDateTime.map { .local($0) }
    findings =
      measurement.temperatureType?.name.map { [Finding(TemperatureType.findingName, $0)] } ?? []
  }
}

extension TemperatureType {
  static let findingName = "measurement_location"

  /// The name of the finding; nil for a reserved value.
  package var name: String? {
    let names = [
      "armpit", "body", "ear", "finger", "gastrointestinal_tract", "mouth", "rectum", "toe",
      "tympanum",
    ]
    let index = Int(rawValue) - 1
    return names.indices.contains(index) ? names[index] : nil
  }
}
