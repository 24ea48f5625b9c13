// SPDX-License-Identifier: Apache-2.0

/// How a device that several people use counts them in what it sends, beside what it shows them.
///
/// A number in a reading (`SourceDevice.userSlot`) is not always the one on the device: some count
/// from 0 what their buttons call 1. Who asks a person for a slot asks for the label, and has it
/// translated here.
public struct UserNumbering: Hashable, Sendable {
  /// The number that stands in readings for the user whom the device labels 1; nil where it is not
  /// public how the device labels its users.
  public let first: Int?
  /// Public places that say so.
  public let sources: [String]

  /// The numbers follow the labels, beginning with `first` for the user labelled 1.
  ///
  /// - Parameters:
  ///   - first: The number of the user whom the device labels 1.
  ///   - sources: Public places that say so.
  /// - Returns: The numbering.
  public static func from(_ first: Int, sources: [String]) -> UserNumbering {
    UserNumbering(first: first, sources: sources)
  }

  /// The device may say whose a reading is, and it is not public how it labels its users.
  public static let notPublic = UserNumbering(first: nil, sources: [])

  /// What the device shows for a number in its readings.
  ///
  /// - Parameter slot: The number.
  /// - Returns: The label, from 1 on; nil where it is not public, and for a number that no user has.
  public func label(of slot: Int) -> Int? {
    guard let first, slot >= first else { return nil }
    let (label, overflow) = (slot - first).addingReportingOverflow(1)
    return overflow ? nil : label
  }

  /// The number in readings of what the device shows.
  ///
  /// - Parameter label: What the device shows; where its labels are not public, the number itself.
  /// - Returns: The number; nil for what cannot be a label or a number.
  public func slot(labeled label: Int) -> Int? {
    guard let first else { return label >= 0 ? label : nil }
    guard label >= 1 else { return nil }
    let (slot, overflow) = (label - 1).addingReportingOverflow(first)
    return overflow ? nil : slot
  }
}

extension DeviceModel {
  /// How it counts the people who use it; nil for a device whose protocol says nothing of them.
  ///
  /// That of its drivers, as far as they agree, unless the entry has its own.
  public var userNumbering: UserNumbering? {
    get { ownUserNumbering ?? commonUserNumbering }
    set { ownUserNumbering = newValue }
  }

  /// Which driver reads a device is known only once it is connected.
  private var commonUserNumbering: UserNumbering? {
    let numberings = Set(drivers.compactMap(\.userNumbering))
    return numberings.count > 1 ? .notPublic : numberings.first
  }

  /// What the device calls one of its users: "user 2"; where that is not public, "slot 2".
  package func name(ofUserIn slot: Int) -> String {
    userNumbering?.label(of: slot).map { "user \($0)" } ?? "slot \(slot)"
  }
}
