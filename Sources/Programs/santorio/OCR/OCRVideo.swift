// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioJSON
import SantorioOCR

/// Reads a display in the frames of a video.
struct OCRVideo {
  private let layout: DisplayLayout
  private let peripheral: OCRPeripheral
  private let path: String
  private let framesPerSecond: Int
  private let region: [Int]?
  private let isJSON: Bool
  private let submission: SessionOptions?

  init(_ arguments: Arguments) throws(UsageError) {
    func wrong(_ message: String) -> UsageError { UsageError(message, command: "ocr") }
    layout = try OCRCommand.layout(arguments)
    guard let peripheral = OCRPeripheral.peripheral(showing: layout) else {
      throw wrong("--video reads displays of health devices; \"\(layout.name)\" is none of one.")
    }
    guard arguments.operands.isEmpty, let path = arguments["video"] else {
      throw wrong("--video takes its source, and no images beside it.")
    }
    for option in ["threshold", "debug", "split", "category", "no-peers"]
    where arguments.has(option) {
      throw wrong("--\(option) has no use with --video.")
    }
    framesPerSecond = try arguments.integer("fps", in: 1...240) ?? 30
    region = try OCRCommand.region(arguments)
    let session = try SessionOptions(arguments)
    guard session.isKept == arguments.has("submit") else {
      throw wrong("--submit and --data are needed together.")
    }
    submission = arguments.has("submit") ? session : nil
    try OCRCommand.checkSubmission(arguments, layout)
    if submission != nil, !Self.isLive(path) {
      throw wrong(
        "--submit with --video takes a camera or -; the time of a recording is not known.")
    }
    (self.peripheral, self.path, isJSON) = (peripheral, path, arguments.has("json"))
  }

  /// Whether frames are taken now.
  private static func isLive(_ path: String) -> Bool {
    var status = stat()
    guard path != "-", unsafe stat(path, &status) == 0 else { return true }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  func run() async throws -> Int32 {
    let recognizer = try OCRRecognizer(peripheral, options: OCROptions(unit: layout.unit))
    let submission = try await OCRSubmission(submission, layout)
    var input = try VideoInput(path: path, framesPerSecond: framesPerSecond)
    var (count, last): (Int, OCROutcome?) = (0, nil)
    let line = StatusLine()
    defer { line.finish() }
    var found: (reading: OCRReading, frame: OCRFrame)?
    while found == nil, let frame = try input.nextFrame() {
      let part = try region.map { try PixelRegion($0, in: frame.image) }
      count += 1
      let outcome = recognizer.process(frame.image, at: frame.time, in: part)
      last = outcome
      line.show(outcome)
      if case .complete(let reading, _) = outcome { found = (reading, frame) }
      if case .timedOut = outcome { break }
    }
    line.finish()
    if input.damagedFrames > 0 {
      printError("santorio: \(input.damagedFrames) damaged frames were skipped")
    }
    guard let found else { return unread(last, count) }
    print(isJSON ? json(found.reading, count) : "\(found.reading.values.text) (\(count) frames)")
    try await submission?.submit(found.reading, found.frame)
    return try await submission?.send() ?? 0
  }

  private func json(_ reading: OCRReading, _ frames: Int) -> String {
    reading.values.json(of: path, confidence: reading.confidence, doubt: nil) { json in
      json.key("frames")
      json.number(Double(frames))
    }
  }

  /// Says why nothing was read.
  private func unread(_ last: OCROutcome?, _ frames: Int) -> Int32 {
    var advice: [CaptureAdvice] = []
    var seen = ""
    switch last {
    case .partial(let result)?: (advice, seen) = (result.advice, result.string)
    case .timedOut(let given, let result)?: (advice, seen) = (given, result.string)
    case .complete?, nil: break
    }
    guard frames > 0 else {
      printError("santorio: \(path.printable) has no frames")
      return 1
    }
    let values = seen.split(separator: "\n").joined(separator: ", ")
    printError(
      "santorio: \(frames) frames did not agree\(values.isEmpty ? "" : "; seen so far: \(values)")")
    for advice in advice { printError("santorio: \(advice.text)") }
    return 1
  }
}

/// A line on a terminal that shows what was read so far; nothing elsewhere.
private struct StatusLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  func show(_ outcome: OCROutcome) {
    guard isTerminal, case .partial(let result) = outcome else { return }
    let values = result.string.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: " / ")
    let text = "\(values)  \(result.advice.first?.text ?? "")"
    write("\r\(text.prefix(max(0, Terminal.columns(of: STDERR_FILENO) - 1)))\u{1b}[K")
  }

  func finish() {
    if isTerminal { write("\r\u{1b}[K") }
  }

  private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
