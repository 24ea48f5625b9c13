// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import PayloadTesting
import HealthGATT
import TestSupport
import Testing

@Suite struct `OneTouch frame` {
  @Test func `writes the request for the clock as it was captured`() throws {
    let frame = try OneTouchFrame(.selectPlus, message: OneTouchRequest.readClock.message)

    #expect(frame.payload.prefix(7) == [0x02, 0x09, 0x00, 0x04, 0x20, 0x02, 0x03])
    #expect(try OneTouchFrame(payload: frame.payload) == frame)
  }

  @Test(arguments: [
    ("01 0800 04 06 03 78C1", PayloadError.Code.reservedValue, "Start", 0),
    ("02 0700 04 06 03 78C1", .outOfRange, "Length", 1),
    ("02 0800 05 06 03 78C1", .reservedValue, "Family", 3),
    ("02 0800 04 06 04 78C1", .reservedValue, "End", 5),
    ("02 0800 04 06 03 78C2", .checksumMismatch, "Checksum", 6),
    ("02 0900 04 06 03 78C1", .reservedValue, "End", 6),
    ("02 0800 04 06 03 78C1 00", .trailingBytes, "Value", 8),
  ])
  func `that is damaged is refused`(
    hex: String, code: PayloadError.Code, field: String, offset: Int
  ) throws {
    let error = try refusal(of: bytes(hex), as: "onetouch-frame")

    #expect(error.code == code)
    #expect(error.field == field)
    #expect(error.offset == offset)
  }

  @Test func `that is cut names the field`() throws {
    let frame = try bytes("02 0800 04 06 03 78C1")
    let fields = ["Start", "Length", "Length", "Family", "Message", "End", "Checksum", "Checksum"]

    for (length, field) in fields.enumerated() {
      let error = try refusal(of: Array(frame[..<length]), as: "onetouch-frame")
      #expect(error.code == .truncated)
      #expect(error.field == field)
    }
  }

  @Test(arguments: [0, 65_529])
  func `cannot be made of a message that has no length`(count: Int) {
    #expect(throws: PayloadError.self) {
      _ = try OneTouchFrame(.verio, message: Array(repeating: 0x06, count: count))
    }
  }
}

@Suite struct `OneTouch transport` {
  private static let text = OneTouchReply(text: "OneTouch Select Plus Flex")

  /// Carries a frame from one end to the other, block by block, and notes what is on the air.
  private func exchange(_ frame: OneTouchFrame) throws -> (air: [[UInt8]], arrived: [OneTouchFrame])
  {
    var sender = OneTouchTransport(.client)
    var receiver = OneTouchTransport(.meter)
    var air: [[UInt8]] = []
    var arrived: [OneTouchFrame] = []
    var pending = [(toReceiver: true, bytes: try sender.send(frame))]
    while !pending.isEmpty {
      let (toReceiver, bytes) = pending.removeFirst()
      air.append(bytes)
      let outputs =
        toReceiver ? try receiver.received(bytes) : try sender.received(bytes)
      for output in outputs {
        switch output {
        case .send(let bytes): pending.append((!toReceiver, bytes))
        case .received(let frame): arrived.append(frame)
        }
      }
    }
    return (air, arrived)
  }

  @Test func `carries a short frame in one block and acknowledges it with 81`() throws {
    let frame = try OneTouchFrame(payload: bytes("02 0800 04 06 03 78C1"))

    let (air, arrived) = try exchange(frame)

    #expect(air == [try bytes("01 02 0800 04 06 03 78C1"), [0x81]])
    #expect(arrived == [frame])
  }

  @Test func `carries a long frame in blocks of 20 bytes, each acknowledged`() throws {
    let frame = try OneTouchFrame(.selectPlus, message: Self.text.payload)

    let (air, arrived) = try exchange(frame)

    #expect(arrived == [frame])
    #expect(air.map { $0.first } == [0x04, 0x84, 0x43, 0x83, 0x42, 0x82, 0x41, 0x81])
    #expect(air.map(\.count).max() == 20)
  }

