// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import HealthDevices
import HealthGATT

/// Finds the device of an operation and gets it connected: known ones first, a scan last.
///
/// The order is that of figure 5-1 of Apple's "Best Practices for Interacting with a Remote
/// Peripheral Device". A connection never times out, so one way of finding is not given up for the
/// next: a known device that wakes is taken even while a scan looks for others. Whichever device
/// connects first is the operation's, and the other connections are cancelled.
struct DeviceSearch: Sendable {
  typealias Action = PeripheralOperation.Action
  typealias DiscoveredDevice = PeripheralOperation.DiscoveredDevice

  /// A device and what it is taken for.
  struct Link: Hashable, Sendable {
    let id: UUID
    let peripheral: DeviceModel
    /// The name that it advertised, where that is known.
    let name: String?

    init(id: UUID, peripheral: DeviceModel, name: String? = nil) {
      self.id = id
      self.peripheral = peripheral
      self.name = name
    }
  }

  private enum Stage: Hashable {
    /// Next: known, scanning.
    case idle
    /// Connecting the devices that are known. Next: connected, found.
    case known
    /// Connecting a device to which another app has a connection. Next: scanning, found.
    case connected
    /// Listening to advertisements. Next: found, listening.
    case scanning
    /// Listening to the advertisements of a device that is never connected. Next: found.
    case listening
    /// A device was heard, or is connected; nothing more is looked for. Next: idle.
    case found
  }

  /// How long to wait for one way of finding before the next is tried too.
  ///
  /// A device that is awake advertises every 2.5 seconds or more often.
  static let timeout = Duration.seconds(5)

  private let purpose: DriverContext.Purpose
  private let candidates: [DeviceModel]
  private let allowed: Set<UUID>?
  private let resting: Set<UUID>
  private let known: [KnownPeripheral]
  private let minimumRSSI: Int?
  private let timeout: Duration
  private var stage = Stage.idle
  /// The connections that were asked for and are wanted.
  private var links: [Link] = []
  /// The connections that were cancelled and whose end was not reported.
  private var leaving: Set<UUID> = []
  private var reported: UUID?
  /// The device whose advertisements are listened to.
  private(set) var broadcaster: Link?
  /// A device that was heard and did not wait to be paired.
  private var unready: DeviceModel?
  /// Whether a device was heard that is too far away.
  private var hasHeardFarOne = false
  /// What keeps devices from being connected, or kept them until now.
  private var obstacles: [UUID: ConnectionObstacle] = [:]

  /// When ``timeReached(at:)`` is due; nil when only the radio is waited for.
  private(set) var deadline: Duration?

  init(
    _ purpose: DriverContext.Purpose, for candidates: [DeviceModel],
    allowed: Set<UUID>?, resting: Set<UUID> = [], known: [KnownPeripheral],
    minimumRSSI: Int? = nil, isHurried: Bool = false
  ) {
    self.purpose = purpose
    self.candidates = candidates
    self.allowed = allowed?.subtracting(resting)
    self.resting = resting
    self.minimumRSSI = minimumRSSI
    // Known devices that sleep must not use up the time in which others could be heard.
    timeout = isHurried ? .zero : Self.timeout
    self.known = known.filter { !resting.contains($0.identifier) }
  }

  /// The entry that is looked for, if it is one alone.
  var only: DeviceModel? { candidates.count == 1 ? candidates.first : nil }

  /// What is known of the bond with a device.
  func bond(of device: UUID) -> BondState {
    known.first { $0.identifier == device }?.bond ?? .none
  }

  /// What to say when no device was found in time.
  var timeoutError: BluetoothError {
    if let unready {
      let advice = unready.pairingInstructions.map { " \($0)" } ?? ""
      return BluetoothError(
        .pairingFailure, "\(unready.name) was found, but it does not wait to be paired.\(advice)")
    }
    if let obstacle { return BluetoothError(.connectionTimeout, obstacle.message) }
    guard hasHeardFarOne else { return BluetoothError(.connectionTimeout) }
    return BluetoothError(
      .connectionTimeout, "A device was heard, but its signal was too weak. Bring it nearer.")
  }

  /// What has kept every device that is wanted from being connected, if something has.
  private var obstacle: ConnectionObstacle? {
    guard links.allSatisfy({ obstacles[$0.id] != nil }) else { return nil }
    return links.first.flatMap { obstacles[$0.id] }
  }

