// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT
import SantorioConcurrency
import VirtualDevices

/// What a device says of who it is, which a test changes while it runs.
final class InformationScript: Sendable {
  private struct State {
    var refusals: [String: Int] = [:]
    var texts: [String: String] = [:]
  }

  private let state = Locked(State())

  /// Lets the next reads of a characteristic fail.
  func refuse(_ characteristic: String, times: Int) {
    state.withLock { $0.refusals[characteristic] = times }
  }

  /// Says something else from now on, as after an update of the firmware.
  func rename(_ characteristic: String, to text: String) {
    state.withLock { $0.texts[characteristic] = text }
  }

  fileprivate func answer(_ characteristic: String, _ value: [UInt8]) -> VirtualDeviceOutput {
    state.withLock { state in
      guard let left = state.refusals[characteristic], left > 0 else {
        return .answer(state.texts[characteristic].map { Array($0.utf8) } ?? value)
      }
      state.refusals[characteristic] = left - 1
      return .refuse(0x0E)
    }
  }
}

extension VirtualDeviceModel {
  /// The same device, whose Device Information is in the hands of a test.
  func reporting(_ information: InformationScript) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: peripheralID, advertisedName: advertisedName,
      advertisedServices: advertisedServices, readingCount: readingCount
    ) { [make] clock in
      ReticentDevice(base: make(clock), information: information)
    }
  }
}

private struct ReticentDevice: VirtualDeviceLogic {
  var base: any VirtualDeviceLogic
  let information: InformationScript

  var services: [VirtualService] {
    base.services.map { service in
      guard service.uuid == "180A" else { return service }
      return VirtualService(
        service.uuid, service.characteristics.map { VirtualCharacteristic($0.uuid, .read) })
    }
  }

  var isAdvertising: Bool { base.isAdvertising }
  var broadcast: VirtualBroadcast? { base.broadcast }
  var deadline: Duration? { base.deadline }

  mutating func handle(
    _ input: VirtualDeviceInput, at time: DriverTime
  ) -> [VirtualDeviceOutput] {
    guard case .read(let attribute) = input, attribute.service == "180A" else {
      return base.handle(input, at: time)
    }
    let facts = base.services.first { $0.uuid == "180A" }?.characteristics ?? []
    let value = facts.first { $0.uuid == attribute.characteristic }?.value ?? []
    return [information.answer(attribute.characteristic, value)]
  }
}
