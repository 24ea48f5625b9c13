// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import Testing

@testable import SantorioCore

@Suite struct `Encoding of many records` {
  @Test(arguments: [0, 1, 25, 49, 50, 51, 99, 203])
  func `keeps their order, however they are shared out`(_ count: Int) throws {
    let records = (0..<count).map { reading("r\($0)") }

    let items = try OutboxItem.encoding(records)

    #expect(items.map(\.logID) == records.map(\.logID))
    #expect(try items.map(\.body) == records.map { try $0.informJSON() })
  }

  @Test(arguments: [3, 203]) func `names the first that cannot be encoded`(_ count: Int) {
    var records = (0..<count).map { reading("r\($0)") }
    records[count - 1] = reading("has a blank")
    records[count / 2] = reading("has a blank, too")

    let error = #expect(throws: SessionError.self) { try OutboxItem.encoding(records) }

    #expect(error?.code == .invalidRecord)
    #expect(error?.message == "record \(count / 2) of the call cannot be encoded")
  }
}
