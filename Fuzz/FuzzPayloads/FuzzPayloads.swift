// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import PayloadInspection
import Foundation
import HealthGATT

/// Before the first input: does something else when the arguments say so.
///
/// - `--rows` prints the names of the rows, in their order.
/// - `--count N` reads a name and a payload in hexadecimal digits a line, and feeds each row with N
///   mutations of its payloads.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_: UnsafeMutablePointer<CInt>?, _: UnsafeMutableRawPointer?) -> CInt {
  let arguments = CommandLine.arguments.dropFirst()
  if arguments == ["--rows"] {
    for row in CharacteristicCodec.all { print(row.characteristic) }
  } else if arguments.first == "--count", let count = arguments.last.flatMap({ Int($0) }) {
    Mutation.run(count)
  } else {
    return 0
  }
  exit(0)
}

/// One input: the first byte chooses a row of the table of payloads, the others are the payload.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  guard let selector = input.first else { return 0 }
  let rows = CharacteristicCodec.all
  exercise(rows[Int(selector) % rows.count], Array(input.dropFirst()))
  return 0
}

/// A key for what is encrypted, so that more than its absence is tried; the one of a vector.
private let parameters = ["key": "02d2900363ef629c736a4549677acbee", "mac": "04:AE:47:67:C6:7C"]

/// Decodes, looks at all fields, encodes what can be encoded, and decodes that again.
func exercise(_ row: CharacteristicCodec, _ payload: [UInt8]) {
  do throws(PayloadError) {
    let value = try row.value(payload, parameters: parameters)
    let fields = value.fields
    inspect(value)
    // What is encrypted cannot be compared without what it was encrypted with.
    guard let written = (value as? any CharacteristicValue)?.payload,
      (try? row.value(payload)) != nil
    else { return }
    expect(
      (try? row.value(written))?.fields == fields,
      "\(row.name) is not the same again")
    // Texts are cut at their end; all else gives the very bytes back.
    expect(value is DeviceInformationString || written == payload, "\(row.name): other bytes")
  } catch {
    let offset = error.offset ?? -1
    expect((0...payload.count).contains(offset), "offset outside the payload: \(error)")
  }
}

private func inspect(_ value: any FieldRepresentable) {
  switch value {
  case let value as MedicalFloat16: inspect(value)
  case let value as MedicalFloat32: inspect(value)
  case let value as DateTime: inspect(value)
  case let value as BloodPressureMeasurement: inspect(value)
  default: break
  }
}

/// Ends the process with a message, which the fuzzer takes for a crash.
private func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}

private func inspect(_ value: MedicalFloat16) {
  expect(value.double?.isFinite != false, "is not finite")
  expect((try? MedicalFloat16(value.number)) == value, "does not hold its own number")
}

private func inspect(_ value: MedicalFloat32) {
  expect(value.double?.isFinite != false, "is not finite")
  expect((try? MedicalFloat32(value.number)) == value, "does not hold its own number")
}

private func inspect(_ value: DateTime) {
  expect(!value.isOnCalendar || value.day != nil, "a day that is unknown is on the calendar")
}

private func inspect(_ value: BloodPressureMeasurement) {
  expect(!(value.isFailed && value.hasResult), "failed with a result")
  _ = (value.systolicPressure?.millimetersOfMercury, value.meanPressure?.kilopascals)
  _ = (value.timestamp?.dateTime, value.measurementStatus?.pulseRateRange)
}
