// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioJSON
import Testing

@testable import Hub

@Suite struct `Discovery of Home Assistant` {
  private let topics = HomeAssistantTopics(HomeAssistantSettings(hub: "ward", host: "x"))
  private let device = SensorDevice(
    name: "cuff", manufacturer: "A&D", model: "UA-651BLE", firmwareRevision: "1.2")

  private func config(_ object: SensorObject, _ unit: String) throws -> JSONValue {
    let config = DiscoveryConfig(
      object: object, device: device, patient: "anna", unit: unit, topics: topics, expiry: 3600)
    return try JSONParser.parse(config.payload)
  }

  @Test func `describes a sensor in full`() throws {
    let config = DiscoveryConfig(
      object: .metric(.bodyTemperature), device: device, patient: "anna", unit: "°C",
      topics: topics, expiry: 3600)

    let id = "body_temperature"
    #expect(config.topic == "homeassistant/sensor/santorio--ward--anna--cuff/\(id)/config")
    let expected = """
      {"name":"Body temperature","unique_id":"santorio--ward--anna--cuff--\(id)",\
      "state_topic":"santorio/ward/anna/cuff/\(id)/state",\
      "value_template":"{{ value_json.value }}",\
      "json_attributes_topic":"santorio/ward/anna/cuff/\(id)/state",\
      "device_class":"temperature","state_class":"measurement","unit_of_measurement":"°C",\
      "expire_after":3600,\
      "availability":[{"topic":"santorio/ward/availability"},\
      {"topic":"santorio/ward/anna/cuff/availability"}],"availability_mode":"all",\
      "device":{"identifiers":["santorio--ward--anna--cuff"],"name":"cuff (anna)",\
      "manufacturer":"A&D","model":"UA-651BLE","sw_version":"1.2"},\
      "origin":{"name":"Santorio"}}
      """
    #expect(String(decoding: config.payload, as: UTF8.self) == expected)
  }

  @Test func `lets no battery expire`() throws {
    #expect(try config(.battery, "%")["expire_after"] == nil)
  }

  @Test(
    arguments: [
      (.systolic, "mmHg", nil, "measurement", "mmHg"),
      (.diastolic, "kPa", nil, "measurement", "kPa"),
      (.pulse, "bpm", nil, "measurement", "bpm"),
      (.bloodGlucose, "mg/dL", "blood_glucose_concentration", "measurement", "mg/dL"),
      (.bloodGlucose, "mmol/L", "blood_glucose_concentration", "measurement", "mmol/L"),
      (.bloodKetone, "mmol/L", nil, "measurement", "mmol/L"),
      (.totalCholesterol, "mg/dL", nil, "measurement", "mg/dL"),
      (.bodyWeight, "kg", "weight", "measurement", "kg"),
      (.bodyWeight, "lb", "weight", "measurement", "lb"),
      (.bmi, "kg/m2", nil, "measurement", "kg/m²"),
      (.bodyTemperature, "°F", "temperature", "measurement", "°F"),
      (.bodyTemperatureDeviation, "°C", nil, "measurement", "°C"),
      (.oxygenSaturation, "%", nil, "measurement", "%"),
      (.inr, "INR", nil, "measurement", nil),
      (.bodyImpedance, "Ohm", nil, "measurement", "Ω"),
      (.heartRateVariability, "ms", "duration", "measurement", "ms"),
      (.steps, "count", nil, nil, nil),
      (.sleepDuration, "s", "duration", nil, "s"),
      (.energyBurned, "kcal", nil, nil, "kcal"),
      (.water, "mL", nil, nil, "mL"),
      (MetricType(rawValue: "seizures"), "s", nil, "measurement", "s"),
    ] as [(MetricType, String, String?, String?, String?)])
  func `says of what kind a value is`(
    _ type: MetricType, _ unit: String, _ deviceClass: String?, _ stateClass: String?,
    _ shownUnit: String?
  ) throws {
    let config = try config(.metric(type), unit)
    #expect(config["device_class"] == deviceClass.map(JSONValue.string))
    #expect(config["state_class"] == stateClass.map(JSONValue.string))
    #expect(config["unit_of_measurement"] == shownUnit.map(JSONValue.string))
  }

  @Test func `describes a battery`() throws {
    let config = try config(.battery, "%")
    #expect(config["name"] == .string("Battery"))
    #expect(config["unique_id"] == .string("santorio--ward--anna--cuff--device--battery"))
    #expect(config["device_class"] == .string("battery"))
    #expect(config["unit_of_measurement"] == .string("%"))
  }

  @Test func `keeps Home Assistant's rules for every metric in every unit`() throws {
    let others = ["mg/dL", "mmol/L", "kPa", "mmHg", "kg", "lb", "st", "°C", "°F", "m", "in"]
    for definition in MetricTable.rows {
      for unit in [definition.unit] + others {
        try checkRules(SensorObject.metric(definition.type), unit)
      }
    }
    try checkRules(.battery, "%")
  }

  private func checkRules(_ object: SensorObject, _ unit: String) throws {
    let config = try config(object, unit)
    guard case .string(let deviceClass)? = config["device_class"] else { return }
    let units = try #require(
      HomeAssistantClasses.units[deviceClass], "\(deviceClass) is no class of Home Assistant")
    guard case .string(let shown)? = config["unit_of_measurement"] else {
      Issue.record("\(object.name) has a class without a unit")
      return
    }
    #expect(units.contains(shown), "\(deviceClass) in \(shown)")
    #expect(
      config["state_class"] == nil
        || config["state_class"] == .string("measurement")
          && HomeAssistantClasses.measurements.contains(deviceClass)
    )
  }

  @Test func `names a device without a name by its model, and hides its serial number`() {
    let source = RecordSource(
      type: .bluetooth, device: SourceDevice(model: "UA-651BLE", serialNumber: "SN-4711"))
    let name = SensorDevice(source).name
    #expect(name.hasPrefix("UA-651BLE "))
    #expect(name.utf8.count == "UA-651BLE ".utf8.count + 8)
    #expect(!name.contains("4711"))
    #expect(SensorDevice(RecordSource(type: .bluetooth)).name == "bluetooth")
  }
}
