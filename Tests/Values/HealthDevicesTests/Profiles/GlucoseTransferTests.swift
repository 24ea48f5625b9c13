// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import Testing

private func measurement(
  _ number: Int, minute: Int = 0, offset: Int16? = nil
) throws -> GlucoseMeasurement {
  let time = LocalDateTime(year: 2026, month: 3, day: 1, hour: 0, minute: minute, second: 0)
  return GlucoseMeasurement(
    sequenceNumber: UInt16(truncatingIfNeeded: number), baseTime: Timestamp(time),
    timeOffset: offset)
}

extension GlucoseTransfer.Batch {
  fileprivate var numbers: [Int] { records.map { Int($0.measurement.sequenceNumber) } }
}

/// Hands measurements to a transfer; what came out at once, and at the end.
private func transfer(
  _ numbers: [Int], since checkpoint: SyncCheckpoint? = nil, isComplete: Bool = true
) throws -> (early: [Int], checkpoints: [Int], end: GlucoseTransfer.Batch, isAnchored: Bool) {
  var transfer = GlucoseTransfer(since: checkpoint, key: CheckpointKey())
  var early: [Int] = []
  var checkpoints: [Int] = []
  for number in numbers {
    let batch = transfer.receive(try measurement(number))
    early += batch.numbers
    checkpoints += batch.checkpoint.map { [$0.sequenceNumber] } ?? []
  }
  let end = isComplete ? transfer.finish() : transfer.breakOff()
  return (early, checkpoints, end, transfer.isAnchored)
}

@Suite struct `Glucose transfer` {
  @Test func `releases all but the last eight at once`() throws {
    let result = try transfer(Array(1...12))

    #expect(result.early == [1, 2, 3, 4])
    #expect(result.checkpoints == [1, 2, 3, 4])
    #expect(result.end.numbers == Array(5...12))
    #expect(result.end.checkpoint == (try measurement(12)).checkpoint(key: CheckpointKey()))
  }

  @Test func `waits with a context that comes first or late`() throws {
    var transfer = GlucoseTransfer(since: nil, key: CheckpointKey())
    transfer.receive(GlucoseMeasurementContext(sequenceNumber: 1, meal: .fasting))
    var records: [GlucoseRecord] = []
    for number in 1...9 { records += transfer.receive(try measurement(number)).records }
    transfer.receive(GlucoseMeasurementContext(sequenceNumber: 2, meal: .casual))
    records += transfer.finish().records

    #expect(records.map(\.context?.meal) == [.fasting, .casual] + Array(repeating: nil, count: 7))
  }

  @Test func `leaves on the meter what waits for its context when it is broken off`() throws {
    var transfer = GlucoseTransfer(since: nil, key: CheckpointKey())
    for number in 1...3 {
      var measurement = try measurement(number)
      measurement.contextFollows = number > 1
      _ = transfer.receive(measurement)
    }
    transfer.receive(GlucoseMeasurementContext(sequenceNumber: 3, meal: .casual))

    let batch = transfer.breakOff()

    #expect(batch.numbers == [1])
    #expect(batch.checkpoint?.sequenceNumber == 1)
  }

  @Test func `withholds nothing for contexts that the meter never sends`() throws {
    for hasContexts in [true, false] {
      var transfer = GlucoseTransfer(since: nil, key: CheckpointKey())
      for number in 1...3 {
        var measurement = try measurement(number)
        measurement.contextFollows = true
        _ = transfer.receive(measurement)
      }
      let batch = transfer.breakOff(hasContexts: hasContexts)

      #expect(batch.numbers == [1, 2, 3])
      // Contexts that were announced and may come last are asked for again.
      #expect(batch.checkpoint?.sequenceNumber == (hasContexts ? nil : 3))
    }
  }

  @Test func `drops what the earlier transfer had`() throws {
    let result = try transfer(
      [7, 8, 9], since: try measurement(7).checkpoint(key: CheckpointKey()))

    #expect(result.isAnchored)
    #expect(result.end.numbers == [8, 9])
    #expect(result.end.checkpoint?.sequenceNumber == 9)
  }

