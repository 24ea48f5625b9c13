// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Foundation
import Testing

@Suite struct `Kept state of a central` {
  private let peer = RadioPeer(identifier: UUID(), name: "Meter")

  private func connected() -> CentralRestoration {
    var state = CentralRestoration()
    state.connect(peer, options: ConnectRequest(delay: .seconds(2), reconnects: true))
    state.record(.connected(peer, maximumWrite: 20))
    let characteristic = RemoteCharacteristic(
      handle: 2, uuid: BluetoothUUID(0x2A37), properties: [.read, .notify])
    let answers: [(PeerRequest, PeerAnswer)] = [
      (
        .discoverServices(nil),
        .services([RemoteService(handle: 1, uuid: BluetoothUUID(0x180D), isPrimary: true)])
      ),
      (
        .discoverIncludedServices(nil, of: 1),
        .services([RemoteService(handle: 9, uuid: BluetoothUUID(0x180F), isPrimary: false)])
      ),
      (.discoverCharacteristics(nil, of: 1), .characteristics([characteristic])),
      (
        .discoverDescriptors(of: 2),
        .descriptors([RemoteDescriptor(handle: 3, uuid: BluetoothUUID(0x2902))])
      ),
      (.subscribe(.notifications, 2), .done),
    ]
    for (request, answer) in answers { state.record(answer, to: request, of: peer.identifier) }
    return state
  }

  @Test func `has requests and discovered attributes`() throws {
    let entry = try #require(connected()[peer.identifier])

    #expect(entry.peer == peer)
    #expect(entry.options.delay == .seconds(2))
    #expect(entry.options.reconnects)
    #expect(entry.maximumWrite == 20)
    #expect(entry.attributes.services?.map(\.handle) == [1])
    #expect(entry.attributes.includedServices[1]?.map(\.handle) == [9])
    #expect(entry.attributes.characteristics[1]?.map(\.handle) == [2])
    #expect(entry.attributes.descriptors[2]?.map(\.handle) == [3])
    #expect(entry.attributes.notifying == [2])
  }

  @Test func `ignores repeated discoveries`() throws {
    var state = connected()
    let services = [1, 5].map {
      RemoteService(handle: $0, uuid: BluetoothUUID(0x180D), isPrimary: true)
    }

    state.record(.services(services), to: .discoverServices(nil), of: peer.identifier)
    state.record(.done, to: .subscribe(.none, 2), of: peer.identifier)

    let attributes = try #require(state[peer.identifier]?.attributes)
    #expect(attributes.services?.map(\.handle) == [1, 5])
    #expect(attributes.notifying == [])
  }

  @Test func `distinguishes an empty answer from none`() throws {
    var state = CentralRestoration()
    state.connect(peer, options: ConnectRequest())
    #expect(state[peer.identifier]?.attributes.services == nil)

    state.record(.services([]), to: .discoverServices(nil), of: peer.identifier)

    #expect(state[peer.identifier]?.attributes.services == [])
  }

  @Test func `follows the peer's events`() throws {
    var state = connected()
    state.record(.maximumWriteChanged(peer.identifier, 182))
    state.record(.nameChanged(peer.identifier, "Meter 2"))
    #expect(state[peer.identifier]?.maximumWrite == 182)
    #expect(state[peer.identifier]?.peer.name == "Meter 2")

    state.record(.servicesChanged(peer.identifier, [1]))
    #expect(state[peer.identifier]?.attributes.services == [])
    #expect(state[peer.identifier]?.attributes.characteristics == [:])
    #expect(state[peer.identifier]?.attributes.descriptors == [:])
    #expect(state[peer.identifier]?.attributes.notifying == [])

    state.loseConnections()
    #expect(state[peer.identifier]?.maximumWrite == nil)
    #expect(state[peer.identifier]?.attributes == KnownAttributes())
    state.record(.disconnected(peer.identifier, .system(.connectionTimeout)))
    #expect(state.isEmpty)
  }

  @Test func `ends when powered off`() {
    var state = connected()
    state.scan = ScanRequest(services: [BluetoothUUID(0x180D)])

    state.record(.stateChanged(.poweredOn))
    #expect(!state.isEmpty)
    state.record(.stateChanged(.poweredOff))
    #expect(state.isEmpty)
  }

  @Test func `can be written to a file`() throws {
    var state = connected()
    let long = try #require(BluetoothUUID("12345678-1234-1234-1234-123456789ABC"))
    state.scan = ScanRequest(services: [long], solicited: [BluetoothUUID(0x1805)])

    let text = try JSONEncoder().encode(state)
    let read = try JSONDecoder().decode(CentralRestoration.self, from: text)

    #expect(read == state)
    #expect(read.scan?.services.first?.string == "12345678-1234-1234-1234-123456789ABC")
  }

  @Test func `is not read from a damaged file`() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(BluetoothUUID.self, from: Data("\"180\"".utf8))
    }
  }
}

@Suite struct `Kept state of a peripheral` {
  private let central = RemoteCentral(identifier: UUID(), maximumUpdate: 20)

  private func published() -> PeripheralRestoration {
    var state = PeripheralRestoration()
    let characteristic = LocalCharacteristic(
      id: 2, uuid: BluetoothUUID(0x2A37), properties: .notify, permissions: .readable, value: nil,
      descriptors: [LocalDescriptor(uuid: BluetoothUUID(0x2901), value: Data("Rate".utf8))])
    state.services = [
      LocalService(
        id: 1, uuid: BluetoothUUID(0x180D), isPrimary: true, includedServices: [],
        characteristics: [characteristic])
    ]
    state.advertisement = RadioAdvertisement()
    state.advertisement?.localName = "Strap"
    state.advertisement?.serviceData = [BluetoothUUID(0x180D): Data([1])]
    state.record(.subscribed(central, 2))
    return state
  }

  @Test func `follows the subscriptions`() {
    var state = published()
    #expect(state.subscriptions == [2: [central]])

    let faster = RemoteCentral(identifier: central.identifier, maximumUpdate: 182)
    state.record(.subscribed(faster, 2))
    #expect(state.subscriptions == [2: [faster]])
    state.record(.unsubscribed(central, 2))
    #expect(state.subscriptions == [2: []])
  }

  @Test func `loses subscriptions when powered off and everything on a reset`() {
    var state = published()
    state.record(.stateChanged(.poweredOff))
    #expect(state.subscriptions == [:])
    #expect(state.services.count == 1)
    #expect(state.advertisement?.localName == "Strap")

    state.record(.stateChanged(.resetting))
    #expect(state.isEmpty)
  }

  @Test func `has no service that could not be published`() {
    var state = published()
    state.record(.serviceAdded(1, nil))
    #expect(state.services.count == 1)
    state.record(.serviceAdded(1, .system(.uuidNotAllowed)))
    #expect(state.services == [])
    #expect(state.subscriptions == [:])
  }

  @Test func `can be written to a file`() throws {
    let state = published()

    let text = try JSONEncoder().encode(state)
    let read = try JSONDecoder().decode(PeripheralRestoration.self, from: text)

    #expect(read == state)
    #expect(read.services.first?.characteristics.first?.properties == .notify)
    #expect(read.services.first?.characteristics.first?.permissions == .readable)
  }
}