  /// Whether no connection is open or being made.
  var isClosed: Bool { links.isEmpty && leaving.isEmpty }

  // MARK: - Inputs

  /// The radio is on.
  mutating func begin() -> [Action] {
    switch purpose {
    case .pair: return scan()  // The device to be paired is whichever is in its pairing mode.
    case .read:
      stage = .known
      let identifiers = knownIdentifiers
      return identifiers.isEmpty ? lookForConnected() : [.retrieveKnown(identifiers)]
    }
  }

  /// The radio has forgotten scan and connections.
  mutating func forget() {
    stage = .idle
    links = []
    leaving = []
    obstacles = [:]
    broadcaster = nil
    deadline = nil
  }

  /// The system has looked for the known devices.
  mutating func retrievedKnown(_ devices: [DiscoveredDevice], at now: Duration) -> [Action] {
    guard stage == .known, links.isEmpty else { return [] }
    links = devices.compactMap { device in
      // One that only broadcasts cannot be connected; it is found by the scan.
      guard let peripheral = peripheral(of: device), peripheral.broadcast == nil else { return nil }
      return Link(id: device.id, peripheral: peripheral, name: device.advertisement.name)
    }
    guard !links.isEmpty else { return next() }
    // When all that were named are being connected, nothing else is to be found.
    let isComplete = allowed?.isSubset(of: links.map(\.id)) ?? false
    deadline = isComplete ? nil : now + timeout
    return links.map { .connect($0.id) }
  }

  /// The system has looked for devices to which another app has a connection.
  mutating func retrievedConnected(_ devices: [DiscoveredDevice], at now: Duration) -> [Action] {
    guard stage == .connected else { return [] }
    for device in devices {
      guard let link = link(to: device), link.peripheral.broadcast == nil else { continue }
      links.append(link)
      deadline = now + timeout
      return [.connect(link.id)]
    }
    return scan()
  }

  /// A device advertises; one that is never connected becomes the ``broadcaster``.
  mutating func discovered(_ device: DiscoveredDevice) -> [Action] {
    guard stage == .scanning, let link = link(to: device), isNear(device),
      isReady(link, device.advertisement)
    else { return [] }
    // What was wrong with it before, or with another one, is not why it may not connect.
    (unready, hasHeardFarOne) = (nil, false)
    guard link.peripheral.broadcast == nil else {
      stage = .listening
      broadcaster = link
      return report(link)
    }
    links.append(link)
    stage = .found
    return [.stopScan] + report(link) + [.connect(link.id)]
  }

  private mutating func isNear(_ device: DiscoveredDevice) -> Bool {
    guard let minimumRSSI, let rssi = device.rssi, rssi < minimumRSSI else { return true }
    hasHeardFarOne = true
    return false
  }

  /// Whether a device that is to be paired waits for that, as far as it says so.
  private mutating func isReady(_ link: Link, _ advertisement: Advertisement) -> Bool {
    guard purpose == .pair,
      link.peripheral.advertisementFilter.pairingFlag?.isSet(in: advertisement) == false
    else { return true }
    unready = link.peripheral
    return false
  }

  /// A device that is wanted cannot be connected yet.
  mutating func waiting(_ id: UUID, for obstacle: ConnectionObstacle) -> [Action] {
    guard let link = links.first(where: { $0.id == id }) else { return [] }
    obstacles[id] = obstacle
    return [.report(.waiting(link.peripheral, id, obstacle))]
  }

  /// A connection stands; returns nil when it is not wanted any more.
  mutating func connected(_ id: UUID) -> (link: Link, actions: [Action])? {
    guard let link = links.first(where: { $0.id == id }) else { return nil }
    let others = links.filter { $0.id != id }
    links = others
    let actions = close()
    links = [link]
    return (link, actions + report(link))
  }

  /// A connection is gone or could not be made; returns it if it was wanted.
  mutating func ended(_ id: UUID) -> Link? {
    leaving.remove(id)
    obstacles[id] = nil
    guard let index = links.firstIndex(where: { $0.id == id }) else { return nil }
    return links.remove(at: index)
  }

  /// A connection could not be made, or has ended before it was of use: looks for another device.
  ///
  /// Returns nil when the device was heard, and is the one that is waited for.
  mutating func proceed(without link: Link, at now: Duration) -> [Action]? {
    switch stage {
    case .found where reported == link.id: return nil
    case .known where links.isEmpty, .connected where links.isEmpty: return next()
    case .known: deadline = deadline ?? now + timeout
    case .idle, .connected, .scanning, .listening, .found: break
    }
    return []
  }

