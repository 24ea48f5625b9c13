// SPDX-License-Identifier: Apache-2.0

import HealthDevices
package import HealthGATT

extension WeightMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("unit", .text(units.massUnit.rawValue)),
      .init("weight_raw", .init(rawWeight)),
      .init("weight", .init(weight)),
      .init("unsuccessful", .bool(isUnsuccessful)),
    ] + Timestamp.fields(timestamp) + [
      .init("user_id", .init(userID?.rawValue)),
      .init("bmi", .init(bodyMassIndex)),
      .init("height", .init(height)),
      .init("height_unit", height.map { .text($0.unit.rawValue) } ?? .null),
    ]
  }
}

extension BodyCompositionMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags.rawValue)),
      .init("unit", .text(units.massUnit.rawValue)),
      .init("fat_pct", .init(bodyFatPercentage)),
      .init("unsuccessful", .bool(isUnsuccessful)),
      .init("multiple_packet", .bool(isMultiplePacketMeasurement)),
    ] + Timestamp.fields(timestamp) + [
      .init("user_id", .init(userID?.rawValue)),
      .init("bmr_kj", .init(components.basalMetabolism)),
      .init("muscle_pct", .init(musclePercentage)),
      .init("muscle_mass", .init(muscleMass)),
      .init("fat_free_mass", .init(fatFreeMass)),
      .init("soft_lean_mass", .init(softLeanMass)),
      .init("water_mass", .init(bodyWaterMass)),
      .init("impedance_ohm", .init(impedanceOhms)),
      .init("weight", .init(components.rawWeight.map { units.mass(steps: $0) })),
      .init("height", .init(height)),
    ]
  }
}

extension WeightScaleFeature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("raw", .init(features.rawValue)),
      .init("timestamp", .bool(features.contains(.timestamp))),
      .init("multi_user", .bool(features.contains(.multipleUsers))),
      .init("bmi", .bool(features.contains(.bmi))),
    ] + weightResolution.fields + heightResolution.fields
  }
}

extension BodyCompositionFeature: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("raw", .init(features.rawValue))]
      + Self.names.map { .init($0.name, .bool(features.contains($0.feature))) }
      + massResolution.fields + heightResolution.fields
  }

  private static let names: [(feature: Features, name: String)] = [
    (.timestamp, "timestamp"), (.multipleUsers, "multi_user"),
    (.basalMetabolism, "basal_metabolism"), (.musclePercentage, "muscle_pct"),
    (.muscleMass, "muscle_mass"), (.fatFreeMass, "fat_free_mass"),
    (.softLeanMass, "soft_lean_mass"), (.bodyWaterMass, "body_water_mass"),
    (.impedance, "impedance"), (.weight, "weight"), (.height, "height"),
  ]
}

extension MassResolution {
  var fields: [DecodedPayload.Field] {
    [
      .init("weight_res", .init(rawValue)),
      .init("weight_res_kg", .init(kilograms)),
      .init("weight_res_lb", .init(pounds)),
    ]
  }
}

extension HeightResolution {
  var fields: [DecodedPayload.Field] {
    [
      .init("height_res", .init(rawValue)),
      .init("height_res_m", .init(meters)),
      .init("height_res_in", .init(inches)),
    ]
  }
}

extension DecodedPayload.FieldValue {
  init(_ number: Double?) {
    self = number.map { .number($0) } ?? .null
  }

  fileprivate init(_ mass: Mass?) {
    self.init(mass?.value)
  }

  fileprivate init(_ height: Length?) {
    self.init(height?.value)
  }
}
