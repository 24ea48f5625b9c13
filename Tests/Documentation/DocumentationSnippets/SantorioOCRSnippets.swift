// SPDX-License-Identifier: Apache-2.0

import DigitReader
import SantorioCore
import SantorioOCR

private func reading(
  _ camera: some FrameSource, _ session: SantorioSession,
  _ show: (String, String?) -> Void, _ confirms: (OCRReading) async -> Bool
) async throws {
  guard let meter = OCRPeripheral.peripheral(forID: 9) else { return }
  let recognizer = try OCRRecognizer(meter, options: OCROptions(unit: .millimolesPerLitre))
  var frames = camera
  let result = try recognizer.read(from: &frames) { _, outcome in
    if case .partial(let seen) = outcome { show(seen.string, seen.advice.first?.text) }
  }
  guard let result, await confirms(result.reading) else { return }
  try await session.submit(result.reading.record, image: try result.frame.image.jpeg())
}
