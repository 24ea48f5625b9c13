// SPDX-License-Identifier: Apache-2.0

import DigitReader
import Foundation
import SantorioImages

/// Another program that reads digits on images, to be compared with.
struct OCRPeer: Sendable {
  let name: String
  private let path: String
  private let arguments: @Sendable (_ file: String, _ isCropped: Bool) -> [String]

  /// Those that are installed: ssocr for seven segments, and tesseract with digits alone.
  static func installed() -> [OCRPeer] {
    let known: [(String, @Sendable (String, Bool) -> [String])] = [
      ("ssocr", { file, _ in ["-d", "-1", "-T", "-c", "decimal", "-i", "1", file] }),
      (
        "tesseract",
        { file, isCropped in
          [
            file, "stdout", "--psm", isCropped ? "6" : "11", "-c",
            "tessedit_char_whitelist=0123456789.",
          ]
        }
      ),
    ]
    return known.compactMap { name, arguments in
      path(of: name).map { OCRPeer(name: name, path: $0, arguments: arguments) }
    }
  }

  private static func path(of name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map {
      "\($0)/\(name)"
    }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// What it reads: the numbers of its output, in their order; nothing if it fails.
  func read(_ image: GrayImage, _ isCropped: Bool) -> [String] {
    let folder = FileManager.default.temporaryDirectory
    let file = folder.appendingPathComponent("santorio-ocr-\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    let rgb = image.pixels.flatMap { [UInt8](repeating: $0, count: 3) }
    guard
      let png = try? DecodedImage.png(width: image.width, height: image.height, rgb: rgb),
      FileManager.default.createFile(
        atPath: file.path, contents: Data(png), attributes: [.posixPermissions: 0o600]),
      let output = try? output(arguments(file.path, isCropped))
    else { return [] }
    return output.split { $0.isWhitespace }.map(String.init)
  }

  private func output(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, FileHandle.nullDevice)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }
}
