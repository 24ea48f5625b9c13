// SPDX-License-Identifier: Apache-2.0

import CivilCalendar

/// The way of a workout out of doors.
struct Route {
  /// A place, in millionths of a degree and of a meter.
  struct Point {
    var time: Int
    var latitude: Int
    var longitude: Int
    var altitude: Int
  }

  let points: [Point]
  /// The name of its file in the folder of the export, `/workout-routes/route_2025-11-15_4.31pm.gpx`.
  let path: String

  init(_ life: Life, _ day: Int, _ exertion: Exertion) {
    var random = life.random(.route, day)
    // In the middle of an ocean: nobody lives there.
    var (latitude, longitude) = (31_000_000, -41_000_000)
    var points: [Point] = []
    for time in stride(from: exertion.interval.lowerBound, to: exertion.interval.upperBound, by: 9)
    {
      points.append(
        Point(
          time: time, latitude: latitude, longitude: longitude,
          altitude: random.number(3_000_000...4_000_000)))
      latitude += random.number(-90...120)
      longitude += random.number(-80...110)
    }
    self.points = points
    let end = exertion.interval.upperBound
    let local = LocalDateTime(
      secondsSince1970: end + life.timeline.clock(at: end).offset(at: end))
    let date = local.description.prefix(10)
    let minute = local.minute < 10 ? "0\(local.minute)" : "\(local.minute)"
    path =
      "/workout-routes/route_\(date)_\((local.hour + 11) % 12 + 1).\(minute)"
      + (local.hour < 12 ? "am" : "pm") + ".gpx"
  }

  /// The file, in the GPS Exchange Format.
  var gpx: String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
        <trk>
          <name>Route</name>
          <trkseg>

      """
    for point in points {
      let time = LocalDateTime(secondsSince1970: point.time)
      text +=
        "      <trkpt lon=\"\(Self.decimal(point.longitude))\""
        + " lat=\"\(Self.decimal(point.latitude))\"><ele>\(Self.decimal(point.altitude))</ele>"
        + "<time>\(time)Z</time><extensions><speed>1.4</speed><course>-1</course>"
        + "<hAcc>2.5</hAcc><vAcc>1.7</vAcc></extensions></trkpt>\n"
    }
    return text + "    </trkseg>\n  </trk>\n</gpx>\n"
  }

  private static func decimal(_ millionths: Int) -> String {
    let fraction = String(abs(millionths) % 1_000_000 + 1_000_000).dropFirst()
    return "\(millionths < 0 ? "-" : "")\(abs(millionths) / 1_000_000).\(fraction)"
  }
}
