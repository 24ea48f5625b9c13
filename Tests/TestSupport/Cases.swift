// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How many cases a test goes through that draws them at random: few unless SANTORIO_CASES=many, as
/// `Scripts/check canary` sets it when it is run by hand.
package func cases(few: Int, many: Int) -> Int {
  ProcessInfo.processInfo.environment["SANTORIO_CASES"] == "many" ? many : few
}
