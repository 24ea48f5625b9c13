// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `Frames of scales` {
  @Test(arguments: [
    "beurer-e7-58", "beurer-e7-59", "hutbit", "koogeek-s1", "miscale1-adv", "miscale2-adv",
    "qn-broadcast", "qn-es26m", "renpho-msc04", "robi-s9", "xiaomi-s400-adv",
  ])
  func `are refused at every shorter length`(characteristic: String) throws {
    let vector = try #require(Vector.valid.first { $0.char == characteristic })
    let payload = try bytes(vector.hex)
    // What follows the weight of a QN broadcast is not needed.
    let needed = characteristic == "qn-broadcast" ? 19 : payload.count

    for length in 0..<needed {
      let error = try refusal(
        of: Array(payload[..<length]), as: characteristic, parameters: vector.params ?? [:])
      let offset = try #require(error.offset)
      #expect(offset <= length)
    }
  }

  @Test(arguments: ["renpho-msc04", "robi-s9", "hutbit", "qn-es26m", "koogeek-s1"])
  func `are refused when one bit is wrong`(characteristic: String) throws {
    let vector = try #require(Vector.valid.first { $0.char == characteristic })
    let payload = try bytes(vector.hex)
    // The checks of two of them do not cover the head, which has no value in it.
    let firstCovered = ["robi-s9": 3, "hutbit": 2][characteristic] ?? 0

    for position in firstCovered..<payload.count {
      var damaged = payload
      damaged[position] ^= 0x01
      _ = try refusal(of: damaged, as: characteristic)
    }
  }

  @Test func `name the checksum and its offset`() throws {
    let error = try refusal(of: bytes("55AA240006 011100002553 B4"), as: "renpho-msc04")

    #expect(error.code == .checksumMismatch)
    #expect(error.offset == 11)
  }
}

@Suite struct `Mi Scale` {
  @Test func `weight in pounds and catty is converted to kilograms`() throws {
    let pounds = try MiScaleAdvertisement(payload: bytes("23 1027 E507040B101301"))
    let catty = try MiScaleAdvertisement(payload: bytes("32 1027 E507040B101301"))

    #expect(pounds.unit == .pound)
    #expect(pounds.kilograms == 45.359237)
    #expect(catty.unit == .catty)
    #expect(catty.kilograms == 50)
  }

  @Test func `a weight that changes or has left the scale is not a measurement`() throws {
    let flags: [(UInt8, Bool)] = [(0x22, true), (0x02, false), (0xA2, false), (0x82, false)]
    for (flags, isMeasurement) in flags {
      let payload = [flags] + (try bytes("409C E507040B101301"))
      #expect(try MiScaleAdvertisement(payload: payload).isMeasurement == isMeasurement)
    }
    #expect(
      try !MiScaleAdvertisement(payload: bytes("22 0000 E507040B101301")).isMeasurement)
  }

  @Test func `an impossible time does not lose the weight`() throws {
    let scale = try MiBodyScaleAdvertisement(payload: bytes("0226 FFFF0000000000 F401 803E"))

    #expect(scale.timestamp.dateTime == nil)
    #expect(scale.kilograms == 80)
    #expect(scale.ohms == 500)
  }

  @Test func `impedance is nil unless the flags announce it`() throws {
    let scale = try MiBodyScaleAdvertisement(payload: bytes("0224 E70702 06121C00 F401 803E"))

    #expect(scale.ohms == nil)
  }
}

@Suite struct `Encrypted broadcast of the S400` {
  private let address = "84:46:93:64:A5:E6"
  private let key = "58305740b64e4b425e518aa1f4e51339"

  @Test func `is opened again when it was sealed`() throws {
    let measurement = XiaomiS400Measurement(
      profileID: 2, tenthsOfKilogram: 812, heartRate: 71, tenthsOfOhm: 4875)
    let beacon = try MiBeacon(
      sealing: measurement.payload, key: BindKey(hexadecimal: key), address: DeviceAddress(address),
      productID: 0x3BD5, counter: 0x0102_0304)
    let received = try MiBeacon(payload: beacon.payload)
    let object = try received.open(
      key: BindKey(hexadecimal: key), address: DeviceAddress(address))

    #expect(beacon.payload.count == 24)
    #expect(beacon.frameCounter == 0x04)
    #expect(beacon.extendedCounter == [0x03, 0x02, 0x01])
    let opened = try XiaomiS400Measurement(payload: object)
    #expect(opened.profileID == 2)
    #expect(opened.kilograms == 81.2)
    #expect(opened.heartRate == 71)
    #expect(opened.ohms == 487.5)
  }

