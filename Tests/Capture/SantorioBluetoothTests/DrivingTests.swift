// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import Foundation
import HealthGATT
import SantorioConcurrency
import Testing

@testable import SantorioBluetooth

private typealias Event = PeripheralOperation.Event
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
    for event: Event in [
      .radioChanged(.on), .retrievedConnected([]),
      .discovered(.init(device, name: "Acme", services: ["FFA0"])), .connected(device),
      .servicesDiscovered(["FFA0"]),
      .characteristicsDiscovered(["FFA1", "FFA2", "2A52"], service: "FFA0"),
    ] {
      _ = say(event)
    }
  }

  mutating func say(_ event: Event, at seconds: Double = 1) -> [Action] {
    operation.handle(event, at: .after(seconds))
  }

  mutating func begin() -> [Action] { say(.deviceState(device, DeviceState())) }
}

@Suite struct `Queue of requests` {
  @Test func `returns each request after the answer to the previous one`() {
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

  @Test func `ignores answers to other requests`() {
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

  @Test func `accepts the answers to writes and subscriptions`() {
    var queue = RequestQueue()
    _ = queue.add(.writeWithoutResponse(commands, [1]))
    _ = queue.add(.unsubscribe(values))
    #expect(queue.answered(commands, .write) == true)
    #expect(queue.answered(values, .subscription) == true)
  }
}

@Suite struct `Operation and its driver` {
  @Test func `sends requests one by one in the driver's order`() {
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
    #expect(dialogue.begin() == [.request(.read(values)), .report(.readyToRead)])
    #expect(dialogue.say(.written(commands, nil)) == [])
    #expect(dialogue.say(.value(values, [7])) == [.request(.write(commands, [1]))])
    #expect(dialogue.say(.value(values, [8])) == [])
    #expect(dialogue.say(.written(commands, nil)) == [.request(.subscribe(values))])
    #expect(
      dialogue.say(.subscriptionChanged(values, nil))
        == [.request(.writeWithoutResponse(commands, [2]))])
    #expect(dialogue.say(.written(commands, nil)) == [.request(.read(values))])
    // What was asked for after the first value comes last.
    #expect(dialogue.say(.value(values, [9])) == [.request(.read(commands))])
  }

  @Test func `continues with the next request when one is refused`() {
    var dialogue = Dialogue { event in
      switch event {
      case .begun: [.write(commands, [1]), .read(values)]
      case .writeFailed(_, RequestFailure(code: 0x80, message: "Busy.")): [.deliver(reading)]
      default: []
      }
    }
    #expect(dialogue.begin() == [.request(.write(commands, [1]))])
    #expect(
      dialogue.say(.written(commands, .init(.other, "Busy.", code: 0x80)))
        == [.request(.read(values)), .report(.readyToRead), .report(.reading(reading))])
  }

