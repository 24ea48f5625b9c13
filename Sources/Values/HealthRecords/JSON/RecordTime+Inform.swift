// SPDX-License-Identifier: Apache-2.0

import SantorioJSON
import CivilCalendar

extension RecordTime {
  init(_ json: JSONReader) throws(RecordError) {
    let start = try json.member("start_time").instant()
    let detail = try json.optional("time")
    self.init(
      start: start, end: try json.optional("end_time")?.instant(),
      utcOffsetSeconds: try json.optional("utc_offset")?.integer(),
      offsetOrigin: try json.optional("offset_origin", OffsetOrigin.init),
      origin: try detail?.member("origin").origin() ?? .unknown,
      deviceTime: try detail?.optional("device_time")?.localTime(),
      received: try detail?.optional("received")?.instant() ?? start,
      clockDriftSeconds: try detail?.optional("clock_drift")?.number())
  }

  func writeInform(to json: inout JSONWriter) {
    json.optional("start_time", start)
    json.optional("end_time", end)
    json.optional("utc_offset", utcOffsetSeconds)
    json.optional("offset_origin", offsetOrigin?.rawValue)
    json.key("time")
    json.object { json in
      json.optional("origin", origin.rawValue)
      json.optional("device_time", deviceTime?.description)
      json.optional("received", knownReceipt)
      json.optional("clock_drift", clockDriftSeconds)
    }
  }
}

extension RecordTime.OffsetOrigin {
  fileprivate init(_ json: JSONReader) throws(RecordError) {
    guard let origin = Self(rawValue: try json.string()) else {
      throw json.invalid("must be source, profile or user_defined")
    }
    self = origin
  }
}

extension JSONReader {
  fileprivate func origin() throws(RecordError) -> RecordTime.Origin {
    guard let origin = RecordTime.Origin(rawValue: try string()) else {
      throw invalid("must be device, device_corrected, received, user or unknown")
    }
    return origin
  }
}
