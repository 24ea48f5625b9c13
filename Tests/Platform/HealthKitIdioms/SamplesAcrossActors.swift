// SPDX-License-Identifier: Apache-2.0

// Differs: samples are Sendable in later SDKs, as public code shows; that SDK is older.
import HealthKit

actor Queue {
  var last: HKSample?
  func add(_ samples: [HKSample]) { last = samples.last }
}

@MainActor final class Model {
  var samples: [HKSample] = []
  let queue = Queue()

  func flush() async { await queue.add(samples) }
}
