// SPDX-License-Identifier: Apache-2.0

import SantorioSystemd
import Testing

@testable import Hub

@Suite struct `Log messages in the journal` {
  @Test func `have the tag and the facts as fields`() {
    let line = JournalLine(
      tag: "SantorioUpload", message: "warning: the server did not answer status=503 seconds=1.5")

    #expect(line.text == "the server did not answer status=503 seconds=1.5")
    #expect(line.priority == .warning)
    #expect(
      line.fields.map(\.name) == ["SANTORIO_CATEGORY", "SANTORIO_STATUS", "SANTORIO_SECONDS"])
    #expect(line.fields.map(\.value) == ["SantorioUpload", "503", "1.5"])
  }

  @Test func `may have no facts`() {
    let line = JournalLine(tag: "SantorioSession", message: "started")

    #expect(line.priority == .notice)
    #expect(line.fields.map(\.name) == ["SANTORIO_CATEGORY"])
  }
}
