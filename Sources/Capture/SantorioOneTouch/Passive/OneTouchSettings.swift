// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation

/// How meters are read passively.
public struct OneTouchSettings: Sendable {
  /// The queue on which the kit is called: the main one, unless the kit's documentation has another.
  public var queue: DispatchQueue {
    get { kitQueue.queue }
    set { kitQueue = Queue(queue: newValue) }
  }
  /// Whether the kit is told to set the meters' clocks.
  public var setsMeterClocks = true
  /// How long the kit has to answer; a later answer is still taken unless the meter is read again.
  public var answerTimeout = Duration.seconds(300)
  /// The time.
  public var now: @Sendable () -> Date = { Date() }
  /// The zone in which the phone is now.
  public var zone: @Sendable () -> TimeZone = { .current }
  /// The clock for pauses and time-outs.
  public var clock: any Clock<Duration> = ContinuousClock()

  private var kitQueue = Queue(queue: .main)

  /// Settings with their defaults.
  public init() {}

  /// A queue may be used from any thread, but SDKs before iOS 17 do not declare it so.
  private struct Queue: @unchecked Sendable {
    let queue: DispatchQueue
  }
}
