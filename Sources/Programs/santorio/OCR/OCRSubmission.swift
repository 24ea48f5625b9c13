// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioCore
import SantorioOCR

/// Puts readings and their photos into a session's queue.
struct OCRSubmission {
  private let session: SantorioSession
  private let peripheral: OCRPeripheral
  private let sends: Bool

  /// What the queue takes as an image.
  private static let mostBytes = 16 << 20

  /// Opens the session; nil without options of one.
  init?(_ options: SessionOptions?, _ layout: DisplayLayout) async throws {
    guard let options, let peripheral = OCRPeripheral.peripheral(showing: layout),
      let session = try await options.open()
    else { return nil }
    (self.session, self.peripheral, sends) = (session, peripheral, options.sends)
  }

  /// Stores a reading with its photo, unless it is unsure.
  ///
  /// - Returns: Whether it was stored.
  func submit(_ photo: ReadPhoto) async throws -> Bool {
    guard !photo.reading.isUnsure else { return false }
    let (file, path) = (Data(photo.file.bytes), photo.path.printable)
    guard photo.file.date < Date(timeIntervalSinceNow: 86_400) else {
      printError("santorio: \(path): not submitted: it says that it was taken in the future")
      return false
    }
    guard
      let reading = OCRReading(
        photo.reading, of: peripheral, at: photo.file.date, image: photo.image, photo: file,
        timeZone: photo.file.timeZone)
    else {
      printError(
        "santorio: \(path): not submitted: the display shows no unit; name it, as with "
          + "--layout \(peripheral.units.first.flatMap { peripheral.layout(in: $0)?.name } ?? "")")
      return false
    }
    if !photo.file.isDated {
      printError("santorio: \(path) does not say when it was taken; the time of its file is used")
    }
    // A photo that is too large for the queue goes as a smaller one of its brightness.
    let isLarge = file.count > Self.mostBytes
    try await session.submit(reading.record, image: isLarge ? try photo.image.jpeg() : file)
    return true
  }

  /// Stores what frames agreed on, with a frame.
  func submit(_ reading: OCRReading, _ frame: OCRFrame) async throws {
    try await session.submit(reading.record, image: try frame.image.jpeg())
  }

  /// Sends what is in the queue, if there is a server.
  ///
  /// - Returns: The exit status of sending; nil without a server.
  func send() async throws -> Int32? {
    sends ? try await QueueSending(session).run() : nil
  }
}
