// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

#if SimulatedBluetooth
  @testable import SimulatedCoreBluetooth
#else
  @testable import CoreBluetooth
#endif

@Suite struct `Source on a run loop` {
  @Test func `is waited for after each signal while the loop handles them`() {
    let source = RunLoopSource {}
    source.add(to: .current, mode: .default)

    for _ in 0..<5 {
      source.signal()
      #expect((0..<15_000).allSatisfy { _ in source.isAwaited })
      _ = RunLoop.current.run(mode: .default, before: Date())
      #expect(!source.isAwaited)
    }
    source.removeAll()
  }

  @Test func `is not waited for when no thread runs the loop`() {
    let source = RunLoopSource {}
    source.add(to: .current, mode: .default)

    source.signal()

    #expect((0..<20_000).allSatisfy { _ in source.isAwaited })
    #expect(!source.isAwaited)
    // A turn now and then is not yet a loop that runs.
    _ = RunLoop.current.run(mode: .default, before: Date())
    source.signal()
    #expect(!source.isAwaited)
    source.removeAll()
  }
}
