// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioConcurrency
import TestSupport
import Testing

@testable import SantorioCore

@Suite(.timeLimit(.minutes(15))) struct `Retry triggers` {
  @Test func `call for each notification while they are watched`() {
    let (center, name) = (NotificationCenter(), Notification.Name("became active"))
    let count = Locked(0)
    var watch: NotificationWatch? = NotificationWatch(name, in: center) {
      count.withLock { $0 += 1 }
    }

    center.post(name: name, object: nil)
    center.post(name: Notification.Name("something else"), object: nil)
    center.post(name: name, object: nil)
    #expect(count.withLock { $0 } == 2)

    withExtendedLifetime(watch) {}
    watch = nil
    center.post(name: name, object: nil)
    #expect(count.withLock { $0 } == 2)
  }
}
