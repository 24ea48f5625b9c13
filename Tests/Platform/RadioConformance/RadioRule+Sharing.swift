// SPDX-License-Identifier: Apache-2.0

extension RadioRule {
  /// A second session of the central's radio, which has its power.
  private static func second(_ scene: Scene) async throws -> CentralSide {
    let side = CentralSide(scene.bench.central, label: "second central")
    try await scene.until("the power of the second session") { side.isOn }
    return side
  }

  private static func finish(_ side: CentralSide) throws {
    side.close()
    if let complaint = side.complaints.first { throw RadioViolation(description: complaint) }
  }

  static let sharing = [
    RadioRule("two sessions share a link, which ends with the last") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: DeviceSide.Attribute.notified, of: remote)
      let other = try await second(scene)
      // Nobody could be found any more: the link that is there is used.
      scene.device.session.stopAdvertising()
      other.connect(remote.peer)
      try await scene.until("the second connection") { other.connections == [remote.peer] }
      other.session.disconnect(remote.peer)
      try await scene.until("its end") { other.ends == [nil] }
      await scene.pass()
      try scene.require(scene.central.ends.isEmpty, "the first session stays connected")
      let subscribers = scene.device.subscribers(of: DeviceSide.Attribute.notified)
      try scene.require(subscribers == 1, "the first session stays subscribed")
      try finish(other)
    },
    RadioRule("connections of others are reported while they are watched") { scene in
      let peer = try await scene.find()
      let other = try await second(scene)
      other.session.watchConnections(services: [Scene.service], peers: nil)
      try await scene.connect(peer)
      scene.central.session.disconnect(peer)
      let changes: @Sendable () -> [CBConnectionEvent] = {
        other.events.compactMap {
          if case .connectionWatched(_, let change) = $0 { change } else { nil }
        }
      }
      try await scene.until("both changes") { changes().count >= 2 }
      try scene.require(changes() == [.peerConnected, .peerDisconnected], "connected, then not")
      // The two sessions have queues of their own.
      try await scene.until("the end") { scene.central.ends.count == 1 }
      other.session.watchConnections(services: nil, peers: nil)
      try await scene.connect(peer)
      await scene.pass()
      try scene.require(changes().count == 2, "nothing after the watch")
      try finish(other)
    },
    RadioRule("one's own connection lies within its link") { scene in
      let peer = try await scene.find()
      scene.central.session.watchConnections(services: nil, peers: [peer])
      try await scene.connect(peer)
      scene.central.session.disconnect(peer)
      try await scene.until("the end of the link") { scene.central.courseOfLinks.count == 4 }
      let course = ["link", "connection", "end of connection", "end of link"]
      try scene.require(scene.central.courseOfLinks == course, "given up: \(course)")
      try await scene.connect(peer)
      scene.device.session.close()
      try await scene.until("the loss of the link") { scene.central.courseOfLinks.count == 8 }
      try scene.require(scene.central.courseOfLinks == course + course, "lost: \(course)")
    },
    RadioRule("known peers come in the order asked, others are missing") { scene in
      let peer = try await scene.find()
      let known = scene.central.session.knownPeers([UUID(), peer, UUID(), peer])
      try scene.require(known.map(\.identifier) == [peer, peer], "the known ones")
    },
    RadioRule("connected peers are found by a service that they have") { scene in
      let peer = try await scene.find()
      let session = scene.central.session
      try scene.require(session.connectedPeers(services: [Scene.service]) == [], "nobody yet")
      try await scene.connect(peer)
      _ = try await scene.ask(.discoverServices(nil), peer)
      let other = try await second(scene)
      let found = other.session.connectedPeers(services: [Scene.otherService, Scene.service])
      try scene.require(found.map(\.identifier) == [peer], "the connected one, for anybody")
      try scene.require(
        session.connectedPeers(services: [Scene.otherService]) == [], "nobody has the other service"
      )
      try finish(other)
    },
  ]
}
