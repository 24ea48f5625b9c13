// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

extension SyntheticHealthExport.Truth {
  /// The truth as JSON (UTF-8), with the names of the properties; equal truths make equal bytes.
  public var json: [UInt8] {
    var json = JSONWriter(capacity: 1 << 16)
    json.object { json in
      json.key("options")
      options.write(&json)
      json.integer("dayCount", dayCount)
      json.integer("exportTime", exportTime)
      json.integer("documentBytes", documentBytes)
      json.key("elements")
      json.counts(elements)
      json.integer("topLevelRecords", topLevelRecords)
      json.list("types", types) { $1.write(&$0) }
      json.list("grids", grids) { json, grid in
        json.object { json in
          json.text("name", grid.name)
          json.list("days", grid.days) { $1.write(&$0) }
        }
      }
      json.list("workouts", workouts) { $1.write(&$0) }
      json.list("bloodPressures", bloodPressures) { $1.write(&$0) }
      json.list("faults", faults) { $1.write(&$0) }
    }
    return json.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func integer(_ name: StaticString, _ value: Int) {
    key(name)
    integer(value)
  }

  fileprivate mutating func text(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  fileprivate mutating func counts(_ counts: [String: Int]) {
    object { json in
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        json.key(text: name)
        json.integer(count)
      }
    }
  }

  fileprivate mutating func sums(_ name: StaticString, _ sums: SyntheticHealthExport.Sums?) {
    guard let sums else { return }
    key(name)
    object { json in
      json.optional("naive", sums.naive)
      json.optional("merged", sums.merged)
    }
  }
}

extension SyntheticHealthExport.Options {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      switch size {
      case .days(let days): json.integer("days", days)
      case .bytes(let bytes): json.integer("bytes", bytes)
      }
      json.text("seed", String(seed))
      json.text("lastDay", lastDay.description)
      json.text("timeZone", timeZone)
      if let abroad {
        json.key("abroad")
        json.object { json in
          json.text("timeZone", abroad.timeZone)
          json.text("first", abroad.first.description)
          json.text("last", abroad.last.description)
        }
      }
      json.text("offsets", offsets.rawValue)
      json.text("version", version.rawValue)
      json.text("units", units.rawValue)
      json.text("documentName", documentName)
    }
  }
}

extension SyntheticHealthExport.TypeCount {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.text("identifier", identifier)
      json.optional("unit", unit)
      json.integer("count", count)
      json.integer("distinct", distinct)
      json.optional("sum", unit == nil ? nil : sum)
      if !categories.isEmpty {
        json.key("categories")
        json.counts(categories)
      }
      json.integer("firstStart", firstStart)
      json.integer("lastStart", lastStart)
    }
  }
}

extension SyntheticHealthExport.DayTruth {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.text("date", date.description)
      json.integer("start", start)
      json.integer("end", end)
      json.sums("steps", steps)
      json.sums("meters", meters)
      json.sums("flights", flights)
      json.sums("activeEnergy", activeEnergy)
      json.optional("exerciseMinutes", exerciseMinutes)
      json.optional("stoodHours", stoodHours)
      json.optional("idleHours", idleHours)
      json.optional("mindfulMinutes", mindfulMinutes)
      if let heartRate {
        json.key("heartRate")
        json.object { json in
          json.integer("count", heartRate.count)
          json.integer("minimum", heartRate.minimum)
          json.integer("maximum", heartRate.maximum)
          json.optional("average", heartRate.average)
        }
      }
      if let sleep {
        json.key("sleep")
        sleep.write(&json)
      }
    }
  }
}

extension SyntheticHealthExport.Sleep {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.integer("awake", awake)
      json.integer("core", core)
      json.integer("deep", deep)
      json.integer("rem", rem)
      json.integer("unspecified", unspecified)
      json.integer("unspecifiedOutsideStages", unspecifiedOutsideStages)
      json.integer("asleep", asleep)
      json.integer("inBed", inBed)
    }
  }
}

extension SyntheticHealthExport.Workout {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.text("activity", activity)
      json.text("source", source)
      json.text("form", form.rawValue)
      json.integer("start", start)
      json.integer("end", end)
      json.integer("durationSeconds", durationSeconds)
      json.optional("hasPause", hasPause)
      json.optional("energy", energy)
      json.optional("meters", meters)
      json.optional("distanceType", distanceType)
      json.optional("averageHeartRate", averageHeartRate)
      json.optional("minimumHeartRate", minimumHeartRate)
      json.optional("maximumHeartRate", maximumHeartRate)
      json.optional("route", route)
      json.optional("timeZone", timeZone)
    }
  }
}

extension SyntheticHealthExport.BloodPressure {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.integer("time", time)
      json.integer("systolic", systolic)
      json.integer("diastolic", diastolic)
      json.text("source", source)
      json.optional("isUserEntered", isUserEntered)
    }
  }
}

extension SyntheticHealthExport.Fault {
  fileprivate func write(_ json: inout JSONWriter) {
    json.object { json in
      json.text("kind", kind.rawValue)
      json.integer("offset", offset)
      json.integer("count", count)
      json.text("expectation", expectation)
    }
  }
}
