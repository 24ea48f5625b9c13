// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import Testing

@Suite struct `Kinds of record in Inform form` {
  @Test(arguments: KindExample.all)
  func `are written member by member`(example: KindExample) throws {
    #expect(String(decoding: try example.record.informJSON(), as: UTF8.self) == example.json)
  }

  @Test(arguments: KindExample.all)
  func `are read back as the same record`(example: KindExample) throws {
    #expect(try HealthRecord(informJSON: example.json.utf8) == example.record)
  }

  @Test func `have equal bytes whatever the order in which parts were added`() throws {
    var one = KindExample.photographed.record
    var other = one
    one.extras = ["x": 1, "y": 2, "z": 3]
    other.extras = ["z": 3, "x": 1, "y": 2]
    one.source.devices = ["a": SourceDevice(), "b": SourceDevice()]
    other.source.devices = ["b": SourceDevice(), "a": SourceDevice()]
    #expect(one == other)
    #expect(try one.informJSON() == other.informJSON())
  }

  @Test func `keep a value that stands beside data points`() throws {
    let json = KindExample.intraday.json.replacingOccurrences(
      of: #""unit":"count","data_points""#, with: #""unit":"count","value":52.5,"data_points""#)
    let record = try HealthRecord(informJSON: json.utf8)
    #expect(record.metrics == [Metric(.steps, 52.5)])
    #expect(record.series == KindExample.intraday.record.series)
  }

  @Test func `ignore segments whose shape is not published`() throws {
    let json = KindExample.workout.json.replacingOccurrences(
      of: #"{"log_id""#, with: #"{"segments":[{"lap":1}],"log_id""#)
    #expect(try HealthRecord(informJSON: json.utf8) == KindExample.workout.record)
  }
}
