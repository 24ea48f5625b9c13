// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct Pairing {
  @Test func `rule 48: a protected read pairs and is repeated`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.device.values = [CBUUID(string: "FFF6"): Data([0x42])]

    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["value FFF6 42"])
    #expect(lab.device.log.all == ["read FFF6 @0"])
    #expect(lab.phone.isBonded(with: lab.meter))
    #expect(lab.meter.isBonded(with: lab.phone))
  }

  @Test func `rule 48: protected writes and subscriptions pair, too`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.writeValue(Data([1]), for: try link("FFF7"), type: .withResponse)
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["wrote FFF7"])
    #expect(lab.phone.isBonded(with: lab.meter))

    let other = Lab()
    let second = try await other.open()
    second.peripheral.setNotifyValue(true, for: try second("FFF8"))
    await other.run(.seconds(5))
    #expect(other.central.log.all == ["notify FFF8 on"])
    #expect(other.phone.isBonded(with: other.meter))
  }

  @Test(arguments: [SimulatedPairing.reject, .fail])
  func `rule 48: refused pairing is insufficient authentication`(answer: SimulatedPairing)
    async throws
  {
    let lab = Lab()
    let link = try await lab.open()
    lab.meter.pairing = answer

    link.peripheral.readValue(for: try link("FFF6"))
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.seconds(5))

    #expect(
      lab.central.log.all == ["value FFF6 - CBATTErrorDomain 5", "value FFF2 68656c6c6f"])
    #expect(!lab.phone.isBonded(with: lab.meter))
  }

  @Test func `rule 48: pairing waits for the user`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.phone.pairing = .acceptAfter(.seconds(20))

    link.peripheral.writeValue(Data([1]), for: try link("FFF7"), type: .withResponse)
    await lab.run(.seconds(20))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(1))

    #expect(lab.central.log.all == ["wrote FFF7"])
  }

  @Test func `rule 48: unanswered pairing fails after 30 seconds`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.meter.pairing = .ignore

    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(29))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(2))

    #expect(lab.central.log.all == ["value FFF6 - CBATTErrorDomain 5"])
  }

  @Test func `rule 48: a bonded device is encrypted from the start`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.meter.pairing = .reject

    let again = try await lab.open()
    again.peripheral.readValue(for: try again("FFF6"))
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["value FFF6 "])
  }

  @Test func `rule 48: a bond removed on the device fails the connection with 14`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.meter.forgetBond(with: lab.phone)
    lab.central.log.clear()

    lab.central.manager.connect(link.peripheral)
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["failed CBErrorDomain 14"])

    // People remove the bond in the settings and pair anew.
    lab.phone.forgetBond(with: lab.meter)
    let again = try await lab.open()
    again.peripheral.readValue(for: try again("FFF6"))
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["value FFF6 "])
  }

  @Test func `rule 48: bonded before and refused now is insufficient encryption`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.phone.forgetBonds()
    lab.meter.pairing = .reject

    let again = try await lab.open()
    again.peripheral.readValue(for: try again("FFF6"))
    await lab.run(.seconds(5))

    #expect(lab.central.log.all == ["value FFF6 - CBATTErrorDomain 15"])
  }

  @Test func `rule 48: a bond removed on the phone is replaced, with the device's stale one`()
    async throws
  {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.readValue(for: try link("FFF6"))
    await lab.run(.seconds(5))
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.phone.forgetBond(with: lab.meter)
    #expect(lab.meter.isBonded(with: lab.phone))

    let again = try await lab.open()
    again.peripheral.readValue(for: try again("FFF6"))
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["value FFF6 "])

    // Both have the new key: the next link is encrypted from the start.
    lab.meter.disconnectAll()
    await lab.run(.seconds(1))
    lab.meter.pairing = .reject
    let third = try await lab.open()
    third.peripheral.readValue(for: try third("FFF6"))
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["value FFF6 "])
  }
}
