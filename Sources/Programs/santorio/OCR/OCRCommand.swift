// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioOCR

extension Command {
  static let ocr = Command(
    name: "ocr",
    summary: "Read the values on photos of displays.",
    forms: [
      "--layout LAYOUT [--region X,Y,W,H] [--threshold T] [--json] [--debug OUT.png] [--submit] IMAGE...",
      "--layout LAYOUT --video SOURCE [--fps N] [--region X,Y,W,H] [--json] [--submit]",
      "evaluate MANIFEST FOLDER [--split NAME] [--category NAME] [--threshold T] [--json] [--no-peers]",
    ],
    options: [
      CommandOption("layout", "LAYOUT", help: "What the display shows."),
      CommandOption(
        "region", "X,Y,W,H",
        help: "Where the display is in the photo, in pixels; it is looked for if not given."),
      CommandOption(
        "threshold", "T",
        help:
          "From which confidence on a value is used, from 0 to 1; \(DigitReader.usualThreshold) if not given."
      ),
      CommandOption("json", help: "Print one JSON object for each photo, one a line."),
      CommandOption(
        "debug", "OUT.png",
        help: "Draw what was seen on the photo: rows, values, confidence, glare."),
      CommandOption(
        "submit", help: "Put sure readings into the queue of the session in --data, with the photo."
      ),
      CommandOption(
        "video", "SOURCE",
        help:
          "Read frames until they agree: a camera (/dev/video0), a stream or a folder of images."),
      CommandOption(
        "fps", "N", help: "With --video: frames a second of JPEGs and of a folder; 30 if not given."
      ),
      CommandOption("split", "NAME", help: "With evaluate: only photos of this part of the list."),
      CommandOption("category", "NAME", help: "With evaluate: only photos of this category."),
      CommandOption("no-peers", help: "With evaluate: without ssocr and tesseract."),
    ] + SessionOptions.all,
    details: """
      LAYOUT is \(DisplayLayout.all.map(\.name).joined(separator: ", ")).

      IMAGE is a PNG or a JPEG, upright: digits upside down are others. A reading that is not sure is
      named so, with the reason, and must not be used: another photo, nearer, without reflections, may
      be. The exit status is 1 when a file could not be read or a reading is unsure.

      A stream is a file, a pipe or - for standard input: YUV4MPEG2 (.y4m), or JPEGs one after the other
      (.mjpeg), such as ffmpeg writes. Frames are read until enough of them agree; otherwise it is said
      why they did not, and what to do, and the exit status is 1.

      evaluate reads photos whose values are known, whole and cropped to the display, and prints for
      each category how many were read exactly, wrong and not surely, and how that depends on the
      threshold; and the same for ssocr and tesseract where they are installed. MANIFEST has a line of
      JSON for each photo: "file" in FOLDER, "category", "truth" and "labels" (the values and their
      names), "display_quad" (the display's corners, or null), and perhaps "split".

      --submit needs --data. The record's time is that at which the photo was taken, as it says itself
      (Exif); of a photo that does not say it, that of its file, and of a camera the present. Recordings
      cannot be submitted, since nobody knows their time.

      \(SessionOptions.details)

      examples: santorio ocr --layout blood-pressure photo.jpg
                santorio ocr --layout glucose-mmol --submit --data ./session photo.jpg
                santorio ocr --layout scale-kg --video /dev/video0
                santorio ocr evaluate photos.jsonl ./photos --split dev
      """
  ) { arguments in
    if arguments.operands.first == "evaluate" {
      return try await OCREvaluation(arguments).run()
    }
    if arguments.has("video") { return try await OCRVideo(arguments).run() }
    return try await OCRCommand(arguments).run()
  }
}

/// Reads photos of displays.
struct OCRCommand {
  private let layout: DisplayLayout
  private let region: [Int]?
  private let threshold: Double
  private let isJSON: Bool
  private let debug: String?
  private let submission: SessionOptions?
  private let paths: [String]

