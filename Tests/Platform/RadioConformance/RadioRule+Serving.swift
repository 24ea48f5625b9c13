// SPDX-License-Identifier: Apache-2.0

extension RadioRule {
  private typealias Attribute = DeviceSide.Attribute
  private static let values = (1...5 as ClosedRange<UInt8>).map { Data([$0]) }

  private static func update(_ scene: Scene, _ attribute: LocalAttribute, _ count: Int) {
    for (number, value) in zip(RequestNumber(1)..., values.prefix(count)) {
      scene.device.session.update(value, of: attribute, for: nil, number: number)
    }
  }

  /// Subscribed values arrive in the order of the updates; after the end of it none does.
  private static func subscription(
    _ name: String, _ kind: Subscription, _ attribute: LocalAttribute
  ) -> RadioRule {
    RadioRule(name) { scene in
      let remote = try await scene.open()
      try await scene.subscribe(kind, to: attribute, of: remote)
      try await scene.until("the subscriber") { [device = scene.device] in
        device.subscribers(of: attribute) == 1
      }
      update(scene, attribute, 5)
      try await scene.until("five values") { [central = scene.central] in
        central.values(of: remote[attribute]).count == 5
      }
      try scene.require(scene.central.values(of: remote[attribute]) == values, "in order")
      try await scene.subscribe(.none, to: attribute, of: remote)
      try await scene.until("no subscriber") { [device = scene.device] in
        device.subscribers(of: attribute) == 0
      }
      update(scene, attribute, 1)
      await scene.pass()
      try scene.require(scene.central.values(of: remote[attribute]).count == 5, "no more values")
    }
  }

  static let serving = [
    subscription(
      "notifications arrive in order while subscribed", .notifications, Attribute.notified),
    subscription("indications arrive in order while subscribed", .indications, Attribute.indicated),
    RadioRule("each update says in order when it has left") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      update(scene, Attribute.notified, 5)
      try await scene.until("five updates") { [device = scene.device] in device.sent.count >= 5 }
      try scene.require(scene.device.sent == [1, 2, 3, 4, 5], "in order")
    },
    RadioRule("an update that nobody wants has left at once") { scene in
      _ = try await scene.open()
      update(scene, Attribute.notified, 1)
      try await scene.until("the update") { [device = scene.device] in device.sent == [1] }
    },
    RadioRule("an update goes to the centrals named") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      try await scene.until("the subscriber") { [device = scene.device] in
        device.lastSubscriber != nil
      }
      let names = [[UUID()], [scene.device.lastSubscriber?.identifier ?? UUID()]]
      for (number, centrals) in zip(UInt8(1)..., names) {
        scene.device.session.update(
          Data([number]), of: Attribute.notified, for: centrals,
          number: RequestNumber(number))
      }
      await scene.pass()
      try scene.require(
        scene.central.values(of: remote[Attribute.notified]) == [Data([2])], "the second alone")
    },
    RadioRule("subscriptions end with the link") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      scene.central.session.disconnect(remote.peer)
      try await scene.until("the end of the subscription") { [device = scene.device] in
        device.lastSubscriber != nil && device.subscribers(of: Attribute.notified) == 0
      }
    },
    RadioRule("the client hears of a service that is withdrawn, and its handles are dead") {
      scene in
      let remote = try await scene.open()
      scene.device.session.remove(Attribute.service)
      try await scene.until("the change") { [central = scene.central] in
        central.count {
          if case .servicesChanged(_, let dead) = $0 { dead == [remote.service] } else { false }
        } == 1
      }
      let read = try await scene.result(of: .read(remote[Attribute.fixed]), remote.peer)
      try scene.require(read == .failure(.attribute(.invalidHandle)), "an invalid handle")
      let services = try await scene.ask(.discoverServices([Scene.service]), remote.peer)
      try scene.require(services == .services([]), "the service is gone")
    },
    RadioRule("a service can be added while there is a link") { scene in
      let remote = try await scene.open()
      scene.device.session.add(.extra)
      try await scene.until("the service") { [device = scene.device] in
        device.isAdded(Attribute.extra)
      }
      await scene.pass()
      guard
        case .services(let found) = try await scene.ask(
          .discoverServices([Scene.uuid(Attribute.extra)]), remote.peer)
      else { throw RadioViolation(description: "an answer of services") }
      try scene.require(found.count == 1, "the new service is found")
    },
  ]
}
