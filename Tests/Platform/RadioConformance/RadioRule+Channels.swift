// SPDX-License-Identifier: Apache-2.0

/// Both ends of a channel.
private struct ChannelEnds {
  let near: any RadioChannel
  let far: any RadioChannel
}

extension Scene {
  /// The numbers that are not assigned (Core Specification, Vol 3, Part A, 4.22).
  fileprivate static let channelNumbers: ClosedRange<CBL2CAPPSM> = 0x80...0xFF

  /// Has the device listen for channels under a new number.
  fileprivate func publishChannel(encrypted: Bool = false) async throws -> CBL2CAPPSM {
    let before = device.publications.count
    device.session.publishChannel(encrypted: encrypted)
    try await until("the number") { [device] in device.publications.count > before }
    return device.publications[before]
  }

  /// Opens a channel; both sides get their ends.
  fileprivate func openChannel(
    _ psm: CBL2CAPPSM, of peer: PeerIdentifier
  ) async throws -> ChannelEnds {
    let before = device.channels.count
    let number = central.perform(.openChannel(psm), on: peer)
    try await until("an answer") { [central] in central.answer(to: number) != nil }
    try require(central.answer(to: number) == .success(.channel), "a channel is answered")
    try await until("the channel of the device") { [device] in device.channels.count > before }
    guard let near = central.channel(of: number) else {
      throw RadioViolation(description: "the answer has a channel")
    }
    return ChannelEnds(near: near, far: device.channels[before])
  }

  /// Connects, publishes a channel and opens it.
  fileprivate func openChannel(encrypted: Bool = false) async throws -> ChannelEnds {
    let peer = try await connect()
    return try await openChannel(try await publishChannel(encrypted: encrypted), of: peer)
  }
}