  @Test func `reports refusals to the driver, but not missing bonds`() {
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
      dialogue.say(.readFailed(values, .init(.other, "No.", code: 2)))
        == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)) == [.report(.ended(.finished))])
    var unpaired = Dialogue { event in event == .begun ? [.read(values)] : [.deliver(reading)] }
    _ = unpaired.begin()
    #expect(unpaired.say(.readFailed(values, .init(.notPaired))) == [.disconnect(device)])
    #expect(unpaired.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
  }

  @Test func `delivers what the driver holds back when services change`() {
    let held = Locked([DriverAction.deliver(reading)])
    var dialogue = Dialogue { event in
      guard event == .ended else { return [] }
      return held.withLock { held in
        defer { held = [] }
        return held
      }
    }
    _ = dialogue.begin()
    #expect(
      dialogue.say(.servicesChanged)
        == [.report(.readyToRead), .report(.reading(reading)), .disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)) == [.report(.ended(.finished))])
  }

  @Test func `has paired although the device leaves while its new services are looked for`() {
    var dialogue = Dialogue(.pair) { event in event == .begun ? [.paired] : [] }
    _ = dialogue.begin()
    _ = dialogue.say(.servicesChanged)
    #expect(
      dialogue.say(.disconnected(device, .init(.disconnected))) == [.report(.ended(.finished))])
  }

  @Test func `blocks a harmful command`() {
    var dialogue = Dialogue { event in
      event == .begun
        ? [.write(recordAccess, [2, 1]), .read(values), .deliver(reading)] : [.finish]
    }
    #expect(
      dialogue.begin() == [.disconnect(device), .report(.readyToRead), .report(.reading(reading))])
    let error = dialogue.say(.disconnected(device, nil)).ended
    #expect(error?.code == .communicationFailure)
    #expect(
      error?.message
        == "A request was held back, because it deletes stored records. Report this fault.")
  }

  @Test func `blocks it in writes without response, too`() {
    var dialogue = Dialogue { event in
      event == .begun ? [.writeWithoutResponse(recordAccess, [2])] : []
    }
    #expect(dialogue.begin() == [.disconnect(device)])
    var harmless = Dialogue { event in event == .begun ? [.write(recordAccess, [1, 1])] : [] }
    #expect(harmless.begin() == [.request(.write(recordAccess, [1, 1]))])
  }

  @Test func `ends active subscriptions one by one`() {
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
    #expect(dialogue.say(.value(values, [1])) == [.report(.confirmStorage)])
    #expect(dialogue.say(.stored) == [.request(.unsubscribe(values))])
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
        == [.report(.confirmStorage)])
    #expect(dialogue.say(.stored) == [.request(.unsubscribe(values))])
    #expect(dialogue.say(.subscriptionChanged(values, nil)) == [.disconnect(device)])
  }

  @Test func `leaves a device in good order only once its readings are on disk`() {
    let driver: Invention.DriverScript = { event in
      switch event {
      case .begun: [.subscribe(values), .deliver(reading)]
      case .value: [.deliver(reading), .finish]
      default: []
      }
    }
    var dialogue = Dialogue(driver: driver)
    _ = dialogue.begin()
    _ = dialogue.say(.subscriptionChanged(values, nil))
    #expect(
      dialogue.say(.value(values, [1])) == [.report(.reading(reading)), .report(.confirmStorage)])
    // It is not asked twice, and what comes meanwhile is taken, too.
    #expect(dialogue.say(.value(values, [1])) == [.report(.reading(reading))])
    // A device that is left in another way keeps what it has sent.
    #expect(dialogue.say(.notStored) == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .submissionFailure)
  }

  @Test func `reports checkpoints and secrets in order among the readings`() {
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
        .report(.keep(.password, [1, 2])), .report(.readyToRead), .report(.reading(reading)),
        .report(.advance(checkpoint)),
        .report(.confirmStorage), .report(.reading(reading)),
      ])
  }

  @Test func `continues once readings are stored, and ends when they cannot be`() {
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

  @Test func `fails when the device disconnects early`() {
    var dialogue = Dialogue(isComplete: false) { event in
      event == .begun ? [.ready, .deliver(reading)] : []
    }
    _ = dialogue.begin()
    #expect(
      dialogue.say(.disconnected(device, .init(.disconnected))).ended?.code == .communicationFailure
    )
    var complete = Dialogue { event in event == .begun ? [.ready, .deliver(reading)] : [] }
    _ = complete.begin()
    #expect(
      complete.say(.disconnected(device, .init(.disconnected))) == [.report(.ended(.finished))])
  }

  @Test func `a request to a disconnected device is not a refusal`() {
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
      complete.say(.subscriptionChanged(values, .init(.disconnected))) == [.disconnect(device)])
    #expect(complete.say(.disconnected(device, nil)) == [.report(.ended(.finished))])

    var incomplete = Dialogue(isComplete: false, driver: driver)
    _ = incomplete.begin()
    _ = incomplete.say(.subscriptionChanged(values, .init(.disconnected)))
    let error = incomplete.say(.disconnected(device, nil)).ended
    #expect(error?.message == "The connection to the device broke. Keep it near and try again.")
  }

  @Test(arguments: [
    (DriverFailure.Kind.communication, BluetoothError.Code.communicationFailure),
    (.busy, .communicationFailure), (.notPaired, .pairingFailure),
    (.notAuthorized, .notAuthorized), (.timeout, .readingTimeout),
  ])
  func `fails with its driver's error`(kind: DriverFailure.Kind, code: BluetoothError.Code) {
    var dialogue = Dialogue { event in
      event == .begun ? [.fail(DriverFailure(kind, "It is so."))] : []
    }
    #expect(dialogue.begin() == [.disconnect(device)])
    let error = dialogue.say(.disconnected(device, nil)).ended
    #expect(error?.code == code)
    #expect(error?.message == "It is so.")
  }

  @Test func `is not a pairing when the driver ends without one`() {
    var dialogue = Dialogue(.pair) { event in event == .begun ? [.finish] : [] }
    #expect(dialogue.begin() == [.disconnect(device)])
    #expect(dialogue.say(.disconnected(device, nil)).ended?.code == .pairingFailure)
    var paired = Dialogue(.pair) { event in event == .begun ? [.paired, .finish] : [] }
    #expect(paired.begin() == [.report(.paired), .disconnect(device)])
    #expect(paired.say(.disconnected(device, nil)) == [.report(.ended(.finished))])
  }
}
