// SPDX-License-Identifier: Apache-2.0

import ClinicalUnits
public import DigitReader
public import Foundation
public import HealthRecords
import SantorioConcurrency
public import SantorioCore
public import SantorioOCR

/// Reads the display of a device with a camera: from the choice of the device to the reading that a
/// person has checked.
///
/// The frames are looked at elsewhere: by `OCRViewController` on iOS, by `OCRRecognizer` anywhere. This
/// model is given what comes of them.
@MainActor public final class DisplayModel: ViewModel<DisplayModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The kinds of display to choose from.
    public let displays: [OCRPeripheral]
    /// The one that was chosen; nil before that.
    public internal(set) var display: OCRPeripheral?
    /// The unit that is set on the device; nil if it is to be read on the display.
    public internal(set) var unit: DisplayUnit?
    /// What happens.
    public internal(set) var step = Step.choosing
    /// The values to check.
    public internal(set) var fields: [Field] = []
    /// Why it did not work, or was not sent; nil when there is nothing.
    public internal(set) var problem: Problem?
  }

  /// What happens.
  public enum Step: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kind of display is chosen.
    case choosing
    /// Frames are looked at: the digits so far, and what to do so that they can be read.
    case capturing(String, Phrase?)
    /// The person checks the values.
    case checking
    /// The reading is being stored.
    case sending
    /// The reading is on its way to the server.
    case sent

    /// The step without digits, so that it may be logged.
    public var description: String {
      switch self {
      case .choosing: "choosing"
      case .capturing: "capturing"
      case .checking: "checking"
      case .sending: "sending"
      case .sent: "sent"
      }
    }
    /// Empty, so that a dump shows no digits either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }

  /// A value to check.
  public struct Field: Hashable, Sendable, Identifiable, CustomStringConvertible,
    CustomReflectable
  {
    /// What was measured.
    public let type: MetricType
    /// Its name.
    public let name: Phrase
    /// The number as the display shows it, or as the person has corrected it.
    public internal(set) var text: String
    /// The unit of the number.
    public let unit: String
    /// What is wrong with the number; nil when it is plausible.
    public internal(set) var problem: Phrase?
    /// What was measured, as a text.
    public var id: String { type.rawValue }
    /// The name alone, so that it may be logged.
    public var description: String { type.rawValue }
    /// Empty, so that a dump shows no value either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
    /// What the display shows.
    let original: String
  }

  private let session: SantorioSession
  private let locale: Locale
  private var reading: OCRReading?
  private var photo: Data?
  private typealias User = (userID: String, organizationID: String)
  /// Who reads the display, and whose reading it stays; nil while nobody is signed in.
  private var owner: Result<User?, SessionError> = .success(nil)
  private var watch: PersonWatch?

  /// A model of the capture of a display.
  ///
  /// - Parameters:
  ///   - session: Where the reading goes.
  ///   - displays: The kinds of display to choose from.
  ///   - locale: How numbers are written.
  public init(
    _ session: SantorioSession,
    displays: [OCRPeripheral] = OCRPeripheral.supportedPeripherals(),
    locale: Locale = .autoupdatingCurrent
  ) {
    self.session = session
    self.locale = locale
    super.init(State(displays: displays))
    watch = PersonWatch(session) { [weak self] in self?.giveUp() }
  }

  // MARK: - The choice

  /// Chooses the kind of display.
  ///
  /// - Parameter display: The kind; its unit is read on the display until one is chosen.
  public func choose(_ display: OCRPeripheral) {
    update { ($0.display, $0.unit, $0.problem) = (display, nil, nil) }
  }

  /// Chooses the unit that is set on the device.
  ///
  /// - Parameter unit: The unit; nil if it is to be read on the display.
  public func choose(unit: DisplayUnit?) {
    guard let display = state.display else { return }
    guard display.layout(in: unit) != nil else {
      return update { $0.problem = Problem(.displayOtherUnit) }
    }
    update { ($0.unit, $0.problem) = (unit, nil) }
  }

  /// How the display is to be read.
  public var options: OCROptions { OCROptions(unit: state.unit) }

  /// The camera is opened.
  public func start() {
    guard state.display != nil, state.step != .sending else { return }
    noteOwner()
    (reading, photo) = (nil, nil)
    update {
      $0.step = .capturing("", Phrase(.holdCamera))
      ($0.fields, $0.problem) = ([], nil)
    }
  }

  private func noteOwner() {
    do throws(SessionError) {
      owner = .success(try session.storedUserAndWait())
    } catch {
      owner = .failure(error)
    }
  }

  /// Another person has signed in, to whom the reading is not shown.
  private func giveUp() {
    // While it is stored, that is asked there.
    guard ![.choosing, .sending].contains(state.step) else { return }
    let problem = state.step == .checking ? Problem(.notYours) : nil
    cancel()
    update { $0.problem = problem }
  }

  /// The camera is closed without a reading.
  public func cancel() {
    guard state.step != .sending else { return }
    (reading, photo) = (nil, nil)
    update { ($0.step, $0.fields, $0.problem) = (.choosing, [], nil) }
  }

  // MARK: - Frames

  /// Takes what came of a frame.
  ///
  /// - Parameters:
  ///   - outcome: What came of it.
  ///   - image: The display in that frame, as JPEG; sent with the reading.
  public func heard(_ outcome: OCROutcome, image: Data? = nil) {
    guard case .capturing = state.step else { return }
    switch outcome {
    case .partial(let result):
      update { $0.step = .capturing(result.string, result.advice.first.map(Phrase.init)) }
    case .timedOut(let advice, _): timedOut(advice)
    case .complete(let reading, _): took(reading, image: image)
    }
  }

  /// Too much time has passed; the frames that follow are another try.
  ///
  /// - Parameter advice: Why nothing could be read, the worst first.
  public func timedOut(_ advice: [CaptureAdvice]) {
    guard case .capturing = state.step else { return }
    let advice = advice.first.map { Phrase($0) } ?? Phrase(.holdCamera)
    update {
      $0.step = .capturing("", advice)
      $0.problem = Problem(.displayTimedOut)
    }
  }

  /// Takes a reading that is to be checked.
  ///
  /// - Parameters:
  ///   - reading: What was read.
  ///   - image: The display, as JPEG; sent with the reading.
  public func took(_ reading: OCRReading, image: Data?) {
    guard state.step != .sending else { return }
    if case .capturing = state.step {} else { noteOwner() }
    (self.reading, photo) = (reading, image)
    let fields = zip(reading.record.metrics, reading.values).map { field($0, $1) }
    update { ($0.step, $0.fields, $0.problem) = (.checking, fields, nil) }
  }

  /// The camera, or the reader, cannot be used.
  ///
  /// - Parameter error: Why; nil if the app may not use the camera.
  public func failed(_ error: OCRError?) {
    guard state.step != .sending else { return }
    let problem: Problem =
      switch error {
      case nil: Problem(.cameraDenied, .openSettings)
      case .otherUnit?: Problem(.displayOtherUnit)
      case .damagedWeights?: Problem(.displayUnavailable)
      }
    update { ($0.step, $0.problem) = (.choosing, problem) }
  }

  private func field(_ metric: Metric, _ value: DisplayReading.Value) -> Field {
    let number = Double(value.text)
    let places = value.text.firstIndex(of: ".").map {
      value.text.distance(from: $0, to: value.text.endIndex) - 1
    }
    let text =
      number.map { Decimals(locale: locale).text(of: $0, places: places ?? 0) } ?? value.text
    return Field(
      type: metric.type, name: Phrase(metric.type), text: text,
      unit: value.unit?.rawValue ?? metric.unit, problem: nil, original: text)
  }

  // MARK: - The check

  /// Corrects a value.
  ///
  /// - Parameters:
  ///   - type: What was measured.
  ///   - text: The number that the display shows, in the unit of the field.
  public func correct(_ type: MetricType, to text: String) {
    guard state.step == .checking else { return }
    update { state in
      for index in state.fields.indices where state.fields[index].type == type {
        state.fields[index].text = text
        let problem = problem(of: state.fields[index])
        state.fields[index].problem = problem
      }
    }
  }

  private func problem(of field: Field) -> Phrase? {
    guard field.text != field.original else { return nil }
    guard let value = value(of: field) else { return Phrase(.noNumber, .phrase(field.name)) }
    return Metric(field.type, value).isPlausible
      ? nil : Phrase(.valueOutOfRange, .phrase(field.name))
  }

  /// The number of a field in the unit of its metric; nil when it is none.
  private func value(of field: Field) -> Double? {
    guard let number = Decimals(locale: locale).number(in: field.text) else { return nil }
    if let unit = GlucoseUnit(rawValue: field.unit) {
      return unit.convert(number, to: .milligramsPerDeciliter)
    }
    if let unit = TemperatureUnit(rawValue: field.unit) {
      return unit.convert(number, to: .celsius)
    }
    if let unit = MassUnit(rawValue: field.unit) { return unit.convert(number, to: .kilograms) }
    return number
  }

  /// Stores the reading, with what was corrected; it goes to the server from there.
  public func send() async {
    guard state.step == .checking, let reading,
      state.fields.allSatisfy({ $0.problem == nil })
    else { return }
    var corrections: [MetricType: Double] = [:]
    for field in state.fields where field.text != field.original {
      corrections[field.type] = value(of: field)
    }
    let record = reading.record(correcting: corrections)
    update { ($0.step, $0.problem) = (.sending, nil) }
    do throws(SessionError) {
      let current = try await session.requiredOwner()
      // Somebody else may have signed in since.
      if let owner = try owner.value() {
        guard owner == (current.userID, current.organizationID) else { throw .otherSession }
      }
      if let photo {
        try await session.submit(record, image: photo, inSession: current.number)
      } else {
        try await session.submit([record], inSession: current.number)
      }
      (self.reading, self.photo) = (nil, nil)
      update { $0.step = .sent }
    } catch {
      guard error.code != .sessionEnded else {
        // It was another person's.
        (self.reading, self.photo) = (nil, nil)
        return update { ($0.step, $0.fields, $0.problem) = (.choosing, [], Problem(.notYours)) }
      }
      // It is still there, to be sent again.
      update { ($0.step, $0.problem) = (.checking, Problem(error)) }
    }
  }
}
