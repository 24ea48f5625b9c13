// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import TestSupport
import Testing

@Suite struct `Weight measurement` {
  /// Captured from a Beurer BF720 (KristianP26/ble-scale-sync).
  @Test func `reads the example of the documentation`() throws {
    let payload = try bytes("0E 783E EA07 05 0C 12 35 36 01 EE00 2607")
    let measurement = try WeightMeasurement(payload: payload)

    #expect(measurement.weight == .kilograms(79.96))
    #expect(measurement.userID?.rawValue == 1)
    #expect(measurement.bodyMassIndex == 23.8)
    #expect(measurement.height == .meters(1.83))
    #expect(measurement.payload == payload)
  }

  @Test func `has pounds and inches where flags say so`() throws {
    let measurement = try WeightMeasurement(payload: try bytes("09 483C E300 B202"))

    #expect(measurement.weight == .pounds(154.32))
    #expect(measurement.weight?.kilograms == 154.32 * 0.453_592_37)
    #expect(measurement.height == .inches(69))
    #expect(measurement.height?.meters == 69 * 0.0254)
    #expect(measurement.bodyMassIndex == 22.7)
  }

  @Test(arguments: [("00 FFFF", true), ("01 FFFF", true), ("00 FEFF", false), ("00 0000", false)])
  func `detects a failed weighing`(hexadecimal: String, isUnsuccessful: Bool)
    throws
  {
    let measurement = try WeightMeasurement(payload: try bytes(hexadecimal))

    #expect(measurement.isUnsuccessful == isUnsuccessful)
    #expect((measurement.weight == nil) == isUnsuccessful)
  }

  /// The Renpho ES-WBE28 sends flags 0x4E.
  @Test func `keeps reserved flags`() throws {
    let payload = try bytes("4E 783E EA07 05 0C 12 35 36 01 EE00 2607")
    let measurement = try WeightMeasurement(payload: payload)

    #expect(measurement.reservedFlags.rawValue == 0x40)
    #expect(measurement.userID?.rawValue == 1)
    #expect(measurement.payload == payload)
  }

  @Test func `encodes a weighing`() throws {
    let units = MeasurementUnits.imperial
    let measurement = WeightMeasurement(
      units: units, rawWeight: try units.steps(.kilograms(70)), userID: .unknown,
      bmiAndHeight: .init(rawBMI: 229, rawHeight: try units.steps(.meters(1.75))))

    #expect(measurement.payload == (try bytes("0D 483C FF E500 B102")))
  }
}

@Suite struct `Measurement units` {
  @Test func `count steps of 5 grams and a hundredth of a pound`() throws {
    #expect(try MeasurementUnits.si.steps(Mass.kilograms(70.002)) == 14000)
    #expect(try MeasurementUnits.si.steps(Mass.kilograms(327.67)) == 65_534)
    // The word of a failed measurement.
    #expect(throws: PayloadError.self) { try MeasurementUnits.si.steps(Mass.kilograms(327.675)) }
    #expect(try MeasurementUnits.imperial.steps(Mass.pounds(154.32)) == 15432)
    #expect(MeasurementUnits.si.mass(steps: 65534) == .kilograms(327.67))
    #expect(MeasurementUnits.imperial.mass(steps: 1) == .pounds(0.01))
    #expect(MeasurementUnits.si.height(steps: 1755) == .meters(1.755))
    #expect(MeasurementUnits.imperial.height(steps: 691) == .inches(69.1))
  }

  @Test(arguments: [-1, 327.68, .infinity, .nan])
  func `refuse masses that do not fit`(kilograms: Double) throws {
    let error = try #require(throws: PayloadError.self) {
      _ = try MeasurementUnits.si.steps(Mass.kilograms(kilograms))
    }

    #expect(error.code == .outOfRange)
    #expect(error.field == "Weight")
  }
}

@Suite struct `Features of scales` {
  /// The resolution is that of the display: 70 kg at code 1 (0.5 kg) are still 14000 steps.
  @Test func `have the resolution of the display, not a multiplier`() throws {
    let feature = try WeightScaleFeature(payload: try bytes("8B000000"))
    let weight = try WeightMeasurement(payload: try bytes("00 B036"))

    #expect(feature.features.contains([.timestamp, .multipleUsers]))
    #expect(!feature.features.contains(.bmi))
    #expect(feature.weightResolution.kilograms == 0.5)
    #expect(feature.weightResolution.pounds == 1)
    #expect(feature.heightResolution.meters == 0.01)
    #expect(feature.heightResolution.inches == 1)
    #expect(weight.weight == .kilograms(70))
  }

  @Test(
    arguments: [
      (0, nil, nil), (1, 0.5, 1), (2, 0.2, 0.5), (3, 0.1, 0.2), (4, 0.05, 0.1), (5, 0.02, 0.05),
      (6, 0.01, 0.02), (7, 0.005, 0.01), (8, nil, nil), (15, nil, nil),
    ] as [(UInt8, Double?, Double?)])
  func `have seven resolutions for masses`(code: UInt8, kilograms: Double?, pounds: Double?) {
    let resolution = MassResolution(rawValue: code)

    #expect(resolution.kilograms == kilograms)
    #expect(resolution.pounds == pounds)
  }

