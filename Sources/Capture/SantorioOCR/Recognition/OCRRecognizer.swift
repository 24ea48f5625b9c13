// SPDX-License-Identifier: Apache-2.0

public import DigitReader
public import Foundation
import HealthRecords

/// How a display is read.
public struct OCROptions: Hashable, Sendable {
  /// The unit that is set on the device; nil if it is to be read, or follows from the value.
  public var unit: DisplayUnit?
  /// After this time without a reading there is an end, with the reasons; nil for never.
  public var timeout: Duration? = .seconds(60)
  /// When frames agree; nil for the usual rules of the device.
  public var rules: ConvergenceRules?

  /// The usual ones.
  ///
  /// - Parameter unit: The unit that is set on the device.
  public init(unit: DisplayUnit? = nil) { self.unit = unit }
}

/// What came of a frame.
public enum OCROutcome: Hashable, Sendable {
  /// Frames do not agree yet.
  case partial(OCRResult)
  /// Frames agree; there is nothing more to do.
  case complete(OCRReading, OCRResult)
  /// Too much time has passed; why nothing could be read, the worst first.
  case timedOut([CaptureAdvice], OCRResult)
}

/// Reads the display of a device in the frames of a camera, on any platform.
///
/// It is not to be used by two threads at once.
public final class OCRRecognizer {
  /// The device.
  public let peripheral: OCRPeripheral
  /// How it is read.
  public let options: OCROptions
  private let reader: FrameReader
  private let now: @Sendable () -> Date
  private let timeZone: TimeZone
  private var started: Duration?

  /// Reads displays of a device.
  ///
  /// - Parameters:
  ///   - peripheral: The device.
  ///   - options: How it is read.
  ///   - timeZone: Where it is read.
  ///   - now: The time, for the record.
  /// - Throws: ``OCRError``.
  public init(
    _ peripheral: OCRPeripheral, options: OCROptions = OCROptions(), timeZone: TimeZone = .current,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(OCRError) {
    guard let layout = peripheral.layout(in: options.unit) else {
      throw .otherUnit(options.unit, peripheral)
    }
    do {
      reader = try FrameReader(layout, rules: options.rules)
    } catch {
      throw .damagedWeights
    }
    (self.peripheral, self.options, self.timeZone, self.now) = (peripheral, options, timeZone, now)
  }

  /// Looks at the next frame.
  ///
  /// - Parameters:
  ///   - frame: The image, upright.
  ///   - time: When it was taken, on any clock that goes on evenly.
  ///   - region: Where the display is, as by an overlay; nil to look for it everywhere.
  /// - Returns: What came of it.
  public func process(
    _ frame: GrayImage, at time: Duration, in region: PixelRegion? = nil
  ) -> OCROutcome {
    let start = started ?? time
    started = start
    let seen = reader.read(frame, at: time - start, in: region)
    var result = OCRResult(seen, region: seen.reading.area(in: frame) ?? region)
    if let final = seen.final, let reading = reading(final, result.region) {
      return .complete(reading, result)
    }
    if seen.final != nil { result.advice.insert(.chooseUnit, at: 0) }
    if let timeout = options.timeout, time - start >= timeout {
      return .timedOut(result.advice, result)
    }
    return .partial(result)
  }

  private func reading(_ final: FinalReading, _ region: PixelRegion?) -> OCRReading? {
    let values = final.values.map { $0.with(unit: $0.unit ?? options.unit ?? usualUnit) }
    guard
      let record = HealthRecord(values, of: peripheral, at: now(), timeZone: timeZone)
    else { return nil }
    return OCRReading(
      values: values, confidence: final.confidence, record: record, region: region)
  }

  private var usualUnit: DisplayUnit? { peripheral.usualUnit }

  /// Forgets all frames, for another reading.
  public func restart() {
    reader.restart()
    started = nil
  }
}

/// Why a display cannot be read at all.
public enum OCRError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The device does not show values in this unit.
  case otherUnit(DisplayUnit?, OCRPeripheral)
  /// The package was built without the weights of its networks.
  case damagedWeights

  /// What is wrong and what to do, in English.
  public var description: String {
    switch self {
    case .otherUnit(let unit, let peripheral):
      "A \(peripheral.name.lowercased()) has no values in \(unit?.rawValue ?? "this unit"); it has "
        + "\(peripheral.units.isEmpty ? "no unit to choose" : peripheral.units.map(\.rawValue).joined(separator: " or "))."
    case .damagedWeights: "The weights of the networks are missing: build the package again."
    }
  }
}
