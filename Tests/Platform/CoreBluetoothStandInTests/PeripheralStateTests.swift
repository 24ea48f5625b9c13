// SPDX-License-Identifier: Apache-2.0

@testable import CoreBluetooth
import SantorioDBus
import Testing

@Suite struct `Plan of applications` {
  private func service(_ id: LocalAttribute, including: [LocalAttribute] = []) -> LocalService {
    LocalService(
      id: id, uuid: BluetoothUUID(UInt16(id)), isPrimary: true, includedServices: including,
      characteristics: [])
  }

  private func numbers(_ plan: ApplicationPlan) -> [Int: [LocalAttribute]] {
    plan.applications.mapValues { $0.map(\.id) }
  }

  @Test func `each service is added and removed separately`() {
    var plan = ApplicationPlan()

    #expect(plan.add(service(10)) == .init(made: 1))
    #expect(plan.add(service(20)) == .init(made: 2))
    #expect(plan.remove(10) == .init(retired: [1]))
    #expect(plan.add(service(30)) == .init(made: 3))

    #expect(numbers(plan) == [2: [20], 3: [30]])
  }

  @Test func `a service shares an application with those that it includes, after them`() {
    var plan = ApplicationPlan()
    _ = plan.add(service(10))
    _ = plan.add(service(20))
    _ = plan.add(service(30))

    #expect(plan.add(service(40, including: [30, 10])) == .init(retired: [1, 3], made: 4))

    #expect(numbers(plan) == [2: [20], 4: [10, 30, 40]])
  }

  @Test func `the remaining services get a new application`() {
    var plan = ApplicationPlan()
    _ = plan.add(service(10))
    _ = plan.add(service(20, including: [10]))

    #expect(plan.remove(20) == .init(retired: [2], made: 3))

    #expect(numbers(plan) == [3: [10]])
    #expect(plan.remove(10) == .init(retired: [3]))
  }

  @Test func `an unknown service changes nothing`() {
    var plan = ApplicationPlan()
    _ = plan.add(service(10))

    #expect(plan.remove(20) == .init())
    #expect(plan.removeAll() == .init(retired: [1]))
    #expect(plan.removeAll() == .init())
    #expect(plan.add(service(10)) == .init(made: 2))
  }
}

@Suite struct `Table of subscriptions` {
  private let phone = "/org/bluez/hci0/dev_01"
  private let tablet = "/org/bluez/hci0/dev_02"

  @Test func `a central reported twice is subscribed once`() {
    var table = SubscriptionTable()

    #expect(table.add(phone, to: 5) == true)
    #expect(table.add(phone, to: 5) == false)
    #expect(table.add(tablet, to: 5) == true)

    #expect(table[5] == [phone, tablet])
    #expect(table[6] == [])
  }

  @Test func `no subscriber is left when bluetoothd reports it`() {
    var table = SubscriptionTable()
    _ = table.add(phone, to: 5)
    _ = table.add(tablet, to: 5)
    _ = table.add(phone, to: 6)

    #expect(table.removeAll(of: 5) == [phone, tablet])

    #expect(table[5] == [])
    #expect(table[6] == [phone])
  }

  @Test func `without a bond the subscriptions end with the link`() {
    var table = SubscriptionTable()
    _ = table.add(phone, to: 5)
    _ = table.add(tablet, to: 5)
    _ = table.add(phone, to: 6)

    #expect(table.end(phone, isBonded: false) == [5, 6])

    #expect(table[5] == [tablet])
    #expect(table.begin(phone) == [])
  }

  @Test func `with a bond they continue when the central returns`() {
    var table = SubscriptionTable()
    _ = table.add(phone, to: 5)

    #expect(table.end(phone, isBonded: true) == [5])
    #expect(table[5] == [])

    #expect(table.begin(phone) == [5])
    #expect(table[5] == [phone])
    #expect(table.begin(phone) == [])
  }

  @Test func `a repeated end of a link changes nothing`() {
    var table = SubscriptionTable()
    _ = table.add(phone, to: 5)
    _ = table.end(phone, isBonded: true)

    #expect(table.end(phone, isBonded: true) == [])

    #expect(table.begin(phone) == [5])
  }

  @Test func `removing the bond removes the subscriptions`() {
    var table = SubscriptionTable()
    _ = table.add(phone, to: 5)
    _ = table.end(phone, isBonded: true)

    #expect(table.end(phone, isBonded: false) == [])

    #expect(table.begin(phone) == [])
  }

  @Test func `an absent central loses its subscription when the last one unsubscribes`() {
    var table = SubscriptionTable()
    _ = table.add(phone, to: 5)
    _ = table.end(phone, isBonded: true)

    #expect(table.removeAll(of: 5) == [])

    #expect(table.begin(phone) == [])
  }
}