  @Test func `takes later blocks that are counted up`() throws {
    let frame = try OneTouchFrame(.selectPlus, message: Self.text.payload)
    let parts = frame.payload
    var receiver = OneTouchTransport(.meter)

    _ = try receiver.received([0x04] + parts[0..<19])
    _ = try receiver.received([0x41] + parts[19..<38])
    let third = try receiver.received([0x42] + parts[38..<57])
    let last = try receiver.received([0x43] + parts[57...])

    #expect(third == [.send([0x82])])
    #expect(last == [.send([0x83]), .received(frame)])
  }

  @Test func `starts anew with a first block when a frame was broken off`() throws {
    let frame = try OneTouchFrame(payload: bytes("02 0800 04 06 03 78C1"))
    var receiver = OneTouchTransport(.meter)
    _ = try receiver.received([0x03, 0x02, 0x40, 0x00])

    let outputs = try receiver.received([0x01] + frame.payload)

    #expect(outputs == [.send([0x81]), .received(frame)])
  }

  @Test func `refuses a later block that no first one announced`() {
    var receiver = OneTouchTransport(.meter)

    #expect(throws: PayloadError.self) { try receiver.received([0x41, 0x01]) }
  }

  @Test(arguments: [[], [0x00], [0x00, 0x02]] as [[UInt8]])
  func `refuses an empty block and one that announces none`(bytes: [UInt8]) {
    var receiver = OneTouchTransport(.meter)

    #expect(throws: PayloadError.self) { try receiver.received(bytes) }
  }

  @Test func `is ready for another frame after a damaged one`() throws {
    let frame = try OneTouchFrame(payload: bytes("02 0800 04 06 03 78C1"))
    var receiver = OneTouchTransport(.meter)
    #expect(throws: PayloadError.self) {
      try receiver.received(bytes("01 02 0800 04 06 03 78C0"))
    }

    #expect(try receiver.received([0x01] + frame.payload).last == .received(frame))
  }

  @Test func `has nothing to send after an acknowledgement too many`() throws {
    var sender = OneTouchTransport(.client)

    #expect(try sender.received([0x81]) == [])
  }

  @Test func `takes no answer before the request was acknowledged`() throws {
    let frame = try OneTouchFrame(payload: bytes("02 0800 04 06 03 78C1"))
    var client = OneTouchTransport(.client)
    _ = try client.send(frame)

    #expect(try client.received([0x01] + frame.payload) == [])
    #expect(try client.received([0x81]) == [])
    #expect(try client.received([0x01] + frame.payload) == [.send([0x81]), .received(frame)])
  }

  @Test func `does not take more than a byte for an acknowledgement`() throws {
    var client = OneTouchTransport(.client)

    #expect(throws: PayloadError.self) { try client.received([0x81, 0x00]) }
  }

  @Test func `refuses a frame of more than 63 blocks`() throws {
    var sender = OneTouchTransport(.client)
    let longest = try OneTouchFrame(.verio, message: Array(repeating: 0x06, count: 63 * 19 - 7))
    let tooLong = try OneTouchFrame(.verio, message: Array(repeating: 0x06, count: 63 * 19 - 6))

    #expect(try sender.send(longest).first == 63)
    #expect(throws: PayloadError.self) { _ = try sender.send(tooLong) }
  }
}

@Suite struct `OneTouch record` {
  @Test func `counts from midnight of the 1st of January 2000, not a second before`() throws {
    let record = try OneTouchRecord(payload: bytes("00000000 6400 00 0000 00 00"))

    #expect(record.dateTime == LocalDateTime("2000-01-01T00:00:00"))
  }

  @Test func `is in milligrams per deciliter`() throws {
    let record = try OneTouchRecord(payload: bytes("4BBE6A26 A800 00 0000 02 00"))

    #expect(record.milligramsPerDeciliter == 168)
    #expect(record.meal == .after)
    #expect(!record.isControlSolution)
  }

  @Test func `of the control solution says so`() throws {
    #expect(try OneTouchRecord(payload: bytes("4BBE6A26 A800 01 0000 00 00")).isControlSolution)
  }

