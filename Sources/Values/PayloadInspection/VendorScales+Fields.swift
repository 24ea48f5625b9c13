// SPDX-License-Identifier: Apache-2.0

package import HealthDevices
import HealthGATT

/// A number, or null.
private func number(_ value: Double?) -> DecodedPayload.FieldValue {
  value.map { .number($0) } ?? .null
}

extension BeurerLiveWeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("status", .init(status)), .init("weight", .number(kilograms))]
  }
}

extension BeurerScaleResult: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("seconds", .init(seconds)), .init("weight", number(kilograms)),
      .init("impedance_ohm", .init(ohms)), .init("fat_pct", number(bodyFatPercentage)),
      .init("water_pct", number(bodyWaterPercentage)),
      .init("muscle_pct", number(musclePercentage)), .init("bone_raw", .init(boneMass)),
      .init("bmr_kcal", .init(basalMetabolicRate)),
      .init("amr_kcal", .init(activeMetabolicRate)),
      .init("bmi", number(bodyMassIndex == 0 ? nil : Double(bodyMassIndex) / 10)),
    ]
  }
}

extension MiScaleAdvertisement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("unit", .text(unit.rawValue)), .init("weight", .number(unit.value(weight))),
      .init("stabilized", .bool(isSettled)), .init("removed", .bool(isRemoved)),
    ] + Timestamp.fields(timestamp)
  }
}

extension MiBodyScaleAdvertisement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("unit", .text(unit.rawValue)), .init("weight", .number(unit.value(weight))),
      .init("impedance_ohm", .init(ohms)), .init("stabilized", .bool(isSettled)),
      .init("removed", .bool(isRemoved)),
    ] + Timestamp.fields(timestamp)
  }
}

extension XiaomiS400Measurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("profile_id", .init(profileID)), .init("weight_kg", number(kilograms)),
      .init("heart_rate", .init(heartRate)), .init("impedance_ohm", number(ohms)),
    ]
  }
}

extension QNWeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("state", .init(state)), .init("weight", .number(kilograms())),
      .init("r1", .init(resistance1)), .init("r2", .init(resistance2)),
    ]
  }
}

extension QNAdvertisement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("stable", .bool(isSettled)), .init("weight", .number(kilograms))]
  }
}

extension RenphoFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("cmd", .init(command)), .init("weight", number(kilograms))]
  }
}

extension RenphoWeightMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags)), .init("unit", .text(isInPounds ? "lb" : "kg")),
      .init("weight", .number(value)),
    ] + Timestamp.fields(timestamp) + [.init("user_id", .init(userID?.rawValue))]
  }
}

extension ICOMONFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("type", .init(type)), .init("stable", .bool(isSettled)),
      .init("weight", number(kilograms)), .init("heart_rate", .init(heartRate)),
      .init("impedance_ohm", .init(ohms)), .init("seconds", .init(storedSeconds)),
    ]
  }
}

extension HutbitFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("status", .init(status)), .init("stable", .bool(isSettled)),
      .init("weight", number(kilograms)), .init("impedance_ohm", .init(ohms)),
    ]
  }
}

extension KoogeekMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("weight", .number(kilograms)), .init("impedance_ohm", .init(impedance))]
  }
}

extension TranstekWeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("flags", .init(flags)), .init("weight", .init(weight.number)),
      .init("seconds", .init(seconds)),
      .init("r1", resistance1.map { .init($0.number) } ?? .null),
      .init("r2", resistance2.map { .init($0.number) } ?? .null),
      .init("user_id", .init(userID?.rawValue)),
    ]
  }
}

extension MedisanaComposition: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("seconds", .init(seconds)), .init("user_id", .init(userID.rawValue)),
      .init("energy_kcal", .init(energy)),
      .init("fat_pct", number(bodyFatPercentage)), .init("water_pct", number(bodyWaterPercentage)),
      .init("muscle_pct", number(musclePercentage)), .init("bone_kg", number(boneKilograms)),
    ]
  }
}

extension EtekcityAdvertisement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("stable", .bool(state == 1)), .init("weight", .number(kilograms)),
      .init("impedance_ohm", .init(ohms)),
    ]
  }
}

extension EtekcityWeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("stable", .bool(state == 1)), .init("weight", .number(kilograms)),
      .init("impedance_ohm", .init(ohms)),
    ]
  }
}

extension SinocareAdvertisement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] { [.init("weight", number(kilograms))] }
}

extension OKOKAdvertisementV20: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("stable", .bool(flags & 1 != 0)), .init("weight", .number(kilograms)),
      .init("impedance_ohm", number(ohms)),
    ]
  }
}

extension OKOKAdvertisementC0: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [.init("stable", .bool(isSettled)), .init("weight", .number(weight.kilograms))]
  }
}

extension YunmaiFrame: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let measurement = (try? measurement()) ?? nil
    return [
      .init("type", .init(type)), .init("seconds", .init(measurement?.seconds)),
      .init("user", .init(measurement?.user)), .init("weight", number(measurement?.kilograms)),
      .init("impedance_ohm", .init(measurement?.ohms)),
      .init("fat_pct", number(measurement?.bodyFatPercentage)),
    ]
  }
}

extension OneByoneMeasurement: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    [
      .init("weight", number(kilograms)), .init("impedance_ohm", number(ohms)),
      .init("timestamp", .init(dateTime)),
    ]
  }
}

extension SamicoWeight: FieldRepresentable {
  package var fields: [DecodedPayload.Field] {
    let names: [SamicoWeight.Unit: String] = [.kilogram: "kg", .pound: "lb", .stone: "st"]
    return [
      .init("unit", .text(names[unit] ?? "")), .init("stable", .bool(isSettled)),
      .init("weight", .number(value)),
    ]
  }
}
