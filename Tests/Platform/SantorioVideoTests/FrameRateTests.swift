// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SantorioVideo

@Suite struct `A rate of frames` {
  @Test(arguments: [("25", 25, 1), ("30000/1001", 30_000, 1_001), ("1:60", 1, 60)])
  func `is read from text`(_ text: String, _ frames: Int, _ seconds: Int) {
    let rate = FrameRate(text)
    #expect(rate?.frames == frames && rate?.seconds == seconds)
  }

  @Test(arguments: [
    "", "0", "1/0", "0/1", "-1", "+1", "1.5", "1/", "/1", "1/2/3", "1/2:3", " 1", "٣", "4294967296",
    "99999999999999999999",
  ])
  func `is nothing else`(_ text: String) { #expect(FrameRate(text) == nil) }

  @Test func `gives times that are exact and never overflow`() throws {
    let ntsc = try #require(FrameRate("30000/1001"))
    #expect(ntsc.time(ofFrame: 0) == .zero)
    #expect(ntsc.time(ofFrame: 30_000) == .seconds(1_001))
    let slowest = try #require(FrameRate(frames: 1, seconds: 4_294_967_295))
    #expect(slowest.time(ofFrame: 2) == .seconds(8_589_934_590))
    #expect(slowest.time(ofFrame: .max) == .seconds(Int64.max))
  }

  @Test func `is compared with others`() throws {
    let (ntsc, pal) = (try #require(FrameRate("30000/1001")), try #require(FrameRate("25")))
    #expect(pal.isSlower(than: ntsc) && !ntsc.isSlower(than: pal) && !pal.isSlower(than: pal))
    #expect(FrameRate("50/2")?.isSlower(than: pal) == false)
    #expect("\(ntsc) \(pal)" == "30000/1001 25")
  }
}
