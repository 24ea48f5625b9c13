// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import CivilCalendar

/// A blood pressure reading of 17 April 2018, 15:51 in a zone two hours east of Greenwich.
enum Example {
  static let metrics = [
    Metric(.systolic, 120), Metric(.diastolic, 80), Metric(.pulse, 61.5),
  ]

  static let record = HealthRecord(
    logID: "0123456789abcdef0123456789abcdef",
    time: RecordTime(
      start: Date(timeIntervalSince1970: 1_523_973_060), utcOffsetSeconds: 7200,
      offsetOrigin: .source, origin: .device,
      deviceTime: LocalDateTime(
        year: 2018, month: 4, day: 17, hour: 15, minute: 51, second: 0),
      received: Date(timeIntervalSince1970: 1_523_973_100.25), clockDriftSeconds: -3.5),
    source: RecordSource(
      type: .bluetooth,
      device: SourceDevice(
        id: "5160400123", manufacturer: "A&D", model: "UA-651BLE", serialNumber: "5160400123",
        batteryPercent: 90, peripheralID: 2)),
    metrics: metrics, tags: [RecordTag(name: "irregular_pulse", value: "true")],
    userNotes: [UserNote(type: "message", value: "after \"lunch\"\n\u{1}é")])

  static let json = #"""
    {"log_id":"0123456789abcdef0123456789abcdef","type":"measurement","version":"1.0",\#
    "start_time":"2018-04-17T13:51:00Z","end_time":"2018-04-17T13:51:00Z","utc_offset":7200,\#
    "offset_origin":"source","time":{"origin":"device","device_time":"2018-04-17T15:51:00",\#
    "received":"2018-04-17T13:51:40.250Z","clock_drift":-3.5},\#
    "source":{"type":"bluetooth","device":{"id":"5160400123","manufacturer":"A&D",\#
    "model":"UA-651BLE","serial_number":"5160400123","battery":90,"peripheral_id":2}},\#
    "metrics":[{"type":"systolic","origin":"device","unit":"mmHg","value":120},\#
    {"type":"diastolic","origin":"device","unit":"mmHg","value":80},\#
    {"type":"pulse","origin":"device","unit":"bpm","value":61.5}],\#
    "tags":[{"name":"irregular_pulse","value":"true"}],\#
    "user_notes":[{"type":"message","value":"after \"lunch\"\u000a\u0001é"}]}
    """#
}