  /// The deadline may have been reached.
  mutating func timeReached(at now: Duration) -> [Action] {
    guard let deadline, now >= deadline else { return [] }
    return next()
  }

  /// Tells of a device, once.
  mutating func report(_ link: Link) -> [Action] {
    guard reported != link.id else { return [] }
    reported = link.id
    return [.report(.found(link.peripheral, link.id))]
  }

  /// Ends the scan and all connections.
  mutating func close() -> [Action] {
    let wasScanning = stage == .scanning || stage == .listening
    let ending = links.map(\.id)
    stage = .found
    deadline = nil
    links = []
    leaving.formUnion(ending)
    return (wasScanning ? [.stopScan] : []) + ending.map { .disconnect($0) }
  }

  // MARK: - The ways of finding

  private mutating func next() -> [Action] {
    deadline = nil
    return switch stage {
    case .known: lookForConnected()
    case .connected: scan()
    case .idle, .scanning, .listening, .found: []
    }
  }

  private mutating func lookForConnected() -> [Action] {
    stage = .connected
    return [.retrieveConnected(services: services)]
  }

  private mutating func scan() -> [Action] {
    stage = .scanning
    // A device that advertises no service is heard only when all are listened to.
    let isForAll = candidates.contains { $0.advertisementFilter.services.isEmpty }
    let advertised = candidates.flatMap(\.advertisementFilter.services).uniqued
    // The system tells of a device once, and then not again when it comes nearer or is set to pair.
    let allowsDuplicates =
      minimumRSSI != nil
      || candidates.contains { candidate in
        candidate.broadcast != nil
          || purpose == .pair && candidate.advertisementFilter.pairingFlag != nil
      }
    return [.scan(services: isForAll ? nil : advertised, allowsDuplicates: allowsDuplicates)]
  }

  /// What a device may have of which the system knows that it is connected.
  private var services: [String] {
    candidates.flatMap {
      // The system cannot look for a service that is known by its beginning only.
      let required = $0.drivers.flatMap(\.required).filter { !$0.isPattern }
      return $0.advertisementFilter.services + required.map(\.service)
    }
    .uniqued
  }

  // MARK: - Which device

  /// The known devices that will do, the one that was not used for longest first.
  private var knownIdentifiers: [UUID] {
    let numbers = Set(candidates.map(\.id))
    guard let allowed else {
      // One whose bond is lost would refuse us each time it wakes.
      return known.filter { numbers.contains($0.peripheral) && $0.bond != .lost }
        .map(\.identifier).reversed()
    }
    let used = known.map(\.identifier).filter(allowed.contains)
    return allowed.subtracting(used).sorted { $0.uuidString < $1.uuidString } + used.reversed()
  }

  /// What a device is that the system knows without an advertisement.
  private func peripheral(of device: DiscoveredDevice) -> DeviceModel? {
    let number = known.first { $0.identifier == device.id }?.peripheral
    if let peripheral = candidates.first(where: { $0.id == number }) { return peripheral }
    if device.advertisement.name != nil {
      // Its services are not reported: it may have any.
      var advertisement = device.advertisement
      advertisement.services = candidates.flatMap {
        $0.advertisementFilter.services + $0.drivers.flatMap(\.required).map(\.service)
      }
      return .best(of: candidates, for: advertisement)
    }
    return candidates.count == 1 ? candidates.first : nil
  }

  /// A device that may be taken, is recognised, and is not being connected already.
  private func link(to device: DiscoveredDevice) -> Link? {
    guard allowed?.contains(device.id) ?? true, !resting.contains(device.id),
      !leaving.contains(device.id),
      !links.contains(where: { $0.id == device.id }),
      let peripheral = DeviceModel.best(of: candidates, for: device.advertisement)
    else { return nil }
    return Link(id: device.id, peripheral: peripheral, name: device.advertisement.name)
  }
}

extension ConnectionObstacle {
  /// What to say when it lasted too long.
  fileprivate var message: String {
    switch self {
    case .otherOperation:
      "The device was not connected in time: another pairing or reading had it. Try again after that."
    case .linkSlot:
      "The device was not connected in time: the radio had too many connections. Try again later."
    }
  }
}

extension Array where Element: Hashable {
  /// The same, each once, in the order of their first appearance.
  package var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
