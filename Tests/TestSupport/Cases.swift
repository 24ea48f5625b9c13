// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How many cases a test goes through that draws them at random: few in `make test`, many in
/// `Scripts/check`, which sets SANTORIO_CASES=many.
package func cases(few: Int, many: Int) -> Int {
  ProcessInfo.processInfo.environment["SANTORIO_CASES"] == "many" ? many : few
}
