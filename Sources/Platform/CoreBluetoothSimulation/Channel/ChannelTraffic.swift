// SPDX-License-Identifier: Apache-2.0

/// One direction of a link: its channels take turns to send one frame each.
final class ChannelTraffic {
  private var waiting: [ChannelHalf] = []
  private var isSending = false

  /// The half may have something to send.
  func wake(_ half: ChannelHalf, on link: SimulatedLink) {
    guard half.outgoing.canSend, !waiting.contains(where: { $0 === half }) else { return }
    waiting.append(half)
    sendNext(on: link)
  }

  private func sendNext(on link: SimulatedLink) {
    while link.isUp, !isSending, !waiting.isEmpty {
      let half = waiting.removeFirst()
      if let frame = half.outgoing.nextFrame() { send(frame, of: half, on: link) }
    }
  }

  private func send(_ frame: ChannelFlow.Frame, of half: ChannelHalf, on link: SimulatedLink) {
    isSending = true
    half.isSending = true
    let delay = link.slot * frame.packets
    link.carry(delay, toClient: !half.isCentral) { [weak self, weak link] in
      guard let self, let link else { return }
      isSending = false
      half.isSending = false
      if let reason = link.peripheral.faults.nextDrop() { return link.end(reason) }
      half.channel?.arrive(frame, from: half)
      wake(half, on: link)
      sendNext(on: link)
    }
  }

  func removeAll() {
    waiting = []
  }
}
