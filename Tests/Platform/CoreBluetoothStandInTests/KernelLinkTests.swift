// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import CoreBluetooth

@Suite struct `List of the kernel's links` {
  private let header: [UInt8] = [0, 0, 3, 0]

  /// A link to F0:F1:F2:F3:F4 and a last byte.
  private func link(
    _ last: UInt8, type: UInt8 = 0x80, isOutgoing: Bool = false, state: UInt8 = 1
  ) -> [UInt8] {
    [0x40, 0, last, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, type, isOutgoing ? 1 : 0, state, 0, 0, 0, 0, 0]
  }

  @Test func `has the Low Energy links and attempts`() {
    let list = header + link(1) + link(2, type: 1) + link(3, isOutgoing: true, state: 5) + link(4)

    // The fourth is beyond the number in the header.
    #expect(
      KernelLinks.links(in: list) == [
        KernelLink(address: "F0:F1:F2:F3:F4:01", isOutgoing: false, isConnecting: false),
        KernelLink(address: "F0:F1:F2:F3:F4:03", isOutgoing: true, isConnecting: true),
      ])
  }

  @Test(arguments: [[], [0, 0], [0, 0, 9, 0], [0, 0, 9, 0, 1, 2, 3]] as [[UInt8]])
  func `that is truncated is read as far as possible`(list: [UInt8]) {
    #expect(KernelLinks.links(in: list) == [])
  }
}

@Suite struct `Evidence that the kernel makes no connections` {
  private let start = ContinuousClock.now
  private let leftover = KernelLink(address: "A", isOutgoing: true, isConnecting: true)
  private let wanted = KernelLink(address: "B", isOutgoing: true, isConnecting: true)

  private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

  /// Whether a sight of B proves it; `#expect` cannot call what changes a value.
  private func sees(
    _ evidence: inout StuckEvidence, _ address: String, at now: ContinuousClock.Instant
  ) -> Bool {
    evidence.sees(address, at: now)
  }

  /// What is known when A was left over at the start, and B is to be connected.
  private var evidence: StuckEvidence {
    var evidence = StuckEvidence()
    evidence.look(at: [leftover, wanted], attempts: ["B"], at: start)
    return evidence
  }

  @Test func `is an attempt that nobody makes, and a wanted peer in sight`() {
    var evidence = evidence
    #expect(!evidence.isSuspicious(at: after(9)))
    #expect(evidence.isSuspicious(at: after(10)))
    #expect(!sees(&evidence, "B", at: after(10)))
    #expect(!sees(&evidence, "B", at: after(12)))
    #expect(sees(&evidence, "B", at: after(13)))
  }

  @Test func `is none while all attempts are wanted`() {
    var evidence = StuckEvidence()
    for seconds in stride(from: 0, to: 60, by: 5) {
      evidence.look(at: [leftover, wanted], attempts: ["A", "B"], at: after(seconds))
      #expect(!sees(&evidence, "B", at: after(seconds)))
    }
  }

  @Test func `is none when the kernel has ended the attempt, or made the link`() {
    for links in [
      [wanted], [KernelLink(address: "A", isOutgoing: true, isConnecting: false), wanted],
      [KernelLink(address: "A", isOutgoing: false, isConnecting: true), wanted],
    ] {
      var evidence = evidence
      evidence.look(at: links, attempts: ["B"], at: after(5))
      evidence.look(at: [leftover, wanted], attempts: ["B"], at: after(9))
      #expect(!evidence.isSuspicious(at: after(18)))
      #expect(evidence.isSuspicious(at: after(19)))
    }
  }

  /// The peer that is left over may be the one that is wanted.
  @Test func `stays when the attempt is asked for again`() {
    var evidence = StuckEvidence()
    evidence.look(at: [leftover], attempts: [], at: start)
    evidence.attemptBegins(to: "A", [leftover], at: after(4))
    evidence.look(at: [leftover], attempts: ["A"], at: after(5))
    #expect(!sees(&evidence, "A", at: after(10)))
    #expect(sees(&evidence, "A", at: after(14)))
    evidence.attemptBegins(to: "A", [], at: after(15))
    #expect(!evidence.isSuspicious(at: after(60)))
  }

  /// An app may give up sooner than a discovery reports a peer again.
  @Test func `adds up over attempts, of which the last has to be long enough`() {
    var evidence = evidence
    evidence.attemptBegins(to: "B", [], at: start)
    #expect(!sees(&evidence, "B", at: after(10)))
    evidence.attemptBegins(to: "B", [leftover], at: after(38))
    #expect(!sees(&evidence, "B", at: after(40)))
    #expect(sees(&evidence, "B", at: after(41)))
  }

  @Test func `is none when a peer comes back that was in sight long ago`() {
    var evidence = evidence
    evidence.attemptBegins(to: "B", [], at: start)
    #expect(!sees(&evidence, "B", at: after(10)))
    #expect(!sees(&evidence, "B", at: after(71)))
    #expect(sees(&evidence, "B", at: after(74)))
  }
}
