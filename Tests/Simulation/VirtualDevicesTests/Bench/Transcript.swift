// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import HealthRecords
import TestSupport

/// What a driver was given (`<`) and what it did (`>`), line by line, for a comparison with a file.
struct Transcript {
  private(set) var lines: [String] = []
  private var elapsed: Duration?

  /// Lines of which a recording of hours shows the first ones and a checksum of the rest.
  static func folded(_ lines: [String], after count: Int = 250) -> [String] {
    guard lines.count > count else { return lines }
    // FNV-1a, which is the same in every process.
    let sum = lines.dropFirst(count).joined(separator: "\n").utf8.reduce(
      0xcbf2_9ce4_8422_2325 as UInt64
    ) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let rest = "\(lines.count - count) more lines, checksum \(String(sum, radix: 16))"
    return lines.prefix(count) + [rest]
  }

  mutating func note(_ event: DriverEvent, at time: Duration) {
    // An answer to every write says nothing.
    if case .written = event { return }
    add("< \(Self.text(event))", at: time)
  }

  mutating func note(_ action: DriverAction, at time: Duration) {
    add("> \(Self.text(action))", at: time)
  }

  mutating func note(_ advertisement: Advertisement, at time: Duration) {
    let data = advertisement.serviceData.map { "\($0.key)=\($0.value.hexadecimal)" }.sorted()
    let company = advertisement.manufacturerData.hexadecimal
    let line = "< advertisement \(company) \(data.joined(separator: " "))"
    // Repeated until somebody listens.
    if lines.last != line { add(line, at: time) }
  }

  private mutating func add(_ line: String, at time: Duration) {
    if time != elapsed { lines.append("@ \(Self.seconds(time))") }
    elapsed = time
    lines.append(line)
  }

  private static func seconds(_ time: Duration) -> String {
    let (seconds, attoseconds) = time.components
    return "\(seconds) s \(attoseconds / 1_000_000_000_000_000) ms"
  }

  private static func text(_ event: DriverEvent) -> String {
    switch event {
    case .value(let attribute, let bytes): "\(text(attribute)): \(bytes.hexadecimal)"
    case .readFailed(let attribute, let failure): "\(text(attribute)) not read: \(text(failure))"
    case .writeFailed(let attribute, let failure):
      "\(text(attribute)) not written: \(text(failure))"
    case .subscribed(let attribute): "subscribed to \(text(attribute))"
    case .subscriptionFailed(let attribute, let failure):
      "not subscribed to \(text(attribute)): \(text(failure))"
    default: "\(event)"
    }
  }

  private static func text(_ action: DriverAction) -> String {
    switch action {
    case .read(let attribute): "read \(text(attribute))"
    case .write(let attribute, let bytes): "write \(text(attribute)): \(bytes.hexadecimal)"
    case .writeWithoutResponse(let attribute, let bytes):
      "write without response \(text(attribute)): \(bytes.hexadecimal)"
    case .subscribe(let attribute): "subscribe to \(text(attribute))"
    case .unsubscribe(let attribute): "unsubscribe from \(text(attribute))"
    case .unread(let attribute): "unread \(text(attribute))"
    case .deliver(let reading): "deliver \(text(reading))"
    case .advance(let checkpoint): "advance \(checkpoint.memory) to \(checkpoint.sequenceNumber)"
    case .keep(let secret, let bytes): "keep \(secret.rawValue): \(bytes.hexadecimal)"
    case .fail(let failure): "fail, \(failure.kind): \(failure.message)"
    case .fact(let fact): "fact \(fact)"
    default: "\(action)"
    }
  }

  private static func text(_ attribute: GATTAttribute) -> String {
    "\(attribute.service.prefix(8))/\(attribute.characteristic.prefix(8))"
  }

  private static func text(_ failure: RequestFailure) -> String {
    "ATT error \(failure.code.map { String($0) } ?? "none")"
  }

  private static func text(_ reading: DeviceReading) -> String {
    var parts = reading.values.map { metric in
      let number = metric.bound == nil ? metric.value.map { "\($0)" } : nil
      return "\(metric.type.rawValue) \(number ?? metric.valueText)"
    }
    for series in reading.series {
      let values = series.values.map { $0.map { "\($0)" } ?? "-" }
      parts.append(
        "\(series.type.rawValue) every \(series.secondsBetween) s: \(values.joined(separator: " "))"
      )
    }
    switch reading.clock {
    case .local(let time)?: parts.append("at \(time) of the device")
    case .universal(let seconds)?: parts.append("at \(seconds)")
    case .age(let seconds)?: parts.append("\(seconds) s old")
    case nil: break
    }
    if let time = reading.identityTime { parts.append("base time \(time)") }
    if let number = reading.sequenceNumber { parts.append("number \(number)") }
    if let slot = reading.userSlot { parts.append("slot \(slot)") }
    if let meal = reading.mealRelationship { parts.append("\(meal.rawValue)") }
    parts += reading.findings.map { "\($0.name)=\($0.value)" }
    if let rejection = reading.rejection {
      parts.append("rejected, \(rejection.reason.rawValue): \(rejection.message)")
    }
    return parts.joined(separator: ", ")
  }
}
