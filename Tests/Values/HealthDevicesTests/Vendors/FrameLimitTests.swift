// SPDX-License-Identifier: Apache-2.0

import CivilCalendar
import HealthDevices
import HealthGATT
import HealthRecords
import Testing

@Suite struct `Frames at their limits` {
  @Test(arguments: [
    OmronRecordLayout.hem7322T, .hem7530T, .hem7142T2, .hem7361T,
  ])
  func `an Omron slot is read as it was written`(layout: OmronRecordLayout) throws {
    let time = LocalDateTime(year: 2026, month: 11, day: 30, hour: 23, minute: 58, second: 57)
    let slot = OmronRecord.slot(
      systolic: 125, diastolic: 80, pulseRate: 201, time: time, sequence: 0x1234, layout: layout)
    let record = try #require(try OmronRecord(slot: slot, layout: layout))
    #expect(record.systolic == 125 && record.diastolic == 80 && record.pulseRate == 201)
    #expect(record.time == time)
    #expect(record.sequence == (layout == .hem7142T2 ? 0x1234 : nil))
  }

  @Test func `a spot check keeps what is worth knowing of its signal`() throws {
    let measurement = PLXSpotCheckMeasurement(
      try PulseOximetry(percent: 97, beatsPerMinute: 60),
      deviceAndSensorStatus: .lowPerfusionDetected)
    #expect(DeviceReading(measurement).findings == [.init("low_perfusion")])
  }

  @Test func `a stable moment of a stream keeps them, too`() throws {
    let measurement = PLXContinuousMeasurement(
      try PulseOximetry(percent: 97, beatsPerMinute: 60),
      deviceAndSensorStatus: .lowPerfusionDetected)
    #expect(DeviceReading(measurement).findings == [.init("low_perfusion")])
  }

  @Test func `a pulse of 0 is none`() throws {
    let frame: [UInt8] = [0x04, 0x7D, 0, 0x50, 0, 0x66, 0, 0, 0]
    let reading = try #require(DeviceReading(bloodPressureMeasurement: frame))
    #expect(reading[.systolic] == 125 && reading[.pulse] == nil)
  }

  @Test(arguments: [(0, nil), (1, 0.001), (70_250, 70.25)] as [(UInt32, Double?)])
  func `an ICOMON weight of 0 is none`(grams: UInt32, kilograms: Double?) {
    let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: grams >> $0) }
    let frame = ICOMONFrame(sequence: 0, type: 0xA3, [0] + bytes + [0, 0, 0, 0])
    #expect(frame.kilograms == kilograms)
  }

  @Test func `two parts of a Beurer result that hold nothing are too short`() throws {
    var assembly = BeurerResultAssembly()
    #expect(try assembly.received(BeurerScaleFrame(family: 0xE7, .resultPart, [3, 2])) == nil)
    #expect(throws: PayloadError.self) {
      try assembly.received(BeurerScaleFrame(family: 0xE7, .resultPart, [3, 3]))
    }
  }

  @Test func `a Microlife frame is none from an unknown sender on`() {
    #expect(MicrolifeFrame.extent(of: [0x4D]) == .unknown)
    #expect(MicrolifeFrame.extent(of: [0x4D, 0x7F]) == .noFrame)
  }

  @Test func `a Yunmai frame holds 250 bytes`() throws {
    let frame = YunmaiFrame(version: 0x1E, type: 2, [UInt8](repeating: 7, count: 300))
    #expect(frame.content.count == 250)
    #expect(try YunmaiFrame(payload: frame.payload).content.count == 250)
  }

  @Test func `a Transtek record that is made has zeros where the meaning is unknown`() throws {
    let time = try TranstekTime(
      LocalDateTime(year: 2026, month: 3, day: 28, hour: 8, minute: 0, second: 0))
    let record = TranstekRecord(systolic: 120, diastolic: 80, pulseRate: 60, time: time)
    #expect(record.payload.count == 17)
    #expect([5, 6, 13, 15].map { record.payload[$0] } == [0, 0, 0, 0])
  }

  @Test func `a Sinocare advertisement that is made has the length of a real one`() throws {
    let made = SinocareAdvertisement(weight: 8000)
    #expect(made.payload.count == 17)
    #expect(try SinocareAdvertisement(payload: made.payload) == made)
  }

  @Test func `an OKOK advertisement that is made has the length of a real one`() throws {
    let made = OKOKAdvertisementC0(weight: 8000, isSettled: true)
    #expect(made.payload.suffix(6) == [0, 0, 0, 0, 0, 0])
    #expect(made.payload.count == 13)
    #expect(try OKOKAdvertisementC0(payload: made.payload) == made)
  }

  @Test func `a weight of 0 is a failed weighing`() throws {
    let nothing = try WeightMeasurement(payload: [0, 0, 0])
    let reading = DeviceReading(weight: nothing.weight, nothing, payload: [0, 0, 0])
    #expect(reading.rejection?.reason == .failedMeasurement)
  }

  @Test(arguments: [(0x08, true), (0x0F, true), (0x09, false)] as [(UInt8, Bool)])
  func `a OneTouch record that the meter refuses to send is not one that it does not have`(
    status: UInt8, isRefused: Bool
  ) {
    let reply = OneTouchReply(OneTouchReply.Status(rawValue: status))
    let reading = DeviceReading(oneTouch: reply, id: 42)
    #expect((reading?.rejection?.reason == .malformed) == isRefused)
    #expect(reading?.sequenceNumber == (isRefused ? 42 : nil))
  }

  @Test func `an OxyII sample keeps a pulse rate of 0`() throws {
    let samples = [60, 0, nil].map { OxyIIRecording.Sample(saturation: 97, pulseRate: $0) }
    let written = OxyIIRecording(samples: samples, trailer: nil).payload
    let recording = try OxyIIRecording(payload: written)
    #expect(recording.samples.map(\.pulseRateByte) == [60, 0, 255])
    #expect(recording.samples.map(\.pulseRate) == [60, 0, nil])
  }
}