  @Test func `comes no further when nothing is new`() throws {
    let result = try transfer([7], since: try measurement(7).checkpoint(key: CheckpointKey()))

    #expect(result.end.records.isEmpty)
    #expect(result.end.checkpoint == nil)
  }

  @Test func `knows its checkpoint whatever the user's clock shows`() throws {
    var transfer = GlucoseTransfer(
      since: try measurement(7, offset: 60).checkpoint(key: CheckpointKey()), key: CheckpointKey()
    )
    _ = transfer.receive(try measurement(7, offset: -120))

    #expect(transfer.isAnchored)
  }

  @Test
  func `takes everything for new when its checkpoint is gone or another record has its number`()
    throws
  {
    let gone = try transfer([8, 9], since: try measurement(7).checkpoint(key: CheckpointKey()))
    let another = try transfer(
      [7, 8], since: try measurement(7, minute: 1).checkpoint(key: CheckpointKey()))

    #expect(!gone.isAnchored)
    #expect(gone.end.numbers == [8, 9])
    #expect(!another.isAnchored)
    #expect(another.end.numbers == [7, 8])
  }

  @Test func `drops older records when the whole memory was sent`() throws {
    let result = try transfer(
      Array(1...20), since: try measurement(7).checkpoint(key: CheckpointKey()))

    #expect(result.early + result.end.numbers == Array(8...20))
    #expect(result.end.checkpoint?.sequenceNumber == 20)
  }

  @Test func `puts records in order that come newest first`() throws {
    let result = try transfer(Array((1...12).reversed()))

    #expect(result.early.isEmpty)
    #expect(result.end.numbers == Array(1...12))
    #expect(result.end.checkpoint?.sequenceNumber == 12)
  }

  @Test func `puts records in order across the step from 65535 to 0`() throws {
    let ascending = try transfer([65_534, 65_535, 65_536, 65_537])
    let descending = try transfer([65_537, 65_536, 65_535, 65_534])
    let since = try transfer(
      [65_536, 65_535], since: try measurement(65_535).checkpoint(key: CheckpointKey()))

    #expect(ascending.end.numbers == [65_534, 65_535, 0, 1])
    #expect(descending.end.numbers == [65_534, 65_535, 0, 1])
    #expect(descending.end.checkpoint?.sequenceNumber == 1)
    #expect(since.end.numbers == [0])
  }

  @Test func `takes once what was sent twice`() throws {
    let result = try transfer([1, 2, 2, 1, 3])

    #expect(result.end.numbers == [1, 2, 3])
  }

  @Test func `has come nowhere when it breaks off without order`() throws {
    let result = try transfer([12, 11, 10], isComplete: false)

    #expect(result.end.numbers == [10, 11, 12])
    #expect(result.end.checkpoint == nil)
  }

  @Test func `has come nowhere when older records follow what was released`() throws {
    let result = try transfer(Array(31...40) + [11, 12], isComplete: false)

    #expect(result.early == [31, 32])
    #expect(result.checkpoints == [31, 32, 0])
    #expect(result.end.numbers == [11, 12] + Array(33...40))
    #expect(result.end.checkpoint == nil)
  }

  @Test func `has come nowhere while an older record waits for its context`() throws {
    var transfer = GlucoseTransfer(since: nil, key: CheckpointKey())
    for number in Array(31...40) + [11, 12] {
      var measurement = try measurement(number)
      measurement.contextFollows = number == 12
      _ = transfer.receive(measurement)
    }

    let batch = transfer.settle()

    #expect(batch.numbers == [11])
    #expect(batch.checkpoint == nil)
    #expect(transfer.finish().checkpoint?.sequenceNumber == 40)
  }

  @Test func `has come as far as it came when it breaks off in order`() throws {
    let result = try transfer([10, 11, 12], isComplete: false)

    #expect(result.end.checkpoint?.sequenceNumber == 12)
  }

  @Test func `has come nowhere when it breaks off before its checkpoint`() throws {
    let result = try transfer(
      [1, 2], since: try measurement(7).checkpoint(key: CheckpointKey()), isComplete: false)

    #expect(result.end.numbers == [1, 2])
    #expect(result.end.checkpoint == nil)
  }
}