  @Test func `says that another key does not open it`() throws {
    let beacon = try MiBeacon(
      payload: bytes("4859d53b2d3314943c58b133638c7457a4000000c3e670dc"))
    let error = #expect(throws: PayloadError.self) {
      try beacon.open(
        key: BindKey(hexadecimal: "02d2900363ef629c736a4549677acbee"),
        address: DeviceAddress(address))
    }

    #expect(error?.code == .authenticationFailed)
    #expect(error?.offset == 20)
  }

  @Test func `asks for an address that the frame lacks`() throws {
    let beacon = try MiBeacon(
      payload: bytes("4859d53b2d3314943c58b133638c7457a4000000c3e670dc"))
    let error = #expect(throws: PayloadError.self) {
      try beacon.open(key: BindKey(hexadecimal: key), address: nil)
    }

    #expect(error?.code == .keyRequired)
    #expect(error?.field == "Address")
  }

  @Test func `takes the address from a frame that has it`() throws {
    let beacon = try MiBeacon(
      payload: bytes("5859d53b2d E6A564934684 3314943c58b133638c7457a4000000c3e670dc"))
    let object = try beacon.open(key: BindKey(hexadecimal: key), address: nil)

    #expect(try XiaomiS400Measurement(payload: object).kilograms == 74.2)
  }

  @Test func `that is not encrypted has nothing to open`() throws {
    let error = try refusal(
      of: bytes("2054 AA01 01"), as: "xiaomi-s400-adv", parameters: ["key": key])

    #expect(error.code == .reservedValue)
    #expect(error.field == "Frame Control")
  }

  @Test func `has no weight in its second object`() throws {
    let second = try XiaomiS400Measurement(payload: bytes("166E 09 01 0000A4 3E 00000000"))

    #expect(second.kilograms == nil)
    #expect(second.heartRate == nil)
    #expect(second.ohms == 400.9)
  }
}

@Suite struct `Beurer BF700 family` {
  private let parts = [
    "E7 59 03 01 01 0000000000000065", "E7 59 03 02 6A21F4C6 0687 01B5 00DF 02",
    "E7 59 03 03 09 018D 00E9 0717 0AA2 0108",
  ]

  @Test func `a result is put together from three parts`() throws {
    var assembly = BeurerResultAssembly()
    let results = try parts.map { part in
      try assembly.received(BeurerScaleFrame(payload: bytes(part)))
    }

    #expect(results[0] == nil)
    #expect(results[1] == nil)
    let result = try #require(results[2])
    #expect(result.kilograms == 83.55)
    #expect(result.bodyFatPercentage == 22.3)
    #expect(result.bodyWaterPercentage == 52.1)
    #expect(result.musclePercentage == 39.7)
    #expect(result.ohms == 437)
    #expect(result.basalMetabolicRate == 1815)
    #expect(assembly.user == [0, 0, 0, 0, 0, 0, 0, 0x65])
  }

  @Test func `a last part without the one before gives nothing`() throws {
    var assembly = BeurerResultAssembly()

    #expect(try assembly.received(BeurerScaleFrame(payload: bytes(parts[2]))) == nil)
    #expect(try assembly.received(BeurerScaleFrame(payload: bytes(parts[1]))) == nil)
    #expect(try assembly.received(BeurerScaleFrame(payload: bytes(parts[0]))) == nil)
    #expect(try assembly.received(BeurerScaleFrame(payload: bytes(parts[2]))) == nil)
  }

  @Test func `stored measurements have two parts each`() throws {
    var assembly = BeurerResultAssembly()
    let content = ["6A21F4C6 0687 01B5 00DF 02", "09 018D 00E9 0717 0AA2 0108"]
    var weights: [Double?] = []
    for number in 1...4 {
      let frame = "E7 42 04 0\(number) " + content[(number - 1) % 2]
      weights.append(
        try assembly.received(BeurerScaleFrame(payload: bytes(frame)))?.kilograms)
    }

    #expect(weights == [nil, 83.55, nil, 83.55])
  }

