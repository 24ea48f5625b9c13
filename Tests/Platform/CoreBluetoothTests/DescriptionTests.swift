// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct Descriptions {
  /// The description with every address replaced by a short one.
  private func text(_ object: NSObject) -> String {
    object.description.replacing(#/: 0x[0-9a-f]+/#, with: ": 0x1")
  }

  @Test func `attributes of a peer are of the public classes`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let characteristic = try link("FFF4")
    link.peripheral.discoverDescriptors(for: characteristic)
    await lab.wait(for: "descriptors")
    let descriptor = try #require(characteristic.descriptors?.first)

    #expect(type(of: link.peripheral) == CBPeripheral.self)
    #expect(type(of: link.service) == CBService.self)
    #expect(type(of: characteristic) == CBCharacteristic.self)
    #expect(type(of: descriptor) == CBDescriptor.self)
  }

  @Test func `a peripheral has its MTU while it is connected`() async throws {
    let lab = Lab()
    let peripheral = try await lab.connect()
    let identifier = peripheral.identifier

    #expect(
      text(peripheral)
        == "<CBPeripheral: 0x1, identifier = \(identifier), name = Meter, mtu = 185, "
        + "state = connected>")
    lab.central.manager.cancelPeripheralConnection(peripheral)
    await lab.run(.seconds(1))
    #expect(text(peripheral).hasSuffix("mtu = 0, state = disconnected>"))
  }

  @Test func `attributes of a peer show no bytes`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    let described = try link("FFF1")
    let fixed = try link("FFF2")
    #expect(text(link.service) == "<CBService: 0x1, isPrimary = YES, UUID = FFF0>")
    #expect(
      text(fixed)
        == "<CBCharacteristic: 0x1, UUID = FFF2, properties = 0x2, value = (null), "
        + "notifying = NO>")

    link.peripheral.readValue(for: fixed)
    link.peripheral.discoverDescriptors(for: described)
    await lab.wait(for: "descriptors")
    let descriptors = try #require(described.descriptors)
    for descriptor in descriptors { link.peripheral.readValue(for: descriptor) }
    await lab.run(.seconds(1))

    #expect(
      text(fixed)
        == "<CBCharacteristic: 0x1, UUID = FFF2, properties = 0x2, value = {length = 5}, "
        + "notifying = NO>")
    #expect(
      descriptors.map(text) == [
        "<CBDescriptor: 0x1, UUID = Characteristic User Description, value = {length = 7}>",
        "<CBDescriptor: 0x1, UUID = Characteristic Format, value = {length = 7}>",
      ])
  }

  @Test func `a subscription shows at the characteristic and in its configuration`() async throws {
    let lab = Lab()
    let link = try await lab.subscribe()
    let characteristic = try link("FFF4")
    link.peripheral.discoverDescriptors(for: characteristic)
    await lab.wait(for: "descriptors")
    let descriptor = try #require(characteristic.descriptors?.first)
    #expect(
      text(descriptor)
        == "<CBDescriptor: 0x1, UUID = Client Characteristic Configuration, value = (null)>")

    link.peripheral.readValue(for: descriptor)
    await lab.run(.seconds(1))

    #expect(text(characteristic).hasSuffix("notifying = YES>"))
    #expect(
      text(descriptor)
        == "<CBDescriptor: 0x1, UUID = Client Characteristic Configuration, value = 1>")
    let central = try #require(lab.device.lastCentral)
    #expect(text(central) == "<CBCentral: 0x1 identifier = \(central.identifier), MTU = 182>")
  }

  @Test func `a service to publish lists what it contains`() {
    let characteristic = CBMutableCharacteristic(
      type: CBUUID(string: "FFF1"), properties: [.read, .notify], value: nil,
      permissions: .readable)
    let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
    #expect(
      text(service)
        == "<CBMutableService: 0x1 Primary = YES, UUID = FFF0, Included Services = (null), "
        + "Characteristics = (null)>")

    service.characteristics = [characteristic]

    #expect(
      text(characteristic)
        == "<CBMutableCharacteristic: 0x1 UUID = FFF1, Value = (null), Properties = 0x12, "
        + "Permissions = 0x1, Descriptors = (null), SubscribedCentrals = (\n)>")
    #expect(
      text(service)
        == """
        <CBMutableService: 0x1 Primary = YES, UUID = FFF0, Included Services = (null), \
        Characteristics = (
            "<CBMutableCharacteristic: 0x1 UUID = FFF1, Value = (null), Properties = 0x12, \
        Permissions = 0x1, Descriptors = (null), SubscribedCentrals = (\\n)>"
        )>
        """)
  }
}
