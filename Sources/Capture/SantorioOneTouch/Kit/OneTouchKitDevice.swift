// SPDX-License-Identifier: Apache-2.0

/// Which meter it is, as LifeScan's kit knows it.
///
/// How the kit names a meter is not public; an app that has the kit says it in an extension of the
/// kit's type.
public protocol OneTouchKitMeter {
  /// What identifies the meter on every phone: its serial number.
  ///
  /// By it readings are recognised that are read again. A meter for which it is empty is not read.
  var meterSerialNumber: String { get }
  /// The model's name, for instance `OneTouch Verio Flex`; nil where the kit has none.
  var meterModel: String? { get }
}

extension OneTouchKitMeter {
  /// None.
  public var meterModel: String? { nil }

  var meter: OneTouchMeter { OneTouchMeter(serialNumber: meterSerialNumber, model: meterModel) }
}

/// A meter of LifeScan's kit that can be read: its `OneTouchDevice`.
///
/// ``isPaired`` and ``getGlucoseRecords(anchor:filterType:completion:)`` are called as Validic's
/// documentation calls those of the kit. The types of the anchor and of the filter, whether a
/// parameter is optional, and the name of the last parameter are not public: where the kit's differ,
/// the app's extension adds a method of this form that calls the kit's.
public protocol OneTouchKitDevice: OneTouchKitMeter {
  /// What the kit gives for the results in the memory.
  associatedtype KitReading: OneTouchKitReading
  /// By what the kit knows which results were read before; kept from one reading to the next.
  associatedtype Anchor: Codable
  /// What the kit filters results by; it is always called without a filter.
  associatedtype Filter
  /// As what the kit names the meter in its answer; of no importance here.
  associatedtype Answering

  /// Whether the user has paired the meter; reading one that is not can show a dialog.
  var isPaired: Bool { get }

  /// Reads the results after the anchor.
  ///
  /// - Parameters:
  ///   - anchor: That of the last answer; nil reads all.
  ///   - filterType: Nil.
  ///   - completion: Called once, on any thread, with the meter, an anchor for the next time, the
  ///     results, and an error.
  func getGlucoseRecords(
    anchor: Anchor?, filterType: Filter?,
    completion: @escaping (Answering, Anchor?, [KitReading]?, (any Error)?) -> Void)
}

/// A meter, without the kit's object for it.
public struct OneTouchMeter: Hashable, Sendable {
  /// The serial number.
  public let serialNumber: String
  /// The model's name; nil where the kit has none.
  public let model: String?

  /// Makes a meter.
  ///
  /// - Parameters:
  ///   - serialNumber: The serial number.
  ///   - model: The model's name.
  public init(serialNumber: String, model: String? = nil) {
    self.serialNumber = serialNumber
    self.model = model
  }
}
