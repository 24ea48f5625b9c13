// SPDX-License-Identifier: Apache-2.0

/// What a record of the Legacy API says about the system it came through.
///
/// Validic's documents give these values for its mobile SDK, whose place this package takes:
/// `source` is `validicmobile`, `source_name` is `ValidicMobile`, and `intermediary_source` adds the
/// way that the record came to the name: `ValidicMobile Bluetooth`, `ValidicMobile Apple Health`. A
/// customer's filters and reports look for them, so they are the default. None of them says who
/// measured: the device's manufacturer and model have fields of their own.
///
/// Give another name where the receiver has to tell this package from Validic's SDK, or where a
/// contract does not allow Validic's name: ``santorio``, or your own.
public struct LegacySource: Hashable, Sendable {
  /// The short name, the value of `source`.
  public var name: String
  /// The name for a reader: the value of `source_name`, and the start of `intermediary_source`.
  public var displayName: String

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - name: The short name, for instance `clinic`.
  ///   - displayName: The name for a reader, for instance `Clinic`.
  public init(name: String, displayName: String) {
    self.name = name
    self.displayName = displayName
  }

  /// The values that Validic's documents give for records of its mobile SDK.
  public static let validicMobile = LegacySource(
    name: "validicmobile", displayName: "ValidicMobile")
  /// This package under its own name.
  public static let santorio = LegacySource(name: "santorio", displayName: "Santorio")
}
