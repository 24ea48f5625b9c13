// SPDX-License-Identifier: Apache-2.0

extension RadioRule {
  static let connecting = [
    RadioRule("a connection that is given up ends once, without a reason") { scene in
      let peer = try await scene.connect()
      scene.central.session.disconnect(peer)
      try await scene.until("the end") { [central = scene.central] in !central.ends.isEmpty }
      await scene.pass()
      try scene.require(scene.central.ends == [nil], "one end, without an error")
    },
    RadioRule("a connection is waited for") { scene in
      let peer = try await scene.find()
      scene.device.session.stopAdvertising()
      await scene.pass()
      scene.central.connect(peer)
      await scene.pass()
      try scene.require(scene.central.connections.isEmpty, "nobody is there yet")
      scene.device.session.startAdvertising(.ofConformance)
      try await scene.until("the connection") { [central = scene.central] in
        central.connections == [peer]
      }
    },
    RadioRule("a pending connection that is given up ends and is not made") { scene in
      let peer = try await scene.find()
      scene.device.session.stopAdvertising()
      await scene.pass()
      scene.central.connect(peer)
      scene.central.session.disconnect(peer)
      try await scene.until("the end") { [central = scene.central] in central.ends == [nil] }
      scene.device.session.startAdvertising(.ofConformance)
      await scene.pass()
      try scene.require(scene.central.connections.isEmpty, "no connection follows")
    },
    RadioRule("a connection is confirmed while it lasts, and not afterwards") { scene in
      let peer = try await scene.connect()
      scene.central.confirm(peer)
      try await scene.until("the second report") { [central = scene.central] in
        central.connections == [peer, peer]
      }
      scene.central.session.disconnect(peer)
      try await scene.until("the end") { [central = scene.central] in central.ends == [nil] }
      scene.central.confirm(peer)
      await scene.pass()
      try scene.require(scene.central.connections == [peer, peer], "no report after the end")
      try scene.require(scene.central.ends == [nil], "no other end")
    },
    RadioRule("a peer that the host does not know fails to connect") { scene in
      try await scene.advertise()
      scene.central.connect(UUID())
      try await scene.until("the failure") { [central = scene.central] in
        central.count { if case .connectFailed = $0 { true } else { false } } == 1
      }
    },
    RadioRule("a device that goes says good-bye") { scene in
      _ = try await scene.connect()
      scene.device.session.close()
      try await scene.until("the end") { [central = scene.central] in !central.ends.isEmpty }
      await scene.pass()
      try scene.require(
        scene.central.ends == [.system(.peripheralDisconnected)], "one end, by the peripheral")
    },
    RadioRule("a link without a signal times out", needs: [.losesLink]) { scene in
      _ = try await scene.connect()
      scene.bench.loseLink?()
      try await scene.until("the end") { [central = scene.central] in !central.ends.isEmpty }
      try scene.require(scene.central.ends == [.system(.connectionTimeout)], "a time-out")
    },
    RadioRule("after the end nothing is answered") { scene in
      let remote = try await scene.open()
      scene.device.fallSilent()
      _ = scene.central.perform(.read(remote[Scene.Attribute.asked]), on: remote.peer)
      try await scene.until("the question") { [device = scene.device] in
        !device.offsetsRead.isEmpty
      }
      scene.device.session.close()
      try await scene.until("the end") { [central = scene.central] in !central.ends.isEmpty }
      _ = scene.central.perform(.readRSSI, on: remote.peer)
      await scene.pass()
    },
    RadioRule(
      "without power connections end unsaid, and can be made again", needs: [.switchesPower]
    ) { scene in
      let peer = try await scene.connect()
      scene.bench.setPower?(false)
      try await scene.until("the state") { [central = scene.central] in !central.isOn }
      await scene.pass()
      try scene.require(scene.central.ends.isEmpty, "no end is reported")
      scene.bench.setPower?(true)
      try await scene.until("the power") { [central = scene.central] in central.isOn }
      try await scene.connect(peer)
    },
    RadioRule("a session that is closed ends its links and hears nothing more") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Scene.Attribute.notified, of: remote)
      try await scene.until("the subscription") { [device = scene.device] in
        device.subscribers(of: Scene.Attribute.notified) == 1
      }
      scene.central.withEventsHeld {
        scene.central.connect(UUID())
        scene.central.close()
      }
      try await scene.until("the end of the subscription") { [device = scene.device] in
        device.subscribers(of: Scene.Attribute.notified) == 0
      }
      await scene.pass()
    },
  ]
}