  @Test func `an acknowledgement repeats command, number of parts and part`() throws {
    let frame = try BeurerScaleFrame(payload: bytes(parts[2]))

    #expect(frame.acknowledgement?.payload == (try bytes("E7 F1 59 03 03")))
    #expect(try BeurerScaleFrame(payload: bytes("E6 00")).acknowledgement == nil)
  }

  @Test func `a result that is too short is refused`() throws {
    var assembly = BeurerResultAssembly()
    _ = try assembly.received(BeurerScaleFrame(payload: bytes("E7 59 03 02 6A21F4C6")))
    let error = #expect(throws: PayloadError.self) {
      try assembly.received(BeurerScaleFrame(payload: bytes("E7 59 03 03 06")))
    }

    #expect(error?.code == .truncated)
    #expect(error?.field == "Weight")
  }
}

@Suite struct `Other scales` {
  @Test func `a Renpho ES-WBE28 sends steps of 0.05 kg where the specification has 0.005`() throws {
    let measurement = try RenphoWeightMeasurement(
      payload: bytes("4E 6A07 EA0707040C1A06 AA 00000000"))

    #expect(measurement.kilograms == 94.9)
    #expect(measurement.userID?.rawValue == 0xAA)
    #expect(measurement.trailingBytes == [0, 0, 0, 0])
    let pounds = try RenphoWeightMeasurement(payload: bytes("01 D007"))
    #expect(pounds.value == 200)
    #expect(pounds.kilograms == 90.718474)
  }

  @Test func `QN has two layouts of a weight`() throws {
    let classic = try QNWeight(payload: bytes("10 0B 01 1CE8 01 01F5 01F3 0B"))
    let long = try QNWeight(payload: bytes("10 0E FF 01 02 2639 01F5 01F3 0134 9E"))

    #expect(classic.kilograms() == 74)
    #expect(classic.kilograms(stepsPerKilogram: 10) == 740)
    #expect(classic.isSettled)
    #expect(classic.resistance1 == 501)
    #expect(long.kilograms() == 97.85)
    #expect(long.isSettled)
    #expect(long.resistance2 == 499)
  }

  @Test func `a Koogeek S1 waits for two answers`() throws {
    let hello = try KoogeekFrame(
      payload: bytes("55AA55AA 010D010101162601735500000000001A"))
    let query = KoogeekFrame(KoogeekFrame.Command.query, [0x01, 0x2A])

    #expect(hello.answer?.payload == (try bytes("55AA55AA 81 01 01 81")))
    #expect(query.answer?.payload == (try bytes("55AA55AA 87 01 2A AC")))
    #expect(KoogeekMeasurement(weight: 783, impedance: 0).ohms == nil)
  }

  @Test func `a Hutbit's requests have the same shape, and no weight`() throws {
    let request = try HutbitFrame(payload: bytes("AC02 FDE20101 CC AD"))

    #expect(request.kilograms == nil)
    #expect(request.ohms == nil)
    #expect(HutbitFrame(request: [0xFA, 0x01]).payload == (try bytes("AC02 FA010000 CC C7")))
  }

  @Test func `a result of ICOMON's has weight, heart rate and impedance`() throws {
    let result = ICOMONFrame(
      sequence: 3, type: 0xA3, try bytes("00 012DC2 48 01F4"))

    #expect(result.kilograms == 77.25)
    #expect(result.heartRate == 72)
    #expect(result.ohms == 500)
    #expect(result.acknowledgement(sequence: 9).payload.prefix(6) == [9, 3, 0, 0xB0, 3, 0])
    let stored = ICOMONFrame(
      sequence: 4, type: 0xA4, try bytes("6A21F4C6 00 012DC2"))
    #expect(stored.kilograms == 77.25)
    #expect(stored.storedSeconds == 0x6A21_F4C6)
    #expect(stored.heartRate == nil)
  }

  @Test func `a Transtek scale sends time and resistances where the flags say so`() throws {
    let measurement = try TranstekWeight(
      payload: bytes("1F 681F00FE 652AB21E 00000000 6A1500FF 011900"))

    #expect(measurement.kilograms == 80.4)
    #expect(measurement.seconds == 0x1EB2_2A65)
    #expect(measurement.ohms == 548.2)
    #expect(measurement.trailingBytes == [0x01, 0x19, 0x00])
    let bare = try TranstekWeight(payload: bytes("00 681F00FE"))
    #expect(bare.seconds == nil)
    #expect(bare.ohms == nil)
  }
}
