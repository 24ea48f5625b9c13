// SPDX-License-Identifier: Apache-2.0

import SyntheticHealthExport
import Testing

@Suite struct `A day of an export` {
  @Test func `has its ISO 8601 form`() {
    #expect(SyntheticHealthExport.Day("2025-11-15")?.daysSince1970 == 20_407)
    #expect(SyntheticHealthExport.Day(daysSince1970: 0).description == "1970-01-01")
    #expect(SyntheticHealthExport.Day("2025-02-29") == nil)
    #expect(SyntheticHealthExport.Day("yesterday") == nil)
  }
}