  @Test(
    arguments: [(0, nil, nil), (1, 0.01, 1), (2, 0.005, 0.5), (3, 0.001, 0.1), (4, nil, nil)]
      as [(UInt8, Double?, Double?)])
  func `have three resolutions for heights`(code: UInt8, meters: Double?, inches: Double?) {
    let resolution = HeightResolution(rawValue: code)

    #expect(resolution.meters == meters)
    #expect(resolution.inches == inches)
  }

  @Test func `are built from their parts`() {
    let weight = WeightScaleFeature(
      features: [.timestamp, .bmi], weightResolution: MassResolution(rawValue: 7),
      heightResolution: HeightResolution(rawValue: 3))
    let composition = BodyCompositionFeature(
      features: [.impedance], massResolution: MassResolution(rawValue: 3),
      heightResolution: HeightResolution(rawValue: 1))

    #expect(weight.payload == [0xBD, 0x01, 0x00, 0x00])
    #expect(weight.heightResolution.rawValue == 3)
    #expect(composition.payload == [0x00, 0x99, 0x00, 0x00])
    #expect(composition.massResolution.kilograms == 0.1)
    #expect(composition.heightResolution.meters == 0.01)
  }
}

@Suite struct `Body composition measurement` {
  /// Captured from a Beurer BF105 (oliexdev/openScale, issue 635).
  @Test func `reads the example of the documentation`() throws {
    let payload = try bytes("9803 C500 A01B 7C01 3C2F 7420 5212")
    let measurement = try BodyCompositionMeasurement(payload: payload)

    #expect(measurement.bodyFatPercentage == 19.7)
    #expect(measurement.basalMetabolismKilojoules == 7072)
    #expect(measurement.basalMetabolismKilocalories == 7072 / 4.184)
    #expect(measurement.musclePercentage == 38)
    #expect(measurement.softLeanMass == .kilograms(60.46))
    #expect(measurement.bodyWaterMass == .kilograms(41.54))
    #expect(measurement.impedanceOhms == 469)
    #expect(measurement.weight == nil)
    #expect(measurement.height == nil)
    #expect(measurement.hasComposition)
    #expect(measurement.payload == payload)
  }

  @Test func `has pounds and inches where flags say so`() throws {
    let measurement = try BodyCompositionMeasurement(
      payload: try bytes("610C D700 3F20 4020 483C B202"))

    #expect(measurement.muscleMass == .pounds(82.55))
    #expect(measurement.fatFreeMass == .pounds(82.56))
    #expect(measurement.weight == .pounds(154.32))
    #expect(measurement.height == .inches(69))
    #expect(measurement.height?.meters == 69 * 0.0254)
  }

  @Test func `reads all fields of a failed measurement`() throws {
    let payload = try bytes("0604 FFFF EA07 05 04 07 1E 00 01 B036")
    let measurement = try BodyCompositionMeasurement(payload: payload)

    #expect(measurement.isUnsuccessful)
    #expect(!measurement.hasComposition)
    #expect(measurement.bodyFatPercentage == nil)
    #expect(measurement.userID?.rawValue == 1)
    #expect(measurement.weight == .kilograms(70))
    #expect(measurement.payload == payload)
  }

  @Test func `has no weight where the scale sends 0xFFFF for it`() throws {
    let measurement = try BodyCompositionMeasurement(payload: try bytes("0004 C800 FFFF"))

    #expect(measurement.weight == nil)
    #expect(measurement.hasComposition)
  }

  /// Beurer and Sanitas fill the fields of a weighing without composition with zeros.
  @Test func `has no composition when the fat is 0`() throws {
    let measurement = try BodyCompositionMeasurement(
      payload: try bytes("9803 0000 0000 0000 0000 0000 0000"))

    #expect(!measurement.hasComposition)
    #expect(!measurement.isUnsuccessful)
  }

  @Test func `encodes both halves of a measurement`() throws {
    var components = BodyCompositionMeasurement.Components()
    components.basalMetabolism = 7072
    components.rawHeight = 1750
    let measurement = BodyCompositionMeasurement(
      rawBodyFatPercentage: 197, userID: UserID(rawValue: 2), components: components,
      isMultiplePacketMeasurement: true)

    #expect(measurement.payload == (try bytes("0C18 C500 02 A01B D606")))
  }

  @Test func `keeps reserved flags`() throws {
    let payload = try bytes("00F0 C500")
    let measurement = try BodyCompositionMeasurement(payload: payload)

    #expect(measurement.isMultiplePacketMeasurement)
    #expect(measurement.reservedFlags.rawValue == 0xE000)
    #expect(measurement.payload == payload)
  }
}
