// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import Testing

@testable import SantorioBluetooth

private typealias Input = PeripheralOperation.Input
private typealias Action = PeripheralOperation.Action

private let device = UUID()
private let values = Invention.values
private let commands = Invention.commands
private let recordAccess = Invention.recordAccess
private let reading = Invention.reading([36, 1])

/// Speaks with an operation whose driver is the test's own.
private struct Dialogue: ~Copyable {
  var operation: PeripheralOperation

  /// Begins, up to the driver's first event.
  init(
    _ purpose: PeripheralOperation.Purpose = .read, isComplete: Bool = true,
    checkpoints: [SyncCheckpoint] = [], driver: @escaping Invention.DriverScript
  ) {
    let invention = Invention(isComplete: isComplete, driver: driver)
    operation = PeripheralOperation(purpose, invention.peripheral, at: .zero)
    for input: Input in [
      .radioChanged(.on), .retrievedConnected([]),
      .discovered(.init(device, name: "Acme", services: ["FFA0"])), .connected(device),
      .servicesDiscovered(["FFA0"]),
      .characteristicsDiscovered(["FFA1", "FFA2", "2A52"], service: "FFA0"),
    ] {
      _ = say(input)
    }
  }

  mutating func say(_ input: Input, at seconds: Double = 1) -> [Action] {
    operation.handle(input, at: .after(seconds))
  }

  mutating func begin() -> [Action] { say(.deviceState(device, DeviceState())) }
}

extension [PeripheralOperation.Action] {
  /// The error with which the operation ended.
  fileprivate var ended: BluetoothError? {
    guard case .notify(.ended(.failed(let error)))? = last else { return nil }
    return error
  }
}

@Suite struct `Queue of requests` {
  @Test func `hands out the first at once and each other after the answer to the one before`() {
    var queue = RequestQueue()
    #expect(queue.isEmpty && queue.current == nil)
    let first = queue.add(.read(values))
    #expect(first == .read(values))
    let others = [queue.add(.write(commands, [1])), queue.add(.subscribe(values))]
    #expect(others == [nil, nil])
    #expect(queue.current == .read(values))
    #expect(queue.answered(values, .read) == true)
    #expect(queue.current == .write(commands, [1]))
    #expect(queue.answered(commands, .write) == true)
    #expect(queue.current == .subscribe(values))
    #expect(queue.answered(values, .subscription) == true)
    #expect(queue.isEmpty)
  }

  @Test func `takes no answer to another request`() {
    var queue = RequestQueue()
    #expect(queue.answered(values, .read) == false)
    _ = queue.add(.write(commands, [1]))
    _ = queue.add(.read(values))
    #expect(queue.answered(values, .read) == false)
    #expect(queue.answered(commands, .read) == false)
    #expect(queue.answered(commands, .subscription) == false)
    #expect(queue.answered(commands, .write) == true)
    #expect(queue.answered(commands, .write) == false)
    queue.removeAll()
    #expect(queue.isEmpty)
  }

  @Test func `takes the answers to both kinds of writes and subscriptions`() {
    var queue = RequestQueue()
    _ = queue.add(.writeWithoutResponse(commands, [1]))
    _ = queue.add(.unsubscribe(values))
    #expect(queue.answered(commands, .write) == true)
    #expect(queue.answered(values, .subscription) == true)
  }
}

