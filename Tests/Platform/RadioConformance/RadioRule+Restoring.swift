// SPDX-License-Identifier: Apache-2.0

extension RadioRule {
  private typealias Attribute = DeviceSide.Attribute

  /// A rule for sessions with restore identifiers.
  private static func restoring(
    _ name: String, _ check: @escaping @Sendable (Scene) async throws -> Void
  ) -> RadioRule {
    RadioRule(name, needs: [.endsProcess], restores: true, check: check)
  }

  /// The next process of the central opens its session again.
  private static func nextCentral(_ scene: Scene, on radio: any Radio) async throws -> CentralSide {
    let next = CentralSide(
      radio, label: "next central", restoring: scene.identifiers?.central)
    try await scene.until("the state of the next process") { next.state != nil }
    return next
  }

  private static func finish(_ side: CentralSide) throws {
    side.close()
    if let complaint = side.complaints.first { throw RadioViolation(description: complaint) }
  }

  private static func finish(_ side: DeviceSide) throws {
    side.session.close()
    if let complaint = side.complaints.first { throw RadioViolation(description: complaint) }
  }

  static let restoring = restoringCentrals + restoringDevices + restoringNothing

  // MARK: - Centrals

  private static let restoringCentrals = [
    restoring("a central gets its scan and its connections back, before the state") { scene in
      let remote = try await scene.open()
      let scan = ScanRequest(services: [Scene.otherService])
      scene.central.session.startScan(scan)
      let next = try await nextCentral(scene, on: try scene.endProcess(.central))
      guard case .restored(let kept) = next.events.first else {
        throw RadioViolation(description: "not so: the first event is what was kept")
      }
      try scene.require(next.events.count >= 2 && next.isOn, "then comes the state")
      try scene.require(kept.peers.map(\.peer.identifier) == [remote.peer], "the peer")
      try scene.require(kept[remote.peer]?.maximumWrite != nil, "it is connected")
      try scene.require(kept.scan == scan, "the scan, with its filter")
      try finish(next)
    },
    restoring("a restored connection goes on") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      let next = try await nextCentral(scene, on: try scene.endProcess(.central))
      let number = next.perform(.read(remote[Attribute.fixed]), on: remote.peer)
      try await scene.until("an answer") { next.answer(to: number) != nil }
      let answer = next.answer(to: number)
      try scene.require(answer == .success(.value(LocalService.fixedValue)), "the value")
      try scene.require(next.ends.isEmpty && next.connections.isEmpty, "the link never ended")
      try scene.require(
        scene.device.subscribers(of: Attribute.notified) == 1, "nor did the subscription")
      try finish(next)
    },
    restoring("what happened between two processes is told after the state, in order") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      try await scene.until("the subscriber") { [device = scene.device] in
        device.subscribers(of: Attribute.notified) == 1
      }
      let radio = try scene.endProcess(.central)
      for number: UInt8 in 1...3 {
        scene.device.session.update(
          Data([number]), of: Attribute.notified, for: nil, number: RequestNumber(number))
      }
      await scene.pass()
      let next = try await nextCentral(scene, on: radio)
      let expected = (1...3).map { Data([UInt8($0)]) }
      try await scene.until("the values, in order") {
        next.values(of: remote[Attribute.notified]) == expected
      }
      try finish(next)
    },
  ]

  // MARK: - Devices

  /// The next process of the device opens its session again, and answers so.
  private static func nextDevice(
    _ scene: Scene, on radio: any Radio, answers: [LocalAttribute: Result<Data, RadioError>] = [:]
  ) async throws -> DeviceSide {
    let next = DeviceSide(radio, restoring: scene.identifiers?.device, answers: answers)
    try await scene.until("the state of the next process") { next.isOn }
    return next
  }

  private static let restoringDevices = [
    restoring("a device gets services, subscribers and advertising back, before the state") {
      scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      try await scene.until("the subscriber") { [device = scene.device] in
        device.subscribers(of: Attribute.notified) == 1
      }
      let subscribers = [scene.device.lastSubscriber?.identifier].compactMap(\.self)
      let next = try await nextDevice(scene, on: try scene.endProcess(.peripheral))
      guard case .restored(let kept) = next.events.first else {
        throw RadioViolation(description: "not so: the first event is what was kept")
      }
      try scene.require(kept.services == [.ofConformance], "the service")
      try scene.require(kept.advertisement == .ofConformance, "what it advertises")
      try scene.require(
        kept.subscriptions[Attribute.notified]?.map(\.identifier) == subscribers, "who listens")
      try finish(next)
    },
    restoring("a restored device goes on, and gets what was written meanwhile") { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      let radio = try scene.endProcess(.peripheral)
      for number: UInt8 in 1...3 {
        let command = PeerRequest.writeWithoutResponse(
          Data([number]), remote[Attribute.written])
        try scene.require(try await scene.ask(command, remote.peer) == .done, "it is sent")
      }
      await scene.pass()
      let value = Data("after all".utf8)
      let next = try await nextDevice(
        scene, on: radio, answers: [Attribute.asked: .success(value)])
      try await scene.until("what was written") {
        next.writes.flatMap { $0 }.map(\.value) == (1...3).map { Data([UInt8($0)]) }
      }
      let read = try await scene.ask(.read(remote[Attribute.asked]), remote.peer)
      try scene.require(read == .value(value), "it answers")
      next.session.update(Data([5]), of: Attribute.notified, for: nil, number: 1)
      try await scene.until("the update") { [central = scene.central] in
        central.values(of: remote[Attribute.notified]) == [Data([5])]
      }
      try scene.require(scene.central.ends.isEmpty, "the link never ended")
      try finish(next)
    },
  ]

  // MARK: - Nothing

  private static let restoringNothing = [
    restoring("another identifier restores nothing, and leaves what was kept") { scene in
      let peer = try await scene.connect()
      let radio = try scene.endProcess(.central)
      let other = CentralSide(radio, label: "other central", restoring: UUID().uuidString)
      try await scene.until("a state") { other.state != nil }
      try scene.require(other.restored == nil, "nothing of others")
      try finish(other)
      let next = try await nextCentral(scene, on: radio)
      try scene.require(
        next.restored?.peers.map(\.peer.identifier) == [peer], "its own is still there")
      try finish(next)
    },
    restoring("sessions that had nothing in hand are not restored") { scene in
      try await scene.until("both radios are on") {
        [central = scene.central, device = scene.device]
        in central.isOn && device.isOn
      }
      let central = try await nextCentral(scene, on: try scene.endProcess(.central))
      let device = try await nextDevice(scene, on: try scene.endProcess(.peripheral))
      await scene.pass()
      try scene.require(central.restored == nil, "the central begins anew")
      try scene.require(!device.isRestored, "the device begins anew")
      try finish(central)
      try finish(device)
    },
    restoring("a session that was closed is not restored") { scene in
      _ = try await scene.connect()
      scene.central.close()
      await scene.pass()
      let next = try await nextCentral(scene, on: try scene.endProcess(.central))
      try scene.require(next.restored == nil, "it was given up")
      try finish(next)
    },
    RadioRule("without an identifier all ends with the process", needs: [.endsProcess]) { scene in
      let remote = try await scene.open()
      try await scene.subscribe(.notifications, to: Attribute.notified, of: remote)
      try await scene.until("the subscriber") { [device = scene.device] in
        device.subscribers(of: Attribute.notified) == 1
      }
      let radio = try scene.endProcess(.central)
      try await scene.until("the end of the subscription") { [device = scene.device] in
        device.subscribers(of: Attribute.notified) == 0
      }
      let next = try await nextCentral(scene, on: radio)
      await scene.pass()
      try scene.require(next.restored == nil, "nothing is kept")
      try finish(next)
    },
  ]
}
