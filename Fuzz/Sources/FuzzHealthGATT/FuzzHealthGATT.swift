// SPDX-License-Identifier: Apache-2.0

import HealthGATT

/// One input: the first octet chooses a type, the others are its payload.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let selector = input.first else { return 0 }
  exercises[Int(selector) % exercises.count](Array(input.dropFirst()))
  return 0
}

private let exercises: [@Sendable ([UInt8]) -> Void] = [
  { exercise(MedicalFloat16.self, $0) { inspect($0) } },
  { exercise(MedicalFloat32.self, $0) { inspect($0) } },
  { exercise(DateTime.self, $0) { inspect($0) } },
  { exercise(CurrentTime.self, $0) { inspect($0.dateTime) } },
  { exercise(LocalTimeInformation.self, $0) { _ = ($0.offsetFromUTC, $0.daylightSavingTime) } },
  { exercise(ReferenceTimeInformation.self, $0) { _ = ($0.accuracy, $0.timeSinceUpdate) } },
  { exercise(BloodPressureMeasurement.self, $0) { inspect($0) } },
  {
    exercise(IntermediateCuffPressure.self, $0) {
      _ = ($0.pressure?.millimetersOfMercury, $0.timeStamp?.dateTime)
    }
  },
  { exercise(BloodPressureFeature.self, $0) { _ in } },
  { exercise(BatteryLevel.self, $0) { expect((0...100).contains($0.percent), "no percentage") } },
  { exercise(SystemID.self, $0) { _ = $0.organizationallyUniqueIdentifier } },
  { exercise(PnPID.self, $0) { _ in } },
  { exercise(DeviceInformationString.self, $0, isExact: false) { _ = $0.text.count } },
]

/// Decodes, looks at the derived properties, encodes and compares; an exact type gives the very
/// octets back.
private func exercise<Value: CharacteristicValue>(
  _: Value.Type, _ payload: [UInt8], isExact: Bool = true, inspect: (Value) -> Void
) {
  do throws(PayloadError) {
    let value = try Value(payload: payload)
    inspect(value)
    let encoded = value.payload
    expect(!isExact || encoded == payload, "\(Value.self) encodes to other octets")
    expect((try? Value(payload: encoded)) == value, "\(Value.self) is not the same again")
  } catch {
    let offset = error.offset ?? -1
    expect((0...payload.count).contains(offset), "offset outside the payload: \(error)")
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
  _ = (value.timeStamp?.dateTime, value.measurementStatus?.pulseRateRange)
}