  @Test func `that is cut names the field`() throws {
    let record = try bytes("4BBE6A26 A800 00")
    let fields = Array(repeating: "Time", count: 4) + ["Glucose", "Glucose", "Control Solution"]

    for (length, field) in fields.enumerated() {
      let error = try refusal(of: Array(record[..<length]), as: "onetouch-record")
      #expect(error.field == field)
    }
    #expect(try OneTouchRecord(payload: record).meal == nil)
  }

  @Test func `is written as it is read`() throws {
    let record = OneTouchRecord(
      secondsSince2000: 644_529_739, milligramsPerDeciliter: 168, meal: .before)

    #expect(record.payload == (try bytes("4BBE6A26 A800 00 0000 01 00")))
    #expect(try OneTouchRecord(payload: record.payload) == record)
  }
}

@Suite struct `OneTouch request` {
  @Test(arguments: [
    (OneTouchRequest.readClock, "2002"), (.setClock(secondsSince2000: 0x2866_F25A), "20015AF26628"),
    (.newestRecordID, "0A0206"), (.recordCount, "2700"), (.record(id: 0x0102), "B30201"),
    (.text(.serialNumber), "E60200"),
  ])
  func `is written and read`(request: OneTouchRequest, hex: String) throws {
    #expect(request.message == (try bytes(hex)))
    #expect(try OneTouchRequest(message: request.message) == request)
  }

  @Test(arguments: ["1A", "", "2001", "B301", "0A0106", "310200"])
  func `that is not known is refused, like that to erase the memory`(hex: String) throws {
    #expect(throws: PayloadError.self) { _ = try OneTouchRequest(message: bytes(hex)) }
  }
}

@Suite struct `OneTouch reply` {
  @Test func `gives the number, the count and the record that it carries`() throws {
    #expect(try OneTouchReply(payload: bytes("06 4BBE6A26")).number() == 644_529_739)
    #expect(try OneTouchReply(payload: bytes("06 F401")).recordCount() == 500)
    let record = try OneTouchReply(payload: bytes("06 4BBE6A26 A800 00 0000 00 00")).record()
    #expect(record?.milligramsPerDeciliter == 168)
  }

  @Test func `has no record where the memory has none`() throws {
    #expect(try OneTouchReply(payload: [0x06]).record() == nil)
    #expect(try OneTouchReply(payload: [0x09]).record() == nil)
  }

  @Test func `that reports a failure gives no number`() throws {
    #expect(throws: PayloadError.self) {
      try OneTouchReply(payload: bytes("07 01000000")).number()
    }
    #expect(throws: PayloadError.self) { try OneTouchReply(payload: bytes("06 010000")).number() }
    #expect(throws: PayloadError.self) { try OneTouchReply(payload: bytes("08")).recordCount() }
  }

  @Test func `carries a text in UTF-16`() throws {
    #expect(try OneTouchReply(payload: bytes("06 4A00 3700 5200 0000")).text() == "J7R")
    #expect(try OneTouchReply(text: "J7R").payload == bytes("06 4A00 3700 5200 0000"))
  }
}

@Suite struct `Seconds since 2000` {
  @Test(arguments: [
    (0, "D007 01 01 00 00 00"), (5_097_600, "D007 02 1D 00 00 00"),
    (5_184_000, "D007 03 01 00 00 00"), (31_622_399, "D007 0C 1F 17 3B 3B"),
    (31_622_400, "D107 01 01 00 00 00"), (762_220_799, "E807 02 19 17 3B 3B"),
    (3_160_857_599, "3408 02 1C 17 3B 3B"), (3_160_857_600, "3408 03 01 00 00 00"),
    (4_294_967_295, "5808 02 07 06 1C 0F"),
  ])
  func `are the time that a clock shows, and back`(seconds: UInt32, hex: String) throws {
    let dateTime = try #require(DateTime(payload: bytes(hex)).localDateTime)

    #expect(LocalDateTime(secondsSince2000: seconds) == dateTime)
    #expect(dateTime.secondsSince2000 == seconds)
  }

  @Test(arguments: ["1999-12-31T23:59:59", "2023-02-29T00:00:00"])
  func `are not known before 2000 and of no day of the calendar`(text: String) throws {
    #expect(try #require(LocalDateTime(text)).secondsSince2000 == nil)
  }
}
