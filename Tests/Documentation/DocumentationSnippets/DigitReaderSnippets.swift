// SPDX-License-Identifier: Apache-2.0

import DigitReader

private func reading(_ photo: GrayImage) throws {
  let reader = try DigitReader()
  let reading = reader.read(photo, as: .bloodPressure)
  if let doubt = reading.doubt {
    print("not sure: \(doubt.rawValue)")
  } else {
    for value in reading.values { print(value.label, value.text) }
  }
}
