// SPDX-License-Identifier: Apache-2.0

extension RadioRule {
  static let beginning = [
    RadioRule("the first event of each session is the state") { scene in
      try await scene.until("a state") { [central = scene.central, device = scene.device] in
        central.state != nil && !device.events.isEmpty
      }
      try scene.require(scene.complaints == [], "\(scene.complaints)")
    },
    RadioRule("the process may use the radio") { scene in
      try scene.require(scene.bench.central.authorization == .allowedAlways, "authorized")
    },
  ]

  static let scanning = [
    RadioRule("a scan reports name, services and signal of an advertiser") { scene in
      let peer = try await scene.find()
      guard let found = scene.central.discoveries.first(where: { $0.peer.identifier == peer })
      else { throw RadioViolation(description: "the peer is among the discoveries") }
      try scene.require(found.advertisement.localName == Scene.name, "the advertised name")
      try scene.require(found.advertisement.services.contains(Scene.service), "the service")
      try scene.require(found.advertisement.isConnectable, "connectable")
      try scene.require((-127..<20).contains(found.rssi) || found.rssi == 127, "an RSSI in dBm")
    },
    RadioRule("a scan for other services reports nothing") { scene in
      try await scene.advertise()
      scene.central.session.startScan(ScanRequest(services: [Scene.otherService]))
      await scene.pass()
      try scene.require(scene.central.discoveries.isEmpty, "nothing matches")
    },
    RadioRule("a scan without duplicates reports an advertiser once, a new scan again") { scene in
      try await scene.advertise()
      for count in 1...2 {
        scene.central.session.startScan(ScanRequest(services: [Scene.service]))
        await scene.pass()
        try scene.require(scene.central.discoveries.count == count, "one report a scan")
      }
    },
    RadioRule("a scan with duplicates reports packet after packet") { scene in
      try await scene.advertise()
      scene.central.session.startScan(
        ScanRequest(services: [Scene.service], allowsDuplicates: true))
      try await scene.until("five reports") { [central = scene.central] in
        central.discoveries.count >= 5
      }
    },
    RadioRule("an advertisement that changes is reported again") { scene in
      try await scene.advertise()
      scene.central.session.startScan(ScanRequest(services: [Scene.service]))
      try await scene.until("a report") { [central = scene.central] in
        central.discoveries.count == 1
      }
      scene.device.session.stopAdvertising()
      var other = RadioAdvertisement.ofConformance
      other.services.append(BluetoothUUID(0x180F))
      scene.device.session.startAdvertising(other)
      try await scene.until("another report") { [central = scene.central] in
        central.discoveries.count == 2
      }
    },
    RadioRule("a scan that is stopped reports nothing more") { scene in
      try await scene.advertise()
      scene.central.session.startScan(
        ScanRequest(services: [Scene.service], allowsDuplicates: true))
      try await scene.until("a report") { [central = scene.central] in
        !central.discoveries.isEmpty
      }
      scene.central.session.stopScan()
      await scene.pass()
      let count = scene.central.discoveries.count
      await scene.pass()
      try scene.require(scene.central.discoveries.count == count, "no report after the stop")
    },
    RadioRule("an advertiser that stops is not found") { scene in
      try await scene.advertise()
      scene.device.session.stopAdvertising()
      await scene.pass()
      scene.central.session.startScan(ScanRequest(services: [Scene.service]))
      await scene.pass()
      try scene.require(scene.central.discoveries.isEmpty, "nothing advertises")
    },
    RadioRule("advertising twice is an error") { scene in
      try await scene.advertise()
      scene.device.session.startAdvertising(.ofConformance)
      try await scene.until("an answer") { [device = scene.device] in
        device.advertisingAnswers.count == 2
      }
      try scene.require(
        scene.device.advertisingAnswers.last == .system(.alreadyAdvertising), "already advertising")
    },
  ]
}
