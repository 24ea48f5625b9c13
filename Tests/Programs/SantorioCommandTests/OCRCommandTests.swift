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

  @Test func `draws what was seen`() async throws {
    let folder = try TemporaryFolder()
    let picture = folder.path("seen.png")
    let run = try await CommandProcess([
      "ocr", "--layout", "blood-pressure", "--debug", picture,
      Self.fixture("rendered-blood-pressure.png"),
    ])
    #expect(run.status == 0, "\(run.error)")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: picture))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 10_000)
    let refused = try await CommandProcess([
      "ocr", "--layout", "scale", "--debug", folder.path("none/seen.png"),
      Self.fixture("blank.png"),
    ])
    #expect(refused.status == 1 && refused.error.contains("cannot be written"))
  }

  @Test func `puts a sure reading into the queue, with its photo`() async throws {
    let folder = try TemporaryFolder()
    // The same photo twice is one reading.
    let names = ["rendered-blood-pressure.png", "blank.png", "rendered-blood-pressure.png"]
    let photos = try names.map(Self.fixture)
    let run = try await CommandProcess(
      ["ocr", "--layout", "blood-pressure", "--submit", "--data", folder.path("session")] + photos)
    // The blank one is unsure.
    #expect(run.status == 1)
    let records = try await CommandProcess(["queue", "export", "--data", folder.path("session")])
    #expect(records.output.split(separator: "\n").count == 1, "\(records.error)")
    #expect(records.output.contains("systolic") && records.output.contains("\"value\":159"))
    #expect(records.output.contains("\"type\":\"ocr\""))
    let status = try await CommandProcess(["queue", "--data", folder.path("session")])
    #expect(status.output.contains("1 records, 1 images"), "\(status.output)")
  }

  @Test(arguments: [
    (["--layout", "scale", "--submit", "a.png"], "--submit and --data are needed together"),
    (["--layout", "number", "--submit", "--data", "d", "a.png"], "is no health record"),
    (["--layout", "glucose", "--submit", "--data", "d", "a.png"], "needs the unit of the meter"),
    (["--layout", "scale", "--debug", "./a.png", "a.png"], "would overwrite the photo"),
    (
      ["--layout", "scale-kg", "--submit", "--data", "d", "--threshold", "0.2", "a.png"],
      "takes no threshold below"
    ),
    (["--layout", "scale", "--debug", "o.png", "a.png", "b.png"], "--debug takes one image"),
    (["--layout", "scale", "--split", "dev", "a.png"], "--split has no use here"),
    (["evaluate", "a.jsonl"], "takes a manifest and the folder"),
    (["evaluate", "a.jsonl", ".", "--layout", "scale"], "no option of \"ocr evaluate\""),
  ])
  func `refuses options that do not go together`(
    _ arguments: [String], _ message: String
  ) async throws {
    let run = try await CommandProcess(["ocr"] + arguments)
    #expect(run.status == 64)
    #expect(run.error.contains(message), "\(run.error)")
  }

  @Test func `is compared with values that are known`() async throws {
    let folder = try TemporaryFolder()
    let names = ["rendered-blood-pressure.png", "blank.png"]
    for name in names {
      try FileManager.default.copyItem(
        atPath: try Self.fixture(name), toPath: folder.path(name))
    }
    let labels = "\"labels\":[\"sys\",\"dia\",\"pulse\"],\"display_quad\":null,\"split\":\"dev\""
    let lines = [("159", names[0]), ("120", names[1])].map { systolic, name in
      "{\"file\":\"\(name)\",\"category\":\"pressure\",\"truth\":[\"\(systolic)\",\"53\",\"97\"],\(labels)}"
    }
    let manifest = folder.path("photos.jsonl")
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: manifest))
    let run = try await CommandProcess(["ocr", "evaluate", manifest, folder.path(""), "--no-peers"])
    #expect(run.status == 0, "\(run.error)")
    let row = run.output.split(separator: "\n").first { $0.hasPrefix("pressure") }
    #expect(row?.contains("2  1 (50.0 %)  0 (0.0 %)  1 (50.0 %)") == true, "\(run.output)")
    #expect(run.output.contains("threshold"))
    let none = try await CommandProcess([
      "ocr", "evaluate", manifest, folder.path(""), "--split", "train",
    ])
    #expect(none.status == 1 && none.error.contains("lists no photo"))
  }

  @Test func `names the line of a manifest that is none`() async throws {
    let folder = try TemporaryFolder()
    let manifest = folder.path("photos.jsonl")
    try Data("{\"file\":\"a.png\"}\n".utf8).write(to: URL(fileURLWithPath: manifest))
    let run = try await CommandProcess(["ocr", "evaluate", manifest, "."])
    #expect(run.status == 1 && run.error.contains("line 1: it is no object"), "\(run.error)")
  }

  @Test func `of a video is that of frames that agree`() async throws {
    let folder = try TemporaryFolder()
    let photo = try Self.fixture("rendered-blood-pressure.png")
    try FileManager.default.createDirectory(
      atPath: folder.path("frames"), withIntermediateDirectories: true)
    for index in 0..<6 {
      try FileManager.default.copyItem(atPath: photo, toPath: folder.path("frames/\(index).png"))
    }
    let run = try await CommandProcess([
      "ocr", "--layout", "blood-pressure", "--video", folder.path("frames"), "--fps", "8", "--json",
    ])
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output.contains("\"values\":[\"159\",\"53\",\"97\"]"))
    #expect(run.output.contains("\"frames\":4"))
    let refused = try await CommandProcess([
      "ocr", "--layout", "blood-pressure", "--video", folder.path("frames"), "--submit", "--data",
      folder.path("session"),
    ])
    #expect(refused.status == 64 && refused.error.contains("time of a recording is not known"))
  }

  @Test func `of a video says why frames did not agree`() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: try Self.fixture("blank.png"), toPath: folder.path("a.png"))
    let run = try await CommandProcess([
      "ocr", "--layout", "scale-kg", "--video", folder.path(""),
    ])
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.error.contains("1 frames did not agree"))
    let none = try await CommandProcess(["ocr", "--layout", "scale", "--video", "/dev/null"])
    #expect(none.status == 1 && none.error.contains("gives no pictures"))
    let number = try await CommandProcess(["ocr", "--layout", "number", "--video", "a.y4m"])
    #expect(number.status == 64 && number.error.contains("is none of one"))
  }
}