  init(_ arguments: Arguments) throws(UsageError) {
    func wrong(_ message: String) -> UsageError { UsageError(message, command: "ocr") }
    let layout = try Self.layout(arguments)
    guard !arguments.operands.isEmpty else { throw wrong("\"ocr\" takes at least one image.") }
    for option in ["split", "category", "no-peers", "fps"] where arguments.has(option) {
      throw wrong("--\(option) has no use here; see \"santorio ocr --help\".")
    }
    region = try Self.region(arguments)
    (threshold, debug) = (try Self.threshold(arguments), arguments["debug"])
    guard debug == nil || arguments.operands.count == 1 else {
      throw wrong("--debug takes one image: it has one file to draw to.")
    }
    let session = try SessionOptions(arguments)
    guard session.isKept == arguments.has("submit") else {
      throw wrong("--submit and --data are needed together.")
    }
    submission = arguments.has("submit") ? session : nil
    try Self.checkSubmission(arguments, layout)
    if submission != nil, threshold < DigitReader.usualThreshold {
      throw wrong("--submit takes no threshold below \(DigitReader.usualThreshold).")
    }
    if let debug, arguments.operands.contains(where: { Self.isSameFile($0, debug) }) {
      throw wrong("--debug would overwrite the photo; name another file.")
    }
    if submission != nil, OCRPeripheral.peripheral(showing: layout) == nil {
      throw wrong(
        "what the layout \"\(layout.name)\" shows is no health record; --submit needs one.")
    }
    (self.layout, isJSON, paths) = (layout, arguments.has("json"), arguments.operands)
  }

  static func layout(_ arguments: Arguments) throws(UsageError) -> DisplayLayout {
    guard let name = arguments["layout"] else {
      throw UsageError(
        "--layout is missing; it takes one of the layouts, such as blood-pressure.", command: "ocr")
    }
    guard let layout = DisplayLayout(named: name) else {
      throw UsageError(
        Suggestion.text(unknown: "layout", name, among: DisplayLayout.all.map(\.name)),
        command: "ocr")
    }
    return layout
  }

  static func region(_ arguments: Arguments) throws(UsageError) -> [Int]? {
    try arguments["region"].map { text throws(UsageError) in
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap {
        Int($0)
      }
      guard numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }) else {
        throw UsageError(
          "--region takes four whole numbers, not \"\(text.printable)\".", command: "ocr")
      }
      return numbers
    }
  }

  /// Whether records can be made of what a layout shows.
  static func checkSubmission(
    _ arguments: Arguments, _ layout: DisplayLayout
  ) throws(UsageError) {
    guard arguments.has("submit"), layout == .glucose else { return }
    throw UsageError(
      "--submit needs the unit of the meter: --layout glucose-mg or glucose-mmol.", command: "ocr")
  }

  private static func isSameFile(_ first: String, _ second: String) -> Bool {
    let paths = [first, second].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    return paths[0] == paths[1]
  }

  static func threshold(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let text = arguments["threshold"] else { return DigitReader.usualThreshold }
    guard let number = Double(text), (0...1).contains(number) else {
      throw UsageError(
        "--threshold takes a number from 0 to 1, not \"\(text.printable)\".", command: "ocr")
    }
    return number
  }

  func run() async throws -> Int32 {
    let reader = try DigitReader()
    let submission = try await OCRSubmission(submission, layout)
    var status: Int32 = 0
    for path in paths {
      do {
        let photo = try read(path, reader)
        if photo.reading.isUnsure { status = 1 }
        print(isJSON ? photo.json : photo.text)
        if try await submission?.submit(photo) == false { status = 1 }
        if let debug { try OCRDebugPicture(photo.image, photo.reading, threshold).write(to: debug) }
      } catch {
        printError("santorio: \(path.printable): \(error)")
        status = 1
      }
    }
    if let unsent = try await submission?.send() { status = max(status, unsent) }
    return status
  }

  private func read(_ path: String, _ reader: DigitReader) throws -> ReadPhoto {
    let file = try ImageFile(path)
    let part = try region.map { try PixelRegion($0, in: file.image) }
    let start = ContinuousClock.now
    let reading = reader.read(file.image, as: layout, in: part, threshold: threshold)
    return ReadPhoto(path: path, file: file, reading: reading, time: start.duration(to: .now))
  }
}

extension PixelRegion {
  /// A part of an image, of four numbers of the command line.
  init(_ numbers: [Int], in image: GrayImage) throws(CommandError) {
    guard
      let region = PixelRegion(
        x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], in: image)
    else {
      throw CommandError(
        "The region does not lie in the image, which is \(image.width) × \(image.height) pixels large."
      )
    }
    self = region
  }
}
