// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

@testable import VirtualDevices

@Suite struct `Stored measurements that are moved in time` {
  private static let models: [VirtualDeviceModel] = [
    .ua651BLE(), .bm54(), .ut201BLE, .uc352BLE, .bf720, .accuChekGuide, .oneTouchVerioFlex, .o2Ring,
    .taiDocBloodPressure, .taiDocGlucose,
  ]
  private let morning = LocalDateTime(
    year: 2031, month: 2, day: 3, hour: 6, minute: 0, second: 0)

  private func times(_ model: VirtualDeviceModel) throws -> [Int] {
    try #require(model.make(VirtualClock()) as? any DatedMemory).measurementTimes.sorted()
  }

  @Test(arguments: models.indices)
  func `The newest measurement has the given time, and the others keep their distance`(
    index: Int
  ) throws {
    let model = Self.models[index]
    let (before, after) = (try times(model), try times(model.withNewestMeasurement(at: morning)))
    #expect(after.last == morning.secondsSince1970)
    #expect(after.count == before.count)
    #expect(zip(after, before).allSatisfy { $0 - $1 == after[0] - before[0] })
    #expect(model.withNewestMeasurement(at: morning).readingCount == model.readingCount)
  }

  /// All bytes that a device sends in answer to an input.
  private func sent(
    by model: VirtualDeviceModel, after input: VirtualDeviceInput
  ) -> [[UInt8]] {
    var device = model.withNewestMeasurement(at: morning).make(VirtualClock())
    return device.handle(input, at: DriverBench.noon).compactMap { output in
      guard case .send(_, let bytes) = output else { return nil }
      return bytes
    }
  }

  @Test func `Only the times of captured frames change`() throws {
    let frames = sent(by: .ua651BLE(), after: .subscribed(.bloodPressureMeasurement))
    let captured = BloodPressureFrames.capturedUA651BLE
    try #require(frames.count == captured.count)
    for (frame, original) in zip(frames, captured) {
      #expect(frame.prefix(7) == original.prefix(7))
      #expect(frame.dropFirst(14) == original.dropFirst(14))
    }
    // The year 2031, 3 February, 05:39:30 and 06:00:00.
    #expect(Array(frames[2][7..<14]) == [0xEF, 0x07, 2, 3, 5, 39, 30])
    #expect(Array(frames[3][7..<14]) == [0xEF, 0x07, 2, 3, 6, 0, 0])
  }

  @Test func `A recording of a ring is named by its new start`() {
    let request = ViatomFrame(.information).payload
    let answer = sent(by: .o2Ring, after: .written(.viatomRequests, request)).flatMap(\.self)
    #expect(String(decoding: answer, as: UTF8.self).contains("20310203060000.vld"))
  }

  @Test func `A device without stored times does not change`() throws {
    let model = VirtualDeviceModel.polarH10.withNewestMeasurement(at: morning)
    #expect(model.id == "polar-h10")
    #expect(!(model.make(VirtualClock()) is any DatedMemory))
    let empty = VirtualDeviceModel.ua651BLE(memory: []).withNewestMeasurement(at: morning)
    #expect(try times(empty) == [])
  }
}
