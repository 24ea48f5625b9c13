// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import HealthDevices
import HealthRecords
public import SantorioBluetooth

/// Says whether devices are read automatically, why not, and how each of them is.
@MainActor public final class PassiveModel: ViewModel<PassiveModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// Whether the person wants it.
    public internal(set) var isWanted = false
    /// Whether devices are waited for now.
    public internal(set) var isOn = false
    /// What is said about that, and what to do.
    public internal(set) var status = Problem(.passiveOff)
    /// What makes it read less than it could.
    public internal(set) var limits: [Phrase] = []
    /// The devices.
    public internal(set) var devices: [Row] = []
    /// Why the switch could not be turned; nil when it was.
    public internal(set) var problem: Problem?
  }

  /// One device.
  public struct Row: Hashable, Sendable, Identifiable {
    /// The system's identifier of the device.
    public let id: UUID
    /// Its name.
    public let name: String
    /// What happens to it now.
    public let state: Phrase
    /// When it was seen and read, when it is tried again, and its battery.
    public let details: [Phrase]
    /// Why it was not read the last time; nil when it was.
    public let problem: Problem?
    /// The device, when it encrypts what it sends and its own key is missing or wrong; nil else.
    public let keyRequest: DeviceKeyRequest?
  }

  private let manager: BluetoothPassiveManager
  private let models: [DeviceModel]?
  private var batteries: [UUID: Int] = [:]
  /// How often the switch was turned.
  private var turns = 0

  /// A model of a passive manager.
  ///
  /// - Parameters:
  ///   - manager: The manager.
  ///   - models: What the switch turns on; the kinds of the person's paired devices when nil.
  public init(_ manager: BluetoothPassiveManager, models: [DeviceModel]? = nil) {
    self.manager = manager
    self.models = models
    super.init(State())
  }

  /// Shows how it is now; to be called whenever the screen appears.
  public func load() async {
    var status = await manager.status()
    if await addPaired(to: status) { status = await manager.status() }
    let rows = status.devices.map { row($0) }
    // What another person has wanted ended with that person's session.
    let isSet = ![.noSession, .defaultUser].contains(status.obstacle)
    update {
      $0.isWanted = isSet && !status.peripheralIDs.isEmpty
      $0.isOn = status.isOn
      $0.status = status.obstacle.map(Problem.init) ?? Problem(.passiveOn)
      $0.limits = status.peripheralIDs.isEmpty ? [] : status.limits.compactMap(Phrase.init)
      $0.devices = rows
    }
  }

  /// Shows how it is, until the task is cancelled.
  public func follow() async {
    let events = manager.events
    await load()
    for await event in events {
      if case .read(let records, _, let identifier) = event {
        batteries[identifier] =
          records.compactMap { $0.source.device?.batteryPercent }.last ?? batteries[identifier]
      }
      await load()
    }
  }

  /// Turns the switch.
  ///
  /// - Parameter isOn: Whether devices are to be read automatically.
  public func turn(on isOn: Bool) async {
    turns += 1
    let turn = turns
    update { ($0.isWanted, $0.problem) = (isOn, nil) }
    do throws(BluetoothError) {
      let wanted = isOn ? try await wantedModels() : []
      // It may have been turned back meanwhile.
      guard turn == turns else { return }
      guard !isOn || !wanted.isEmpty else {
        await load()
        return update { $0.problem = Problem(.errorNotEnrolled, .pair) }
      }
      try await manager.setPeripherals(wanted, devices: models == nil ? .enrolled : .any)
      await load()
    } catch {
      guard turn == turns else { return }
      await load()
      update { $0.problem = Problem(error) }
    }
  }

  /// Has devices read, too, that were paired since the switch was turned.
  private func addPaired(to status: PassiveStatus) async -> Bool {
    let before = turns
    guard models == nil, status.isOn, let wanted = try? await wantedModels(), turns == before,
      !Set(wanted.map(\.id)).isSubset(of: status.peripheralIDs)
    else { return false }
    return (try? await manager.setPeripherals(wanted, devices: .enrolled)) != nil
  }

  /// A model of the entry of a device's key.
  ///
  /// - Parameter request: Of which device.
  /// - Returns: The model.
  public func key(_ request: DeviceKeyRequest) -> DeviceKeyModel {
    DeviceKeyModel(request, manager.receiver)
  }

  private func wantedModels() async throws(BluetoothError) -> [DeviceModel] {
    if let models { return models }
    var seen: Set<Int> = []
    return try await manager.receiver.enrolments().compactMap(\.model)
      .filter { seen.insert($0.id).inserted }
  }

  private func row(_ device: PassiveStatus.Device) -> Row {
    var details: [Phrase] = []
    if let date = device.lastSeen { details.append(Phrase(.lastSeen, .date(date))) }
    details.append(device.lastRead.map { Phrase(.lastRead, .date($0)) } ?? Phrase(.neverRead))
    if let date = device.nextTry { details.append(Phrase(.nextTry, .date(date))) }
    if device.failures > 0 { details.append(Phrase(.failedAttempts, .count(device.failures))) }
    if let battery = batteries[device.identifier] {
      details.append(Phrase(.battery, .count(battery)))
    }
    let problem = device.lastError.map { Problem($0, of: device.model) }
    return Row(
      id: device.identifier, name: device.model.name, state: Phrase(device.state),
      details: details, problem: problem,
      keyRequest: problem?.remedy == .enterKey
        ? DeviceKeyRequest(device.model, device.identifier) : nil)
  }
}

extension Problem {
  init(_ obstacle: PassiveStatus.Obstacle) {
    switch obstacle {
    case .notSet: self.init(.passiveOff)
    case .noSession, .defaultUser: self.init(.passiveNoSession, .signIn)
    case .bluetooth(let reason): self.init(reason)
    case .awaitingPermission: self.init(.passiveAwaitingPermission)
    case .interactiveOperation: self.init(.passiveInteractive)
    case .storage: self.init(.passiveStorage)
    }
  }
}

extension Phrase {
  /// What makes passive reading read less than it could.
  init?(_ limit: PassiveStatus.Limit) {
    switch limit {
    case .noBackgroundMode: self.init(.limitBackground)
    case .noRestoreIdentifier: self.init(.limitRelaunch)
    case .hardlyHeardInBackground(let model, _):
      self.init(.limitHardlyHeard, .verbatim(model.name))
    case .notPaired(let model): self.init(.limitNotPaired, .verbatim(model.name))
    }
  }

  /// What happens to a device that is read passively.
  init(_ state: PassiveStatus.State) {
    let key: TextKey =
      switch state {
      case .waiting: .deviceWaiting
      case .reading: .deviceReading
      case .quiet: .deviceQuiet
      case .backingOff: .deviceBackingOff
      case .bondLost: .deviceBondLost
      case .queueFull: .deviceQueueFull
      case .stopped: .deviceStopped
      }
    self.init(key)
  }
}