@Suite struct `Operation and its driver` {
  @Test func `asks for one thing after the other, in the order of the driver`() {
    var dialogue = Dialogue { event in
      switch event {
      case .begun:
        [
          .read(values), .write(commands, [1]), .ready, .subscribe(values),
          .writeWithoutResponse(commands, [2]), .read(values),
        ]
      case .value(_, [7]): [.read(commands)]
      default: []
      }
    }
    #expect(dialogue.begin() == [.request(.read(values)), .notify(.readyToRead)])
    #expect(dialogue.say(.written(commands, nil)) == [])
    #expect(dialogue.say(.valueReceived(values, [7])) == [.request(.write(commands, [1]))])
    #expect(dialogue.say(.valueReceived(values, [8])) == [])
    #expect(dialogue.say(.written(commands, nil)) == [.request(.subscribe(values))])
    #expect(
      dialogue.say(.subscriptionChanged(values, nil))
        == [.request(.writeWithoutResponse(commands, [2]))])
    #expect(dialogue.say(.written(commands, nil)) == [.request(.read(values))])
    // What was asked for after the first value comes last.
    #expect(dialogue.say(.valueReceived(values, [9])) == [.request(.read(commands))])
  }

  @Test func `goes on with the next request when one is refused`() {
    var dialogue = Dialogue { event in
      switch event {
      case .begun: [.write(commands, [1]), .read(values)]
      case .writeFailed(_, RequestFailure(code: 0x80, message: "Busy.")): [.deliver(reading)]
      default: []
      }
    }
    #expect(dialogue.begin() == [.request(.write(commands, [1]))])
    #expect(
      dialogue.say(.written(commands, .init(.other, "Busy.", attributeError: 0x80)))
        == [.request(.read(values)), .notify(.reading(reading))])
  }

  @Test func `tells the driver what the device refuses, and not what the bond lacks`() {
    let refused = DriverEvent.readFailed(values, RequestFailure(code: 2, message: "No."))
    var dialogue = Dialogue { event in
      switch event {
      case .begun: [.read(values)]
      case refused: [.finish]
      default: []
      }
    }
    _ = dialogue.begin()
    #expect(
      dialogue.say(.readFailed(values, .init(.other, "No.", attributeError: 2)))
        == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)) == [.notify(.ended(.finished))])
    var unpaired = Dialogue { event in event == .begun ? [.read(values)] : [.deliver(reading)] }
    _ = unpaired.begin()
    #expect(unpaired.say(.readFailed(values, .init(.notPaired))) == [.disconnect(device)])
    #expect(unpaired.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
  }

  @Test func `holds back a command that would do harm`() {
    var dialogue = Dialogue { event in
      event == .begun
        ? [.write(recordAccess, [2, 1]), .read(values), .deliver(reading)] : [.finish]
    }
    #expect(dialogue.begin() == [.disconnect(device), .notify(.reading(reading))])
    let error = dialogue.say(.disconnected(device, nil)).ended
    #expect(error?.code == .communicationFailure)
    #expect(
      error?.message
        == "A request was held back, because it deletes stored records. Report this fault.")
  }

  @Test func `holds it back when it is written without a response, too`() {
    var dialogue = Dialogue { event in
      event == .begun ? [.writeWithoutResponse(recordAccess, [2])] : []
    }
    #expect(dialogue.begin() == [.disconnect(device)])
    var harmless = Dialogue { event in event == .begun ? [.write(recordAccess, [1, 1])] : [] }
    #expect(harmless.begin() == [.request(.write(recordAccess, [1, 1]))])
  }

  @Test func `ends the subscriptions that stand, one after the other`() {
    var dialogue = Dialogue { event in
      switch event {
      case .begun:
        [
          .subscribe(values), .subscribe(recordAccess), .subscribe(commands), .deliver(reading),
        ]
      case .subscribed(commands): [.unsubscribe(recordAccess)]
      case .value: [.finish]
      default: []
      }
    }
    _ = dialogue.begin()
    _ = dialogue.say(.subscriptionChanged(values, nil))
    _ = dialogue.say(.subscriptionChanged(recordAccess, nil))
    #expect(
      dialogue.say(.subscriptionChanged(commands, nil)) == [.request(.unsubscribe(recordAccess))])
    #expect(dialogue.say(.subscriptionChanged(recordAccess, nil)) == [])
    #expect(dialogue.say(.valueReceived(values, [1])) == [.request(.unsubscribe(values))])
    #expect(
      dialogue.say(.subscriptionChanged(values, nil)) == [.request(.unsubscribe(commands))])
    #expect(dialogue.say(.subscriptionChanged(commands, nil)) == [.disconnect(device)])
  }

  @Test func `does not end a subscription that was refused`() {
    var dialogue = Dialogue { event in
      switch event {
      case .begun: [.subscribe(values), .subscribe(recordAccess), .deliver(reading)]
      case .subscriptionFailed: [.finish]
      default: []
      }
    }
    _ = dialogue.begin()
    _ = dialogue.say(.subscriptionChanged(values, nil))
    #expect(
      dialogue.say(.subscriptionChanged(recordAccess, .init(.other)))
        == [.request(.unsubscribe(values))])
    #expect(dialogue.say(.subscriptionChanged(values, nil)) == [.disconnect(device)])
  }

  @Test func `tells checkpoints and secrets in their place among the readings`() {
    let checkpoint = SyncCheckpoint(sequenceNumber: 1, payload: [36, 1], key: CheckpointKey())
    var dialogue = Dialogue { event in
      event == .begun
        ? [
          .keep(.password, [1, 2]), .deliver(reading), .advance(checkpoint), .confirmStorage,
          .deliver(reading),
        ] : []
    }
    #expect(
      dialogue.begin() == [
        .notify(.keep(.password, [1, 2])), .notify(.reading(reading)),
        .notify(.advance(checkpoint)),
        .notify(.confirmStorage), .notify(.reading(reading)),
      ])
  }

  @Test func `goes on once the readings are stored, and ends when they cannot be`() {
    let driver: Invention.DriverScript = { event in
      switch event {
      case .begun: [.deliver(reading), .confirmStorage]
      case .stored: [.write(commands, [0xAC])]
      default: []
      }
    }
    var stored = Dialogue(driver: driver)
    _ = stored.begin()
    #expect(stored.say(.stored) == [.request(.write(commands, [0xAC]))])
    var notStored = Dialogue(driver: driver)
    _ = notStored.begin()
    #expect(notStored.say(.notStored) == [.disconnect(device)])
    #expect(notStored.say(.disconnected(device, nil)).ended?.code == .submissionFailure)
  }

  @Test func `fails when the device disconnects before all is there`() {
    var dialogue = Dialogue(isComplete: false) { event in
      event == .begun ? [.ready, .deliver(reading)] : []
    }
    _ = dialogue.begin()
    #expect(
      dialogue.say(.disconnected(device, .init(.hungUp))).ended?.code == .communicationFailure)
    var complete = Dialogue { event in event == .begun ? [.ready, .deliver(reading)] : [] }
    _ = complete.begin()
    #expect(
      complete.say(.disconnected(device, .init(.hungUp))) == [.notify(.ended(.finished))])
  }

  @Test func `a request that finds the device gone is no refusal`() {
    let driver: Invention.DriverScript = { event in
      switch event {
      case .begun: [.ready, .deliver(reading), .subscribe(values)]
      case .subscriptionFailed: [.fail(DriverFailure(.communication, "It is refused."))]
      default: []
      }
    }
    var complete = Dialogue(driver: driver)
    _ = complete.begin()
    #expect(
      complete.say(.subscriptionChanged(values, .init(.hungUp))) == [.disconnect(device)])
    #expect(complete.say(.disconnected(device, nil)) == [.notify(.ended(.finished))])

    var incomplete = Dialogue(isComplete: false, driver: driver)
    _ = incomplete.begin()
    _ = incomplete.say(.subscriptionChanged(values, .init(.hungUp)))
    let error = incomplete.say(.disconnected(device, nil)).ended
    #expect(error?.message == "The connection to the device broke. Keep it near and try again.")
  }

  @Test(arguments: [
    (DriverFailure.Kind.communication, BluetoothError.Code.communicationFailure),
    (.busy, .communicationFailure), (.notPaired, .pairingFailure),
    (.notAuthorized, .notAuthorized), (.timeout, .readingTimeout),
  ])
  func `fails as its driver does`(kind: DriverFailure.Kind, code: BluetoothError.Code) {
    var dialogue = Dialogue { event in
      event == .begun ? [.fail(DriverFailure(kind, "It is so."))] : []
    }
    #expect(dialogue.begin() == [.disconnect(device)])
    let error = dialogue.say(.disconnected(device, nil)).ended
    #expect(error?.code == code)
    #expect(error?.message == "It is so.")
  }

  @Test func `is no pairing when the driver ends without one`() {
    var dialogue = Dialogue(.pair) { event in event == .begun ? [.finish] : [] }
    #expect(dialogue.begin() == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
    var paired = Dialogue(.pair) { event in event == .begun ? [.paired, .finish] : [] }
    #expect(paired.begin() == [.notify(.paired), .disconnect(device)])
    #expect(paired.say(.disconnected(device, nil)) == [.notify(.ended(.finished))])
  }
}
