// SPDX-License-Identifier: Apache-2.0

// Differs: what an object is made of are constants, which nobody can override.
import HealthKit

final class MockSample: HKQuantitySample {
  override var uuid: UUID { UUID() }
  override var startDate: Date { .distantPast }
}
