// SPDX-License-Identifier: Apache-2.0

import Foundation
import HealthRecords
import SantorioCore
import SyntheticDisplays
import Testing

@testable import DigitReader
@testable import SantorioOCR
@testable import SantorioUI

@Suite(.timeLimit(.minutes(15))) @MainActor struct `Reading a display on a screen` {
  private func model(_ stage: Stage, _ locale: String = "en_US") -> DisplayModel {
    DisplayModel(stage.session, locale: Locale(identifier: locale))
  }

  private func peripheral(_ id: Int) throws -> OCRPeripheral {
    try #require(OCRPeripheral.peripheral(forID: id))
  }

  private func reading(
    _ values: [(String, String, DisplayUnit?)], of peripheral: OCRPeripheral
  ) throws -> OCRReading {
    let values = values.map { label, text, unit in
      DisplayReading.Value(
        label: label, text: text, unit: unit, confidence: 1,
        quad: Quad(x: 0, y: 0, width: 1, height: 1), characters: [])
    }
    let record = try #require(
      HealthRecord(values, of: peripheral, at: Stage.now, timeZone: .gmt))
    return OCRReading(values: values, confidence: 1, record: record, region: nil)
  }

  @Test func `goes from the choice to the reading that was checked`() async throws {
    let stage = try await Stage()
    let model = model(stage)
    #expect(model.state.displays == OCRPeripheral.supportedPeripherals())
    model.start()
    #expect(model.state.step == .choosing)
    model.choose(try peripheral(1))
    model.start()
    #expect(model.state.step == .capturing("", Phrase(.holdCamera)))
    model.took(
      try reading(
        [("sys", "120", nil), ("dia", "80", nil), ("pulse", "61", nil)], of: peripheral(1)),
      image: nil)
    #expect(model.state.step == .checking)
    #expect(model.state.fields.map(\.text) == ["120", "80", "61"])
    #expect(model.state.fields.map(\.unit) == ["mmHg", "mmHg", "bpm"])
    await model.send()
    #expect(model.state.step == .sent)
    let record = try #require(try await stage.session.pendingRecords().first)
    #expect(record.value(.systolic) == 120)
    #expect(record.metrics.map(\.origin) == [.device, .device, .device])
  }

  @Test func `does not give a person's reading to another one`() async throws {
    let stage = try await Stage()
    for image in [nil, Data([0xff, 0xd8, 0xff, 0xe0, 0, 16] + Array("JFIF".utf8))] {
      let model = model(stage)
      model.choose(try peripheral(5))
      model.start()
      model.took(try reading([("weight", "70.5", .kilograms)], of: peripheral(5)), image: image)
      try await stage.session.start(
        SantorioUser(userID: UUID().uuidString, organizationID: "o", accessToken: "token"))
      await model.send()
      #expect(model.state.step == .choosing && model.state.fields.isEmpty)
      #expect(model.state.problem == Problem(.notYours))
      #expect(try await stage.session.pendingCount() == 0)
    }
  }

  @Test func `is not shown on when another person signs in`() async throws {
    let stage = try await Stage()
    let model = model(stage)
    model.choose(try peripheral(5))
    model.start()
    model.took(try reading([("weight", "70.5", .kilograms)], of: peripheral(5)), image: nil)
    try await stage.session.start(Stage.another)
    #expect(await stage.advance { model.state.step == .choosing })
    #expect(model.state.fields.isEmpty && model.state.problem == Problem(.notYours))
    // What that person reads is that person's.
    model.start()
    try await stage.session.start(Stage.user)
    #expect(await stage.advance { model.state.step == .choosing })
    #expect(model.state.problem == nil)
    model.start()
    model.took(try reading([("weight", "80.5", .kilograms)], of: peripheral(5)), image: nil)
    await model.send()
    #expect(model.state.step == .sent)
  }

  @Test func `stays the person's who signs in again`() async throws {
    let stage = try await Stage()
    let model = model(stage)
    model.choose(try peripheral(5))
    model.start()
    model.took(try reading([("weight", "70.5", .kilograms)], of: peripheral(5)), image: nil)
    _ = try await stage.session.end()
    await model.send()
    #expect(model.state.problem == Problem(.noSession, .signIn) && model.state.step == .checking)
    try await stage.session.start(Stage.user)
    await model.send()
    #expect(model.state.step == .sent)
    #expect(try await stage.session.pendingCount() == 1)
  }

  @Test func `is not taken away while it is stored`() async throws {
    let stage = try await Stage()
    let model = model(stage)
    model.choose(try peripheral(5))
    model.update { $0.step = .sending }
    model.start()
    model.cancel()
    model.took(try reading([("weight", "70.5", .kilograms)], of: peripheral(5)), image: nil)
    model.failed(nil)
    #expect(model.state.step == .sending)
  }

  @Test func `is completed by the frames of a display`() async throws {
    let stage = try await Stage()
    let thermometer = try peripheral(4)
    let model = model(stage)
    model.choose(thermometer)
    model.start()
    var generator = SceneGenerator(seed: 9)
    let scene = try generator.next(width: 160, height: 120, difficulty: .easy, layout: .thermometer)
    let truth = try #require(scene.rows.first { $0.kind == .value }).text
    let recognizer = try OCRRecognizer(thermometer, options: model.options) { Stage.now }
    var partial: [DisplayModel.Step] = []
    for frame in 0..<8 where model.state.step != .checking {
      model.heard(recognizer.process(scene.image, at: .milliseconds(400 * frame)))
      partial.append(model.state.step)
    }
    #expect(model.state.step == .checking)
    #expect(model.state.fields.map(\.text) == [truth])
    guard case .capturing(let digits, _)? = partial.first else {
      Issue.record("\(partial)")
      return
    }
    #expect(digits.count == truth.count)
  }

  @Test func `takes corrections in the unit of the display`() async throws {
    let stage = try await Stage()
    let meter = try peripheral(9)
    let model = model(stage, "de_DE")
    model.choose(meter)
    model.choose(unit: .millimolesPerLitre)
    #expect(model.options.unit == .millimolesPerLitre)
    model.start()
    model.took(try reading([("glucose", "5.5", .millimolesPerLitre)], of: meter), image: nil)
    #expect(model.state.fields.map(\.text) == ["5,5"])
    #expect(model.state.fields.map(\.unit) == ["mmol/L"])
    model.correct(.bloodGlucose, to: "6,5")
    #expect(model.state.fields[0].problem == nil)
    await model.send()
    let metric = try #require(try await stage.session.pendingRecords().first?.metrics.first)
    #expect(metric.origin == .manual)
    #expect(abs((metric.value(in: .millimolesPerLiter) ?? 0) - 6.5) < 0.001)
  }

  @Test func `keeps the digits of the display where nothing is corrected`() async throws {
    let stage = try await Stage()
    let thermometer = try peripheral(4)
    let model = model(stage)
    model.choose(thermometer)
    model.start()
    model.took(try reading([("temperature", "98.6", .fahrenheit)], of: thermometer), image: nil)
    model.correct(.bodyTemperature, to: "99")
    model.correct(.bodyTemperature, to: "98.6")
    await model.send()
    let metric = try #require(try await stage.session.pendingRecords().first?.metrics.first)
    #expect(metric.shown?.text == "98.6" && metric.origin == .device)
  }

  @Test func `takes corrections of values without a unit to choose`() async throws {
    let stage = try await Stage()
    let monitor = try peripheral(1)
    let model = model(stage)
    model.choose(monitor)
    model.start()
    model.took(try reading([("sys", "128", nil), ("dia", "80", nil)], of: monitor), image: nil)
    model.correct(.systolic, to: "123")
    await model.send()
    let record = try #require(try await stage.session.pendingRecords().first)
    #expect(record.value(.systolic) == 123 && record.value(.diastolic) == 80)
    #expect(record.metrics.map(\.origin) == [.manual, .device])
  }

  @Test func `refuses corrections that cannot be right`() async throws {
    let stage = try await Stage()
    let scale = try peripheral(5)
    let model = model(stage)
    model.choose(scale)
    model.start()
    model.took(try reading([("weight", "154.5", .pounds)], of: scale), image: nil)
    model.correct(.bodyWeight, to: "heavy")
    #expect(model.state.fields[0].problem == Phrase(.noNumber, .phrase(Phrase(.bodyWeight))))
    await model.send()
    #expect(model.state.step == .checking)
    model.correct(.bodyWeight, to: "99999")
    #expect(
      model.state.fields[0].problem == Phrase(.valueOutOfRange, .phrase(Phrase(.bodyWeight))))
    model.correct(.bodyWeight, to: "154")
    #expect(model.state.fields[0].problem == nil)
    #expect(try await stage.session.pendingCount() == 0)
  }

  @Test func `sends the image with the reading`() async throws {
    let stage = try await Stage()
    let scale = try peripheral(5)
    let model = model(stage)
    model.choose(scale)
    model.start()
    let image = try GrayImage(width: 16, height: 16, filledWith: 120).jpeg()
    model.took(try reading([("weight", "70.5", .kilograms)], of: scale), image: image)
    await model.send()
    #expect(model.state.step == .sent)
    #expect(try await stage.session.pendingRecords().first?.media.count == 1)
  }

  @Test func `says HI and LO as the display does`() async throws {
    let stage = try await Stage()
    let meter = try peripheral(3)
    let model = model(stage)
    model.choose(meter)
    model.start()
    model.took(try reading([("glucose", "HI", nil)], of: meter), image: nil)
    #expect(model.state.fields.map(\.text) == ["HI"])
    await model.send()
    #expect(try await stage.session.pendingRecords().first?.metrics.first?.absence == .aboveRange)
  }

  @Test func `says why nothing is read, and goes on`() async throws {
    let stage = try await Stage()
    let model = model(stage)
    model.choose(try peripheral(4))
    model.start()
    var options = OCROptions()
    options.timeout = .seconds(2)
    let recognizer = try OCRRecognizer(try peripheral(4), options: options)
    let blank = try GrayImage(width: 96, height: 64, filledWith: 120)
    for frame in 0..<5 {
      #expect(model.state.problem == nil)
      model.heard(recognizer.process(blank, at: .milliseconds(500 * frame)))
    }
    #expect(model.state.problem == Problem(.displayTimedOut))
    model.start()
    #expect(model.state.problem == nil)
    model.timedOut([.moreLight])
    #expect(model.state.step == .capturing("", Phrase(english: CaptureAdvice.moreLight.text)))
    #expect(model.state.problem == Problem(.displayTimedOut))
    model.cancel()
    #expect(model.state.step == .choosing && model.state.problem == nil)
    model.timedOut([.moreLight])
    #expect(model.state.step == .choosing)
  }

  @Test func `says what cannot be used`() async throws {
    let stage = try await Stage()
    let model = model(stage)
    let thermometer = try peripheral(4)
    model.choose(unit: .celsius)
    #expect(model.state.unit == nil)
    model.choose(thermometer)
    model.choose(unit: .pounds)
    #expect(model.state.problem == Problem(.displayOtherUnit))
    #expect(model.state.unit == nil)
    model.start()
    model.failed(nil)
    #expect(model.state.step == .choosing)
    #expect(model.state.problem == Problem(.cameraDenied, .openSettings))
    model.failed(.damagedWeights)
    #expect(model.state.problem == Problem(.displayUnavailable))
    model.failed(.otherUnit(.pounds, thermometer))
    #expect(model.state.problem == Problem(.displayOtherUnit))
  }

  @Test func `keeps a reading that cannot be sent`() async throws {
    let stage = try await Stage(withUser: false)
    let scale = try peripheral(5)
    let model = model(stage)
    model.choose(scale)
    model.start()
    model.took(try reading([("weight", "70.5", .kilograms)], of: scale), image: nil)
    await model.send()
    #expect(model.state.step == .checking)
    #expect(model.state.problem == Problem(.noSession, .signIn))
    try await stage.session.start(Stage.user)
    await model.send()
    #expect(model.state.step == .sent)
  }
}
