// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which meters there are, which are connected, and which reading of each is the one that counts.
///
/// It decides and does nothing itself.
struct PassiveMeters: Sendable {
  /// A reading of a meter.
  struct Reading: Sendable, Hashable {
    let id: Int
    /// The session whose user it is for.
    let session: Int64
    let serialNumber: String
  }

  private struct Meter {
    var isConnected = false
    var isLeftAlone = false
    /// The reading that is under way.
    var reading: Int?
    /// Whether the kit has answered, and the answer is being stored.
    var isAnswered = false
    /// Whether it was connected anew meanwhile.
    var isReadAgain = false
    /// How often in a row it could not be read.
    var failures = 0
    /// How often in a row a connection has ended without its having been read.
    var fruitless = 0
  }

  private static let firstPause = Duration.seconds(5)
  private static let longestPause = Duration.seconds(900)
  /// How often it is connected at once after connections of no use.
  private static let toleratedFruitless = 3

  /// The session for which meters are read; nil when none are.
  private(set) var session: Int64?
  private var meters: [String: Meter] = [:]
  private var lastID = 0

  /// Begins to read, or stops with nil; what the kit has still to answer counts.
  mutating func read(for session: Int64?) {
    if session != self.session, session != nil {
      // The kit does not say again which are connected.
      meters = meters.mapValues { Meter(isConnected: $0.isConnected) }
    }
    self.session = session
    guard session == nil else { return }
    for serialNumber in meters.keys {
      meters[serialNumber]?.isConnected = false
      meters[serialNumber]?.isReadAgain = false
    }
  }

  /// Whether a meter is waited for.
  ///
  /// - Parameter serialNumber: The meter.
  /// - Returns: Whether it is.
  func isWanted(_ serialNumber: String) -> Bool {
    session != nil && !(meters[serialNumber]?.isLeftAlone ?? false)
  }

  /// Notes whose a meter is.
  ///
  /// - Parameters:
  ///   - serialNumber: The meter.
  ///   - isLeftAlone: Whether it is another user's.
  /// - Returns: Whether that is news.
  mutating func note(_ serialNumber: String, isLeftAlone: Bool) -> Bool {
    let isNews = meters[serialNumber].map { $0.isLeftAlone != isLeftAlone } ?? isLeftAlone
    meters[serialNumber, default: Meter()].isLeftAlone = isLeftAlone
    return isNews
  }

  /// A meter was connected.
  ///
  /// - Parameter serialNumber: The meter.
  /// - Returns: The reading to begin; nil for none.
  mutating func connected(_ serialNumber: String) -> Reading? {
    let wasConnected = meters[serialNumber]?.isConnected ?? false
    meters[serialNumber, default: Meter()].isConnected = true
    guard session != nil else { return nil }
    if meters[serialNumber]?.isAnswered == true {
      meters[serialNumber]?.isReadAgain = true
      return nil
    }
    // The kit may say it twice; and what it was asked in an earlier connection it may never answer.
    if wasConnected, meters[serialNumber]?.reading != nil { return nil }
    return next(serialNumber)
  }

  /// A pause is over, or a meter is to be read for another reason.
  ///
  /// - Parameter serialNumber: The meter.
  /// - Returns: The reading to begin; nil when it is not connected, or is being read.
  mutating func next(afterPauseOf serialNumber: String) -> Reading? {
    guard let meter = meters[serialNumber], meter.isConnected, meter.reading == nil else {
      return nil
    }
    return next(serialNumber)
  }

  private mutating func next(_ serialNumber: String) -> Reading? {
    guard let session else { return nil }
    lastID += 1
    meters[serialNumber]?.reading = lastID
    meters[serialNumber]?.isAnswered = false
    meters[serialNumber]?.isReadAgain = false
    return Reading(id: lastID, session: session, serialNumber: serialNumber)
  }

  /// A meter has lost its connection.
  ///
  /// - Parameter serialNumber: The meter.
  /// - Returns: After what pause to connect it again; nil for not at all.
  mutating func disconnected(_ serialNumber: String) -> Duration? {
    meters[serialNumber]?.isConnected = false
    meters[serialNumber]?.isReadAgain = false
    guard isWanted(serialNumber) else { return nil }
    meters[serialNumber, default: Meter()].fruitless += 1
    let excess = (meters[serialNumber]?.fruitless ?? 0) - Self.toleratedFruitless
    return excess > 0 ? Self.pause(after: excess) : .zero
  }

  /// The kit has answered.
  ///
  /// - Parameter reading: The reading.
  /// - Returns: Whether the answer counts: it is the first one, and of the last reading of the meter.
  mutating func answered(_ reading: Reading) -> Bool {
    guard isCurrent(reading), meters[reading.serialNumber]?.isAnswered == false else {
      return false
    }
    meters[reading.serialNumber]?.isAnswered = true
    return true
  }

  /// Whether a reading is the last one of its meter and not over.
  func isCurrent(_ reading: Reading) -> Bool {
    meters[reading.serialNumber]?.reading == reading.id
  }

  /// Whether a reading waits for the kit.
  func isAwaited(_ reading: Reading) -> Bool {
    isCurrent(reading) && meters[reading.serialNumber]?.isAnswered == false
  }

  /// What the kit has still to answer for a meter does not count any more.
  mutating func forget(_ serialNumber: String) {
    meters[serialNumber]?.reading = nil
    meters[serialNumber]?.isAnswered = false
  }

  /// A reading is over, unless another one has begun.
  mutating func forget(_ reading: Reading) {
    if isCurrent(reading) { forget(reading.serialNumber) }
  }

  /// A reading has failed; one that waits for the kit still counts when the kit answers later.
  ///
  /// - Parameters:
  ///   - reading: The reading.
  ///   - isAwaited: Whether the kit has still to answer.
  /// - Returns: After what pause to read the meter again: none when it was connected anew meanwhile;
  ///   nil when it is not connected.
  mutating func failed(_ reading: Reading, isAwaited: Bool = false) -> Duration? {
    if !isAwaited { forget(reading) }
    guard session != nil, var meter = meters[reading.serialNumber] else { return nil }
    meter.failures += 1
    meters[reading.serialNumber] = meter
    guard meter.isConnected else { return nil }
    return meter.isReadAgain ? .zero : Self.pause(after: meter.failures)
  }

  /// A reading is stored.
  ///
  /// - Parameter reading: The reading.
  /// - Returns: The reading to begin if the meter was connected anew meanwhile.
  mutating func succeeded(_ reading: Reading) -> Reading? {
    let serialNumber = reading.serialNumber
    let isReadAgain = meters[serialNumber]?.isReadAgain ?? false
    forget(serialNumber)
    meters[serialNumber]?.failures = 0
    meters[serialNumber]?.fruitless = 0
    return isReadAgain ? next(afterPauseOf: serialNumber) : nil
  }

  private static func pause(after failures: Int) -> Duration {
    min(firstPause * (1 << min(failures - 1, 10)), longestPause)
  }
}
