// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite struct `Reading of photos` {
  /// A display that SyntheticDisplays has rendered; no photo is anybody's.
  private static func fixture(_ name: String) throws -> String {
    try #require(
      Bundle.module.url(forResource: name, withExtension: nil, subdirectory: "Fixtures")
    ).path
  }

  private struct Line: Decodable {
    let file: String
    let values: [String]
    let labels: [String]
    let confidence: Double
    let unsure: Bool
    let doubt: String?
    let ms: Double
  }

  @Test func `prints one object for each photo`() async throws {
    let files = try ["rendered-blood-pressure.png", "blank.png"].map(Self.fixture)
    let run = try await CommandProcess(["ocr", "--layout", "blood-pressure", "--json"] + files)
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n")
    try #require(lines.count == 2)
    let read = try JSONDecoder().decode(Line.self, from: Data(lines[0].utf8))
    #expect(read.file == files[0])
    #expect(read.values == ["159", "53", "97"])
    #expect(read.labels == ["sys", "dia", "pulse"])
    #expect(!read.unsure && read.doubt == nil)
    #expect(read.confidence > 0.75 && read.ms > 0)
    let blank = try JSONDecoder().decode(Line.self, from: Data(lines[1].utf8))
    #expect(blank.unsure && blank.doubt == "nothing-found" && blank.values.isEmpty)
  }

  @Test func `says in words why nothing was read`() async throws {
    let run = try await CommandProcess(["ocr", "--layout", "glucose", Self.fixture("blank.png")])
    #expect(run.status == 1)
    #expect(run.output.contains("unsure: no row of digits was found"))
  }

  @Test(arguments: [
    (["ocr"], "--layout is missing"), (["ocr", "--layout", "scale"], "takes at least one image"),
    (["ocr", "--layout", "scales", "a.png"], "did you mean 'scale'?"),
    (["ocr", "--layout", "scale", "--region", "1,2,3", "a.png"], "takes four whole numbers"),
    (["ocr", "--layout", "scale", "--region", "1,2,-3,4", "a.png"], "takes four whole numbers"),
    (["ocr", "--layout", "scale", "--threshold", "2", "a.png"], "a number from 0 to 1, not \"2\""),
  ])
  func `refuses what it cannot do`(_ arguments: [String], _ message: String) async throws {
    let run = try await CommandProcess(arguments)
    #expect(run.status == 64)
    #expect(run.error.contains(message), "\(run.error)")
  }

  @Test func `names files that are no images`() async throws {
    let folder = try TemporaryFolder()
    try Data("GIF89a".utf8).write(to: folder.url.appendingPathComponent("a.gif"))
    let paths = ["a.gif", "none.png", "."].map(folder.path)
    let run = try await CommandProcess(["ocr", "--layout", "scale"] + paths)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    let lines = run.error.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first?.contains("a.gif: It is neither a PNG nor a JPEG") == true)
    #expect(lines.dropFirst().first?.contains("No such file or directory") == true)
    #expect(lines.last?.contains("Is a directory") == true)
  }

  @Test func `has a region that lies in the photo`() async throws {
    let run = try await CommandProcess([
      "ocr", "--layout", "scale", "--region", "0,0,500,20", Self.fixture("blank.png"),
    ])
    #expect(run.status == 1)
    #expect(run.error.contains("does not lie in the image, which is 80 × 60 pixels large"))
  }
}
