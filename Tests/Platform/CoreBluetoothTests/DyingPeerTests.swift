// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite(.timeLimit(.minutes(15))) struct `A device that fails during a request` {
  /// What the central is doing, and how many packets pass before the device dies.
  enum Operation: CaseIterable {
    case discoverServices, discoverCharacteristics, discoverDescriptors
    case read, longRead, write, longWrite, command, subscribe, pairing

    var packets: Int {
      switch self {
      case .longRead: 1
      case .longWrite: 2
      // The refused read passes; the pairing that it brings about does not.
      case .pairing: 1
      default: 0
      }
    }

    func begin(_ link: OpenLink) throws {
      let peripheral = link.peripheral
      switch self {
      case .discoverServices: peripheral.discoverServices(nil)
      case .discoverCharacteristics: peripheral.discoverCharacteristics(nil, for: link.service)
      case .discoverDescriptors: peripheral.discoverDescriptors(for: try link("FFF1"))
      case .read, .longRead: peripheral.readValue(for: try link("FFF1"))
      case .write:
        peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withResponse)
      case .longWrite:
        peripheral.writeValue(Data(count: 512), for: try link("FFF3"), type: .withResponse)
      case .command:
        peripheral.writeValue(Data([1]), for: try link("FFF3"), type: .withoutResponse)
      case .subscribe: peripheral.setNotifyValue(true, for: try link("FFF4"))
      case .pairing: peripheral.readValue(for: try link("FFF6"))
      }
    }
  }

  private func makeLab() -> Lab {
    let lab = Lab()
    lab.device.values = [
      CBUUID(string: "FFF1"): Data(repeating: 7, count: 400), CBUUID(string: "FFF6"): Data([6]),
    ]
    return lab
  }

  @Test(arguments: Operation.allCases, [CBError.Code.connectionTimeout, .peripheralDisconnected])
  func `only the disconnect is reported, and the next connection works`(
    operation: Operation, error: CBError.Code
  ) async throws {
    let lab = makeLab()
    let link = try await lab.open()
    lab.meter.dropLink(afterPackets: operation.packets, error: error)

    try operation.begin(link)
    await lab.run(.seconds(60))

    #expect(
      lab.central.log.all == ["disconnected disconnected CBErrorDomain \(error.rawValue)"])
    #expect(lab.device.log.count("write") == 0)
    #expect(lab.device.log.count("subscribed") == 0)
    #expect(!lab.phone.isBonded(with: lab.meter))
    #expect(!lab.meter.isBonded(with: lab.phone))
    let again = try await lab.open()
    again.peripheral.readValue(for: try again("FFF6"))
    await lab.run(.seconds(5))
    #expect(lab.central.log.all == ["value FFF6 06"])
  }

  @Test(arguments: Operation.allCases)
  func `a device that switches off silently is lost after the supervision timeout`(
    operation: Operation
  ) async throws {
    let lab = makeLab()
    let link = try await lab.open()

    try operation.begin(link)
    // A millisecond later the request is on its way.
    await lab.run(.milliseconds(1))
    lab.meter.state = .unsupported
    await lab.run(.milliseconds(3900))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(60))

    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 6"])
    #expect(lab.device.log.count("write") == 0)
  }

  @Test func `an unanswered pairing fails after 30 seconds`() async throws {
    let lab = makeLab()
    let link = try await lab.open()
    lab.device.isSilent = true

    link.peripheral.readValue(for: try link("FFF6"))
    // The refused read has been answered by then; what comes next is the pairing.
    await lab.run(.milliseconds(61))
    lab.meter.ignoreRequests()
    await lab.run(.seconds(28))
    #expect(lab.central.log.all == [])
    await lab.run(.seconds(3))

    #expect(lab.central.log.all == ["value FFF6 - CBATTErrorDomain 5"])
  }
}

@Suite(.timeLimit(.minutes(15))) struct `Lost packets` {
  private func timeToReadTenTimes(_ loss: Double) async throws -> Duration {
    let lab = Lab()
    let link = try await lab.open()
    lab.air.medium.packetLoss = loss
    let start = lab.air.clock.now
    for _ in 0..<10 { link.peripheral.readValue(for: try link("FFF2")) }
    await lab.air.advance(by: .seconds(60)) { lab.central.log.count("value FFF2") == 10 }
    #expect(lab.central.log.all == Array(repeating: "value FFF2 68656c6c6f", count: 10))
    return start.duration(to: lab.air.clock.now)
  }

  @Test func `delay data by an interval each without losing it`() async throws {
    let (calm, noisy) = (try await timeToReadTenTimes(0), try await timeToReadTenTimes(0.5))

    // Two packets of 30 ms a read.
    #expect(calm == .milliseconds(600))
    // Half of the packets once more, half of these again: about twice the time.
    #expect(noisy > .milliseconds(800) && noisy < .milliseconds(2000))
    #expect((noisy / .milliseconds(30)).truncatingRemainder(dividingBy: 1) == 0)
  }

  @Test func `do not change the order of notifications`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    link.peripheral.setNotifyValue(true, for: try link("FFF4"))
    await lab.wait(for: "notify FFF4 on")
    lab.central.log.clear()
    lab.air.medium.packetLoss = 0.6

    for byte in 0..<10 as Range<UInt8> { #expect(lab.device.update("FFF4", [byte])) }
    await lab.run(.seconds(10))

    #expect(lab.central.log.all == (0..<10).map { "value FFF4 0\($0)" })
  }

  @Test func `end the link after the supervision timeout`() async throws {
    let lab = Lab()
    let link = try await lab.open()
    lab.air.medium.packetLoss = 1

    await lab.run(.seconds(60))
    #expect(lab.central.log.all == [])
    link.peripheral.readValue(for: try link("FFF2"))
    await lab.run(.milliseconds(3999))
    #expect(lab.central.log.all == [])
    await lab.run(.milliseconds(1))

    #expect(lab.central.log.all == ["disconnected disconnected CBErrorDomain 6"])
  }
}
