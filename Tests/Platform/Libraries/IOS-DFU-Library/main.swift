// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth
import LibraryTrial
import NordicDFU
import ZIPFoundation

/// Hears the library, on the main queue.
@MainActor
final class Listener: @preconcurrency DFUServiceDelegate, @preconcurrency DFUProgressDelegate,
  @preconcurrency LoggerDelegate
{
  private(set) var states: [DFUState] = []
  private(set) var failure: (error: DFUError, message: String)?
  private(set) var progress: [Int] = []

  func dfuStateDidChange(to state: DFUState) { states.append(state) }

  func dfuError(_ error: DFUError, didOccurWithMessage message: String) {
    failure = (error, message)
  }

  func dfuProgressDidChange(
    for part: Int, outOf totalParts: Int, to progress: Int, currentSpeedBytesPerSecond: Double,
    avgSpeedBytesPerSecond: Double
  ) {
    self.progress.append(progress)
  }

  func logWith(_ level: LogLevel, message: String) {
    FileHandle.standardError.write(Data("\(level.name()): \(message)\n".utf8))
  }
}

/// Finds targets for the library, which takes over what an app has found.
final class Scanner: NSObject, CBCentralManagerDelegate, @unchecked Sendable {
  private let queue = DispatchQueue(label: "scanner")
  private let lock = NSLock()
  private var manager: CBCentralManager?
  private var found: [String: CBPeripheral] = [:]

  override init() {
    super.init()
    queue.sync { manager = CBCentralManager(delegate: self, queue: queue) }
  }

  func target(named name: String) -> CBPeripheral? {
    lock.lock()
    defer { lock.unlock() }
    return found[name]
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    central.scanForPeripherals(withServices: [DFUTarget.service])
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral,
    advertisementData: [String: Any], rssi RSSI: NSNumber
  ) {
    lock.lock()
    defer { lock.unlock() }
    found[advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? ""] = peripheral
  }
}

/// Three objects, the last of which is short; not a whole number of packets.
let image = Data((0..<10_001).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })

/// A distribution packet: the firmware, its init packet and the manifest.
func makePacket(signature: Data = Bootloader.signature) throws -> Data {
  let archive = try Archive(accessMode: .create)
  let manifest =
    #"{"manifest": {"application": {"bin_file": "app.bin", "dat_file": "app.dat"}}}"#
  let start = signature + UInt32(image.count).bytes + checksum(image).bytes
  let files = [
    "manifest.json": Data(manifest.utf8), "app.bin": image,
    "app.dat": start + Data(repeating: 0x5A, count: 140),
  ]
  for (name, content) in files {
    try archive.addEntry(with: name, type: .file, uncompressedSize: Int64(content.count)) {
      content.subdata(in: Int($0)..<Int($0) + $1)
    }
  }
  guard let data = archive.data else { throw TrialFailure("no archive") }
  return data
}

Trial.run { trial in
  let scanner = Scanner()
  /// Flashes a device of its own, and returns the device and what the library said.
  @MainActor func flash(
    _ name: String, receipts: UInt16 = 0, signature: Data = Bootloader.signature,
    runsApplication: Bool = false, losesLinkAt byte: Int? = nil
  ) async throws -> (Bootloader, Listener) {
    let target = trial.onDevice(named: name) { DFUTarget(on: $0, runsApplication: runsApplication) }
    if let byte { target.loseLink(at: byte) }
    try await trial.expectSoon("the target") { scanner.target(named: name) != nil }
    let found = try trial.require(scanner.target(named: name), "target")
    let listener = Listener()
    let initiator = DFUServiceInitiator(queue: DispatchQueue(label: "DFU"))
    initiator.delegate = listener
    initiator.progressDelegate = listener
    initiator.logger = listener
    initiator.packetReceiptNotificationParameter = receipts
    initiator.alternativeAdvertisingName = "Boot"
    let firmware = try DFUFirmware(zipFile: makePacket(signature: signature))
    let controller = initiator.with(firmware: firmware).start(target: found)
    try await trial.expectSoon("the end") {
      listener.states.last == .completed || listener.failure != nil
    }
    return withExtendedLifetime(controller) { (target.state, listener) }
  }
  let objects = [
    "command 152", "executed command", "data 4096", "executed data", "data 4096", "executed data",
    "data 1809", "executed data",
  ]
  @MainActor func expectFlashed(
    _ target: Bootloader, _ listener: Listener, _ history: [String] = objects
  ) throws {
    try trial.expect(target.installed == image, is: true)
    try trial.expect(target.violations, is: [])
    try trial.expect(target.history, is: history)
    try trial.expect(listener.progress.last, is: 100)
    try trial.expect(listener.failure?.message, is: nil)
  }
  // As fast as there is room for packets.
  try await trial(.flash) {
    let (target, listener) = try await flash("First")
    try expectFlashed(target, listener)
    try trial.expect(
      listener.states,
      is: [.connecting, .starting, .uploading, .disconnecting, .completed])
  }
  // Twelve packets at a time, each time until the target reports what it has.
  try await trial(.receipts) {
    let (target, listener) = try await flash("Second", receipts: 12)
    try expectFlashed(target, listener)
  }
  try await trial(.resume) {
    let (target, listener) = try await flash("Third", losesLinkAt: 5_000)
    try expectFlashed(
      target, listener,
      [
        "command 152", "executed command", "data 4096", "executed data", "data 4096",
        "executed command", "executed data", "data 1809", "executed data",
      ])
    try trial.expect(listener.states.filter { $0 == .connecting }.count, is: 2)
  }
  try await trial(.refuse) {
    let (target, listener) = try await flash("Fourth", signature: Data("NONE".utf8))
    try trial.expect(
      listener.failure?.error, is: .remoteExtendedErrorInitCommandInvalid)
    try trial.expect(target.history, is: ["command 152"])
    try trial.expect(target.installed, is: nil)
  }
  // The application starts the bootloader, which has another address, and the name it was given.
  try await trial(.jump) {
    let (target, listener) = try await flash("Fifth", runsApplication: true)
    try expectFlashed(target, listener)
    try trial.expect(listener.states.contains(.enablingDfuMode), is: true)
    try trial.expect(scanner.target(named: "Boot") != nil, is: true)
  }
  try trial.expect(trial.misuseReports, is: [])
}
