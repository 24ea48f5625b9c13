// SPDX-License-Identifier: Apache-2.0

import SantorioConcurrency
import Testing

@testable import SantorioCore

@Suite struct `Logging switch` {
  private let lines = Locked<[String]>([])

  private func logging(
    _ frameworks: SantorioLogging.Frameworks, isEnabled: Bool = true
  ) -> SantorioLogging {
    let (logging, lines) = (SantorioLogging(), lines)
    logging.setHandler { tag, message in lines.withLock { $0.append("\(tag): \(message)") } }
    logging.frameworks = frameworks
    logging.isEnabled = isEnabled
    return logging
  }

  @Test func `is off by default`() {
    #expect(!SantorioLogging().isEnabled)
    let logging = logging(.all, isEnabled: false)
    logging.log(.session, "something")
    #expect(lines.withLock { $0 } == [])
  }

  @Test func `lets through the frameworks of the mask, each under its tag`() {
    let logging = logging([.core, .ocr])

    logging.log(.bluetooth, "one")
    logging.log(.healthKit, "two")
    logging.log(.ocr, "three")
    logging.log(.session, "four")
    logging.log(.outbox, "five")
    logging.log(.upload, "six")

    #expect(
      lines.withLock { $0 } == [
        "SantorioOCR: three", "SantorioSession: four", "SantorioOutbox: five",
        "SantorioUpload: six",
      ])
  }

  @Test func `switches session, outbox and upload off with the core, and the others with theirs`() {
    let logging = logging([.bluetooth, .healthKit])

    for category in [
      SantorioLogging.Category.session, .outbox, .upload, .bluetooth, .healthKit, .ocr,
    ] {
      logging.log(category, "something")
    }

    #expect(
      lines.withLock { $0 } == ["SantorioBluetooth: something", "SantorioHealthKit: something"])
  }

  @Test func `marks what was asked for and is not done`() {
    let logging = logging(.all)

    logging.log(.session, level: .warning, "not done", [.count("records", 2)])

    #expect(lines.withLock { $0 } == ["SantorioSession: warning: not done records=2"])
  }

  @Test func `gives back its handler, and none for the system's log`() {
    let logging = SantorioLogging()
    #expect(logging.handler == nil)

    let lines = lines
    logging.setHandler { tag, message in lines.withLock { $0.append("\(tag): \(message)") } }
    logging.handler?("a", "b")
    #expect(lines.withLock { $0 } == ["a: b"])

    logging.setHandler(nil)
    #expect(logging.handler == nil)
  }

  @Test(
    arguments: [
      ("", nil), ("core", .core), ("Bluetooth,ocr", [.bluetooth, .ocr]), ("all", .all),
      ("nothing known", []),
    ] as [(String, SantorioLogging.Frameworks?)])
  func `is set by the environment`(names: String, frameworks: SantorioLogging.Frameworks?) {
    let logging = SantorioLogging(environment: ["SANTORIO_LOG": names])

    #expect(logging.isEnabled == (frameworks != nil))
    #expect(logging.frameworks == frameworks ?? .all)
  }

  @Test func `has the numbers of the frameworks that the documents name`() {
    #expect(SantorioLogging.Frameworks.bluetooth.rawValue == 1)
    #expect(SantorioLogging.Frameworks.healthKit.rawValue == 2)
    #expect(SantorioLogging.Frameworks.ocr.rawValue == 4)
    #expect(SantorioLogging.Frameworks.core.rawValue == 8)
    #expect(SantorioLogging.Frameworks.all.rawValue == 15)
  }

  @Test func `writes numbers and codes after the text`() {
    let logging = logging(.all)

    logging.log(
      .upload, "waiting",
      [
        .error(.serverBusy), .status(503), .status(nil), .seconds(.milliseconds(2450)),
        .count("n", 7),
      ])

    #expect(
      lines.withLock { $0 } == [
        "SantorioUpload: waiting error=server_busy status=503 status=none seconds=2.4 n=7"
      ])
  }
}
