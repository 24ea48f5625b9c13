// SPDX-License-Identifier: Apache-2.0

/// The UUID of a service, a characteristic or a descriptor.
///
/// The written length is kept for ``uuidString`` and ``data``; equality and hash use the 128-bit
/// form, so `CBUUID(string: "180D")` equals its long spelling.
open class CBUUID: NSObject, NSCopying {
  /// The UUID as a value.
  package let value: BluetoothUUID

  /// An object for the value.
  package init(_ value: BluetoothUUID) {
    self.value = value
  }

  /// A UUID with every bit zero.
  public override convenience init() {
    self.init(data: Data(count: 16))
  }

  /// A UUID from 4 or 8 digits, optionally prefixed with `0x`, or 36 characters with hyphens.
  ///
  /// - Precondition: The string is one of these forms.
  public convenience init(string theString: String) {
    guard let value = BluetoothUUID(theString) else {
      preconditionFailure("String \(theString) does not represent a valid UUID")
    }
    self.init(value)
  }

  /// A UUID from 2, 4 or 16 bytes, big-endian.
  ///
  /// - Precondition: The data has one of these lengths.
  public convenience init(data theData: Data) {
    guard let value = BluetoothUUID(bytes: Array(theData)) else {
      preconditionFailure("Data of \(theData.count) bytes does not represent a valid UUID")
    }
    self.init(value)
  }

  /// A UUID from a Core Foundation one.
  @available(iOS, introduced: 5.0, deprecated: 9.0)
  @available(macOS, introduced: 10.7, deprecated: 10.13)
  public convenience init(cfuuid theUUID: CFUUID) {
    let bytes = CFUUIDGetUUIDBytes(theUUID)
    self.init(data: withUnsafeBytes(of: bytes) { Data($0) })
  }

  /// A 128-bit UUID.
  public convenience init(nsuuid theUUID: UUID) {
    self.init(data: withUnsafeBytes(of: theUUID.uuid) { Data($0) })
  }

  /// The bytes as given, big-endian: 2, 4 or 16 of them.
  open var data: Data { Data(value.bytes) }

  /// The digits, upper case, in the given length.
  open var uuidString: String { value.string }

  /// Compares the 128-bit forms.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CBUUID)?.value == value
  }

  /// The hash of the 128-bit form.
  open override var hash: Int { value.hashValue }

  /// The assigned name if it is a common one, otherwise the digits; for display only.
  open override var description: String {
    value.assigned.flatMap { AssignedNames.table[$0] } ?? uuidString
  }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }
}