extension RadioRule {
  /// Bytes of which no two parts look alike.
  private static func bytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  static let channels = [
    RadioRule("each channel that is published gets a number of its own") { scene in
      try await scene.advertise()
      let numbers = [try await scene.publishChannel(), try await scene.publishChannel()]
      try scene.require(numbers[0] != numbers[1], "two numbers")
      try scene.require(
        numbers.allSatisfy(Scene.channelNumbers.contains), "numbers that are not assigned")
    },
    RadioRule("opening a channel reaches who has published its number") { scene in
      let peer = try await scene.connect()
      _ = try await scene.publishChannel()
      let psm = try await scene.publishChannel()
      let channel = try await scene.openChannel(psm, of: peer)
      await scene.pass()
      try scene.require(scene.device.channels.count == 1, "one channel")
      for end in [channel.near, channel.far] {
        try scene.require(end.psm == psm, "the number of its service")
        try scene.require(end.status.end == nil, "it is open")
        try scene.require(end.status.bytesAvailable == 0, "nothing has come")
        try scene.require(end.status.room > 0, "there is room")
      }
    },
    RadioRule("bytes go both ways through a channel, all and in order") { scene in
      let channel = try await scene.openChannel()
      let (up, down) = (bytes(100_000, seed: 1), bytes(100_000, seed: 2))
      let near = ChannelSide(channel.near, writing: up)
      let far = ChannelSide(channel.far, writing: down)
      try await scene.until("as many bytes as were written") {
        near.received.count >= down.count && far.received.count >= up.count
      }
      try scene.require(near.received == down, "what the device has written")
      try scene.require(far.received == up, "what the central has written")
    },
    RadioRule("a reader that does not read makes the writer wait") { scene in
      let channel = try await scene.openChannel()
      let bytes = bytes(1_000_000, seed: 3)
      var (written, last) = (0, 1)
      while last > 0 {
        last = channel.near.put(Array(bytes[written...]))
        written += last
        await scene.pass()
      }
      try scene.require(written < bytes.count, "not everything is taken")
      try scene.require(channel.near.status.room == 0, "no room is left")
      let far = ChannelSide(channel.far)
      try await scene.until("room for the writer") { [written] in
        channel.near.status.room > 0 && far.received.count >= written
      }
      try scene.require(far.received == Array(bytes.prefix(written)), "all that was taken")
    },
    RadioRule("a channel that is closed ends on the other side after the last byte") { scene in
      let channel = try await scene.openChannel()
      let sent = bytes(20_000, seed: 4)
      let far = ChannelSide(channel.far)
      let near = ChannelSide(channel.near, writing: sent, thenCloses: true)
      try await scene.until("the end") { far.end != nil }
      try scene.require(far.received == sent, "everything came before the end")
      try scene.require(far.end == .closed, "the channel was closed")
      try scene.require(channel.near.status.end == .closed, "also here")
      for end in [channel.near, channel.far] {
        try scene.require(end.status.room == 0, "no room after the end")
        try scene.require(end.put([1]) == 0, "nothing is taken after the end")
      }
      withExtendedLifetime(near) {}
    },
    RadioRule("what came before the end of a channel can be read after it") { scene in
      let channel = try await scene.openChannel()
      let sent = bytes(500, seed: 5)
      try scene.require(channel.far.put(sent) == sent.count, "room for a few bytes")
      channel.far.close()
      try await scene.until("the end") { channel.near.status.end == .closed }
      try scene.require(channel.near.status.bytesAvailable == sent.count, "the bytes wait")
      try scene.require(channel.near.takeAll() == sent, "what was written")
    },
    RadioRule("hanging up ends the channels of a link") { scene in
      let peer = try await scene.connect()
      let channel = try await scene.openChannel(try await scene.publishChannel(), of: peer)
      scene.central.session.disconnect(peer)
      try await scene.until("the ends") {
        channel.near.status.end != nil && channel.far.status.end != nil
      }
      try scene.require(channel.near.status.end == .closed, "closed where it was given up")
      guard case .failed = channel.far.status.end else {
        throw RadioViolation(description: "not so: an error on the other side")
      }
    },
    RadioRule("a lost link is an error of both ends of a channel", needs: [.losesLink]) { scene in
      let channel = try await scene.openChannel()
      let sides = [ChannelSide(channel.near), ChannelSide(channel.far)]
      scene.bench.loseLink?()
      try await scene.until("both ends") { sides.allSatisfy { $0.end != nil } }
      for side in sides {
        guard case .failed = side.end else {
          throw RadioViolation(description: "not so: an error, not a good-bye")
        }
      }
    },
    RadioRule("a number that nobody has published cannot be opened") { scene in
      let peer = try await scene.connect()
      let psm = try await scene.publishChannel()
      let other = psm == Scene.channelNumbers.upperBound ? psm - 1 : psm + 1
      guard case .failure = try await scene.result(of: .openChannel(other), peer) else {
        throw RadioViolation(description: "not so: a failure")
      }
      try scene.require(scene.device.channels.isEmpty, "the device hears nothing")
    },
    RadioRule("a number that is withdrawn closes its channels and opens no more") { scene in
      let peer = try await scene.connect()
      let psm = try await scene.publishChannel()
      let channel = try await scene.openChannel(psm, of: peer)
      let other = try await scene.openChannel(try await scene.publishChannel(), of: peer)
      scene.device.session.unpublishChannel(psm)
      try await scene.until("the answer") { [device = scene.device] in
        device.withdrawals == [psm]
      }
      try await scene.until("the ends") {
        channel.near.status.end == .closed && channel.far.status.end == .closed
      }
      try scene.require(other.near.status.end == nil, "the other channel stays open")
      guard case .failure = try await scene.result(of: .openChannel(psm), peer) else {
        throw RadioViolation(description: "not so: a failure")
      }
    },
    RadioRule("a protected channel is opened after pairing") { scene in
      let channel = try await scene.openChannel(encrypted: true)
      try scene.require(channel.near.put([7]) == 1, "room for a byte")
      let far = ChannelSide(channel.far)
      try await scene.until("the byte") { far.received == [7] }
    },
  ]
}
