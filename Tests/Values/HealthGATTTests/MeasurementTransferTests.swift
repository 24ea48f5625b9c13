// SPDX-License-Identifier: Apache-2.0

import HealthGATT
import Testing

/// An input with its time in seconds.
private enum Input {
  case subscribed(Int)
  case received(String, Int)
  case disconnected(Int)
  case timeReached(Int)
}

private typealias Action = MeasurementTransfer<String>.Action
private typealias Dialogue = [(input: Input, action: Action)]

/// Plays the inputs and compares each action.
private func expect(_ dialogue: Dialogue, sourceLocation: SourceLocation = #_sourceLocation) {
  var transfer = MeasurementTransfer<String>()
  for (step, line) in dialogue.enumerated() {
    let action =
      switch line.input {
      case .subscribed(let now): transfer.subscribed(at: .seconds(now))
      case .received(let text, let now): transfer.received(text, at: .seconds(now))
      case .disconnected(let now): transfer.disconnected(at: .seconds(now))
      case .timeReached(let now): transfer.timeReached(.seconds(now))
      }
    #expect(action == line.action, "step \(step)", sourceLocation: sourceLocation)
  }
}

@Suite struct `Measurement transfer` {
  @Test func `ends when the device hangs up`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.received("a", 1), .deliver("a", waitUntil: .seconds(5))),
      (.received("b", 2), .deliver("b", waitUntil: .seconds(6))),
      (.disconnected(3), .finish(.disconnected)),
    ])
  }

  @Test func `ends after four quiet seconds`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.received("a", 10), .deliver("a", waitUntil: .seconds(14))),
      (.received("b", 13), .deliver("b", waitUntil: .seconds(17))),
      (.timeReached(14), .wait(until: .seconds(17))),
      (.timeReached(17), .finish(.quiet)),
      (.disconnected(18), .none),
    ])
  }

  @Test func `waits for the first measurement as long as the limit allows`() {
    expect([
      (.subscribed(5), .wait(until: .seconds(125))),
      (.timeReached(124), .wait(until: .seconds(125))),
      (.timeReached(125), .finish(.limitReached)),
    ])
  }

  @Test func `ends at the limit although measurements still come`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.received("a", 117), .deliver("a", waitUntil: .seconds(120))),
      (.received("b", 119), .deliver("b", waitUntil: .seconds(120))),
      (.timeReached(120), .finish(.limitReached)),
    ])
  }

  @Test func `was quiet when the quiet time ended before the limit and the timer is late`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.received("a", 115), .deliver("a", waitUntil: .seconds(119))),
      (.timeReached(130), .finish(.quiet)),
    ])
  }

  @Test func `was quiet when the quiet time ends at the limit`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.received("a", 116), .deliver("a", waitUntil: .seconds(120))),
      (.timeReached(120), .finish(.quiet)),
    ])
  }

  @Test func `takes a measurement that comes before the subscription is confirmed`() {
    expect([
      (.received("a", 1), .deliver("a", waitUntil: .seconds(5))),
      (.subscribed(2), .none),
      (.received("b", 3), .deliver("b", waitUntil: .seconds(7))),
      (.timeReached(7), .finish(.quiet)),
    ])
  }

  @Test func `ends without a measurement when the device hangs up first`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.disconnected(1), .finish(.disconnected)),
    ])
    expect([(.disconnected(0), .finish(.disconnected))])
  }

  @Test func `still delivers what comes after its end`() {
    expect([
      (.received("a", 0), .deliver("a", waitUntil: .seconds(4))),
      (.timeReached(4), .finish(.quiet)),
      (.received("b", 5), .deliver("b", waitUntil: nil)),
      (.subscribed(6), .none),
      (.timeReached(7), .none),
      (.disconnected(8), .none),
    ])
  }

  @Test func `does not start its limit anew when it is subscribed twice`() {
    expect([
      (.subscribed(0), .wait(until: .seconds(120))),
      (.subscribed(60), .none),
      (.timeReached(120), .finish(.limitReached)),
    ])
  }

  @Test func `ignores a timer before the subscription`() {
    expect([
      (.timeReached(500), .none),
      (.subscribed(501), .wait(until: .seconds(621))),
    ])
  }

  @Test func `takes other limits`() {
    var transfer = MeasurementTransfer<Int>(
      limits: .init(quietTime: .milliseconds(500), overall: .seconds(2)))

    #expect(transfer.subscribed(at: .zero) == .wait(until: .seconds(2)))
    #expect(transfer.received(7, at: .seconds(1)) == .deliver(7, waitUntil: .milliseconds(1500)))
    #expect(transfer.timeReached(.milliseconds(1499)) == .wait(until: .milliseconds(1500)))
    #expect(transfer.timeReached(.milliseconds(1500)) == .finish(.quiet))
  }
}