@Suite struct `Queue of indications` {
  @Test func `each waits for the previous confirmation`() {
    var queue = IndicationQueue()

    #expect(queue.append(Data([1]), number: 11) == Data([1]))
    #expect(queue.append(Data([2]), number: 12) == nil)
    let first = queue.confirm()
    #expect(first.sent == 11)
    #expect(first.next == Data([2]))
    let second = queue.confirm()
    #expect(second.sent == 12)
    #expect(second.next == nil)

    #expect(queue.append(Data([3]), number: 13) == Data([3]))
  }

  @Test func `a confirmation of nothing changes nothing`() {
    var queue = IndicationQueue()

    let nothing = queue.confirm()

    #expect(nothing.sent == nil)
    #expect(nothing.next == nil)
    #expect(queue.append(Data([1]), number: 11) == Data([1]))
  }

  @Test func `all complete when no subscriber is left`() {
    var queue = IndicationQueue()
    _ = queue.append(Data([1]), number: 11)
    _ = queue.append(Data([2]), number: 12)

    #expect(queue.removeAll() == [11, 12])

    #expect(queue.append(Data([3]), number: 13) == Data([3]))
  }
}

@Suite struct `Error for bluetoothd` {
  @Test(arguments: [
    (CBATTError.Code.readNotPermitted, "org.bluez.Error.NotPermitted"),
    (.writeNotPermitted, "org.bluez.Error.NotPermitted"),
    (.requestNotSupported, "org.bluez.Error.NotSupported"),
    (.invalidOffset, "org.bluez.Error.InvalidOffset"),
    (.insufficientAuthorization, "org.bluez.Error.NotAuthorized"),
    (.invalidAttributeValueLength, "org.bluez.Error.InvalidValueLength"),
    // bluetoothd makes an unlikely error of a name that it does not know.
    (.unlikelyError, "org.bluez.Error.Unlikely"),
    (.insufficientResources, "org.bluez.Error.Unlikely"),
  ])
  func `codes have names`(code: CBATTError.Code, name: String) {
    #expect(DBusError(code).name == name)
  }

  @Test(arguments: [
    (0x7F, "org.bluez.Error.Unlikely", "0x7f"), (0x80, "org.bluez.Error.Failed", "0x80"),
    (0x9F, "org.bluez.Error.Failed", "0x9f"), (0xA0, "org.bluez.Error.Unlikely", "0xa0"),
    (0xFE, "org.bluez.Error.InProgress", "0xfe"),
  ])
  func `codes of applications have numbers`(number: Int, name: String, message: String) throws {
    let error = DBusError(try #require(CBATTError.Code(rawValue: number)))

    #expect(error == DBusError(name: name, message: message))
  }

  @Test(arguments: [
    ("org.bluez.Error.NotPermitted", CBError.Code.outOfSpace),
    ("org.bluez.Error.InvalidArguments", .invalidParameters),
    ("org.bluez.Error.AlreadyExists", .alreadyAdvertising),
    ("org.bluez.Error.Failed", .unknown),
    (DBusError.accessDenied, .operationNotSupported),
  ])
  func `a refusal to publish has a code`(name: String, code: CBError.Code) {
    #expect(RadioError(publishing: DBusError(name: name, message: "")) == .system(code))
  }
}

@Suite struct `Address of an L2CAP socket` {
  private func address(_ isRandom: Bool) throws -> BlueZAddress {
    try #require(BlueZAddress("F0:F1:F2:F3:F4:F5", isRandom: isRandom))
  }

  @Test func `the kernel's layout has little-endian numbers`() throws {
    let bytes = L2CAPAddress(try address(false), psm: 0x0180).bytes

    #expect(
      bytes == [31, 0, 0x80, 0x01, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0, 0, 1, 0])
    #expect(L2CAPAddress(try address(true), psm: 0).bytes[12] == 2)
  }

  @Test func `the kernel's bytes are parsed`() throws {
    let bytes: [UInt8] = [31, 0, 0x81, 0, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0x40, 0, 2, 0]

    let read = try #require(L2CAPAddress(bytes: bytes))

    #expect(read.psm == 0x81)
    #expect(read.address == (try address(true)))
    #expect(read.address.text == "F0:F1:F2:F3:F4:F5")
  }

  @Test(arguments: [[], [31, 0, 0x81, 0], [UInt8](repeating: 0, count: 14)] as [[UInt8]])
  func `other addresses are rejected`(bytes: [UInt8]) {
    #expect(L2CAPAddress(bytes: bytes) == nil)
  }
}
